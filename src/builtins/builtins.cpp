#include "builtins/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "builtins/known.h"
#include "support/fault.h"

namespace pyk {

#ifdef PYK_CHANGE_ROWS
void change_rows(std::vector<Builtin>& rows);  // tests/corrupt
#endif

namespace {

struct SpecialName {
    std::string_view name;
    Special special;
};

constexpr SpecialName kSpecials[] = {
#define PYK_SPECIAL(name, method) {#name, Special::name},
#include "builtins/special.def"
};

Special special_from_name(std::string_view name) {
    if (name.empty()) return Special::none;
    const auto* found = std::ranges::find(kSpecials, name, &SpecialName::name);
    if (found == std::end(kSpecials)) internal_error("no such special rule: " + std::string(name));
    return found->special;
}

Type spelled_type(std::string_view name) {
    if (name.empty()) return {};
    return scalar_from_name(name).value();
}

constexpr std::pair<std::string_view, LaunchValue> kLaunchValues[] = {
    {"threadIdx", LaunchValue::thread_index},
    {"blockIdx", LaunchValue::block_index},
    {"grid", LaunchValue::grid_index},
    {"blockDim", LaunchValue::threads_of_block},
    {"gridDim", LaunchValue::blocks_of_grid},
    {"gridsize", LaunchValue::threads_of_grid},
    {"laneid", LaunchValue::lane},
    {"warpsize", LaunchValue::lanes_of_warp},
};

/// `cuda.grid.x`, `cuda.grid.x.int32`, `cuda.laneid`.
LaunchPart launch_part(std::string_view name) {
    if (!name.starts_with("cuda.")) return {};
    name.remove_prefix(5);
    const size_t dot = name.find('.');
    const auto* const known =
        std::ranges::find(kLaunchValues, name.substr(0, dot), &std::pair<std::string_view, LaunchValue>::first);
    if (known == std::end(kLaunchValues)) return {};
    const bool has_axis = known->second != LaunchValue::lane && known->second != LaunchValue::lanes_of_warp;
    if (has_axis != (dot != name.npos)) return {};  // `cuda.grid(2)` is none of them yet
    return {known->second, has_axis ? static_cast<uint8_t>(name[dot + 1] - 'x') : uint8_t{0}};
}

/// Parsed when it is first asked for: a program uses few rules, and all of them take longer than a short kernel.
struct LazyRule {
    std::once_flag once;
    Rule rule;
};

struct Table {
    std::vector<Builtin> rows;
    std::unique_ptr<LazyRule[]> rules;  ///< of the rows
    std::unordered_map<std::string_view, const Builtin*> by_name;
};

Table make_table() {
    using enum Effects;
    Table table;
    table.rows = {
#define PYK_BUILTIN(name, rule, effects, cuda, cpu, spelled, sm, doc) \
    {0, name, rule, Special::none, effects, {cuda, cpu}, spelled_type(spelled), sm, doc},
#include "builtins/builtins.def"
    };
#ifdef PYK_CHANGE_ROWS
    change_rows(table.rows);
#endif
    table.rules = std::make_unique<LazyRule[]>(table.rows.size());
    table.by_name.reserve(table.rows.size());
    for (Builtin& row : table.rows) {
        row.index = static_cast<uint16_t>(&row - table.rows.data());
        row.special = special_from_name(special_of(row.rule));
        row.launch = launch_part(row.name);
        table.by_name.emplace(row.name, &row);
    }
    return table;
}

const Table& table() {
    static const Table table = make_table();
    return table;
}

const Rule& rule_of(const Builtin& builtin) {
    LazyRule& lazy = table().rules[builtin.index];
    std::call_once(lazy.once, [&] { lazy.rule = parse_rule(builtin.rule); });
    return lazy.rule;
}

std::string joined(std::span<const std::string> args) {
    std::string text;
    for (const std::string& arg : args) text += (text.empty() ? "" : ", ") + arg;
    return text;
}

constexpr std::string_view kOrders[] = {"relaxed", "", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::string_view kScopes[] = {"", "block_scope", "", "device_scope", "system_scope"};

/// The name that the prelude has for a number, or the text where it is none.
std::string named(std::span<const std::string_view> names, const std::string& text) {
    const size_t number = text.size() == 1 ? static_cast<size_t>(text[0] - '0') : names.size();
    return number < names.size() ? fmt::format("pyk::{}", names[number]) : text;
}

/// A negative literal where C++ has an unsigned parameter, of which compilers warn; other values as they are.
std::string as_bits(Type type, const std::string& text) {
    const bool is_negative = text.starts_with('-') || text.starts_with("(-");
    if (!is_negative || text.find_first_not_of("0123456789-() L") != text.npos) return text;
    return fmt::format("static_cast<unsigned{}>({})", type.bits() == 64 ? " long long" : "", text);
}

std::string expand(std::string_view placeholder, std::span<const std::string> args, const CallContext& call) {
    const Type first = call.first;
    if (placeholder == "T") return std::string(call.result_element);
    if (placeholder == "line") return std::to_string(call.line);
    if (placeholder == "args") return joined(args);
    if (placeholder == "f") return first && first.is(Scalar::float32) ? "f" : "";
    if (placeholder == "width" || placeholder == "ordered") {
        if (!first) return "";
        if (first.is_complex()) return "_complex";
        if (first.is_small_float()) return "_half";
        return placeholder == "width" && first.is_integer() && first.bits() < 32 ? "_small" : "";
    }
    const std::string_view kind = placeholder.substr(std::min<size_t>(1, placeholder.size()));
    const size_t index = kind.empty() || kind[0] == ':' ? static_cast<size_t>(placeholder[0] - '0') : args.size();
    if (index >= args.size()) internal_error("no argument for the placeholder {" + std::string(placeholder) + "}");
    if (kind == ":order") return named(kOrders, args[index]);
    if (kind == ":scope") return named(kScopes, args[index]);
    if (kind == ":bits") return as_bits(first, args[index]);
    return args[index];
}

}  // namespace

std::span<const Builtin> all_builtins() { return table().rows; }

const Builtin* find_builtin(std::string_view name) {
    const auto found = table().by_name.find(name);
    return found == table().by_name.end() ? nullptr : found->second;
}

bool is_builtin_namespace(std::string_view name) {
    static const auto kNamespaces = [] {
        std::unordered_set<std::string_view> names;
        for (const Builtin& row : all_builtins())
            for (size_t dot = row.name.find('.'); dot != std::string_view::npos; dot = row.name.find('.', dot + 1))
                names.insert(row.name.substr(0, dot));
        return names;
    }();
    return kNamespaces.contains(name);
}

bool is_value(const Builtin& builtin) { return rule_of(builtin).is_value; }

bool takes_thread(const Builtin& builtin) {
    return builtin.spelling_for(TargetId::cpu).find(kThreadOnCpu) != std::string_view::npos;
}

bool is_of_c_library(const Builtin& builtin) { return builtin.spelling_for(TargetId::cpu).starts_with("std::"); }

bool is_for_host(const Builtin& builtin) { return builtin.spelling_for(TargetId::cuda).empty(); }

bool is_part_of_shared(const Builtin& builtin) {
    return builtin == "pyk.shared_part" || builtin == "pyk.shared_part_aligned";
}

std::optional<long long> integer_value(const Builtin& builtin) {
    const std::string_view text = builtin.spelling_for(TargetId::cpu);
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<Resolution> resolve(const Builtin& builtin, std::span<const Type> args) {
    return resolve(rule_of(builtin), args);
}

std::pair<int, int> arity(const Builtin& builtin) {
    const Rule& rule = rule_of(builtin);
    if (rule.cases.empty()) return {0, INT_MAX};
    const auto count = [](const Case& c) { return c.params.size(); };
    const auto [least, most] = std::ranges::minmax_element(rule.cases, {}, count);
    const auto given = std::ranges::count_if(rule.params, [](const RuleParam& p) { return !p.is_optional(); });
    return {static_cast<int>(std::min(count(*least), static_cast<size_t>(given))), static_cast<int>(count(*most))};
}

bool is_ref(const Builtin& builtin, size_t i) {
    const Rule& rule = rule_of(builtin);
    return i < rule.params.size() && rule.params[i].kind == RuleParam::Kind::ref;
}

bool is_integer(const Builtin& builtin, size_t i) {
    const Rule& rule = rule_of(builtin);
    return i < rule.params.size() && rule.params[i].kind == RuleParam::Kind::integer;
}

std::vector<Type> types_of_parameter(const Builtin& builtin, size_t i) {
    std::vector<Type> types;
    for (const Case& one : rule_of(builtin).cases)
        if (i < one.params.size() && std::ranges::find(types, one.params[i]) == types.end())
            types.push_back(one.params[i]);
    return types;
}

std::string_view default_of(const Builtin& builtin, size_t i) {
    const Rule& rule = rule_of(builtin);
    return i < rule.params.size() ? rule.params[i].default_value : std::string_view();
}

std::string spell(std::string_view spelling, std::span<const std::string> args, const CallContext& call) {
    std::string text;
    while (!spelling.empty()) {
        const size_t open = std::min(spelling.find('{'), spelling.size());
        text += spelling.substr(0, open);
        if (open == spelling.size()) break;
        if (spelling.substr(open + 1).starts_with(' ')) {
            text += '{';
            spelling.remove_prefix(open + 1);
            continue;
        }
        const size_t close = spelling.find('}', open);
        text += expand(spelling.substr(open + 1, close - open - 1), args, call);
        spelling.remove_prefix(close + 1);
    }
    return text;
}

}  // namespace pyk
