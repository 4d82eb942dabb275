#include "builtins/rule.h"

#include <algorithm>
#include <array>
#include <string>

#include "support/fault.h"
#include "types/convert.h"
#include "types/vector.h"

namespace pyk {
namespace {

struct Class {
    std::string_view name, members;
};

constexpr Class kClasses[] = {
    {"signed", "int8 int16 int32 int64"},
    {"unsigned", "uint8 uint16 uint32 uint64"},
    {"integer", "int8 int16 int32 int64 uint8 uint16 uint32 uint64"},
    {"float", "float32 float64"},
    {"small_float", "float16 bfloat16"},
    {"complex", "complex64 complex128"},
    {"number", "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64"},
    {"scalar", "boolean int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64"},
    {"np_integer", "int8 uint8 int16 uint16 int32 uint32 int64 uint64"},
    {"atomic", "int32 uint32 int64 uint64 float32 float64 int8 uint8 int16 uint16"},
    {"atomic_int", "int32 uint32 int64 uint64 int8 uint8 int16 uint16"},
    {"atomic_uint", "uint32 uint64"},
};

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Cuts off and returns what comes before `separator`; the whole text when it is not there.
std::string_view take_until(std::string_view& text, std::string_view separator) {
    const size_t end = text.find(separator);
    const std::string_view head = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
    return trimmed(head);
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text = trimmed(text.substr(prefix.size()));
    return true;
}

std::string_view take_special(std::string_view& rule) {
    return take_prefix(rule, "special(") ? take_until(rule, ")") : std::string_view();
}

/// The scalars' names in a list of classes and scalars.
std::vector<std::string_view> members_of(std::string_view list) {
    std::vector<std::string_view> names;
    while (!list.empty()) {
        const std::string_view name = take_until(list, " ");
        const auto* found = std::ranges::find(kClasses, name, &Class::name);
        std::string_view members = found == std::end(kClasses) ? name : found->members;
        while (!members.empty()) names.push_back(take_until(members, " "));
    }
    return names;
}

/// Parses one rule; `bound_` is what the variable of the current case stands for.
class RuleParser {
  public:
    explicit RuleParser(std::string_view text) : whole_(text) {}
    Rule parse();

  private:
    void add_cases(std::string_view text);
    void add_case(std::string_view text);
    void add_param(std::string_view text, size_t index, Case& into);
    void add_kind(size_t index, RuleParam param);
    Type type(std::string_view name) const;
    Type result(std::string_view text) const;
    [[noreturn]] void fail(const std::string& what) const {
        internal_error("typing rule '" + std::string(whole_) + "': " + what);
    }

