#include "module/host_iterators.h"

#include <algorithm>

#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;

Result iterator(const HostArguments& a) {
    if (is_iterator(a[0])) return a[0];
    auto items = items_of(a[0]);
    return items ? Result(iterator_of({std::move(*items)})) : std::nullopt;
}

Result first(const HostArguments& a) {
    const auto coming = coming_of(a[0]);
    if (!coming) return std::nullopt;
    if (!coming->items.empty()) return coming->items.front();
    return !coming->is_endless && a.count() == 2 ? Result(a[1]) : std::nullopt;
}

Result count(const HostArguments& a) {
    Coming coming{{}, true};
    Result next = a.has(0) ? a[0] : Const{Const::Int(0), {}};
    const Const step = a.has(1) ? a[1] : Const{Const::Int(1), {}};
    // Of fractions CPython multiplies the step.
    if (!next->as<Const::Int>() || !step.as<Const::Int>()) return std::nullopt;
    while (next && coming.items.size() < kMostComing) {
        coming.items.push_back(*next);
        next = apply(ast::BinaryOp::Add, *next, step);
    }
    return iterator_of(std::move(coming));
}

Result repeated(const std::vector<Const>& items, size_t most) {
    Coming coming{{}, true};
    for (size_t i = 0; !items.empty() && i < most; ++i) coming.items.push_back(items[i % items.size()]);
    if (items.empty()) coming.is_endless = false;
    return iterator_of(std::move(coming));
}

Result cycle(const HostArguments& a) {
    const auto items = items_of(a[0]);
    return items ? repeated(*items, kMostComing) : std::nullopt;
}

Result repeat(const HostArguments& a) {
    if (!a.has(1)) return repeated({a[0]}, kMostComing);
    const auto times = to_int(a[1]);
    if (!times || *times > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    return list_of(std::vector<Const>(static_cast<size_t>(std::max(*times, int64_t(0))), a[0]));
}

Result slice(const HostArguments& a) {
    if (a.count() > 4) return std::nullopt;
    auto coming = coming_of(a[0]);
    std::optional<int64_t> bounds[3];  // start, stop, step
    for (size_t i = 1; i < a.count(); ++i) {
        if (a[i].as<Const::None>()) continue;
        const auto bound = to_int(a[i]);
        if (!bound || *bound < 0) return std::nullopt;
        bounds[a.count() == 2 ? 1 : i - 1] = *bound;
    }
    if (!coming || bounds[2] == 0) return std::nullopt;
    const auto there = static_cast<int64_t>(coming->items.size());
    if (coming->is_endless && (!bounds[1] || *bounds[1] > there)) return std::nullopt;
    std::vector<Const> taken;
    for (int64_t i = bounds[0].value_or(0); i < std::min(there, bounds[1].value_or(there)); i += bounds[2].value_or(1))
        taken.push_back(coming->items[static_cast<size_t>(i)]);
    return list_of(std::move(taken));
}

/// Items as long as a function of them holds, or those from where it does no more.
Result while_it_holds(const HostArguments& a, bool takes) {
    const auto coming = coming_of(a[1]);
    if (!coming) return std::nullopt;
    for (size_t i = 0; i < coming->items.size(); ++i) {
        const Result test = a.call().call(a[0], {&coming->items[i], 1});
        if (!test) return std::nullopt;
        if (truth(*test)) continue;
        const auto at = coming->items.begin() + static_cast<std::ptrdiff_t>(i);
        if (takes) return list_of({coming->items.begin(), at});
        return coming->is_endless ? iterator_of({{at, coming->items.end()}, true}) : list_of({at, coming->items.end()});
    }
    if (coming->is_endless) return std::nullopt;
    return list_of(takes ? coming->items : std::vector<Const>());
}

constexpr HostFunction kFunctions[] = {
    {"iter", "object", 1, iterator},
    {"next", "*", 1, first},
    {"itertools.count", "start step", 0, count},
    {"itertools.cycle", "iterable", 1, cycle},
    {"itertools.repeat", "object times", 1, repeat},
    {"itertools.islice", "*", 2, slice},
    {"itertools.takewhile", "predicate iterable", 2, [](const HostArguments& a) { return while_it_holds(a, true); }},
    {"itertools.dropwhile", "predicate iterable", 2, [](const HostArguments& a) { return while_it_holds(a, false); }},
};

}  // namespace

std::span<const HostFunction> iterator_functions() { return kFunctions; }

bool is_iterator(const Const& value) {
    const auto* list = value.as<Const::List>();
    return list && (*list)->kind != ConstList::Kind::list;
}

bool gives_iterator(std::string_view function) {
    static constexpr std::string_view kOfPython[] = {"zip", "map", "filter", "enumerate", "reversed"};
    return function.starts_with("itertools.") || std::ranges::find(kOfPython, function) != std::end(kOfPython);
}

Const iterator_of(Coming coming) {
    const auto kind = coming.is_endless ? ConstList::Kind::endless : ConstList::Kind::iterator;
    return {std::make_shared<const ConstList>(ConstList{std::move(coming.items), kind}), {}};
}

std::optional<Coming> coming_of(const Const& value) {
    if (is_iterator(value)) {
        const ConstList& left = **value.as<Const::List>();
        return Coming{left.items, left.kind == ConstList::Kind::endless};
    }
    auto items = items_of(value);
    return items ? std::optional(Coming{std::move(*items)}) : std::nullopt;
}

Const as_whole(const Const& value) {
    const auto coming = is_iterator(value) ? coming_of(value) : std::nullopt;
    return coming && !coming->is_endless ? list_of(coming->items) : value;
}

}  // namespace pyk
