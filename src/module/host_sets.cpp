#include "module/host_sets.h"

#include <algorithm>

#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;

constexpr size_t kMostMembers = 4096;

bool has(const Const& set, const Const& key) { return item_at(set, key).has_value(); }
const std::vector<Const>& members_in(const Const& set) { return set.as<Const::Dict>()->keys; }

Result set_of_different(std::vector<Const> members) {
    if (members.size() > kMostMembers) return std::nullopt;
    std::vector<Const> none(members.size(), {Const::None{}, {}});
    return Const{Const::Dict{std::move(members), std::move(none), Const::Dict::Kind::set}, {}};
}

bool is_within(const Const& set, const Const& other) {
    return std::ranges::all_of(members_in(set), [&](const Const& one) { return has(other, one); });
}

Result set_function(const HostArguments& a) { return a.count() == 0 ? set_of({}) : set_made_of(a[0]); }

constexpr HostFunction kFunctions[] = {
    {"set", "iterable", 0, set_function},
    {"frozenset", "iterable", 0, set_function},
};

}  // namespace

std::span<const HostFunction> set_functions() { return kFunctions; }

bool is_set(const Const& value) {
    const auto* dict = value.as<Const::Dict>();
    return dict && dict->kind == Const::Dict::Kind::set;
}

Result set_of(const std::vector<Const>& members) {
    std::vector<Const> different;
    for (const Const& one : members) {
        if (std::ranges::any_of(different, [&](const Const& other) { return is_same_key(other, one); })) continue;
        if (different.size() == kMostMembers) return std::nullopt;
        different.push_back(one);
    }
    return set_of_different(std::move(different));
}

Result set_made_of(const Const& value) {
    if (is_set(value)) return copy_of(value);
    const auto items = items_of(value);
    return items ? set_of(*items) : std::nullopt;
}

// CPython puts a small integer at the place of its value in a table of at least so many.
std::optional<std::vector<Const>> in_order(const Const& set) {
    std::vector<Const> members = members_in(set);
    int64_t least = 8;
    if (5 * members.size() >= 21)
        while (least <= 2 * static_cast<int64_t>(members.size())) least *= 2;
    const auto is_small = [&](const Const& one) {
        return one.as<Const::Int>() && *one.as<Const::Int>() >= 0 && *one.as<Const::Int>() < least;
    };
    if (members.size() > 1 && !std::ranges::all_of(members, is_small)) return std::nullopt;
    return sort_items(members) ? std::optional(std::move(members)) : std::nullopt;
}

std::optional<std::vector<Const>> in_any_order(const Const& value) {
    return is_set(value) ? std::optional(members_in(value)) : items_of(value);
}

Result apply_to_sets(ast::BinaryOp op, const Const& a, const Const& b) {
    std::vector<Const> members;
    const auto take = [&](const Const& from, const Const& other, bool is_there) {
        for (const Const& one : members_in(from))
            if (has(other, one) == is_there) members.push_back(one);
    };
    switch (op) {
        case ast::BinaryOp::BitOr:
            members = members_in(a);
            take(b, a, false);
            break;
        case ast::BinaryOp::BitAnd:
            take(a, b, true);
            break;
        case ast::BinaryOp::Sub:
            take(a, b, false);
            break;
        case ast::BinaryOp::BitXor:
            take(a, b, false);
            take(b, a, false);
            break;
        default:
            return std::nullopt;
    }
    return set_of_different(std::move(members));
}

std::optional<bool> compare_sets(ast::CompareOp op, const Const& a, const Const& b) {
    const bool is_same_size = members_in(a).size() == members_in(b).size();
    switch (op) {
        case ast::CompareOp::Eq:
            return is_same_size && is_within(a, b);
        case ast::CompareOp::NotEq:
            return !is_same_size || !is_within(a, b);
        case ast::CompareOp::LtE:
            return is_within(a, b);
        case ast::CompareOp::Lt:
            return !is_same_size && is_within(a, b);
        case ast::CompareOp::GtE:
            return is_within(b, a);
        case ast::CompareOp::Gt:
            return !is_same_size && is_within(b, a);
        default:
            return std::nullopt;
    }
}

Result set_after(const Const& set, std::string_view method, std::span<const Const> args) {
    if (method == "clear" && args.empty()) return set_of({});
    if (args.size() != 1) return std::nullopt;
    const bool is_one = method != "update";
    const Result other = is_one ? set_of({args[0]}) : set_made_of(args[0]);
    if (!other) return std::nullopt;
    if (method == "add" || method == "update") return apply_to_sets(ast::BinaryOp::BitOr, set, *other);
    const bool goes = method == "discard" || (method == "remove" && has(set, args[0]));
    return goes ? apply_to_sets(ast::BinaryOp::Sub, set, *other) : std::nullopt;
}

Result set_method(const Const& set, std::string_view method, std::span<const Const> args) {
    if (method == "copy" && args.empty()) return copy_of(set);
    const Result other = args.size() == 1 ? set_made_of(args[0]) : std::nullopt;
    if (!other) return std::nullopt;
    if (method == "union") return apply_to_sets(ast::BinaryOp::BitOr, set, *other);
    if (method == "intersection") return apply_to_sets(ast::BinaryOp::BitAnd, set, *other);
    if (method == "difference") return apply_to_sets(ast::BinaryOp::Sub, set, *other);
    if (method == "symmetric_difference") return apply_to_sets(ast::BinaryOp::BitXor, set, *other);
    if (method == "issubset") return Const{is_within(set, *other), {}};
    if (method == "issuperset") return Const{is_within(*other, set), {}};
    if (method == "isdisjoint")
        return Const{members_in(*apply_to_sets(ast::BinaryOp::BitAnd, set, *other)).empty(), {}};
    return std::nullopt;
}

}  // namespace pyk
