// Times algorithms over arrays on a GPU against plain CUB (cub.cu, a shared library): `bench_algorithms LIBRARY
// OPERATORS.pyk [MEGABYTES [ROUNDS]]`. Results are compared before anything is timed; the arms take turns, and the
// median of the rounds is told, in GB/s of what has to be moved.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../quartiles.h"
#include "pyk/random.hpp"
#include "pyk/stream.h"

namespace {

using CubFunction = int (*)(void* temporary, std::size_t* bytes, const void* in, const void* beside, long long count,
                            void* out);

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "bench_algorithms: %s\n", why.c_str());
    std::exit(1);
}

template <class T>
T checked(pyk::Result<T> result) {
    if (!result) give_up(result.message());
    return *std::move(result);
}
void check(const pyk::Status& status) {
    if (!status) give_up(status.message());
}

struct Case {
    std::string name, cub;
    const float* in;
    const void* beside;
    long long outputs;
    int output_bytes;
    double moved;  ///< bytes
    double tolerance;
    std::function<void(void* out)> run;
};

class Bench {
  public:
    Bench(void* library, const char* operators, long long megabytes, int rounds)
        : library_(library), rounds_(rounds), count_(megabytes * 1024 * 1024 / 4) {
        farther_ = checked(pyk::find_operator(checked(pyk::load(operators)), "farther"));
        uniform_ = checked(pyk::Array<float>::allocate(device_, {count_}));
        skewed_ = checked(pyk::Array<float>::allocate(device_, {count_}));
        pyk::Philox random{1};
        check(pyk::fill_uniform(uniform_, random, 0, 256));
        // Nine of ten elements in a few bins.
        check(pyk::fill_normal(skewed_, random, 100, 0.6));
        std::vector<long long> offsets;
        for (long long at = 0; at <= count_; at += 1024) offsets.push_back(at);
        offsets_ = checked(pyk::Array<long long>::from_host(device_, offsets));
    }

    bool run() {
        const double bytes = 4.0 * static_cast<double>(count_);
        std::printf("%s, %lld MiB, GB/s\n%-22s%9s%9s%9s\n", device_.info().name.c_str(), count_ * 4 >> 20, "", "CUB",
                    "pyk", "of CUB");
        const auto reduced = [&](const pyk::Operator& combine) {
            return [this, combine](void* out) {
                pyk::View<float> to(static_cast<float*>(out), {1}, uniform_.view().device);
                check(pyk::reduce_into(to, combine, uniform_));
            };
        };
        const auto of_histogram = [](const pyk::Array<float>& x) {
            return [&x](void* out) {
                const auto result = checked(pyk::histogram(x, 256, 0.0, 256.0));
                keep(result, out);
            };
        };
        time({"sum", "sum", uniform_.data(), nullptr, 1, 4, bytes, 1e-4, reduced(pyk::plus)});
        time({"minimum", "minimum", uniform_.data(), nullptr, 1, 4, bytes, 0, reduced(pyk::minimum)});
        time({"maximum", "maximum", uniform_.data(), nullptr, 1, 4, bytes, 0, reduced(pyk::maximum)});
        time({"user's operator", "farther", uniform_.data(), nullptr, 1, 4, bytes, 0, reduced(*farther_)});
        const auto scanned = [&](bool is_ordered) {
            return [this, is_ordered](void* out) {
                pyk::ScanOptions options;
                options.is_ordered = is_ordered;
                pyk::View<float> to(static_cast<float*>(out), {count_}, uniform_.view().device);
                check(pyk::scan_into(to, pyk::plus, uniform_, options));
            };
        };
        time({"scan", "scan", uniform_.data(), nullptr, count_, 4, 2 * bytes, 1e-3, scanned(false)});
        time({"scan, ordered", "scan", uniform_.data(), nullptr, count_, 4, 2 * bytes, 1e-3, scanned(true)});
        time({"histogram, uniform", "histogram", uniform_.data(), nullptr, 256, 8, bytes, 0, of_histogram(uniform_)});
        time({"histogram, skewed", "histogram", skewed_.data(), nullptr, 256, 8, bytes, 0, of_histogram(skewed_)});
        time({"segmented sum", "segments", uniform_.data(), offsets_.data(), count_ / 1024, 4, bytes, 1e-4,
              [this](void* out) { keep(checked(pyk::segmented_reduce(pyk::plus, uniform_, offsets_)), out); }});
        return is_right_;
    }

