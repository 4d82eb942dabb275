// Values that the host's code computes before kernels are compiled: sequences, and what changes them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "module/const_array.h"
#include "module/constant.h"

namespace pyk {

/// Longer sequences are not computed.
inline constexpr size_t kMostHostItems = size_t(1) << 16;
inline constexpr size_t kLongestText = size_t(1) << 22;  ///< in bytes
/// Whether a sequence so often, one behind the other, is computed.
inline bool may_repeat(size_t length, int64_t times) {
    return times <= 0 || length == 0 || static_cast<uint64_t>(times) <= kMostHostItems / length;
}

/// Of a tuple, all that is in it and in the tuples in it; of other values 1.
size_t parts_in(const Const& value);
/// What a loop over the value takes; nullopt: it is no sequence, or too long.
std::optional<std::vector<Const>> items_of(const Const& value);
bool is_without_axes(const Const& value);
/// Of an array without axes, its element.
Const number_of(const Const& value);
/// As an array's constructor takes it.
Nested nested_of(const Const& value);
/// The array that it is, or that NumPy's functions make of it; null: none, or one without axes.
Const::Array array_of(const Const& value);

/// `value[index]`; nullopt: it has no such item.
std::optional<Const> item_at(const Const& value, const Const& index);
/// `value[start:stop:step]` of a tuple, a list or a text.
std::optional<Const> slice_of(const Const& value, const ConstSubscript& slice);
/// The value with another item at a place.
std::optional<Const> with_item(const Const& value, const Const& index, const Const& item);

/// The value after a method of a list, a dict or an array has changed it: `append`, `update`, `fill`.
std::optional<Const> after_method(const Const& value, std::string_view method, std::span<const Const> args);
/// What a method gives that changes nothing: `d.get(k)`, `t.index(x)`, `s.upper()`, `n.bit_length()`.
std::optional<Const> method_result(const Const& value, std::string_view method, std::span<const Const> args);

/// In their order; false: they have none.
bool sort_items(std::vector<Const>& items);
/// The same as NumPy has it: NaNs come last.
bool sort_numbers(std::vector<Const>& items);
/// `b"…"`: an array of bytes; nullopt: it is longer than arrays of the module may be.
std::optional<Const> bytes_of(std::string_view text);

/// What an array or a record lies in; null: it is neither.
const ConstArray* memory_of(const Const& value);
/// A list, a dict, an array or a record: one object, which has several names.
bool is_object(const Const& value);
/// A record, or an array of them.
bool has_fields(const Const& value);
/// A record, or each of an array of records, with a field that is another; nullopt: it has none, or `item` is no value
/// of it.
std::optional<Const> with_field(const Const& value, std::string_view name, const Const& item);
/// Whether it is the very same list, dict, set, array or record.
bool is_same_object(const Const& a, const Const& b);
/// Another object with the same items; of what is none of these, the value itself.
Const copy_of(const Const& value);
/// Of two keys of a dict.
bool is_same_key(const Const& a, const Const& b);

}  // namespace pyk
