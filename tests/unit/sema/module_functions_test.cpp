// Which of a file's functions of one name a kernel calls: by when it is compiled, and by what decorates them.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST(ModuleFunctions, DecoratorsThatAFunctionSets) {
    EXPECT_THAT(
        analyze_text("def of_device(f): return cuda.jit(f, device=True)\ndef use_gpu():\n    global device_jit\n"
                     "    device_jit = of_device\nuse_gpu()\n@device_jit\ndef g(x): return x\n"
                     "@cuda.jit('void(float32[::1])')\ndef k(x): x[0] = g(1)\n")
            .findings,
        IsEmpty());
}

// A kernel with a signature is compiled where it stands, others where they are first launched: what they call is what
// it is then.
TEST(ModuleFunctions, FunctionsThatAreDefinedAgain) {
    const std::string first = "@cuda.jit(device=True)\ndef f(x):\n    return 1\n";
    const std::string second = "@cuda.jit(device=True)\ndef f(x):\n    return 2.5\n";
    const std::string k = "@cuda.jit('void(float32[::1])')\ndef k(x):\n    x[0] = f(1)\n";
    EXPECT_THAT(module_ir(first + k + second), HasSubstr("return 1"));
    EXPECT_THAT(module_ir(first + second + k), HasSubstr("return 2.5"));
}

// A test that is of the machine that runs the file: what is newer stands first, and what stands in for it behind.
TEST(ModuleFunctions, FunctionsOfBranchesThatNobodyKnows) {
    const auto f = [](const std::string& value) {
        return "    @cuda.jit(device=True)\n    def f(x):\n        return " + value + "\n";
    };
    const std::string test = "if np.__version__ >= '1.20':\n", other = "elif read():\n";
    const std::string k = "@cuda.jit('void(float32[::1])')\ndef k(x):\n    x[0] = f(1)\n";
    EXPECT_THAT(module_ir(test + f("1") + "else:\n" + f("2.5") + k), HasSubstr("return 1"));
    EXPECT_THAT(module_ir(test + f("1") + other + f("2.5") + "else:\n" + f("3.5") + k), HasSubstr("return 1"));
    EXPECT_THAT(module_ir("@cuda.jit(device=True)\ndef f(x):\n    return 1\n" + test + f("2.5") + k),
                HasSubstr("return 2.5"));
    EXPECT_THAT(module_ir("if False:\n" + f("1") + "else:\n" + f("2.5") + k), HasSubstr("return 2.5"));
}

}  // namespace
