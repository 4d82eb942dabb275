// The module's names: imports and their aliases, constants, functions and how they are decorated. Host code around the
// kernels is passed over: only what a compiled function reaches is looked at.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "builtins/builtins.h"
#include "ir/ir.h"
#include "module/defines.h"
#include "module/entity.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"
#include "syntax/importer.h"
#include "types/signature.h"

namespace pyk {

struct ConstSubscript;
struct HostCall;

/// The name that `a.b.name` ends with; empty: it is no name.
std::string_view last_name(const ast::Expr& expr);
/// The same of what is called: `dataclass` of `@dataclasses.dataclass(frozen=True)`.
std::string_view plain_name(const ast::Expr& expr);
/// The names of a file, of a class, or of a function that makes kernels; what is not among them is looked up in the
/// scope around it.
class ModuleScope {
  public:
    ModuleScope(const ast::Module& module, const Defines& defines, Importer* importer = nullptr);
    ~ModuleScope();
    ModuleScope(const ModuleScope&) = delete;
    ModuleScope& operator=(const ModuleScope&) = delete;

    const ast::Module& file() const { return *file_; }

    /// The meaning of a name of the module or of Python's builtins; nullopt: there is none.
    /// Non-constant module variables give a Path that names them (`is_opaque`).
    std::optional<Entity> lookup(std::string_view name) const;
    /// The member of an entity, `base.attr`; nullopt: it has no such member.
    std::optional<Entity> member(const Entity& base, std::string_view attr) const;
    std::optional<Entity> member_of_class(const ClassInfo& info, std::string_view attr) const;
    std::optional<Entity> member_of_scope(const ModuleScope& scope, std::string_view attr) const;
    std::optional<Entity> member_of_function(const FunctionInfo& function, const Entity& base,
                                             std::string_view attr) const;
    std::optional<Entity> member_of_path(const std::string& path, std::string_view attr) const;
    /// The value of a compile-time expression over the module's names; nullopt: it is not one.
    std::optional<Entity> evaluate(const ast::Expr& expr) const;
    std::optional<Const> constant(const ast::Expr& expr) const;
    /// The same, where more names are known.
    std::optional<Const> constant(const ast::Expr& expr, Bindings names) const;
    /// What a function of the library makes of values; nullopt: there is none, or it takes no such. `key`: tells one
    /// call from another.
    std::optional<Const> call_library(const std::string& path, const void* key, const HostCall& call) const;
    /// Now: after the statements so far, while the scope is being read.
    size_t now() const { return std::min(now_, clock_ + 1); }
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
    /// The file's functions that have decorators of its own which are not followed.
    std::vector<const FunctionInfo*> with_lost_decorators() const;
    /// A kernel that the file launches before it gives its name to another one.
    struct Replaced {
        std::string_view name;
        Span span, launch, by;
    };
    std::vector<Replaced> replaced_kernels() const;
    /// The function that `@overload(f)` of the file makes for arguments of these types; null: there is none.
    const FunctionInfo* overload_of(const FunctionInfo& info, std::span<const Type> types) const;
    /// The same for array functions (`@vectorize`), and for functions that the host calls (`@njit`).
    std::vector<const FunctionInfo*> array_functions() const;
    std::vector<const FunctionInfo*> host_functions() const;
    /// The module's own functions that are no kernels, and not for parts of arrays.
    std::vector<const FunctionInfo*> operators() const;
    /// The parameters and variables around a function that it uses, or a function of theirs that it calls, and that
    /// have no value here.
    std::vector<std::string_view> open_names(const FunctionInfo& info) const;
    /// The names that `-D` has to give so that these have values: others are computed of them.
    std::vector<std::string_view> names_to_define(const FunctionInfo& info) const;
    /// What gives them values, as a message has it: `-D`, which numbers and types can be given with, or a call. Empty:
    /// there are none.
    std::string way_to_define(const FunctionInfo& info) const;

