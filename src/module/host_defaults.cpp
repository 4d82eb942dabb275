#include "module/host_defaults.h"

#include <algorithm>

#include "module/host_numpy.h"
#include "module/host_sets.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;

/// What `int()` makes, or `dict()`.
template <typename T>
Const empty() {
    return {T(), {}};
}

/// What makes the values of `defaultdict(name)`.
struct Factory {
    std::string_view name;
    Const (*make)();
};
constexpr Factory kFactories[] = {
    {"int", empty<Const::Int>},           {"float", empty<double>},     {"bool", empty<bool>},
    {"list", [] { return list_of({}); }}, {"dict", empty<Const::Dict>}, {"set", [] { return *set_of({}); }},
};

Result counter(const HostArguments& a) {
    const Const none{Const::Dict{{}, {}, Const::Dict::Kind::counter, empty<Const::Int>}, {}};
    return a.count() == 0 ? none : with_counts(none, a[0]);
}

constexpr HostFunction kFunctions[] = {{"collections.Counter", "iterable", 0, counter}};

}  // namespace

std::span<const HostFunction> default_functions() { return kFunctions; }

Result dict_with_default(std::string_view factory, const Const::Dict& entries) {
    const auto* const known = std::ranges::find(kFactories, factory, &Factory::name);
    if (known == std::end(kFactories)) return std::nullopt;
    return Const{Const::Dict{.keys = entries.keys, .values = entries.values, .factory = known->make}, {}};
}

bool is_counter(const Const& value) {
    const auto* dict = value.as<Const::Dict>();
    return dict && dict->kind == Const::Dict::Kind::counter;
}

Result default_of(const Const& value) {
    const auto* dict = value.as<Const::Dict>();
    return dict && dict->factory ? Result(dict->factory()) : std::nullopt;
}

Result with_counts(const Const& counter, const Const& more) {
    Result all = counter;
    const auto add = [&](const Const& key, const Const& count) {
        const auto before = all ? item_at(*all, key) : std::nullopt;
        const auto sum = before ? apply(ast::BinaryOp::Add, *before, count) : count;
        all = all && sum ? with_item(*all, key, *sum) : std::nullopt;
    };
    const auto* counts = is_set(more) ? nullptr : more.as<Const::Dict>();
    for (size_t i = 0; counts && i < counts->keys.size(); ++i) add(counts->keys[i], counts->values[i]);
    if (counts) return all;
    const auto items = items_of(more);
    if (!items) return std::nullopt;
    for (const Const& item : *items) add(item, Const{Const::Int(1), {}});
    return all;
}

Result counter_method(const Const& counter, std::string_view method, std::span<const Const> args) {
    const auto& entries = *counter.as<Const::Dict>();
    if (method == "total" && args.empty()) {
        Result total = Const{Const::Int(0), {}};
        for (const Const& count : entries.values) total = total ? apply(ast::BinaryOp::Add, *total, count) : total;
        return total;
    }
    if (method != "most_common" || args.size() > 1) return std::nullopt;
    const auto most = args.empty() ? std::optional(static_cast<int64_t>(entries.keys.size())) : to_int(args[0]);
    if (!most || *most < 0) return std::nullopt;
    std::vector<Const> pairs;
    for (size_t i = 0; i < entries.keys.size(); ++i)
        pairs.push_back({Const::Tuple{entries.keys[i], entries.values[i]}, {}});
    bool is_ordered = true;
    std::ranges::stable_sort(pairs, [&](const Const& a, const Const& b) {
        const auto more = compare(ast::CompareOp::Gt, (*a.as<Const::Tuple>())[1], (*b.as<Const::Tuple>())[1]);
        is_ordered = is_ordered && more;
        return more.value_or(false);
    });
    if (!is_ordered) return std::nullopt;
    pairs.resize(std::min(pairs.size(), static_cast<size_t>(*most)));
    return list_of(std::move(pairs));
}

}  // namespace pyk
