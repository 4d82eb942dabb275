// `np.array([x * x for x in a])`: list comprehensions of which an array is made, in functions that the host calls.
//
//     out = np.empty(len(a))                 buffer = np.empty(16); count = 0
//     for i in range(len(a)):                for i in range(len(a)):
//         x = a[i]                               if a[i] > 0:
//         out[i] = x * x                             if count == buffer.size: buffer = pyk_grown(buffer)
//                                                    buffer[count] = a[i]; count += 1
//
// The left form is for rounds that can be counted before, which may be nested; the right one for all others.
#include <algorithm>
#include <deque>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

constexpr int64_t kRoomAtFirst = 16;

Value count_of(ir::ExprPtr expr, Span span) {
    Value value;
    value.type = Scalar::int64;
    value.span = span;
    value.expr = std::move(expr);
    return value;
}

bool has_walrus(const ast::Expr& expr) {
    bool found = expr.as<ast::NamedExpr>() != nullptr;
    for_each_host_child(expr, [&](const ast::Expr& child) { found = found || has_walrus(child); });
    return found;
}

bool assigns(const ast::Comprehension& one) {
    return has_walrus(*one.iter) ||
           std::ranges::any_of(one.ifs, [](const ast::Expr* test) { return has_walrus(*test); });
}

template <typename Holds>
bool is_of(std::span<const ast::ListComp* const> levels, const Holds& holds) {
    return std::ranges::any_of(
        levels, [&](const ast::ListComp* level) { return std::ranges::any_of(level->generators, holds); });
}

// Whether what the inner comprehension runs over is known before the outer ones begin.
bool is_apart(const ast::ListComp& inner, std::span<const ast::ListComp* const> outer) {
    if (inner.generators.size() != 1 || !inner.generators[0].ifs.empty()) return false;
    const ast::Expr& iter = *inner.generators[0].iter;
    bool apart = true;
    const auto look = [&](auto& self, const ast::Expr& expr) -> void {
        if (const auto* name = expr.as<ast::Name>())
            for (const ast::ListComp* level : outer)
                for_each_target(*level->generators[0].target,
                                [&](std::string_view target) { apart = apart && target != name->id; });
        for_each_host_child(expr, [&](const ast::Expr& child) { self(self, child); });
    };
    look(look, iter);
    return apart;
}

}  // namespace

/// Loops and tests, each in the one before.
struct Inference::Rounds {
    std::vector<ir::Stmt> heads;
    std::deque<ir::Block> bodies;  ///< of each
    std::vector<ir::LocalId> counters;
    bool has_rows = false;  ///< each round gives a tuple

    void add(Span span, decltype(ir::Stmt::node) head) {
        heads.push_back({span, std::move(head)});
        bodies.emplace_back();
    }
    ir::Block& innermost(ir::Block& out) { return bodies.empty() ? out : bodies.back(); }
    void close(ir::Block& out) {
        while (!heads.empty()) {
            ir::Stmt head = std::move(heads.back());
            ir::Block body = std::move(bodies.back());
            heads.pop_back();
            bodies.pop_back();
            if (auto* branch = head.as<ir::If>())
                branch->then = std::move(body);
            else if (auto* loop = head.as<ir::While>())
                loop->body = std::move(body);
            else
                head.as<ir::ForRange>()->body = std::move(body);
            innermost(out).push_back(std::move(head));
        }
    }
};

