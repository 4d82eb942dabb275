// Bodies that run: functions of the host that are called, and statements of a file whose effect somebody asks for.
// Names get their values in the order of the statements; what is not known makes unknown what depends on it.
#include <algorithm>
#include <cctype>

#include "module/foreign.h"
#include "module/free_names.h"
#include "module/host_defaults.h"
#include "module/host_functions.h"
#include "module/host_sets.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr int kMostRounds = 100000;

/// `np.fill_diagonal(matrix, value)`.
std::optional<Const> with_diagonal(const Const& matrix, const Const& value) {
    const auto* array = matrix.as<Const::Array>();
    if (!array || (*array)->table.shape.size() != 2) return std::nullopt;
    ConstArray changed = **array;
    const int64_t rows = changed.table.shape[0], columns = changed.table.shape[1];
    for (int64_t i = 0; i < std::min(rows, columns); ++i)
        if (!set_item(changed, i * columns + i, value)) return std::nullopt;
    return Const{std::make_shared<const ConstArray>(std::move(changed)), {}};
}

}  // namespace

Entity named(std::string_view name, const Entity& value, Span span) {
    const Const* constant = std::get_if<Const>(&value);
    if (const auto* other = std::get_if<NamedConst>(&value)) constant = &other->value;
    return constant ? Entity(NamedConst{std::string(name), *constant, span}) : value;
}

// A list or a dict after `del value[at]`.
std::optional<Const> ModuleScope::Shared::without(const ModuleScope& scope, const Const& value, const ast::Expr& at) {
    if (const auto* list = value.as<Const::List>()) {
        std::vector<Const> items = (*list)->items;
        const auto count = static_cast<int64_t>(items.size());
        std::vector<bool> goes(items.size());
        if (const auto* slice = at.as<ast::Slice>()) {
            const auto bounds = slice_bounds(scope, *slice);
            if (!bounds || bounds->step == 0) return std::nullopt;
            const SlicedAxis axis = sliced(*bounds, count);
            for (int64_t i = 0; i < axis.count; ++i) goes[static_cast<size_t>(axis.first + i * axis.step)] = true;
        } else {
            const auto index = scope.constant(at);
            const auto place = index ? to_int(*index) : std::nullopt;
            if (!place || *place < -count || *place >= count) return std::nullopt;
            goes[static_cast<size_t>(*place < 0 ? *place + count : *place)] = true;
        }
        std::vector<Const> rest;
        for (size_t i = 0; i < items.size(); ++i)
            if (!goes[i]) rest.push_back(items[i]);
        return list_of(std::move(rest));
    }
    const auto key = value.as<Const::Dict>() ? scope.constant(at) : std::nullopt;
    return key && item_at(value, *key) ? after_method(value, "pop", {&*key, 1}) : std::nullopt;
}

// What a loop or an assignment of the file makes of the names as they are before it.
const ModuleScope& ModuleScope::ran(const ast::Stmt& stmt) const {
    auto& slot = shared_->runs[{&stmt, this}];
    if (!slot) {
        slot.reset(new ModuleScope(*shared_, file_, this, {}));
        slot->runs_ = slot->running_ = true;
        if (const auto seen = shared_->seen_by.find({&stmt, this}); seen != shared_->seen_by.end())
            shared_->give(*slot, *this, seen->second);
        Shared::note_forgetful(*slot, stmt.span.text());
        shared_->running.push_back({this, slot.get(), true, {}});
        slot->declare(stmt);
        shared_->running.pop_back();
        slot->running_ = false;
    }
    return *slot;
}

// `d[k] += 1`, `d[k].append(x)` of a `defaultdict`: the key is there from now on.
void ModuleScope::Shared::add_default(ModuleScope& run, const ast::Expr& place) {
    const auto* item = place.as<ast::Subscript>();
    if (!item || !run.certain_) return;
    add_default(run, *item->value);
    const auto dict = run.constant(*item->value);
    const auto value = dict ? default_of(*dict) : std::nullopt;
    const auto key = value ? run.constant(*item->slice) : std::nullopt;
    if (key && !item_at(*dict, *key)) run.change(*item->value, dict, with_item(*dict, *key, *value));
}

