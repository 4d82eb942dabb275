// The inference of one function, private to sema/infer_*.cpp.
//
// The function is walked from top to bottom, making IR and types in one go, again and again until no type changes; the
// last walk's IR is the result and its findings are the ones reported. What survives a walk are the versions: each
// definition of a name (an assignment, a loop target, a merge) is one, found again by the syntax that makes it. A
// version's type only widens (`unify`), so the walks end. A name's versions of one type share one IR local, because no
// two of them are wanted at once.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "ir/build.h"
#include "ir/walk.h"
#include "sema/liveness.h"
#include "sema/specialize.h"
#include "sema/value.h"
#include "sema/versions.h"
#include "sema/walk.h"
#include "support/function_ref.h"
#include "types/convert.h"
#include "types/vector.h"

namespace pyk {

/// What a parameter gets: one of the values that the call gives, counted in the order of its text, or the default.
struct Argument {
    std::optional<size_t> given;
    ast::ExprRef fallback = nullptr;
};

/// What subscripts say beside the subscripts of the array's axes.
struct ViewShape {
    size_t leading = 0;            ///< axes that an ellipsis in front takes
    std::vector<size_t> new_axes;  ///< axes of the view that `None` stands for, in order
    /// Arrays among the subscripts, each with the axis of the view, taken whole there, from which it chooses.
    std::vector<std::pair<size_t, Value>> chosen = {};
};

/// Subscripts while they are read.
struct Subscripts {
    std::vector<ir::Subscript>& result;
    ViewShape& shape;
    Effects& effects;
    Value* next;                                                ///< of what was evaluated for them
    bool is_known = true;                                       ///< false: one was reported, or is not known yet
    std::vector<size_t> new_at = {};                            ///< subscripts in front of each `None`
    size_t ellipsis_at = SIZE_MAX, before_ellipsis = SIZE_MAX;  ///< subscripts, and `None`s, in front of `...`
};

/// Numbers written out, such as `2 * 3` or `-1`: Python folds them before Numba sees them.
bool is_literal(const ast::Expr& expr);

class Inference : private Walk {
  public:
    Inference(Specializer& specializer, Instance& instance);
    void run();
    /// Whether integers became floats because of the order in which their types were found: see as_in_all_walks.
    bool turns_integers() const { return turns_integers_; }
    /// Integers stay what they are, whatever they were in walks before.
    void keep_integers() { keeps_integers_ = true; }

  private:
    // --- rounds (infer.cpp) ---
    void walk();
    void declare_params();
    void declare_rest(uint32_t index);
    ir::LocalId add_parameter(std::string_view name, Type type, Span span);
    Entity received(const Entity& entity, Span span);
    bool promises_result();
    void finish_body();
    void settle_literals();
    void begin_anew();
    void miss(Span span);
    template <typename... Args, typename... Values>
    Value error(const DiagnosticKind<Args...>& kind, Span span, const Values&... values) {
        diagnostics_.report(kind, span, values...);
        Value poison;
        poison.span = span;
        return poison;
    }
    /// Of what is written there.
    Value not_constant(Span span) { return error(diag::not_a_constant, span, span.text()); }

    // --- names and paths (infer_flow.cpp) ---
    bool reachable() const { return env_.has_value(); }
    VersionId version_at(const void* site, uint32_t name, Span span, std::optional<JoinKind> join = {});
    ir::LocalId local_of(VersionId id);
    void set_type(Version& version, Type type, bool is_weak);
    void may_be_unassigned(Version& phi, const Note& path);
    MadeTest made(const ast::Expr& test) const;
    std::shared_ptr<const MadeTest> formula_of(const ast::Expr& expr) const;
    PresencePtr presence_of(VersionId id) const;
    void keep_presences(const Join& end, const MadeTest& test);
    static const ast::Expr* test_of_later_rounds(const ast::For& node);
    bool keep_presence_after_first(VersionId id, const ast::Expr& test, const Join& header);
    bool may_lack(VersionId id) const;
    ptrdiff_t definitions_of(uint32_t name);
    void widen(Version& version, const Value& value);
    void define(uint32_t name, const void* site, Value value, Span span, ir::Block& out);
    Value as_wanted(uint32_t name, Value value, Span span);
    bool names_storage(VersionId id, const ir::Expr& value);
    bool names_table(VersionId id, const ir::Expr& value);
    Value read(uint32_t name, Span span);
    Value unassigned(uint32_t name, Span span);
    Value read_unassigned(uint32_t name, Span span);
    Join& join(const void* site, JoinKind kind);
    void flow_into(Join& join, ir::Block& out);
    void become_dim3(Version& phi);
    void cannot_unify(Version& phi, Span span, std::string_view one, std::string_view other);
    bool merge_held(VersionId phi, const Version& source, ir::Block& out);
    void merge_into(VersionId phi, VersionId source, ir::Block& out);
    void merge_unassigned(VersionId phi, ir::Block& out);
    void merge_none(VersionId phi, Span none, ir::Block& out);
    void merge_entity(VersionId phi, VersionId source, ir::Block& out);
    void merge_value(VersionId phi, VersionId source, ir::Block& out);
    void give_way(Version& phi, const Version& source);
    Type at_head(VersionId phi, const Version& source, Type merged);
    std::optional<Env> seal(Join& join, const NameSet& live, const void* site, Span span, JoinKind kind);
    std::optional<Env> seal(Join& join, const ast::Stmt& stmt, JoinKind kind);
    void merge(const Fork& fork, ir::Block& then, ir::Block& otherwise);
    void keep(std::span<Value> values, size_t before, ir::Block& out);
    static bool reads(const ir::Expr& expr, const std::vector<ir::LocalId>& locals);
    void open_header(Join& join, const ast::Stmt& stmt, const NameSet& live);
    void open_phis(Join& join, const ast::Stmt& stmt, const NameSet& live, JoinKind kind);
    ir::LocalId temporary(std::string_view name, Type type, Span span);
    Value spill(Value value, std::string_view name, ir::Block& out);
    Value done(Value value, ir::Block& out);

