// Arguments of types that are no numbers: records (C++ structs), dates, None.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "pyk/dates.h"
#include "pyk/fp8_format.h"
#include "pyk/status.h"

namespace pyk {

/// As an argument: None.
struct None {};
inline constexpr None none{};

namespace jit {

/// A type by its text. There is one object for each, which lives for ever.
struct NamedType {
    std::string text;  ///< as signatures write it: `datetime64[D]`, `Record(x[type=float32;offset=0];4;True)`
    std::size_t size, alignment;
};

/// A field of a record.
struct Field {
    std::string name;
    std::string type;  ///< as signatures write it: `float32`, a NamedType's text
    std::size_t offset = 0;
    std::vector<long long> shape = {};  ///< of a field that is an array
};

/// The type of records with that layout, which the file declares alike: names, types, offsets, size, and whether it is
/// aligned as in C (NumPy's `align=True`; `alignment` is then that of the largest field, else 1). Nothing is checked
/// here: what is no type, or another than the file's, is an error of the launch.
const NamedType* record_type(const std::vector<Field>& fields, std::size_t size, bool is_aligned,
                             std::size_t alignment = 1);
/// The type of a named tuple or a dataclass that the file declares with that name and those fields, lying as in a C
/// struct of the host.
const NamedType* class_type(const std::string& name, const std::vector<Field>& fields, std::size_t size,
                            std::size_t alignment);
const NamedType* date_type(bool is_delta, TimeUnit unit);
/// The one that such a text names.
const NamedType* named_type(std::string text, std::size_t size, std::size_t alignment);

/// The NamedType of a C++ type; PYK_RECORD specialises it.
template <class T, class = void>
struct Named : std::false_type {};
template <TimeUnit Unit>
struct Named<DateTime<Unit>> : std::true_type {
    static const NamedType* type() { return date_type(false, Unit); }
};
template <TimeUnit Unit>
struct Named<TimeDelta<Unit>> : std::true_type {
    static const NamedType* type() { return date_type(true, Unit); }
};

template <class T>
struct Named<T, std::enable_if_t<Fp8Of<T>::count != 0>> : std::true_type {
    static const NamedType* type() {
        static constexpr const char* formats[] = {"_e5m2", "_e4m3", "_e8m0"};
        constexpr unsigned count = Fp8Of<T>::count;
        static const NamedType* const only =
            named_type((count == 1   ? "fp8"
                        : count == 2 ? "fp8x2"
                                     : "fp8x4") +
                           std::string(formats[static_cast<unsigned>(Fp8Of<T>::format)]),
                       sizeof(T), alignof(T));
        return only;
    }
};

/// `char[12]` and `char32_t[4]` are NumPy's `S12` and `U4`.
template <class T>
inline constexpr bool is_text = false;
template <std::size_t Count>
inline constexpr bool is_text<char[Count]> = true;
template <std::size_t Count>
inline constexpr bool is_text<char32_t[Count]> = true;

/// What an array field is made of.
template <class T>
struct FieldElement {
    using type = T;
};
template <class T, std::size_t Count>
struct FieldElement<T[Count]> {
    using type = std::conditional_t<is_text<T[Count]>, T[Count], typename FieldElement<T>::type>;
};

// Of a field's C++ type: `float32`; and its shape.
template <class T>
std::string field_type_text();

template <class T>
void add_shape(std::vector<long long>& shape) {
    if constexpr (std::rank_v < T >> 0 && !is_text<T>) {
        shape.push_back(static_cast<long long>(std::extent_v<T>));
        add_shape<std::remove_extent_t<T>>(shape);
    }
}

template <class T, class... Fields>
std::vector<Field> fields_of(const T& value, const char* names, const Fields&... fields) {
    static_assert(std::is_trivially_copyable_v<T>, "a record is copied as bytes");
    static_assert(((alignof(Fields) <= alignof(T)) && ...),
                  "members of a packed struct: describe it with pyk::jit::record_type");
    std::vector<Field> all;
    const auto add = [&](const auto& field) {
        using FieldType = std::remove_cv_t<std::remove_reference_t<decltype(field)>>;
        Field described;
        while (*names == ' ' || *names == ',') ++names;
        while (*names && *names != ' ' && *names != ',') described.name += *names++;
        described.type = field_type_text<typename FieldElement<FieldType>::type>();
        described.offset =
            static_cast<std::size_t>(reinterpret_cast<const char*>(&field) - reinterpret_cast<const char*>(&value));
        add_shape<FieldType>(described.shape);
        all.push_back(std::move(described));
    };
    (add(fields), ...);
    return all;
}

/// What a C++ struct is to a `.pyk` file.
struct AsRecord {
    template <class T>
    static const NamedType* type(const char*, const std::vector<Field>& fields) {
        return record_type(fields, sizeof(T), true, alignof(T));
    }
};
struct AsClass {
    template <class T>
    static const NamedType* type(const char* name, const std::vector<Field>& fields) {
        return class_type(name, fields, sizeof(T), alignof(T));
    }
};

/// Stands for the type of a struct whose names are in others' places: no file has it.
const NamedType* misplaced(const char* macro, const char* record);

/// What the names of a record are looked up in: the struct itself, or where nothing derives from it an object of it.
template <class T>
struct RecordApart {
    T object{};
    constexpr operator const T&() const { return object; }  // NOLINT: it stands for it
};
template <class T>
using RecordBase = std::conditional_t<std::is_final_v<T>, RecordApart<T>, T>;

/// Where members are; null where an enumerator of NoMember stands for a name that is no member.
template <class NoMember, class... Fields>
constexpr std::array<const void*, sizeof...(Fields)> places_of(const Fields&... fields) {
    return {(std::is_same_v<Fields, NoMember> ? nullptr : static_cast<const void*>(&fields))...};
}
/// Whether each name that is a member's stands in that member's place.
template <std::size_t Count>
constexpr bool are_in_place(const std::array<const void*, Count>& named, const std::array<const void*, Count>& bound) {
    for (std::size_t i = 0; i < Count; ++i)
        if (named[i] && named[i] != bound[i]) return false;
    return true;
}

// By the size of an array: nvcc takes other expressions for constants that are none.
template <class T>
constexpr std::size_t one_for(T) {
    return 1;
}
template <class T, class = char[one_for(T{})]>
constexpr bool has_constants(int) {
    return true;
}
template <class T>
constexpr bool has_constants(...) {
    return false;
}

}  // namespace jit
}  // namespace pyk

