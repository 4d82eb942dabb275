// What makes a function a kernel or a device function: `@cuda.jit`, also behind a name, a partial or a function of the
// module.
#include <algorithm>
#include <functional>

#include "module/decorators.h"
#include "module/free_names.h"
#include "module/host_values.h"
#include "module/options.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr int kLongestTrail = 20;

bool is_true(const ModuleScope& scope, const ast::Expr& expr) {
    const auto known = scope.constant(expr);
    const bool* value = known ? known->as<bool>() : nullptr;
    return value && *value;
}

/// `**options` with `device=True` in them.
bool says_device(const ModuleScope& scope, const ast::Expr& options) {
    const auto known = scope.constant(options);
    const auto device = known && known->as<Const::Dict>() ? item_at(*known, Const{std::string("device"), {}}) : known;
    const bool* value = device ? device->as<bool>() : nullptr;
    return value && *value;
}

/// Also a set of LLVM's flags.
bool says_fastmath(const FunctionInfo::Decorating& by) {
    const auto said = std::ranges::find(by.call->keywords, "fastmath", &ast::Keyword::arg);
    const auto value = said == by.call->keywords.end() ? std::nullopt : by.scope->constant(*said->value);
    return value && truth(*value);
}

/// The statement with which a function of the host surely returns; null: not known.
const ast::Return* sure_return(const ModuleScope& scope, const ast::Block& body) {
    for (const ast::Stmt* stmt : body) {
        if (const auto* returned = stmt->as<ast::Return>()) return returned;
        const auto* choice = stmt->as<ast::If>();
        const auto test = choice ? scope.constant(*choice->test) : std::nullopt;
        const auto* expr = stmt->as<ast::ExprStmt>();
        const bool is_passed_over = test || stmt->as<ast::FunctionDef>() || (expr && expr->value->as<ast::Constant>());
        if (!is_passed_over) return nullptr;
        if (!test) continue;
        if (const auto* returned = sure_return(scope, truth(*test) ? choice->body : choice->orelse)) return returned;
        if (truth(*test) ? !choice->body.empty() : !choice->orelse.empty()) return nullptr;
    }
    return nullptr;
}

/// `def jit(f, **options): return cuda.jit(device=True, **options)(f)`, `def jit(*args, **options): return
/// cuda.jit(*args, **options)`, `lambda signature: cuda.jit(signature)`: the call that it returns.
const ast::Call* wrapped_call(const ast::Arguments& params, ast::ExprRef returned) {
    const auto* call = returned ? returned->as<ast::Call>() : nullptr;
    if (!call || call->args.size() != 1) return nullptr;
    const auto* starred = call->args[0]->as<ast::Starred>();
    const auto* given = (starred ? starred->value : call->args[0])->as<ast::Name>();
    if (!given) return nullptr;
    if (starred) return params.vararg && params.vararg->arg == given->id ? call : nullptr;
    bool asks_it = false;  // `cuda.jit(f.__annotations__[…])(f)` is another decorator for each function
    for_each_name(*call->func, [&](std::string_view name) { asks_it = asks_it || name == given->id; });
    return !asks_it && !params.args.empty() && given->id == params.args[0].arg ? call : nullptr;
}
const ast::Call* wrapped_call(const FunctionInfo& function) {
    const ast::Return* returned = sure_return(*function.scope, function.def->body);
    return wrapped_call(*function.def->args, returned ? returned->value : nullptr);
}

/// Of a decorator: whether it is certain that it returns what it is given.
bool gives_back(const ast::FunctionDef& decorator) {
    if (decorator.args->args.empty() || decorator.body.empty()) return false;
    const auto returns_it = [&](const ast::Stmt& stmt) {
        const auto* returned = stmt.as<ast::Return>();
        const auto* name = returned && returned->value ? returned->value->as<ast::Name>() : nullptr;
        return name && name->id == decorator.args->args[0].arg;
    };
    bool is_it = returns_it(*decorator.body[decorator.body.size() - 1]);
    for_each_stmt(decorator.body,
                  [&](const ast::Stmt& stmt) { is_it = is_it && (!stmt.as<ast::Return>() || returns_it(stmt)); });
    return is_it;
}

}  // namespace