    // --- statements (infer_stmt.cpp) ---
    void lower(const ast::Block& block, ir::Block& out);
    void lower(const ast::Stmt& stmt, ir::Block& out);
    void lower_assign(const ast::Assign& node, Span span, ir::Block& out);
    void lower_evaluated(const ast::Expr& expr, Span span, ir::Block& out);
    void assign(const ast::Expr& target, Value value, ir::Block& out, Span span);
    void unpack(std::span<const ast::ExprRef> targets, Value value, ir::Block& out, Span span);
    void unpack(std::span<const ast::ExprRef> targets, Iterable all, ir::Block& out, Span span);
    struct Disturbed {
        std::vector<ir::LocalId> locals;
        bool memory = false;
    };
    void assign_in_turn(std::span<const ast::ExprRef> targets, std::vector<Value> items, Span span, ir::Block& out);
    void disturb(const ast::Expr& target, Type type, Disturbed& disturbed);
    std::vector<Value> elements(Value tuple, ir::Block& out);
    static std::optional<Const> fields_of(const Value& value);
    void lower_if(const ast::Stmt& stmt, const ast::If& node, ir::Block& out);
    void lower_match(const ast::Match& node, ir::Block& out);
    bool check_pattern(const ast::Pattern& pattern);
    Value fits_sequence(const ast::IsSequence& node, Span span, ir::Block& out);
    void lower_delete(const ast::Delete& node);
    void lower_global(const ast::Stmt& stmt, std::span<const ast::Identifier> names);
    void lower_return(const ast::Stmt& stmt, const ast::Return& node, ir::Block& out);
    void unsupported(const ast::Stmt& stmt);

    // --- `x += y` (infer_augment.cpp) ---
    void lower_aug_assign(const ast::AugAssign& node, Span span, ir::Block& out);
    void augment_name(const ast::AugAssign& node, Span span, ir::Block& out);
    void augment_attribute(const ast::AugAssign& node, const ast::Attribute& target, Span span, ir::Block& out);
    void augment_subscript(const ast::AugAssign& node, const ast::Subscript& target, Span span, ir::Block& out);
    void augment_chosen(BinaryOp op, Value part, std::vector<std::pair<size_t, Value>> by, Value operand, Span span,
                        ir::Block& out);
    void augment_element(const ast::AugAssign& node, Value array, std::vector<ir::Subscript> subscripts,
                         Effects effects, Span span, ir::Block& out);

    // --- errors that are handled, in functions that the host calls (infer_try.cpp) ---
    void lower_try(const ast::Stmt& stmt, const ast::Try& node, ir::Block& out);
    bool can_handle(const ast::Stmt& stmt, const ast::Try& node);
    void lower_handled(const ast::Stmt& stmt, const ast::Try& node, ir::Block& out);
    void lower_final(const ast::Stmt& stmt, const ast::Try& node, ir::Block& out);
    ir::Block guarded(const ast::Stmt& stmt, JoinKind kind, const std::function<void(ir::Block&)>& lower_body,
                      ir::Block& out);
    void may_lead_to_handlers(uint32_t name, ir::Block& out);
    bool shows_in_handlers(const ast::Stmt& stmt);
    void run_finals(const ast::Stmt& jump, size_t loops, ir::Block& out);

    // --- loops (infer_loop.cpp) ---
    void lower_while(const ast::Stmt& stmt, const ast::While& node, ir::Block& out);
    ir::While tested_loop(const ast::While& node, Value test, ir::Block before, ir::Block otherwise, Span span,
                          ir::Block& out);
    std::optional<Const> known_operand(const ast::Expr& expr, const NameSet* unsure) const;
    std::optional<bool> known_test(const ast::Expr& test, const NameSet* unsure = nullptr) const;
    static int branches_to(bool way, const ast::Expr& test);

    // --- what Numba types although it is never run (infer_both_ways.cpp) ---
    bool is_of_numbers(const ast::Expr& expr) const;
    bool types_both_ways(const ast::Expr& test) const;
    bool types_unused(FunctionRef<void(ir::Block&)> lower_it);
    Value value_of_other_way(const ast::Expr& expr);
    Value met(Value taken, const Value& other);
    void lower_taken(const ast::If& node, bool holds, ir::Block& out);

    void take_sure(const Join& end, std::span<const VersionId> assigned);
    void lower_for(const ast::Stmt& stmt, const ast::For& node, ir::Block& out);
    bool lower_for_range(const ast::Stmt& stmt, const ast::For& node, ir::Block& out);
    template <typename Loop>
    void loop_body(const ast::Stmt& stmt, const ast::For& node, Loop loop, ir::ExprPtr counter, const Iterable& items,
                   bool runs, ir::Block& out);
    std::vector<VersionId> assigned_by_each_iteration(const Join& header) const;
    Value next_item(const ast::Stmt& stmt, const Iterable& items, ir::ExprPtr counter, ir::Block& out);
    Iterable iterable(const ast::Expr& expr, ir::Block& out);
    bool stays(const ast::Expr& expr);
    Iterable iterable_array(Value array, bool stays, ir::Block& out);
    static ir::Stmt unless_length(const Value& array, size_t count, std::string_view what, Span span);
    static ir::Stmt unless_length(ir::ExprPtr length, size_t count, std::string_view who, std::string_view what,
                                  Span span);
    std::vector<Value> array_elements(Value array, size_t count, ir::Block& out);
    Iterable iterable_tuple(Value tuple, ir::Block& out);
    std::optional<std::vector<Value>> range_args(const ast::Call& call, ir::Block& out);

