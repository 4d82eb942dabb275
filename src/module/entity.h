// What a name means before run time: a path of the tables, a type, a constant, a function, a class, a scope.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "builtins/builtins.h"
#include "ir/ir.h"
#include "module/constant.h"
#include "syntax/ast.h"

namespace pyk {

enum class FunctionKind : uint8_t { plain, kernel, device };
/// A function that is called for the elements of arrays, or for parts of them.
enum class ArrayKind : uint8_t { none, ufunc, reduction, gufunc, stencil };

class ModuleScope;
struct Closure;

/// A function of a file: of its module, of a class, or inside of another function.
struct FunctionInfo {
    /// A call that decorates the function, and the names that its arguments are written with.
    struct Decorating {
        const ast::Call* call;
        const ModuleScope* scope;
    };

    const ast::FunctionDef* def = nullptr;
    Span span;  ///< of the whole statement
    FunctionKind kind = FunctionKind::plain;
    bool always_inline = false;
    bool divides_as_numpy = false;                 ///< in functions of the host a division by zero raises nothing
    ast::ExprRef signatures = nullptr;             ///< the decorator's first argument
    const ModuleScope* signature_scope = nullptr;  ///< of the names in it
    size_t signed_at = SIZE_MAX;                   ///< and when they have their meanings
    bool debug = false;                            ///< errors are reported
    std::string name;                    ///< the author's: of the `def`, or of the variable that the module gives it to
    const ModuleScope* scope = nullptr;  ///< where the names in it are looked up
    size_t at = SIZE_MAX;                ///< when the statement runs: its defaults see the names of then
    bool is_in_branch = false;           ///< of a function around it, which may not run
    std::string owner = {};              ///< of a method: the class that says it
    bool is_made = false;                ///< a call of the host's makes it: it gets the name of what holds it
    bool is_global = false;              ///< a variable of the module holds it
    bool is_named = false;               ///< its `__name__` was assigned: it keeps that
    bool is_undecorated = false;         ///< what the decorators of the user's own are given
    const ast::Expr* lost_decorator = nullptr;  ///< one of the user's own that is not followed
    /// Run-time variables of the function around it: parameters behind its own.
    std::vector<std::string_view> captures = {};
    /// Of a function that a call of the host's makes: where and when it is first launched, and the scopes around.
    std::vector<std::pair<const ModuleScope*, size_t>> launched = {};
    ir::CompileOptions options = {};
    std::vector<Decorating> decorators = {};  ///< `cuda.jit(…)` and what is around it, innermost first
    const ast::Call* declaration = nullptr;   ///< `cuda.declare_device(…)`: the user's own code defines the function
    ArrayKind array = ArrayKind::none;
    const ast::Call* array_decorator = nullptr;  ///< `vectorize(…)`, where it has arguments
    ast::ExprRef array_text = nullptr;           ///< by place: the layout of `guvectorize`, the mode of `stencil`
    const ModuleScope* text_scope = nullptr;     ///< of the names in it
    bool is_for_host = false;                    ///< `jit`, `njit`: the CPU calls it as well
    bool is_parallel = false;                    ///< `parallel=True`: its `prange` loops are
};

/// A dotted name that has members (a module, `cuda.threadIdx`) or that nobody knows: `cuda.atomic`, `np.linalg`.
struct Path {
    std::string name;
};
/// A type as a value: a dtype, or a cast when called.
struct TypeName {
    Type type;
};
/// A module-level name that holds a constant, with the name it is emitted under.
struct NamedConst {
    std::string name;
    Const value;
    Span span;
};

enum class ClassKind : uint8_t { named_tuple, dataclass, enumeration };

/// What the members of an enumeration are besides members: those of an IntEnum are numbers, those of a StrEnum texts.
enum class Members : uint8_t { themselves, numbers, texts };

struct ClassField {
    std::string name;
    ast::ExprRef annotation = nullptr, default_value = nullptr;  ///< null: there is none
    const ModuleScope* scope = nullptr;                          ///< where these mean what they mean
    size_t at = SIZE_MAX;                                        ///< and when
    bool is_inherited = false;                                   ///< a base says it
};

/// A class of the module that kernels know.
struct ClassInfo {
    ClassKind kind{};
    std::string name;
    Members members_are{};                       ///< of an enumeration
    std::string_view base = "Enum";              ///< of an enumeration: `IntEnum`, `IntFlag`, `StrEnum`
    bool is_whole = true;                        ///< an enumeration of which all members are known
    bool is_ordered = false, is_frozen = false;  ///< of a dataclass
    std::vector<ClassField> fields;
    std::vector<std::pair<std::string, Const>> members;  ///< of an enumeration
    std::vector<std::string> value_types;                ///< of its members, as Numba names them; it takes one only
    bool is_placed = false;                              ///< its members stand for their values by their place
    std::vector<std::string> bases;  ///< the dataclasses that a dataclass is derived from, nearest first
    std::map<std::string, FunctionInfo, std::less<>> methods;
    const ModuleScope* scope = nullptr;  ///< of the file
    size_t at = SIZE_MAX;                ///< when its body runs

    bool has_own_init() const { return methods.contains("__init__") || methods.contains("__post_init__"); }
    std::vector<std::string> field_names() const;
    /// Which field has the name; `fields.size()`: none.
    size_t find_field(std::string_view field) const;
};

/// A cooperative group: `cg.this_thread_block()`. `size` is that of a tile, and `whole` of the tile that it is a part
/// of (0: of the block); `lanes` the local that holds the lanes of threads that came together.
struct Group {
    std::string_view family;  ///< of its methods' rows: `tile_group`
    int size = 0;
    uint32_t lanes = 0;
    int whole = 0;

    bool operator==(const Group&) const = default;
};
/// Of threads that came together, which is known at run time only.
inline bool has_lanes(const Group& group) { return group.family == "coalesced_group"; }

/// What makes compiled functions, as a value: `cuda.jit(device=True)` that a function of the host gets.
struct Decoration {
    const ModuleScope* scope;
    const ast::Expr* written;

    bool operator==(const Decoration&) const = default;
};

/// What a name means before run time. A scope is an imported file, a class or an object of it, as something that has
/// members; a closure is a function of which run-time values belong.
using Entity = std::variant<Path, TypeName, const Builtin*, const FunctionInfo*, Const, NamedConst, const ModuleScope*,
                            std::shared_ptr<const Closure>, Group, const ClassInfo*, Decoration>;
using Bindings = std::map<std::string, Entity, std::less<>>;

/// An entity as an element of a tuple, and back. nullopt: it cannot be one.
std::optional<Const> to_const(const Entity& entity);
Entity to_entity(const Const& constant);
/// Tells apart entities that make different instances of a function that gets them.
std::string key_of(const Entity& entity);

}  // namespace pyk
