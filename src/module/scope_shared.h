// What the scopes of one compilation have in common; private to scope*.cpp and signatures.cpp.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "module/host_iterators.h"
#include "module/scope.h"
#include "module/sharing.h"

namespace pyk {

inline constexpr int kMostSteps = 200000;      ///< of one compilation: host code may compute for hours
inline constexpr size_t kMostMade = 12000000;  ///< items of all that it makes

/// A full import path as the tables name it: `numba.cuda.random.f` → `cuda.random.f`, `numpy.float32` → the type.
std::optional<Entity> entity_of_path(std::string_view path);
/// What `cuda.get_current_device()` gives.
inline constexpr std::string_view kDevice = "cuda.current_device";
/// The name that a place is a part of: `T` of `T[0].x`. Null: of none.
const ast::Expr* root_of(const ast::Expr& place);
/// The variable that an expression may be a view of: `T` of `T[1:]`, `T.reshape(2, 3)`, `T`. Null: of none.
const ast::Name* viewed_name(const ast::Expr& expr);
/// Every name that an expression has, also inside of what it makes; of a statement, those of what it computes.
void for_each_name(const ast::Expr& expr, const std::function<void(std::string_view)>& visit);
void for_each_name(const ast::Stmt& stmt, const std::function<void(std::string_view)>& visit);
/// Every call in an expression.
void for_each_call(const ast::Expr& expr, const std::function<void(const ast::Call&)>& visit);
/// `@staticmethod`, `@abc.abstractmethod`.
bool has_decorator(const FunctionInfo& info, std::string_view name);
/// `setattr(object, name, value)`, `object.__setattr__(…)`.
bool sets_attribute(const ast::Call& call);
/// Whether it is an object that statements can change, or has one.
bool can_change(const Const& value);
/// A value as that of a name.
Entity named(std::string_view name, const Entity& value, Span span);
/// The constant that a value is; nullopt: it is a type, a function, an object.
std::optional<Const> constant_in(const std::optional<Entity>& value);
/// The value that `-D` gives.
Entity defined(std::string name, const DefineValue& value);

/// The value of an element of a tuple or a dict: also a type or a function.
inline std::optional<Const> element(const ModuleScope& scope, const ast::Expr& expr) {
    const std::optional<Entity> value = scope.evaluate(expr);
    return value ? to_const(*value) : std::nullopt;
}
inline const FunctionInfo* function_in(const std::optional<Entity>& entity) {
    const auto* info = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
    return info ? *info : nullptr;
}

// --- scope_types.cpp: types as values of the module
/// `float32[:, ::1]`.
std::optional<Type> subscripted_type(const ModuleScope& scope, Type element, const ast::Expr& axes);
/// Whether it is one of `numba.types`' names that make types of types.
bool is_type_maker(std::string_view name);
/// `types.Array(float32, 1, "C")`, `UniTuple(int64, 2)`; `maker`: the path of what is called.
std::optional<Type> constructed_type(const ModuleScope& scope, std::string_view maker, const ast::Call& call);
/// `t.copy(layout="C")` of an array's type.
std::optional<Type> copied_array_type(const ModuleScope& scope, Type array, const ast::Call& call);
/// The type that a value stands for: also a tuple of types, and a text. nullopt: none.
std::optional<Type> type_in(const ModuleScope& scope, const Const& value);
/// `isinstance(t, types.Float)` of a type, as functions under `@overload` ask; nullopt: not known.
std::optional<bool> is_instance(const ModuleScope& scope, const ast::Call& call);
/// `type(n) is int`, `type(shape) in (list, tuple)`; nullopt: it is no such test, or nobody knows.
std::optional<bool> compared_types(const ModuleScope& scope, const ast::Compare& node);
/// The text of `void(float32[:])`; `callee`: what is called.
std::optional<Const> called_signature(const ModuleScope& scope, const Entity& callee, const ast::Call& call);

/// A lambda as a function that returns its body.
struct LambdaFunction {
    ast::Stmt stmt;
    const ast::Stmt* body[1];
    ast::FunctionDef def;
};

/// `(n := f(x))` in what a statement computes.
struct AssignedInside {
    const ast::NamedExpr* node;
    bool is_sure;  ///< it is evaluated, and nothing before it sees what the name was
};
const std::vector<AssignedInside>& assigned_inside(const ast::Stmt& stmt,
                                                   std::map<const ast::Stmt*, std::vector<AssignedInside>>& known);

struct ModuleScope::Shared {
    Shared(const Defines& values, Importer* files) : defines(values), importer(files) {}