// `body.__name__ = f"body_{n}"`, of a function that the body defines: so is its kernel called. false: it is another.
bool ModuleScope::Shared::name_function(const ModuleScope& scope, const ast::Expr& function,
                                        const std::optional<Const>& name) {
    const FunctionInfo* info = function_in(scope.evaluate(function));
    if (!info || info->scope != &scope) return false;
    const auto* text = name ? name->as<std::string>() : nullptr;
    if (!text || text->empty()) return true;
    auto* made = const_cast<FunctionInfo*>(info);
    made->name = *text;
    for (char& c : made->name)
        if (static_cast<unsigned char>(c) < 0x80 && !std::isalnum(static_cast<unsigned char>(c))) c = '_';
    if (std::isdigit(static_cast<unsigned char>(made->name[0]))) made->name.insert(0, 1, '_');
    made->is_named = true;
    return true;
}

// The value of a name that a body has which runs now; null: none does.
const ModuleScope* ModuleScope::Shared::running_value(const ModuleScope& of, std::string_view name) {
    const auto& all = of.shared_->running;
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        const bool is_of_it = at->of == &of && at->by != &of && at->by->names_.contains(name);
        if (is_of_it && (at->has_all || std::ranges::find(at->names, name) != at->names.end())) return at->by;
    }
    return nullptr;
}

// `a[0], a[1] = a[1], a[0]` of rows of an array: the second store sees what the first one did.
bool ModuleScope::Shared::stores_over_views(const ModuleScope& scope, const ast::Expr& targets,
                                            const ast::Expr& values) {
    bool has_view = false, has_place = false;
    for_each_place(targets, [&](const ast::Expr& place) { has_place = has_place || place.as<ast::Subscript>(); });
    if (!has_place) return false;
    const NamesOfFile file = scope.shared_->names_of_file(scope);
    for_each_place(values, [&](const ast::Expr& value) {
        Sharing sources(scope, file, scope.shared_->returning[&scope], true);
        if (!value.as<ast::Name>()) sources.add(value);
        const auto known = sources.names.empty() ? std::nullopt : scope.constant(value);
        has_view = has_view || (known && memory_of(*known));
    });
    return has_view;
}

bool ModuleScope::run(const ast::Stmt& stmt) {
    const bool is_run = run_alone(stmt);
    std::vector<const ast::Expr*> read;
    Shared::add_read_defaults(*this, stmt, read);
    for (const ast::Expr* place : read) change(*place, constant(*place), std::nullopt);
    return is_run;
}

// Without what it may leave in a dict by reading it.
bool ModuleScope::run_alone(const ast::Stmt& stmt) {
    if (++shared_->steps > kMostSteps) return give_up(), true;
    if (const auto* node = stmt.as<ast::Assign>()) return run_assign(node->targets, *node->value), true;
    if (const auto* node = stmt.as<ast::AnnAssign>()) {
        if (node->value) run_assign({&node->target, 1}, *node->value);
        return true;
    }
    if (const auto* node = stmt.as<ast::AugAssign>()) {
        Shared::add_default(*this, *node->target);
        return run_in_place(*node->target, node->op, *node->value), true;
    }
    if (stmt.as<ast::For>() || stmt.as<ast::While>()) return run_loop(stmt), true;
    if (const auto* node = stmt.as<ast::ExprStmt>()) return run_expression(*node->value), true;
    if (const auto* node = stmt.as<ast::Delete>()) {
        for (const ast::Expr* target : node->targets) {
            const auto* item = target->as<ast::Subscript>();
            if (!item) return forget(stmt), true;
            const auto before = constant(*item->value);
            change(*item->value, before,
                   before && certain_ ? Shared::without(*this, *before, *item->slice) : std::nullopt);
        }
        return true;
    }
    if (stmt.as<ast::Break>()) return leave(Flow::leave_loop), true;
    if (stmt.as<ast::Continue>()) return leave(Flow::next_round), true;
    if (const auto* node = stmt.as<ast::Return>()) {
        // A return that may or may not be reached leaves the result unknown.
        returned_ = certain_ ? node->value : nullptr;
        if (!certain_) Shared::lose_yields(*this);
        if (certain_) returned_value_ = node->value ? Shared::made_by(*this, *node->value) : Const{Const::None{}, {}};
        flow_ = Flow::returned;
        return true;
    }
    if (stmt.as<ast::Raise>()) {
        Shared::lose_yields(*this);
        if (certain_) flow_ = Flow::returned;
        return true;
    }
    return false;
}

