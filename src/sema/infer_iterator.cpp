// Iterators as values: `it = iter(a)`, `next(it)`, and loops that go on where the last one stopped.
#include <memory>
#include <utility>

#include "sema/infer.h"

namespace pyk {

// `iter(a)`, `enumerate(a)`, `zip(a, b)` outside of a loop's head.
Value Inference::special_iterator(const CallSite& site) {
    NameSet all(names_.count());
    all.fill();
    const NameSet* around = std::exchange(loop_assigns_, &all);  // whatever has a name may get another value later
    std::optional<Iterable> items = iterable_call(site.node, site.span, site.out);
    loop_assigns_ = around;
    if (!items || !items->length) return Value();
    if (items->passes) return error(diag::only_in_for, site.span, site.builtin.name);
    Value length, none_given;
    length.type = none_given.type = Scalar::int64;
    length.span = none_given.span = site.span;
    length.expr = std::move(items->length);
    none_given.expr = ir::integer(0, Scalar::int64, site.span);
    if (!length.is_trivial()) length = spill(std::move(length), "count", site.out);
    items->length = std::move(length.expr);
    none_given = spill(std::move(none_given), "given", site.out);
    iterators_.push_back({std::move(*items), none_given.expr->as<ir::LocalRef>()->id});
    Value value;
    value.span = site.span;
    value.entity = &builtin("iter");
    value.receiver = std::make_shared<const Value>(
        of_const(Const{Const::Int(static_cast<int64_t>(iterators_.size()) - 1), {}}, site.span));
    return value;
}

// Null: the value is no iterator.
const Iterator* Inference::iterator_of(const Value& value) const {
    const auto* row = value.entity ? std::get_if<const Builtin*>(&*value.entity) : nullptr;
    if (!row || (*row)->name != "iter" || !value.receiver) return nullptr;
    return &iterators_[static_cast<size_t>(*to_int(*value.receiver->constant))];
}

ir::ExprPtr Inference::is_left(const Iterator& iterator, Span span) {
    return ir::binary(BinaryOp::Lt, ir::local(function_, iterator.position, span), clone(*iterator.items.length), span);
}

// The next item; there must be one.
Value Inference::take(const Iterator& iterator, ir::Block& out) {
    const Span span = statement_;
    const auto position = [&] { return ir::local(function_, iterator.position, span); };
    Value item = iterator.items.item(position(), out);
    if (item.is_runtime()) item = spill(std::move(item), "item", out);
    ir::ExprPtr next = ir::binary(BinaryOp::Add, position(), ir::integer(1, Scalar::int64, span), span);
    out.push_back({span, ir::Assign{iterator.position, std::move(next)}});
    return item;
}

Iterable Inference::iterable_iterator(const Value& value, Span span) {
    const Iterator* iterator = iterator_of(value);
    ir::ExprPtr rest =
        ir::binary(BinaryOp::Sub, clone(*iterator->items.length), ir::local(function_, iterator->position, span), span);
    return {std::move(rest), [this, iterator](ir::ExprPtr, ir::Block& out) { return take(*iterator, out); }, nullptr,
            [this, iterator, span] { return is_left(*iterator, span); }};
}

// `next(it)`; at the end the thread ends, as by `raise StopIteration`.
Value Inference::special_next(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, builtin.name, "1",
                     static_cast<int>(node.args.size() + node.keywords.size()));
    const Value value = lower(*node.args[0], out);
    if (value.is_unknown()) return Value();
    const Iterator* iterator = iterator_of(value);
    if (!iterator) return error(diag::no_overload, span, builtin.name, described(value));
    ir::If at_end{ir::unary(UnaryOp::Not, is_left(*iterator, span), span), {}, {}};
    at_end.then.push_back({span, ir::Raise{"StopIteration"}});
    out.push_back({span, std::move(at_end)});
    return take(*iterator, out);
}

}  // namespace pyk
