#include "module/host_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "module/const_math.h"
#include "module/const_numbers.h"
#include "module/const_time.h"
#include "module/host_defaults.h"
#include "module/host_iterators.h"
#include "module/host_sets.h"
#include "module/host_texts.h"
#include "module/scope.h"

namespace pyk {
namespace {

Const integer(size_t n) { return {static_cast<Const::Int>(n), {}}; }

const std::vector<Const>* sequence(const Const& value) {
    if (const auto* tuple = value.as<Const::Tuple>()) return tuple;
    const auto* list = is_iterator(value) ? nullptr : value.as<Const::List>();
    return list ? &(*list)->items : nullptr;
}

Const like(const Const& sequence, std::vector<Const> items) {
    return sequence.as<Const::Tuple>() ? Const{std::move(items), {}} : list_of(std::move(items));
}

// A text's characters.
std::vector<Const> characters(const std::string& text) {
    std::vector<Const> found;
    for (size_t at = 0; at < text.size();) {
        size_t end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
        found.push_back({text.substr(at, end - at), {}});
        at = end;
    }
    return found;
}

std::optional<size_t> place(const Const& index, size_t count) {
    auto at = to_int(index);
    if (!at) return std::nullopt;
    if (*at < 0) *at += static_cast<int64_t>(count);
    if (*at < 0 || *at >= static_cast<int64_t>(count)) return std::nullopt;
    return static_cast<size_t>(*at);
}

std::string joined(const std::vector<Const>& characters) {
    std::string text;
    for (const Const& c : characters) text += *c.as<std::string>();
    return text;
}

}  // namespace

size_t parts_in(const Const& value) {
    size_t parts = 1;
    if (const auto* tuple = value.as<Const::Tuple>())
        for (const Const& item : *tuple) parts += parts_in(item);
    return parts;
}

bool is_same_key(const Const& a, const Const& b) {
    const auto *text = a.as<std::string>(), *other_text = b.as<std::string>();
    const auto *number = a.as<Const::Int>(), *other_number = b.as<Const::Int>();
    if (text && (other_text || other_number)) return other_text && *text == *other_text;
    if (number && (other_text || other_number)) return other_number && *number == *other_number;
    return key_of(a) == key_of(b) || compare(ast::CompareOp::Eq, a, b).value_or(false);
}

std::optional<std::vector<Const>> items_of(const Const& value) {
    if (const auto* items = sequence(value))
        return items->size() <= kMostHostItems ? std::optional(*items) : std::nullopt;
    if (is_set(value)) return in_order(value);
    if (const auto* dict = value.as<Const::Dict>()) return dict->keys;
    if (const auto* text = value.as<std::string>()) return characters(*text);
    const auto* array = value.as<Const::Array>();
    if (!array || is_without_axes(value)) return std::nullopt;
    if ((*array)->table.shape[0] > static_cast<int64_t>(kMostHostItems)) return std::nullopt;
    std::vector<Const> rows;
    for (int64_t i = 0; i < (*array)->table.shape[0]; ++i) {
        const ConstSubscript at{ConstSubscript::Kind::index, i};
        const auto row = subscripted(**array, {&at, 1});
        if (!row) return std::nullopt;
        rows.push_back(*row);
    }
    return rows;
}

bool is_without_axes(const Const& value) {
    const auto* array = value.as<Const::Array>();
    return array && (*array)->table.shape.empty();
}

Const number_of(const Const& value) {
    return is_without_axes(value) ? item(**value.as<Const::Array>(), 0).value_or(value) : value;
}

Nested nested_of(const Const& value) {
    Nested nested{Nested::Kind::value, number_of(value), {}};
    const auto* items = sequence(nested.value);
    if (items || nested.value.as<Const::Array>()) {
        nested.kind = value.as<Const::Tuple>() ? Nested::Kind::tuple : Nested::Kind::list;
        for (const Const& item : items_of(value).value_or(std::vector<Const>()))
            nested.items.push_back(nested_of(item));
    }
    return nested;
}

Const::Array array_of(const Const& value) {
    if (is_without_axes(value)) return nullptr;
    if (const auto* array = value.as<Const::Array>()) return *array;
    if (!sequence(value)) return nullptr;
    auto made = array_of(nested_of(value), Type());
    return made ? std::make_shared<const ConstArray>(std::move(*made)) : nullptr;
}

std::optional<Const> item_at(const Const& value, const Const& index) {
    if (const auto* dict = value.as<Const::Dict>()) {
        for (size_t i = 0; i < dict->keys.size(); ++i)
            if (is_same_key(dict->keys[i], index)) return dict->values[i];
        return std::nullopt;
    }
    const auto* text = value.as<std::string>();
    const auto all = text ? std::optional(characters(*text)) : std::nullopt;
    const auto* items = all ? &*all : sequence(value);
    const auto at = items ? place(index, items->size()) : std::nullopt;
    return at ? std::optional((*items)[*at]) : std::nullopt;
}

std::optional<Const> slice_of(const Const& value, const ConstSubscript& slice) {
    const auto* text = value.as<std::string>();
    const auto all = text ? std::optional(characters(*text)) : std::nullopt;
    const auto* items = all ? &*all : sequence(value);
    if (!items || slice.step == 0) return std::nullopt;
    const SlicedAxis axis = sliced(slice, static_cast<int64_t>(items->size()));
    std::vector<Const> taken;
    for (int64_t i = 0; i < axis.count; ++i) taken.push_back((*items)[static_cast<size_t>(axis.first + i * axis.step)]);
    return text ? Const{joined(taken), {}} : like(value, std::move(taken));
}

std::optional<Const> with_item(const Const& value, const Const& index, const Const& item) {
    if (const auto* dict = value.as<Const::Dict>()) {
        Const::Dict more = *dict;
        const auto at = std::ranges::find_if(more.keys, [&](const Const& key) { return is_same_key(key, index); });
        if (at != more.keys.end()) {
            more.values[static_cast<size_t>(at - more.keys.begin())] = item;
        } else {
            more.keys.push_back(index);
            more.values.push_back(item);
        }
        return Const{std::move(more), {}};
    }
    const auto* list = value.as<Const::List>();
    const auto at = list ? place(index, (*list)->items.size()) : std::nullopt;
    if (!at) return std::nullopt;
    std::vector<Const> items = (*list)->items;
    items[*at] = item;
    return list_of(std::move(items));
}

const ConstArray* memory_of(const Const& value) {
    const auto* array = value.as<Const::Array>();
    const auto* record = value.as<Const::Record>();
    return array ? array->get() : record ? record->array.get() : nullptr;
}

bool has_fields(const Const& value) {
    const ConstArray* const memory = memory_of(value);
    return memory && memory->type.element().is_record();
}

bool is_object(const Const& value) { return value.as<Const::List>() || value.as<Const::Dict>() || memory_of(value); }

bool is_same_object(const Const& a, const Const& b) {
    const auto *list = a.as<Const::List>(), *other_list = b.as<Const::List>();
    if (list && other_list) return *list == *other_list;
    const auto *dict = a.as<Const::Dict>(), *other_dict = b.as<Const::Dict>();
    if (dict && other_dict) return dict == other_dict;
    const ConstArray* const memory = memory_of(a);
    return memory && memory == memory_of(b);
}

Const copy_of(const Const& value) {
    if (const auto* list = value.as<Const::List>()) return list_of((*list)->items);
    if (const auto* dict = value.as<Const::Dict>()) return {*dict, {}};
    if (const auto* array = value.as<Const::Array>()) return {std::make_shared<const ConstArray>(**array), value.typed};
    return value;
}

// --- methods ---
namespace {

std::optional<Const> changed_list(const std::vector<Const>& list, std::string_view method,
                                  std::span<const Const> args) {
    std::vector<Const> items;
    items.reserve(list.size() + 1);  // most often one comes behind
    items = list;
    if (method == "append" && args.size() == 1) {
        if (items.size() == kMostHostItems) return std::nullopt;
        items.push_back(args[0]);
    } else if (method == "extend" && args.size() == 1) {
        const auto more = items_of(args[0]);
        if (!more || items.size() + more->size() > kMostHostItems) return std::nullopt;
        items.insert(items.end(), more->begin(), more->end());
    } else if (method == "insert" && args.size() == 2) {
        auto at = to_int(args[0]);
        if (!at) return std::nullopt;
        const auto count = static_cast<int64_t>(items.size());
        items.insert(items.begin() + std::clamp(*at < 0 ? *at + count : *at, int64_t(0), count), args[1]);
    } else if (method == "pop" && args.size() <= 1) {
        const auto at = place(args.empty() ? Const{Const::Int(-1), {}} : args[0], items.size());
        if (!at) return std::nullopt;
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(*at));
    } else if (method == "remove" && args.size() == 1) {
        const auto at = std::ranges::find_if(items, [&](const Const& c) { return is_same_key(c, args[0]); });
        if (at == items.end()) return std::nullopt;
        items.erase(at);
    } else if (method == "reverse" && args.empty()) {
        std::ranges::reverse(items);
    } else if (method == "sort" && args.empty()) {
        if (!sort_items(items)) return std::nullopt;
    } else if (method == "clear" && args.empty()) {
        items.clear();
    } else {
        return std::nullopt;
    }
    return list_of(std::move(items));
}

std::optional<Const> changed_dict(const Const& dict, std::string_view method, std::span<const Const> args) {
    const auto& entries = *dict.as<Const::Dict>();
    if (method == "clear" && args.empty()) return Const{entries.with({}, {}), {}};
    if (is_counter(dict) && method == "update") return args.size() == 1 ? with_counts(dict, args[0]) : std::nullopt;
    if (method == "setdefault" && args.size() == 2)
        return item_at(dict, args[0]) ? dict : with_item(dict, args[0], args[1]);
    const auto* more = method == "update" && args.size() == 1 ? args[0].as<Const::Dict>() : nullptr;
    if (more) {
        std::optional<Const> all = dict;
        for (size_t i = 0; all && i < more->keys.size(); ++i) all = with_item(*all, more->keys[i], more->values[i]);
        return all;
    }
    if (method == "setdefault" && args.size() == 1)
        return item_at(dict, args[0]) ? dict : with_item(dict, args[0], Const{Const::None(), {}});
    if (method != "pop" || args.empty()) return std::nullopt;
    if (args.size() == 1 && !item_at(dict, args[0])) return std::nullopt;
    Const::Dict rest = entries.with({}, {});
    for (size_t i = 0; i < entries.keys.size(); ++i) {
        if (is_same_key(entries.keys[i], args[0])) continue;
        rest.keys.push_back(entries.keys[i]);
        rest.values.push_back(entries.values[i]);
    }
    return Const{std::move(rest), {}};
}

/// `n.to_bytes(2, "big")`.
std::optional<Const> number_in_bytes(const Const& value, const Const& length, const Const& order) {
    const auto number = value.as<Const::Int>() ? to_int(value) : std::nullopt;
    const auto size = to_int(length);
    const auto* first = order.as<std::string>();
    if (!number || *number < 0 || !size || *size < 0 || !first || (*first != "big" && *first != "little"))
        return std::nullopt;
    if (*size < 8 && (*number >> (8 * *size)) != 0) return std::nullopt;
    if (*size > static_cast<int64_t>(kLongestText)) return std::nullopt;
    std::string text;
    for (int64_t i = 0; i < *size; ++i) text += i < 8 ? static_cast<char>(*number >> (8 * i)) : '\0';
    if (*first == "big") std::ranges::reverse(text);
    return bytes_of(text);
}

std::optional<Const> changed_array(const ConstArray& array, std::string_view method, std::span<const Const> args) {
    ConstArray changed = array;
    if (method == "fill" && args.size() == 1) {
        for (int64_t i = 0; i < count(changed); ++i)
            if (!set_item(changed, i, args[0])) return std::nullopt;
    } else if (method == "sort" && args.empty() && array.table.shape.size() == 1) {
        std::vector<Const> items;
        for (int64_t i = 0; i < count(changed); ++i)
            if (auto one = item(changed, i)) items.push_back(*one);
        if (static_cast<int64_t>(items.size()) != count(changed) || !sort_numbers(items)) return std::nullopt;
        for (size_t i = 0; i < items.size(); ++i) set_item(changed, static_cast<int64_t>(i), items[i]);
    } else {
        return std::nullopt;
    }
    return Const{std::make_shared<const ConstArray>(std::move(changed)), {}};
}

}  // namespace