// Nothing is known any more.
void ModuleScope::give_up() {
    names_.clear();
    bindings_.clear();
    returned_ = nullptr;
    returned_value_.reset();
    flow_ = Flow::returned;
}

void ModuleScope::leave(Flow flow) {
    if (certain_) {
        flow_ = flow;
    } else if (loop_runs_) {  // in this round or in another
        loop_is_lost_ = true;
        flow_ = Flow::leave_loop;
    }
}

void ModuleScope::run_loop(const ast::Stmt& stmt) {
    const auto* loop = stmt.as<ast::For>();
    const auto* repeated = stmt.as<ast::While>();
    const ast::Block& body = loop ? loop->body : repeated->body;
    const ast::Block& orelse = loop ? loop->orelse : repeated->orelse;
    const auto over = loop && certain_ ? Shared::taken(*this, *loop->iter) : std::nullopt;
    const auto items = over ? coming_of(*over) : std::nullopt;
    // What the loop changes may be what it goes over, or an item of that.
    std::string_view going;
    if (items && (root_of(*loop->iter) || std::ranges::any_of(items->items, can_change))) {
        const bool is_whole = over->as<Const::List>() || over->as<Const::Tuple>();
        going = *shared_->texts.insert(fmt::format("loop {}", loop->iter->span.begin)).first;
        add(going, {clock_, named(going, is_whole ? *over : Const{items->items, {}}, {})});
    }
    const auto going_items = [&]() -> const std::vector<Const>* {
        if (going.empty()) return &items->items;
        const auto* entity = names_[going].back().as<Entity>();
        const auto* now = entity ? std::get_if<NamedConst>(entity) : nullptr;
        const auto* list = now ? now->value.as<Const::List>() : nullptr;
        return list ? &(*list)->items : now ? now->value.as<Const::Tuple>() : nullptr;
    };
    const bool certain = certain_;
    const bool outer_runs = std::exchange(loop_runs_, certain && (items || repeated));
    const bool outer_lost = std::exchange(loop_is_lost_, false);
    bool broken = false;
    for (size_t round = 0; loop_runs_ && !broken; ++round) {
        const std::vector<Const>* const all = items ? going_items() : nullptr;
        if (items && (!all || round >= all->size())) {
            loop_is_lost_ = !all || items->is_endless;
            break;
        }
        if (repeated) assign_inside(stmt);
        const auto test = repeated ? constant(*repeated->test) : std::nullopt;
        if (repeated && test && !truth(*test)) break;
        if ((repeated && !test) || round == kMostRounds || flow_ == Flow::returned) {
            loop_is_lost_ = true;
            break;
        }
        ++clock_;  // what the round before made keeps the names that it saw
        if (items) Shared::note_views(*this, *loop->target, *loop->iter, to_entity((*all)[round]));
        if (items) store(*loop->target, to_entity((*all)[round]));
        declare(body);
        if (flow_ == Flow::returned) break;
        broken = flow_ == Flow::leave_loop;
        flow_ = Flow::on;
    }
    if (!going.empty()) names_.erase(going);
    const bool is_known = loop_runs_ && !loop_is_lost_;
    loop_runs_ = outer_runs && is_known;
    if (!is_known && flow_ != Flow::returned) {
        certain_ = false;
        if (loop) {
            Shared::note_views(*this, *loop->target, *loop->iter, std::nullopt);
            store(*loop->target, std::nullopt);
        }
        declare(body);
        forget(stmt);
    }
    if (!broken && flow_ == Flow::on) declare(orelse);
    certain_ = certain;
    loop_runs_ = outer_runs;
    loop_is_lost_ = outer_lost;
}