    /// The function that a `def` or a lambda inside of a function makes. `known`: what its captured names mean before
    /// run time.
    const FunctionInfo& lift(const ast::FunctionDef& def, Span span, std::string name, Bindings known,
                             std::vector<std::string_view> captures) const;
    /// A lambda as the function that returns its body.
    const ast::FunctionDef& function_of(const ast::Expr& lambda) const;
    /// What an expression was written as, where, and when that ran: a name stands for what it is assigned, in imported
    /// files too.
    struct Origin {
        const ModuleScope* scope;
        const ast::Expr* written;
        size_t at;
    };
    Origin origin(const ast::Expr& expr) const;
    /// The expression that a variable of the module is assigned; null: none, or several.
    const ast::Expr* definition(std::string_view name) const;
    /// What `read` makes of that expression, with the names of the time when it is assigned, or nothing.
    template <typename Read>
    auto of_definition(std::string_view name, Read read) const -> decltype(read(std::declval<const ast::Expr&>())) {
        const Declaration* declared = declaration(name);
        const ast::Expr* written = definition(name);
        if (!written) return std::nullopt;
        const Then then(*this, declared->at);
        return read(*written);
    }
    /// The same of a variable whose value may have been changed in its place since, as an array's elements are.
    template <typename Read>
    auto of_whole_definition(std::string_view name, Read read) const
        -> decltype(read(std::declval<const ast::Expr&>())) {
        const auto [scope, declared] = whole_declaration(name);
        if (!declared) return std::nullopt;
        const Then then(*scope, declared->at);
        return read(*declared->template as<Variable>()->value);
    }
    /// What the imports make of a dotted name; empty: a name of the module's own.
    std::string path_of(const ast::Expr& expr) const;
    /// While it lives, the scope's names mean what they mean when a statement runs: what stands before it counts.
    class Then {
      public:
        Then(const ModuleScope& scope, size_t at) : scope_(scope), now_(scope.now_) { scope_.now_ = at; }
        ~Then() { scope_.now_ = now_; }
        Then(const Then&) = delete;
        Then& operator=(const Then&) = delete;

      private:
        const ModuleScope& scope_;
        size_t now_;
    };
    /// The same of the names around a class, while its body runs; around other scopes nothing changes.
    class AroundBody {
      public:
        explicit AroundBody(const ModuleScope& body);
        ~AroundBody();
        AroundBody(const AroundBody&) = delete;
        AroundBody& operator=(const AroundBody&) = delete;

      private:
        std::vector<std::pair<const ModuleScope*, size_t>> before_;
    };
    /// Where a kernel is compiled: at its decorator, or by what launches it first. `at`: SIZE_MAX: nowhere in the file.
    struct Launch {
        size_t at = SIZE_MAX;
        const FunctionInfo* kernel = nullptr;
        const ast::Expr* by = nullptr;
    };
    /// While it lives, the file's variables have the values that they have when a kernel of it is compiled: at its
    /// decorator where that says signatures, else where the file first launches it. Names that are new by then have
    /// their first value.
    class Compiling {
      public:
        explicit Compiling(const FunctionInfo& kernel);
        ~Compiling();
        Compiling(const Compiling&) = delete;
        Compiling& operator=(const Compiling&) = delete;

      private:
        const ModuleScope& of_;
        Launch launch_;
        std::vector<std::pair<const ModuleScope*, size_t>> before_;
    };
    /// Where functions that are defined here look for names that are not their own: Python leaves out the classes
    /// around.
    const ModuleScope& for_functions() const;
    /// The records that the module's variables name, in the order of the text.
    std::vector<ir::NamedType> named_types() const;