    // --- ranges, slices, iterators (infer_sequence.cpp) ---
    static bool is_range(const Value& value);
    static bool is_slice_object(const Value& value);
    static bool is_flat(const Value& value);
    Value as_it_is(Value value, std::string_view name, ir::Block& out);
    Value bound_to(const Builtin& builtin, std::vector<Value> parts, Span span, ir::Block& out);
    std::vector<Value> parts_of(const Value& bound);
    Value special_range(const CallSite& site);
    static Value no_bound(Span span);
    Value special_slice(const CallSite& site);
    ir::SliceOf slice_parts(const Value& slice);
    Value slice_part(const Value& slice, size_t index, Span span);
    Value range_length(const Value& range, Span span);
    Value range_item(const Value& range, Value index, Span span);
    Value in_range(Value item, const Value& range, Span span);
    Iterable iterable_range(const Value& range, Span span);
    static std::vector<ir::ExprPtr> unravelled(const ir::Expr& counter, const std::vector<Value>& extents);
    static ir::ExprPtr product(const std::vector<Value>& extents, Span span);
    Value index_tuple(const ir::Expr& counter, const std::vector<Value>& extents, Span span);
    Value flat_subscript(const Value& flat, Value index, Span span);
    void store_flat(const Value& flat, Value index, Value value, Span span, ir::Block& out);
    void update_flat(BinaryOp op, const Value& flat, const ast::Subscript& target, const ast::Expr& operand, Span span,
                     ir::Block& out);
    Value flat_element(const Value& array, const ir::Expr& counter, Span span);
    std::vector<Value> extents_of(const Value& array, Span span);
    Iterable iterable_ndindex(const ast::Call& call, Span span, ir::Block& out);
    Iterable iterable_elements(Value array, bool with_indices, bool stays, ir::Block& out);
    Iterable iterable_enumerate(const ast::Call& call, Span span, ir::Block& out);
    Iterable iterable_zip(const ast::Call& call, Span span, ir::Block& out);
    Iterable zipped(std::vector<Iterable> all, Span span);
    Iterable iterable_together(ast::ExprList written, Span span, ir::Block& out);
    Iterable iterable_reversed(const ast::Call& call, Span span, ir::Block& out);
    Iterable iterable_map(const ast::Call& call, Span span, ir::Block& out);
    Iterable iterable_filter(const ast::Call& call, ir::Block& out);
    Iterable iterable_unfiltered(const ast::Expr& expr, ir::Block& out);
    ir::ExprPtr shortest(std::vector<Iterable>& all, Span span);
    std::optional<Iterable> iterable_call(const ast::Call& call, Span span, ir::Block& out);

    // --- parts of an array, as many as the run says (infer_parts.cpp) ---
    static bool is_parts(const Value& value);
    Value split(const FunctionInfo& function, const CallSite& site);
    Value part_count(const Value& parts);
    Value part_at(const Value& parts, Value index, Span span, ir::Block& out);
    Iterable iterable_parts(const Value& parts, Span span);

    // --- what exists before run time only, where a value has to be (infer_held.cpp) ---
    static bool can_be_held(const Value& value);
    std::string name_held(const Value& value) const;
    void hold(Value& value);
    Value let_go(Value value, ir::Block& out);
    bool reads_variables(const Value& value);

    // --- iterators as values (infer_iterator.cpp) ---
    Value special_iterator(const CallSite& site);
    const Iterator* iterator_of(const Value& value) const;
    Value take(const Iterator& iterator, ir::Block& out);
    ir::ExprPtr is_left(const Iterator& iterator, Span span);
    Iterable iterable_iterator(const Value& value, Span span);
    Value special_next(const CallSite& site);

    // --- builtins of Python beyond arithmetic, `operator` (infer_builtin.cpp) ---
    Value special_sum(const CallSite& site);
    bool has_arguments(const CallSite& site, size_t count);
    Value special_isinstance(const CallSite& site);
    Value is_instance(const ast::Expr& types, const Value& value);
    Value special_type(const CallSite& site);
    Value special_tuple(const CallSite& site);
    Value special_character(const CallSite& site);
    Value special_attribute(const CallSite& site);
    Value special_bit_count(const CallSite& site);
    Value special_item(const CallSite& site);
    Value special_number_view(const CallSite& site);
    Value special_operator(const CallSite& site);
    Value compare_tuples(BinaryOp op, Value lhs, Value rhs, Span span, ir::Block& out);
    Value slice_tuple(Value tuple, const ast::Slice& slice, Span span, ir::Block& out);

