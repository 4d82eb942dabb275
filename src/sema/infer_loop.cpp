// Loops: `while`, `for` over ranges, arrays, tuples, `enumerate` and `zip`.
#include "module/free_names.h"
#include "module/meant.h"
#include "sema/infer.h"
#include "sema/known_length.h"
#include "sema/tuple_table.h"

#include <algorithm>
#include <iterator>

namespace pyk {
namespace {

/// Whether it is `name(…)` or `module.name(…)`.
bool is_call_of(const ast::Expr& expr, std::string_view name) {
    const auto* call = expr.as<ast::Call>();
    return call && last_name(*call->func) == name;
}

/// The range of `reversed(range(a, b))`. Null: it is another call, or the range has a step.
const ast::Call* range_in_steps_of_one(const ast::Call& reversed) {
    const auto* range = reversed.args.size() == 1 ? reversed.args[0]->as<ast::Call>() : nullptr;
    return range && range->args.size() < 3 ? range : nullptr;
}

/// From the last of its items to the first, in 64 bits: in front of the first there may be no other number.
void turn(ir::ForRange& loop, Span span) {
    const auto before = [&](ir::ExprPtr expr) {
        return ir::binary(BinaryOp::Sub, ir::convert(std::move(expr), Scalar::int64),
                          ir::integer(1, Scalar::int64, span), span);
    };
    ir::ExprPtr first = before(std::move(loop.stop));
    loop.stop = before(std::move(loop.start));
    loop.start = std::move(first);
    loop.step = ir::integer(-1, Scalar::int64, span);
}

/// Of a read in the loop, and behind it.
constexpr const char* kBeforeIterations = "not assigned until an iteration assigns it";

}  // namespace

// Python has the test of a `while` twice: before the first iteration and behind each. Numba takes the first one as an
// `if`: one that is known leaves no edge from there to behind the loop, or no loop. (Where several other edges lead
// behind the loop, its merge there keeps what came over the one that is gone.)
void Inference::lower_while(const ast::Stmt& stmt, const ast::While& node, ir::Block& out) {
    const JoinLiveness& live = names_.at(stmt);
    // `continue` goes to the first test.
    const std::optional<bool> first = known_test(*node.test, live.has_continue ? &live.assigned : nullptr);
    if (first == false) return lower(node.orelse, out);
    const bool runs = first || known_test(*node.test) == true;
    const bool leaves_once = first && !names_.has_walrus() && (!live.has_break || !node.orelse.empty()) &&
                             branches_to(false, *node.test) == 1;
    Join& header = join(&stmt, JoinKind::loop_header);
    Join& end = join(&stmt, JoinKind::loop_end);
    open_header(header, stmt, leaves_once ? live.repeated : live.header);
    if (first) open_phis(end, stmt, live.after, JoinKind::loop_end);
    const auto* always = node.test->as<ast::Constant>();
    const bool* is_true = always ? std::get_if<bool>(&always->value) : nullptr;
    path_ = {node.test->span,
             is_true && *is_true ? "not assigned when the first iteration leaves the loop" : kBeforeIterations};
    flow_into(header, out);
    for (const auto& [name, phi] : header.phis) env_->set(name, phi);

    ir::Block before, body, otherwise;
    Outcomes outcomes;
    Value test = lower_condition(*node.test, before, &outcomes);
    const bool endless = test.constant && truth(*test.constant);
    Env when_true = names_.has_walrus() ? std::move(outcomes.when_true) : *env_;
    Env when_false = names_.has_walrus() ? std::move(outcomes.when_false) : *env_;

    // The path on which the test is false: `orelse`, then the end.
    const auto leave = [&](std::optional<Env> env) {
        env_ = std::move(env);
        lower(node.orelse, otherwise);
        statement_ = stmt.span;
        path_ = {node.test->span, "not assigned when this condition is false"};
        flow_into(end, otherwise);
    };
    const auto leave_behind_iterations = [&](std::optional<Env> env) {
        const std::vector<VersionId> assigned = assigned_by_each_iteration(header);
        surely_.insert(assigned.begin(), assigned.end());
        leave(std::move(env));
        for (const VersionId id : assigned) surely_.erase(id);
    };
    if (!first && runs) leave_behind_iterations(endless ? std::nullopt : std::optional(std::move(when_false)));
    if (!runs) leave(endless ? std::nullopt : std::optional(std::move(when_false)));
    env_ = std::move(when_true);
    loops_.push_back({&header, &end});
    lower(node.body, body);
    statement_ = stmt.span;
    const std::optional<bool> again = first && reachable() ? known_test(*node.test) : std::nullopt;
    const bool may_leave = first && reachable() && !endless && again != true;
    std::optional<Env> last = leaves_once ? env_ : std::optional(std::move(when_false));
    if (again == false && node.orelse.empty()) {
        path_ = {};
        flow_into(end, body);
        body.push_back({stmt.span, ir::Break{}});
        env_.reset();
    }
    flow_into(header, body);
    loops_.pop_back();
    if (first) leave_behind_iterations(may_leave ? std::move(last) : std::nullopt);
    if (runs) take_sure(end, assigned_by_each_iteration(header));

    ir::While loop = tested_loop(node, std::move(test), std::move(before), std::move(otherwise), stmt.span, out);
    std::ranges::move(body, std::back_inserter(loop.body));

    out.push_back({stmt.span, std::move(loop)});
    env_ = seal(end, stmt, JoinKind::loop_end);
}

// The loop without its body; `before`: what its test needs.
ir::While Inference::tested_loop(const ast::While& node, Value test, ir::Block before, ir::Block otherwise, Span span,
                                 ir::Block& out) {
    ir::While loop;
    if (before.empty()) {
        loop.orelse = std::move(otherwise);
        loop.condition = test.expr ? std::move(test.expr) : ir::boolean(false, node.test->span);
    } else if (!node.orelse.empty()) {
        // `orelse` may leave the loop around this one, so it stays where it is: `test = True; while test: …; test = …;
        // if not test: continue; …`.
        const ir::LocalId holds = temporary("test", Scalar::boolean, node.test->span);
        out.push_back({span, ir::Assign{holds, ir::boolean(true, node.test->span)}});
        before.push_back(
            {span, ir::Assign{holds, test.expr ? std::move(test.expr) : ir::boolean(false, node.test->span)}});
        ir::If leaves{ir::unary(UnaryOp::Not, ir::local(function_, holds, node.test->span), node.test->span), {}, {}};
        leaves.then.push_back({span, ir::Continue{}});
        before.push_back({span, std::move(leaves)});
        loop.condition = ir::local(function_, holds, node.test->span);
        loop.body = std::move(before);
        loop.orelse = std::move(otherwise);
    } else {
        // The test needs statements: `while True: …; if not test: break`.
        loop.condition = ir::boolean(true, node.test->span);
        otherwise.push_back({span, ir::Break{}});
        Value stop = unary(UnaryOp::Not, std::move(test), node.test->span);
        before.push_back(
            {span, ir::If{stop.expr ? std::move(stop.expr) : ir::boolean(true), std::move(otherwise), {}}});
        loop.body = std::move(before);
    }
    return loop;
}

void Inference::lower_for(const ast::Stmt& stmt, const ast::For& node, ir::Block& out) {
    if (lower_for_range(stmt, node, out)) return;
    if (lower_unrolled(stmt, node, out)) return;
    loop_assigns_ = &names_.at(stmt).assigned;
    Iterable items = iterable(*node.iter, out);
    const Span span = node.iter->span;
    ir::ForRange loop{temporary("i", Scalar::int64, span),
                      ir::integer(0, Scalar::int64, span),
                      std::move(items.length),
                      ir::integer(1, Scalar::int64, span),
                      {},
                      {}};
    ir::ExprPtr counter = ir::local(function_, loop.counter, span);
    if (items.more)
        return loop_body(stmt, node, ir::While{items.more(), {}, {}}, std::move(counter), items, false, out);
    if (!loop.stop) {
        loop.stop = ir::integer(0, Scalar::int64, span);
        items.item = [span](ir::ExprPtr, ir::Block&) {
            Value unknown;
            unknown.span = span;
            return unknown;
        };
    }
    loop.is_parallel = instance_.info->is_parallel && is_call_of(*node.iter, "pndindex") && !shows_in_handlers(stmt);
    const bool runs = is_surely_positive(*loop.stop, function_, out, specializer_);
    loop_body(stmt, node, std::move(loop), std::move(counter), items, runs, out);
}

// A range as the author wrote it, or one that has a name.
bool Inference::lower_for_range(const ast::Stmt& stmt, const ast::For& node, ir::Block& out) {
    ir::Block unused;
    const auto row_of = [&](const ast::Call& call) {
        const Value callee = lower(*call.func, unused);
        const auto* row = callee.entity ? std::get_if<const Builtin*>(&*callee.entity) : nullptr;
        return row ? *row : nullptr;
    };
    const auto* call = node.iter->as<ast::Call>();
    const Builtin* row = call ? row_of(*call) : nullptr;
    const auto* turned = row && *row == "reversed" ? range_in_steps_of_one(*call) : nullptr;
    if (turned) row = row_of(*(call = turned));
    std::optional<std::vector<Value>> args;
    if (call) {
        if (!row || row->special != Special::range) return false;
        args = range_args(*call, out);
    } else {
        if (!node.iter->as<ast::Name>()) return false;
        const Value range = lower(*node.iter, unused);
        if (!is_range(range)) return false;
        args = parts_of(range);
    }
    const Type type = args ? (*args)[0].type : Type(Scalar::int64);
    if (!args) {
        args.emplace(3);
        for (Value& arg : *args) arg.expr = ir::integer(0, type);
    }
    const auto known = [&](size_t i) { return (*args)[i].constant ? to_int(*(*args)[i].constant) : std::nullopt; };
    const auto start = known(0), stop = known(1), step = known(2);
    bool runs = start && stop && step && (*step > 0 ? *start < *stop : *start > *stop);
    if (start && !stop && step && (*args)[1].expr)
        runs = *start <= 0 && *step > 0 && is_surely_positive(*(*args)[1].expr, function_, out, specializer_);
    ir::ForRange loop{temporary("i", turned ? Type(Scalar::int64) : type, node.iter->span),
                      std::move((*args)[0].expr),
                      std::move((*args)[1].expr),
                      std::move((*args)[2].expr),
                      {},
                      {}};
    if (turned) turn(loop, node.iter->span);
    loop.is_parallel = instance_.info->is_parallel && is_call_of(*node.iter, "prange") && !shows_in_handlers(stmt);
    const Span span = node.iter->span;
    Iterable items;
    items.item = [type, span](ir::ExprPtr counter, ir::Block&) {
        Value value;
        value.type = type;
        value.expr = ir::convert(std::move(counter), type);
        value.span = span;
        return value;
    };
    ir::ExprPtr counter = ir::local(function_, loop.counter, node.target->span);
    loop_body(stmt, node, std::move(loop), std::move(counter), items, runs, out);
    return true;
}

// What a loop that certainly runs leaves assigned: behind its body by this walk, else by the one before.
std::vector<VersionId> Inference::assigned_by_each_iteration(const Join& header) const {
    std::vector<VersionId> assigned;
    const std::vector<Env>& edges = header.incoming.size() < 2 ? header.before : header.incoming;
    if (edges.size() < 2) return assigned;
    const std::span<const Env> iterations = std::span(edges).subspan(1);
    for (const auto& [name, phi] : header.phis) {
        const auto assigns = [&, name = name, phi = phi](const Env& env) {
            const VersionId id = env[name];
            return id != kUnassigned && id != phi && (!versions_[id].maybe_unassigned || surely_.contains(id));
        };
        if (std::ranges::all_of(iterations, assigns)) assigned.push_back(phi);
    }
    return assigned;
}

// Behind the loop, where no `break` comes first.
void Inference::take_sure(const Join& end, std::span<const VersionId> assigned) {
    for (const VersionId id : assigned) {
        const auto leaves_it = [&](const Env& env) { return env[versions_[id].name] == id; };
        if (std::ranges::count_if(end.incoming, leaves_it) <= 1) surely_.insert(id);
    }
}

namespace {

/// The first `p == start`, `p > start` or its like that a loop's body asks of its own `p`, which tells the first round
/// from later ones. Null: none.
const ast::Expr* asked_of_round(const ast::Block& body, std::string_view counter, std::string_view start) {
    const ast::Expr* found = nullptr;
    const auto look = [&](const ast::Expr& test) {
        const auto* compare = test.as<ast::Compare>();
        if (!compare || compare->ops.size() != 1) return;
        const auto is = [](const ast::Expr& expr, std::string_view text) { return expr.span.text() == text; };
        const ast::Expr &left = *compare->left, &right = *compare->comparators[0];
        const bool in_order = is(left, counter) && is(right, start), reversed = is(left, start) && is(right, counter);
        const ast::CompareOp op = compare->ops[0];
        const bool is_equality = op == ast::CompareOp::Eq || op == ast::CompareOp::NotEq;
        const bool is_later = (in_order && op == ast::CompareOp::Gt) || (reversed && op == ast::CompareOp::Lt) ||
                              (start == "0" && is(left, counter) && is(right, "1") && op == ast::CompareOp::GtE);
        if (is_later || (is_equality && (in_order || reversed))) found = &test;
    };
    for (const ast::Stmt* stmt : body) {
        if (const auto* node = stmt->as<ast::If>()) look(*node->test);
        if (!found)
            for_each_block(*stmt, [&](const ast::Block& inner) {
                if (!found) found = asked_of_round(inner, counter, start);
            });
        if (found) return found;
    }
    return nullptr;
}

}  // namespace

// Of `for p in range(start, stop)` with `if p == start:` within: that test. What the first round assigns is there in
// later ones.
const ast::Expr* Inference::test_of_later_rounds(const ast::For& node) {
    const auto* target = node.target->as<ast::Name>();
    const auto* call = node.iter->as<ast::Call>();
    if (!target || !call || call->args.empty() || last_name(*call->func) != "range") return nullptr;
    const std::string_view start = call->args.size() == 1 ? "0" : call->args[0]->span.text();
    return asked_of_round(node.body, target->id, start);
}

bool Inference::keep_presence_after_first(VersionId id, const ast::Expr& test, const Join& header) {
    MadeTest asked = made(test);
    for (const auto& [name, version] : asked.names)
        if (header.phis.contains(versions_[version].name) && header.phis.at(versions_[version].name) == version)
            return false;  // the loop changes what it began with
    const auto there = std::make_shared<const Presence>(Presence{.is_there = true});
    const auto missing = std::make_shared<const Presence>();
    const bool is_of_first = test.as<ast::Compare>()->ops[0] == ast::CompareOp::Eq;
    versions_[id].presence = std::make_shared<const Presence>(
        Presence{false, 3, std::move(asked), is_of_first ? missing : there, is_of_first ? there : missing});
    return true;
}

template <typename Loop>
void Inference::loop_body(const ast::Stmt& stmt, const ast::For& node, Loop loop, ir::ExprPtr counter,
                          const Iterable& items, bool runs, ir::Block& out) {
    Join& header = join(&stmt, JoinKind::loop_header);
    Join& end = join(&stmt, JoinKind::loop_end);
    open_header(header, stmt, names_.at(stmt).header);
    path_ = {node.iter->span, kBeforeIterations};
    flow_into(header, out);
    for (const auto& [name, phi] : header.phis) env_->set(name, phi);
    const Env at_test = *env_;

    const std::vector<VersionId> assigned = runs ? assigned_by_each_iteration(header) : std::vector<VersionId>();
    surely_.insert(assigned.begin(), assigned.end());
    lower(node.orelse, loop.orelse);
    statement_ = stmt.span;
    path_ = {node.iter->span, kBeforeIterations};
    flow_into(end, loop.orelse);
    for (const VersionId id : assigned) surely_.erase(id);

    env_ = at_test;
    loops_.push_back({&header, &end});
    assign(*node.target, next_item(stmt, items, std::move(counter), loop.body), loop.body, stmt.span);
    const ast::Expr* later = names_.at(stmt).has_continue ? nullptr : test_of_later_rounds(node);
    const auto is_given = [&](const auto& phi) { return versions_[phi.second].maybe_unassigned; };
    const auto stays_so = [&](const auto& phi) {
        return !header.kept || std::ranges::find(*header.kept, phi.first) != header.kept->end();
    };
    std::vector<uint32_t> followed;
    if (later)
        for (const auto& phi : header.phis)
            if (is_given(phi) && stays_so(phi) && keep_presence_after_first(phi.second, *later, header))
                followed.push_back(phi.first);
    lower(node.body, loop.body);
    if (later) {
        std::erase_if(followed, [&](uint32_t name) { return reachable() && may_lack((*env_)[name]); });
        changed_ |= !header.kept || *header.kept != followed;
        header.kept = std::move(followed);
    }
    statement_ = stmt.span;
    flow_into(header, loop.body);
    loops_.pop_back();

    // By now it is known what the loops in this one leave assigned.
    take_sure(end, runs ? assigned_by_each_iteration(header) : assigned);
    out.push_back({stmt.span, std::move(loop)});
    env_ = seal(end, stmt, JoinKind::loop_end);
}

// The item; where the loop does not get it, on to the next one.
Value Inference::next_item(const ast::Stmt& stmt, const Iterable& items, ir::ExprPtr counter, ir::Block& out) {
    Value item = items.item(std::move(counter), out);
    if (!items.passes || item.is_unknown()) return item;
    if (!item.is_trivial()) item = spill(std::move(item), "item", out);
    Value passes = truth_of(items.passes(duplicate(item), out), stmt.span, out);
    if (passes.is_unknown()) return passes;
    const Env here = *env_;
    ir::If skip{unary(UnaryOp::Not, std::move(passes), stmt.span).expr, {}, {}};
    flow_into(*loops_.back().header, skip.then);
    skip.then.push_back({stmt.span, ir::Continue{}});
    out.push_back({stmt.span, std::move(skip)});
    env_ = here;
    return item;
}

// start, stop and step, each of the range's type. nullopt: reported, or not known yet.
std::optional<std::vector<Value>> Inference::range_args(const ast::Call& call, ir::Block& out) {
    const Span span = call.func->span;
    if (!call.keywords.empty()) {
        error(diag::no_keywords, call.keywords[0].span, "range");
        return std::nullopt;
    }
    if (call.args.empty() || call.args.size() > 3) {
        error(diag::wrong_argument_count, span, "range", "1 to 3", static_cast<int>(call.args.size()));
        return std::nullopt;
    }
    std::vector<Value> args = lower_list(call.args, out);
    bool known = true;
    for (Value& arg : args) {
        known &= needs_value(arg, arg.span);
        if (is_narrow() && arg.type.is_float()) arg = cast_to(Scalar::int32, std::move(arg), arg.span);
        if (arg.type && !arg.type.is_integer() && !arg.type.is_boolean() && !arg.type.is_float()) {
            error(diag::not_an_integer, arg.span, "range", arg.type.name());
            known = false;
        }
    }
    if (!known) return std::nullopt;
    const Type type = range_type(args);
    // Numba cuts off what is behind the point: `range(math.ceil(n / 32))`.
    for (Value& arg : args)
        arg = arg.type.is_float() ? cast_to(type, std::move(arg), arg.span) : converted(std::move(arg), type, arg.span);
    const auto constant = [&](int64_t value) {
        Value v;
        v.type = type;
        v.expr = ir::integer(value, type, span);
        v.constant = Const{Const::Int(value), {}};
        v.span = span;
        return v;
    };
    if (args.size() == 1) args.insert(args.begin(), constant(0));
    if (args.size() == 2) args.push_back(constant(1));
    return args;
}

// Whether the expression is a name that the loop leaves alone: then what it runs over needs no name of its own.
bool Inference::stays(const ast::Expr& expr) {
    const auto* name = expr.as<ast::Name>();
    const auto index = name ? names_.index(name->id) : std::nullopt;
    return index && loop_assigns_ && !loop_assigns_->contains(*index);
}

Iterable Inference::iterable(const ast::Expr& expr, ir::Block& out) {
    if (const auto* call = expr.as<ast::Call>())
        if (auto found = iterable_call(*call, expr.span, out)) return std::move(*found);
    Value value = let_go(unwrapped(lower_display(expr, out)), out);
    if (value.is_unknown()) return {};
    if (is_range(value)) return iterable_range(value, expr.span);
    if (iterator_of(value)) return iterable_iterator(value, expr.span);
    if (is_flat(value)) return iterable_elements(duplicate(*value.receiver), false, false, out);
    if (is_parts(value)) return iterable_parts(value, expr.span);
    if (value.constant && value.constant->as<Const::Tuple>()) hold(value);
    // Named once, so that rebinding the name in the body does not change what the loop runs over.
    if (value.type.is_array() && value.type.ndim() > 0) return iterable_array(std::move(value), stays(expr), out);
    if (is_sequence(value.type)) return iterable_tuple(std::move(value), out);
    const auto report = [&] { error(diag::not_iterable, expr.span, std::string_view(described(value))); };
    report_once(value.type.is_integer() ? Note{expr.span, fmt::format("`range({})` counts up to it", expr.span.text())}
                                        : cause_of(value, true),
                report);
    return {};
}

Iterable Inference::iterable_array(Value array, bool stays, ir::Block& out) {
    const Span span = array.span;
    auto base = std::make_shared<Value>(stays ? std::move(array) : spill(std::move(array), "items", out));
    return {ir::make(Scalar::int64, span, ir::ShapeOf{clone(*base->expr), 0}),
            [this, base, span](ir::ExprPtr counter, ir::Block&) {
                std::vector<ir::Subscript> subscripts;
                subscripts.push_back(ir::Index{std::move(counter), false});
                return view(duplicate(*base), std::move(subscripts), {}, Effects::none, span);
            }};
}

// An array of another length ends the thread, as by `raise`.
ir::Stmt Inference::unless_length(const Value& array, size_t count, std::string_view what, Span span) {
    return unless_length(ir::make(Scalar::int64, span, ir::ShapeOf{clone(*array.expr), 0}), count, "the array has not",
                         what, span);
}

ir::Stmt Inference::unless_length(ir::ExprPtr length, size_t count, std::string_view who, std::string_view what,
                                  Span span) {
    ir::ExprPtr expected = ir::integer(static_cast<int64_t>(count), Scalar::int64, span);
    ir::If differs{ir::binary(BinaryOp::Ne, std::move(length), std::move(expected), span), {}, {}};
    differs.then.push_back({span, ir::Raise{fmt::format("ValueError: {} {} elements {}", who, count, what)}});
    return {span, std::move(differs)};
}

// `x, y, z = a`: along the first axis.
std::vector<Value> Inference::array_elements(Value array, size_t count, ir::Block& out) {
    const Span span = array.span;
    array = spill(std::move(array), "items", out);
    out.push_back(unless_length(array, count, "to unpack", span));
    const Iterable all = iterable_array(std::move(array), true, out);
    std::vector<Value> items;
    for (int64_t i = 0; i < static_cast<int64_t>(count); ++i)
        items.push_back(all.item(ir::integer(i, Scalar::int64, span), out));
    return items;
}

Iterable Inference::iterable_tuple(Value tuple, ir::Block& out) {
    const Span span = tuple.span;
    tuple = weak_items_alike(spelled_items(std::move(tuple)), out);
    if (tuple.type.size() != 0 && !tuple.type.is_uniform_tuple()) {
        error(diag::mixed_tuple, span, tuple.type.name());
        return {};
    }
    const auto length = static_cast<int64_t>(tuple.type.size());
    if (length == 0)
        return {ir::integer(0, Scalar::int64, span), [](ir::ExprPtr counter, ir::Block&) {
                    Value item;
                    item.type = Scalar::int64;
                    item.expr = std::move(counter);
                    return item;
                }};
    const Type element = tuple.type.elements()[0];
    const bool is_weak = std::ranges::count(tuple.weak_items, true) == length;
    auto columns = std::make_shared<std::vector<NamedConst>>();
    if (!is_narrow()) *columns = columns_of(tuple);
    if (!columns->empty())
        return {ir::integer(length, Scalar::int64, span),
                [this, columns, element, span](ir::ExprPtr counter, ir::Block&) {
                    return item_of_columns(*columns, element, *counter, span);
                }};
    const auto table = table_of(tuple);
    auto base = std::make_shared<Value>(table ? array_constant(*table, span) : spill(std::move(tuple), "items", out));
    return {ir::integer(length, Scalar::int64, span), [base, element, is_weak, span](ir::ExprPtr counter, ir::Block&) {
                Value item;
                item.type = element;
                item.is_weak = is_weak;
                item.span = span;
                item.expr = item_at(clone(*base->expr), std::move(counter), element, span);
                return item;
            }};
}

}  // namespace pyk
