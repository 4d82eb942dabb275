// Statements other than loops.
#include "sema/has_to_run.h"
#include "sema/infer.h"
#include "sema/list_uses.h"

#include <algorithm>
#include <span>

namespace pyk {
namespace {

/// Whether it is `with name(…):`.
bool enters(const ast::With& node, std::string_view name) {
    return std::ranges::all_of(node.items, [&](const ast::WithItem& item) {
        const auto* call = item.context_expr->as<ast::Call>();
        return call && last_name(*call->func) == name;
    });
}

}  // namespace

void Inference::lower(const ast::Block& block, ir::Block& out) {
    const std::set<VersionId> some = some_;
    const size_t facts = facts_.size();
    for (const ast::Stmt* stmt : block) {
        if (!reachable()) break;
        statement_ = stmt->span;
        if (stmt == block.back()) tails_.insert(stmt);
        lower(*stmt, out);
    }
    some_ = some;
    facts_.resize(facts);
}

void Inference::lower(const ast::Stmt& stmt, ir::Block& out) {
    if (const auto* node = stmt.as<ast::Assign>()) return lower_assign(*node, stmt.span, out);
    if (const auto* node = stmt.as<ast::AugAssign>()) return lower_aug_assign(*node, stmt.span, out);
    if (const auto* node = stmt.as<ast::AnnAssign>()) {
        if (node->value) assign(*node->target, lower(*node->value, out), out, stmt.span);
        return;
    }
    if (const auto* node = stmt.as<ast::If>()) return lower_if(stmt, *node, out);
    if (const auto* node = stmt.as<ast::Match>()) return lower_match(*node, out);
    if (const auto* node = stmt.as<ast::While>()) return lower_while(stmt, *node, out);
    if (const auto* node = stmt.as<ast::For>(); node && !node->is_async) return lower_for(stmt, *node, out);
    if (const auto* node = stmt.as<ast::Return>()) return lower_return(stmt, *node, out);
    if (stmt.as<ast::Break>()) {
        run_finals(stmt, loops_.size(), out);
        path_ = {stmt.span, "not assigned when the loop ends here"};
        flow_into(*loops_.back().end, out);
        if (const auto left = loops_.back().left)
            out.push_back({stmt.span, ir::Assign{*left, ir::boolean(true, stmt.span)}});
        out.push_back({stmt.span, ir::Break{}});
        env_.reset();
        return;
    }
    if (stmt.as<ast::Continue>()) {
        run_finals(stmt, loops_.size(), out);
        path_ = {stmt.span, "not assigned when the loop goes on from here"};
        flow_into(*loops_.back().header, out);
        if (loops_.back().is_unrolled)
            out.push_back({stmt.span, ir::Break{}});
        else
            out.push_back({stmt.span, ir::Continue{}});
        env_.reset();
        return;
    }
    if (const auto* node = stmt.as<ast::With>(); node && enters(*node, "parallel_chunksize"))
        return lower(node->body, out);  // how iterations are parted says nothing of what they give
    if (stmt.as<ast::Pass>()) return;
    if (const auto* node = stmt.as<ast::FunctionDef>(); node && !node->is_async) return lower_def(stmt, *node, out);
    if (const auto* node = stmt.as<ast::Try>()) return lower_try(stmt, *node, out);
    if (const auto* node = stmt.as<ast::Raise>()) return lower_raise(*node, stmt.span, out);
    if (const auto* node = stmt.as<ast::Assert>()) return lower_assert(*node, stmt.span, out);
    if (const auto* node = stmt.as<ast::Delete>()) return lower_delete(*node);
    if (const auto* node = stmt.as<ast::Global>()) return lower_global(stmt, node->names);
    if (const auto* node = stmt.as<ast::Nonlocal>()) return lower_global(stmt, node->names);
    if (const auto* node = stmt.as<ast::ExprStmt>()) return lower_evaluated(*node->value, stmt.span, out);
    unsupported(stmt);
}

// An expression as a statement.
void Inference::lower_evaluated(const ast::Expr& expr, Span span, ir::Block& out) {
    if (expr.as<ast::Constant>()) return;
    const size_t before = out.size();
    Value value = lower(expr, out);
    const auto takes_item = [&](const ir::Stmt& stmt) {  // `next(it)`
        const auto* assign = stmt.as<ir::Assign>();
        return assign && std::ranges::find(iterators_, assign->target, &Iterator::position) != iterators_.end();
    };
    if (std::ranges::none_of(std::span(out).subspan(before), takes_item)) warn_of_no_effect(value, expr);
    // What the host calls may divide by zero there.
    if (value.expr && (has_to_run(value) || specializer_.can_allocate()))
        out.push_back({span, ir::Evaluate{std::move(value.expr)}});
}

namespace {

/// Of `a, b = …` and `[a, b] = …`.
std::optional<std::span<const ast::ExprRef>> unpacked_into(const ast::Expr& target) {
    if (const auto* tuple = target.as<ast::Tuple>()) return tuple->elts;
    if (const auto* list = target.as<ast::ListExpr>()) return list->elts;
    return std::nullopt;
}

}  // namespace

void Inference::lower_assign(const ast::Assign& node, Span span, ir::Block& out) {
    const auto targets = node.targets.size() == 1 ? unpacked_into(*node.targets[0]) : std::nullopt;
    if (const auto* call = node.value->as<ast::Call>(); call && targets) {
        loop_assigns_ = nullptr;
        if (auto items = iterable_call(*call, node.value->span, out))
            return unpack(*targets, std::move(*items), out, node.value->span);
    }
    const auto* named = node.targets[0]->as<ast::Name>();
    const auto list = named && node.targets.size() == 1 && specializer_.can_allocate()
                          ? array_for_list(def_, named->id, *node.value)
                          : std::nullopt;
    const auto array = [&] {
        const ast::Call call{node.value, ast::ExprList(list->args.data(), list->count), {}};
        Value made = numpy_array(list->constructor, call, node.value->span, out);
        return made.is_runtime() && made.type.ndim() != 1 ? unsupported(*node.value) : std::move(made);
    };
    Value value = list ? array()
                  : named && node.value->as<ast::Lambda>()
                      ? make_function(scope_.function_of(*node.value), node.value->span, std::string(named->id), out)
                      : lower(*node.value, out);
    const auto formula = named ? formula_of(*node.value) : nullptr;
    // `a = b = x`: the first name is what the others are assigned from.
    const auto* first = node.targets[0]->as<ast::Name>();
    if (node.targets.size() > 1 && !first && value.expr && !value.is_trivial())
        value = spill(std::move(value), "value", out);
    for (size_t i = 0; i < node.targets.size(); ++i) {
        Value copy = duplicate(value);
        assign(*node.targets[i], std::move(value), out, span);
        const bool is_number = copy.expr && copy.expr->as<ir::Constant>();
        value = i == 0 && first && copy.is_runtime() && !is_number ? read(*names_.index(first->id), copy.span)
                                                                   : std::move(copy);
    }
    if (formula) versions_[(*env_)[*names_.index(named->id)]].formula = formula;
}

// A remainder, or a call of `max` or `min` with what it may be, each by its name, as they are now; null: it is none.
std::shared_ptr<const MadeTest> Inference::formula_of(const ast::Expr& expr) const {
    if (const auto* rest = expr.as<ast::BinOp>();
        rest && (rest->op == ast::BinaryOp::Mod || rest->op == ast::BinaryOp::BitAnd))
        return std::make_shared<const MadeTest>(made(expr));
    const auto* call = expr.as<ast::Call>();
    const auto* callee = call ? call->func->as<ast::Name>() : nullptr;
    if (!callee || call->args.size() < 2 || names_.index(callee->id)) return nullptr;
    if (!std::ranges::all_of(call->args, [](const ast::Expr* arg) { return arg->as<ast::Name>() != nullptr; }))
        return nullptr;
    const auto entity = scope_.lookup(callee->id);
    const auto* builtin = entity ? std::get_if<const Builtin*>(&*entity) : nullptr;
    const bool is_extreme = builtin && ((*builtin)->special == Special::max || (*builtin)->special == Special::min);
    return is_extreme ? std::make_shared<const MadeTest>(made(expr)) : nullptr;
}

void Inference::assign(const ast::Expr& target, Value value, ir::Block& out, Span span) {
    if (value.is_unknown() && !value.constant) miss(span);
    if (const auto* name = target.as<ast::Name>()) {
        if (value.is_unknown() && value.constant) return;
        warn_of_lost_array(target, name->id, value);
        define(*names_.index(name->id), &target, std::move(value), target.span, out);
    } else if (const auto targets = unpacked_into(target)) {
        unpack(*targets, std::move(value), out, span);
    } else if (const auto* subscript = target.as<ast::Subscript>()) {
        store_subscript(*subscript, std::move(value), span, out);
    } else if (target.as<ast::Attribute>()) {
        store_attribute(target, std::move(value), span, out);
    } else if (const auto* starred = target.as<ast::Starred>()) {
        assign(*starred->value, Value(), out, span);
    }
}

// `a, b = b, a`: every element is evaluated before the first target is assigned. Elements that the targets before them
// would disturb go through temporaries; the others are assigned as they are.
void Inference::unpack(std::span<const ast::ExprRef> targets, Value value, ir::Block& out, Span span) {
    if (value.is_unknown()) {
        for (const ast::Expr* target : targets) {
            Value unknown;
            unknown.span = target->span;
            assign(*target, std::move(unknown), out, span);
        }
        return;
    }
    for (const ast::Expr* target : targets)
        if (target->as<ast::Starred>()) {
            error(diag::unsupported_syntax, target->span, "starred assignments", "name each element");
            return unpack(targets, Value(), out, span);
        }
    value = unwrapped(std::move(value));
    if (is_range(value)) return unpack(targets, iterable_range(value, value.span), out, span);
    if (is_parts(value)) return unpack(targets, iterable_parts(value, value.span), out, span);
    if (iterator_of(value)) return unpack(targets, iterable_iterator(value, value.span), out, span);
    if (auto fields = fields_of(value)) value.stand_for(*std::move(fields));
    const bool is_array = value.type && value.type.is_array() && value.type.ndim() > 0;
    const Span value_span = value.span ? value.span : span;
    if (!is_array && !is_sequence(value.type) && !(value.entity && !value.is_runtime())) {
        error(diag::cannot_unpack, value_span, value.type.name());
        const auto* call = value.expr ? value.expr->as<ir::BuiltinCall>() : nullptr;
        const LaunchValue part = call ? call->builtin->launch.value : LaunchValue::none;
        const bool is_of_grid = part == LaunchValue::grid_index || part == LaunchValue::threads_of_grid;
        if (is_of_grid && targets.size() <= 3) {
            const std::string_view written = value.span.text();
            diagnostics_.note(value.span, fmt::format("`{}({})` gives {}", written.substr(0, written.find('(')),
                                                      targets.size(), targets.size()));
        }
        return unpack(targets, Value(), out, span);
    }
    const ir::Expr* shaped = shaped_array(value);
    const ir::ExprPtr array = shaped ? clone(*shaped) : nullptr;
    const bool is_tuple = value.is_runtime() || (value.constant && value.constant->as<Const::Tuple>());
    const std::string what = is_tuple ? std::string() : described(value);
    std::vector<Value> items =
        is_array ? array_elements(std::move(value), targets.size(), out) : elements(std::move(value), out);
    for (Value& item : items) stay_weak(item);
    if (items.size() != targets.size()) {
        const int count = static_cast<int>(items.size()), wanted = static_cast<int>(targets.size());
        if (array)
            wrong_rank(array.get(), [&] { error(diag::shape_unpack_count, span, count, wanted); });
        else if (!is_tuple && items.empty())
            error(diag::cannot_unpack, value_span, what);
        else
            error(diag::wrong_unpack_count, span, count, wanted);
        return unpack(targets, Value(), out, span);
    }
    assign_in_turn(targets, std::move(items), span, out);
}

// All values first: those that a target before them would change go through temporaries, and so does what may raise,
// where a handler would see the targets.
void Inference::assign_in_turn(std::span<const ast::ExprRef> targets, std::vector<Value> items, Span span,
                               ir::Block& out) {
    Disturbed disturbed;
    std::vector<bool> needs_spill(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
        if (items[i].expr)
            needs_spill[i] = reads(*items[i].expr, disturbed.locals) || (disturbed.memory && any(items[i].effects)) ||
                             (i > 0 && !handlers_.empty() && !items[i].is_trivial());
        disturb(*targets[i], items[i].type, disturbed);
    }
    for (size_t i = 0; i < items.size(); ++i)
        if (needs_spill[i])
            items[i] = spill(std::move(items[i]),
                             targets[i]->as<ast::Name>() ? targets[i]->as<ast::Name>()->id : "value", out);
    for (size_t i = 0; i < items.size(); ++i) assign(*targets[i], std::move(items[i]), out, span);
}

// What assigning such a value to the target will change, of what values at hand may read.
void Inference::disturb(const ast::Expr& target, Type type, Disturbed& disturbed) {
    if (const auto parts = unpacked_into(target); parts && is_sequence(type))
        for (size_t i = 0; i < parts->size() && i < type.size(); ++i)
            disturb(*(*parts)[i], type.elements()[i], disturbed);
    disturbed.memory |= target.as<ast::Subscript>() || target.as<ast::Attribute>();
    const auto* name = target.as<ast::Name>();
    if (!name || !type) return;
    const uint32_t index = *names_.index(name->id);
    if (const auto wanted = wanted_.find(index); wanted != wanted_.end()) type = wanted->second;
    const Version& version = versions_[version_at(&target, index, target.span)];
    for (const auto& [of, local] : locals_[index])
        if (of == (version.type ? version.type : type)) disturbed.locals.push_back(local);
}

// `a, b = range(n)`: whatever a loop can run over.
void Inference::unpack(std::span<const ast::ExprRef> targets, Iterable all, ir::Block& out, Span span) {
    if (all.length && all.passes) {
        error(diag::cannot_unpack, span, "filter");
        all.length = nullptr;
    }
    if (!all.length) return unpack(targets, Value(), out, span);
    const auto known = ir::integer_value(*all.length);
    if (!known) out.push_back(unless_length(std::move(all.length), targets.size(), "there are not", "to unpack", span));
    const int64_t count = known ? *known : static_cast<int64_t>(targets.size());
    if (count != static_cast<int64_t>(targets.size())) {
        error(diag::wrong_unpack_count, span, static_cast<int>(count), static_cast<int>(targets.size()));
        return unpack(targets, Value(), out, span);
    }
    std::vector<Value> items;
    for (int64_t i = 0; i < count; ++i) items.push_back(all.item(ir::integer(i, Scalar::int64, span), out));
    unpack(targets, make_tuple(std::move(items), span), out, span);
}

// The elements of a tuple value, each as its own value.
std::vector<Value> Inference::elements(Value tuple, ir::Block& out) {
    std::vector<Value> items;
    const Const::Tuple* constants = tuple.constant ? tuple.constant->as<Const::Tuple>() : nullptr;
    if (!tuple.is_runtime()) {
        if (constants)
            for (const Const& constant : *constants) items.push_back(of_const(constant, tuple.span));
        return items;
    }
    const std::span<const Type> types = tuple.type.elements();
    auto* literal = tuple.expr->as<ir::MakeTuple>();
    if (!literal && !tuple.expr->as<ir::LocalRef>()) tuple = spill(std::move(tuple), "items", out);
    for (size_t i = 0; i < types.size(); ++i) {
        Value item;
        item.type = types[i];
        item.span = tuple.span;
        item.effects = literal ? tuple.effects : Effects::none;
        if (constants) item.constant = (*constants)[i];
        item.is_literal = tuple.is_literal && constants;
        item.is_weak = i < tuple.weak_items.size() ? bool(tuple.weak_items[i])
                                                   : item.constant && is_weak(*item.constant, item.type);
        item.expr = literal
                        ? std::move(literal->elements[i])
                        : ir::make(types[i], tuple.span, ir::TupleItem{clone(*tuple.expr), static_cast<uint32_t>(i)});
        items.push_back(std::move(item));
    }
    return items;
}

void Inference::lower_if(const ast::Stmt& stmt, const ast::If& node, ir::Block& out) {
    Outcomes outcomes;
    Value test = lower_condition(*node.test, out, &outcomes);
    if (test.is_unknown()) miss(node.test->span);
    // A test known at compile time chooses the branch, mostly before typing, as Numba prunes it.
    if (test.constant && !any(test.effects)) return lower_taken(node, truth(*test.constant), out);
    Join& end = join(&stmt, JoinKind::if_end);
    const std::set<VersionId> some = some_;
    ir::If branch;
    branch.condition = test.expr ? std::move(test.expr) : ir::boolean(false, node.test->span);
    const auto* known = branch.condition->as<ir::Constant>();
    const bool* value = known ? std::get_if<bool>(&known->value) : nullptr;
    const auto way = [&](bool taken, std::string_view text) {
        return value && *value != taken ? Note{} : Note{node.test->span, std::string(text)};  // nothing comes here
    };
    Env otherwise = names_.has_walrus() ? std::move(outcomes.when_false) : *env_;
    if (names_.has_walrus()) env_ = std::move(outcomes.when_true);
    assume(*node.test, true);
    const std::set<VersionId> some_then = some_;
    const MadeTest asked = made(*node.test);
    facts_.push_back({asked, true});
    lower(node.body, branch.then);
    const bool then_continues = reachable();
    statement_ = stmt.span;
    path_ = way(true, "not assigned when this condition is true");
    flow_into(end, branch.then);
    env_ = std::move(otherwise);
    some_ = some;
    assume(*node.test, false);
    facts_.back().holds = false;
    lower(node.orelse, branch.otherwise);
    // Behind the `if` is known what the only way there knows.
    if (then_continues) some_ = reachable() ? some : some_then;
    statement_ = stmt.span;
    path_ = way(false, "not assigned when this condition is false");
    flow_into(end, branch.otherwise);
    facts_.back().holds = then_continues;
    if (then_continues && reachable()) {
        facts_.pop_back();
        keep_presences(end, asked);
    }
    path_.span = node.test->span;
    out.push_back({stmt.span, std::move(branch)});
    env_ = seal(end, stmt, JoinKind::if_end);
}

void Inference::lower_return(const ast::Stmt& stmt, const ast::Return& node, ir::Block& out) {
    const Span span = stmt.span;
    Value value;
    if (node.value) value = lower(*node.value, out);
    if (!node.value || is_none(value.entity)) {
        returns_nothing_ = true;
        run_finals(stmt, 0, out);
        const bool is_optional = result_ && result_.is_optional();
        returns_bare_ |= !is_optional;
        out.push_back({span, ir::Return{is_optional ? none_of(result_, span) : nullptr}});
        env_.reset();
        return;
    }
    if (!function_.is_kernel) hold(value);
    if (const Type declared = declared_tuple()) value = cast_items(std::move(value), declared, out);
    returns_value_ = true;
    if (function_.is_kernel) {
        error(diag::kernel_returns_value, node.value->span, std::string_view(def_.name));
    } else if (value.is_runtime()) {
        stay_weak(value);
        auto [merged, is_weak] = meet_at_merge(result_, instance_.result_is_weak, value.type, value.is_weak);
        if (is_weak) merged = weak_type(merged);
        if (!merged) {
            error(diag::cannot_unify, node.value->span, std::string_view("the result"), type_name(value.type),
                  type_name(result_));
        } else {
            // The first type that a result gets is news to recursions only.
            changed_ |= result_ ? merged != result_ || is_weak != instance_.result_is_weak : instance_.is_awaited;
            result_ = instance_.result = merged;
            instance_.result_is_weak = is_weak;
            value = converted(std::move(value), result_, node.value->span);
            if (!finals_.empty()) value = spill(std::move(value), "result", out);
            run_finals(stmt, 0, out);
            out.push_back({span, ir::Return{std::move(value.expr)}});
        }
    } else if (!value.is_unknown()) {
        needs_value(value, node.value->span);
    }
    env_.reset();
}

// Constructs of Python that kernels do not have, each with the way out.
void Inference::unsupported(const ast::Stmt& stmt) {
    struct Row {
        std::string_view construct, advice;
    };
    const Row row = std::visit(
        [](const auto& node) -> Row {
            using T = std::decay_t<decltype(node)>;
            if constexpr (std::is_same_v<T, ast::FunctionDef>)
                return {"`async` functions", "write `def`"};
            else if constexpr (std::is_same_v<T, ast::ClassDef>)
                return {"classes", "use arrays, tuples and functions"};
            else if constexpr (std::is_same_v<T, ast::With>)
                return enters(node, "objmode")
                           ? Row{"blocks of object mode (`objmode`)", "pass in what they compute, or return first"}
                           : Row{"`with` statements", "call the functions directly"};
            else if constexpr (std::is_same_v<T, ast::Try>)
                return {"`try` statements", "test for the condition beforehand"};
            else if constexpr (std::is_same_v<T, ast::Import> || std::is_same_v<T, ast::ImportFrom>)
                return {"`import` statements inside functions", "import at module level"};
            else if constexpr (std::is_same_v<T, ast::For>)
                return {"`async for` loops", "write `for`"};
            else
                return {"statements of this kind", "write it another way"};
        },
        stmt.node);
    error(diag::unsupported_syntax, stmt.span, row.construct, row.advice);
    const auto* made = stmt.as<ast::ClassDef>();
    if (!made) return;
    const VersionId id = version_at(&stmt, *names_.index(made->name), stmt.span);
    env_->set(*names_.index(made->name), id);
    versions_[id].is_faulty = true;
}

}  // namespace pyk
