// `try` in module code (scope_try).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// The handler of what is surely raised runs.
TEST(HostTry, Raising) {
    const Probe probes[] = {
        {R"py(try: n = int("x")
except ValueError: n = 4
N = n)py",
         "4"},
        {R"py(d = {"a": 1}
try: n = d["b"]
except KeyError: n = 4
N = n)py",
         "4"},
        {R"py(try: n = 1 // 0
except ZeroDivisionError: n = 4
N = n)py",
         "4"},
        {R"py(try: n = [1, 2][5]
except IndexError: n = 4
N = n)py",
         "4"},
        {R"py(import sys
try:
    N = int(sys.argv[1])
    M = int(sys.argv[2])
except (IndexError, ValueError):
    N = 7
    M = 8)py",
         "7"},
        {R"py(import contextlib
@contextlib.contextmanager
def f(n):
    yield n * 2
with f(3) as g: N = g)py",
         "6"},
        {R"py(from contextlib import contextmanager
@contextmanager
def f(n):
    m = n + 1
    try:
        yield m * 2
    finally:
        m = 0
with f(3) as g: N = g)py",
         "8"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

TEST(HostTry, EnvironmentVariablesAreNotThere) {
    constexpr std::string_view kTry = "import os\ntry:\n    N = int(os.environ['N'])\nexcept KeyError:\n    N = 8\n";
    EXPECT_EQ(value_of("N", kTry), "8");
    EXPECT_EQ(value_of("N", "import os\nos.environ['N'] = '4'\n" + std::string(kTry).substr(10)), "?");
    EXPECT_EQ(value_of("N", "import os\nos.environ.setdefault('N', '4')\n" + std::string(kTry).substr(10)), "?");
    EXPECT_EQ(value_of("N", "# not os.environ.setdefault('N', '4')\n" + std::string(kTry)), "8");
}

TEST(HostTry, FinallyRunsWhicheverWay) {
    const std::string begin = "def f():\n    try:\n        return 1\n    finally:\n";
    EXPECT_EQ(value_of("N", begin + "        pass\nN = f()\n"), "1");
    EXPECT_EQ(value_of("N", begin + "        return 2\nN = f()\n"), "2");
    EXPECT_EQ(
        value_of("n", "n = 0\ndef f():\n    global n\n    try:\n        return 1\n    finally:\n        n += 1\nf()\n"),
        "1");
    EXPECT_EQ(value_of("N",
                       "def f():\n    while True:\n        try:\n            return 1\n        finally:\n"
                       "            break\n    return 5\nN = f()\n"),
              "5");
}

}  // namespace
