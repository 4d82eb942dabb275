// The module's names: imports and their aliases, constants, functions and how they are decorated. Host code around the
// kernels is passed over: only what a compiled function reaches is looked at.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "builtins/builtins.h"
#include "ir/ir.h"
#include "sema/constant.h"
#include "sema/sema.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"

namespace pyk {

enum class FunctionKind : uint8_t { plain, kernel, device };
/// A function that is called for the elements of arrays, or for parts of them.
enum class ArrayKind : uint8_t { none, ufunc, reduction, gufunc, stencil };

class ModuleScope;
struct Closure;

/// A function of a file: of its module, of a class, or inside of another function.
struct FunctionInfo {
    const ast::FunctionDef* def = nullptr;
    Span span;  ///< of the whole statement
    FunctionKind kind = FunctionKind::plain;
    bool always_inline = false;
    ast::ExprRef signatures = nullptr;   ///< the decorator's first argument
    bool debug = false;                  ///< errors are reported
    std::string name;                    ///< the author's: of the `def`, or of the variable that the module gives it to
    const ModuleScope* scope = nullptr;  ///< where the names in it are looked up
    /// Run-time variables of the function around it: parameters behind its own.
    std::vector<std::string_view> captures = {};
    ir::CompileOptions options = {};
    std::vector<const ast::Call*> decorators = {};  ///< `cuda.jit(…)` and what is around it, innermost first
    const ast::Call* declaration = nullptr;  ///< `cuda.declare_device(…)`: the user's own code defines the function
    ArrayKind array = ArrayKind::none;
    const ast::Call* array_decorator = nullptr;  ///< `vectorize(…)`, where it has arguments
    ast::ExprRef core_layout = nullptr;          ///< of `guvectorize`: its last argument by place
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

/// A class of the module that kernels know.
struct ClassInfo {
    ClassKind kind{};
    std::string name;
    bool is_int = false;                                 ///< an enumeration whose members are integers
    std::vector<std::string> names;                      ///< of the fields
    std::vector<ast::ExprRef> annotations, defaults;     ///< of the fields; null where there is none
    std::vector<std::pair<std::string, Const>> members;  ///< of an enumeration
    std::map<std::string, FunctionInfo, std::less<>> methods;
    const ModuleScope* scope = nullptr;  ///< of the file: annotations and defaults mean what they mean there
};

/// A cooperative group: `cg.this_thread_block()`. `size` is that of a tile; `lanes` the local that holds the lanes of
/// threads that came together.
struct Group {
    std::string_view family;  ///< of its methods' rows: `tile_group`
    int size = 0;
    uint32_t lanes = 0;

    bool operator==(const Group&) const = default;
};

/// What a name means before run time. A scope is an imported file or a class, as something that has members; a closure
/// is a function of which run-time values belong.
using Entity = std::variant<Path, TypeName, const Builtin*, const FunctionInfo*, Const, NamedConst, const ModuleScope*,
                            std::shared_ptr<const Closure>, Group, const ClassInfo*>;
using Bindings = std::map<std::string, Entity, std::less<>>;

/// An entity as an element of a tuple, and back. nullopt: it cannot be one.
std::optional<Const> to_const(const Entity& entity);
Entity to_entity(const Const& constant);
/// The name that `a.b.name` ends with; empty: it is no name.
std::string_view last_name(const ast::Expr& expr);
/// Tells apart entities that make different instances of a function that gets them.
std::string key_of(const Entity& entity);

/// The names of a file, of a class, or of a function that makes kernels; what is not among them is looked up in the
/// scope around it.
class ModuleScope {
  public:
    ModuleScope(const ast::Module& module, const Defines& defines, Importer* importer = nullptr);
    ~ModuleScope();
    ModuleScope(const ModuleScope&) = delete;
    ModuleScope& operator=(const ModuleScope&) = delete;

    /// The meaning of a name of the module or of Python's builtins; nullopt: there is none.
    /// Non-constant module variables give a Path that names them (`is_opaque`).
    std::optional<Entity> lookup(std::string_view name) const;
    /// The member of an entity, `base.attr`; nullopt: it has no such member.
    std::optional<Entity> member(const Entity& base, std::string_view attr) const;
    /// The value of a compile-time expression over the module's names; nullopt: it is not one.
    std::optional<Entity> evaluate(const ast::Expr& expr) const;
    std::optional<Const> constant(const ast::Expr& expr) const;
    /// A scope in this one with more names, such as a comprehension's.
    const ModuleScope& with(Bindings names) const;