bool sort_numbers(std::vector<Const>& items) {
    const auto nans = std::ranges::stable_partition(items, [](const Const& c) { return !is_nan(c); });
    std::vector<Const> rest(nans.begin(), nans.end());
    items.erase(nans.begin(), nans.end());
    if (!sort_items(items)) return false;
    items.insert(items.end(), rest.begin(), rest.end());
    return true;
}

bool sort_items(std::vector<Const>& items) {
    if (std::ranges::any_of(items, is_nan)) return false;  // by no order
    for (size_t i = 1; i < items.size(); ++i)
        if (!compare(ast::CompareOp::Lt, items[i - 1], items[i])) return false;
    std::ranges::stable_sort(
        items, [](const Const& a, const Const& b) { return compare(ast::CompareOp::Lt, a, b).value_or(false); });
    return true;
}

std::optional<Const> bytes_of(std::string_view text) {
    auto array = zeros(Scalar::uint8, {static_cast<int64_t>(text.size())});
    if (!array) return std::nullopt;
    std::ranges::copy(text, array->table.bytes.begin());
    array->is_bytes = true;
    return Const{std::make_shared<const ConstArray>(std::move(*array)), {}};
}

std::optional<Const> after_method(const Const& value, std::string_view method, std::span<const Const> args) {
    if (const auto* list = value.as<Const::List>()) return changed_list((*list)->items, method, args);
    if (is_set(value)) return set_after(value, method, args);
    if (value.as<Const::Dict>()) return changed_dict(value, method, args);
    if (const auto* array = value.as<Const::Array>()) return changed_array(**array, method, args);
    return std::nullopt;
}