// Where a name leads to: through imports of one's own files to what they import or declare.
ModuleScope::Place ModuleScope::place_of(std::string_view name) const {
    for (const ModuleScope* scope = this; scope; scope = scope->parent_) {
        const Declaration* declared = scope->declaration(name);
        if (!declared) {
            const auto bound = scope->bindings_.find(name);
            if (bound != scope->bindings_.end()) return {.scope = scope, .name = name, .bound = &bound->second};
            continue;
        }
        const auto* import = declared->as<Import>();
        if (!import) return {.scope = scope, .name = name, .declaration = declared, .bound = declared->as<Entity>()};
        const ModuleScope* other = scope->file(import->module, import->level);
        if (other && !import->attr.empty() && other->is_declared(import->attr)) {
            if (std::ranges::find(other->importing_, import->attr) != other->importing_.end()) return {};
            other->importing_.push_back(import->attr);
            Place place = other->place_of(import->attr);
            other->importing_.pop_back();
            return place;
        }
        std::string path = import->path();
        if (path.starts_with("numba.")) path.erase(0, 6);
        return {.path = std::move(path)};
    }
    for (const ModuleScope* scope = this; scope; scope = scope->parent_)
        if (const auto entity = scope->from_stars(name))
            if (const Path* path = std::get_if<Path>(&*entity)) return {.path = path->name};
    return {.path = std::string(name)};
}

ModuleScope::Place ModuleScope::place_of(const ast::Expr& expr) const {
    if (const auto* name = expr.as<ast::Name>()) return place_of(name->id);
    const auto* attribute = expr.as<ast::Attribute>();
    if (!attribute) return {};
    const auto owner = evaluate(*attribute->value);
    if (const auto* scope = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr; scope && !(*scope)->is_object_)
        return (*scope)->is_declared(attribute->attr) ? (*scope)->place_of(attribute->attr) : Place();
    Place place = place_of(*attribute->value);
    // `cuda = numba.cuda`.
    const bool is_variable = place.declaration && place.declaration->as<Variable>();
    if (const Path* path = owner && (place.bound || is_variable) ? std::get_if<Path>(&*owner) : nullptr)
        place = {.path = path->name};
    if (place.scope || place.path.empty()) return {};
    std::string path = place.path + "." + std::string(attribute->attr);
    if (path.starts_with("numba.")) path.erase(0, 6);
    return {.path = std::move(path)};
}

std::string ModuleScope::path_of(const ast::Expr& expr) const { return place_of(expr).path; }

// Follows a decorator to `cuda.jit` or its like; the calls on the way, outermost first, say its options.
std::string ModuleScope::follow_decorator(const ast::Expr& expr, std::vector<DecoratorCall>& calls) const {
    if (calls.size() > kLongestTrail) return "";
    if (const auto* call = expr.as<ast::Call>()) {
        const bool partial = !call->args.empty() && path_of(*call->func) == "functools.partial";
        calls.push_back({{call, this}, partial ? size_t(1) : 0});
        return follow_decorator(partial ? *call->args[0] : *call->func, calls);
    }
    if (const auto* choice = expr.as<ast::IfExp>()) {
        const auto test = constant(*choice->test);
        return test ? follow_decorator(truth(*test) ? *choice->body : *choice->orelse, calls) : "";
    }
    if (const auto* lambda = expr.as<ast::Lambda>()) {
        const ast::Call* call = wrapped_call(*lambda->args, lambda->body);
        if (!call) return "";
        calls.push_back({{call, this}, 1});
        return follow_decorator(*call->func, calls);
    }
    const Place place = place_of(expr);
    if (!place.scope) return place.path;
    const Path* path = place.bound ? std::get_if<Path>(place.bound) : nullptr;
    const auto* decoration = place.bound ? std::get_if<Decoration>(place.bound) : nullptr;
    const FunctionInfo* const* given = place.bound ? std::get_if<const FunctionInfo*>(place.bound) : nullptr;
    if (path) return path->name;
    if (decoration) return decoration->scope->follow_decorator(*decoration->written, calls);
    FunctionInfo* const* declared = place.declaration ? place.declaration->as<FunctionInfo*>() : nullptr;
    if (const FunctionInfo* function = given ? *given : declared ? *declared : nullptr) {
        const ast::Call* call = wrapped_call(*function);
        if (!call) return "";
        calls.push_back({{call, function->scope}, 1});
        return function->scope->follow_decorator(*call->func, calls);
    }
    std::string found;
    place.scope->of_definition(place.name, [&](const ast::Expr& written) -> std::optional<bool> {
        found = place.scope->follow_decorator(written, calls);
        return true;
    });
    return found;
}

