// The typed, structured intermediate representation: what inference makes of a function, what passes raise and what the
// emitter prints.
//
// Meaning. Every expression has one concrete type, and every conversion is a `Convert` node: no operator converts by
// itself. Arithmetic means what Numba means by it (docs/semantics.md): a `Binary` names the Python operator, its
// operands have the types that the operator's case asks for (equal, but for shifts and powers), the result has the left
// operand's type or is a comparison's boolean. Signed overflow is undefined, as in Numba. `FloorDiv`, `Mod`, `Shl` and
// `Shr` are Python's; a pass that proves that C++'s operator agrees makes them `TruncDiv`, `TruncMod`, `CShl`, `CShr`,
// `CDiv`. Evaluation is left to right; inference has already moved apart whatever C++ could reorder visibly, so that
// any order of evaluation of one expression gives the same result. `Logical` and `Select` evaluate what Python
// evaluates.
//
// Control flow is structured: `If`, `While` and `ForRange` own their blocks. Names are gone: a `Local` is one C++
// variable of one type (one Python name may have several). A local that may be read before it was assigned is zero
// then, as in Numba.
//
// An expression of a record's type is a place in memory, not a copy: a local of such a type refers to the record that
// it was assigned. Records are copied by a `Store`, and on entry to a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "builtins/builtins.h"
#include "builtins/operators.h"
#include "ir/constant.h"
#include "ir/table.h"
#include "support/source.h"
#include "types/type.h"

namespace pyk::ir {

enum class LocalId : uint32_t {};
enum class FunctionId : uint32_t {};
enum class ConstantId : uint32_t {};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;
struct Stmt;
using Block = std::vector<Stmt>;

// clang-format off
// --- expressions ----------------------------------------------------------------------------------------------------
/// A scalar constant; a float32's value is that of a float.
struct Constant { ConstantValue value; };
/// A module constant by name: `TPB` of `TPB = 16`, or an array of the module.
struct ConstantRef { ConstantId id; };
struct LocalRef { LocalId id; };
struct Unary { UnaryOp op; ExprPtr operand; };
struct Binary { BinaryOp op; ExprPtr lhs, rhs; };
/// Short-circuit `and`/`or` over booleans (other operands became `Select` or statements).
struct Logical { bool is_and; ExprPtr lhs, rhs; };
/// Scalar → scalar as Numba converts; array → the same array as layout A or readonly; tuple element by element.
struct Convert { ExprPtr operand; };
struct Select { ExprPtr condition, then, otherwise; };
/// A builtin of the table. A `ref` parameter is an `ElementRef`.
struct BuiltinCall { const Builtin* builtin; std::vector<ExprPtr> args; };
struct Call { FunctionId callee; std::vector<ExprPtr> args; };
struct MakeTuple { std::vector<ExprPtr> elements; };
struct TupleItem { ExprPtr tuple; uint32_t index; };
/// A uniform tuple, or a table of the module with one axis, indexed at run time (negative counts from the end).
struct TupleAt { ExprPtr tuple, index; };
/// One index into one axis. `wraps`: may be negative, and then counts from the axis' end.
struct Index { ExprPtr value; bool wraps = true; };
/// Python's slice of an axis; null parts were left out. Clipped as Python clips.
struct SliceOf { ExprPtr start, stop, step; };
using Subscript = std::variant<Index, SliceOf>;
/// The value of one element; as many indices as the array has axes.
struct Element { ExprPtr array; std::vector<Index> indices; };
/// An element as a place: only as the `ref` argument of a builtin (an atomic) .
struct ElementRef { ExprPtr array; std::vector<Index> indices; };
/// A view of fewer or equally many axes; axes beyond the subscripts are taken whole.
struct View { ExprPtr array; std::vector<Subscript> subscripts; };
struct Transpose { ExprPtr array; };
/// `shape[axis]` (int64).
struct ShapeOf { ExprPtr array; uint32_t axis; };
/// The number of elements (int64).
struct SizeOf { ExprPtr array; };
/// A field of a record: its value, or a place again where it is a record or an array.
struct RecordField { ExprPtr record; uint32_t field; };
/// One field of each record of an array, as an array of layout A.
struct FieldsOf { ExprPtr array; uint32_t field; };

struct Expr {
    Type type;
    Span span;
    std::variant<Constant, ConstantRef, LocalRef, Unary, Binary, Logical, Convert, Select, BuiltinCall, Call, MakeTuple, TupleItem,
                 TupleAt, Element, ElementRef, View, Transpose, ShapeOf, SizeOf, RecordField, FieldsOf>
        node;

