#include "driver/cli/arguments.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "compile/temp_folder.h"
#include "driver/cli/failure.h"
#include "npy_files.h"
#include "support/files.h"

namespace pyk {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ScalarArgument scalar(const std::string& text) { return std::get<ScalarArgument>(parse_argument(text).value); }
NpyArray array(const std::string& text) { return std::get<NpyArray>(parse_argument(text).value); }

template <typename T>
std::vector<T> elements(const NpyArray& array) {
    std::vector<T> values(array.bytes.size() / sizeof(T));
    std::memcpy(values.data(), array.bytes.data(), values.size() * sizeof(T));
    return values;
}

std::string usage_error(const std::string& text) {
    try {
        parse_argument(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Arguments, PlainNumbersHaveNumbasTypes) {
    EXPECT_EQ(scalar("1").type, Type(Scalar::int64));
    EXPECT_EQ(std::get<int64_t>(scalar("-0x10").value), -16);
    EXPECT_EQ(scalar("18446744073709551615").type, Type(Scalar::uint64));
    EXPECT_EQ(scalar("2.5").type, Type(Scalar::float64));
    EXPECT_EQ(std::get<double>(scalar("-1e-3").value), -1e-3);
    EXPECT_TRUE(std::isinf(std::get<double>(scalar("inf").value)));
    EXPECT_TRUE(std::isnan(std::get<double>(scalar("nan").value)));
    EXPECT_EQ(scalar("true").type, Type(Scalar::boolean));
    EXPECT_EQ(std::get<int64_t>(scalar("-9223372036854775808").value), INT64_MIN);
}

TEST(Arguments, NumbersAreWrittenAsInPython) {
    const auto integer = [](const char* text) { return std::get<int64_t>(*parse_number(text)); };
    EXPECT_EQ(integer("1_000"), 1000);
    EXPECT_EQ(integer("0b1_01"), 5);
    EXPECT_EQ(integer("-0o17"), -15);
    EXPECT_EQ(integer("0x_ff"), 255);
    EXPECT_EQ(std::get<double>(*parse_number("1_0.5e1_0")), 10.5e10);
    EXPECT_EQ(std::get<uint64_t>(*parse_number("18446744073709551615")), UINT64_MAX);
    for (const char* wrong : {"18446744073709551616", "-9223372036854775809", "1__0", "_1", "1_", "0b2", "1_.5", "0x"})
        EXPECT_FALSE(parse_number(wrong)) << wrong;
}

TEST(Arguments, TypedNumbers) {
    EXPECT_EQ(scalar("f32:2").type, Type(Scalar::float32));
    EXPECT_EQ(std::get<double>(scalar("f32:2").value), 2.0);
    EXPECT_EQ(scalar("i8:-128").type, Type(Scalar::int8));
    EXPECT_EQ(std::get<uint64_t>(scalar("u8:255").value), 255u);
    EXPECT_EQ(scalar("uint16:1").type, Type(Scalar::uint16));
    EXPECT_TRUE(std::get<bool>(scalar("bool:1").value));
    EXPECT_THAT(usage_error("u8:256"), HasSubstr("does not fit uint8"));
    EXPECT_THAT(usage_error("i32:2.5"), HasSubstr("does not fit int32"));
    EXPECT_THAT(usage_error("u64:-1"), HasSubstr("does not fit"));
    EXPECT_THAT(usage_error("i64:1e19"), HasSubstr("does not fit"));
}

TEST(Arguments, ComplexNumbersAreReadAsPythonReadsThem) {
    const auto number = [](const char* text) {
        const ScalarArgument z = scalar(text);
        EXPECT_EQ(z.type, Type(Scalar::complex128)) << text;
        return std::complex<double>(std::get<double>(z.value), z.imaginary);
    };
    using Complex = std::complex<double>;
    EXPECT_EQ(number("1+2j"), Complex(1, 2));
    EXPECT_EQ(number("-1.5-2J"), Complex(-1.5, -2));
    EXPECT_EQ(number("2j"), Complex(0, 2));
    EXPECT_EQ(number("-j"), Complex(0, -1));
    EXPECT_EQ(number("3+j"), Complex(3, 1));
    EXPECT_EQ(number("1e-3+2e+1j"), Complex(1e-3, 20));
    EXPECT_EQ(number("-1e-3j"), Complex(0, -1e-3));
    EXPECT_EQ(number("(1+2j)"), Complex(1, 2)) << "as Python prints it";
    EXPECT_EQ(scalar("c64:1+2j").type, Type(Scalar::complex64));
    EXPECT_EQ(scalar("c64:3").imaginary, 0);
    EXPECT_THAT(elements<float>(array("full:c64:2:1+2j")), ElementsAre(1, 2, 1, 2));
    EXPECT_THAT(usage_error("f32:1+2j"), HasSubstr("1+2j is a complex number, which float32 does not hold"));
    for (const char* wrong : {"1+2", "1++2j", "1+2jj", "0x1+2j", "e+j", "1 + 2j"})
        EXPECT_THAT(usage_error(wrong), HasSubstr("is neither a number nor")) << wrong;
}

TEST(Arguments, NoneAndTuples) {
    EXPECT_TRUE(std::holds_alternative<NoneArgument>(parse_argument("None").value));
    EXPECT_TRUE(std::holds_alternative<NoneArgument>(parse_argument("limit=None").value));
    const auto tuple = [](const char* text) { return std::get<TupleArgument>(parse_argument(text).value); };
    EXPECT_EQ(tuple("(1, 2.5)").type, Type::tuple({Scalar::int64, Scalar::float64}));
    EXPECT_EQ(tuple("t=(1,)").type, Type::tuple({Scalar::int64}));
    const TupleArgument mixed = tuple("(u8:7, f32:1.5, (i16:-2, True), 2j)");
    EXPECT_EQ(mixed.type, Type::tuple({Scalar::uint8, Scalar::float32, Type::tuple({Scalar::int16, Scalar::boolean}),
                                       Scalar::complex128}));
    struct {  // what C++ makes of it
        uint8_t a = 7;
        float b = 1.5f;
        struct {
            int16_t c = -2;
            bool d = true;
        } nested;
        double re = 0, im = 2;
    } expected;
    ASSERT_EQ(mixed.bytes.size(), sizeof expected);
    EXPECT_EQ(mixed.alignment, alignof(decltype(expected)));
    EXPECT_EQ(mixed.bytes[0], 7);
    const auto begin =
        static_cast<size_t>(reinterpret_cast<char*>(&expected.nested) - reinterpret_cast<char*>(&expected));
    EXPECT_EQ(std::memcmp(&mixed.bytes[begin], &expected.nested, 3), 0);
    EXPECT_EQ(std::memcmp(&mixed.bytes[16], &expected.re, 16), 0);
    EXPECT_EQ(scalar("(1)").type, Type(Scalar::int64)) << "no tuple in Python either";
    EXPECT_EQ(tuple("((1, 2),)").type, Type::tuple({Type::tuple({Scalar::int64, Scalar::int64})}));
    EXPECT_THAT(usage_error("()"), HasSubstr("an empty tuple has nothing to pass"));
    EXPECT_THAT(usage_error("(1,,2)"), HasSubstr("between two commas nothing is given"));
    EXPECT_THAT(usage_error("((1,2)"), HasSubstr("a bracket has no other one"));
    EXPECT_THAT(usage_error("(1,2"), HasSubstr("`(1,2` is neither a number nor"));
    EXPECT_THAT(usage_error("(1,x)"), HasSubstr("`x` is neither a number nor"));
    EXPECT_EQ(tuple("(i16:1, None, u8:2)").type.signature(), "(int16, none, uint8)");
    EXPECT_EQ(tuple("(i16:1, None, u8:2)").bytes, std::string("\1\0\0\2", 4)) << "None is a byte";
    EXPECT_THAT(usage_error("(1,zeros:f32:3)"), HasSubstr("a tuple holds numbers, None and tuples, not `zeros:f32:3`"));
    EXPECT_THAT(usage_error("(1,x.npy)"), HasSubstr("a tuple holds numbers, None and tuples, not `x.npy`"));
}

TEST(Arguments, Arrays) {
    EXPECT_THAT(array("zeros:i32:2x3").shape, ElementsAre(2, 3));
    EXPECT_THAT(elements<int32_t>(array("zeros:i32:2x3")), Each(0));
    EXPECT_THAT(elements<float>(array("ones:f32:2")), ElementsAre(1, 1));
    EXPECT_THAT(elements<int16_t>(array("arange:i16:4")), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(elements<double>(array("full:f64:2:3.5")), ElementsAre(3.5, 3.5));
    EXPECT_THAT(array("zeros:bool:0").shape, ElementsAre(0));
    EXPECT_EQ(array("xoroshiro:3:1").element, Type::xoroshiro128p_state());
    EXPECT_EQ(elements<uint64_t>(array("xoroshiro:3:1"))[0], 0x910a2dec89025cc1u);
    EXPECT_THAT(usage_error("arange:u8:300"), HasSubstr("does not fit"));
    EXPECT_THAT(usage_error("zeros:f32:-1"), HasSubstr("memory"));
    EXPECT_THAT(usage_error("zeros:f32:4294967296x4294967296"), HasSubstr("memory"));
    EXPECT_THAT(usage_error("zeros:f31:1"), HasSubstr("no type `f31`"));
    EXPECT_THAT(usage_error("zeros:f32"), HasSubstr("zeros:TYPE:SHAPE"));
    EXPECT_THAT(usage_error("full:f32:3"), HasSubstr("full:TYPE:SHAPE:VALUE"));
}

TEST(Arguments, RandomArraysAreSeeded) {
    EXPECT_EQ(array("rand:f64:10").bytes, array("rand:f64:10:0").bytes);
    EXPECT_NE(array("rand:f64:10:1").bytes, array("rand:f64:10").bytes);
    EXPECT_NE(std::get<NpyArray>(parse_argument("rand:f64:10", 1).value).bytes, array("rand:f64:10").bytes);
    for (const float value : elements<float>(array("rand:f32:1000"))) EXPECT_TRUE(value >= 0 && value < 1);
    for (const int32_t value : elements<int32_t>(array("rand:i32:1000"))) EXPECT_TRUE(value >= 0 && value < 100);
    for (const uint8_t value : elements<uint8_t>(array("rand:bool:1000"))) EXPECT_LE(value, 1);
}

TEST(Arguments, Names) {
    EXPECT_EQ(parse_argument("x=zeros:f32:2").param, "x");
    EXPECT_EQ(parse_argument("größe=1").param, "größe");
    EXPECT_EQ(parse_argument("=-1").param, "");
    EXPECT_EQ(std::get<int64_t>(scalar("=-1").value), -1);
}

TEST(Arguments, Files) {
    const TempFolder folder;
    ASSERT_TRUE(write_file(folder.file("a=b.npy"), npy_files::kFloats));
    EXPECT_THAT(elements<float>(array(folder.file("a=b.npy"))), ElementsAre(1.5f, -2.0f));
    EXPECT_THAT(array("x=" + folder.file("a=b.npy")).shape, ElementsAre(2));
    EXPECT_THROW(parse_argument(folder.file("no.npy")), InputOutputError);
    ASSERT_TRUE(write_file(folder.file("bad.npy"), "nonsense"));
    EXPECT_THROW(parse_argument(folder.file("bad.npy")), InputOutputError);
}

TEST(Arguments, Nonsense) {
    for (const char* text : {"", "abc", "x=", "1.2.3", "--1", "+-1", "1__0", "foo:bar", "f32:", "f32:abc", ":",
                             "rand:f32:2:-1", "xoroshiro:2x2"})
        EXPECT_NE(usage_error(text), "") << text;
}

TEST(Arguments, OfEveryForm) {
    static constexpr std::pair<const char*, const char*> kWords[] = {
        {"TYPE", "f32"}, {"SHAPE", "2"}, {"VALUE", "3"}, {"COUNT", "2"}};
    for (const ArrayForm& each : array_forms()) {
        std::string text(each.form.substr(0, each.form.find('[')));
        for (const auto& [word, value] : kWords)
            if (const size_t at = text.find(word); at != std::string::npos) text.replace(at, std::strlen(word), value);
        EXPECT_THAT(array(text).shape, ElementsAre(2)) << text;
        if (each.form.ends_with("[:SEED]")) text += ":1";
        EXPECT_THAT(array(text).shape, ElementsAre(2)) << text;
        EXPECT_THAT(usage_error(text + ":1:1"), HasSubstr("the form is `" + std::string(each.form) + "`"));
    }
    for (const std::string& code : type_codes()) EXPECT_EQ(array("zeros:" + code + ":2").size(), 2) << code;
    EXPECT_THAT(type_codes(), ElementsAre("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16",
                                          "f32", "f64", "c64", "c128"));
    EXPECT_THAT(usage_error("zeros:f31:1"), HasSubstr("f16, bf16, f32, f64, c64, c128"));
}

TEST(Arguments, NumbersThatNoFloatHoldsAreInfiniteOrZero) {
    const auto number = [](const char* text) { return std::get<double>(*parse_number(text)); };
    EXPECT_EQ(number("1e400"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(number("-12e308"), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(number("1e-400"), 0.0);
}

}  // namespace
}  // namespace pyk
