#include "described.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "real_text.h"

namespace pyk {
namespace {

struct Scalar {
    std::string_view code, name;
    std::size_t size;
    char kind;  // b, i, u, f
};
constexpr Scalar kScalars[] = {{"b1", "boolean", 1, 'b'}, {"i1", "int8", 1, 'i'},   {"i2", "int16", 2, 'i'},
                               {"i4", "int32", 4, 'i'},   {"i8", "int64", 8, 'i'},  {"u1", "uint8", 1, 'u'},
                               {"u2", "uint16", 2, 'u'},  {"u4", "uint32", 4, 'u'}, {"u8", "uint64", 8, 'u'},
                               {"f4", "float32", 4, 'f'}, {"f8", "float64", 8, 'f'}};

const Scalar* scalar_of(std::string_view code) {
    for (const Scalar& row : kScalars)
        if (row.code == code) return &row;
    return nullptr;
}

/// A parameter's code: `f4`, or `a1f4c` for an array.
struct Code {
    const Scalar* element;
    int ndim = 0;
    bool is_strided = false;

    std::size_t alignment() const { return ndim ? 8 : element->size; }
    std::size_t size() const {
        return ndim ? 8 + 8u * static_cast<unsigned>(ndim) * (is_strided ? 2 : 1) : element->size;
    }
};

std::optional<Code> code_of(std::string_view text) {
    if (const Scalar* scalar = scalar_of(text)) return Code{scalar};
    if (text.size() < 5 || text[0] != 'a' || text[1] < '1' || text[1] > '8') return std::nullopt;
    std::string_view rest = text.substr(2);
    if (rest.back() == 'r') rest.remove_suffix(1);
    const char layout = rest.back();
    const Scalar* scalar = scalar_of(rest.substr(0, rest.size() - 1));
    if (!scalar || (layout != 'c' && layout != 'f' && layout != 'a')) return std::nullopt;
    return Code{scalar, text[1] - '0', layout == 'a'};
}

std::size_t packed_size(const std::vector<Code>& codes) {
    std::size_t at = 0;
    for (const Code& code : codes) at = (at + code.alignment() - 1) / code.alignment() * code.alignment() + code.size();
    return at;
}

// The words at the symbol's end that are codes and together as large as the arguments: a kernel's name may end like a
// code, and of some types there is none here.
std::optional<std::vector<Code>> codes_in(std::string_view symbol, std::size_t size) {
    std::vector<Code> codes;
    for (std::size_t at = symbol.rfind('_'); packed_size(codes) != size; at = symbol.rfind('_', at - 1)) {
        if (at == std::string_view::npos || at == 0) return std::nullopt;
        const auto code = code_of(symbol.substr(at + 1));
        if (!code) return std::nullopt;
        codes.insert(codes.begin(), *code);
        symbol = symbol.substr(0, at);
    }
    return codes;
}

class Reader {
  public:
    Reader(const unsigned char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

    template <class T>
    std::optional<T> take() {
        at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        if (at_ + sizeof(T) > size_) return std::nullopt;
        T value;
        std::memcpy(&value, bytes_ + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }

    std::optional<std::string> scalar(const Scalar& type) {
        switch (type.kind) {
            case 'b':
                return text(take<unsigned char>());
            case 'i':
                return type.size == 1   ? text(take<signed char>())
                       : type.size == 2 ? text(take<short>())
                       : type.size == 4 ? text(take<int>())
                                        : text(take<long long>());
            case 'u':
                return type.size == 1   ? text(take<unsigned char>())
                       : type.size == 2 ? text(take<unsigned short>())
                       : type.size == 4 ? text(take<unsigned>())
                                        : text(take<unsigned long long>());
            default:
                return type.size == 4 ? real(take<float>()) : real(take<double>());
        }
    }

    std::optional<std::string> array(const Code& code) {
        const auto data = take<std::uintptr_t>();
        std::string shape;
        for (int axis = 0; axis < code.ndim; ++axis) {
            const auto extent = take<long long>();
            if (!extent) return std::nullopt;
            shape += (axis ? ", " : "") + std::to_string(*extent);
        }
        for (int axis = 0; code.is_strided && axis < code.ndim; ++axis) take<long long>();
        char address[24];
        std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(*data));
        return std::string(code.element->name) + "[" + shape + "] at " + address;
    }

  private:
    template <class T>
    static std::optional<std::string> text(std::optional<T> value) {
        return value ? std::optional(std::to_string(*value)) : std::nullopt;
    }
    template <class T>
    static std::optional<std::string> real(std::optional<T> value) {
        if (!value) return std::nullopt;
        return real_text(static_cast<double>(*value), sizeof(T) == 4 ? 9 : 17);
    }

    const unsigned char* bytes_;
    std::size_t size_;
    std::size_t at_ = 0;
};

}  // namespace

std::string described(std::string_view symbol, const unsigned char* args, std::size_t kept, std::size_t size) {
    const auto codes = codes_in(symbol, size);
    if (!codes) return std::string(symbol) + "(…)";
    Reader reader(args, kept);
    std::string text;
    for (const Code& code : *codes) {
        const auto argument = code.ndim ? reader.array(code) : reader.scalar(*code.element);
        text += (text.empty() ? "" : ", ") + argument.value_or("…");
        if (!argument) break;
    }
    return std::string(symbol) + "(" + text + ")";
}

}  // namespace pyk