    /// Every kernel of the file: of the module, made by its calls of factories (`k16 = make(16)`, `k = cuda.jit(f)`),
    /// and those inside of functions that nobody called.
    std::vector<const FunctionInfo*> kernels() const;
    /// A decorator of numba.cuda's that does not exist, and the one that was meant.
    struct Misspelt {
        Span span;
        std::string path, near;
    };
    std::vector<Misspelt> misspelt_decorators() const;
    /// The same for array functions (`@vectorize`), and for functions that the host calls (`@njit`).
    std::vector<const FunctionInfo*> array_functions() const;
    std::vector<const FunctionInfo*> host_functions() const;
    /// The module's own functions that are no kernels, and not for parts of arrays.
    std::vector<const FunctionInfo*> operators() const;
    /// The parameters and variables around a function that it uses and that have no value here: `-D` may give them.
    std::vector<std::string_view> open_names(const FunctionInfo& info) const;

    /// The function that a `def` or a lambda inside of a function makes. `known`: what its captured names mean before
    /// run time.
    const FunctionInfo& lift(const ast::FunctionDef& def, Span span, std::string name, Bindings known,
                             std::vector<std::string_view> captures) const;
    /// A lambda as the function that returns its body.
    const ast::FunctionDef& function_of(const ast::Expr& lambda) const;
    /// What an expression was written as, and where: a name stands for what it is assigned, in imported files too.
    std::pair<const ModuleScope*, const ast::Expr*> origin(const ast::Expr& expr) const;
    /// The expression that a variable of the module is assigned; null: none, or several.
    const ast::Expr* definition(std::string_view name) const;
    /// What `read` makes of that expression, or nothing: also where it is being read already, as in `x = f(x)`.
    template <typename Read>
    auto of_definition(std::string_view name, Read read) const -> decltype(read(std::declval<const ast::Expr&>())) {
        const ast::Expr* written = definition(name);
        if (!written || std::ranges::find(evaluating_, name) != evaluating_.end()) return std::nullopt;
        evaluating_.push_back(name);
        auto found = read(*written);
        evaluating_.pop_back();
        return found;
    }
    /// The records that the module's variables name, in the order of the text.
    std::vector<ir::NamedType> named_types() const;

    /// The class that a name of the file means; null: none that kernels know.
    const ClassInfo* class_named(std::string_view name) const;
    std::optional<Const> enum_member(const ClassInfo& info, std::string_view name) const;
    /// The member of a value: `Color(1)`.
    std::optional<Const> enum_member_with(const ClassInfo& info, const Const& value) const;

    /// A module variable that is assigned, but whose value is not known at compile time.
    bool is_opaque(std::string_view name) const;
    /// Where such a variable gets its last value, and a remark about it; nullopt: it is none of the file's.
    std::optional<Note> assigned_at(std::string_view name) const;
    /// A file that was imported and is not there.
    struct MissingModule {
        std::string name;
        Span span;  ///< of the import
        std::vector<std::string> folders;
    };
    /// The one that a path would have come from.
    std::optional<MissingModule> missing_module(std::string_view path) const;
    /// The names that a misspelt one may have meant.
    std::vector<std::string_view> names() const;

  private:
    struct Variable {
        ast::ExprRef value = nullptr;
        std::vector<size_t> items;  ///< the way into a tuple: {0, 1} of B in `(A, B), C = …`
        Span span;
        bool again = false;    ///< it had another value before
        bool rebinds = false;  ///< a function or an import had the name before: `f = cuda.jit(f)`
    };

    /// `import module`, or `from module import attr`, `level` folders up.
    struct Import {
        std::string module;
        std::string attr;
        int level = 0;
        Span span = {};
        std::string path() const { return attr.empty() ? module : module + "." + attr; }
    };
    /// A call on the way from a decorator to `cuda.jit`.
    struct DecoratorCall {
        const ast::Call* call;
        size_t first_argument;  ///< from which on its arguments are signatures
    };
    /// What all scopes of one compilation have in common.
    struct Shared;

    ModuleScope(Shared& shared, const ast::Module* file, const ModuleScope* parent, Bindings bindings);