  private:
    /// Where the result goes when it is compared; null while it is timed.
    static void keep(const pyk::AnyArray& result, void* out) {
        if (out) check(result.buffer().download(out, result.buffer().size()));
    }

    void time(const Case& each) {
        const auto cub = reinterpret_cast<CubFunction>(dlsym(library_, ("cub_" + each.cub).c_str()));
        if (!cub) give_up("the library has no cub_" + each.cub);
        const auto out_bytes = static_cast<std::size_t>(each.outputs * each.output_bytes);
        const auto out = checked(pyk::Buffer::allocate(device_, out_bytes));
        std::size_t bytes = 0;
        cub(nullptr, &bytes, each.in, each.beside, count_, out.address());
        const auto temporary = checked(pyk::Buffer::allocate(device_, bytes + 1));
        const auto run_cub = [&] { cub(temporary.address(), &bytes, each.in, each.beside, count_, out.address()); };
        const bool makes_new = each.cub == "histogram" || each.cub == "segments";
        const auto run_pyk = [&] { each.run(makes_new ? nullptr : out.address()); };

        std::vector<unsigned char> expected(out_bytes), got(out_bytes);
        run_cub();
        check(device_.synchronize());
        check(out.download(expected.data(), out_bytes));
        if (makes_new) {
            each.run(got.data());
        } else {
            run_pyk();
            check(device_.synchronize());
            check(out.download(got.data(), out_bytes));
        }
        if (const double off = difference(each, expected, got); !(off <= each.tolerance)) {
            std::printf("%-22s WRONG: off by %g\n", each.name.c_str(), off);
            is_right_ = false;
            return;
        }
        std::vector<double> of_cub, of_pyk;
        for (int round = 0; round < rounds_; ++round)
            for (const bool is_cub : {round % 2 == 0, round % 2 != 0})
                (is_cub ? of_cub : of_pyk).push_back(is_cub ? milliseconds(run_cub) : milliseconds(run_pyk));
        const double a = bench::median(of_cub), b = bench::median(of_pyk);
        std::printf("%-22s%9.0f%9.0f%8.1f%%\n", each.name.c_str(), each.moved / a / 1e6, each.moved / b / 1e6,
                    100 * a / b);
        std::fflush(stdout);
    }

    /// Of a call, of several.
    template <class Run>
    double milliseconds(Run run) {
        constexpr int calls = 20;
        check(start_.record());
        for (int i = 0; i < calls; ++i) run();
        check(stop_.record());
        check(stop_.wait());
        return checked(pyk::Event::elapsed_ms(start_, stop_)) / calls;
    }

    static double difference(const Case& each, const std::vector<unsigned char>& a,
                             const std::vector<unsigned char>& b) {
        double most = 0;
        for (long long i = 0; i < each.outputs; ++i) {
            double x = 0, y = 0;
            if (each.output_bytes == 8) {
                x = static_cast<double>(reinterpret_cast<const long long*>(a.data())[i]);
                y = static_cast<double>(reinterpret_cast<const long long*>(b.data())[i]);
            } else {
                x = reinterpret_cast<const float*>(a.data())[i];
                y = reinterpret_cast<const float*>(b.data())[i];
            }
            most = std::max(most, std::fabs(x - y) / std::max(1.0, std::fabs(x)));
        }
        return most;
    }

    pyk::Device device_ = checked(pyk::Device::get(0));
    void* library_;
    int rounds_;
    long long count_;
    std::optional<pyk::Operator> farther_;
    pyk::Array<float> uniform_, skewed_;
    pyk::Array<long long> offsets_;
    pyk::Event start_ = checked(pyk::Event::create(device_)), stop_ = checked(pyk::Event::create(device_));
    bool is_right_ = true;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) give_up("bench_algorithms LIBRARY OPERATORS.pyk [MEGABYTES [ROUNDS]]");
    void* const library = dlopen(argv[1], RTLD_NOW);
    if (!library) give_up(dlerror());
    return Bench(library, argv[2], argc > 3 ? std::atoll(argv[3]) : 256, argc > 4 ? std::atoi(argv[4]) : 20).run() ? 0
                                                                                                                   : 1;
}