    /// The scope of a class's body in `parent`, made once.
    ModuleScope& body(const ast::ClassDef& node, const ModuleScope& parent);

    Defines defines;
    Importer* importer;
    std::map<const ast::Module*, std::unique_ptr<ModuleScope>> files;
    std::unordered_map<std::string, std::optional<Entity>> entities_of_paths;  ///< of imports that are no files
    std::map<std::pair<const void*, const ModuleScope*>, std::unique_ptr<ModuleScope>>
        bodies;  ///< of classes and functions
    /// What calls made, by the expression and the scope that it stands in: scopes of functions that ran; functions of
    /// `cuda.jit(f)` and lambdas.
    std::map<std::pair<const void*, const ModuleScope*>, std::unique_ptr<ModuleScope>> calls;
    std::map<std::pair<const ast::Stmt*, const ModuleScope*>, std::unique_ptr<ModuleScope>> runs;
    std::map<std::pair<const void*, const ModuleScope*>, std::unique_ptr<FunctionInfo>> made;
    std::map<std::tuple<const void*, const ModuleScope*, std::string>, std::unique_ptr<FunctionInfo>> lifted;
    std::deque<std::unique_ptr<ModuleScope>> lifted_scopes;
    std::deque<std::unique_ptr<FunctionInfo>> made_again;             ///< in the rounds of a loop
    std::map<const FunctionInfo*, const FunctionInfo*> replacements;  ///< what decorators make of functions of the host
    std::map<const ast::Expr*, std::unique_ptr<LambdaFunction>> lambdas;
    /// Arrays are computed once.
    std::map<std::pair<const ast::Expr*, const ModuleScope*>, Const> arrays;
    std::map<const FunctionInfo*, std::vector<Change>> changes;
    std::map<const FunctionInfo*, bool> makers;    ///< whether a function of the host may make functions
    std::set<const FunctionInfo*> seen_functions;  ///< of the search for one that does
    std::set<const void*> seen_variables;          ///< of the search for one that holds some
    std::set<std::pair<const ModuleScope*, std::string_view>> seen_names;  ///< and of the names that it came by
    std::set<const void*> plain_variables;                                 ///< those that hold none
    std::vector<const ModuleScope*> with_classes;                          ///< in the order of their first classes
    std::vector<const void*> importing;                                    ///< imports being followed
    int depth = 0;                                                         ///< of calls being evaluated
    int calls_made = 0;
    int steps = 0;          ///< statements that ran
    size_t made_items = 0;  ///< of lists, dicts, arrays and texts
    static size_t size_of(const Const& value);
    /// Bodies that run and make no functions: nobody asks what their names were before.
    std::set<const ModuleScope*> forgetful;
    static void note_forgetful(const ModuleScope& run, std::string_view body);
    static void set(const ModuleScope& scope, std::vector<Declaration>& all, Declaration declaration);
    /// Expressions that were found to have no value, where and when, while an expression around them is evaluated, and
    /// calls that have one: a chain of calls asks for its beginning again and again.
    std::set<std::tuple<const ast::Expr*, const ModuleScope*, size_t>> unknown;
    std::map<std::tuple<const ast::Expr*, const ModuleScope*, size_t>, Entity> called;
    std::set<std::tuple<const ast::Expr*, const ModuleScope*, size_t>> unknown_now;  ///< in bodies that run