void ModuleScope::forget(const ast::Stmt& stmt) {
    for (const auto& [name, at] : changed_names(stmt)) add(name, {clock_, Variable{.span = at->span}});
}

// --- assignments ---
void ModuleScope::run_assign(ast::ExprList targets, const ast::Expr& value) {
    const auto* call = value.as<ast::Call>();
    if (const auto* name = targets[0]->as<ast::Name>(); call && name) {
        known_classes_.erase(std::string(name->id));
        declare_class(name->id, *call);
        if (const auto made = known_classes_.find(name->id); made != known_classes_.end())
            return add(name->id, {clock_, Entity(&made->second)});
    }
    // A method may change what its object has parts of.
    const ast::Expr* object = call ? Shared::object_called(*this, *call) : nullptr;
    const FunctionInfo* method = object ? function_in(evaluate(*call->func)) : nullptr;
    if (object && (!method || !Shared::is_still(*method))) Shared::lose_views(*this, *object, std::nullopt);
    const std::optional<Entity> known = certain_ ? Shared::made_by(*this, value) : std::nullopt;
    for (const ast::Expr* target : targets) {
        Shared::note_views(*this, *target, value, known);
        const auto* tuple = target->as<ast::Tuple>();
        const auto* name = target->as<ast::Name>();
        if (!known && name && certain_ && (Shared::copies_to_device(*this, value) || is_linked_code(*this, value))) {
            add(name->id, {clock_, Variable{.value = &value, .span = target->span}});
            continue;
        }
        if (known && (tuple || target->as<ast::ListExpr>())) {
            if (Shared::stores_over_views(*this, *target, value)) {
                for_each_place(*target, [&](const ast::Expr& place) { store(place, std::nullopt); });
                continue;
            }
            const auto items = Shared::taken(*this, value, *known);
            store(*target, items ? std::optional(to_entity(*items)) : std::nullopt);
            continue;
        }
        if (known || !tuple || !certain_) {
            store(*target, known);
            continue;
        }
        // Some of the items may be known.
        std::vector<std::optional<Entity>> parts;
        for (size_t i = 0; i < tuple->elts.size(); ++i) {
            const Item item{static_cast<int64_t>(i), {}};
            parts.push_back(part(value, {&item, 1}));
        }
        for (size_t i = 0; i < parts.size(); ++i) store(*tuple->elts[i], parts[i]);
    }
}

