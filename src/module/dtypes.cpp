// Structured dtypes as NumPy and Numba declare them: `np.dtype([...])`, `Record.make_c_struct([...])`,
// `from_dtype(dt)`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "module/const_time.h"
#include "module/host_values.h"
#include "module/meant.h"
#include "module/scope.h"
#include "types/time.h"

namespace pyk {
namespace {

constexpr size_t kMaxRecordBytes = size_t(1) << 20;

/// What a part of a dtype declares: the type, the extents of an array field, and NumPy's alignment (1 of a structure
/// that is not `align=True`, whatever its fields are).
struct Format {
    Type type;
    std::vector<int64_t> shape = {};
    size_t alignment = 1;
};

size_t rounded_up(size_t at, size_t alignment) { return (at + alignment - 1) / alignment * alignment; }

std::string_view last_part(std::string_view path) {
    const size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

const ast::Expr* argument(const ast::Call& call, size_t index, std::string_view name) {
    for (const ast::Keyword& keyword : call.keywords)
        if (keyword.arg == name) return keyword.value;
    return index < call.args.size() ? call.args[index] : nullptr;
}

/// Puts fields one behind the other.
class Layouter {
  public:
    explicit Layouter(bool aligned) : aligned_(aligned) {}

    bool add(std::string_view name, const Format& format, std::optional<int64_t> offset = {}) {
        const bool known = std::ranges::any_of(fields_, [&](const Field& field) { return field.name == name; });
        const auto fits = [](int64_t extent) { return extent >= 1 && extent < (int64_t(1) << 20); };
        if (known || name.empty() || !std::ranges::all_of(format.shape, fits)) return false;
        const size_t alignment = aligned_ ? format.alignment : 1;
        alignment_ = std::max(alignment_, alignment);
        if (offset && (*offset < 0 || *offset > static_cast<int64_t>(kMaxRecordBytes))) return false;
        const size_t at = offset ? static_cast<size_t>(*offset) : rounded_up(end_, alignment);
        fields_.push_back({std::string(name), format.type, at, format.shape});
        end_ = std::max(end_, at + fields_.back().byte_size());
        return end_ <= kMaxRecordBytes;
    }

    std::optional<Format> done(std::optional<int64_t> size = {}) && {
        std::ranges::stable_sort(fields_, {}, &Field::offset);
        for (size_t i = 1; i < fields_.size(); ++i)
            if (fields_[i - 1].offset + fields_[i - 1].byte_size() > fields_[i].offset) return std::nullopt;
        const size_t bytes = size ? static_cast<size_t>(*size) : rounded_up(end_, alignment_);
        if (fields_.empty() || bytes < end_ || bytes > kMaxRecordBytes) return std::nullopt;
        return Format{Type::record(std::move(fields_), bytes), {}, alignment_};
    }

  private:
    bool aligned_;
    std::vector<Field> fields_;
    size_t end_ = 0, alignment_ = 1;
};

/// A part of what declares a dtype: as it is written, or as a value where that is computed.
class Part {
  public:
    Part(const ModuleScope& scope, const ast::Expr& written) : scope_(&scope), written_(&written) {}
    Part(const ModuleScope& scope, Const value) : scope_(&scope), value_(std::move(value)) {}

    const ast::Expr* written() const { return written_; }
    std::optional<Const> value() const { return written_ ? scope_->constant(*written_) : value_; }
    std::optional<int64_t> integer() const {
        const auto constant = value();
        return constant ? to_int(*constant) : std::nullopt;
    }
    std::optional<std::string> text() const {
        const auto constant = value();
        const std::string* known = constant ? constant->as<std::string>() : nullptr;
        return known ? std::optional(*known) : std::nullopt;
    }
    bool holds() const {
        const auto constant = value();
        return constant && truth(*constant);
    }
    /// Of a list or a tuple.
    std::optional<std::vector<Part>> items() const {
        const auto* list = written_ ? written_->as<ast::ListExpr>() : nullptr;
        const auto* tuple = written_ ? written_->as<ast::Tuple>() : nullptr;
        std::vector<Part> parts;
        if (list || tuple) {
            const ast::ExprList written = list ? list->elts : tuple->elts;
            const auto is_starred = [](const ast::Expr* one) { return one->as<ast::Starred>() != nullptr; };
            if (std::ranges::none_of(written, is_starred)) {
                for (const ast::Expr* one : written) parts.emplace_back(*scope_, *one);
                return parts;
            }
        }
        const auto known = value();
        const bool is_list = known && (known->as<Const::List>() || known->as<Const::Tuple>());
        const auto values = is_list ? items_of(*known) : std::nullopt;
        if (!values) return std::nullopt;
        for (const Const& one : *values) parts.emplace_back(*scope_, one);
        return parts;
    }
    bool is_tuple() const {
        if (written_ && (written_->as<ast::Tuple>() || written_->as<ast::ListExpr>()))
            return written_->as<ast::Tuple>() != nullptr;
        const auto known = value();
        return known && known->as<Const::Tuple>();
    }
    bool is_dict() const {
        if (written_ && written_->as<ast::Dict>()) return true;
        const auto known = value();
        return known && known->as<Const::Dict>();
    }
    /// Of a dictionary.
    std::optional<Part> entry(std::string_view key) const {
        if (const auto* dict = written_ ? written_->as<ast::Dict>() : nullptr) {
            for (size_t i = 0; i < dict->keys.size(); ++i)
                if (dict->keys[i] && Part(*scope_, *dict->keys[i]).text() == key)
                    return Part(*scope_, *dict->values[i]);
            return std::nullopt;
        }
        const auto known = value();
        const auto item = known ? item_at(*known, Const{std::string(key), {}}) : std::nullopt;
        return item ? std::optional(Part(*scope_, *item)) : std::nullopt;
    }

  private:
    const ModuleScope* scope_;
    const ast::Expr* written_ = nullptr;
    std::optional<Const> value_;
};

class DtypeReader {
  public:
    explicit DtypeReader(const ModuleScope& scope) : scope_(scope) {}

    std::optional<Format> called(const ast::Call& call) {
        const auto callee = scope_.evaluate(*call.func);
        const Path* path = callee ? std::get_if<Path>(&*callee) : nullptr;
        if (!path) return std::nullopt;
        const std::string_view name = last_part(path->name);
        if (name == "dtype") {
            const ast::Expr* align = argument(call, 1, "align");
            const ast::Expr* spec = argument(call, 0, "dtype");
            return spec ? format(*spec, align && Part(scope_, *align).holds()) : std::nullopt;
        }
        if (name == "from_dtype" && call.args.size() == 1) return format(*call.args[0], false);
        if (name == "make_c_struct" && call.args.size() == 1) return format(*call.args[0], true);
        if (name == "NPDatetime" || name == "NPTimedelta") {
            const auto unit = call.args.size() == 1 ? Part(scope_, *call.args[0]).text() : std::nullopt;
            const auto code = unit ? unit_from_name(*unit) : std::nullopt;
            if (!code) return std::nullopt;
            return Format{name == "NPDatetime" ? datetime_type(*code) : timedelta_type(*code), {}, 8};
        }
        if (name == "CharSeq" || name == "UnicodeCharSeq") {
            const auto count = call.args.size() == 1 ? Part(scope_, *call.args[0]).integer() : std::nullopt;
            return count ? text_of(name == "CharSeq" ? 'S' : 'U', *count) : std::nullopt;
        }
        if (name == "NestedArray") return nested_array(call);
        if (name == "Record" && call.args.size() == 3) return numba_record(call);
        return std::nullopt;
    }

    std::optional<Format> format(const ast::Expr& expr, bool align) { return format(Part(scope_, expr), align); }

    /// The first text that was to be a type and is none.
    const ast::Expr* unread() const { return unread_; }

  private:
    std::optional<Format> format(const Part& part, bool align) {
        if (++depth_ > 50) return std::nullopt;
        auto result = format_of(part, align);
        --depth_;
        return result;
    }

    std::optional<Format> format_of(const Part& part, bool align) {
        const ast::Expr* written = part.written();
        if (const auto* name = written ? written->as<ast::Name>() : nullptr)
            if (auto made = scope_.of_definition(name->id, [&](const ast::Expr& value) {
                    const bool says = value.as<ast::Call>() || value.as<ast::ListExpr>() || value.as<ast::Dict>();
                    return says ? format(value, align) : std::nullopt;
                }))
                return made;
        if (const auto* call = written ? written->as<ast::Call>() : nullptr)
            if (auto made = called(*call)) return made;
        if (part.is_dict()) return dictionary(part, align);
        if (const auto items = part.items()) {
            if (!part.is_tuple()) return fields(*items, align);
            if (items->size() != 2) return std::nullopt;
            if (auto text = unsized_text((*items)[0], (*items)[1])) return text;
            return with_shape(format((*items)[0], align), (*items)[1]);
        }
        if (const auto text = part.text()) {
            auto read = text_format(*text, align);
            if (!read && !unread_) unread_ = written;
            return read;
        }
        if (const auto type = python_type(part)) return Format{*type, {}, type->alignment()};
        const auto known = written ? std::nullopt : part.value();
        const auto* value = known ? known->as<Type>() : nullptr;
        const auto type = written ? evaluate_type(scope_, *written) : value ? std::optional(*value) : std::nullopt;
        return type && type->is_element() ? std::optional(Format{*type, {}, type->alignment()}) : std::nullopt;
    }

    /// `S12` and `U4`, by letter and length.
    static std::optional<Format> text_of(char letter, int64_t count) {
        const Type character = letter == 'S' ? Scalar::uint8 : Scalar::uint32;
        if (count < 1 || count > static_cast<int64_t>(kMaxRecordBytes / character.byte_size())) return std::nullopt;
        return Format{Type::text(character.scalar(), static_cast<size_t>(count)), {}, character.alignment()};
    }

    /// What `('S', 12)` and `('name', 'S', 12)` give a length: `S`, `np.bytes_`, `bytes`, and so of text.
    static std::optional<Format> unsized_text(const Part& part, const Part& length) {
        static constexpr std::pair<std::string_view, char> kNames[] = {{"S", 'S'}, {"bytes_", 'S'}, {"bytes", 'S'},
                                                                       {"U", 'U'}, {"str_", 'U'},   {"str", 'U'}};
        std::string name = part.text().value_or("");
        if (const ast::Expr* written = part.written()) {
            if (const auto* plain = written->as<ast::Name>()) name = plain->id;
            if (const auto* dotted = written->as<ast::Attribute>()) name = dotted->attr;
        }
        const auto count = length.integer();
        for (const auto& [known, letter] : kNames)
            if (name == known && count) return text_of(letter, *count);
        return std::nullopt;
    }

    /// `float`, `int`, `bool`, `complex`.
    std::optional<Type> python_type(const Part& part) const {
        static constexpr std::pair<Special, Scalar> kTypes[] = {{Special::float_, Scalar::float64},
                                                                {Special::int_, Scalar::int64},
                                                                {Special::bool_, Scalar::boolean},
                                                                {Special::complex_, Scalar::complex128}};
        const auto entity = part.written() ? scope_.evaluate(*part.written()) : std::nullopt;
        const auto value = entity ? to_const(*entity) : part.value();
        const auto* builtin = value ? value->as<const Builtin*>() : nullptr;
        for (const auto& [special, scalar] : kTypes)
            if (builtin && (*builtin)->special == special) return Type(scalar);
        return std::nullopt;
    }

    static std::optional<Format> with_shape(std::optional<Format> format, const Part& shape) {
        if (!format) return format;
        const auto constant = shape.value();
        if (!constant) return std::nullopt;
        std::vector<int64_t> extents;
        if (const auto* tuple = constant->as<Const::Tuple>()) {
            for (const Const& extent : *tuple) extents.push_back(to_int(extent).value_or(0));
        } else {
            extents.push_back(to_int(*constant).value_or(0));
            if (extents[0] == 1) return format;
        }
        extents.insert(extents.end(), format->shape.begin(), format->shape.end());
        format->shape = std::move(extents);
        return format;
    }

    /// `[('x', np.float32), ('v', np.int32, (3,))]`.
    std::optional<Format> fields(const std::vector<Part>& entries, bool align) {
        Layouter layouter(align);
        for (const Part& entry : entries) {
            const auto items = entry.is_tuple() ? entry.items() : std::nullopt;
            if (!items || items->size() < 2 || items->size() > 3) return std::nullopt;
            const auto name = (*items)[0].text();
            const bool has_shape = items->size() == 3;
            auto one = has_shape ? unsized_text((*items)[1], (*items)[2]) : std::nullopt;
            if (!one) {
                one = format((*items)[1], align);
                if (has_shape) one = with_shape(std::move(one), (*items)[2]);
            }
            if (!name || !one || !layouter.add(*name, *one)) return std::nullopt;
        }
        return std::move(layouter).done();
    }

    /// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': n, 'aligned': True}`.
    std::optional<Format> dictionary(const Part& dict, bool align) {
        const auto list = [&](std::string_view key) {
            const auto value = dict.entry(key);
            return value ? value->items() : std::nullopt;
        };
        const auto names = list("names"), formats = list("formats"), offsets = list("offsets");
        if (!names || !formats || names->size() != formats->size()) return std::nullopt;
        if (offsets && offsets->size() != names->size()) return std::nullopt;
        if (const auto aligned = dict.entry("aligned")) align = align || aligned->holds();
        Layouter layouter(align);
        for (size_t i = 0; i < names->size(); ++i) {
            const auto name = (*names)[i].text();
            const auto one = format((*formats)[i], align);
            const auto offset = offsets ? (*offsets)[i].integer() : std::nullopt;
            if (!name || !one || (offsets && !offset) || !layouter.add(*name, *one, offset)) return std::nullopt;
        }
        const auto size = dict.entry("itemsize");
        return std::move(layouter).done(size ? size->integer() : std::nullopt);
    }

    /// `NestedArray(dtype, shape)`.
    std::optional<Format> nested_array(const ast::Call& call) {
        const ast::Expr *dtype = argument(call, 0, "dtype"), *shape = argument(call, 1, "shape");
        return dtype && shape ? with_shape(format(*dtype, false), Part(scope_, *shape)) : std::nullopt;
    }

    /// `Record([('x', {'type': float32, 'offset': 0}), …], size, aligned)`.
    std::optional<Format> numba_record(const ast::Call& call) {
        const auto entries = Part(scope_, *call.args[0]).items();
        if (!entries) return std::nullopt;
        Layouter layouter(Part(scope_, *call.args[2]).holds());
        for (const Part& entry : *entries) {
            const auto items = entry.items();
            if (!items || items->size() != 2 || !(*items)[1].is_dict()) return std::nullopt;
            const auto name = (*items)[0].text();
            const auto type = (*items)[1].entry("type"), at = (*items)[1].entry("offset");
            const auto one = type ? format(*type, false) : std::nullopt;
            const auto offset = at ? at->integer() : std::nullopt;
            if (!name || !one || !offset || !layouter.add(*name, *one, offset)) return std::nullopt;
        }
        return std::move(layouter).done(Part(scope_, *call.args[1]).integer());
    }

    /// `'f4'`, `'<i2'`, `'(2,3)f4'`, `'i4, f8'`: several are the fields f0, f1, …
    std::optional<Format> text_format(std::string_view text, bool align) const {
        std::vector<std::string_view> parts;
        int depth = 0;
        size_t start = 0;
        for (size_t i = 0; i <= text.size(); ++i) {
            const char c = i < text.size() ? text[i] : ',';
            depth += (c == '(') - (c == ')');
            if (c != ',' || depth > 0) continue;
            parts.push_back(text.substr(start, i - start));
            start = i + 1;
        }
        const bool one_field = parts.size() == 2 && parts[1].find_first_not_of(' ') == std::string_view::npos;
        if (parts.size() == 1) return text_part(parts[0]);
        if (one_field) parts.pop_back();
        Layouter layouter(align);
        for (size_t i = 0; i < parts.size(); ++i) {
            const auto one = text_part(parts[i]);
            if (!one || !layouter.add("f" + std::to_string(i), *one)) return std::nullopt;
        }
        return std::move(layouter).done();
    }

    static std::optional<Format> text_part(std::string_view text) {
        while (text.starts_with(' ')) text.remove_prefix(1);
        while (text.ends_with(' ')) text.remove_suffix(1);
        Format format;
        const bool parenthesised = text.starts_with('(');
        if (parenthesised) text.remove_prefix(1);
        const auto number = [&]() -> bool {
            int64_t extent = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
            if (error != std::errc()) return false;
            format.shape.push_back(extent);
            text.remove_prefix(static_cast<size_t>(end - text.data()));
            while (text.starts_with(' ') || text.starts_with(',')) text.remove_prefix(1);
            return true;
        };
        while (number()) {
        }
        if (parenthesised && !text.starts_with(')')) return std::nullopt;
        if (parenthesised) text.remove_prefix(1);
        if (!parenthesised && format.shape.size() == 1 && format.shape[0] == 1) format.shape.clear();
        if (text.starts_with('<') || text.starts_with('=') || text.starts_with('|')) text.remove_prefix(1);
        if (text.starts_with('S') || text.starts_with('U')) {
            int64_t count = 0;
            const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), count);
            auto one =
                error == std::errc() && end == text.data() + text.size() ? text_of(text[0], count) : std::nullopt;
            if (one) one->shape = std::move(format.shape);
            return one;
        }
        const auto scalar = scalar_from_numpy(text);
        const auto time = time_from_name(text);
        if (!scalar && !time) return std::nullopt;
        format.type = scalar ? Type(*scalar) : *time;
        format.alignment = format.type.alignment();
        return format;
    }

