// How the text of a module spells the types of its values.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emit/structs.h"
#include "targets/target.h"
#include "types/type.h"

namespace pyk::emitter {

/// What one text calls types: its own structs, the vectors of its target, arrays as it holds them.
class TypeNames {
  public:
    /// `structs`: those that the text declares. `holds_kept_arrays`: arrays in tuples and results are held with what
    /// keeps their memory; see emit/kept.h.
    TypeNames(const std::vector<Struct>& structs, const Target& target, bool holds_kept_arrays);

    /// The C++ spelling of a type.
    std::string name(Type type) const;
    /// The same where a value of the type is held: of a record it is a pointer.
    std::string held(Type type) const;
    /// Of a type in the functions of headers, where complex numbers are those of C++, and dates say their unit.
    std::string host(Type type) const;
    /// `pyk::array<const float, 2, pyk::F>`.
    std::string array(Type array, bool is_const) const;
    /// The same of one that is only read, whatever its type says.
    std::string const_array(Type type) const { return array(type, true); }
    /// `pyk::array32<const float, 2>`, of one in C order.
    std::string array32(Type array, bool is_const) const;
    /// `const float`, or `pyk::packed<float>` where they may lie at any address.
    std::string element(Type array, bool is_const) const;
    /// `pyk::tuple<int, pyk::array<const float, 1>>`; `is_const`: the elements of its arrays are.
    std::string tuple(Type type, bool is_const) const;
    /// Of a tuple as the host packs it: nothing holds its arrays' memory.
    std::string given_tuple(Type type) const;

  private:
    std::string struct_name(Type type) const;

    std::unordered_map<Type, std::string> structs_;
    std::string_view vector_space_;
    bool holds_kept_arrays_;
};

}  // namespace pyk::emitter