void ModuleScope::store(const ast::Expr& target, std::optional<Entity> value) {
    if (const auto* name = target.as<ast::Name>()) {
        if (value && certain_) return add(name->id, {clock_, named(name->id, *value, target.span)});
        return add(name->id, {clock_, Variable{.span = target.span}});
    }
    const auto known = value && certain_ ? to_const(*value) : std::nullopt;
    const auto* tuple = target.as<ast::Tuple>();
    const auto* list = target.as<ast::ListExpr>();
    if (tuple || list) {
        const ast::ExprList targets = tuple ? tuple->elts : list->elts;
        if (known) return store_items(targets, *known);
        for (const ast::Expr* one : targets) store(*one, std::nullopt);
    }
    if (const auto* starred = target.as<ast::Starred>()) store(*starred->value, std::nullopt);
    const auto* attribute = target.as<ast::Attribute>();
    if (attribute && attribute->attr == "__name__" && Shared::name_function(*this, *attribute->value, known)) return;
    const auto record = attribute ? constant(*attribute->value) : std::nullopt;
    if (record && memory_of(*record)) {  // `r.x = 1` is `r["x"] = 1`
        change(*attribute->value, record, known ? with_field(*record, attribute->attr, *known) : std::nullopt);
    } else if (attribute) {
        Shared::store_attribute(*this, *attribute->value, attribute->attr, value, target.span);
    }
    if (const auto* subscript = target.as<ast::Subscript>()) {
        if (const ast::Expr* object = Shared::object_with_attributes(*subscript->value)) {
            const auto key = constant(*subscript->slice);
            const auto* name = key ? key->as<std::string>() : nullptr;
            if (!name) return Shared::lose_objects(*this, {});
            return Shared::store_attribute(*this, *object, *shared_->texts.insert(*name).first, value, target.span);
        }
        const auto before = constant(*subscript->value);
        change(*subscript->value, before,
               before && known ? with_element(*this, *before, *subscript->slice, *known) : std::nullopt);
    }
}

void ModuleScope::store_items(ast::ExprList targets, const Const& value) {
    const auto items = items_of(value);
    const auto star = std::ranges::find_if(targets, [](const ast::Expr* e) { return e->as<ast::Starred>(); });
    const bool has_star = star != targets.end();
    const size_t least = targets.size() - (has_star ? 1 : 0);
    const bool fits = items && (has_star ? items->size() >= least : items->size() == least);
    const size_t rest = fits ? items->size() - least : 0;
    size_t next = 0;
    for (const ast::Expr* target : targets) {
        const auto* starred = target->as<ast::Starred>();
        if (!fits) {
            store(starred ? *starred->value : *target, std::nullopt);
        } else if (starred) {
            const auto first = items->begin() + static_cast<std::ptrdiff_t>(next);
            store(*starred->value, list_of({first, first + static_cast<std::ptrdiff_t>(rest)}));
            next += rest;
        } else {
            store(*target, to_entity((*items)[next++]));
        }
    }
}

// The value at a place has become another: for all names of that object. `after` nullopt: what it is, is not known.
void ModuleScope::change(const ast::Expr& place, const std::optional<Const>& before,
                         const std::optional<Const>& after) {
    if (const auto* named = place.as<ast::NamedExpr>()) return change(*named->target, before, after);
    Shared::lose_views(*this, place, before);
    // Whatever may be the same object: of these names the statement has got the values, and what called this the
    // arguments.
    const auto all = [](std::string_view) { return true; };
    const ast::Expr* root = root_of(place);
    if (!before) lose_given(all);
    if (!before && root && bindings_.contains(root->as<ast::Name>()->id))
        for (const Shared::Running& running : shared_->running) const_cast<ModuleScope&>(*running.by).lose_given(all);
    if (before) {
        const std::optional<Const>& now = certain_ ? after : std::nullopt;
        std::set<const ModuleScope*> seen;
        Shared::replace(*this, *before, now, root ? root->as<ast::Name>()->id : std::string_view(), seen);
        // What a variable of a function is a view of, the call's effects tell.
        const bool is_field = place.as<ast::Attribute>();
        for (const Shared::Running& running : shared_->running)
            Shared::replace(const_cast<ModuleScope&>(*running.by), *before, now, {}, seen, is_field);
    }
    if (const auto* subscript = place.as<ast::Subscript>()) {
        const auto outer = constant(*subscript->value);
        return change(*subscript->value, outer,
                      outer && after ? with_element(*this, *outer, *subscript->slice, *after) : std::nullopt);
    }
    if (!place.as<ast::Name>()) return store(place, after ? std::optional(to_entity(*after)) : std::nullopt);
    store(place, after ? std::optional(to_entity(*after)) : std::nullopt);
}

