// The structs of emitted text: one for each record and each named tuple that the module uses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/names.h"
#include "ir/mentions.h"

namespace pyk::emitter {

class TypeNames;

/// A type that the text declares.
struct Struct {
    Type type;
    std::string name;
};

/// Those of a module, each behind the ones that it is made of. `taken`: names that are given, and those given here.
std::vector<Struct> name_structs(const ir::Module& module, std::span<const ir::Mentions> mentions, NameSet& taken);

/// How a text says where a member lies: not at all, or in its compiler's way.
enum class OffsetOf : uint8_t { none, host, nvrtc };

/// The declaration, with checks of its layout where it has one.
std::string struct_text(const TypeNames& types, const Struct& type, OffsetOf offset_of);

/// The inline namespace of a struct that headers declare: of one name and one layout the same in all of them, so that
/// headers of one namespace share it.
std::string struct_space(const TypeNames& types, const Struct& type);

/// The C++ name of a record's field or of an element of a tuple that has names.
std::string member_name(Type type, size_t index);

}  // namespace pyk::emitter
