// Programs that set a locale, as those with a GUI do: no number depends on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pyk/fuse.hpp"

namespace {

using ::testing::ElementsAre;

/// Decimal commas, whether or not the system has a German locale.
class Locale : public ::testing::Test {
  protected:
    void SetUp() override {
        if (const auto missing = pyk::jit::why_unavailable(pyk::jit::Backend::cpu)) GTEST_SKIP() << *missing;
        options.backend = pyk::jit::Backend::cpu;
        options.disk_cache = false;
        // ctest runs the tests side by side.
        folder = std::filesystem::path(::testing::TempDir()) / ("pyk_locale_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder);
        const std::string made =
            "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
        (void)std::system(made.c_str());
        setenv("LOCPATH", folder.c_str(), 1);
        if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) GTEST_SKIP() << "no German locale, and localedef makes none";
        ASSERT_STREQ(std::localeconv()->decimal_point, ",");
    }
    void TearDown() override {
        std::setlocale(LC_ALL, "C");
        unsetenv("LOCPATH");
        std::filesystem::remove_all(folder);
    }

    std::filesystem::path folder;
    pyk::jit::Options options;
};

TEST_F(Locale, DoesNotChangeConstants) {
    const auto module = pyk::load_text("constants.pyk", R"py(
from numba import cuda

ROUNDED = round(2.567, 2)
READ = float("2.5")
WRITTEN = 0.75
FORMATTED = float(f"{READ:.3f}")


@cuda.jit
def k(out):
    out[0] = ROUNDED
    out[1] = READ
    out[2] = WRITTEN
    out[3] = float(" -1e-3 ")
    out[4] = FORMATTED
)py",
                                       options)
                            .value();
    std::vector<double> out(5);
    module.kernel("k").value()(pyk::grid(1), pyk::block(1))(out);
    EXPECT_THAT(out, ElementsAre(2.57, 2.5, 0.75, -1e-3, 2.5));
}

TEST_F(Locale, DoesNotChangeWhatIsPrinted) {
    std::string got;
    options.on_print = [&](std::string_view line) { got += line; };
    const auto module =
        pyk::load_text("print.pyk", "from numba import cuda\n@cuda.jit\ndef k(x):\n    print(x)\n", options).value();
    module.kernel("k").value()(pyk::grid(1), pyk::block(1))(1.5);
    EXPECT_EQ(got, "1.500000\n");
}

TEST_F(Locale, DoesNotChangeFusedFunctions) {
    const auto module =
        pyk::load_text("terms.pyk", "from numba import vectorize\n@vectorize\ndef plus(x, y):\n    return x + y\n",
                       options)
            .value();
    const auto plus = pyk::ufunc(module, "plus").value();
    const auto shifted = pyk::fuse([&](pyk::Term x) { return plus(x, 1.5); }).value();
    EXPECT_THAT(shifted(std::vector<double>{1, 2}).to_host<double>().value(), ElementsAre(2.5, 3.5));
}

}  // namespace
