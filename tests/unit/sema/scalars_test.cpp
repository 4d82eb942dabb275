// Complex numbers and 16-bit floats: types of expressions, constants, what becomes of them in the IR.
#include "sema_test.h"

using namespace pyk::sema_test;

namespace {

constexpr std::string_view kParams =
    "z: complex64, w: complex128, h: float16, f: float32, x: float64, i: int8, n: int32, c: complex64[::1]";
constexpr std::string_view kTypes = "from numba.types import complex64, complex128, float16";

std::string type(std::string_view expression) { return type_of(kParams, expression, kTypes); }

TEST(Complex, Types) {
    EXPECT_EQ(type("1j"), "complex128");
    EXPECT_EQ(type("z * f"), "complex64");
    EXPECT_EQ(type("z + i"), "complex64");
    EXPECT_EQ(type("z + 1"), "complex128");
    EXPECT_EQ(type("z - x"), "complex128");
    EXPECT_EQ(type("abs(z)"), "float32");
    EXPECT_EQ(type("w.real"), "float64");
    EXPECT_EQ(type("n.imag"), "int32");
    EXPECT_EQ(type("z.conjugate()"), "complex64");
    EXPECT_EQ(type("x.conjugate()"), "float64");
    EXPECT_EQ(type("complex(f)"), "complex64");
    EXPECT_EQ(type("complex(f, f)"), "complex64");
    EXPECT_EQ(type("complex(f, 1)"), "complex128");
    EXPECT_EQ(type("complex(z)"), "complex128");
    EXPECT_EQ(type("np.complex64(w)"), "complex64");
    EXPECT_EQ(type("z == w"), "boolean");
    EXPECT_EQ(type("not z"), "boolean");
    EXPECT_EQ(type("z < w"), "error");
    EXPECT_EQ(type("float(z)"), "error");
    EXPECT_EQ(type("c[0]"), "complex64");
}

TEST(Complex, ConstantsAreFoldedAsPythonFoldsThem) {
    const std::string_view module = "K = (1 + 2j) * (3 - 1j) / 2";
    EXPECT_EQ(body("c: complex128[::1]", "c[0] = K", module), "store c[wrap 0] = @pyk.complex(2.5, 2.5):complex128\n");
    EXPECT_EQ(body("c: complex128[::1]", "c[0] = -1j ** 2", ""),
              "store c[wrap 0] = @pyk.complex(1.0, -0.0):complex128\n");
}

TEST(Integers, BitCountIsOfTheNumbersType) {
    EXPECT_EQ(type("i.bit_count()"), "int8");
    EXPECT_EQ(type("n.bit_count()"), "int32");
    EXPECT_EQ(type("-(n.bit_count())"), "int64");
}

TEST(Float16, Types) {
    EXPECT_EQ(type("h + h"), "float16");
    EXPECT_EQ(type("h * i"), "float16");
    EXPECT_EQ(type("h / True"), "float16");
    EXPECT_EQ(type("h + n"), "float64");
    EXPECT_EQ(type("h + f"), "float32");
    EXPECT_EQ(type("h * 2.0"), "float64");
    EXPECT_EQ(type("h // h"), "float32");
    EXPECT_EQ(type("h ** 2"), "float32");
    EXPECT_EQ(type("z + h"), "complex64");
    EXPECT_EQ(type("math.sqrt(h)"), "float16");
    EXPECT_EQ(type("math.tanh(h)"), "float16");
    EXPECT_EQ(type("math.atanh(h)"), "float32");
    EXPECT_EQ(type("float(h)"), "float16");
    EXPECT_EQ(type("int(h)"), "int64");
    EXPECT_EQ(type("max(h, h)"), "float16");
    EXPECT_EQ(type("np.float16(x)"), "float16");
}

}  // namespace