bool ModuleScope::is_decorator(const ast::Expr& expr) const {
    std::vector<DecoratorCall> calls;
    // `cuda.jit(device=True)(f)`, and `def device_jit(f): return cuda.jit(device=True)(f)`: calls that make a function.
    const auto* called = expr.as<ast::Call>();
    const auto* inner = called ? called->func->as<ast::Call>() : nullptr;
    if (inner && find_decorator(path_of(*inner->func))) return false;
    const FunctionInfo* by = called && called->func->as<ast::Name>() ? function_in(evaluate(*called->func)) : nullptr;
    const ast::Call* applied = by && by->kind == FunctionKind::plain ? wrapped_call(*by) : nullptr;
    if (applied && applied->func->as<ast::Call>()) return false;
    return find_decorator(follow_decorator(expr, calls)) != nullptr;
}

// Other decorators say nothing.
void ModuleScope::decorate(FunctionInfo& info, const ast::Expr& decorator, std::vector<DecoratorCall> calls) const {
    const std::string path = follow_decorator(decorator, calls);
    const Decorator* known = find_decorator(path);
    if (!known) return;
    info.kind = known->kind;
    info.array = known->array;
    info.is_for_host = known->is_for_host;
    std::vector<FunctionInfo::Decorating> said;
    const auto signed_by = [&](const ast::Expr& written, const ModuleScope* scope) {
        info.signatures = &written;
        info.signature_scope = scope;
        info.signed_at = scope->now();
    };
    for (const DecoratorCall& one : calls) {
        const ast::Call& call = *one.decorating.call;
        // Of `guvectorize` the layout comes behind the signatures, or alone; of `stencil` there is only the mode.
        const bool has_text = (info.array == ArrayKind::gufunc || info.array == ArrayKind::stencil) &&
                              call.args.size() > one.first_argument;
        if (has_text && !info.array_text) {
            info.array_text = call.args.back();
            info.text_scope = one.decorating.scope;
        }
        const bool has_signatures = info.array != ArrayKind::stencil;
        // `guvectorize(*args)`: both are in it.
        const bool has_both = has_text && has_signatures && call.args.back()->as<ast::Starred>();
        const ast::Expr* first =
            call.args.size() > one.first_argument + (has_text && !has_both) ? call.args[one.first_argument] : nullptr;
        // `*args` of a wrapper may have none, or the function itself.
        const auto* rest = first ? first->as<ast::Starred>() : nullptr;
        const auto all = rest ? one.decorating.scope->constant(*rest->value) : std::nullopt;
        const auto items = all ? items_of(*all) : std::nullopt;
        const bool has_none = items && (items->empty() || items->front().as<const FunctionInfo*>());
        if (has_signatures && first && !has_none && !info.signatures)
            signed_by(items && !has_both ? *rest->value : *first, one.decorating.scope);
        for (const ast::Keyword& keyword : call.keywords) {
            if (keyword.arg.empty() && says_device(*one.decorating.scope, *keyword.value))
                info.kind = FunctionKind::device;
            if (keyword.arg == "device" && is_true(*one.decorating.scope, *keyword.value))
                info.kind = FunctionKind::device;
            if (keyword.arg == "parallel" && is_true(*one.decorating.scope, *keyword.value)) info.is_parallel = true;
            const bool is_signature =
                keyword.arg == "signature" || keyword.arg == "argtypes" ||
                (keyword.arg == "func_or_sig" && !function_in(one.decorating.scope->evaluate(*keyword.value)));
            if (is_signature && !info.signatures) signed_by(*keyword.value, one.decorating.scope);
        }
        said.insert(said.begin(), one.decorating);
    }
    if (info.array != ArrayKind::none) {
        info.divides_as_numpy = info.array != ArrayKind::stencil;
        // Of `vectorize(target="cuda")(f)` the options are those of the inner call.
        for (const FunctionInfo::Decorating& one : said) {
            if (!info.array_decorator || info.array_decorator->keywords.empty()) info.array_decorator = one.call;
            info.options.fastmath |= says_fastmath(one);
        }
        return;
    }
    // Findings are reported when the function is compiled.
    Diagnostics later;
    const DecoratorOptions options = read_options(said, info.is_for_host, later);
    info.options = options.compile;
    info.always_inline = options.always_inline;
    info.divides_as_numpy = options.divides_as_numpy;
    info.debug = options.compile.debug;
    if (known->has_options) info.decorators = std::move(said);
}