    /// The class that a name of the file means; null: none that kernels know.
    const ClassInfo* class_named(std::string_view name) const;
    std::optional<Const> enum_member(const ClassInfo& info, std::string_view name) const;
    /// A member that is a text, as kernels have it: by its place. nullopt: it is something else.
    std::optional<Const> placed(const Const& member) const;
    /// The dataclass of an object, where kernels know it; null: it is of another class, or no object.
    const ClassInfo* dataclass() const;
    /// What a field has that is not given, and has a default: `n: int = 3`, `field(default=3)`,
    /// `field(default_factory=list)`.
    static std::optional<Entity> field_default(const ClassField& field);
    /// Of a named tuple that holds what is no run-time value (functions): its elements.
    std::optional<Const> fields() const;
    /// The enumeration whose members have this type; null: it is no such.
    const ClassInfo* enumeration_of(Type type) const;
    /// `.value` and `.name` of a member of an enumeration.
    std::optional<Const> member_of_member(const Const& member, std::string_view attr) const;
    /// What its class' body makes of an attribute: a property's value, a method.
    std::optional<Entity> method_of_member(const Const& member, std::string_view attr) const;
    /// `~Flags.A` of an IntFlag: the bits that its members have, and this one has not. nullopt: it is something else.
    std::optional<Const> inverted_flag(const Const& member) const;
    /// The member of a value: `Color(1)`.
    std::optional<Const> enum_member_with(const ClassInfo& info, const Const& value) const;

    /// A module variable that is assigned, but whose value is not known at compile time.
    bool is_opaque(std::string_view name) const;
    /// The elements of an array on the device that such a variable names, where they are known and nothing may write to
    /// them.
    std::optional<Entity> device_table(std::string_view name) const;
    /// Where such a variable gets its last value, and a remark about it; nullopt: it is none of the file's.
    std::optional<Note> assigned_at(std::string_view name) const;
    /// Which part of such a variable's value is not computed, where it is written; nullopt: nobody can say.
    std::optional<Note> not_computed(std::string_view name) const;
    /// Where the file may give such a name a value, `globals()["name"] = …` or `exec("name = …")`; null: nowhere.
    Span set_by_text(std::string_view name) const;
    /// A file that was imported and is not there.
    struct MissingModule {
        std::string name;
        Span span;  ///< of the import
        std::vector<std::string> folders;
    };
    /// The one that a path would have come from; of a relative import the name begins with its dots.
    std::optional<MissingModule> missing_module(std::string_view path) const;
    /// The names that a misspelt one may have meant.
    std::vector<std::string_view> names() const;

  private:
    /// One step into what is unpacked: an item, counted from the end if negative, or the items between.
    struct Item {
        int64_t index = 0;
        std::optional<int64_t> behind = std::nullopt;  ///< of `*rest`: how many items follow it
    };
    struct Variable {
        ast::ExprRef value = nullptr;
        std::vector<Item> items = {};        ///< the way into a tuple: {0, 1} of B in `(A, B), C = …`
        const ast::Stmt* made_by = nullptr;  ///< a loop, or what changes a value in its place
        Span span = {};
        bool again = false;                                  ///< it had another value before
        bool is_of_main = false;                             ///< and has this one where the file is run itself
        mutable std::optional<Entity> known = std::nullopt;  ///< once it was asked for
    };

    /// `import module`, or `from module import attr`, `level` folders up.
    struct Import {
        std::string module;
        std::string attr;
        int level = 0;
        Span span = {};
        size_t at = 0;  ///< of `import *`: counts the statements
        std::string path() const { return attr.empty() ? module : module + "." + attr; }
    };
    /// What a statement gives a name; `at` counts the statements.
    struct Declaration {
        size_t at = 0;
        std::variant<Variable, Import, FunctionInfo*, const ast::ClassDef*, Entity> what;

        template <typename T>
        const T* as() const {
            return std::get_if<T>(&what);
        }
    };
    /// A call on the way from a decorator to `cuda.jit`.
    struct DecoratorCall {
        FunctionInfo::Decorating decorating;
        size_t first_argument;  ///< from which on its arguments are signatures
    };
    /// What a dotted name leads to: a path of the tables, or a name of one of the files.
    struct Place {
        std::string path = {};
        const ModuleScope* scope = nullptr;
        std::string_view name = {};
        const Declaration* declaration = nullptr;
        const Entity* bound = nullptr;
    };
    /// Arguments of a call that the host makes; nullopt: of no known value.
    struct HostArguments {
        std::vector<std::optional<Entity>> values = {};
        std::vector<std::pair<std::string, std::optional<Entity>>> named = {};
    };
    /// How the statements of a body that runs go on.
    enum class Flow : uint8_t { on, next_round, leave_loop, returned };
    /// What a file does when it is imported: a call, or a loop.
    struct Action {
        size_t at;
        const ast::Expr* expr;
        const ast::Stmt* loop;
        bool is_in_loop;
    };
    /// What all scopes of one compilation have in common.
    struct Shared;

