#include "ir/build.h"

#include <cmath>
#include <limits>

#include "ir_text.h"

namespace pyk::test {
namespace {

using ir::ConstantValue;

TEST(Build, CloneIsDeep) {
    const char* const text = R"(module "m"
device f = f_(x: int64, a: float32[:, ::1]) -> float32 {
  return (a[wrap x, 0] if ((x < 3) or (not True)) else view<float32[:]>(a, x, slice(_, x, 2))[(- x)])
}
)";
    ir::Module module = parse_valid_ir(text);
    auto& value = module.functions[0].body[0].as<ir::Return>()->value;
    ir::ExprPtr copy = ir::clone(*value);
    const std::string printed = ir::print(module, module.functions[0], *value);
    EXPECT_EQ(ir::print(module, module.functions[0], *copy), printed);
    copy->as<ir::Select>()->then->as<ir::Element>()->indices[0].wraps = false;
    EXPECT_EQ(ir::print(module, module.functions[0], *value), printed);
    EXPECT_NE(ir::print(module, module.functions[0], *copy), printed);
}

TEST(Build, ConvertsConstantsAtOnce) {
    const ir::ExprPtr converted = ir::convert(ir::integer(300, Scalar::int64), Scalar::uint8);
    EXPECT_EQ(converted->as<ir::Constant>()->value, ConstantValue(uint64_t{44}));
    const ir::ExprPtr kept = ir::convert(ir::floating(1e30, Scalar::float64), Scalar::int32);
    EXPECT_TRUE(kept->as<ir::Convert>());
    EXPECT_TRUE(ir::convert(ir::integer(1, Scalar::int64), Scalar::int64)->as<ir::Constant>());
}

TEST(Build, IntegerValues) {
    EXPECT_EQ(ir::integer_value(*ir::integer(-1, Scalar::int8)), -1);
    EXPECT_EQ(ir::integer_value(*ir::integer(-1, Scalar::uint64)), std::nullopt);
    EXPECT_EQ(ir::integer_value(*ir::floating(1.0, Scalar::float64)), std::nullopt);
    EXPECT_EQ(ir::integer_value(*ir::boolean(true)), std::nullopt);
    const ir::Module module =
        parse_valid_ir("module \"m\" constant N: int64 = 7 device f = f_() -> int64 { return $N }");
    const ir::Expr& named = *module.functions[0].body[0].as<ir::Return>()->value;
    EXPECT_EQ(ir::integer_value(named), std::nullopt);
    EXPECT_EQ(ir::integer_value(module, named), 7);
}

// --- constants: reference §3.4 --------------------------------------------------------------------------------------
TEST(Constants, Conversions) {
    using ir::convert_constant;
    EXPECT_EQ(convert_constant(int64_t{-1}, Scalar::uint8), ConstantValue(uint64_t{255}));
    EXPECT_EQ(convert_constant(uint64_t{200}, Scalar::int8), ConstantValue(int64_t{-56}));
    EXPECT_EQ(convert_constant(true, Scalar::int64), ConstantValue(int64_t{1}));
    EXPECT_EQ(convert_constant(-2.9, Scalar::int64), ConstantValue(int64_t{-2}));
    EXPECT_EQ(convert_constant(-0.5, Scalar::uint8), ConstantValue(uint64_t{0}));
    EXPECT_EQ(convert_constant(256.0, Scalar::uint8), std::nullopt);
    EXPECT_EQ(convert_constant(std::nan(""), Scalar::int64), std::nullopt);
    EXPECT_EQ(convert_constant(9223372036854775808.0, Scalar::int64), std::nullopt);
    EXPECT_EQ(convert_constant(-9223372036854775808.0, Scalar::int64),
              ConstantValue(std::numeric_limits<int64_t>::min()));
    EXPECT_EQ(convert_constant(0.1, Scalar::float32), ConstantValue(static_cast<double>(0.1f)));
    EXPECT_EQ(convert_constant(std::nan(""), Scalar::boolean), ConstantValue(true));
    EXPECT_EQ(convert_constant(0.0, Scalar::boolean), ConstantValue(false));
    EXPECT_EQ(convert_constant(int64_t{9007199791611905}, Scalar::float32), ConstantValue(9007200328482816.0));
}

TEST(Constants, Representation) {
    EXPECT_TRUE(ir::represents(int64_t{-128}, Scalar::int8));
    EXPECT_FALSE(ir::represents(int64_t{128}, Scalar::int8));
    EXPECT_FALSE(ir::represents(int64_t{1}, Scalar::uint8));
    EXPECT_FALSE(ir::represents(int64_t{1}, Scalar::float64));
    EXPECT_FALSE(ir::represents(1.0, Type::none()));
}

}  // namespace
}  // namespace pyk::test
