// What the names mean and what the types are: syntax tree → closed, monomorphic, typed IR.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "builtins/narrow.h"
#include "ir/ir.h"
#include "module/defines.h"
#include "sema/core_layout.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"
#include "syntax/importer.h"
#include "types/signature.h"

namespace pyk {

class ModuleScope;

/// One kernel as the file declares it.
struct KernelInfo {
    std::string name;
    Span span;                          ///< of the name after `def`
    std::vector<std::string> params;    ///< the last may be `*args`
    std::vector<Signature> signatures;  ///< from the decorator, else from annotations of every parameter; may be empty
    bool is_annotated = false;          ///< they are those of annotations: a launch may have other types, as in Numba
    std::optional<Note> unclear = {};   ///< which of its annotations gives no type, where it has some
    /// The names of the function around it that it uses and nothing gives a value: it is compiled only when it is
    /// named. `way_out`: how they are given, as a message has it.
    std::vector<std::string> open_names;
    std::string way_out;
    std::string docstring;
    /// What a parameter is where a call leaves it out: a number, None, or something else that the file makes.
    struct Default {
        std::optional<ConstantValue> number;
        bool is_none = false;
    };
    std::vector<Default> defaults = {};  ///< of a function that the host calls: of its last parameters

    bool has_rest() const { return !params.empty() && params.back().starts_with('*'); }
    bool takes(size_t count) const { return has_rest() ? count + 1 >= params.size() : count == params.size(); }
    /// How many arguments: `2`, `1 or more`.
    std::string count() const;
    /// Numba's signatures have a tuple for `*args`: each of its elements is an argument.
    void spread_rest(Signature& signature) const;
};

/// By which rules the types of an array function's arguments choose among its signatures.
enum class ArrayTarget : uint8_t { cpu, parallel, cuda };
/// What a reduction starts with. `reorderable`: nothing, but its order does not matter.
enum class Identity : uint8_t { none, zero, one, reorderable };

/// One array function (`@vectorize`, `@guvectorize`) as the file declares it.
struct ArrayFunctionInfo {
    std::string name;
    Span span = {};  ///< of the name after `def`
    std::vector<std::string> params = {};
    std::vector<Signature> signatures = {};  ///< of numbers; empty: of whatever it is called with
    ArrayTarget target = ArrayTarget::cpu;
    Identity identity = Identity::none;
    /// Of `@guvectorize`: its parameters are parts of arrays, inputs and outputs. Without signatures outputs have to be
    /// given.
    std::optional<CoreLayout> core = std::nullopt;
    std::vector<bool> writable = {};         ///< per parameter of it: the function may store to it
    bool is_stencil = false;                 ///< `@stencil`: of the elements around each element
    std::vector<std::string> standard = {};  ///< of it: the arrays that are indexed as always
};

/// Whether the types of a signature of a function of elements are numbers; reported at `span`.
bool check_element_signature(const ArrayFunctionInfo& info, const Signature& signature, Span span,
                             Diagnostics& diagnostics);
/// Whether a signature's types are what the function's layout wants; reported at `span`. Precondition: there is a
/// layout and a type for each parameter.
bool check_core_signature(const ArrayFunctionInfo& info, const Signature& signature, Span span,
                          Diagnostics& diagnostics);

/// A function that algorithms over arrays can have as an operator.
struct OperatorInfo {
    std::string name;
    std::vector<std::string> params;
    bool is_reduction = false;  ///< `@cuda.reduce`
};

/// What a file has for programs to call, each in the file's order.
struct Callables {
    std::vector<KernelInfo> kernels;  ///< `@cuda.jit` in any form that is not a device function
    std::vector<ArrayFunctionInfo> array_functions;
    std::vector<OperatorInfo> operators;     ///< its own functions that are no kernels, and not for parts of arrays
    std::vector<KernelInfo> host_functions;  ///< that the host may call on the CPU (`@njit`)
};
Callables find_callables(const ModuleScope& scope, Diagnostics& diagnostics);

/// Warns that a function for the CPU is left out, for the first error that was found in it.
void report_left_out(std::string_view name, Span span, const Diagnostics& found, Diagnostics& diagnostics);

/// An algorithm over arrays with operators of the file, or named `pyk.plus` …: those of operators.pyk.
struct AlgorithmRequest {
    std::string name;                 ///< of the prelude's loop, pyk::run_<name>
    std::string transform = {};       ///< what elements go through first, one of each input; empty: nothing
    std::vector<Type> elements = {};  ///< of the inputs in memory
    Type value = {};                  ///< what the operator takes; null: what it gives of two
    Type result = {};                 ///< what it is to give; null: such a value
};

/// Which kernel to specialise for which argument types.
struct Request {
    std::string kernel;
    Signature signature;
    Span span;  ///< of the signature's text, where it stands in the file
    /// Scalar parameters by their place that are to be constants: as if the file had them as names of those values.
    /// They are no parameters of what is emitted.
    std::map<size_t, ConstantValue> constants = {};
    std::vector<size_t> defaulted =
        {};  ///< parameters, by their place, that are what the file says where none is given
    /// Of an array function, which `kernel` names then: how elements are reached, an entry point each.
    std::vector<ir::ElementAccess> accesses = {};
    /// Of an array function: the types of the elements in memory and, behind them, of the result's, where they are not
    /// the signature's.
    std::vector<Type> elements = {};
    /// Of one for parts of arrays: what a call gets of each operand.
    std::vector<ir::CoreOperand> core = {};
    bool cpu_only = false;   ///< of a function that the host calls, or of an array function that runs there alone
    bool is_export = false;  ///< of a function that other device code calls
    /// `kernel` names its operator then, and nothing else is said.
    std::optional<AlgorithmRequest> algorithm = std::nullopt;

    bool is_host_call() const { return cpu_only && accesses.empty(); }
};

/// Resolves, prunes, infers and specialises: every function that the requested kernels reach, once per tuple of
/// argument types. Reports all that it can, then fails. `typing`: where neither the file nor a decorator says it.
std::optional<ir::Module> analyze(const ModuleScope& scope, const std::vector<Request>& requests,
                                  Diagnostics& diagnostics, Typing typing = Typing::numba);

}  // namespace pyk