// What may have changed with an object of which nothing is known, of the names that this has got the values of.
void ModuleScope::lose_given(const std::function<bool(std::string_view)>& which) {
    for (auto& [name, declared] : names_) {
        const auto* entity = declared.front().at == 0 ? declared.back().as<Entity>() : nullptr;
        const auto value = entity ? to_const(*entity) : std::nullopt;
        if (value && is_object(*value) && which(name)) declared.push_back({clock_, Variable{}});
    }
}

// Of an unknown object at a place, changed: what the file may have of it by other names.
void ModuleScope::lose_sharing(const ast::Expr& place, bool of_arrays) {
    const ast::Expr* root = root_of(place);
    if (!root || !parent_) return;
    const std::string_view changed = root->as<ast::Name>()->id;
    const auto group = [&](std::string_view name) { return shared_->representative(*parent_, name, of_arrays); };
    lose_given([&](std::string_view name) { return name != changed && group(name) == group(changed); });
}

// `x += 1`, and `values += [1]`, which is the same list then.
void ModuleScope::run_in_place(const ast::Expr& target, ast::BinaryOp op, const ast::Expr& value) {
    const auto held = certain_ ? evaluate(target) : std::nullopt;
    if (held && Shared::is_instance_object(*held)) Shared::lose_objects(*this, {});  // by its class' own operator
    const auto before = constant_in(held);
    const auto operand = before ? constant(value) : std::nullopt;
    std::optional<Const> after;
    if (operand && before->as<Const::List>() && op == ast::BinaryOp::Add)
        after = after_method(*before, "extend", {&*operand, 1});
    else if (operand && is_set(*before) && is_set(*operand))
        after = apply_to_sets(op, *before, *operand);
    else if (operand && before->as<Const::Dict>() && !is_counter(*before) && op == ast::BinaryOp::BitOr)
        after = after_method(*before, "update", {&*operand, 1});
    else if (operand)
        after = apply_arrays(op, *before, *operand);
    const auto* array = before ? before->as<Const::Array>() : nullptr;
    const auto* made = array && after ? after->as<Const::Array>() : nullptr;
    if (made) {
        auto same_type = astype(**made, (*array)->type.element());
        const bool fits = same_type && same_type->table.shape == (*array)->table.shape;
        after =
            fits ? std::optional(Const{std::make_shared<const ConstArray>(std::move(*same_type)), {}}) : std::nullopt;
    }
    // Of an array the elements change: a part of it is no object that others have.
    const auto* part = target.as<ast::Subscript>();
    const auto whole = part ? constant(*part->value) : std::nullopt;
    const bool is_object = before && (before->as<Const::List>() || before->as<Const::Dict>() || array);
    if (is_object && !(whole && whole->as<Const::Array>())) return change(target, before, after);
    if (!before) Shared::lose_views(*this, target, std::nullopt);
    if (!held) lose_sharing(target, true);
    store(target, after ? std::optional(to_entity(*after)) : std::nullopt);
}

