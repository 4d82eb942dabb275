#include "emit/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "emit/cpp_types.h"
#include "emit/lines.h"
#include "emit/text.h"
#include "support/fault.h"

namespace pyk::emitter {
namespace {

template <typename T>
T load(const unsigned char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// As a constant expression, which infinities and NaNs of the prelude are not.
std::string float_text(double value, Type type) {
    if (std::isfinite(value)) return literal(value, type).text;
    if (type.bits() == 32)
        return fmt::format("__builtin_bit_cast(float, 0x{:08x})", std::bit_cast<uint32_t>(static_cast<float>(value)));
    return fmt::format("__builtin_bit_cast(double, 0x{:016x})", std::bit_cast<uint64_t>(value));
}

/// Without a suffix where C++ finds a type for the digits alone.
std::string integer_text(const unsigned char* at, Type type, bool is_hex) {
    uint64_t bits = 0;
    std::memcpy(&bits, at, type.byte_size());
    const ir::ConstantValue value = ir::integer_constant(bits, type);
    const auto* number = std::get_if<uint64_t>(&value);
    const int64_t plain = number ? static_cast<int64_t>(*number) : std::get<int64_t>(value);
    if (is_hex && (number || plain >= 0)) return fmt::format("0x{:x}", bits);
    const bool needs_more = number ? plain < 0 : plain == std::numeric_limits<int64_t>::min();
    return needs_more ? literal(value, type).text : fmt::format("{}", plain);
}

std::string bytes_text(const unsigned char* at, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i ? ", " : "", at[i]);
    return "{{" + text + "}}";
}

std::string value_text(const unsigned char* at, Type type, bool is_hex = false);

std::string field_text(const unsigned char* at, const Field& field, bool is_packed, size_t axis) {
    const size_t bytes = field.type.byte_size();
    if (axis == field.shape.size())
        return is_packed && !field.type.is_record() && field.type.alignment() > 1 ? bytes_text(at, bytes)
                                                                                  : value_text(at, field.type);
    size_t step = bytes;
    for (size_t i = axis + 1; i < field.shape.size(); ++i) step *= static_cast<size_t>(field.shape[i]);
    std::string text;
    for (int64_t i = 0; i < field.shape[axis]; ++i)
        text += (i ? ", " : "") + field_text(at + static_cast<size_t>(i) * step, field, is_packed, axis + 1);
    return "{" + text + "}";
}

/// Members in order, those that only fill gaps as well: where struct_text puts them.
std::string record_text(const unsigned char* at, Type type) {
    std::string text;
    size_t end = 0;
    for (const Field& field : type.fields()) {
        const size_t alignment = type.aligned() ? field.type.alignment() : 1;
        const bool has_gap = (end + alignment - 1) / alignment * alignment != field.offset;
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", has_gap ? "{}, " : "",
                            field_text(at + field.offset, field, !type.aligned(), 0));
        end = field.offset + field.byte_size();
    }
    return "{" + text + "}";
}

std::string value_text(const unsigned char* at, Type type, bool is_hex) {
    if (type.is_record()) return record_text(at, type);
    if (type.is_distinct()) type = type.scalar();
    if (type.is_boolean()) return *at ? "true" : "false";
    if (type.is_integer()) return integer_text(at, type, is_hex);
    if (type.is_small_float()) return fmt::format("{}::of(0x{:04x})", scalar_name(type), load<uint16_t>(at));
    if (type.is(Scalar::float32)) return float_text(load<float>(at), type);
    if (type.is(Scalar::float64)) return float_text(load<double>(at), type);
    if (type.is_text()) {
        std::string codes;
        const size_t bytes = type.element().byte_size();
        for (size_t i = 0; i < type.count(); ++i)
            codes += (i ? ", " : "") + character(bytes == 1 ? at[i] : load<uint32_t>(at + i * bytes), type.element());
        return fmt::format("{{{{{}}}}}", codes);
    }
    if (type.is_complex()) {
        const Type part = type.component();
        return fmt::format("{{{}, {}}}", value_text(at, part), value_text(at + part.byte_size(), part));
    }
    internal_error("a table of " + type.name());
}

/// The table's axes from the outermost C++ one to the innermost, with the bytes between their elements.
struct Axis {
    int64_t extent;
    size_t step;
};

std::vector<Axis> axes_of(const ir::ModuleConstant& constant) {
    std::vector<Axis> axes;
    size_t step = constant.type.element().byte_size();
    for (size_t i = constant.table->shape.size(); i-- > 0; step *= static_cast<size_t>(constant.table->shape[i]))
        axes.push_back({constant.table->shape[i], step});
    if (constant.type.layout() == Layout::C) std::ranges::reverse(axes);
    return axes;
}

std::string nested_text(const unsigned char* at, Type element, std::span<const Axis> axes, size_t depth, bool is_hex) {
    if (axes.empty()) return value_text(at, element, is_hex);
    std::string text;
    const bool is_row = axes.size() == 1;
    const std::string separator = is_row ? std::string(kListBreak) : ",\n" + std::string(4 * (depth + 1), ' ');
    for (int64_t i = 0; i < axes[0].extent; ++i) {
        const unsigned char* next = at + static_cast<size_t>(i) * axes[0].step;
        text += (i ? separator : "") + (is_row ? value_text(next, element, is_hex)
                                               : nested_text(next, element, axes.subspan(1), depth + 1, is_hex));
    }
    if (is_row) return "{" + text + "}";
    const std::string indent(4 * depth, ' ');
    return fmt::format("{{\n{}    {}}}", indent, text);
}

/// The author wrote each of its numbers so.
bool is_written_in_hex(const ir::ModuleConstant& constant) {
    if (!constant.span || !constant.type.element().is_integer()) return false;
    // The span may be its name alone.
    const std::string_view text = constant.span.file->text().substr(constant.span.begin);
    size_t count = 0;
    int depth = 0;
    for (size_t at = 0; at < text.size() && (text[at] != '\n' || depth > 0); ++at) {
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        count += text.substr(at, 2) == "0x";
    }
    return count * constant.type.element().byte_size() >= constant.table->bytes.size();
}

std::string table_text(const TypeNames& types, const ir::ModuleConstant& constant, const std::string& name,
                       std::string_view memory) {
    const std::vector<Axis> axes = axes_of(constant);
    std::string extents;
    for (const Axis& axis : axes) extents += fmt::format("[{}]", axis.extent);
    const auto& bytes = constant.table->bytes;
    const bool is_zero = std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0; });
    return fmt::format(
        "{}{} {}{} = {};", memory, types.name(constant.type.element()), name, extents,
        is_zero ? "{}" : nested_text(bytes.data(), constant.type.element(), axes, 0, is_written_in_hex(constant)));
}

}  // namespace

std::vector<std::string> table_texts(const ModuleScope& scope) {
    const ir::Module& module = scope.module;
    const Target& target = scope.target;
    // Constant memory is for those that ask for it, and for others while they fit.
    size_t used = 0;
    for (const ir::ModuleConstant& constant : module.constants)
        if (constant.in_constant_memory) used += constant.table->bytes.size();
    std::vector<std::string> texts;
    for (size_t i = 0; i < module.constants.size(); ++i) {
        const ir::ModuleConstant& constant = module.constants[i];
        if (!constant.table || constant.table->bytes.empty()) continue;
        const size_t bytes = (constant.table->bytes.size() + 15) / 16 * 16;
        const bool fits = constant.in_constant_memory || used + bytes <= target.constant_memory;
        if (fits && !constant.in_constant_memory) used += bytes;
        texts.push_back(
            table_text(scope.types, constant, scope.constants[i], fits ? target.constant_table : target.global_table));
    }
    return texts;
}

}  // namespace pyk::emitter
