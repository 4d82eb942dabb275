// Iterators in module code: functions with `yield`, which run to their end when they are called, and what takes items
// of an iterator.
#include "module/free_names.h"
#include "module/host_iterators.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

struct Found {
    size_t all = 0, alone = 0;
};

void count_yields(const ast::Expr& expr, Found& found) {
    if (expr.as<ast::Yield>() || expr.as<ast::YieldFrom>()) ++found.all;
    for_each_child(expr, [&](const ast::Expr& child) { count_yields(child, found); });
}

void count_yields(const ast::Block& body, Found& found) {
    for_each_stmt(body, [&](const ast::Stmt& stmt) {
        for_each_computed(stmt, [&](const ast::Expr& expr) { count_yields(expr, found); });
        const auto* alone = stmt.as<ast::ExprStmt>();
        if (alone && (alone->value->as<ast::Yield>() || alone->value->as<ast::YieldFrom>())) ++found.alone;
    });
}

Found yields_in(const FunctionInfo& info) {
    Found found;
    if (info.span.text().find("yield") != std::string_view::npos) count_yields(info.def->body, found);
    return found;
}

/// How often a name is used, how often by `next`, and how often in loops; and how often it is given what a call or a
/// generator expression makes.
struct Uses {
    size_t all = 0, by_next = 0, in_loops = 0, made = 0;
};

void count_uses(const ast::Block& body, std::string_view name, Uses& uses) {
    for (const ast::Stmt* stmt : body) {
        const auto look = [&](const ast::Expr& expr) {
            for_each_name(expr, [&](std::string_view used) { uses.all += used == name; });
            for_each_call(expr, [&](const ast::Call& call) {
                const ast::Expr* of = taken_by_next(call);
                uses.by_next += of && of->as<ast::Name>() && of->as<ast::Name>()->id == name;
            });
        };
        for_each_computed(*stmt, look);
        if (const auto* assign = stmt->as<ast::Assign>()) {
            const auto* target = assign->targets.size() == 1 ? assign->targets[0]->as<ast::Name>() : nullptr;
            const bool is_made = assign->value->as<ast::Call>() || assign->value->as<ast::GeneratorExp>();
            uses.made += target && target->id == name && is_made;
        }
        const auto inside = [&](const ast::Block& inner) { count_uses(inner, name, uses); };
        if (const auto* node = stmt->as<ast::FunctionDef>()) {
            for (const ast::Expr* value : node->args->defaults) look(*value);
            const auto free = free_names(*node);
            if (std::ranges::find(free, name) != free.end()) inside(node->body);
        }
        if (const auto* node = stmt->as<ast::ClassDef>()) inside(node->body);
        const size_t before = uses.all;
        for_each_block(*stmt, inside);
        if (stmt->as<ast::For>() || stmt->as<ast::While>()) uses.in_loops += uses.all - before;
    }
}

/// Whether the name is given one iterator, which is taken once.
bool is_taken_once(const ast::Block& body, std::string_view name) {
    Uses uses;
    count_uses(body, name, uses);
    return uses.made == 1 && uses.all == 1 && uses.in_loops == 0;
}

}  // namespace

bool ModuleScope::Shared::is_generator(const FunctionInfo& info) { return yields_in(info).all > 0; }

void ModuleScope::Shared::begin_yields(const ModuleScope& run, const FunctionInfo& info) {
    const Found found = yields_in(info);
    if (found.all == 0) return;
    // What it is sent, and when it changes something, is not followed.
    Yields& yields = run.shared_->yields[&run];
    yields.is_lost = found.alone != found.all || !run.changes_of(info).empty();
}

void ModuleScope::Shared::lose_yields(const ModuleScope& run) {
    if (const auto known = run.shared_->yields.find(&run); known != run.shared_->yields.end())
        known->second.is_lost = true;
}

// A statement `yield x` or `yield from iterable` of a body that runs; false: it is another one.
bool ModuleScope::Shared::yield(ModuleScope& run, const ast::Expr& value) {
    const auto* one = value.as<ast::Yield>();
    const auto* all = value.as<ast::YieldFrom>();
    if (!one && !all) return false;
    Yields& yields = run.shared_->yields[&run];
    if (!run.certain_) return yields.is_lost = true;
    std::optional<Coming> more;
    if (all) {
        const auto from = taken(run, *all->value);
        more = from ? coming_of(*from) : std::nullopt;
    } else {
        const auto item = one->value ? element(run, *one->value) : Const{Const::None(), {}};
        if (item) more = Coming{{*item}};
    }
    std::vector<Const>& items = yields.coming.items;
    if (more) items.insert(items.end(), more->items.begin(), more->items.end());
    yields.coming.is_endless = !more || more->is_endless || items.size() > kMostYields;
    if (yields.coming.is_endless) run.flow_ = Flow::returned;  // nobody asks for what comes behind
    return true;
}