std::optional<Const> method_result(const Const& value, std::string_view method, std::span<const Const> args) {
    if (is_set(value)) return set_method(value, method, args);
    if (const auto* dict = value.as<Const::Dict>()) {
        if (method == "get" && (args.size() == 1 || args.size() == 2)) {
            if (auto found = item_at(value, args[0])) return found;
            return args.size() == 2 ? args[1] : Const{Const::None(), {}};
        }
        if (method == "copy" && args.empty()) return copy_of(value);
        if (is_counter(value))
            if (auto result = counter_method(value, method, args)) return result;
        std::vector<Const> items;
        for (size_t i = 0; args.empty() && i < dict->keys.size(); ++i)
            items.push_back(method == "keys"     ? dict->keys[i]
                            : method == "values" ? dict->values[i]
                                                 : Const{Const::Tuple{dict->keys[i], dict->values[i]}, {}});
        const bool known = args.empty() && (method == "keys" || method == "values" || method == "items");
        return known ? std::optional(list_of(std::move(items))) : std::nullopt;
    }
    if (const auto* items = sequence(value)) {
        if (method == "copy" && args.empty()) return like(value, *items);
        if (args.size() != 1 || (method != "index" && method != "count")) return std::nullopt;
        const auto is_it = [&](const Const& c) { return is_same_key(c, args[0]); };
        const auto found = std::ranges::find_if(*items, is_it);
        if (method == "count") return integer(static_cast<size_t>(std::ranges::count_if(*items, is_it)));
        return found == items->end() ? std::nullopt
                                     : std::optional(integer(static_cast<size_t>(found - items->begin())));
    }
    if (const auto* text = value.as<std::string>()) return text_method(*text, method, args);
    if (!is_number(value)) return std::nullopt;
    if (method == "to_bytes" && args.size() == 2) return number_in_bytes(value, args[0], args[1]);
    if (!args.empty()) return std::nullopt;
    if (method == "item" && !is_time(value)) return Const{value.value, {}};
    if (method == "conjugate") return call_function("np.conj", {&value, 1});
    if (method == "is_integer" && value.as<double>())
        return Const{std::floor(*value.as<double>()) == *value.as<double>(), {}};
    const auto number = to_int(value);
    if (!number) return std::nullopt;
    const uint64_t size = *number < 0 ? 0 - static_cast<uint64_t>(*number) : static_cast<uint64_t>(*number);
    if (method == "bit_length") return integer(static_cast<size_t>(std::bit_width(size)));
    if (method == "bit_count") return integer(static_cast<size_t>(std::popcount(size)));
    return std::nullopt;
}

}  // namespace pyk