    /// NumPy's one-letter names, and those that Numba has too.
    static std::optional<Scalar> scalar_from_numpy(std::string_view text) {
        static constexpr std::pair<char, Scalar> kLetters[] = {
            {'?', Scalar::boolean}, {'b', Scalar::int8},    {'h', Scalar::int16},  {'i', Scalar::int32},
            {'l', Scalar::int64},   {'q', Scalar::int64},   {'p', Scalar::int64},  {'B', Scalar::uint8},
            {'H', Scalar::uint16},  {'I', Scalar::uint32},  {'L', Scalar::uint64}, {'Q', Scalar::uint64},
            {'P', Scalar::uint64},  {'f', Scalar::float32}, {'d', Scalar::float64}};
        if (text.size() == 1)
            for (const auto& [letter, scalar] : kLetters)
                if (letter == text[0]) return scalar;
        return scalar_from_name(text);
    }

    const ModuleScope& scope_;
    int depth_ = 0;
    const ast::Expr* unread_ = nullptr;
};

}  // namespace

std::optional<Type> dtype_of(const ModuleScope& scope, const ast::Expr& expr) {
    const auto made = DtypeReader(scope).format(expr, false);
    return made && made->shape.empty() ? std::optional(made->type) : std::nullopt;
}

std::optional<Note> unread_dtype(const ModuleScope& scope, std::string_view name) {
    DtypeReader reader(scope);
    scope.of_definition(name, [&](const ast::Expr& value) { return reader.format(value, false); });
    if (!reader.unread()) return std::nullopt;
    const auto text = scope.constant(*reader.unread());
    const std::string near = nearest_scalar(*text->as<std::string>());
    return Note{reader.unread()->span,
                fmt::format("this is no dtype{}", near.empty() ? "" : "; did you mean `" + near + "`?")};
}