// What a call of a function gives once its body has run.
std::optional<Entity> ModuleScope::Shared::result_of(const ModuleScope& run) {
    const auto known = run.shared_->yields.find(&run);
    if (known != run.shared_->yields.end()) {
        const Yields yields = std::move(known->second);
        run.shared_->yields.erase(known);
        const bool is_lost = yields.is_lost || run.shared_->steps > kMostSteps;
        return is_lost ? std::nullopt : std::optional<Entity>(iterator_of(yields.coming));
    }
    return run.flow_ == Flow::on ? std::optional<Entity>(Const{Const::None{}, {}}) : run.returned_value_;
}

// Whether an iterator has all of its items there: it has no name, or it was made for that name, by whom the name
// belongs to, and this is its only use.
bool ModuleScope::Shared::has_all_items(const ModuleScope& scope, const ast::Expr& iterator) {
    const auto* name = iterator.as<ast::Name>();
    if (!name) return !root_of(iterator);
    return scope.own(name->id) && is_taken_once(scope.def_ ? scope.def_->body : scope.file_->body, name->id);
}

// What takes all items of an expression gets. An iterator that has a name would not have them the next time.
std::optional<Const> ModuleScope::Shared::taken(const ModuleScope& scope, const ast::Expr& iterable) {
    const auto value = scope.evaluate(iterable);
    return value ? taken(scope, iterable, *value) : std::nullopt;
}

std::optional<Const> ModuleScope::Shared::taken(const ModuleScope& scope, const ast::Expr& iterable,
                                                const Entity& value) {
    const auto all = iterated(value);
    if (!all || !is_iterator(*all)) return all ? all : to_const(value);
    return has_all_items(scope, iterable) ? std::optional(as_whole(*all)) : std::nullopt;
}

// The same for the arguments of a call of Python's or of the library's. False: one is an iterator that has a name.
bool ModuleScope::Shared::take_arguments(const ModuleScope& scope, const ast::Call& call, HostArguments& arguments) {
    for (size_t i = 0; i < arguments.values.size(); ++i) {
        const auto known = arguments.values[i] ? to_const(*arguments.values[i]) : std::nullopt;
        if (!known || !is_iterator(*known)) continue;
        const bool is_written = i < call.args.size() && arguments.values.size() == call.args.size();
        if (!is_written || !has_all_items(scope, *call.args[i])) return false;
        arguments.values[i] = as_whole(*known);
    }
    return true;
}

// Whether it calls a function of the file under `@contextlib.contextmanager`.
bool ModuleScope::Shared::is_context(const ModuleScope& scope, const ast::Call& call) {
    const auto* name = call.func->as<ast::Name>();
    const FunctionInfo* info = name ? function_in(scope.lookup(name->id)) : nullptr;
    return info && info->def->decorator_list.size() == 1 &&
           scope.path_of(*info->def->decorator_list[0]) == "contextlib.contextmanager";
}

// `with f(3) as x:` of such a function: what it yields.
void ModuleScope::assign_context(const ast::Expr& target, const ast::Expr& call) {
    const Item first;
    if (!runs_) return assign(target, &call, {first});
    store(target, certain_ ? part(call, {&first, 1}) : std::nullopt);
}

// `next(counter)`, of a name that nothing but `next` uses; what the name has then is another iterator.
std::optional<Entity> ModuleScope::Shared::next_of(ModuleScope& scope, const ast::Call& call) {
    const ast::Expr& place = *call.args[0];
    const auto* name = place.as<ast::Name>();
    const auto held = name ? scope.constant(place) : std::nullopt;
    const auto coming = held && is_iterator(*held) ? coming_of(*held) : std::nullopt;
    Uses uses;
    if (coming) count_uses(scope.file_->body, name->id, uses);
    const bool is_known = coming && scope.certain_ && uses.all == uses.by_next;
    if (is_known && coming->items.empty() && !coming->is_endless)
        return call.args.size() == 2 ? scope.evaluate(*call.args[1]) : std::nullopt;
    if (!is_known || coming->items.empty()) {
        scope.change(place, held, std::nullopt);
        return std::nullopt;
    }
    Coming rest{{coming->items.begin() + 1, coming->items.end()}, coming->is_endless};
    scope.change(place, held, iterator_of(std::move(rest)));
    return to_entity(coming->items.front());
}

}  // namespace pyk