    template <typename T>
    T* as() { return std::get_if<T>(&node); }
    template <typename T>
    const T* as() const { return std::get_if<T>(&node); }
};

/// What the iterations of a parallel loop build up together.
enum class ReductionKind : uint8_t { sum, product, least, greatest };
struct Reduction { LocalId local; ReductionKind kind; };

// --- statements -----------------------------------------------------------------------------------------------------
struct Assign { LocalId target; ExprPtr value; };
struct Store { ExprPtr array; std::vector<Index> indices; ExprPtr value; };
struct StoreField { ExprPtr record; uint32_t field; ExprPtr value; };
struct Evaluate { ExprPtr value; };
struct If { ExprPtr condition; Block then, otherwise; };
/// `orelse` runs when the condition turned false (not after `break`).
struct While { ExprPtr condition; Block body, orelse; };
/// Python's `for counter in range(start, stop, step)`: the three are evaluated once, before the loop. `counter` is a local
/// of the range's type that nothing in the body assigns and nothing outside of such a loop's body reads (two loops may have
/// one counter): it can be declared in the loop's head. A step of zero ends the thread. `is_parallel`: the iterations may run
/// in any order, at once, on targets that can: nothing that the body assigns is read by another iteration or behind the
/// loop but `reductions`, which start each part of the loop as the operator's identity and are joined in order.
struct ForRange { LocalId counter; ExprPtr start, stop, step; Block body, orelse; bool is_parallel = false; std::vector<Reduction> reductions = {}; };
struct Break {};
struct Continue {};
struct Return { ExprPtr value; };  ///< null in kernels and in functions that return nothing
/// Ends the thread, from device functions too, or leads to the handler around it. `error` is what debug code reports:
/// `ValueError: too far`; empty: what led to the handler that this stands in, once more.
struct Raise { std::string error; };
/// What would end the thread in the body leads to the handler, with all that was assigned and stored until then. Only in
/// functions that the host calls. A handler that keeps errors (`finally`) ends in a Raise without an error.
struct Try { Block body, handler; bool keeps_error = false; };
/// A line on the standard output: `printf` of a format without its line end. Values are int64, uint64, float64, or a
/// boolean for `%s`, which prints as True or False.
struct Print { std::string format; std::vector<ExprPtr> values; };

struct Stmt {
    Span span;  ///< of the Python statement: the line trail follows it
    std::variant<Assign, Store, StoreField, Evaluate, If, While, ForRange, Break, Continue, Return, Raise, Try, Print> node;

    template <typename T>
    T* as() { return std::get_if<T>(&node); }
    template <typename T>
    const T* as() const { return std::get_if<T>(&node); }
};

// clang-format on
// --- functions ------------------------------------------------------------------------------------------------------
enum class Storage : uint8_t {
    parameter,
    variable,   ///< has the author's name
    temporary,  ///< made by the compiler
    shared,     ///< `cuda.shared.array`: the array itself, one per block; type is an Array of layout C
    local,      ///< `cuda.local.array`: one per thread
};

/// What every call of a device function passes for an integer.
struct Passed {
    int64_t least = 0, most = 0;
    bool is_place = false;  ///< what places in arrays are made of: see passes/interval.h

    bool operator==(const Passed&) const = default;
};

struct Local {
    std::string name;  ///< the author's; the emitter makes it a valid and unique C++ name
    Type type;
    Storage storage = Storage::variable;
    Span span;                      ///< where it is first assigned
    bool maybe_unassigned = false;  ///< read on a path that does not assign it: starts as zero, if nothing else is said
    std::vector<int64_t> shape;     ///< of shared and local arrays; {0}: dynamic shared memory, sized by the launch
    uint32_t alignment = 0;         ///< of shared and local arrays, in bytes; 0: the element's own
    std::optional<Passed> passed = {};  ///< of a parameter; nullopt: anything
};

/// What the decorator asks of the compiler behind us. Zero: not said.
struct CompileOptions {
    bool fastmath = false;
    bool no_fmad = false;  ///< `fmad=False`: no contraction of a * b + c
    bool debug = false;
    bool lineinfo = false;
    int max_registers = 0;
    int max_threads = 0, min_blocks = 0, max_cluster_blocks = 0;  ///< launch_bounds
    bool no_opt = false;                                          ///< `opt=False`
    bool no_lto = false;                                          ///< `lto=False`: linked code is called, not inlined

    bool operator==(const CompileOptions&) const = default;
};

/// Where a function comes from that the user's own code defines: it has no body here.
struct Foreign {
    std::string name;    ///< `extern "C"`
    bool c_abi = false;  ///< else Numba's: the result through a pointer, and 0 returned
};

/// Code of the user's own that is linked with what we emit.
struct LinkedCode {
    enum class Kind : uint8_t { cuda, cpp, ptx, cubin, fatbin, object, archive, ltoir };
    Kind kind{};
    std::string name;       ///< of the file, or what messages call the code
    std::string bytes;      ///< empty: still to be read from the file
    Span span;              ///< of what names it
    bool is_file = false;   ///< the bytes are those of a file
    std::string path = {};  ///< to open it by, or what it includes from beside it; empty: it has no name