// The loops and tests of one comprehension. False: reported, or not known yet.
bool Inference::open_rounds(Rounds& rounds, const ast::ListComp& level, Iterable first, ir::Block& out) {
    const auto add_test = [&](Value passes, Span span) {
        rounds.add(span, ir::If{passes.expr ? std::move(passes.expr) : ir::boolean(false, span), {}, {}});
    };
    for (const ast::Comprehension& one : level.generators) {
        const Span span = one.iter->span;
        const bool is_first = &one == &level.generators[0];
        Iterable items = is_first ? std::move(first) : iterable(*one.iter, rounds.innermost(out));
        if (!items.length) return false;
        const ir::LocalId counter = temporary("i", Scalar::int64, span);
        rounds.counters.push_back(counter);
        if (items.more)
            rounds.add(span, ir::While{items.more(), {}, {}});
        else
            rounds.add(span, ir::ForRange{counter,
                                          ir::integer(0, Scalar::int64, span),
                                          std::move(items.length),
                                          ir::integer(1, Scalar::int64, span),
                                          {},
                                          {}});
        Value item = items.item(ir::local(function_, counter, span), rounds.innermost(out));
        if (items.passes) {
            if (!item.is_trivial()) item = spill(std::move(item), "item", rounds.innermost(out));
            add_test(truth_of(items.passes(duplicate(item), rounds.innermost(out)), span, rounds.innermost(out)), span);
        }
        assign(*one.target, std::move(item), rounds.innermost(out), span);
        for (const ast::Expr* test : one.ifs) {
            add_test(lower_condition(*test, rounds.innermost(out)), test->span);
        }
    }
    return true;
}

// A number, or those of a row that is written out. Nothing: reported, or not known yet.
std::vector<Value> Inference::items_of_round(Rounds& rounds, const ast::Expr& expr, ir::Block& outside) {
    ir::Block& out = rounds.innermost(outside);
    Value value = let_go(unwrapped(lower(expr, out)), out);
    if (value.is_unknown() || !needs_value(value, value.span)) return {};
    std::vector<Value> items;
    rounds.has_rows = is_sequence(value.type);
    if (rounds.has_rows)
        items = elements(std::move(value), out);
    else
        items.push_back(std::move(value));
    for (Value& item : items) {
        if (item.is_unknown() || !needs_value(item, item.span)) return {};
        if (!item.type.is_scalar()) {
            error(diag::no_overload, item.span, "np.array", std::string_view(item.type.name()));
            return {};
        }
        if (!item.is_trivial()) item = spill(std::move(item), "value", out);
    }
    if (items.empty()) error(diag::not_an_array, expr.span, "np.array", std::string("nothing"));
    return items;
}

Value Inference::comprehension(const ast::ListComp& whole, Type wanted, Span span, ir::Block& out) {
    std::vector<const ast::ListComp*> levels;
    for (const ast::ListComp* level = &whole; level; level = level->elt->as<ast::ListComp>()) {
        if (!levels.empty() && !is_apart(*level, levels))
            return error(diag::unsupported_syntax, levels.back()->elt->span, "rows of several lengths",
                         "write a loop that stores to an array");
        levels.push_back(level);
    }
    const bool is_async = is_of(levels, [](const ast::Comprehension& one) { return one.is_async; });
    if (is_async || has_walrus(*levels.back()->elt) || is_of(levels, assigns))
        return error(diag::unsupported_syntax, span,
                     is_async ? "asynchronous comprehensions" : "assignments (`:=`) in list comprehensions",
                     "write a loop that stores to an array");

    // Nothing in the comprehension assigns to a name of the function.
    const Env before = *env_;
    const NameSet none(names_.count());
    const NameSet* around = std::exchange(loop_assigns_, &none);

    std::vector<Iterable> iterables;
    for (const ast::ListComp* level : levels) iterables.push_back(iterable(*level->generators[0].iter, out));
    const bool is_known = std::ranges::all_of(iterables, [](const Iterable& items) { return items.length != nullptr; });
    const bool is_counted =
        whole.generators.size() == 1 && whole.generators[0].ifs.empty() &&
        std::ranges::none_of(iterables, [](const Iterable& items) { return items.passes || items.more; });
    std::vector<Value> extents;
    if (is_known && is_counted)
        for (Iterable& items : iterables) {
            extents.push_back(spill(count_of(std::move(items.length), span), "count", out));
            items.length = clone(*extents.back().expr);
        }

    Rounds rounds;
    std::vector<decltype(names_.open(whole))> shadowed;
    bool is_open = is_known;
    for (size_t i = 0; i < levels.size() && is_open; ++i) {
        shadowed.push_back(names_.open(*levels[i]));
        is_open = open_rounds(rounds, *levels[i], std::move(iterables[i]), out);
    }
    std::vector<Value> items;
    if (is_open) items = items_of_round(rounds, *levels.back()->elt, out);
    for (size_t i = shadowed.size(); i-- > 0;) names_.close(shadowed[i]);
    loop_assigns_ = around;
    *env_ = before;
    if (items.empty()) return Value();
    if (!is_counted && levels.size() > 1)
        return error(diag::unsupported_syntax, span, "rows of several lengths", "write a loop that stores to an array");

    std::vector<Type> types;
    for (const Value& item : items) types.push_back(item.type);
    // In `np.array` they meet in one type; in a loop each item of a tuple has its own.
    const bool is_read =
        std::ranges::any_of(read_lists_, [&](const ast::Expr* list) { return list->as<ast::ListComp>() == &whole; });
    if (is_read && std::ranges::any_of(types, [&](const Type& type) { return type != types[0]; }))
        return error(diag::unsupported_syntax, span, "lists of tuples of several types",
                     "write a loop over what the list is made of");
    Type element = wanted ? wanted : unify(types);
    if (!element || !element.is_scalar())
        return error(diag::no_overload, span, "np.array", std::string_view(types[0].name()));
    return is_counted ? array_of_rounds(rounds, std::move(extents), element, std::move(items), span, out)
                      : array_that_grows(rounds, element, std::move(items), span, out);
}