    ModuleScope(Shared& shared, const ast::Module* file, const ModuleScope* parent, Bindings bindings);

    // --- scope_declare.cpp: what the text says
    void declare(const ast::Block& block);
    void declare(const ast::Stmt& stmt);
    void declare(const ast::If& node);
    void declare(const ast::Try& node);
    void declare_names(const ast::Stmt& stmt);
    void declare_class(const ast::ClassDef& node, Span span);
    void add_members(ClassInfo& info, const ast::ClassDef& node) const;
    void inherit(ClassInfo& info, const ast::ClassDef& node) const;
    void declare_class(std::string_view name, const ast::Call& call);
    void declare_enumeration(std::string_view name, const ast::Call& call);
    void assign(const ast::Expr& target, ast::ExprRef value, const std::vector<Item>& items = {});
    void assign(std::string_view name, Variable variable);
    void assign_context(const ast::Expr& target, const ast::Expr& call);
    using NamedAt = std::pair<std::string_view, const ast::Expr*>;
    void changed_by(const ast::Call& call, std::vector<NamedAt>& names, std::vector<std::string_view>& set);
    void changed(const ast::Stmt& by);
    void add_function(const ast::FunctionDef& def, Span span);
    void lose(std::string_view name, const ast::Expr& at);
    void lose_inside(const ast::Stmt& stmt);
    void leave_changes(const FunctionInfo& by, const ModuleScope* run, const ast::Expr& at,
                       std::set<std::string_view>& left);
    void lose_owner(const ast::Expr& callee, const ast::Expr& at);
    void leave_of_decorators(const FunctionInfo& info);
    void add(std::string_view name, Declaration declaration);
    bool can_import(const ast::Stmt& stmt) const;
    bool declare_raising(const ast::Try& node);
    bool cannot_fail(const ast::Stmt& stmt) const;
    std::vector<std::string_view> names_of_missing_files(const ast::Block& body) const;
    void import_names(const ast::Import& node, Span span);
    void import_names(const ast::ImportFrom& node, Span span);

    // --- scope_run.cpp: bodies that run
    bool run(const ast::Stmt& stmt);
    bool run_alone(const ast::Stmt& stmt);
    void run_loop(const ast::Stmt& stmt);
    void run_assign(ast::ExprList targets, const ast::Expr& value);
    void run_in_place(const ast::Expr& target, ast::BinaryOp op, const ast::Expr& value);
    void run_expression(const ast::Expr& value);
    void run_method(const ast::Call& call, const ast::Attribute& method);
    void store(const ast::Expr& target, std::optional<Entity> value);
    void store_items(ast::ExprList targets, const Const& value);
    void leave(Flow flow);
    void give_up();
    void change(const ast::Expr& place, const std::optional<Const>& before, const std::optional<Const>& after);
    void lose_sharing(const ast::Expr& place, bool of_arrays);
    void lose_given(const std::function<bool(std::string_view)>& which);
    void forget(const ast::Stmt& stmt);
    const ModuleScope& ran(const ast::Stmt& stmt) const;

    // --- scope_walrus.cpp: assignments inside of expressions
    void assign_inside(const ast::Stmt& stmt);
    std::optional<Entity> value_of(const ast::NamedExpr& node) const;

    // --- scope_effects.cpp: what calls leave behind
    /// A name inside of a function whose object, or value, others have too.
    struct Change {
        std::string_view inside;
        const ast::Expr* written;  ///< where it is named there
        bool is_argument;
        bool is_rebound;  ///< it may stand for something else at the end
        bool is_set;      ///< a variable of the file, which it assigns
    };
    /// The same for the caller: the place of its own that becomes what the name inside is.
    struct Effect {
        const ast::Expr* place;
        Change inside;
    };
    const std::vector<Change>& changes_of(const FunctionInfo& info) const;
    std::vector<Effect> effects_of(const ast::Call& call, const std::set<std::string_view>* own = nullptr) const;
    void run_call(const ast::Call& call);