    std::string shown_name() const { return name.empty() ? "<linked code>" : name; }
};

/// PTX that a function stands for. `%0` and so on are the elements of its result, then its parameters.
struct InlinePtx {
    std::string text;
    bool is_volatile = false;      ///< must stay where it is, even when its result is not used
    bool clobbers_memory = false;  ///< reads or writes memory
};

struct Function {
    std::string name;    ///< the author's
    std::string symbol;  ///< mangled, unique per instance: `pyk_saxpy_f4_a1f4c`, `axpy_f4` of a device function
    bool is_kernel = false;
    bool always_inline = false;
    bool is_exported = false;     ///< of no kernel: other device code may call it, which is compiled by itself
    CompileOptions options;       ///< of kernels
    std::vector<LocalId> params;  ///< the first locals, in order
    Type result;                  ///< none for kernels
    std::vector<Local> locals;
    Block body;
    Effects effects = Effects::none;  ///< of calling it
    bool raises = false;              ///< calling it may end in an error that Python has too, whatever the launch gave
    std::optional<Foreign> foreign;
    std::optional<InlinePtx> ptx;  ///< in place of the body, on targets that have PTX
    bool debug = false;            ///< errors are reported
    bool noalias = false;          ///< the signature promised that no two array parameters overlap
    bool index32 = false;          ///< and that they have at most 2^30 elements: see passes/index32.h
    bool parallel = false;         ///< its loops over whole arrays may run on several cores
    bool one_thread = false;       ///< of kernels: launches have one thread
    Span span;                     ///< of the `def` line
    std::string docstring;

    Local& local(LocalId id) { return locals[static_cast<size_t>(id)]; }
    const Local& local(LocalId id) const { return locals[static_cast<size_t>(id)]; }
};

/// A module-level constant that a kernel uses by name.
struct ModuleConstant {
    std::string name;
    Type type;            ///< a scalar, or a readonly array
    ConstantValue value;  ///< of a scalar
    Span span;
    std::shared_ptr<const Table> table = nullptr;  ///< of an array
    bool in_constant_memory = false;               ///< it must lie there: `cuda.const.array_like`
};

/// A record that the module gives a name.
struct NamedType {
    std::string name;
    Type type;
};

/// How the elements of an array function's operands are reached, once axes that can be one are one.
enum class ElementAccess : uint8_t {
    flat,     ///< side by side, in one axis
    rows,     ///< side by side along the last axis; the others as they like
    strided,  ///< as they like
    tiled,    ///< of the output side by side along one axis, of some inputs along another
    fold,     ///< one after the other along an axis, which they become one of: a reduction
    scan,     ///< the same, and each in turn is kept
    core,     ///< a part of each operand at once (`@guvectorize`)
    staged,   ///< the same, and on GPUs through shared memory
};

/// The part of an operand that one call gets: its last axes.
struct CoreOperand {
    std::vector<int64_t> shape;   ///< 0: known at run time
    bool is_staged = false;       ///< goes through shared memory
    bool is_overwritten = false;  ///< all of it is stored to, and before any of it is read
};

/// Of an algorithm over arrays: which loop of the prelude, and what it does to an element before.
struct Algorithm {
    std::string name;                     ///< `reduce`: the loop is pyk::run_reduce
    std::optional<FunctionId> transform;  ///< of the elements, one of each input; none: the element itself
    std::vector<Type> elements;           ///< of the inputs in memory
    Type value;                           ///< what the transform gives
};

/// A function that is called for each element of arrays: its parameters are elements of the operands, its result one of
/// the output. Or for each part of them: its parameters are parts of inputs and outputs, and it has no result.
struct ArrayEntry {
    FunctionId function{};
    std::string name;                     ///< the author's
    std::string symbol;                   ///< of its entry point; on targets that have several, what they begin with
    std::vector<ElementAccess> accesses;  ///< an entry point each, on targets that tell them apart
    std::vector<CoreOperand> core = {};   ///< per parameter, of parts
    /// `function` is its operator; there is one entry point and no access.
    std::optional<Algorithm> algorithm = std::nullopt;
};

/// Closed and monomorphic: every callee is present, callees before callers.
struct Module {
    std::string source_name;  ///< of the main file, without folders: `matmul.pyk`
    std::vector<NamedType> types;
    std::vector<ModuleConstant> constants;
    std::vector<Function> functions;
    std::vector<LinkedCode> links;
    std::vector<ArrayEntry> arrays;
    std::unordered_map<Span, Type, SpanHash> casts = {};  ///< that the author wrote, `float32(x)`, with what to

    Function& function(FunctionId id) { return functions[static_cast<size_t>(id)]; }
    const Function& function(FunctionId id) const { return functions[static_cast<size_t>(id)]; }
};

}  // namespace pyk::ir
