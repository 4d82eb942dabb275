#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "types/signature.h"

namespace pyk {
namespace {

const Type i8 = Scalar::int64, f4 = Scalar::float32, f8 = Scalar::float64;

Type parsed(std::string_view text) {
    SignatureError error;
    const auto type = parse_type(text, error);
    EXPECT_TRUE(type) << text << ": " << error.offset << ": " << error.message;
    return type.value_or(Type());
}

Signature parsed_signature(std::string_view text) {
    SignatureError error;
    const auto signature = parse_signature(text, error);
    EXPECT_TRUE(signature) << text << ": " << error.offset << ": " << error.message;
    return signature.value_or(Signature());
}

TEST(ParseType, Notations) {
    EXPECT_EQ(parsed("float32"), f4);
    EXPECT_EQ(parsed(" f4 "), f4);
    EXPECT_EQ(parsed("numba.types.float32"), f4);
    EXPECT_EQ(parsed("np.float32"), f4);
    EXPECT_EQ(parsed("float32[:]"), Type::array(f4, 1, Layout::A));
    EXPECT_EQ(parsed("float32[::1]"), Type::array(f4, 1, Layout::C));
    EXPECT_EQ(parsed("float32[:,:]"), Type::array(f4, 2, Layout::A));
    EXPECT_EQ(parsed("float32[ : , ::1 ]"), Type::array(f4, 2, Layout::C));
    EXPECT_EQ(parsed("float32[::1, :, :]"), Type::array(f4, 3, Layout::F));
    // As Numba reads them: the first and the last axis say it.
    EXPECT_EQ(parsed("float32[::1, ::1, :]"), Type::array(f4, 3, Layout::F));
    EXPECT_EQ(parsed("float32[::1, ::1]"), Type::array(f4, 2, Layout::F));
    EXPECT_EQ(parsed("float32[:, ::1, :]"), Type::array(f4, 3, Layout::A));
    EXPECT_EQ(parsed("float32[::2]"), Type::array(f4, 1, Layout::A));
    EXPECT_EQ(parsed("Array(float32, 2, 'C')"), Type::array(f4, 2, Layout::C));
    EXPECT_EQ(parsed("types.Array(f4, 1, \"A\", readonly=True)"), Type::array(f4, 1, Layout::A, true));
    EXPECT_EQ(parsed("CharSeq(12)"), Type::text(Scalar::uint8, 12));
    EXPECT_EQ(parsed("[unichr x 4][:]"), Type::array(Type::text(Scalar::uint32, 4), 1, Layout::A));
    EXPECT_EQ(parsed("Array(f4, 1, 'A', False)"), Type::array(f4, 1, Layout::A));
    EXPECT_EQ(parsed("(int64, float32)"), Type::tuple({i8, f4}));
    EXPECT_EQ(parsed("(int64,)"), Type::tuple({i8}));
    EXPECT_EQ(parsed("(int64)"), i8);
    EXPECT_EQ(parsed("()"), Type::tuple({}));
    EXPECT_EQ(parsed("UniTuple(float32, 3)"), Type::tuple({f4, f4, f4}));
    EXPECT_EQ(parsed("Tuple((int64, float32))"), Type::tuple({i8, f4}));
    EXPECT_EQ(parsed("Tuple([int64, float32])"), Type::tuple({i8, f4}));
    EXPECT_EQ(parsed("Tuple((int64,))"), Type::tuple({i8}));
    EXPECT_EQ(parsed("((i8, f4), f8)"), Type::tuple({Type::tuple({i8, f4}), f8}));
    EXPECT_EQ(parsed("void"), Type::none());
    EXPECT_EQ(parsed("None"), Type::none());
    EXPECT_EQ(parsed("xoroshiro128p[::1]"), Type::array(Type::xoroshiro128p_state(), 1, Layout::C));
    EXPECT_EQ(parsed("types.CPointer(float32)"), Type::pointer(f4));
    EXPECT_EQ(parsed("voidptr"), Type::pointer(Type::none()));
    EXPECT_EQ(parsed("xoroshiro128p_type[:]"), Type::array(Type::xoroshiro128p_state(), 1, Layout::A));
}

// The names of scalars in numba.types, and what they are there (`vars(numba.types)` of numba 0.68.1).
TEST(ParseType, NamesOfNumba) {
    constexpr std::pair<Scalar, std::string_view> kNames[] = {
        {Scalar::boolean, "b1 bool bool_ boolean c_bool np_bool_ py_bool"},
        {Scalar::uint8, "byte c_uint8 np_uchar np_uint8 u1 uchar uint8"},
        {Scalar::complex128, "c16 complex128 np_complex128 py_complex"},
        {Scalar::complex64, "c8 complex64 np_complex64"},
        {Scalar::float16, "c_float16 f2 float16 np_float16"},
        {Scalar::float32, "c_float32 f4 float32 np_float32 np_float_"},
        {Scalar::float64, "c_float64 double f8 float64 np_double np_float64 py_float"},
        {Scalar::int16, "c_int16 i2 int16 np_int16 np_short short"},
        {Scalar::int32, "c_int32 i4 int32 intc np_int32 np_intc"},
        {Scalar::int64,
         "c_int64 c_intp i8 int64 int_ intp long_ longlong np_int64 np_int_ np_intp np_long "
         "np_longlong py_int ssize_t"},
        {Scalar::int8, "c_int8 char i1 int8 np_char np_int8"},
        {Scalar::uint16, "c_uint16 np_uint16 np_ushort u2 uint16 ushort"},
        {Scalar::uint32, "c_uint32 np_uint32 np_uintc u4 uint32 uintc"},
        {Scalar::uint64,
         "c_uint64 c_uintp np_uint np_uint64 np_uintp np_ulong np_ulonglong size_t u8 uint "
         "uint64 uintp ulong ulonglong"},
    };
    for (const auto& [scalar, names] : kNames) {
        std::istringstream words{std::string(names)};
        for (std::string name; words >> name;) {
            EXPECT_EQ(parsed(name), Type(scalar)) << name;
            EXPECT_EQ(parsed("types." + name + "[:]"), Type::array(scalar, 1, Layout::A)) << name;
        }
    }
}

TEST(ParseType, ArgumentsByName) {
    EXPECT_EQ(parsed("Array(dtype=float32, ndim=2, layout='C')"), Type::array(f4, 2, Layout::C));
    EXPECT_EQ(parsed("Array(f4, 1, layout='F', readonly=True, aligned=True,)"), Type::array(f4, 1, Layout::F, true));
    EXPECT_EQ(parsed("Array(f4, 1, 'A', False, aligned=False)"), Type::array(f4, 1, Layout::A, false, false));
    EXPECT_EQ(parsed("UniTuple(dtype=int64, count=2)"), Type::tuple({i8, i8}));
}

TEST(ParseType, ReadsBackEverySignatureSpelling) {
    std::vector<Type> types = {Type::none(), Type::xoroshiro128p_state()};
    for (const ScalarInfo& row : all_scalars()) types.emplace_back(row.scalar);
    for (Type element : std::vector(types.begin() + 1, types.end())) {
        for (int ndim = 1; ndim <= 5; ++ndim) {
            for (Layout layout : {Layout::C, Layout::F, Layout::A}) {
                types.push_back(Type::array(element, ndim, layout));
                types.push_back(Type::array(element, ndim, layout, true));
            }
        }
    }
    for (const ScalarInfo& row : all_scalars()) types.push_back(Type::pointer(row.scalar));
    types.push_back(Type::pointer(Type::none()));
    types.push_back(Type::tuple({}));
    types.push_back(Type::tuple({f4}));
    types.push_back(Type::tuple({f4, Type::array(f4, 2, Layout::C), Type::tuple({i8, i8})}));
    for (Type t : types) EXPECT_EQ(parsed(t.signature()), t) << t.signature();
}

TEST(ParseSignature, Forms) {
    const Signature kernel = parsed_signature("saxpy(float32, float32[::1], float32[::1])");
    EXPECT_EQ(kernel.name, "saxpy");
    EXPECT_FALSE(kernel.result);
    EXPECT_EQ(kernel.params, (std::vector<Type>{f4, Type::array(f4, 1, Layout::C), Type::array(f4, 1, Layout::C)}));
    EXPECT_FALSE(kernel.noalias);

    const Signature with_void = parsed_signature("void(float32[:], int64)");
    EXPECT_EQ(with_void.name, "");
    EXPECT_EQ(with_void.result, Type::none());
    EXPECT_EQ(with_void.params, (std::vector<Type>{Type::array(f4, 1, Layout::A), i8}));

    const Signature function = parsed_signature("types.float64(float64)");
    EXPECT_EQ(function.name, "");
    EXPECT_EQ(function.result, f8);
    EXPECT_EQ(function.params, std::vector<Type>{f8});

    const Signature bare = parsed_signature("(float32, int64)");
    EXPECT_EQ(bare.name, "");
    EXPECT_FALSE(bare.result);
    EXPECT_EQ(bare.params, (std::vector<Type>{f4, i8}));

    const Signature unbracketed = parsed_signature("float32[:], int64");
    EXPECT_FALSE(unbracketed.result);
    EXPECT_EQ(unbracketed.params, (std::vector<Type>{Type::array(f4, 1, Layout::A), i8}));

    EXPECT_EQ(parsed_signature("k()").params.size(), 0u);
    EXPECT_EQ(parsed_signature("()").params.size(), 0u);
    EXPECT_EQ(parsed_signature("größe(f4)").name, "größe");
    EXPECT_TRUE(parsed_signature("k(f4[::1], f4[::1]) noalias").noalias);
    EXPECT_EQ(parsed_signature("k((f4, f4), i8)").params, (std::vector<Type>{Type::tuple({f4, f4}), i8}));
}

TEST(ParseSignature, InParentheses) {
    const Signature signature = parsed_signature("(float32(float32[:], int64))");
    EXPECT_EQ(signature.result, f4);
    EXPECT_EQ(signature.params, (std::vector<Type>{Type::array(f4, 1, Layout::A), i8}));
    EXPECT_EQ(parsed_signature(" ( types.void(float32) )").params, std::vector<Type>{f4});
    EXPECT_EQ(parsed_signature("(UniTuple(float32, 2), int64)").params.size(), 2u);
}

TEST(ParseSignature, NamesOfOtherFiles) {
    SignatureError error;
    const TypeNames names = [](std::string_view name) {
        return name == "geometry.ray_t" ? std::optional<Type>(f8) : std::nullopt;
    };
    const auto signature = parse_signature("k(geometry.ray_t[::1])", error, names);
    ASSERT_TRUE(signature) << error.message;
    EXPECT_EQ(signature->params, std::vector<Type>{Type::array(f8, 1, Layout::C)});
    EXPECT_FALSE(parse_signature("k(geometry.beam_t)", error, names));
    EXPECT_EQ(error.message, "'geometry.beam_t' is not a type");
}

TEST(ParseSignature, ResultsThatAreNotOneWord) {
    EXPECT_EQ(parsed_signature("(f4, i8)(f4)").result, Type::tuple({f4, i8}));
    EXPECT_EQ(parsed_signature("(f4, i8)(f4)").params, std::vector<Type>{f4});
    EXPECT_EQ(parsed_signature("UniTuple(f4, 2)(f4, f8)").result, Type::tuple({f4, f4}));
    EXPECT_EQ(parsed_signature("f4[:](f4[:], i8)").result, Type::array(f4, 1, Layout::A));
}

struct Wrong {
    std::string text;
    size_t offset;
};

class WrongSignature : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSignature, IsReportedWhereItIs) {
    SignatureError error{};
    EXPECT_FALSE(parse_signature(GetParam().text, error));
    EXPECT_EQ(error.offset, GetParam().offset) << error.message;
    EXPECT_FALSE(error.message.empty());
}

INSTANTIATE_TEST_SUITE_P(All, WrongSignature,
                         testing::Values(Wrong{"", 0}, Wrong{"k", 0}, Wrong{"k(", 2}, Wrong{"k(f4", 4},
                                         Wrong{"k(f4 f4)", 5}, Wrong{"k(f4,, f4)", 5}, Wrong{"k(float33)", 2},
                                         Wrong{"k(f4, float33[:])", 6}, Wrong{"k(f4[)", 5}, Wrong{"k(f4[:)", 6},
                                         Wrong{"k(f4[1])", 5}, Wrong{"k(f4[::])", 7}, Wrong{"k(f4[:][:])", 2},
                                         Wrong{"k(f4) no", 6}, Wrong{"k(f4))", 5}, Wrong{"k(UniTuple(f4))", 13},
                                         Wrong{"k(UniTuple(f4, 2000))", 19}, Wrong{"k(Array(f4, 33, 'C'))", 8},
                                         Wrong{"k(Array(f4, 99, 'C'))", 8}, Wrong{"k(Array(f4, 1, 'X'))", 16},
                                         Wrong{"k(Array(f4, 1, 'C', readonly=maybe))", 34}, Wrong{"k(Tuple(f4))", 8},
                                         Wrong{"f4", 2}));

TEST(ParseSignature, DeepNestingIsReportedNotFollowed) {
    SignatureError error;
    const std::string deep(100'000, '(');
    EXPECT_FALSE(parse_signature("k" + deep, error));
    EXPECT_FALSE(parse_type(deep, error));
}

TEST(ParseType, WantsTheWholeText) {
    SignatureError error{};
    EXPECT_FALSE(parse_type("f4 f4", error));
    EXPECT_EQ(error.offset, 3u);
    EXPECT_FALSE(parse_type("", error));
}

}  // namespace
}  // namespace pyk