    // --- expressions (infer_expr.cpp) ---
    Value lower(const ast::Expr& expr, ir::Block& out);
    Value lower_held(const ast::Expr& expr, ir::Block& out);
    Value as_in_all_walks(const ast::Expr& expr, Value value);
    std::vector<Value> lower_list(std::span<const ast::ExprRef> exprs, ir::Block& out);
    std::vector<Value> starred_items(const ast::Expr& expr, ir::Block& out);
    void sequence(std::vector<Value>& values, ir::Block& out);
    Value of_const(const Const& constant, Span span);
    Value of_entity(const Entity& entity, Span span);
    Value array_constant(const NamedConst& named, Span span);
    Value item_of_columns(const std::vector<NamedConst>& columns, Type type, const ir::Expr& index, Span span);
    Value record_constant(const NamedConst& named, Span span);
    bool is_random(std::string_view name) const;
    Value lower_name(const ast::Name& node, Span span);
    const std::optional<Entity>& module_name(std::string_view name);
    Value of_module(const ast::Name& node, Span span);
    Value lower_owner(const ast::Expr& expr, ir::Block& out);
    Value lower_attribute(const ast::Attribute& node, Span span, ir::Block& out);
    Value lower_member(Value base, const ast::Attribute& node, Span span);
    Value lower_binary(const ast::Expr& expr, ir::Block& out);
    Value matrix_product(std::vector<Value> operands, Span span, ir::Block& out);
    Value lower_operator(ast::BinaryOp written, std::vector<Value> operands, Span span, ir::Block& out);
    Value binary(BinaryOp op, Value lhs, Value rhs, Span span);
    Value lower_unary(const ast::Unary& node, Span span, ir::Block& out);
    const Builtin* quiet_division(BinaryOp op, Type type) const;
    static BinaryOp binary_op(ast::BinaryOp op);
    Value unary(UnaryOp op, Value operand, Span span);
    Value lower_bool_op(const ast::BoolOp& node, Span span, ir::Block& out);
    Value lower_if_exp(const ast::Expr& expr, ir::Block& out);
    Value select(Value condition, Value then, ir::Block then_block, Value otherwise, ir::Block else_block,
                 const Fork& fork, Span span, ir::Block& out);
    Value lower_compare(const ast::Compare& node, Span span, ir::Block& out);
    Value lower_comparator(const ast::Compare& node, size_t i, ir::Block& out);
    Value compare_chain(const ast::Compare& node, size_t i, Value lhs, Value rhs, Span span, ir::Block& out);
    Value compare(ast::CompareOp op, Value lhs, Value rhs, Span span, ir::Block& out);
    Value equal_if_there(ast::CompareOp op, Value lhs, Value rhs, Span span, ir::Block& out);
    Value equal_elements(bool negated, Value lhs, Value rhs, Span span, ir::Block& out);
    Value contains(Value item, Value container, bool negated, Span span, ir::Block& out);
    Value lower_display(const ast::Expr& expr, ir::Block& out);
    Value lower_tuple(std::span<const ast::ExprRef> elements, Span span, ir::Block& out);
    Value make_tuple(std::vector<Value> elements, Span span);
    Type declared_tuple();
    Value cast_items(Value value, Type declared, ir::Block& out);
    Value lower_walrus(const ast::NamedExpr& node, Span span, ir::Block& out);
    Value lower_condition(const ast::Expr& expr, ir::Block& out, Outcomes* outcomes = nullptr);
    Value short_circuit(bool is_and, Value lhs, const std::function<Value(ir::Block&)>& rhs, const ast::Expr* site,
                        Span span, ir::Block& out);
    Value truth_of(Value value, Span span, ir::Block& out);
    Value truth_of_optional(Value value, Span span, ir::Block& out);
    Value converted(Value value, Type type, Span span);
    bool needs_value(const Value& value, Span span);
    // Errors, with what may have been meant (infer_unknown.cpp).
    bool is_told(std::string_view name) const;
    Value unknown_name(std::string_view name, Span span);
    Value unknown_path(const std::string& path, Span span);
    Value unknown_member(const Path& path, std::string_view attr, Span span);
    static const ir::Expr* shaped_array(const Value& shape);
    std::optional<int64_t> written_index(const ir::Expr& expr) const;
    void check_constant_indices(const Value& of, std::span<const ir::Subscript> subscripts);
    Value changing_list(Span span);
    Value unknown_attribute(Type type, std::string_view attr, Span span);
    Value unknown_field(Type type, std::string_view name, Span span);
    Value unknown_class_member(const ClassInfo& info, std::string_view name, Span span);
    Value unknown_parameter(std::string_view function, std::string_view given, std::span<const std::string_view> known,
                            Span span);
    void no_value(const Value& value, Span span);
    static std::string_view method_family(Type type);
    Value unsupported(const ast::Expr& expr);

    // --- narrow typing, where it differs (infer_narrow.cpp); with Numba's, these do what it does
    bool is_narrow() const { return instance_.typing == Typing::narrow; }
    Type type_of_const(const Const& constant) const;
    bool is_weak(const Const& constant, Type type) const;
    static ir::ExprPtr number(const Const& constant, Type type, Span span);
    static narrow::Operand operand_of(const Value& value);
    ir::ExprPtr in_type(Value& value, Type type);
    void settle(Value& value) const;
    void settle(std::vector<Value>& values) const;
    void stay_weak(Value& value) const;
    Type weak_type(Type type) const { return instance_.is_wide ? narrow::with_all_digits(type) : type; }
    void want_digits(bool is_weak, Type from, Type to);
    bool is_weak_call(const Builtin& builtin, std::span<const Value> args) const;
    Value weak_items_alike(Value tuple, ir::Block& out);
    Type passed_as(const Value& arg, const Instance& callee, size_t index) const;
    Type meet(const Value& a, const Value& b) const;
    std::pair<Type, bool> meet_at_merge(Type a, bool a_is_weak, Type b, bool b_is_weak) const;
    std::optional<Resolution> resolve_operator(BinaryOp op, const Value& lhs, const Value& rhs) const;
    std::optional<Resolution> resolve_operator(UnaryOp op, const Value& operand) const;
    std::optional<Resolution> resolve_call(const Builtin& builtin, std::vector<Type> args) const;
    std::optional<Resolution> resolve_ufunc(const Builtin& builtin, std::span<const Value> args) const;
    Type result_of_call(Type result, std::span<const Type> args) const;
    Type range_type(std::span<const Value> args) const;

