#include "types/signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "support/nearest.h"
#include "support/words.h"
#include "types/none.h"
#include "types/numba_names.h"
#include "types/time.h"
#include "types/vector.h"

namespace pyk {
namespace {

struct Failure {
    SignatureError error;
};

std::string nearest_type(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kOfC[] = {
        {"int", "int32"}, {"long", "int64"},      {"short", "int16"},
        {"char", "int8"}, {"unsigned", "uint32"}, {"half", "float16"}};
    const auto* of_c = std::ranges::find(kOfC, name, &std::pair<std::string_view, std::string_view>::first);
    if (of_c != std::end(kOfC)) return std::string(of_c->second);
    std::vector<std::string_view> known = {"void", "none"};
    for (const ScalarInfo& scalar : all_scalars()) known.push_back(scalar.name);
    return nearest_name(name, known);
}

constexpr std::string_view kConstructors[] = {"UniTuple",   "Tuple",       "Array",    "Record",
                                              "CPointer",   "optional",    "Optional", "OptionalType",
                                              "NPDatetime", "NPTimedelta", "CharSeq",  "UnicodeCharSeq"};

bool is_constructor(std::string_view name) { return std::ranges::find(kConstructors, name) != std::end(kConstructors); }

/// Recursive descent over the text. Leaves by throwing Failure, which does not leave this file.
class Parser {
  public:
    Parser(std::string_view text, const TypeNames& names) : text_(text), names_(names) {}

    Signature signature();
    Type whole_type();

  private:
    static constexpr int kMaxDepth = 50;  ///< of nested tuples: bounds the recursion

    Type type();
    Type named_type();
    Type tuple_of();
    Type constructed(std::string_view constructor);
    Type array_constructor();
    Type text();
    Type text_of(bool is_bytes, int64_t count) const;
    std::string field_name();
    Type record();
    Type bracketed(Type element, size_t at);
    std::optional<Type> simple_type(std::string_view name) const;
    std::vector<Type> types_until(char close);
    Type array(Type element, int64_t ndim, Layout layout, bool readonly, size_t at, bool aligned = true) const;
    bool accept_named(std::string_view name);
    bool accept_enclosing();
    bool flag();

    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool peek(std::string_view token) {
        skip_blanks();
        return text_.substr(at_).starts_with(token);
    }
    bool accept(std::string_view token) {
        if (!peek(token)) return false;
        at_ += token.size();
        return true;
    }
    void expect(std::string_view token, std::string_view where) {
        if (!accept(token)) fail("expected '" + std::string(token) + "' " + std::string(where));
    }
    bool accept_word(std::string_view expected) {
        const size_t start = (skip_blanks(), at_);
        if (word() == expected) return true;
        at_ = start;
        return false;
    }
    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }
    std::string_view word();
    std::string_view dotted_word();
    int64_t integer();
    [[noreturn]] void fail(std::string message) const { fail_at(at_, std::move(message)); }
    [[noreturn]] static void fail_at(size_t offset, std::string message) {
        throw Failure{{offset, std::move(message), 1}};
    }