    // --- names
    const Declaration* declaration(std::string_view name) const;
    bool is_declared(std::string_view name) const { return declaration(name) != nullptr; }
    std::optional<Entity> own(std::string_view name) const;
    std::optional<Entity> meaning(std::string_view name, const Declaration& declaration) const;
    std::optional<Entity> variable(std::string_view name, const Variable& variable, size_t at) const;
    std::optional<Entity> part(const ast::Expr& expr, std::span<const Item> items) const;
    Launch compiled_at(const FunctionInfo& kernel) const;
    class LaunchOrder;
    /// Of a name that the launching call itself gives another value; nullopt: it is not certain when.
    std::optional<bool> is_set_before_launch(std::string_view name) const;
    size_t end_of(const std::vector<Declaration>& declarations) const;
    std::pair<const ModuleScope*, const Declaration*> whole_declaration(std::string_view name) const;
    std::optional<Entity> imported(const Import& import) const;
    std::optional<Entity> from_stars(std::string_view name, size_t after = 0) const;
    const ModuleScope* file(std::string_view module, int level) const;

    // --- decorators
    Place place_of(const ast::Expr& expr) const;
    Place place_of(std::string_view name) const;
    bool is_decorator(const ast::Expr& expr) const;
    std::string follow_decorator(const ast::Expr& expr, std::vector<DecoratorCall>& calls) const;
    void decorate(FunctionInfo& info, const ast::Expr& decorator, std::vector<DecoratorCall> calls = {}) const;
    std::optional<Entity> decorated(const ast::Call& node) const;
    const FunctionInfo* overload_in(const ModuleScope& scope, const FunctionInfo& info,
                                    std::span<const Type> types) const;
    bool is_replaced(const FunctionInfo& info) const;
    bool replaces(const ast::Expr& decorator) const;
    const FunctionInfo* replacement_of(const FunctionInfo& info) const;
    std::optional<Entity> decorated_in_turn(const FunctionInfo& given) const;
    std::optional<Entity> compiled_or_object(const FunctionInfo& info, const Entity& made) const;

    // --- expressions
    std::optional<Entity> extents_asked(const ast::Call& node) const;
    std::optional<Entity> computed(const ast::Expr& expr) const;
    std::optional<Entity> computed(const ast::Constant& node) const;
    std::optional<Entity> computed(const ast::Name& node) const;
    std::optional<Entity> computed(const ast::NamedExpr& node) const;
    std::optional<Entity> computed(const ast::Attribute& node) const;
    std::optional<Entity> computed(const ast::BinOp& node) const;
    std::optional<Entity> computed(const ast::Unary& node) const;
    std::optional<Entity> computed(const ast::IsSequence& node) const;
    std::optional<Entity> computed(const ast::IfExp& node) const;
    std::optional<Entity> computed(const ast::BoolOp& node) const;
    std::optional<Entity> computed(const ast::Tuple& node) const;
    std::optional<Entity> computed(const ast::ListExpr& node) const;
    std::optional<Entity> computed(const ast::Set& node) const;
    std::optional<Entity> computed(const ast::ListComp& node) const;
    std::optional<Entity> computed(const ast::GeneratorExp& node) const;
    std::optional<Entity> computed(const ast::SetComp& node) const;
    std::optional<Entity> computed(const ast::DictComp& node) const;
    std::optional<Entity> computed(const ast::JoinedStr& node) const;
    std::optional<Entity> computed(const ast::Call& node) const;
    std::optional<Entity> computed(const ast::Compare& node) const { return compared(node); }
    std::optional<Entity> computed(const ast::Dict& node) const { return dictionary(node); }
    std::optional<Entity> computed(const ast::Subscript& node) const { return subscript(node); }
    template <typename Other>
    std::optional<Entity> computed(const Other&) const {
        return std::nullopt;  // what only runs
    }
    const FunctionInfo* made_of_lambda(const ast::Expr& expr) const;
    std::optional<Entity> compared(const ast::Compare& node) const;
    std::optional<Entity> listed(ast::ExprList exprs, bool is_list) const;
    std::optional<Entity> dictionary(const ast::Dict& node) const;
    std::optional<Entity> subscript(const ast::Subscript& node) const;
    using Taken = std::function<bool(const ModuleScope&)>;
    bool generate(ast::List<ast::Comprehension> generators, const Taken& take) const;
    std::optional<std::vector<Const>> generated(ast::List<ast::Comprehension> rounds, const ast::Expr& item) const;
    std::optional<std::string> formatted(const ast::Call& node) const;
    std::optional<std::string> formatted(const ast::JoinedStr& node) const;

