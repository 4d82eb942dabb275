#include "value.h"

#include <complex>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "types/none.h"
#include "types/signature.h"
#include "types/small_float.h"
#include "xoroshiro.h"

namespace pyk::run_cases {
namespace {

using nlohmann::json;

double float_of(const json& value) {
    if (!value.is_string()) return value.get<double>();
    const std::string text = value;
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    return text == "inf" ? infinity : -infinity;
}

template <typename T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
constexpr bool is_complex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// The compiler's own 16-bit floats, which its tests hold against NumPy's.
template <Scalar type>
struct Small {
    uint16_t bits = 0;

    Small() = default;
    template <typename T>
    explicit Small(T value) : bits(small_float_bits(static_cast<double>(value), type)) {}
    template <typename T>
    explicit operator T() const {
        return static_cast<T>(small_float_value(bits, type));
    }
    bool operator!=(Small other) const { return static_cast<double>(*this) != static_cast<double>(other); }
};
template <typename T>
constexpr bool is_small = std::is_same_v<T, Small<Scalar::float16>> || std::is_same_v<T, Small<Scalar::bfloat16>>;

// Calls `use` with a value of the scalar's C++ type: a boolean's is a byte.
template <typename Use>
auto with_type(Scalar scalar, Use use) {
    switch (scalar) {
        case Scalar::int8:
            return use(int8_t{});
        case Scalar::int16:
            return use(int16_t{});
        case Scalar::int32:
            return use(int32_t{});
        case Scalar::int64:
            return use(int64_t{});
        case Scalar::boolean:
        case Scalar::uint8:
            return use(uint8_t{});
        case Scalar::uint16:
            return use(uint16_t{});
        case Scalar::uint32:
            return use(uint32_t{});
        case Scalar::uint64:
            return use(uint64_t{});
        case Scalar::float32:
            return use(float{});
        case Scalar::float16:
            return use(Small<Scalar::float16>{});
        case Scalar::bfloat16:
            return use(Small<Scalar::bfloat16>{});
        case Scalar::complex64:
            return use(std::complex<float>{});
        case Scalar::complex128:
            return use(std::complex<double>{});
        case Scalar::float64:
            break;
    }
    return use(double{});
}

void append_value(std::string& bytes, const json& value, Scalar type) {
    with_type(type, [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_floating_point_v<T> || is_small<T>)
            append(bytes, static_cast<T>(float_of(value)));
        else if constexpr (is_complex<T>)
            for (const json& part : value) append(bytes, static_cast<typename T::value_type>(float_of(part)));
        else
            append(bytes, value.get<T>());
    });
}

std::string cast(const std::string& bytes, Scalar from, Scalar to) {
    return with_type(from, [&](auto value) {
        std::memcpy(&value, bytes.data(), sizeof value);
        return with_type(to, [&](auto result) {
            using From = decltype(value);
            using To = decltype(result);
            if constexpr (is_complex<From> && !is_complex<To>)
                throw std::runtime_error("a complex argument of a real parameter");
            else if constexpr (is_complex<To> && !is_complex<From>)
                result = static_cast<typename To::value_type>(static_cast<double>(value));
            else
                result = to == Scalar::boolean ? static_cast<To>(value != From{}) : static_cast<To>(value);
            return std::string(reinterpret_cast<const char*>(&result), sizeof result);
        });
    });
}

Type element_type(const json& dtype) {
    if (dtype.is_string()) {
        SignatureError error{};
        const std::string name = dtype;
        const auto type = parse_type(name, error);
        if (!type || !type->is_element()) throw std::runtime_error("unknown dtype " + name);
        return *type;
    }
    std::vector<Field> fields;
    for (const json& field : dtype.at("fields"))
        fields.push_back({field.at(0), element_type(field.at(1)), field.at(2),
                          field.size() > 3 ? field.at(3).get<std::vector<int64_t>>() : std::vector<int64_t>()});
    return Type::record(std::move(fields), dtype.at("itemsize"));
}

// A value of a type: of records the fields at their places, with zeros between them.
void append_typed(std::string& bytes, const json& value, Type type, size_t axes = 0) {
    if (axes > 0) {
        for (const json& item : value) append_typed(bytes, item, type, axes - 1);
        return;
    }
    const size_t start = bytes.size();
    if (type.is_text()) {
        const Scalar character = type.element().scalar();
        for (const json& code : value) append_value(bytes, code, character);
        bytes.resize(start + type.byte_size());
        return;
    }
    if (!type.is_record()) return append_value(bytes, value, type.scalar());
    for (size_t i = 0; i < value.size(); ++i) {
        const Field& field = type.fields()[i];
        bytes.resize(start + field.offset);
        append_typed(bytes, value[i], field.type, field.shape.size());
    }
    bytes.resize(start + type.byte_size());
}

std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape, size_t element_size, Layout layout) {
    std::vector<int64_t> strides(shape.size());
    auto next = static_cast<int64_t>(element_size) * (layout == Layout::A ? 2 : 1);
    for (size_t i = 0; i < shape.size(); ++i) {
        const size_t axis = layout == Layout::F ? i : shape.size() - 1 - i;
        strides[axis] = next;
        next *= shape[axis];
    }
    return strides;
}

// The C-order bytes put where the strides say. Gaps are zero.
std::string scattered(const Array& array, const std::string& elements, size_t total) {
    const size_t size = array.element.byte_size();
    std::string bytes(total, '\0');
    std::vector<int64_t> index(array.shape.size(), 0);
    for (size_t from = 0; from < elements.size(); from += size) {
        const auto to = std::inner_product(index.begin(), index.end(), array.strides.begin(), int64_t{0});
        std::memcpy(&bytes[static_cast<size_t>(to)], &elements[from], size);
        for (size_t axis = index.size(); axis-- > 0 && ++index[axis] == array.shape[axis];) index[axis] = 0;
    }
    return bytes;
}

