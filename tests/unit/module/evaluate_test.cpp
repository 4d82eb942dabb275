// Expressions over the names of a file (scope_evaluate, scope_paths).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

TEST(HostExpressions, ItemsOfWhatIsNotKnownAsAWhole) {
    const std::string dict = "import elsewhere\nT = 4\nD = {'tile': T, T: 1, 'other': elsewhere.f()}\nT = 8\n";
    EXPECT_EQ(value_of("N", dict + "N = D['tile']\n"), "4");
    EXPECT_EQ(value_of("N", dict + "N = D[4]\n"), "1");
    EXPECT_EQ(value_of("N", dict + "E = D\nN = E['tile']\n"), "4");
    EXPECT_EQ(value_of("N", dict + "N = D[T]\n"), "?");
    const std::string tuple =
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: float = 0\n"
        "import elsewhere\np = P(1)\nt = (p, elsewhere.f())\np = P(2)\n";
    EXPECT_EQ(value_of("N", tuple + "N = t[0].x\n"), "1");
}

TEST(HostExpressions, NothingIsCheckedByTypes) {
    EXPECT_EQ(value_of("n", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    n = 1\nelse:\n    n = 2\n"), "2");
}

// The code is for GPUs, and the environment of whoever compiles is not read.
TEST(HostExpressions, TheSimulatorIsNotMeant) {
    for (const char* test :
         {"config.ENABLE_CUDASIM", "numba.config.ENABLE_CUDASIM == 1", "'NUMBA_ENABLE_CUDASIM' in os.environ",
          "os.environ.get('NUMBA_ENABLE_CUDASIM') == '1'", "not cuda.is_available()"})
        EXPECT_EQ(value_of("N", "import os\nimport numba\nfrom numba import config\nif " + std::string(test) +
                                    ":\n    N = 1\nelse:\n    N = 2\n"),
                  "2")
            << test;
}

}  // namespace