namespace {

std::optional<Moment> moment_of(const Const& value, bool is_date, std::optional<int> unit) {
    const auto* text = value.as<std::string>();
    const auto written = text ? parse_moment(*text) : std::nullopt;
    if (is_date && text) return written;
    if (written && written->count == kNaT) return written;
    const auto count = count_of_span(value);
    if (!count || (is_date && !unit)) return std::nullopt;
    return Moment{unit.value_or(kNoUnit), *count};
}

}  // namespace

// `np.datetime64('2020-01-01')`, `np.timedelta64(3, 'h')`.
std::optional<Const> called_time(const ModuleScope& scope, const ast::Call& call) {
    const auto callee = scope.evaluate(*call.func);
    const Path* path = callee ? std::get_if<Path>(&*callee) : nullptr;
    const std::string_view name = path ? last_part(path->name) : std::string_view();
    const bool is_date = name == "datetime64";
    if ((!is_date && name != "timedelta64") || call.args.empty() || call.args.size() > 2) return std::nullopt;
    const auto value = scope.constant(*call.args[0]);
    const auto unit_name = call.args.size() > 1 ? scope.constant(*call.args[1]) : std::nullopt;
    const auto* unit_text = unit_name ? unit_name->as<std::string>() : nullptr;
    const auto unit = unit_text ? unit_from_name(*unit_text) : std::nullopt;
    if (!value || (call.args.size() > 1 && !unit)) return std::nullopt;
    if (is_time(*value)) {
        const int to = unit.value_or(unit_of(value->typed));
        return time_as(*value, is_date ? datetime_type(to) : timedelta_type(to));
    }
    const auto moment = moment_of(*value, is_date, unit);
    if (!moment) return std::nullopt;
    const int to = unit.value_or(moment->unit);
    const auto count = moment_in(*moment, to);
    if (!count) return std::nullopt;
    return Const{static_cast<Const::Int>(*count), is_date ? datetime_type(to) : timedelta_type(to)};
}

std::optional<Type> called_type(const ModuleScope& scope, const ast::Call& call) {
    const auto made = DtypeReader(scope).called(call);
    return made && made->shape.empty() ? std::optional(made->type) : std::nullopt;
}

}  // namespace pyk