std::vector<ModuleScope::Misspelt> ModuleScope::misspelt_decorators() const {
    std::vector<Misspelt> found;
    for (const FunctionInfo* info : order_)
        for (const ast::Expr* decorator : info->def->decorator_list) {
            std::vector<DecoratorCall> calls;
            const std::string path = follow_decorator(*decorator, calls);
            if (find_decorator(path) || !path.starts_with("cuda.")) continue;
            if (std::string near = nearest_decorator(path); !near.empty())
                found.push_back({decorator->span, path, std::move(near)});
        }
    return found;
}

std::vector<const FunctionInfo*> ModuleScope::with_lost_decorators() const {
    std::vector<const FunctionInfo*> found;
    std::ranges::copy_if(order_, std::back_inserter(found), &FunctionInfo::lost_decorator);
    return found;
}

// `cuda.jit(f)`, `cuda.jit("void(…)", device=True)(f)`, `cuda.jit(func_or_sig=f)`: a function of its own.
std::optional<Entity> ModuleScope::decorated(const ast::Call& node) const {
    const ast::Expr* given = node.args.size() == 1 ? node.args[0] : nullptr;
    const auto* rest = given ? given->as<ast::Starred>() : nullptr;
    const auto all = rest ? constant(*rest->value) : std::nullopt;
    const auto items = all ? items_of(*all) : std::nullopt;
    if (rest && (!items || items->size() != 1)) return std::nullopt;
    if (node.args.empty())
        for (const ast::Keyword& keyword : node.keywords)
            if (keyword.arg == "func_or_sig") given = keyword.value;
    if (!given) return std::nullopt;
    FunctionInfo said;
    decorate(said, *node.func, {{{&node, this}, 1}});
    if (said.kind == FunctionKind::plain) return std::nullopt;
    const FunctionInfo* plain = function_in(items ? to_entity(items->front()) : evaluate(*given));
    if (!plain) return std::nullopt;
    auto& slot = running_ ? shared_->made_again.emplace_back() : shared_->made[{&node, this}];
    if (!slot) {
        slot = std::make_unique<FunctionInfo>(*plain);
        slot->kind = said.kind;
        slot->always_inline = said.always_inline;
        slot->divides_as_numpy = said.divides_as_numpy;
        slot->debug = said.debug;
        slot->options = said.options;
        slot->decorators = said.decorators;
        slot->array = said.array;
        slot->array_decorator = said.array_decorator;
        slot->array_text = said.array_text;
        slot->text_scope = said.text_scope;
        slot->is_for_host = said.is_for_host;
        slot->is_parallel = said.is_parallel;
        slot->signatures = said.signatures;
        slot->signature_scope = said.signature_scope;
        slot->signed_at = said.signed_at;
        slot->is_made = true;
        // With signatures it is compiled here, with what the file's names stand for by now.
        if (owned_ && plain->scope == this && now() != SIZE_MAX) slot->at = now();
        if (slot->kind == FunctionKind::kernel) shared_->made_kernels.push_back(slot.get());
    }
    return slot.get();
}

// It runs with types for arguments, as Numba calls it, and returns the function for these.
const FunctionInfo* ModuleScope::overload_of(const FunctionInfo& info, std::span<const Type> types) const {
    if (const FunctionInfo* made = overload_in(*info.scope, info, types)) return made;
    const ModuleScope* main = this;
    while (main->parent_) main = main->parent_;
    if (const FunctionInfo* made = overload_in(*main, info, types)) return made;
    for (const auto& [module, scope] : shared_->files)
        if (const FunctionInfo* made = overload_in(*scope, info, types)) return made;
    return nullptr;
}

const FunctionInfo* ModuleScope::overload_in(const ModuleScope& scope, const FunctionInfo& info,
                                             std::span<const Type> types) const {
    for (const auto& candidate : scope.functions_)
        for (const ast::Expr* decorator : candidate->def->decorator_list) {
            const auto* call = decorator->as<ast::Call>();
            if (!call || call->args.empty() || !scope.path_of(*call->func).ends_with("extending.overload")) continue;
            if (function_in(scope.evaluate(*call->args[0])) != &info) continue;
            std::string key = "overload";
            HostArguments arguments;
            for (const Type type : types) {
                key += " " + type.name();
                arguments.values.emplace_back(TypeName{type});
            }
            auto& slot = shared_->lifted[{candidate->def, &scope, key}];
            if (slot) return slot.get();
            const bool running = std::exchange(scope.running_, true);  // each call is another one
            const ModuleScope* run = scope.run_of(*candidate, decorator, std::move(arguments));
            scope.running_ = running;
            const FunctionInfo* made = run ? function_in(run->returned_value_) : nullptr;
            if (!made) continue;
            slot = std::make_unique<FunctionInfo>(*made);
            slot->kind = FunctionKind::device;
            slot->name = info.name;
            return slot.get();
        }
    return nullptr;
}

