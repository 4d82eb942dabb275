#include "emit/structs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "emit/type_names.h"
#include "types/digest.h"

namespace pyk::emitter {
namespace {

bool is_struct(Type type) {
    if (type.is_record()) return type != Type::xoroshiro128p_state();
    return type.is_tuple() && (type.tuple_kind() == TupleKind::named || type.tuple_kind() == TupleKind::structure);
}

/// Finds the structs that a type is made of.
class Collector {
  public:
    Collector(const ir::Module& module, NameSet& taken) : module_(module), taken_(taken) {}

    std::vector<Struct> found;

    void add(Type type) {
        if (!type || type.is_none() || type.is_scalar() || !seen_.insert(type).second) return;
        if (type.is_array()) return add(type.element());
        if (type.is_tuple())
            for (Type element : type.elements()) add(element);
        if (type.is_record())
            for (const Field& field : type.fields()) add(field.type);
        if (!is_struct(type)) return;
        found.push_back({type, unique_identifier(authors_name(type), taken_)});
        taken_.insert(found.back().name);
    }

  private:
    std::string authors_name(Type type) const {
        if (type.is_tuple()) return std::string(type.tuple_name());
        for (const ir::NamedType& named : module_.types)
            if (named.type == type) return named.name;
        return "record";
    }

    const ir::Module& module_;
    NameSet& taken_;
    std::unordered_set<Type> seen_;
};

/// A member hides the type that has its name, of other members too: `struct pos pos;`.
std::string seen_by_members(const Struct& s, std::string type_name) {
    const size_t count = s.type.is_record() ? s.type.fields().size() : s.type.size();
    for (size_t i = 0; i < count; ++i)
        if (member_name(s.type, i) == type_name) return "struct " + type_name;
    return type_name;
}

/// Fields of records that are not aligned go through memcpy.
std::string field_type_text(const TypeNames& types, const Struct& s, const Field& field) {
    const std::string name = seen_by_members(s, types.name(field.type));
    const bool plain = s.type.aligned() || field.type.alignment() == 1;
    return plain ? name : fmt::format("pyk::packed<{}>", name);
}

std::string padding(size_t from, size_t to) {
    return to > from ? fmt::format("    unsigned char padding_{}[{}];\n", from, to - from) : "";
}

/// Where the compiler itself would put something.
size_t aligned(size_t at, size_t alignment) { return (at + alignment - 1) / alignment * alignment; }

struct Extent {
    size_t size, alignment;
};

/// How C++ lays a value out, and where the elements of a tuple lie; nullopt: that is the prelude's affair.
std::optional<Extent> extent_of(Type type, std::vector<size_t>* offsets = nullptr) {
    if (type.is_scalar() || type.is_vector() || type.is_text()) return Extent{type.byte_size(), type.alignment()};
    if (type.is_record()) return Extent{sizeof(void*), alignof(void*)};
    if (!is_struct(type)) return std::nullopt;
    Extent whole{0, 1};
    for (const Type element : type.elements()) {
        const std::optional<Extent> part = extent_of(element);
        if (!part) return std::nullopt;
        if (offsets) offsets->push_back(aligned(whole.size, part->alignment));
        whole = {aligned(whole.size, part->alignment) + part->size, std::max(whole.alignment, part->alignment)};
    }
    return Extent{std::max<size_t>(aligned(whole.size, whole.alignment), 1), whole.alignment};
}

/// On every side that has the struct the same.
std::string layout_checks(const Struct& s, Extent whole, const std::vector<size_t>& offsets, OffsetOf offset_of) {
    constexpr size_t kWidth = 100;
    std::string text =
        fmt::format("static_assert(sizeof({0}) == {1} && alignof({0}) == {2}", s.name, whole.size, whole.alignment);
    size_t line = text.size();
    for (size_t i = 0; i < offsets.size() && offset_of != OffsetOf::none; ++i) {
        // NVRTC has no offsetof, but what its front end makes of it elsewhere.
        const std::string_view spelling =
            offset_of == OffsetOf::nvrtc ? "__INTADDR__(&(({}*)0)->{}) == {}" : "__builtin_offsetof({}, {}) == {}";
        const std::string check = fmt::format(fmt::runtime(spelling), s.name, member_name(s.type, i), offsets[i]);
        const bool fits = line + check.size() < kWidth;
        text += fits ? " && " : " &&\n              ";
        text += check;
        line = fits ? line + check.size() + 4 : check.size() + 14;
    }
    return text + ",\n              \"the layout that the host and the kernels share\");\n";
}

std::string record_text(const TypeNames& types, const Struct& s, OffsetOf offset_of) {
    std::string body, checks;
    size_t at = 0;
    for (size_t i = 0; i < s.type.fields().size(); ++i) {
        const Field& field = s.type.fields()[i];
        const size_t alignment = s.type.aligned() ? field.type.alignment() : 1;
        if (aligned(at, alignment) != field.offset) body += padding(at, field.offset);
        std::string extents;
        for (const int64_t extent : field.shape) extents += fmt::format("[{}]", extent);
        body += fmt::format("    {} {}{};\n", field_type_text(types, s, field), member_name(s.type, i), extents);
        at = field.offset + field.byte_size();
    }
    if (aligned(at, s.type.alignment()) != s.type.byte_size()) body += padding(at, s.type.byte_size());
    std::vector<size_t> offsets;
    for (const Field& field : s.type.fields()) offsets.push_back(field.offset);
    return fmt::format("struct {} {{\n{}}};\n{}", s.name, body,
                       layout_checks(s, {s.type.byte_size(), s.type.alignment()}, offsets, offset_of));
}

std::string tuple_text(const TypeNames& types, const Struct& s, OffsetOf offset_of) {
    std::string body;
    for (size_t i = 0; i < s.type.size(); ++i)
        body +=
            fmt::format("    {} {};\n", seen_by_members(s, types.held(s.type.elements()[i])), member_name(s.type, i));
    std::vector<size_t> offsets;
    const std::optional<Extent> whole = extent_of(s.type, &offsets);
    return fmt::format("struct {} {{\n{}}};\n{}", s.name, body,
                       whole ? layout_checks(s, *whole, offsets, offset_of) : "");
}

}  // namespace

std::vector<Struct> name_structs(const ir::Module& module, std::span<const ir::Mentions> mentions, NameSet& taken) {
    Collector collector(module, taken);
    for (size_t i = 0; i < module.functions.size(); ++i) {
        for (const ir::Local& local : module.functions[i].locals) collector.add(local.type);
        collector.add(module.functions[i].result);
        for (const Type type : mentions[i].types) collector.add(type);
    }
    return std::move(collector.found);
}

std::string struct_text(const TypeNames& types, const Struct& s, OffsetOf offset_of) {
    return s.type.is_record() ? record_text(types, s, offset_of) : tuple_text(types, s, offset_of);
}

std::string struct_space(const TypeNames& types, const Struct& s) {
    return "pyk_" + digest(s.type.code() + struct_text(types, s, OffsetOf::host));
}

std::string member_name(Type type, size_t index) {
    NameSet taken;
    std::string name;
    for (size_t i = 0; i <= index; ++i) {
        name = unique_identifier(type.is_record() ? std::string_view(type.fields()[i].name) : type.element_names()[i],
                                 taken);
        taken.insert(name);
    }
    return name;
}

}  // namespace pyk::emitter