    // --- calls
    std::optional<Entity> call(const ast::Call& node) const;
    std::optional<Entity> call_host(const ast::Call& node) const;
    std::optional<HostArguments> host_arguments(const ast::Call& node) const;
    std::optional<Entity> converted(const Entity& callee, const ast::Call& node) const;
    class Binder;
    std::optional<Binder> bound(const FunctionInfo& info, const HostArguments& arguments) const;
    const ModuleScope* run_of(const FunctionInfo& info, const void* key, HostArguments arguments) const;
    std::optional<Entity> called_method(const FunctionInfo& info) const;
    const ModuleScope* run_of(const ast::Call& node) const;
    const ast::Expr* unknown_part(const ast::Expr& expr, int depth) const;
    std::string remedy(std::string_view name, const Variable& variable) const;
    std::optional<Entity> object(const ModuleScope& body, const ast::Call& node) const;
    std::optional<Entity> object(const ModuleScope& body, const void* key, HostArguments arguments) const;
    std::optional<Entity> asked_of(const std::optional<Entity>& callee, const ast::Call& node) const;
    std::optional<Entity> object_of_fields(const ast::Call& node, const ClassInfo* info) const;
    const ModuleScope* body_of(const ClassInfo& info) const;
    const FunctionInfo* declared(const ast::Call& node) const;
    const ModuleScope& inside(const FunctionInfo& info) const;

    // --- kernels
    bool is_maker(std::string_view name, int way) const;
    std::optional<Entity> lookup_declared(std::string_view name) const;
    bool may_hold_functions(const Variable& variable, int way) const;
    using Wanted = bool (*)(const FunctionInfo&);
    std::vector<const FunctionInfo*> entry_functions(Wanted wanted) const;
    void collect(Wanted wanted, std::vector<FunctionInfo*>& found) const;
    static std::vector<const FunctionInfo*> settled(std::vector<FunctionInfo*> found);
    bool names_object_of_maker(std::string_view name, int way) const;
    bool makes_functions(const FunctionInfo& info, int way) const;
    bool makes_functions(std::span<FunctionInfo* const> all, int way) const;
    bool leads_to_functions(const Action& action) const;

    // --- scope_made.cpp: kernels of what the file runs
    void run_actions() const;
    void run_test_case(const ModuleScope& body) const;
    void add_made(std::vector<FunctionInfo*>& found) const;
    std::string key_of_made(const FunctionInfo& info, int depth = 0) const;
    bool keeps_captures(const FunctionInfo& info) const;

    /// Where a name is looked for that is not the scope's own; null: it is a file's.
    const ModuleScope* enclosing() const { return parent_ ? &parent_->for_functions() : nullptr; }