    // --- subscripts and attributes of arrays (infer_index.cpp) ---
    Value lower_subscript(const ast::Subscript& node, Span span, ir::Block& out);
    bool is_string(const ast::Expr& expr);
    Value subscript_tuple(Value tuple, const ast::Expr& index, Span span, ir::Block& out);
    bool subscripts_of(const Value& base, const ast::Expr& slice, std::vector<ir::Subscript>& result, ViewShape& shape,
                       Effects& effects, ir::Block& out);
    bool read_subscript(const ast::Expr& part, Subscripts& read, ir::Block& out);
    ir::ExprPtr read_bound(ast::ExprRef expr, Subscripts& read);
    static void place_subscripts(Subscripts& read, size_t ndim, Span span);
    bool add_subscript(Value value, std::vector<ir::Subscript>& result, Effects& effects, ir::Block& out);
    Value view(Value array, std::vector<ir::Subscript> subscripts, const ViewShape& shape, Effects effects, Span span);
    Value element(Value array, std::vector<ir::Index> indices, Span span);
    void store_subscript(const ast::Subscript& node, Value value, Span span, ir::Block& out);
    /// The error for a store to a readonly array: a table of the kernel's, or another.
    Value cannot_store(const Value& array, Span span);
    void store_element(Value array, std::vector<ir::Index> indices, Value value, Span span, ir::Block& out);
    void store_view(Value target, Value value, Span span, ir::Block& out);
    std::string_view store_of_overlapping(const Value& target, const Value& value) const;
    // --- elements that arrays choose (infer_chosen.cpp) ---
    static bool chooses(const Value& subscript);
    Value chosen(Value part, std::vector<std::pair<size_t, Value>> by, Span span, ir::Block& out);
    void store_chosen(Value part, std::vector<std::pair<size_t, Value>> by, Value value, Span span, ir::Block& out);
    std::string choosing_function(std::string_view verb, const Value& part,
                                  const std::vector<std::pair<size_t, Value>>& by, Span span);
    std::vector<Value> choosing_args(Value part, std::vector<std::pair<size_t, Value>> by, Span span);
    // --- stencils (infer_stencil.cpp) ---
    void declare_positions();
    bool is_relative(const ast::Expr& base) const;
    Value bad_position(Span span, std::string_view why = "");
    Value relative_view(Value array, std::span<const ast::ExprRef> written, const ast::Expr& slice, ir::Block& out);
    Value relative_element(Value array, const ast::Expr& slice, Span span, ir::Block& out);
    Value stencil_array(const FunctionInfo& info, std::vector<Value> given, const ast::Call& node, Span span,
                        ir::Block& out);

    // --- array functions (infer_array_call.cpp) ---
    std::optional<Value> array_call(const FunctionInfo& info, std::vector<Value>& given, const ast::Call& node,
                                    Span span, ir::Block& out);
    Value call_for_parts(const FunctionInfo& info, std::vector<Value> operands, Span span, ir::Block& out);

    // --- NumPy's functions (infer_numpy.cpp) ---
    Value special_ufunc(const CallSite& site);
    Value ufunc(const Builtin& builtin, std::vector<Value> args, Span span);
    Value store_ufunc(const Builtin& builtin, Value target, std::vector<Value> operands, Span span, ir::Block& out);
    static const Builtin* ufunc_of(BinaryOp op);
    static std::optional<BinaryOp> operator_named(std::string_view ufunc);
    void update_array(BinaryOp op, Value target, Value operand, Span span, ir::Block& out);
    Value written_array(Value array, ir::Block& out);
    const std::vector<int64_t>* known_shape(const ir::Expr& array) const;
    void elementwise(Value target, std::vector<Value> operands, const std::function<Value(std::vector<Value>)>& compute,
                     Span span, ir::Block& out);
    Value broadcast(Value array, const ir::Expr& target, Span span);
    Value special_type_info(const CallSite& site);
    Value special_is_complex(const CallSite& site);
    Value special_is_scalar(const CallSite& site);

    // --- new arrays, of functions that the host calls (infer_new_array.cpp) ---
    /// `np.array(t)` of a tuple.
    Value array_of_sequence(Value sequence, ir::Block& out);
    struct NewArrayCall;
    bool makes_array(std::string_view path) const;
    Value numpy_array(std::string_view name, const ast::Call& node, Span span, ir::Block& out);
    Value new_array(Type element, std::vector<Value> extents, bool is_zeroed, Span span, ir::Block& out);
    Value filled_array(const NewArrayCall& call);
    Value counted_array(const NewArrayCall& call);
    Value spaced_array(const NewArrayCall& call);
    Value array_of_items(const NewArrayCall& call);
    Value identity_array(const NewArrayCall& call);
    bool shape_from(Value shape, std::string_view name, std::vector<Value>& extents, ir::Block& out);
    Value special_new_array(const CallSite& site);
    Value copied_array(Value array, Type element, Span span, ir::Block& out);
    Value array_from(const Builtin& builtin, std::vector<Value> operands, Span span, ir::Block& out);
    Value array_of(const std::function<Value(std::vector<Value>)>& compute, std::vector<Value> operands, Span span,
                   ir::Block& out);
    Value special_map(const CallSite& site);
    void fill_by(std::string_view function, std::vector<Value> args, Span span, ir::Block& out);
    Value kept_result(Value result, ir::Block& out);

