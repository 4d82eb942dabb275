// How module code makes arrays, and their dtypes (scope_array, dtypes).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

// Those that change the array, which is another one without them.
TEST(HostArrays, KeywordsOfConstructors) {
    const std::string b = "import numpy as np\nb = bytes(range(8))\n";
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, dtype=np.uint8, count=2).tolist()\n"), "[0, 1]");
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, np.uint16, offset=4).tolist()\n"), "[1284, 1798]");
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, np.uint8, 2, 3).tolist()\n"), "[3, 4]");
    EXPECT_EQ(value_of("n", b + "n = np.frombuffer(b, np.uint8, 9)\n"), "?");
    EXPECT_EQ(value_of("n", b + "n = np.array([1, 2], ndmin=3).shape\n"), "(1, 1, 2)");
    EXPECT_EQ(value_of("n", b + "n = np.fromiter(range(5), np.int64, count=3).tolist()\n"), "[0, 1, 2]");
    EXPECT_EQ(value_of("n", b + "n = np.linspace(0, 1, 5, retstep=True)\n"), "?");
    EXPECT_EQ(value_of("n", b + "n = np.linspace([0, 1], [1, 2], 3).size\n"), "?");
    EXPECT_EQ(value_of("n", b + "x = np.random.rand(4)\nn = x.view(np.uint8).size\n"), "?");
}

TEST(HostArrays, FieldsOfDtypes) {
    const std::string dt = "import numpy as np\ndt = np.dtype([('x', np.float32), ('n', np.int64)], align=True)\n";
    EXPECT_EQ(
        value_of(
            "n",
            dt + "n = (dt.names, dt.itemsize, dt.fields['n'][1], dt['n'].itemsize, dt.alignment, 'x' in dt.names)\n"),
        "(('x', 'n'), 16, 8, 8, 8, True)");
    EXPECT_EQ(value_of("n", dt + "n = (np.zeros(2, dt).dtype.names[1], np.float32(1).itemsize)\n"), "('n', 4)");
}

}  // namespace
