#include "driver/cli/npy.h"

#include <gmock/gmock.h>

#include "npy_files.h"
#include "types/time.h"

namespace pyk {
namespace {

using namespace npy_files;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

NpyArray read(const std::string& file) {
    auto result = parse_npy(file);
    if (const auto* error = std::get_if<std::string>(&result)) ADD_FAILURE() << *error;
    return std::holds_alternative<NpyArray>(result) ? std::get<NpyArray>(result)
                                                    : NpyArray{Scalar::int8, false, {0}, {}};
}

std::string error_of(const std::string& file) {
    auto result = parse_npy(file);
    return std::holds_alternative<std::string>(result) ? std::get<std::string>(result) : "";
}

template <typename T>
std::vector<T> elements(const NpyArray& array) {
    std::vector<T> values(array.bytes.size() / sizeof(T));
    std::copy_n(array.bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
    return values;
}

TEST(Npy, ReadsWhatNumPyWrites) {
    const NpyArray floats = read(kFloats);
    EXPECT_EQ(floats.element, Type(Scalar::float32));
    EXPECT_THAT(floats.shape, ElementsAre(2));
    EXPECT_THAT(elements<float>(floats), ElementsAre(1.5f, -2.0f));

    const NpyArray fortran = read(kFortran);
    EXPECT_TRUE(fortran.fortran_order);
    EXPECT_EQ(fortran.layout(), Layout::F);
    EXPECT_THAT(fortran.shape, ElementsAre(2, 3));
    EXPECT_THAT(elements<int32_t>(fortran), ElementsAre(0, 3, 1, 4, 2, 5));

    EXPECT_THAT(elements<uint8_t>(read(kVersion2)), ElementsAre(1, 0));
    EXPECT_EQ(read(kVersion2).element, Type(Scalar::boolean));
    EXPECT_THAT(read(kVersion3).shape, ElementsAre(2, 1));
    EXPECT_THAT(read(kZeroDimensional).shape, ElementsAre());
    EXPECT_EQ(read(kZeroDimensional).size(), 1);
    EXPECT_EQ(read(kEmpty).size(), 0);
    EXPECT_EQ(read(kStates).element, Type::xoroshiro128p_state());
    EXPECT_THAT(elements<uint64_t>(read(kStates)), ElementsAre(1u, 2u));
}

TEST(Npy, WritesWhatNumPyWrites) {
    for (const std::string& file : {kFloats, kFortran, kZeroDimensional, kEmpty, kStates})
        EXPECT_EQ(format_npy(read(file)), file);
}

// Fields one behind the other, gaps without a name, dates.
TEST(Npy, KnowsRecordsAndTimes) {
    NpyArray array{datetime_type(kDays), false, {2}, std::string(16, 1)};
    EXPECT_EQ(read(format_npy(array)), array);
    const Type inner = Type::record({{"c", Scalar::int8, 0}, {"t", timedelta_type(kDays), 8}}, 16);
    array.element = Type::record({{"id", Scalar::int32, 0}, {"p", Scalar::int16, 8, {3}}, {"s", inner, 16}}, 32);
    array.bytes = std::string(64, 2);
    const std::string file = format_npy(array);
    EXPECT_THAT(file, HasSubstr("[('id', '<i4'), ('', '|V4'), ('p', '<i2', (3,)), ('', '|V2'), "
                                "('s', [('c', '|i1'), ('', '|V7'), ('t', '<m8[D]')])]"));
    EXPECT_EQ(read(file), array);
}

// Headers are Latin-1 before version 3, which has UTF-8: NumPy writes the older one where that has the letters.
TEST(Npy, ReadsNamesOfFieldsInBothEncodings) {
    NpyArray array{Type::record({{"\xC3\xA9", Scalar::int32, 0}}, 4), false, {2}, std::string(8, 1)};
    const std::string utf8 = format_npy(array);
    EXPECT_EQ(utf8[6], 3);
    EXPECT_EQ(read(utf8), array);
    const std::string header = "{'descr': [('\xE9', '<i4')], 'fortran_order': False, 'shape': (2,), }";
    const std::string latin1 =
        std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + array.bytes;
    EXPECT_EQ(read(latin1), array);
}

TEST(Npy, SaysWhyItCannotRead) {
    EXPECT_THAT(error_of(kBigEndian), HasSubstr("big-endian"));
    EXPECT_THAT(error_of(kComplex), HasSubstr("<c32"));
    EXPECT_THAT(error_of(""), HasSubstr("not a .npy file"));
    EXPECT_THAT(error_of("PK\003\004"), HasSubstr("not a .npy file"));
    std::string version = kFloats;
    version[6] = 9;
    EXPECT_THAT(error_of(version), HasSubstr("version 9"));
}

TEST(Npy, EveryTruncationIsAnError) {
    for (size_t size = 0; size < kFortran.size(); ++size) EXPECT_NE(error_of(kFortran.substr(0, size)), "") << size;
}

TEST(Npy, EveryChangedByteOfTheHeaderIsReadOrRefused) {
    for (size_t at = 0; at < 128; ++at)
        for (int c = 0; c < 256; ++c) {
            std::string file = kFortran;
            file[at] = static_cast<char>(c);
            const auto result = parse_npy(file);
            if (const auto* error = std::get_if<std::string>(&result)) {
                EXPECT_NE(*error, "") << at << ", " << c;
                continue;
            }
            const auto& array = std::get<NpyArray>(result);
            size_t bytes = 0;
            EXPECT_TRUE(checked_size(array.shape, array.element.byte_size(), bytes)) << at << ", " << c;
            EXPECT_EQ(array.bytes.size(), bytes) << at << ", " << c;
        }
}

TEST(Npy, RefusesSizesBeyondMemory) {
    for (const char* shape :
         {"(99999999999999999999,)", "(4611686018427387904, 4)", "(-1,)", "(2, 9223372036854775807)"}) {
        std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
        const std::string file = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header;
        EXPECT_NE(error_of(file), "") << shape;
    }
}

}  // namespace
}  // namespace pyk