    // --- list comprehensions, in functions that the host calls (infer_comprehension.cpp) ---
    Value comprehension(const ast::ListComp& whole, Type wanted, Span span, ir::Block& out);
    struct Rounds;
    bool open_rounds(Rounds& rounds, const ast::ListComp& level, Iterable first, ir::Block& out);
    Value array_of_rounds(Rounds& rounds, std::vector<Value> extents, Type element, std::vector<Value> items, Span span,
                          ir::Block& out);
    Value array_that_grows(Rounds& rounds, Type element, std::vector<Value> items, Span span, ir::Block& out);
    std::vector<Value> items_of_round(Rounds& rounds, const ast::Expr& expr, ir::Block& outside);

    // --- attributes and methods of arrays (infer_array.cpp) ---
    Value size_of(ir::ExprPtr array, Span span);
    static Value made_by(const Builtin& row, Type type, std::vector<ir::ExprPtr> args, Effects effects, Span span);
    static Value made_by(BuiltinName row, Type type, std::vector<ir::ExprPtr> args, Effects effects, Span span) {
        return made_by(builtin(row), type, std::move(args), effects, span);
    }
    Value array_part(Value array, std::string_view part, std::string_view name, Span span);
    Value flattened(Value array, Span span);
    Value special_view(const CallSite& site);
    Value special_fill(const CallSite& site);
    Value reshaped(Value array, std::vector<Value> extents, Span span);
    Value swapped(Value array, const std::vector<Value>& two, Span span);
    Value permuted(Value array, std::vector<Value> axes, Span span);
    Value reinterpreted(const CallSite& site);
    Value only_element(Value array, Span span);
    Value array_attribute(Value array, std::string_view name, Span span);
    Value shape_of(const ir::Expr& array, uint32_t axis, Span span);

    // --- errors (infer_raise.cpp) ---
    void lower_raise(const ast::Raise& node, Span span, ir::Block& out);
    void lower_assert(const ast::Assert& node, Span span, ir::Block& out);
    std::string message_of(const ast::Expr& expr, ir::Block& out);
    Value special_breakpoint(const CallSite& site);

    // --- printing and f-strings (infer_print.cpp) ---
    std::optional<Const> known_of_module(const ast::Expr& expr) const;
    std::optional<std::string> known_formatted(const ast::JoinedStr& node) const;
    struct Printed {
        std::string text;  ///< in front of the value; the last one has no value
        Value value = {};
        const ast::FormattedValue* field = nullptr;
    };
    std::vector<Printed> printed(const CallSite& site);
    Value special_print(const CallSite& site);
    bool print_item(Value value, ir::Print& print, ir::Block& out);
    bool print_field(Value value, const ast::FormattedValue& field, ir::Print& print, ir::Block& out);
    bool print_number(Value value, std::string_view specification, ir::Print& print);

    // --- loops that are written out (infer_unroll.cpp) ---
    std::optional<std::vector<Value>> numbers_of(const Value& range);
    bool lower_unrolled(const ast::Stmt& stmt, const ast::For& node, ir::Block& out);
    uint32_t copy_of(const ast::Stmt* stmt, size_t number);
    void unroll(const ast::Stmt& stmt, const ast::For& node, std::vector<Value> items, ir::Block& out);
    void finish_unrolled(const ast::Stmt& stmt, const ast::For& node, ir::While whole, ir::Block& out);
    Value special_unroll(const CallSite& site);

    // --- functions (infer_function.cpp) ---
    Value make_function(const ast::FunctionDef& def, Span span, std::string name, ir::Block& out);
    std::vector<std::pair<const ast::Expr*, Value>> defaults_of(const ast::FunctionDef& def, ir::Block& out);
    Value bound(Value function, ir::Block& out, bool is_called = false);
    Value bind(const Closure& function, Span span, bool is_called, ir::Block& out);
    void lower_def(const ast::Stmt& stmt, const ast::FunctionDef& node, ir::Block& out);
    Value call_function(const FunctionInfo& info, const Closure* closure, const Value* receiver, const ast::Call& node,
                        Span span, ir::Block& out);
    Value call_function(const FunctionInfo& info, const Closure* closure, std::vector<Value> given,
                        const ast::Call& node, Span span);
    Value call_instance(const FunctionInfo& info, std::vector<Value> args, Span span);
    Value call_instance(const FunctionInfo& info, std::vector<Parameter> params, std::vector<Value> args, Span span);
    std::optional<std::vector<Argument>> bind_args(const FunctionInfo& info, size_t positional, const ast::Call& node,
                                                   Span span);
    Value default_value(const FunctionInfo& info, const ast::Expr& expr);
    Value lacks_decorator(const FunctionInfo& info, Span span);
    bool add_argument(Value value, std::vector<Parameter>& params, std::vector<Value>& run_time);
    static std::optional<Signature> array_signature(const FunctionInfo& info, std::span<const Parameter> params);
    std::optional<Signature> declared_signature(const FunctionInfo& info, std::span<const Parameter> params);

    // --- statements that do nothing (infer_no_effect.cpp) ---
    void warn_of_no_effect(const Value& value, const ast::Expr& expr);
    void warn_of_lost_array(const ast::Expr& target, std::string_view name, const Value& value);

    // --- what made a variable what it is (infer_causes.cpp) ---
    void report_once(const std::optional<Note>& cause, FunctionRef<void()> report);
    void wrong_rank(const ir::Expr* array, FunctionRef<void()> report);
    std::optional<Note> cause_of(const Value& value, bool wants_array) const;
    Value bad_index(const Value& index, Span span);
    Value not_subscriptable(const Value& value, Span span);
    Value cannot_convert(Type from, Type to, Span span);
    void note_of_member(Span span);

