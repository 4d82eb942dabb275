// Composed array functions: the values of the calls one after the other, by one compiled loop.
#include "pyk/fuse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "on_backend.h"

namespace {

using pyk::Term;
using pyk::jit::Backend;
using pyk::jit::Element;
using pyk::jit::Ufunc;

constexpr const char* kFile = R"py(
from numba import vectorize

SCALE = 3


@vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def plus(x, y):
    return x + y


@vectorize
def times(x, y):
    return x * y


@vectorize(["float64(float64)"])
def fused(x):
    return x * SCALE


@vectorize
def positive(x):
    if x < 0:
        raise ValueError("negative")
    return x)py";

class Fused : public OnBackend {
  protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        options.backend = GetParam();
        module = pyk::load_text("terms.pyk", kFile, options).value();
        plus = get("plus");
        times = get("times");
    }
    Ufunc get(const char* name) const { return pyk::ufunc(*module, name).value(); }

    pyk::jit::Options options;
    std::optional<pyk::jit::Module> module;
    std::optional<Ufunc> plus, times;
};
INSTANTIATE_TEST_SUITE_P(On, Fused, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& info) { return info.param == Backend::cpu ? "cpu" : "gpu"; });

TEST_P(Fused, IsOneLoopOfTheSameValues) {
    const Ufunc f = pyk::fuse([&](Term x, Term y, Term z) { return (*plus)((*times)(x, y), z); }).value();
    std::vector<float> x(10'001), y(x.size()), column = {1, 2, 3};
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) * 0.37f, y[i] = 5 - static_cast<float>(i);
    const pyk::AnyArray out = f(x, y, pyk::host(column.data(), {3, 1}));
    EXPECT_EQ(f.specializations().size(), 1u);
    EXPECT_TRUE(plus->specializations().empty());
    EXPECT_TRUE(times->specializations().empty());
    ASSERT_EQ(out.element(), Element::float32);
    ASSERT_EQ(out.shape(), (std::vector<long long>{3, 10'001}));
    const pyk::AnyArray product = (*times)(x, y);
    const std::vector<float> got = out.to_host<float>().value();
    for (std::size_t row = 0; row < column.size(); ++row)
        for (std::size_t i = 0; i < x.size(); ++i) {
            // A GPU may contract the two into one rounding.
            const double exact = static_cast<double>(x[i]) * y[i] + column[row];
            ASSERT_NEAR(got[row * x.size() + i], exact, std::fabs(exact) * 1e-6 + 1e-3);
        }
    std::vector<float> in_place = x;
    f.into(in_place, in_place, y, 2.0f).or_throw();
    EXPECT_EQ(in_place[1], x[1] * y[1] + 2);
}

TEST_P(Fused, HasTheTypesOfTheCalls) {
    const Ufunc f = pyk::fuse([&](Term x, Term y) { return (*plus)((*times)(x, y), x); }).value();
    EXPECT_EQ(f(std::vector<float>{2}, std::vector<float>{3}).element(), Element::float32);
    EXPECT_EQ(f(std::vector<float>{2}, std::vector<double>{3}).item<double>().value(), 8.0);
    EXPECT_EQ(f(std::vector<int>{2}, std::vector<int>{3}).element(), Element::float64);
    EXPECT_EQ(f.specializations().size(), 3u);
}

TEST_P(Fused, ComputesASharedTermOnce) {
    // Written out, thirty doublings are a text of a thousand million calls.
    const Ufunc f = pyk::fuse([&](Term x) {
                        for (int i = 0; i < 30; ++i) x = (*plus)(x, x);
                        return x;
                    }).value();
    EXPECT_EQ(f(std::vector<double>{1.5}).item<double>().value(), 1.5 * (1 << 30));
}

TEST_P(Fused, TakesNumbers) {
    const auto of = [&](auto number) {
        return pyk::fuse([&](Term x) { return (*times)(x, number); }).value()(std::vector<float>{1.5f});
    };
    EXPECT_EQ(of(2.5f).item<float>().value(), 3.75f);
    EXPECT_EQ(of(0.1).item<double>().value(), 1.5 * 0.1);
    EXPECT_EQ(of(static_cast<short>(-3)).item<float>().value(), -4.5f);
    EXPECT_EQ(of(std::numeric_limits<long long>::min()).item<double>().value(), -1.5 * 9223372036854775808.0);
    EXPECT_EQ(of(-std::numeric_limits<float>::infinity()).item<float>().value(),
              -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(of(std::nan("")).item<double>().value()));
    EXPECT_EQ(of(true).item<float>().value(), 1.5f);
}

TEST_P(Fused, FindsTheFilesOwnNames) {
    // The file has a `fused`, and a constant.
    const Ufunc f = pyk::fuse([own = get("fused")](Term x) { return own(own(x)); }).value();
    EXPECT_EQ(f(std::vector<double>{2}).item<double>().value(), 18.0);
    // And one fused already may be a part of another.
    const Ufunc g = pyk::fuse([&](Term x) { return f(x); }).value();
    EXPECT_EQ(g(std::vector<double>{2}).item<double>().value(), 18.0);
    // Beside functions of the file, and beside another one.
    const Ufunc h = pyk::fuse([&](Term x, Term y) { return (*times)(f(y), (*plus)(g(x), x)); }).value();
    EXPECT_EQ(h(std::vector<double>{2}, std::vector<double>{1}).item<double>().value(), 9.0 * 20);
    std::optional<Term> kept;
    (void)pyk::fuse([&](Term x, Term y) {
        kept = y;
        return (*plus)(x, y);
    });
    EXPECT_EQ(pyk::fuse([&](Term x) { return (*plus)(x, *kept); }).message(),
              "the expression has a term of another one");
}

TEST_P(Fused, RaisesWhatItsFunctionsRaise) {
    options.debug = true;
    const auto checked = pyk::load_text("terms.pyk", kFile, options).value();
    const Ufunc positive = pyk::ufunc(checked, "positive").value(), times = pyk::ufunc(checked, "times").value();
    const Ufunc f = pyk::fuse([&](Term x) { return times(positive(x), 2); }).value();
    EXPECT_EQ(f(std::vector<double>{4}).item<double>().value(), 8.0);
    EXPECT_THAT(f.call(std::vector<double>{-4}).message(), testing::HasSubstr("negative"));
}

TEST_P(Fused, SaysWhatDoesNotFit) {
    const Ufunc other = pyk::ufunc(pyk::load_text("other.pyk", kFile, options).value(), "plus").value();
    EXPECT_EQ(pyk::fuse([&](Term x) { return (*times)(other(x, x), x); }).message(),
              "`plus` is of another module: fused functions are of one");
    EXPECT_EQ(pyk::fuse([&](Term x) { return (*times)(x); }).message(), "`times` takes 2 arguments, not 1");
    EXPECT_EQ(pyk::fuse([&](Term x) { return x; }).message(), "the expression calls no array function");
}

}  // namespace
