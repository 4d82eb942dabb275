// What the host's code makes of sequences: bytes, and the ways to choose items (`itertools`).
#include <algorithm>
#include <cctype>

#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;

// --- bytes ---
Result bytes(const HostArguments& a) {
    if (a.count() == 0) return bytes_of("");
    if (const Const::Array array = a[0].as<Const::Array>() ? *a[0].as<Const::Array>() : nullptr)
        return array->type.element().is(Scalar::uint8) ? Result(a[0]) : std::nullopt;
    std::string all;
    if (const auto n = to_int(a[0])) {
        if (*n < 0 || *n > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
        return bytes_of(std::string(static_cast<size_t>(*n), '\0'));
    }
    const auto items = a[0].as<std::string>() ? std::nullopt : items_of(a[0]);
    if (!items) return std::nullopt;
    for (const Const& item : *items) {
        const auto byte = to_int(item);
        if (!byte || *byte < 0 || *byte > 255) return std::nullopt;
        all += static_cast<char>(*byte);
    }
    return bytes_of(all);
}

Result bytes_of_digits(const HostArguments& a) {
    const auto* text = a[0].as<std::string>();
    std::string digits, all;
    for (const char c : text ? *text : "?") {
        if (c == ' ') continue;
        if (!std::isxdigit(static_cast<unsigned char>(c))) return std::nullopt;
        digits += c;
        if (digits.size() % 2 == 0) all += static_cast<char>(std::stoi(digits.substr(digits.size() - 2), nullptr, 16));
    }
    return digits.size() % 2 == 0 ? bytes_of(all) : std::nullopt;
}

// --- itertools ---
/// All ways to choose places of `n` items, `length` of them, that `takes` allows, in order.
Result ways(const std::vector<Const>& items, int64_t length, bool (*takes)(const std::vector<size_t>&)) {
    std::vector<Const> all;
    if (length < 0 || length > 8) return std::nullopt;
    std::vector<size_t> at(static_cast<size_t>(length));
    for (bool is_done = items.empty() && length > 0; !is_done;) {
        if (takes(at)) {
            Const::Tuple one;
            for (const size_t i : at) one.push_back(items[i]);
            all.push_back({std::move(one), {}});
            if (all.size() > kMostHostItems) return std::nullopt;
        }
        size_t k = at.size();
        while (k > 0 && ++at[k - 1] == items.size()) at[--k] = 0;
        is_done = k == 0;
    }
    return list_of(std::move(all));
}

Result rising(const HostArguments& a, bool (*takes)(const std::vector<size_t>&)) {
    const auto items = items_of(a[0]);
    const auto length =
        items && a.has(1) ? to_int(a[1]) : std::optional(static_cast<int64_t>(items ? items->size() : 0));
    return items && items->size() <= 64 && length ? ways(*items, *length, takes) : std::nullopt;
}

Result pairs_of(const HostArguments& a) {
    int64_t repeat = 1;
    for (const auto& [name, value] : a.call().named)
        if (name == "repeat") repeat = to_int(value).value_or(-1);
    std::vector<std::vector<Const>> pools;
    for (int64_t r = 0; r < repeat && r < 8; ++r)
        for (size_t i = 0; i < a.count(); ++i) {
            auto items = items_of(a[i]);
            if (!items) return std::nullopt;
            pools.push_back(std::move(*items));
        }
    std::vector<Const> all = {Const{Const::Tuple(), {}}};
    for (const auto& pool : pools) {
        std::vector<Const> longer;
        if (all.size() * pool.size() > kMostHostItems) return std::nullopt;
        for (const Const& start : all)
            for (const Const& item : pool) {
                Const::Tuple one = *start.as<Const::Tuple>();
                one.push_back(item);
                longer.push_back({std::move(one), {}});
            }
        all = std::move(longer);
    }
    return repeat < 0 || repeat > 8 ? std::nullopt : Result(list_of(std::move(all)));
}

Result chained(const HostArguments& a) {
    std::vector<Const> all;
    for (size_t i = 0; i < a.count(); ++i) {
        const auto items = items_of(a[i]);
        if (!items) return std::nullopt;
        all.insert(all.end(), items->begin(), items->end());
    }
    return list_of(std::move(all));
}

bool are_different(const std::vector<size_t>& at) {
    for (size_t i = 0; i < at.size(); ++i)
        if (std::count(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(i), at[i])) return false;
    return true;
}
bool are_rising(const std::vector<size_t>& at) {
    return std::ranges::adjacent_find(at, std::ranges::greater_equal()) == at.end();
}
bool do_not_fall(const std::vector<size_t>& at) { return std::ranges::is_sorted(at); }

constexpr HostFunction kFunctions[] = {
    {"bytes", "source", 0, bytes},
    {"bytearray", "source", 0, bytes},
    {"bytes.fromhex", "string", 1, bytes_of_digits},
    {"itertools.chain", "*", 0, chained},
    {"itertools.combinations", "iterable r", 2, [](const HostArguments& a) { return rising(a, are_rising); }},
    {"itertools.combinations_with_replacement", "iterable r", 2,
     [](const HostArguments& a) { return rising(a, do_not_fall); }},
    {"itertools.permutations", "iterable r", 1, [](const HostArguments& a) { return rising(a, are_different); }},
    {"itertools.product", "*", 0, pairs_of},
};

}  // namespace

std::span<const HostFunction> sequence_functions() { return kFunctions; }

}  // namespace pyk