    // --- scope_alias.cpp: objects that several names have
    using Names = std::vector<std::string_view>;
    std::string_view representative(const ModuleScope& scope, std::string_view name, bool of_arrays);
    NamesOfFile names_of_file(const ModuleScope& scope);
    bool makes_arrays_of_its_own(const FunctionInfo& info);
    std::map<const FunctionInfo*, bool> own_arrays;
    void note_sharing(const ModuleScope& scope, const ast::Stmt& stmt);
    static void note_views(ModuleScope& run, const ast::Expr& target, const ast::Expr& value,
                           const std::optional<Entity>& made);
    static void lose_views(ModuleScope& run, const ast::Expr& place, const std::optional<Const>& before);
    static bool may_see(const Entity& value, const Const& changed, int depth = 0);
    static void lose_held(ModuleScope& run, const ast::Expr& object);
    static void note_kept(ModuleScope& run, const ast::Expr& object, const ast::Call& call);
    static Names names_of(const ModuleScope& run, const Const& object);
    static void lose_names_of(ModuleScope& run, const Const& object);
    /// Whether the name is that of an import; nullopt: no scope has it.
    static std::optional<bool> is_import(const ModuleScope& scope, std::string_view name);
    /// Of a body that runs: names whose values may be parts of one array have one of these names in common.
    std::map<const ModuleScope*, std::map<std::string_view, std::string_view>> views;
    Names sharing_with(const ModuleScope& scope, const Names& names);
    static const ast::Expr* object_called(const ModuleScope& scope, const ast::Call& call);
    void give(ModuleScope& run, const ModuleScope& around, const Names& names);
    static void replace(ModuleScope& scope, const Const& before, const std::optional<Const>& after,
                        std::string_view root, std::set<const ModuleScope*>& seen, bool with_views = true);
    static bool stores_over_views(const ModuleScope& scope, const ast::Expr& targets, const ast::Expr& values);
    static std::optional<Const> without(const ModuleScope& scope, const Const& value, const ast::Expr& at);
    static std::vector<Const> objects_in(const Const& value);
    static std::vector<Const> lost_objects(const Const& before, const Const& after);
    static const ModuleScope* run_call(ModuleScope& scope, const ast::Call& call);
    static std::optional<Entity> made_by(ModuleScope& scope, const ast::Expr& value);
    static const FunctionInfo* constructor(const ModuleScope& scope, const std::optional<Entity>& callee);
    const std::vector<const ast::Call*>& method_calls(const ast::Stmt& stmt);
    std::map<const ast::Stmt*, std::vector<const ast::Call*>> called_inside;
    static bool calls_unknown(const ModuleScope& scope, const ast::Call& call);
    static void lose_attributes(const ModuleScope& of, std::string_view attribute, std::set<const ModuleScope*>& seen);
    static void lose_objects(ModuleScope& scope, std::string_view attribute);
    static void lose_objects_in(ModuleScope& run, const Const& value);
    static void lose_changed(ModuleScope& run, const ast::Expr& place);
    static void store_attribute(ModuleScope& scope, const ast::Expr& place, std::string_view name,
                                const std::optional<Entity>& value, Span span);
    static bool is_in_body(const ModuleScope& scope, const ast::Stmt& stmt);
    static void add_default(ModuleScope& run, const ast::Expr& place);
    std::map<const ast::Module*, bool> has_default_dicts;
    static void add_read_defaults(const ModuleScope& scope, const ast::Stmt& stmt,
                                  std::vector<const ast::Expr*>& found);
    static bool name_function(const ModuleScope& scope, const ast::Expr& function, const std::optional<Const>& name);
    /// Names of a file that may share an object, or an array's memory, each with one that is nearer to what they all
    /// lead to.
    std::map<std::pair<const ModuleScope*, bool>, std::map<std::string_view, std::string_view>> sharing;
    std::map<const ModuleScope*, std::set<std::string_view>> returning;  ///< functions that return objects of a file
    /// The names that see what a statement changes.
    std::map<std::pair<const ast::Stmt*, const ModuleScope*>, Names> seen_by;
    std::map<const ModuleScope*, const ast::ClassDef*> classes;  ///< whose body a scope is
    int evaluating = 0;                                          ///< expressions around the present one
    /// A body that runs, whose values of some names are the file's meanwhile.
    struct Running {
        const ModuleScope* of;
        const ModuleScope* by;
        bool has_all;  ///< a statement of the file itself
        std::vector<std::string_view> names;
    };
    std::vector<Running> running;
    static const ModuleScope* running_value(const ModuleScope& of, std::string_view name);
    /// The places whose objects the calls of a statement change.
    struct CallChanges {
        std::vector<const ast::Expr*> inside;  ///< beside what the statement is there for
        std::vector<const ast::Expr*> followed;
        std::vector<const ast::Expr*> taken;  ///< among those: an item leaves it
    };
    const CallChanges& changes_of_calls(const ModuleScope& scope, const ast::Stmt& stmt);
    std::map<std::pair<const ast::Stmt*, const ModuleScope*>, CallChanges> changed_inside;
    std::map<const ast::Stmt*, std::vector<AssignedInside>> assigned_inside;
    static bool is_still(const FunctionInfo& info, int depth = 0);
    static bool is_class_named(const ModuleScope& scope, const ast::Expr& expr);
    static bool is_of_import(const ModuleScope& scope, const ast::Expr& expr);
    static void note_outside(const ModuleScope& scope, const ast::Expr& place);
    static void note_outside(const ModuleScope& scope, const ast::Stmt& stmt);
    /// Variables of imported files that other files change, or functions that these call.
    std::set<std::pair<const ModuleScope*, std::string_view>> changed_outside;
    /// What a loop over a value takes: also the members of an enumeration.
    static std::optional<Const> iterated(const Entity& value);
    /// Whether a test of the host's holds.
    static std::optional<bool> outcome(const ModuleScope& scope, const ast::Expr& test);

