#include "demo/samples.h"

namespace {

constexpr double kRate = 0.02, kVolatility = 0.3;

// By the error function: the kernel's polynomial is good to 7.5e-8.
double cumulative_normal(double d) { return 0.5 * std::erfc(-d * 0.70710678118654752); }

struct Option {
    double price, strike, years;

    double discounted() const { return strike * std::exp(-kRate * years); }
    double d1() const {
        const double drift = (kRate + 0.5 * kVolatility * kVolatility) * years;
        return (std::log(price / strike) + drift) / (kVolatility * std::sqrt(years));
    }
    double d2() const { return d1() - kVolatility * std::sqrt(years); }
    double call() const { return price * cumulative_normal(d1()) - discounted() * cumulative_normal(d2()); }
    double put() const { return discounted() * cumulative_normal(-d2()) - price * cumulative_normal(-d1()); }
};

}  // namespace

void demo::run_black_scholes(Session& session) {
    const int n = 200'000;
    const auto price = random<double>(n, 5, 30, 1), strike = random<double>(n, 1, 100, 2),
               years = random<double>(n, 0.25, 10, 3);
    const auto call = session.zeros<double>({n}), put = session.zeros<double>({n});
    session.launch("black_scholes", {blocks(n, 256)}, {256}, call, put, session.array(price), session.array(strike),
                   session.array(years), kRate, kVolatility);
    const auto option = [&](size_t i) { return Option{price[i], strike[i], years[i]}; };
    expect_near(session, "call", session.read(call), 1e-5, [&](size_t i) { return option(i).call(); });
    expect_near(session, "put", session.read(put), 1e-5, [&](size_t i) { return option(i).put(); });
}
