#include <cmath>
#include <cstring>
#include <sstream>

#include "case.h"
#include "types/small_float.h"

namespace pyk::run_cases {
namespace {

template <typename T>
std::vector<T> elements_as(const std::string& bytes) {
    std::vector<T> elements(bytes.size() / sizeof(T));
    std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
    return elements;
}

struct Tolerance {
    double rtol, atol;
};

// NaN equals NaN, and a zero has its sign, unless there is an absolute tolerance.
template <typename T>
bool agree(T got, T want, Tolerance tolerance) {
    if constexpr (!std::is_floating_point_v<T>) {
        return got == want;
    } else {
        if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
        if (got == want) return got != 0 || std::signbit(got) == std::signbit(want) || tolerance.atol > 0;
        if (std::isinf(got) || std::isinf(want)) return false;
        return std::abs(static_cast<double>(got) - want) <=
               tolerance.atol + tolerance.rtol * std::abs(static_cast<double>(want));
    }
}

template <typename T>
std::string difference(const std::string& got_bytes, const std::string& want_bytes, Tolerance tolerance) {
    const auto got = elements_as<T>(got_bytes), want = elements_as<T>(want_bytes);
    size_t count = 0, first = 0;
    for (size_t i = 0; i < want.size(); ++i)
        if (!agree(got[i], want[i], tolerance) && count++ == 0) first = i;
    if (count == 0) return "";
    std::ostringstream text;
    text.precision(17);
    text << count << " of " << want.size() << " differ, first at " << first << ": " << +got[first] << " instead of "
         << +want[first];
    return text.str();
}

std::string difference_of(Type element, const std::string& got, const std::string& want, Tolerance tolerance);

// The bytes of one field of each record.
std::string field_bytes(const Field& field, size_t record_size, const std::string& records) {
    std::string bytes;
    for (size_t at = 0; at < records.size(); at += record_size)
        bytes.append(records, at + field.offset, field.byte_size());
    return bytes;
}

std::string record_difference(Type record, const std::string& got, const std::string& want, Tolerance tolerance) {
    std::string text;
    for (const Field& field : record.fields()) {
        const std::string fault = difference_of(field.type, field_bytes(field, record.byte_size(), got),
                                                field_bytes(field, record.byte_size(), want), tolerance);
        if (!fault.empty()) text += field.name + ": " + fault + " ";
    }
    return text;
}

std::string widened(const std::string& bytes, Type type) {
    std::string wide;
    for (const uint16_t bits : elements_as<uint16_t>(bytes)) {
        const double value = small_float_value(bits, type);
        wide.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return wide;
}

std::string difference_of(Type element, const std::string& got, const std::string& want, Tolerance tolerance) {
    if (got.size() != want.size()) return "the sizes differ";
    if (element.is_record()) return record_difference(element, got, want, tolerance);
    if (element.is_text()) return difference<uint8_t>(got, want, tolerance);
    switch (element.scalar()) {
        case Scalar::boolean:
        case Scalar::uint8:
            return difference<uint8_t>(got, want, tolerance);
        case Scalar::int8:
            return difference<int8_t>(got, want, tolerance);
        case Scalar::int16:
            return difference<int16_t>(got, want, tolerance);
        case Scalar::int32:
            return difference<int32_t>(got, want, tolerance);
        case Scalar::int64:
            return difference<int64_t>(got, want, tolerance);
        case Scalar::uint16:
            return difference<uint16_t>(got, want, tolerance);
        case Scalar::uint32:
            return difference<uint32_t>(got, want, tolerance);
        case Scalar::uint64:
            return difference<uint64_t>(got, want, tolerance);
        case Scalar::float16:
        case Scalar::bfloat16:
            return difference<double>(widened(got, element), widened(want, element), tolerance);
        case Scalar::float32:
        case Scalar::complex64:  // part by part
            return difference<float>(got, want, tolerance);
        case Scalar::float64:
        case Scalar::complex128:
            return difference<double>(got, want, tolerance);
    }
    return {};
}

}  // namespace

std::string differences(const Case& before, const std::vector<Argument>& after) {
    std::string text;
    for (size_t i = 0; i < after.size(); ++i) {
        if (!after[i].type.is_array() || before.is_repeated[i]) continue;
        const auto found = before.expected.find(i);
        const bool is_expected = found != before.expected.end();
        const Array& want = is_expected ? found->second : before.args[i].array;
        const Tolerance tolerance = is_expected ? Tolerance{before.rtol, before.atol} : Tolerance{0, 0};
        const std::string fault =
            difference_of(after[i].array.element, after[i].array.gathered(), want.gathered(), tolerance);
        if (!fault.empty())
            text +=
                "argument " + std::to_string(i) + ": " + fault + (is_expected ? "\n" : " (it must stay as it was)\n");
    }
    return text;
}

}  // namespace pyk::run_cases