    // --- scope_yield.cpp: iterators
    struct Yields {
        Coming coming = {};
        bool is_lost = false;
    };
    std::map<const ModuleScope*, Yields> yields;  ///< of bodies that run
    static bool is_generator(const FunctionInfo& info);
    static void begin_yields(const ModuleScope& run, const FunctionInfo& info);
    static void lose_yields(const ModuleScope& run);
    static bool yield(ModuleScope& run, const ast::Expr& value);
    static std::optional<Entity> result_of(const ModuleScope& run);
    static bool has_all_items(const ModuleScope& scope, const ast::Expr& iterator);
    static std::optional<Const> taken(const ModuleScope& scope, const ast::Expr& iterable);
    static std::optional<Const> taken(const ModuleScope& scope, const ast::Expr& iterable, const Entity& value);
    static bool take_arguments(const ModuleScope& scope, const ast::Call& call, HostArguments& arguments);
    static bool is_context(const ModuleScope& scope, const ast::Call& call);
    static std::function<std::optional<Const>(const Const&, std::span<const Const>)> caller_at(const ModuleScope& scope,
                                                                                               const ast::Call& node);
    static std::optional<Entity> next_of(ModuleScope& scope, const ast::Call& call);

    // --- scope_classes.cpp: what the instances of a class share
    static constexpr std::string_view kSomeClass = "?";
    const ModuleScope& present(const ModuleScope& body);
    void note_stores(const ModuleScope& scope, const ast::FunctionDef& def);
    bool is_stored(const ModuleScope& scope, std::string_view attribute) const;
    bool is_value(const ModuleScope& scope, std::string_view name) const;
    void note_changes(const ast::Stmt& stmt);
    bool is_default_shared(const FunctionInfo& info, const ast::Arg& param, const Entity& value) const;
    bool may_change(std::string_view attribute, const Entity& value) const;
    std::set<const ModuleScope*> copies;  ///< of objects and classes, for a statement to change
    /// What functions store to: the class, or none for any, and the attribute.
    std::set<std::pair<std::string_view, std::string_view>> stored_attributes;
    bool stores_any_attribute = false;  ///< `setattr(cls, name, value)` of a name that is computed
    std::set<std::string_view> changed_attributes, changed_variables;  ///< whose objects statements change
    std::set<std::string_view> called_attributes;                      ///< whose methods are called
    std::set<std::string_view> returned_attributes;                    ///< by functions
    std::set<std::string_view> viewed_attributes;                      ///< that may be views of arrays
    std::multimap<std::string_view, std::string_view> given_attributes, passed_attributes;  ///< to variables, functions
    std::set<std::string_view> passing;                            ///< functions that return what they are given
    std::set<std::string_view> moving;                             ///< methods that may change their objects
    std::multimap<std::string_view, std::string_view> parameters;  ///< of the functions
    mutable std::map<const ast::Module*, std::set<std::string_view>> values;  ///< names that are no callees or owners

    // --- scope_fields.cpp: dataclasses and named tuples
    struct ObjectField {
        const ClassField* says;
        const ModuleScope* of;  ///< the body of the class that says it
    };
    const ClassInfo* dataclass_of(const ModuleScope& body) const;
    const ModuleScope* maker_of(const ModuleScope& body) const;
    std::optional<std::vector<ObjectField>> fields_of(const ModuleScope& body) const;
    static std::optional<Entity> object_with_fields(const ModuleScope& body, const ModuleScope& maker,
                                                    const HostArguments& arguments);
    static std::optional<Entity> asked_of_fields(const ModuleScope& scope, const ast::Call& node);
    static std::optional<bool> compared_fields(ast::CompareOp op, const ModuleScope& left, const ModuleScope& right);
    static std::optional<Const> named_tuple(const ClassInfo& info, const HostArguments& arguments);
    static std::optional<Const> called_named_tuple(const ModuleScope& scope, const ClassInfo& info,
                                                   const ast::Call& node, bool is_of_items);