    std::string_view whole_;
    std::string_view variable_;
    Type bound_;
    Rule rule_;
};

Rule RuleParser::parse() {
    std::string_view rest = trimmed(whole_);
    if (take_prefix(rest, "->")) {
        rule_.is_value = true;
        rule_.cases.push_back({{}, type(rest)});
        return std::move(rule_);
    }
    rule_.special = take_special(rest);
    rest = trimmed(rest);
    rule_.allow_unsafe = !take_prefix(rest, "safe:");
    rule_.first_fit = take_prefix(rest, "ufunc:");
    if (rest.empty() && rule_.special.empty()) fail("no cases");
    while (!rest.empty()) add_cases(take_until(rest, "|"));
    return std::move(rule_);
}

void RuleParser::add_cases(std::string_view text) {
    std::string_view where = text;
    const std::string_view body = take_until(where, " where ");
    variable_ = {};
    if (where.empty()) return add_case(body);
    const std::string_view variable = take_until(where, ":");
    const auto members = members_of(trimmed(where));
    if (members.empty()) fail("`where` without a class");
    for (std::string_view member : members) {
        variable_ = {};
        bound_ = type(member);
        variable_ = variable;
        add_case(body);
    }
}

void RuleParser::add_case(std::string_view text) {
    if (!take_prefix(text, "(")) fail("a case starts with '('");
    std::string_view params = take_until(text, ")");
    if (!take_prefix(text = trimmed(text), "->")) fail("'->' is missing");
    Case added{{}, result(text)};
    for (size_t index = 0; !params.empty(); ++index) add_param(take_until(params, ","), index, added);
    rule_.cases.push_back(std::move(added));
}

void RuleParser::add_param(std::string_view text, size_t index, Case& into) {
    RuleParam param;
    std::string_view spec = take_until(text, "=");
    param.default_value = trimmed(text);
    if (spec == "rng") {
        param.kind = RuleParam::Kind::rng;
        into.params.emplace_back();
        into.operands.emplace_back();
    } else {
        if (take_prefix(spec, "ref ")) param.kind = RuleParam::Kind::ref;
        if (take_prefix(spec, "integer ")) param.kind = RuleParam::Kind::integer;
        into.params.push_back(type(take_until(spec, " as ")));
        into.operands.push_back(spec.empty() ? into.params.back() : type(trimmed(spec)));
    }
    add_kind(index, param);
}

void RuleParser::add_kind(size_t index, RuleParam param) {
    if (index == rule_.params.size()) {
        rule_.params.push_back(param);
    } else if (rule_.params[index] != param) {
        fail("cases disagree about parameter " + std::to_string(index));
    }
}

Type RuleParser::type(std::string_view name) const {
    if (!variable_.empty() && name == variable_) return bound_;
    const auto scalars = all_scalars();
    const auto found = std::ranges::find(scalars, name, &ScalarInfo::name);
    if (found != scalars.end()) return found->scalar;
    if (const auto vector = vector_from_name(name)) return *vector;
    fail("'" + std::string(name) + "' is not a type");
}

Type RuleParser::result(std::string_view text) const {
    if (text == "none") return Type::none();
    if (!take_prefix(text, "(")) return type(text);
    std::string_view inner = take_until(text, ")");
    std::vector<Type> elements;
    while (!inner.empty()) elements.push_back(type(take_until(inner, ",")));
    return Type::tuple(elements);
}

/// Counts of unsafe, safe and promoting conversions: smaller is better.
using Rating = std::array<int, 3>;

bool is_generator_states(Type type) {
    return type.is_array() && type.ndim() == 1 && type.element() == Type::xoroshiro128p_state() && !type.readonly();
}

/// Adds the conversion of one argument; false when there is none.
bool rate_argument(Rating& rating, Type arg, Type param, RuleParam::Kind kind, bool allow_unsafe) {
    if (kind == RuleParam::Kind::ref) return arg == param;
    if (kind == RuleParam::Kind::rng) return is_generator_states(arg);
    if (kind == RuleParam::Kind::integer && !arg.is_integer()) return false;
    const auto found = conversion(arg, param);
    if (!found) return false;
    switch (*found) {
        case Conversion::exact:
            return true;
        case Conversion::promote:
            ++rating[2];
            return true;
        case Conversion::safe:
            ++rating[1];
            return true;
        case Conversion::unsafe:
            ++rating[0];
            return allow_unsafe;
    }
    return false;
}

bool takes(size_t count, const Case& c, std::span<const RuleParam> params) {
    if (count > c.params.size()) return false;
    if (count == c.params.size()) return true;
    return params.size() >= c.params.size() && params[count].is_optional();
}

std::optional<Rating> rate(const Case& c, std::span<const RuleParam> params, std::span<const Type> args,
                           bool allow_unsafe) {
    if (!takes(args.size(), c, params)) return std::nullopt;
    Rating rating{};
    for (size_t i = 0; i < args.size(); ++i) {
        const auto kind = i < params.size() ? params[i].kind : RuleParam::Kind::value;
        if (!rate_argument(rating, args[i], c.params[i], kind, allow_unsafe)) return std::nullopt;
    }
    return rating;
}

Resolution resolution_of(const Case& c, std::span<const Type> args) {
    Resolution resolution{c.operands.empty() ? c.params : c.operands, c.result};
    for (size_t i = 0; i < args.size(); ++i) {
        if (!resolution.operands[i]) resolution.operands[i] = args[i];  // an `rng`: any array that fits, as it is
    }
    return resolution;
}

// NumPy: every argument converts safely. Beside a float every integer does.
bool fits(const Case& c, std::span<const Type> args) {
    if (c.params.size() != args.size()) return false;
    const bool mixed = std::ranges::any_of(args, &Type::is_integer) && std::ranges::any_of(args, &Type::is_float);
    return std::ranges::equal(args, c.params, [&](Type arg, Type param) {
        if (arg.is_integer() && param.is_float()) return mixed || param.bits() == 64 || arg.bits() <= param.bits() / 2;
        const auto found = conversion(arg, param);
        return found && *found != Conversion::unsafe;
    });
}

std::optional<Resolution> select(std::span<const Case> cases, std::span<const RuleParam> params,
                                 std::span<const Type> args, bool allow_unsafe) {
    const Case* best = nullptr;
    Rating best_rating{};
    for (const Case& c : cases) {
        const auto rating = rate(c, params, args, allow_unsafe);
        if (!rating || (best && *rating >= best_rating)) continue;
        best = &c;
        best_rating = *rating;
        if (best_rating == Rating{}) break;  // none is better
    }
    if (!best) return std::nullopt;
    return resolution_of(*best, args);
}

}  // namespace

std::string_view special_of(std::string_view rule) {
    rule = trimmed(rule);
    return take_special(rule);
}

Rule parse_rule(std::string_view text) { return RuleParser(text).parse(); }

std::optional<Resolution> choose(std::span<const Case> cases, std::span<const Type> args, bool allow_unsafe) {
    return select(cases, {}, args, allow_unsafe);
}

std::optional<Resolution> resolve(const Rule& rule, std::span<const Type> args) {
    if (rule.first_fit) {
        const auto found = std::ranges::find_if(rule.cases, [&](const Case& c) { return fits(c, args); });
        return found == rule.cases.end() ? std::nullopt : std::optional(resolution_of(*found, args));
    }
    return select(rule.cases, rule.params, args, rule.allow_unsafe);
}

}  // namespace pyk