struct pyk_global_scope;  // is found where PYK_RECORD stands in no namespace

/// Makes a C++ struct a record, at global scope: all its members in their order. `PYK_RECORD(Particle, x, y, id)` is
/// `np.dtype([("x", "f4"), ("y", "f4"), ("id", "i4")], align=True)`. A member that the `.pyk` file calls by another
/// name stands under that name. A member's own name in another member's place does not compile; of a struct that no
/// constant can be of, it is an error of the launch, and of a `final` one it is not seen.
#define PYK_RECORD(Struct, ...) PYK_STRUCT_AS("PYK_RECORD", Record, Struct, __VA_ARGS__)

/// Makes a C++ struct the named tuple or the dataclass of its name that the `.pyk` file declares, at global scope: all
/// its members in their order, as PYK_RECORD has them. `PYK_CLASS(Particle, x, y)` is `class Particle(NamedTuple): x:
/// float; y: float`; of another in the file a launch says so. Arrays of it are none that kernels take.
#define PYK_CLASS(Struct, ...) PYK_STRUCT_AS("PYK_CLASS", Class, Struct, __VA_ARGS__)

// Private.
#define PYK_STRUCT_AS(Macro, What, Struct, ...)                                                                     \
    struct pyk_global_scope;                                                                                        \
    static_assert(std::is_same_v<pyk_global_scope, ::pyk_global_scope>,                                             \
                  Macro "(" #Struct                                                                                 \
                        ", ...): it stands in a namespace or a class; write it behind these, with "                 \
                        "the struct's full name");                                                                  \
    template <>                                                                                                     \
    struct pyk::jit::Named<Struct> : std::true_type {                                                               \
        struct pyk_names {                                                                                          \
            enum pyk_no_member { __VA_ARGS__ }; /* found where the struct has no such member */                     \
            struct pyk_members : ::pyk::jit::RecordBase<Struct> {                                                   \
                template <int = 0>                                                                                  \
                constexpr auto pyk_places() const {                                                                 \
                    return ::pyk::jit::places_of<pyk_no_member>(__VA_ARGS__);                                       \
                }                                                                                                   \
            };                                                                                                      \
        };                                                                                                          \
        template <class pyk_members>                                                                                \
        static constexpr bool pyk_is_in_order(const pyk_members& pyk_all) {                                         \
            const Struct& pyk_record = pyk_all;                                                                     \
            const auto& [__VA_ARGS__] = pyk_record;                                                                 \
            return ::pyk::jit::are_in_place(pyk_all.pyk_places(), ::pyk::jit::places_of<pyk_members>(__VA_ARGS__)); \
        }                                                                                                           \
        template <class pyk_members>                                                                                \
        static const NamedType* pyk_made() {                                                                        \
            if constexpr (::pyk::jit::has_constants<pyk_members>(0)) {                                              \
                constexpr pyk_members pyk_known{};                                                                  \
                static_assert(pyk_is_in_order(pyk_known),                                                           \
                              Macro "(" #Struct ", " #__VA_ARGS__ "): members in another order than its own");      \
            }                                                                                                       \
            static const pyk_members pyk_value{};                                                                   \
            if (!pyk_is_in_order(pyk_value)) return ::pyk::jit::misplaced(Macro, #Struct ", " #__VA_ARGS__);        \
            const Struct& pyk_record = pyk_value;                                                                   \
            const auto& [__VA_ARGS__] = pyk_record;                                                                 \
            return ::pyk::jit::As##What::template type<Struct>(                                                     \
                #Struct, ::pyk::jit::fields_of(pyk_record, #__VA_ARGS__, __VA_ARGS__));                             \
        }                                                                                                           \
        static const NamedType* type() {                                                                            \
            static const NamedType* const pyk_only = pyk_made<pyk_names::pyk_members>();                            \
            return pyk_only;                                                                                        \
        }                                                                                                           \
    }