    // --- scope_unfollowed.cpp: calls of functions that are not known
    /// What all functions of a name may change, those of classes and of other functions among them.
    struct OfName {
        std::vector<Change> outside = {};
        bool changes_arguments = false;
        std::set<std::string_view> callees = {};
    };
    struct OfFile {
        std::map<std::string_view, OfName> functions = {};
        std::set<std::string_view> attributes = {};  ///< that are stored to
        std::set<std::string_view> variables = {};   ///< of loops
    };
    const OfFile& changes_by_name(const ast::Module& file);
    std::set<std::string_view> add_function(OfFile& file, const ast::FunctionDef& def,
                                            const std::set<std::string_view>& around, bool is_method) const;
    void add_functions(OfFile& file, const ast::Block& block, const std::set<std::string_view>& around,
                       bool is_class) const;
    static void add_of_callees(OfFile& file);
    std::map<const ast::Module*, OfFile> by_name;
    static void add_effects_of_given(const ModuleScope& scope, const ast::Call& call, std::vector<Effect>& effects);
    static void add_unfollowed_effects(const ModuleScope& scope, const ast::Call& call,
                                       const std::optional<Entity>& callee, bool is_own, std::vector<Effect>& effects);
    static void add_unfollowed_changes(const ModuleScope& scope, const ast::Expr& arg, std::vector<Effect>& effects);
    static bool may_change_arguments(const ModuleScope& scope, const ast::Call& call,
                                     const std::optional<Entity>& callee, bool is_own);

    // --- scope_hidden.cpp: changes that no call says
    static void add_hidden_changes(const ModuleScope& scope, const ast::Stmt& stmt,
                                   std::vector<const ast::Expr*>& found);
    static void add_hidden_changes(const ModuleScope& scope, const ast::Call& call,
                                   std::vector<const ast::Expr*>& found);
    static void add_changed_by_nameless(const ModuleScope& scope, const ast::Call& call,
                                        std::vector<const ast::Expr*>& found);
    /// What the special methods and the properties of a file's classes change outside of their objects, by the class.
    using OfClasses = std::multimap<std::string_view, const ast::Expr*>;
    const OfClasses& changed_by_special_methods(const ast::Module& file);
    std::map<const ast::Module*, OfClasses> of_special_methods;

    // --- scope_operators.cpp: operators of objects
    static bool is_instance_object(const Entity& value);
    static bool may_operate(const Entity& left, const Entity& right);
    static void add_changed_by_operators(const ModuleScope& scope, const ast::Expr& expr,
                                         std::vector<const ast::Expr*>& found);
    static bool moves(const Entity& object, std::string_view attr);
    static bool gives_the_same(const FunctionInfo& info);
    bool has_moving_operators = false;  ///< a class may have one, or a property, that changes its object
    static const FunctionInfo* special_method(const Entity& object, std::string_view method);
    static std::optional<Entity> call_special(const ModuleScope& scope, const void* key, const Entity& object,
                                              std::string_view method, std::vector<std::optional<Entity>> arguments);
    static std::optional<Entity> operated(const ModuleScope& scope, const ast::BinOp& node, const Entity& left,
                                          const Entity& right);
    static std::optional<Entity> operated(const ModuleScope& scope, const ast::Unary& node, const Entity& operand);
    static std::optional<Entity> compared(const ModuleScope& scope, const ast::Compare& node, const Entity& left);
    static std::optional<Entity> asked_of_object(const ModuleScope& scope, const std::optional<Entity>& callee,
                                                 const ast::Call& node);
    static std::optional<Const> items_of_object(const Entity& object);
    static std::optional<bool> truth_of_object(const ModuleScope& scope, const ast::Expr& test, const Entity& object);

    static bool is_class_or_object(const std::optional<Entity>& value);                  ///< scope_decorator.cpp
    static std::string_view raised_by(const ModuleScope& scope, const ast::Expr& expr);  ///< scope_try.cpp