    // --- functions of the library (infer_python.cpp) ---
    const FunctionInfo& library_function(std::string_view name);
    std::string called_name(const FunctionInfo& info) const;
    bool takes_number(const CallSite& site) const;
    Value special_python(const CallSite& site);

    // --- fields (infer_record.cpp) ---
    Value field_named(Value base, std::string_view name, Span span);
    Value field(Value record, size_t index, Span span);
    std::optional<std::string> subscripted_field(Type type, const Value& index, Span span);
    Value subscript_field(Value base, const Value& index, Span span);
    void store_named(Value base, std::string_view name, Span name_span, Value value, size_t before, Span span,
                     ir::Block& out);
    void store_field(Value record, size_t index, Value value, Span span, ir::Block& out);
    void store_record(Value to, Value from, Span span, ir::Block& out);
    void copy_fields(Value to, Value from, Span span, ir::Block& out);
    void store_attribute(const ast::Expr& target, Value value, Span span, ir::Block& out);
    void augment_field(BinaryOp op, Value base, const ast::AugAssign& node, std::string_view name, Span span,
                       ir::Block& out);

    // --- classes (infer_class.cpp) ---
    Value field_default(const ClassField& field);
    bool is_of_class(const Value& value, const ClassInfo& info) const;
    Value made_of(const ClassInfo& info, std::vector<Value> items, Span span);
    static const ClassInfo* dataclass_of(const Value& value);
    Value structure_of(const Value& object);
    void as_structure(Value& value);
    Value replaced_fields(const ast::Call& node, Span span, ir::Block& out);
    std::string type_name(Type type) const;
    Value member_with_value(const ClassInfo& info, const ast::Call& node, Span span, ir::Block& out);
    Value call_class(const ClassInfo& info, const ast::Call& node, Span span, ir::Block& out);
    Value number_of(Value member) const;
    Value value_of_member(Value member, Span span);
    Value identical(bool negated, Value lhs, Value rhs, Span span, ir::Block& out);

    // --- methods and dataclasses (infer_struct.cpp) ---
    std::optional<Value> member_of_super(const ast::Attribute& node, Span span);
    const FunctionInfo* method_of(Type type, std::string_view name) const;
    Value bound_method(const FunctionInfo& method, const ClassInfo* info, std::optional<Value> self, Span span);
    const FunctionInfo* inplace_method(BinaryOp op, Type type) const;
    std::optional<Value> by_method(BinaryOp op, Value& lhs, Value& rhs, Span span);
    std::optional<Value> by_method(UnaryOp op, Value& operand, Span span);
    std::optional<Value> by_method(std::string_view name, Value& operand, Span span);
    std::optional<Value> compared_by_class(BinaryOp op, Value& lhs, Value& rhs, Span span, ir::Block& out);
    void replace_element(const ast::Expr& owner, Value base, std::string_view attr, Value value,
                         const ast::Expr& target, ir::Block& out);

    // --- Optional (infer_optional.cpp) ---
    static bool is_none(const Rare<Entity>& entity);
    static ir::ExprPtr none_of(Type optional, Span span);
    Value unwrapped(Value value);
    Value unwrapped_array(Value value);
    static Value has_value(Value optional, Span span);
    void assume(const ast::Expr& test, bool holds);

    // --- datetime64 and timedelta64 (infer_time.cpp) ---
    static bool is_time(Type type);
    static ir::ExprPtr in_unit(Value time, int unit);
    Value time_pair(BinaryOp op, Value lhs, Value rhs, Span span);
    Value time_operator(BinaryOp op, Value lhs, Value rhs, Span span);

    // infer_text.cpp
    struct KnownText {
        Scalar character;
        std::vector<uint32_t> characters;

        Type type() const { return Type::text(character, std::max<size_t>(characters.size(), 1)); }
    };
    std::optional<KnownText> known_text(const Value& value) const;
    static Value text_value(const KnownText& known, Type type, Span span);
    Value as_text(Value value, Type type) const;
    static bool is_string_or_text(const Value& value);
    Value spelled(Value value) const;
    Value spelled_items(Value tuple);
    Value compare_texts(BinaryOp op, Value lhs, Value rhs, Span span);
    static Value text_length(Value text, Span span);
    Value text_item(Value text, Value index, Span span);
    static Value time_function(const Builtin& row, Type type, Value time, Span span);

    // --- vectors and Dim3 (infer_vector.cpp) ---
    Value call_vector(Type type, const ast::Call& node, Span span, ir::Block& out);
    static bool is_dim3(const Rare<Entity>& entity);
    Value dim3_of(const Entity& entity, Span span);
    void materialize(Value& value);

    // --- floats of 8 bits (infer_fp8.cpp) ---
    Value cast_fp8(Type type, Value value, Span span);
    Value pack_fp8(Type type, Value vector, Span span, ir::Block& out);
    std::vector<Value> unpacked_fp8(Value pack, ir::Block& out);

