#include "driver/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include "driver/cli/failure.h"
#include "driver/cli/random.h"
#include "driver/cli/values.h"
#include "support/files.h"
#include "support/words.h"
#include "types/none.h"

namespace pyk {
namespace {

using Parts = std::vector<std::string_view>;

Parts split(std::string_view text, char separator) {
    Parts parts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// Widths in bits here, unlike NumPy's codes: `i8` is int8.
std::string type_code(const ScalarInfo& row) {
    if (row.kind == ScalarKind::boolean) return "bool";
    const std::string letter = row.scalar == Scalar::bfloat16 ? "bf" : std::string(row.code.substr(0, 1));
    return letter + std::to_string(row.bits);
}

std::optional<Scalar> find_type(std::string_view text) {
    for (const ScalarInfo& row : all_scalars())
        if (text == row.name || text == type_code(row)) return row.scalar;
    return std::nullopt;
}

// One value of an ARG; `whole` is the ARG's text for messages.
class ValueReader {
  public:
    ValueReader(std::string_view whole, uint64_t default_seed) : whole_(whole), default_seed_(default_seed) {}

    RunValue read(std::string_view text) const;

    // The forms.
    NpyArray zeros(const Parts& parts) const { return constant(type(parts[1]), parts[2], "0"); }
    NpyArray ones(const Parts& parts) const { return constant(type(parts[1]), parts[2], "1"); }
    NpyArray full(const Parts& parts) const { return constant(type(parts[1]), parts[2], parts[3]); }

    NpyArray arange(const Parts& parts) const {
        const Scalar scalar = type(parts[1]);
        return filled(scalar, parts[2], [&](int64_t i) { return number(std::to_string(i), scalar); });
    }

    NpyArray random(const Parts& parts) const {
        const Scalar scalar = type(parts[1]);
        Xoroshiro128p generator(parts.size() == 4 ? unsigned_number(parts[3]) : default_seed_);
        return filled(scalar, parts[2], [&, kind = info(scalar).kind](int64_t) -> ConstantValue {
            switch (kind) {
                case ScalarKind::boolean:
                    return generator.next() >> 63 != 0;
                case ScalarKind::signed_int:
                    return static_cast<int64_t>(generator.uniform() * 100);
                case ScalarKind::unsigned_int:
                    return static_cast<uint64_t>(generator.uniform() * 100);
                // Few bits: rounding must not give 1.
                case ScalarKind::complex:
                    return generator.uniform();
                case ScalarKind::floating:
                    if (info(scalar).bits == 16) return static_cast<double>(generator.next() >> 56) * 0x1p-8;
                    return info(scalar).bits == 64 ? generator.uniform()
                                                   : static_cast<double>(generator.next() >> 40) * 0x1p-24;
            }
            return 0.0;
        });
    }

    NpyArray states(const Parts& parts) const {
        NpyArray array = empty(Type::xoroshiro128p_state(), parts[1]);
        if (array.shape.size() != 1) fail("states are counted by one number");
        const auto generators =
            create_states(static_cast<size_t>(array.shape[0]), parts.size() == 3 ? unsigned_number(parts[2]) : 0);
        array.bytes.assign(reinterpret_cast<const char*>(generators.data()), generators.size() * sizeof(Xoroshiro128p));
        return array;
    }

  private:
    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
        throw UsageError(fmt::format("argument `{}`: {}", whole_, fmt::format(format, std::forward<Args>(args)...)));
    }

    /// What stands in brackets may be left out.
    void expect_parts(const Parts& parts, std::string_view form) const {
        const auto parts_of = [](std::string_view text) { return 1 + std::ranges::count(text, ':'); };
        const auto count = static_cast<std::ptrdiff_t>(parts.size());
        if (count < parts_of(form.substr(0, form.find('['))) || count > parts_of(form)) fail("the form is `{}`", form);
    }

    Scalar type(std::string_view text) const {
        const std::optional<Scalar> found = find_type(text);
        if (!found) fail("there is no type `{}`; the types are {}", text, fmt::join(type_codes(), ", "));
        return *found;
    }

    ConstantValue number(std::string_view text, Scalar to) const {
        const std::optional<ConstantValue> value = parse_number(text);
        if (!value && parse_complex(text)) fail("{} is a complex number, which {} does not hold", text, info(to).name);
        if (!value) fail("`{}` is not a number", text);
        const std::optional<ConstantValue> converted = convert_number(*value, to);
        if (!converted) fail("{} does not fit {}", text, info(to).name);
        return *converted;
    }

    uint64_t unsigned_number(std::string_view text) const { return std::get<uint64_t>(number(text, Scalar::uint64)); }

    ScalarArgument plain(std::string_view text) const {
        const std::optional<ConstantValue> value = parse_number(text);
        if (const auto z = parse_complex(text)) return {Scalar::complex128, z->real(), z->imag()};
        if (!value) fail("`{}` is neither a number nor a tuple, None, a .npy file or TYPE:VALUE", text);
        constexpr Scalar types[] = {Scalar::boolean, Scalar::int64, Scalar::uint64, Scalar::float64};
        return {types[value->index()], *value};
    }

    ScalarArgument typed(Scalar scalar, std::string_view text) const {
        const auto z = info(scalar).kind == ScalarKind::complex ? parse_complex(text) : std::nullopt;
        if (z) return {scalar, z->real(), z->imag()};
        return {scalar, number(text, scalar)};
    }

    RunValue single(std::string_view text) const {
        const size_t colon = text.find(':');
        return colon == text.npos ? plain(text) : typed(type(text.substr(0, colon)), text.substr(colon + 1));
    }

    /// What is between the brackets of a tuple; `(x)` is x.
    RunValue in_brackets(std::string_view text) const {
        std::vector<RunValue> items;
        bool has_comma = false;
        while (!trimmed(text).empty()) {
            const size_t end = end_of_item(text);
            items.push_back(item(trimmed(text.substr(0, end))));
            has_comma |= end < text.size();
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (items.empty()) fail("an empty tuple has nothing to pass");
        return has_comma ? tuple(items) : items[0];
    }
    RunValue item(std::string_view text) const {
        if (text.empty()) fail("between two commas nothing is given");
        if (is_in_brackets(text)) return in_brackets(text.substr(1, text.size() - 2));
        if (is_none(text)) return NoneArgument();
        if (text.ends_with(".npy") || std::ranges::count(text, ':') > 1)
            fail("a tuple holds numbers, None and tuples, not `{}`", text);
        return single(text);
    }
    static bool is_none(std::string_view text) { return text == "None" || text == "none"; }
    static bool is_in_brackets(std::string_view text) { return text.starts_with('(') && text.ends_with(')'); }
    static std::string_view trimmed(std::string_view text) {
        const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
        return begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
    }
    /// The comma behind the first item.
    size_t end_of_item(std::string_view text) const {
        int depth = 0;
        for (size_t i = 0; i < text.size(); ++i) {
            if (text[i] == ',' && depth == 0) return i;
            depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
            if (depth < 0) break;
        }
        if (depth != 0) fail("a bracket has no other one");
        return text.size();
    }

    static TupleArgument tuple(const std::vector<RunValue>& items) {
        TupleArgument whole;
        std::vector<Type> types;
        const auto fill_to = [&](size_t alignment) {
            whole.bytes.resize((whole.bytes.size() + alignment - 1) / alignment * alignment);
            whole.alignment = std::max(whole.alignment, alignment);
        };
        for (const RunValue& item : items)
            if (const auto* number = std::get_if<ScalarArgument>(&item)) {
                fill_to(number->type.alignment());
                append_bytes(whole.bytes, number->value, number->type.scalar(), number->imaginary);
                types.push_back(number->type);
            } else if (std::holds_alternative<NoneArgument>(item)) {
                whole.bytes += '\0';
                types.push_back(none_value());
            } else {
                const auto& part = std::get<TupleArgument>(item);
                fill_to(part.alignment);
                whole.bytes += part.bytes;
                types.push_back(part.type);
            }
        fill_to(whole.alignment);
        whole.type = Type::tuple(std::move(types));
        return whole;
    }

    NpyArray file(const std::string& path) const {
        std::string bytes;
        if (!read_file(path, bytes))
            throw InputOutputError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
        auto array = parse_npy(bytes);
        if (const std::string* error = std::get_if<std::string>(&array))
            throw InputOutputError(fmt::format("{}: {}", path, *error));
        return std::get<NpyArray>(std::move(array));
    }

    NpyArray empty(Type element, std::string_view shape) const {
        NpyArray array{element, false, {}, {}};
        for (const std::string_view extent : split(shape, 'x'))
            array.shape.push_back(std::get<int64_t>(number(extent, Scalar::int64)));
        size_t bytes = 0;
        if (!checked_size(array.shape, element.byte_size(), bytes))
            fail("`{}` is not a shape that memory can hold", shape);
        array.bytes.reserve(bytes);
        return array;
    }

    NpyArray filled(Scalar scalar, std::string_view shape, const std::function<ConstantValue(int64_t)>& element) const {
        NpyArray array = empty(scalar, shape);
        const int64_t count = array.size();
        for (int64_t i = 0; i < count; ++i) append_bytes(array.bytes, element(i), scalar);
        return array;
    }

    NpyArray constant(Scalar scalar, std::string_view shape, std::string_view value) const {
        const ScalarArgument element = typed(scalar, value);
        NpyArray array = empty(scalar, shape);
        const int64_t count = array.size();
        for (int64_t i = 0; i < count; ++i) append_bytes(array.bytes, element.value, scalar, element.imaginary);
        return array;
    }

    std::string_view whole_;
    uint64_t default_seed_;
};

constexpr struct {
    ArrayForm form;
    NpyArray (ValueReader::*read)(const Parts&) const;
} kForms[] = {
    {{"zeros:TYPE:SHAPE", "all 0"}, &ValueReader::zeros},
    {{"ones:TYPE:SHAPE", "all 1"}, &ValueReader::ones},
    {{"full:TYPE:SHAPE:VALUE", "all VALUE"}, &ValueReader::full},
    {{"arange:TYPE:SHAPE", "0, 1, 2 …"}, &ValueReader::arange},
    {{"rand:TYPE:SHAPE[:SEED]", "uniform in [0, 1); integers from 0 to 99"}, &ValueReader::random},
    {{"xoroshiro:COUNT[:SEED]", "states of numba.cuda.random"}, &ValueReader::states},
};

RunValue ValueReader::read(std::string_view text) const {
    if (text.ends_with(".npy")) return file(std::string(text));
    if (is_none(text)) return NoneArgument();
    if (is_in_brackets(text)) return item(text);
    const Parts parts = split(text, ':');
    if (parts.size() == 1) return plain(text);
    std::vector<std::string_view> names;
    for (const auto& [form, read] : kForms) {
        names.push_back(form.name());
        if (parts[0] != form.name()) continue;
        expect_parts(parts, form.form);
        return (this->*read)(parts);
    }
    if (parts.size() == 2 && find_type(parts[0])) return typed(type(parts[0]), parts[1]);
    fail("`{}` is neither a number, a type, a .npy file nor one of {}", parts[0], fmt::join(names, ", "));
}

}  // namespace

std::vector<ArrayForm> array_forms() {
    std::vector<ArrayForm> forms;
    for (const auto& row : kForms) forms.push_back(row.form);
    return forms;
}

std::vector<std::string> type_codes() {
    std::vector<std::string> codes;
    for (const ScalarInfo& row : all_scalars()) codes.push_back(type_code(row));
    return codes;
}

RunArgument parse_argument(const std::string& text, uint64_t default_seed) {
    const size_t equals = text.find('=');
    std::string name = text.substr(0, equals == std::string::npos ? 0 : equals);
    // `=-1` is a number without a name, which is no option either.
    const bool is_after_equals = equals == 0 || is_identifier(name, is_of_name);
    const std::string_view value = std::string_view(text).substr(is_after_equals ? equals + 1 : 0);
    return {text, is_after_equals ? std::move(name) : "", ValueReader(text, default_seed).read(value)};
}

}  // namespace pyk