// One of the user's own.
bool ModuleScope::Shared::is_class_or_object(const std::optional<Entity>& value) {
    const auto* scope = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    return scope && (*scope)->parent_;
}

// Whether a decorator of the user's own makes another function of it. Those of other packages (a profiler's, Numba's)
// are taken to leave the value alone.
bool ModuleScope::is_replaced(const FunctionInfo& info) const {
    if (info.is_undecorated) return false;
    const Then then(*info.scope, info.at);
    return std::ranges::any_of(info.def->decorator_list,
                               [&](const ast::Expr* decorator) { return info.scope->replaces(*decorator); });
}

bool ModuleScope::replaces(const ast::Expr& decorator) const {
    const auto by = evaluate(decorator);
    const FunctionInfo* function = function_in(by);
    if (function) return function->kind == FunctionKind::plain && !gives_back(*function->def);
    return Shared::is_class_or_object(by);
}

// What the decorators of a `def` make of what they are given, which is that function; nullopt: that is not known.
std::optional<Entity> ModuleScope::decorated_in_turn(const FunctionInfo& given) const {
    Entity made = &given;
    for (size_t i = given.def->decorator_list.size(); i-- > 0;) {
        const ast::Expr& decorator = *given.def->decorator_list[i];
        const FunctionInfo* plain = function_in(made);
        if (std::vector<DecoratorCall> calls; find_decorator(follow_decorator(decorator, calls))) {
            if (!plain || plain->kind != FunctionKind::plain) return std::nullopt;
            auto& slot = shared_->made_again.emplace_back(std::make_unique<FunctionInfo>(*plain));
            decorate(*slot, decorator);
            made = slot.get();
            continue;
        }
        if (const FunctionInfo* compiled = plain ? Shared::compiled_by_object(*this, decorator, *plain) : nullptr) {
            made = compiled;
            continue;
        }
        const auto value = evaluate(decorator);
        if (const auto* decoration = plain && value ? std::get_if<Decoration>(&*value) : nullptr) {
            // `@options(fastmath=True)`, where `options` returns `cuda.jit(fastmath=fastmath)`.
            auto& slot = shared_->made_again.emplace_back(std::make_unique<FunctionInfo>(*plain));
            decoration->scope->decorate(*slot, *decoration->written);
            made = slot.get();
            continue;
        }
        const FunctionInfo* by = function_in(value);
        std::optional<Entity> result;
        if (Shared::is_class_or_object(value)) {
            const ModuleScope& of = *std::get<const ModuleScope*>(*value);
            result = of.is_object_ ? Shared::called_object(*this, of, &decorator, {.values = {made}})
                                   : object(of, &decorator, {.values = {made}});
        } else if (by && by->kind == FunctionKind::plain) {
            const ModuleScope* run = run_of(*by, &decorator, {.values = {made}});
            result = run ? run->returned_value_ : std::nullopt;
        } else if (!by) {
            continue;  // of another package
        }
        if (!result) return std::nullopt;
        made = *std::move(result);
    }
    return made;
}

// What decorators made of a function, where that is compiled, or an object; nullopt: it is called as it is.
std::optional<Entity> ModuleScope::compiled_or_object(const FunctionInfo& info, const Entity& made) const {
    const FunctionInfo* compiled = function_in(made);
    if (!compiled && Shared::is_instance_object(made)) return made;
    if (!compiled || compiled->kind == FunctionKind::plain) return std::nullopt;
    auto* named = const_cast<FunctionInfo*>(compiled);
    named->is_made = runs_;
    if (!runs_) named->name = info.name;
    return made;
}

// What a call of a function calls that decorators of the user's own replaced; null: that is not known.
const FunctionInfo* ModuleScope::replacement_of(const FunctionInfo& info) const {
    const auto [slot, is_new] = shared_->replacements.try_emplace(&info, nullptr);
    if (!is_new) return slot->second;
    auto& given = shared_->made_again.emplace_back(std::make_unique<FunctionInfo>(info));
    given->is_undecorated = true;
    const Then then(*info.scope, info.at);
    const bool running = std::exchange(info.scope->running_, true);  // what it runs for the `def` is another call
    const FunctionInfo* made = function_in(info.scope->decorated_in_turn(*given));
    info.scope->running_ = running;
    return shared_->replacements[&info] = made;
}

}  // namespace pyk