    Shared* shared_;
    std::unique_ptr<Shared> owned_;  ///< of the main file's scope
    const ast::Module* file_;
    const ModuleScope* parent_ = nullptr;
    Bindings bindings_;                         ///< parameters and captured names whose meaning is known
    std::vector<std::string_view> parameters_;  ///< those of the function whose meaning is not known
    const ast::FunctionDef* def_ = nullptr;     ///< of the body of a call
    std::unordered_map<std::string_view, std::vector<Declaration>> names_;  ///< each in the order of the text
    std::vector<std::string_view> order_of_variables_;
    std::vector<std::unique_ptr<FunctionInfo>> functions_;
    std::vector<FunctionInfo*> order_;                             ///< the last of each name
    std::map<std::string, ClassInfo, std::less<>> known_classes_;  ///< those that kernels know as types
    std::vector<Import> star_imports_;
    bool is_object_ = false;
    bool is_class_body_ = false;
    size_t runs_at_ = SIZE_MAX;               ///< of a body: when, by the clock of the scope around
    const ModuleScope* class_ = nullptr;      ///< of an object: the body of its class
    const ClassInfo* field_names_ = nullptr;  ///< of an object that is a named tuple
    ast::ExprRef returned_ = nullptr;         ///< of a function that was called: what it returns
    std::optional<Entity> returned_value_;
    Flow flow_ = Flow::on;
    bool in_loop_ = false;    ///< while declaring: a loop says what its names are
    bool loop_runs_ = false;  ///< round by round
    bool loop_is_lost_ = false;
    bool runs_ = false;              ///< the body of a call: names have their values as they are assigned
    mutable bool running_ = false;   ///< and it does so now
    bool in_main_ = false;           ///< while declaring: inside of `if __name__ == "__main__":`
    bool certain_ = true;            ///< while declaring: the statement runs, and runs once
    size_t clock_ = 0;               ///< statements so far
    mutable size_t now_ = SIZE_MAX;  ///< names that later statements declare are not there yet
    bool has_changes_ = false;       ///< a variable has several values, one after the other
    std::vector<Action> actions_;    ///< of a file
    std::vector<std::pair<std::string_view, const ast::Expr*>> loop_changes_;  ///< while declaring: of calls in a loop
    mutable size_t as_of_ = SIZE_MAX;                                          ///< see Compiling
    mutable Launch launch_;
    mutable std::vector<std::string_view> importing_;
};

/// `x.shape`, `x.size` or `x.ndim` of an array whose elements are not known, where its extents are.
std::optional<Const> shape_attribute(const ModuleScope& scope, const ast::Expr& array, std::string_view attr);
/// Types as they are written in decorators and annotations: `float32[:, ::1]`, `types.int64`, `"f4[:]"`,
/// `UniTuple(int64, 2)`.
std::optional<Type> evaluate_type(const ModuleScope& scope, const ast::Expr& expr);
/// The types that the module's names stand for.
TypeNames names_of(std::shared_ptr<const ModuleScope> scope);
/// The type of a class' values, where its annotations say it.
std::optional<Type> class_type(const ModuleScope& scope, const ClassInfo& info);
/// A dtype as NumPy's functions take it: also `float`, `"f4"`, a list of fields.
std::optional<Type> dtype_of(const ModuleScope& scope, const ast::Expr& expr);
/// A list, a dict or an array with another item; `at` is the subscript.
std::optional<Const> with_element(const ModuleScope& scope, const Const& value, const ast::Expr& at, const Const& item);
/// What a call of NumPy, of `math` or of an array's method makes at compile time.
std::optional<Const> called_constant(const ModuleScope& scope, const ast::Call& call);
std::optional<Entity> array_member(const Const& array, std::string_view attr);
std::optional<ConstSubscript> slice_bounds(const ModuleScope& scope, const ast::Slice& slice);
std::optional<Const> array_subscript(const ModuleScope& scope, const ConstArray& array, const ast::Expr& expr);
/// The constant that a call of `np.datetime64` or `np.timedelta64` makes.
std::optional<Const> called_time(const ModuleScope& scope, const ast::Call& call);
/// What a call makes that declares a type: `np.dtype([...])`, `from_dtype(dt)`, `Record.make_c_struct([...])`.
std::optional<Type> called_type(const ModuleScope& scope, const ast::Call& call);
/// Those of a function; it has some.
std::vector<Signature> signatures_of(const FunctionInfo& info, Diagnostics& diagnostics);
/// A decorator's signatures: a string, a type expression `void(f4[:])`, a tuple of types, or a list of these.
std::vector<Signature> evaluate_signatures(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics);

}  // namespace pyk