    void declare(const ast::Stmt& stmt);
    void declare(const ast::Block& block);
    void declare(const ast::Try& node);
    bool is_declared(std::string_view name) const;
    bool can_import(const ast::Stmt& stmt) const;
    void import_names(const ast::Import& node, Span span);
    void import_names(const ast::ImportFrom& node, Span span);
    void declare_class(const ast::ClassDef& node, Span span);
    void declare_named_tuple(std::string_view name, const ast::Call& call);
    void assign(const ast::Expr& target, ast::ExprRef value, const std::vector<size_t>& items = {});
    void add_function(const ast::FunctionDef& def, Span span);
    std::string path_of(const ast::Expr& expr) const;
    bool is_decorator(const ast::Expr& expr) const;
    std::string follow_decorator(const ast::Expr& expr, std::vector<DecoratorCall>& calls) const;
    void decorate(FunctionInfo& info, const ast::Expr& decorator, std::vector<DecoratorCall> calls = {}) const;
    std::optional<Entity> own(std::string_view name) const;
    std::optional<Entity> computed(const ast::Expr& expr) const;
    void changed_in_place(const ast::Expr& place);
    std::optional<Entity> variable(std::string_view name, const Variable& variable) const;
    std::optional<Entity> imported(const Import& import) const;
    const ModuleScope* file(std::string_view module, int level) const;
    std::optional<Entity> call(const ast::Call& node) const;
    std::optional<Entity> call_function(const FunctionInfo& info, const ast::Call& node) const;
    std::optional<Entity> decorated(const ast::Call& node) const;
    const FunctionInfo* declared(const ast::Call& node) const;
    std::optional<std::string> formatted(const ast::Call& node) const;
    std::optional<std::string> formatted(const ast::JoinedStr& node) const;
    std::optional<Const> named_tuple(const ClassInfo& info, const ast::Call& node) const;
    std::optional<Entity> subscript(const ast::Subscript& node) const;
    const ModuleScope& inside(const FunctionInfo& info) const;
    bool names_kernel_maker(const ast::Expr& value) const;
    using Wanted = bool (*)(const FunctionInfo&);
    std::vector<const FunctionInfo*> entry_functions(Wanted wanted) const;
    void collect(Wanted wanted, std::vector<FunctionInfo*>& found) const;

    Shared* shared_;
    std::unique_ptr<Shared> owned_;  ///< of the main file's scope
    const ast::Module* file_;
    const ModuleScope* parent_ = nullptr;
    Bindings bindings_;                         ///< parameters and captured names whose meaning is known
    std::vector<std::string_view> parameters_;  ///< of the function whose scope this is
    std::unordered_map<std::string_view, Import> imports_;
    std::unordered_map<std::string_view, Variable> variables_;
    std::vector<std::string_view> variable_order_;
    std::unordered_map<std::string_view, std::unique_ptr<FunctionInfo>> functions_;
    std::vector<FunctionInfo*> order_;
    std::unordered_map<std::string_view, const ast::ClassDef*> classes_;
    std::vector<Import> star_imports_;
    ast::ExprRef returned_ = nullptr;  ///< of a function that was called: what it returns
    bool has_returned_ = false;
    bool runs_ = false;     ///< the body of a call: names have their values as they are assigned
    bool in_main_ = false;  ///< while declaring: inside of `if __name__ == "__main__":`
    bool certain_ = true;   ///< while declaring: the statement runs, and runs once
    std::map<std::string, ClassInfo, std::less<>> known_classes_;  ///< those that kernels know as types
    mutable std::vector<std::string_view> evaluating_;
};

/// Types as they are written in decorators and annotations: `float32[:, ::1]`, `types.int64`, `"f4[:]"`,
/// `UniTuple(int64, 2)`.
std::optional<Type> evaluate_type(const ModuleScope& scope, const ast::Expr& expr);
/// The types that the module's names stand for.
TypeNames names_of(std::shared_ptr<const ModuleScope> scope);
/// The type of a class' values, where its annotations say it.
std::optional<Type> class_type(const ModuleScope& scope, const ClassInfo& info);
/// A dtype as NumPy's functions take it: also `float`, `"f4"`, a list of fields.
std::optional<Type> dtype_of(const ModuleScope& scope, const ast::Expr& expr);
/// What a call of NumPy, of `math` or of an array's method makes at compile time.
std::optional<Const> called_constant(const ModuleScope& scope, const ast::Call& call);
std::optional<Entity> array_member(const Const& array, std::string_view attr);
std::optional<Const> array_subscript(const ModuleScope& scope, const ConstArray& array, const ast::Expr& expr);
std::optional<Const> apply_arrays(ast::BinaryOp op, const Const& lhs, const Const& rhs);
/// The constant that a call of `np.datetime64` or `np.timedelta64` makes.
std::optional<Const> called_time(const ModuleScope& scope, const ast::Call& call);
/// What a call makes that declares a type: `np.dtype([...])`, `from_dtype(dt)`, `Record.make_c_struct([...])`.
std::optional<Type> called_type(const ModuleScope& scope, const ast::Call& call);
/// A decorator's signatures: a string, a type expression `void(f4[:])`, a tuple of types, or a list of these.
std::vector<Signature> evaluate_signatures(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics);

}  // namespace pyk