// One element for the items of each round, where the loops' counters say.
Value Inference::array_of_rounds(Rounds& rounds, std::vector<Value> extents, Type element, std::vector<Value> items,
                                 Span span, ir::Block& out) {
    const auto width = static_cast<int64_t>(items.size());
    if (rounds.has_rows) extents.push_back(count_of(ir::integer(width, Scalar::int64, span), span));
    Value array = new_array(element, std::move(extents), false, span, out);
    for (int64_t i = 0; i < width; ++i) {
        std::vector<ir::Index> at;
        for (const ir::LocalId counter : rounds.counters) at.push_back({ir::local(function_, counter, span), false});
        if (rounds.has_rows) at.push_back({ir::integer(i, Scalar::int64, span), false});
        store_element(duplicate(array), std::move(at), std::move(items[static_cast<size_t>(i)]), span,
                      rounds.innermost(out));
    }
    rounds.close(out);
    return array;
}

// The items of each round behind those before.
Value Inference::array_that_grows(Rounds& rounds, Type element, std::vector<Value> items, Span span, ir::Block& out) {
    const auto width = static_cast<int64_t>(items.size());
    const auto integer = [&](int64_t value) { return ir::integer(value, Scalar::int64, span); };
    Value count = spill(count_of(integer(0), span), "count", out);
    std::vector<Value> room;
    room.push_back(count_of(integer(kRoomAtFirst * width), span));
    Value buffer = new_array(element, std::move(room), false, span, out);
    ir::Block& inside = rounds.innermost(out);
    const auto assigned = [&](const Value& value) { return value.expr->as<ir::LocalRef>()->id; };
    ir::If is_full{ir::binary(BinaryOp::Eq, clone(*count.expr), shape_of(*buffer.expr, 0, span).expr, span), {}, {}};
    std::vector<Value> full;
    full.push_back(duplicate(buffer));
    is_full.then.push_back(
        {statement_,
         ir::Assign{assigned(buffer), call_instance(library_function("pyk_grown"), std::move(full), span).expr}});
    inside.push_back({statement_, std::move(is_full)});
    for (Value& item : items) {
        std::vector<ir::Index> at;
        at.push_back({clone(*count.expr), false});
        store_element(duplicate(buffer), std::move(at), std::move(item), span, inside);
        inside.push_back(
            {statement_, ir::Assign{assigned(count), ir::binary(BinaryOp::Add, clone(*count.expr), integer(1), span)}});
    }
    rounds.close(out);
    std::vector<ir::Subscript> filled;
    filled.push_back(ir::SliceOf{nullptr, clone(*count.expr), nullptr});
    Value array = view(std::move(buffer), std::move(filled), {}, Effects::none, span);
    array = copied_array(std::move(array), element, span, out);
    if (!rounds.has_rows) return array;
    std::vector<Value> shape;
    shape.push_back(count_of(ir::binary(BinaryOp::FloorDiv, clone(*count.expr), integer(width), span), span));
    shape.push_back(count_of(integer(width), span));
    return reshaped(std::move(array), std::move(shape), span);
}

}  // namespace pyk