// Layout A is what `wide[..., ::2]` is: every other element of an array with a last axis twice as long.
Array laid_out(Type element, std::vector<int64_t> shape, const std::string& elements, Layout layout) {
    Array array{element, std::move(shape), {}, nullptr};
    array.strides = contiguous_strides(array.shape, element.byte_size(), layout);
    const size_t total = elements.size() * (layout == Layout::A ? 2 : 1);
    array.bytes = std::make_shared<std::string>(scattered(array, elements, total));
    return array;
}

std::string values_of(const json& spec) {
    std::string elements;
    for (const json& value : spec.at("values")) append_typed(elements, value, element_type(spec.at("dtype")));
    return elements;
}

Argument array_argument(Array array, Layout layout) {
    Argument argument;
    argument.type = Type::array(array.element, static_cast<int>(array.shape.size()), layout);
    argument.array = std::move(array);
    return argument;
}

Argument read_states(const json& spec) {
    const size_t count = spec.at("n");
    const std::string states = xoroshiro_states(count, spec.at("seed"), spec.value("subsequence_start", uint64_t{0}));
    return array_argument(laid_out(Type::xoroshiro128p_state(), {static_cast<int64_t>(count)}, states, Layout::C),
                          Layout::C);
}

Argument read_tuple(const json& specs, const std::vector<Argument>& before) {
    Argument argument;
    std::vector<Type> types;
    for (const json& spec : specs) {
        argument.elements.push_back(read_argument(spec, before));
        Type& type = argument.elements.back().type;
        if (type.is_none()) type = none_value();
        types.push_back(type);
    }
    argument.type = Type::tuple(types);
    return argument;
}

Layout read_layout(const json& spec) {
    const std::string letter = spec.value("layout", "C");
    if (letter == "A") return Layout::A;
    return letter == "F" && spec.at("shape").size() > 1 ? Layout::F : Layout::C;
}

// --- packing ----------------------------------------------------------------------------------------------------

class Packer {
  public:
    explicit Packer(const AddressOf& address) : address_(address) {}

    void add(const Argument& argument) {
        if (argument.type.is_none()) return;
        align(alignment_of(argument));
        if (argument.type.is_tuple())
            add_tuple(argument);
        else if (argument.type.is_array())
            add_array(argument);
        else
            bytes_ += argument.scalar;
    }

    std::string bytes() && { return std::move(bytes_); }

  private:
    static size_t alignment_of(const Argument& argument) {
        if (argument.type.is_array()) return 8;
        if (argument.type.is_none()) return 1;
        if (!argument.type.is_tuple()) return argument.type.alignment();
        size_t alignment = 1;
        for (const Argument& element : argument.elements) alignment = std::max(alignment, alignment_of(element));
        return alignment;
    }

    void align(size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }

    void add_tuple(const Argument& argument) {
        for (const Argument& element : argument.elements) add(element);
        if (argument.elements.empty()) bytes_ += '\0';  // C++ has no objects without a size
        align(alignment_of(argument));
    }

    void add_array(const Argument& argument) {
        append(bytes_, address_(argument.array));
        for (const int64_t extent : argument.array.shape) append(bytes_, extent);
        if (argument.type.layout() != Layout::A) return;
        for (const int64_t stride : argument.array.strides) append(bytes_, stride);
    }

    const AddressOf& address_;
    std::string bytes_;
};

}  // namespace

int64_t Array::size() const { return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()); }

std::string Array::gathered() const {
    const size_t step = element.byte_size();
    std::string elements(static_cast<size_t>(size()) * step, '\0');
    std::vector<int64_t> index(shape.size(), 0);
    for (size_t to = 0; to < elements.size(); to += step) {
        const auto from = std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
        std::memcpy(&elements[to], bytes->data() + from, step);
        for (size_t axis = index.size(); axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
    }
    return elements;
}

void convert(Argument& argument, Type type) {
    if (type.is_scalar()) argument.scalar = cast(argument.scalar, argument.type.scalar(), type.scalar());
    argument.type = type;
}

Array read_array(const json& spec) {
    return laid_out(element_type(spec.at("dtype")), spec.at("shape").get<std::vector<int64_t>>(), values_of(spec),
                    Layout::C);
}

Argument read_argument(const json& spec, const std::vector<Argument>& before) {
    if (spec.contains("same_as")) return before.at(spec["same_as"]);
    if (spec.contains("tuple")) return read_tuple(spec["tuple"], before);
    if (spec.contains("xoroshiro")) return read_states(spec["xoroshiro"]);
    if (spec.contains("scalar")) {
        Argument argument;
        argument.type = element_type(spec["dtype"]);
        append_typed(argument.scalar, spec["scalar"], argument.type);
        return argument;
    }
    if (spec.contains("none")) {
        Argument argument;
        argument.type = Type::none();
        return argument;
    }
    const Layout layout = read_layout(spec);
    return array_argument(
        laid_out(element_type(spec.at("dtype")), spec.at("shape").get<std::vector<int64_t>>(), values_of(spec), layout),
        layout);
}

std::string pack(const std::vector<Argument>& args, const AddressOf& address) {
    Packer packer(address);
    for (const Argument& argument : args) packer.add(argument);
    return std::move(packer).bytes();
}

}  // namespace pyk::run_cases