    // --- calls (infer_call.cpp) ---
    Value lower_call(const ast::Expr& expr, const ast::Call& node, ir::Block& out);
    Value call_nested(Value callee, const ast::Call& node, Span span, ir::Block& out);
    std::optional<Value> call_entity(const Value& callee, const ast::Expr& expr, const ast::Call& node, ir::Block& out);
    Value call_builtin(const Builtin& builtin, const Value& callee, const ast::Expr& expr, ir::Block& out);
    bool is_made_of_locals(const ast::Expr& function) const;
    Value not_callable(const Value& callee, const ast::Call& node, Span span);
    bool reads_local(const ast::Expr& expr) const;
    Value call_value(const Value& callee, std::vector<Value> args, const ast::Call& node, Span span, ir::Block& out);
    std::vector<Value> arguments(const CallSite& site);
    Value element_of(const Builtin& builtin, Value value, bool is_first, Value* index, Span span, ir::Block& out);
    Value call_table(const CallSite& site);
    std::optional<Value> cpu_call(const Builtin& builtin, std::vector<Value>& operands, Span span);
    Value call_cast(Type type, const ast::Call& node, Span span, ir::Block& out);
    Value cast_to(Type type, Value value, Span span);
    Value special(const CallSite& site);
    Value special_grid(const CallSite& site);
    struct ArrayArguments {
        ast::ExprRef shape, dtype;
    };
    std::optional<ArrayArguments> array_arguments(const CallSite& site);
    bool takes_extents(const CallSite& site, const ArrayArguments& args, const Value& extents);
    std::optional<Type> array_dtype(const ast::Expr& expr);
    Value special_array(const CallSite& site);
    Value special_array_like(const CallSite& site);
    void note_types_taken(const Builtin& builtin, std::span<const Type> types, Span span);

    // --- pointers (infer_pointer.cpp) ---
    Value pointed(Value pointer);
    bool takes_as_written(std::vector<ir::Subscript>& subscripts, Span span);
    Value special_carray(const CallSite& site);
    // --- instructions written out (infer_ptx.cpp) ---
    struct PtxCall;
    Value special_inline_ptx(const CallSite& site);
    bool ptx_operands(const CallSite& site, PtxCall& call);
    bool number_operands(std::string_view written, Span span, PtxCall& call);
    Value call_ptx(std::string name, PtxCall call, Span span);
    std::optional<ir::FunctionId> compute_on_cpu(const FunctionInfo& info, ir::Function& function);
    // --- several elements at once (infer_vector_access.cpp) ---
    Value special_vector_access(const CallSite& site);
    Value shared_part(const CallSite& site, Type dtype, Value extents, Span shape_span);
    bool memory_order(const CallSite& site, std::vector<Value>& operands);
    Value special_len(const CallSite& site);
    Value special_min_max(const CallSite& site);
    Value earlier_or_later(const Builtin& builtin, Value lhs, Value rhs, Span span);
    Value lesser_or_greater(const Builtin& builtin, Value lhs, Value rhs, bool in_order, Span span);
    Value special_arithmetic(const CallSite& site);

    // --- functions of the user's own code (infer_foreign.cpp) ---
    Value special_declare_device(const CallSite& site);
    Value special_from_buffer(const CallSite& site);
    Value call_foreign(const FunctionInfo& info, std::vector<Value> args, Span span);

    // --- complex numbers (infer_complex.cpp) ---
    Value number_part(Value number, bool is_real, Span span);
    Value array_component(Value array, bool is_real, Span span);
    Value complex_ufunc(const Builtin& builtin, std::vector<Value> args, Span span);
    Value special_complex(const CallSite& site);
    Value special_conjugate(const CallSite& site);
    std::optional<Type> dtype_of(const ast::Expr& expr);
    static std::optional<std::vector<int64_t>> static_shape(const Value& value);
    std::optional<Const> known_call(const ast::Expr& expr);
    Value resolved(const Builtin& builtin, std::vector<Value> args, Span span);

    // --- cooperative groups (infer_group.cpp) ---
    Value special_group(const CallSite& site);
    Value special_group_reduce(const CallSite& site);
    Value special_group_operator(const CallSite& site);
    Value group_method(const Group& group, const ast::Attribute& node, Span span);
    Value place_in_tile(const Group& group, bool is_rank, Span span);
    Value group_operand(const Group& group, Span span);

    Specializer& specializer_;
    Instance& instance_;
    const ModuleScope& scope_;
    const ast::FunctionDef& def_;
    Names names_;

    // What survives a walk.
    std::unordered_map<std::string_view, std::optional<Entity>, NameHash> module_names_;  ///< see module_name
    std::vector<Version> versions_{1};
    std::unordered_map<Site, VersionId, SiteHash> sites_;
    std::map<std::tuple<const void*, JoinKind, uint32_t>, Join>
        joins_;  ///< by statement, and copy; by expression, where a walrus assigns in a part of it
    std::map<std::tuple<const void*, uint32_t, size_t>, uint32_t>
        copies_;                   ///< of what is lowered several times: by statement, the copy around it, and number
    std::set<const void*> tails_;  ///< statements behind which their block ends
    std::set<std::pair<const ast::Expr*, uint32_t>> unsigned_;  ///< operations, and copies, that were uint64 in a walk
    bool keeps_integers_ = false, turns_integers_ = false;      ///< see as_in_all_walks
    std::map<VersionId, Type> reset_to_;  ///< heads of loops whose bodies end with the name set to a literal
    bool begins_anew_ = false;            ///< one of these was found
    Type result_;
    bool changed_ = false;                   ///< in a way that asks for another walk
    bool has_news_ = false;                  ///< this walk found a definition, or the first type of one
    bool wants_digits_ = false;              ///< a weak float that only the run knows met a float64 in this walk
    bool asks_for_all_ = false;              ///< this walk went by all definitions of a name
    std::set<const ast::Expr*> read_lists_;  ///< comprehensions of which the items are wanted only: arrays
    bool takes_lists_ = false;               ///< in a call of the library's, whose lists are tuples
    /// The library's function that is being called, and the row's name for it: `np.sum` is np_sum of numpy.pyk.
    std::pair<const FunctionInfo*, std::string_view> called_as_;
};

}  // namespace pyk
