// `argparse`: what a script gets whose command line has no arguments.
#include <algorithm>
#include <charconv>

#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr std::string_view kIsParser = "argparse parser";  ///< among an object's names; no attribute is called so

// What an option is stored as: `dest=`, else its first long name, else its first one.
std::string stored_as(const ast::Call& call, std::span<const std::string> names, const ModuleScope& scope) {
    for (const ast::Keyword& keyword : call.keywords)
        if (keyword.arg == "dest") {
            const auto known = scope.constant(*keyword.value);
            const auto* text = known ? known->as<std::string>() : nullptr;
            return text ? *text : std::string();
        }
    const auto is_long = [](const std::string& name) { return name.starts_with("--"); };
    const auto found = std::ranges::find_if(names, is_long);
    std::string name = found == names.end() ? names.front() : *found;
    const bool is_option = name.starts_with('-');
    name.erase(0, name.find_first_not_of('-'));
    if (is_option) std::ranges::replace(name, '-', '_');
    return name;
}

// A default that is a text gets the option's type.
std::optional<Const> of_type(const Const& value, const ast::Expr* type) {
    const auto* text = value.as<std::string>();
    if (!text || !type) return value;
    const auto* name = type->as<ast::Name>();
    if (name && name->id == "str") return value;
    const char* const end = text->data() + text->size();
    int64_t integer = 0;
    double number = 0;
    if (name && name->id == "int" && std::from_chars(text->data(), end, integer).ptr == end)
        return Const{Const::Int(integer), {}};
    if (name && name->id == "float" && std::from_chars(text->data(), end, number).ptr == end) return Const{number, {}};
    return std::nullopt;
}

}  // namespace

const ModuleScope* ModuleScope::Shared::parser_in(const ModuleScope& scope, const ast::Expr& expr) {
    const auto value = scope.evaluate(expr);
    const auto* object = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    return object && (*object)->is_object_ && (*object)->bindings_.contains(kIsParser) ? *object : nullptr;
}

// `ArgumentParser(…)`, its groups, which are as good as itself, and `parse_args()`, whose result has the parser's
// names.
std::optional<Entity> ModuleScope::Shared::parsed_arguments(const ModuleScope& scope, const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    const std::string_view name = last_name(*call.func);
    if (name == "ArgumentParser" && scope.path_of(*call.func) == "argparse.ArgumentParser") {
        const bool has_more = std::ranges::any_of(call.keywords, [](const ast::Keyword& keyword) {
            return keyword.arg == "parents" || keyword.arg == "argument_default" || keyword.arg.empty();
        });
        if (has_more) return std::nullopt;
        scope.shared_->lifted_scopes.emplace_back(new ModuleScope(*scope.shared_, scope.file_, &scope, {}));
        ModuleScope& made = *scope.shared_->lifted_scopes.back();
        made.is_object_ = true;
        made.bindings_.emplace(kIsParser, Const{Const::None{}, {}});
        return &made;
    }
    const bool is_group = name == "add_argument_group" || name == "add_mutually_exclusive_group";
    const bool parses = name == "parse_args" || name == "parse_known_args";
    const ModuleScope* parser = method && (is_group || parses) ? parser_in(scope, *method->value) : nullptr;
    if (!parser) return std::nullopt;
    if (parses && (!call.args.empty() || !call.keywords.empty())) {
        const auto given =
            call.args.size() == 1 && call.keywords.empty() ? scope.constant(*call.args[0]) : std::nullopt;
        const auto items = given ? items_of(*given) : std::nullopt;
        if (!(given && given->as<Const::None>()) && !(items && items->empty())) return std::nullopt;
    }
    return parser;
}

// A statement `parser.add_argument(…)` or `parser.set_defaults(…)`; false: it is none.
bool ModuleScope::Shared::add_argument(ModuleScope& scope, const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    const bool sets = method && method->attr == "set_defaults";
    if (!sets && !(method && method->attr == "add_argument")) return false;
    const ModuleScope* known = parser_in(scope, *method->value);
    if (!known) return false;
    auto& parser = const_cast<ModuleScope&>(*known);  // objects are made by runs
    const auto store = [&](const std::string& name, const std::optional<Entity>& value) {
        if (value && scope.certain_)
            parser.bindings_.insert_or_assign(name, *value);
        else
            parser.bindings_.erase(name);
    };
    if (sets) {
        for (const ast::Keyword& keyword : call.keywords)
            store(std::string(keyword.arg), scope.evaluate(*keyword.value));
        return true;
    }
    std::vector<std::string> names;
    for (const ast::Expr* arg : call.args) {
        const auto value = scope.constant(*arg);
        const auto* text = value ? value->as<std::string>() : nullptr;
        if (!text) return parser.bindings_.clear(), true;
        names.push_back(*text);
    }
    if (names.empty()) return parser.bindings_.clear(), true;
    const auto keyword = [&](std::string_view name) -> const ast::Expr* {
        const auto found = std::ranges::find(call.keywords, name, &ast::Keyword::arg);
        return found == call.keywords.end() ? nullptr : found->value;
    };
    const std::string dest = stored_as(call, names, scope);
    if (dest.empty() || keyword("")) return parser.bindings_.clear(), true;
    const auto text_of_keyword = [&](std::string_view name) {
        const auto value = keyword(name) ? scope.constant(*keyword(name)) : std::nullopt;
        const auto* text = value ? value->as<std::string>() : nullptr;
        return text ? *text : std::string();
    };
    const std::string action = text_of_keyword("action"), count = text_of_keyword("nargs");
    if (action == "version" || action == "help") return true;
    const bool is_positional = !names.front().starts_with('-');
    const bool may_lack = !is_positional || count == "?" || (count == "*" && keyword("default"));
    if (!may_lack || keyword("required")) return store(dest, std::nullopt), true;
    if (parser.bindings_.contains(dest)) return true;  // `dest` of several options: the first default counts
    std::optional<Const> value = Const{Const::None{}, {}};
    if (action == "store_true" || action == "store_false") value = Const{action == "store_false", {}};
    if (const ast::Expr* given = keyword("default")) {
        value = scope.constant(*given);
        if (value) value = of_type(*value, keyword("type"));
    }
    store(dest, value ? std::optional(to_entity(*value)) : std::nullopt);
    return true;
}

}  // namespace pyk