    // --- scope_members.cpp: what module code asks of objects
    static std::optional<bool> has_member(const ModuleScope& scope, const Entity& base, std::string_view attr);
    std::optional<bool> has_name(const ModuleScope& object, std::string_view name) const;
    static const ast::Expr* object_with_attributes(const ast::Expr& dict);
    static const ModuleScope* class_in(const std::optional<Entity>& value);
    std::vector<const ModuleScope*> method_order(const ModuleScope& of, int depth) const;
    static std::optional<Entity> base_class(const ModuleScope& of);
    bool is_followed(const ast::ClassDef& node, const ModuleScope& of);
    std::map<const ast::ClassDef*, bool> followed_classes;
    bool is_private_of_several(const ModuleScope& scope, std::string_view attr) const;
    const ModuleScope* base_in(const ModuleScope& body, const ast::Expr& base) const;
    std::optional<bool> is_derived(const ModuleScope& from, const ModuleScope& base) const;
    static std::optional<bool> is_object_of(const ModuleScope& scope, const ast::Call& call);
    static std::optional<Entity> asked_of_member(const ModuleScope& scope, const Builtin* builtin,
                                                 const ast::Call& call);

    // --- scope_compiled.cpp: objects that stand for a function
    static const FunctionInfo* compiled_by_object(const ModuleScope& scope, const ast::Expr& decorator,
                                                  const FunctionInfo& info);

    // --- scope_object.cpp
    static std::optional<Entity> class_of_fields(const ModuleScope& scope, const ast::Expr& fields);
    static std::optional<Entity> called_object(const ModuleScope& scope, const ModuleScope& object,
                                               const ast::Call& node);
    static std::optional<Entity> called_object(const ModuleScope& scope, const ModuleScope& object, const void* key,
                                               HostArguments arguments);
    static bool update_fields(ModuleScope& scope, const ast::Call& call);
    static std::optional<Entity> asked_of_function(const ModuleScope& scope, const ast::Call& call);
    std::set<std::string> texts;  ///< names of attributes that are computed

    // --- scope_library.cpp
    std::optional<Entity> library_entity(std::string_view path);
    static std::optional<Entity> call_library(const ModuleScope& scope, const ast::Call& node);
    std::map<std::string, std::optional<Entity>, std::less<>> library;  ///< what was asked for, by its name there

    // --- scope_arguments.cpp: command lines, of which no argument is given
    static const ModuleScope* parser_in(const ModuleScope& scope, const ast::Expr& expr);
    static std::optional<Entity> parsed_arguments(const ModuleScope& scope, const ast::Call& call);
    static bool add_argument(ModuleScope& scope, const ast::Call& call);

    // --- scope_device.cpp: arrays of the device
    struct DeviceTable {
        std::optional<Entity> value = std::nullopt;  ///< its elements, where nothing may write to them
        const ast::Expr* writer = nullptr;           ///< what may, where they are known
    };
    static bool copies_to_device(const ModuleScope& scope, const ast::Expr& value);
    static const DeviceTable* device_table_of(const ModuleScope& scope, std::string_view name);
    std::map<const void*, DeviceTable> device_tables;  ///< by the statement that makes one

    // --- scope_open.cpp: what has no value in functions that nobody called
    struct Open {
        std::map<std::string_view, const FunctionInfo*> names = {};  ///< and the function that uses it
        std::vector<std::string_view> order = {};
        std::set<const FunctionInfo*> seen = {};
        void add(std::string_view name, const FunctionInfo& user) {
            if (names.emplace(name, &user).second) order.push_back(name);
        }
    };
    static void add_open(const FunctionInfo& info, Open& open);
    static bool sources_of(const ModuleScope& scope, std::string_view name, std::vector<std::string_view>& found,
                           int depth);
    static bool is_given(const ModuleScope& scope, const ast::FunctionDef& def, std::string_view param);
    static void bind_defaults(ModuleScope& inside, const FunctionInfo& info);

    // --- scope_made.cpp
    void note_launch(const FunctionInfo& info);
    static Entity new_object(const ModuleScope& body);
    static void run_constructor(const ModuleScope& file, const ModuleScope& body);
    static bool is_of_call(const FunctionInfo& info);
    std::vector<FunctionInfo*> made_kernels;     ///< by calls of the host's
    std::set<const ast::FunctionDef*> have_run;  ///< functions of the host
    bool has_run_actions = false;
    bool is_searching = false;  ///< for kernels: what an expression does counts, also where its value is not known
};

/// An import being followed, as long as this lives: files may import each other.
class Following {
  public:
    explicit Following(std::vector<const void*>& imports, const void* import)
        : imports_(imports), is_again_(std::ranges::find(imports, import) != imports.end()) {
        imports_.push_back(import);
    }
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;
    ~Following() { imports_.pop_back(); }

    bool is_again() const { return is_again_; }

  private:
    std::vector<const void*>& imports_;
    const bool is_again_;
};

}  // namespace pyk
