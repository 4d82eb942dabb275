// Types as values of module code (scope_types).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// `type(x)` compared with classes, and sorting in place by a key.
TEST(HostTypes, TypesAndOrder) {
    const Probe probes[] = {
        {"x = 3\nN = type(x) is int", "True"},
        {"N = type(True) is int", "False"},
        {"N = type(3.5) == float", "True"},
        {"N = type((1, 2)) in (list, tuple)", "True"},
        {"N = type([1]) not in [dict, tuple]", "True"},
        {"N = type('a') is not str", "False"},
        {"import numpy as np\nN = type(np.float64(1)) is float", "False"},
        {"import numpy as np\nN = type(np.float32(1)) is np.float32", "True"},
        {"int = float\nN = type(3) is int", "?"},
        {"x = [3, 1, 2]\nx.sort(reverse=True)\nN = x", "[3, 2, 1]"},
        {"x = [(1, 5), (2, 3), (0, 3)]\nx.sort(key=lambda p: p[1])\nN = x", "[(2, 3), (0, 3), (1, 5)]"},
        {"def size(v): return -len(v)\nx = ['a', 'bcd', 'ef']\nx.sort(key=size)\nN = x[0]", "'bcd'"},
        {"x = [3, 1, 2]\ny = x\nx.sort(key=lambda v: -v)\nN = y[0]", "3"},
        {"def f(v):\n    v.sort(reverse=True)\nx = [3, 1, 5]\nf(x)\nN = x[0]", "5"},
    };
    for (const Probe& probe : probes) EXPECT_EQ(value_of("N", probe.code), probe.value) << probe.code;
}

TEST(HostTypes, TypesOfNumbaThatKernelsDoNotHave) {
    EXPECT_EQ(value_of("n", "from numba.cuda import types\nT = types.List(types.int32)\nU = types.int\nn = 1"), "1");
}

}  // namespace