// --- calls for their effect ---
void ModuleScope::run_expression(const ast::Expr& value) {
    const auto* call = value.as<ast::Call>();
    if (Shared::yield(*this, value)) return;
    if (!call || Shared::add_argument(*this, *call) || Shared::update_fields(*this, *call)) return;
    const auto* called = call->func->as<ast::Attribute>();
    if (const ast::Call* item = filled_item(*call)) {
        // The dict has it now.
        const ast::Expr* const dict = item->func->as<ast::Attribute>()->value;
        const auto known = constant(*dict);
        if (known && known->as<Const::Dict>()) Shared::made_by(*this, *called->value);
        const ast::Expr place{called->value->span, ast::Subscript{dict, item->args[0]}};
        if (constant(place)) return run_method(*call, {&place, called->attr, called->attr_span});
        return change(place, std::nullopt, std::nullopt);
    }
    if (called) {
        Shared::add_default(*this, *called->value);
        if (const auto base = constant(*called->value)) return run_method(*call, *called);
    }
    if (called && changes_object(called->attr)) {
        Shared::lose_views(*this, *called->value, std::nullopt);
        if (!Shared::object_called(*this, *call)) {
            Shared::note_kept(*this, *called->value, *call);
            lose_sharing(*called->value, false);
        }
    }
    const ast::Expr* changed = changed_argument(*call);
    if (changed && !function_in(evaluate(*call->func))) {
        if (taken_by_next(*call) && root_of(*changed)) return void(Shared::next_of(*this, *call));
        const auto before = constant(*changed);
        const bool is_diagonal = last_name(*call->func) == "fill_diagonal" && call->args.size() == 2;
        const auto value = is_diagonal && call->keywords.empty() ? constant(*call->args[1]) : std::nullopt;
        return change(*changed, before, before && value ? with_diagonal(*before, *value) : std::nullopt);
    }
    const ast::Expr* object = Shared::object_called(*this, *call);
    if (sets_attribute(*call)) {
        const auto name = constant(*call->args[1]);
        const auto* text = name ? name->as<std::string>() : nullptr;
        if (text)
            return Shared::store_attribute(*this, *call->args[0], *shared_->texts.insert(*text).first,
                                           evaluate(*call->args[2]), call->args[1]->span);
    }
    // Of `b.add(3).add(4)` the first call would run again for each question about the second.
    const bool is_chain = object && called && called->value->as<ast::Call>();
    const auto callee = is_chain ? std::nullopt : evaluate(*call->func);
    const FunctionInfo* info = function_in(callee);
    if (!certain_) return;  // what it may change is lost
    if (Shared::constructor(*this, callee) || Shared::calls_unknown(*this, *call))
        return void(Shared::made_by(*this, value));
    if (info && info->kind == FunctionKind::plain) return run_call(*call);
    if (object) Shared::lose_changed(*this, *object);
    for (const Effect& effect : effects_of(*call)) {
        const auto before = constant(*effect.place);
        Shared::lose_changed(*this, *effect.place);
        if (before) Shared::lose_objects_in(*this, *before);
    }
}

void ModuleScope::run_method(const ast::Call& call, const ast::Attribute& method) {
    const auto base = constant(*method.value);
    if (!base->as<Const::List>() && !base->as<Const::Dict>() && !base->as<Const::Array>()) return;
    std::vector<Const> args;
    for (const ast::Expr* arg : call.args)
        if (const auto value = Shared::taken(*this, *arg)) args.push_back(*value);
    bool known = certain_ && args.size() == call.args.size();
    if (method.attr == "sort" && base->as<Const::List>() && args.empty() && !call.keywords.empty()) {
        HostCall sorting{.args = {*base}, .named = {}, .call = Shared::caller_at(*this, call)};
        for (const ast::Keyword& keyword : call.keywords) {
            const auto value = element(*this, *keyword.value);
            known = known && value;
            if (value) sorting.named.emplace_back(keyword.arg, *value);
        }
        return change(*method.value, base,
                      known ? call_host_function(*find_host_function("sorted"), sorting) : std::nullopt);
    }
    Const named{Const::Dict(), {}};
    for (const ast::Keyword& keyword : call.keywords) {
        const auto value = keyword.arg.empty() ? std::nullopt : element(*this, *keyword.value);
        const auto more = value ? with_item(named, Const{std::string(keyword.arg), {}}, *value) : std::nullopt;
        known = known && more && base->as<Const::Dict>() && method.attr == "update";
        if (more) named = *more;
    }
    if (known && !call.keywords.empty()) {
        const auto first = args.empty() ? base : after_method(*base, "update", args);
        return change(*method.value, base, first ? after_method(*first, "update", {&named, 1}) : std::nullopt);
    }
    if (known && method_result(*base, method.attr, args)) return;
    change(*method.value, base, known ? after_method(*base, method.attr, args) : std::nullopt);
}

}  // namespace pyk