    std::string_view text_;
    const TypeNames& names_;
    size_t at_ = 0;
    int depth_ = 0;
};

std::string_view Parser::word() {
    skip_blanks();
    if (at_ < text_.size() && is_digit(text_[at_])) return "";
    const std::string_view result = word_at(text_, at_, is_of_name);
    at_ += result.size();
    return result;
}

/// A name without Numba's and NumPy's modules before it: `float32` of `numba.types.float32`, `geometry.ray_t`.
std::string_view Parser::dotted_word() {
    constexpr std::array<std::string_view, 4> kModules = {"types", "numba", "np", "numpy"};
    std::string_view name = word();
    while (std::ranges::find(kModules, name) != kModules.end() && accept(".")) name = word();
    const size_t start = at_ - name.size();
    while (!name.empty() && accept(".")) name = (word(), text_.substr(start, at_ - start));
    return name;
}

/// Takes the parenthesis in front of `(void(float32[:]))`.
bool Parser::accept_enclosing() {
    const size_t start = at_;
    const std::string_view name = accept("(") ? dotted_word() : "";
    const bool is_enclosing = !name.empty() && !is_constructor(name) && peek("(");
    at_ = is_enclosing ? text_.find('(', start) + 1 : start;
    return is_enclosing;
}

int64_t Parser::integer() {
    skip_blanks();
    const size_t start = at_;
    int64_t value = 0;
    while (at_ < text_.size() && is_digit(text_[at_]) && value < 1'000'000) value = value * 10 + (text_[at_++] - '0');
    if (at_ == start) fail("expected a number");
    return value;
}

std::optional<Type> Parser::simple_type(std::string_view name) const {
    if (name == "void" || name == "none" || name == "None") return Type::none();
    if (name == "voidptr") return Type::pointer(Type::none());
    if (name == "xoroshiro128p" || name == "xoroshiro128p_type") return Type::xoroshiro128p_state();
    if (const auto scalar = scalar_from_numba(name)) return Type(*scalar);
    if (const auto vector = vector_from_name(name)) return vector;
    if (names_) return names_(name);
    return std::nullopt;
}

/// In a tuple None is a value.
Type tuple_with(std::vector<Type> elements) {
    for (Type& element : elements)
        if (element.is_none()) element = none_value();
    return Type::tuple(std::move(elements));
}

std::vector<Type> Parser::types_until(char close) {
    const std::string_view closing(&close, 1);
    std::vector<Type> types;
    while (!accept(closing)) {
        types.push_back(type());
        if (accept(",") || peek(closing)) continue;
        const Type type = types.back();
        if (peek("*") && type.is_element()) fail("arrays are written `" + type.signature() + "[:]`");
        const size_t start = at_;
        if (!word().empty()) fail_at(start, "types alone stand here, without the parameters' names");
        fail("expected ',' or '" + std::string(closing) + "'");
    }
    return types;
}

/// After `(`: a tuple of the types up to `)`; as in Python, one type without a comma is just in parentheses.
Type Parser::tuple_of() {
    const std::vector<Type> elements = types_until(')');
    const size_t before_close = text_.find_last_not_of(" \t", at_ - 2);
    return elements.size() == 1 && text_[before_close] != ',' ? elements[0] : tuple_with(elements);
}

Type Parser::array(Type element, int64_t ndim, Layout layout, bool readonly, size_t at, bool aligned) const {
    if (!element.is_element()) {
        fail_at(at, "the elements of an array are numbers, booleans, texts or records, not " + element.name());
    }
    if (ndim < 0 || ndim > Type::kMostAxes) fail_at(at, "an array has 0 to 32 axes");
    return Type::array(element, static_cast<int>(ndim), layout, readonly, aligned);
}

/// Whether `name=` is next: arguments may be written with their names.
bool Parser::accept_named(std::string_view name) {
    const size_t before = at_;
    if (word() == name && accept("=")) return true;
    at_ = before;
    return false;
}

bool Parser::flag() {
    const std::string_view value = word();
    if (value != "True" && value != "False") fail("expected True or False");
    return value == "True";
}

/// After `Array(`: `T, ndim, 'C'` and maybe `, readonly=True`.
Type Parser::array_constructor() {
    const size_t start = (accept_named("dtype"), at_);
    const Type element = type();
    expect(",", "after the element type");
    accept_named("ndim");
    const int64_t ndim = integer();
    expect(",", "after the number of axes");
    accept_named("layout");
    const std::string_view quote = peek("\"") ? "\"" : "'";
    expect(quote, "around the layout");
    const size_t layout = std::string_view("CFA").find(at_ < text_.size() ? text_[at_] : ' ');
    if (layout == std::string_view::npos) fail("the layout is 'C', 'F' or 'A'");
    ++at_;
    expect(quote, "after the layout");
    bool readonly = false, aligned = true;
    while (accept(",") && !peek(")")) {
        if (accept_named("aligned")) {
            aligned = flag();
        } else {
            accept_named("readonly");
            readonly = flag();
        }
    }
    expect(")", "after an array type");
    return array(element, ndim, static_cast<Layout>(layout), readonly, start, aligned);
}

/// Any text: NumPy's fields may be called `close price`.
std::string Parser::field_name() {
    skip_blanks();
    const size_t end = text_.find("[type", at_);
    if (end == std::string_view::npos) return std::string(word());
    const size_t start = std::exchange(at_, end);
    return std::string(text_.substr(start, end - start));
}

/// After `Record(`: what Type::signature writes.
Type Parser::record() {
    std::vector<Field> fields;
    do {
        Field field;
        field.name = field_name();
        expect("[", "after a field's name");
        expect("type", "of a field");
        expect("=", "after 'type'");
        const size_t start = at_;
        if (word() == "nestedarray") {
            expect("(", "after 'nestedarray'");
            field.type = type();
            expect(",", "after the element type");
            expect("(", "around a shape");
            while (!accept(")")) {
                field.shape.push_back(integer());
                if (!accept(",") && !peek(")")) fail("expected ',' or ')'");
            }
            expect(")", "after an array field");
        } else {
            at_ = start;
            field.type = type();
        }
        expect(";", "after a field's type");
        expect("offset", "of a field");
        expect("=", "after 'offset'");
        field.offset = static_cast<size_t>(integer());
        expect("]", "after a field");
        if (field.name.empty() || !field.type.is_element()) fail_at(start, "not a field of a record");
        if (std::ranges::find(fields, field.name, &Field::name) != fields.end())
            fail_at(start, "a record has two fields `" + field.name + "`");
        fields.push_back(std::move(field));
    } while (accept(","));
    expect(";", "after the fields");
    const size_t size_at = at_;
    const size_t size = static_cast<size_t>(integer());
    for (const Field& field : fields)
        if (field.offset > size || field.byte_size() > size - field.offset)
            fail_at(size_at, "field `" + field.name + "` ends beyond the record's " + std::to_string(size) + " bytes");
    expect(";", "after the record's size");
    const bool aligned = word() == "True";
    expect(")", "after a record");
    return Type::record(std::move(fields), size, !aligned);
}

Type Parser::text_of(bool is_bytes, int64_t count) const {
    if (count == 0) fail("a text has room for a character at least");
    return Type::text(is_bytes ? Scalar::uint8 : Scalar::uint32, static_cast<size_t>(count));
}

/// After `[`: `char x 12]` or `unichr x 4]`, as Numba shows texts.
Type Parser::text() {
    const std::string_view character = word();
    if (character != "char" && character != "unichr") fail("expected a type");
    expect("x", "between a character and how many there are");
    const Type text = text_of(character == "char", integer());
    expect("]", "after a text");
    return text;
}

/// After `UniTuple(`, `Tuple(`, `Record(`, `CPointer(` or `Array(`.
Type Parser::constructed(std::string_view constructor) {
    if (constructor == "Array") return array_constructor();
    if (constructor == "Record") return record();
    if (constructor == "CPointer") {
        const size_t start = at_;
        const Type element = type();
        if (element.is_array()) fail_at(start, "a pointer points to a value, not to an array");
        expect(")", "after a pointer type");
        return Type::pointer(element);
    }
    if (constructor == "NPDatetime" || constructor == "NPTimedelta") {
        const std::string_view quote = peek("\"") ? "\"" : "'";
        expect(quote, "around the unit");
        const auto unit = unit_from_name(word());
        if (!unit) fail("expected a unit");
        expect(quote, "after the unit");
        expect(")", "after a type");
        return constructor == "NPDatetime" ? datetime_type(*unit) : timedelta_type(*unit);
    }
    if (constructor == "CharSeq" || constructor == "UnicodeCharSeq") {
        const Type text = text_of(constructor == "CharSeq", integer());
        expect(")", "after a type");
        return text;
    }
    if (constructor == "optional" || constructor == "Optional" || constructor == "OptionalType") {
        const Type value = type();
        expect(")", "after an optional type");
        if (value.is_optional() || value.is_none()) fail("what is optional is not None");
        return Type::optional(value);
    }
    if (constructor == "UniTuple") {
        accept_named("dtype");
        const Type element = type();
        expect(",", "after the element type");
        accept_named("count");
        const int64_t count = integer();
        if (count > 1000) fail("a tuple has at most 1000 elements");
        expect(")", "after a tuple type");
        return tuple_with(std::vector<Type>(static_cast<size_t>(count), element));
    }
    const bool round = accept("(");
    if (!round) expect("[", "or '(' around the element types");
    const std::vector<Type> elements = types_until(round ? ')' : ']');
    expect(")", "after a tuple type");
    return tuple_with(elements);
}

Type Parser::named_type() {
    skip_blanks();
    const size_t start = at_;
    const std::string_view name = dotted_word();
    if (name.empty()) fail("expected a type");
    if (is_constructor(name)) {
        expect("(", "after " + std::string(name));
        return constructed(name);
    }
    if (const auto time = time_from_name(name)) {
        const size_t before = at_;
        if (accept("[")) {
            const std::string with_unit = std::string(name) + "[" + std::string(word()) + "]";
            const auto of_unit = time_from_name(with_unit);
            if (of_unit && accept("]")) return *of_unit;
        }
        at_ = before;
        return *time;
    }
    if (const auto simple = simple_type(name)) return *simple;
    const std::string near = nearest_type(name);
    throw Failure{{start,
                   "'" + std::string(name) + "' is not a type" + (near.empty() ? "" : "; did you mean '" + near + "'?"),
                   name.size()}};
}

/// After `T[`: the axes.
Type Parser::bracketed(Type element, size_t at) {
    std::vector<bool> contiguous;
    do {
        expect(":", "for an axis of an array: T[:] or T[::1]");
        contiguous.push_back(accept(":") && integer() == 1);
    } while (accept(",") && !peek("]"));  // as in Python, one comma more says nothing
    expect("]", "after the axes");
    // Numba looks at the first and the last axis alone.
    const bool is_fortran = contiguous.size() > 1 && contiguous.front();
    const Layout layout = is_fortran ? Layout::F : contiguous.back() ? Layout::C : Layout::A;
    return array(element, static_cast<int64_t>(contiguous.size()), layout, false, at);
}

Type Parser::type() {
    if (++depth_ > kMaxDepth) fail("types nest too deeply");
    skip_blanks();
    const size_t start = at_;
    Type result = accept("(") ? tuple_of() : accept("[") ? text() : named_type();
    while (accept("[")) result = bracketed(result, start);
    --depth_;
    return result;
}

Type Parser::whole_type() {
    const Type result = type();
    if (!at_end()) fail("unexpected text after the type");
    return result;
}

Signature Parser::signature() {
    Signature result;
    const bool is_enclosed = accept_enclosing();
    const size_t start = (skip_blanks(), at_);
    const std::string_view first = word();
    const bool is_name = !first.empty() && peek("(") && !simple_type(first) && !is_constructor(first);
    if (is_name) {
        result.name = first;
    } else if (at_ = start; !peek("(")) {
        const bool is_alone = !first.empty() && start + first.size() == text_.size();
        if (is_alone && !simple_type(first))
            fail_at(start, "the types of the parameters are missing: `" + std::string(first) + "(float32[:], int32)`");
        result.result = type();
    }
    if (result.result && accept(",")) {  // `T, U`: a tuple of the parameter types
        result.params = {std::exchange(result.result, Type())};
        do result.params.push_back(type());
        while (accept(",") && !at_end());
    } else {
        expect("(", "before the parameter types");
        result.params = types_until(')');
    }
    if (!is_name && !result.result && accept("(")) {  // `(T, U)(V)`: what came first was the type of the result
        result.result = tuple_with(result.params);
        result.params = types_until(')');
    }
    if (is_enclosed) expect(")", "after the signature");
    result.noalias = accept_word("noalias");
    result.index32 = result.noalias && accept_word("index32");
    if (!at_end()) fail("unexpected text after the signature");
    return result;
}

template <typename Result>
std::optional<Result> attempt(std::string_view text, SignatureError& error, const TypeNames& names,
                              Result (Parser::*parse)()) {
    try {
        Parser parser(text, names);
        return (parser.*parse)();
    } catch (Failure& failure) {
        error = std::move(failure.error);
        return std::nullopt;
    }
}

}  // namespace

std::optional<Signature> parse_signature(std::string_view text, SignatureError& error, const TypeNames& names) {
    return attempt(text, error, names, &Parser::signature);
}

std::optional<Type> parse_type(std::string_view text, SignatureError& error, const TypeNames& names) {
    return attempt(text, error, names, &Parser::whole_type);
}

}  // namespace pyk
