// What libpyk asks of its compiler, in plain data: the compiler is a shared object of its own, opened when something
// has to be compiled, so that a program whose kernels are all in the cache loads neither it nor NVRTC.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cache/digest.h"
#include "pyk/pyk.hpp"

namespace pyk::jit {

/// The one object for the type: its text, and how it lies, which may contradict it.
inline const NamedType* interned(NamedType type) {
    static std::mutex& mutex = *new std::mutex;
    static auto& types = *new std::map<std::tuple<std::string, std::size_t, std::size_t>, NamedType>;
    const std::lock_guard lock(mutex);
    std::tuple key(type.text, type.size, type.alignment);
    return &types.try_emplace(std::move(key), std::move(type)).first->second;
}

/// The type of an argument: what chooses an instance.
struct ArgumentType {
    Element element = Element::int64;
    unsigned char ndim = 0;  ///< 0: a scalar, or a cell
    Order order = Order::c;
    std::optional<Constant> constant = std::nullopt;  ///< of a scalar that is no parameter of the compiled kernel
    const NamedType* named = nullptr;  ///< of elements that are named; the compiler has objects of its own
    /// The compiled kernel has no parameter for it.
    bool is_compiled_in() const { return constant || element == Element::none; }
    bool is_array() const { return ndim != 0 || order == Order::cell; }
    ElementType element_type() const { return {element, named}; }
    friend bool operator==(const ArgumentType& a, const ArgumentType& b) {
        return a.element == b.element && a.ndim == b.ndim && a.order == b.order && a.constant == b.constant &&
               (a.named == b.named || (a.named && b.named && a.named->text == b.named->text &&
                                       a.named->size == b.named->size && a.named->alignment == b.named->alignment));
    }
};

/// Of one element that is no array.
inline ArgumentType scalar_of(ElementType type) { return {type.element, 0, Order::c, {}, type.named}; }

/// A parameter of a compiled kernel. In the packed arguments each lies at its natural alignment: scalars as themselves,
/// arrays as pointer, shape and, where strided, strides in bytes.
struct Param {
    std::string name;
    ArgumentType type;
    bool written = false;  ///< an array that the kernel may store to
    /// Of an array function for parts: all of it is stored to, and before any of it is read.
    bool overwritten = false;
};

/// Threads that make a call of an array function for parts of arrays together.
struct Team {
    int threads = 1;
    int items = 0;  ///< elements of a part that each holds in registers; 0: they stay in memory
};

struct Entry {
    std::string kernel, symbol;
    std::string signature;      ///< for people
    std::vector<Param> params;  ///< of the arguments that are no constants
    bool cooperative = false;
    bool has_checks = false;  ///< was compiled to report errors
    int min_sm = 0;
    /// Of an array function, whose `params` are its operands' elements, the output's last (where these lie side by
    /// side, in its wide form); of a kernel that is a pure map, in its wide form; 0: it is none. Of an algorithm
    /// `params` are the elements, a value of the operator's, its result.
    int elements_per_thread = 0;
    Team team = {};  ///< of an array function for parts of arrays: who makes a call
};

struct KernelSummary {
    std::string name;
    std::vector<std::string> params;  ///< the last may be `*args`
    std::size_t defaults = 0;         ///< of a function that the host calls: how many of its last parameters have one

    bool has_rest() const { return !params.empty() && params.back()[0] == '*'; }
    bool takes(std::size_t count) const { return has_rest() ? count + 1 >= params.size() : count == params.size(); }
    /// What an argument is for: `x`, of `*args` `args[0]`.
    std::string param(std::size_t argument) const {
        const std::size_t named = params.size() - has_rest();
        return argument < named ? params[argument]
                                : params.back().substr(1) + "[" + std::to_string(argument - named) + "]";
    }
};

/// By which rules types choose among the signatures of an array function: as in Numba for the targets cpu, cuda and
/// parallel (whose functions are plain ufuncs of NumPy).
enum class LoopChoice : unsigned char { first_safe, exact, exact_or_safe };
/// What its reductions start with.
enum class Identity : unsigned char { none, zero, one, reorderable };

/// Of an array function for parts of arrays (`@guvectorize`). Its parameters are inputs, then outputs.
struct CoreSummary {
    std::string text;  ///< of the layout
    std::size_t inputs = 0;
    std::vector<std::string> extents;                ///< by name
    std::vector<long long> fixed;                    ///< per extent: its number, or 0
    std::vector<std::vector<std::size_t>> operands;  ///< per parameter and axis of a part: the extent
    std::vector<bool> writable;                      ///< per parameter: the function may store to it
    std::vector<std::vector<bool>> numbers;          ///< per loop and parameter: a number, no array that holds it
};

/// An array function (`@vectorize`, `@guvectorize`).
struct ArraySummary {
    std::string name;
    std::vector<std::string> params;
    std::vector<std::vector<ElementType>> loops;  ///< of its signatures, the parameters' types; empty: of any
    LoopChoice choice = LoopChoice::first_safe;
    Identity identity = Identity::none;
    bool is_stencil = false;
    std::vector<bool> standard = {};                 ///< of a stencil, per parameter: it is indexed as always
    std::optional<CoreSummary> core = std::nullopt;  ///< `loops` have the types of outputs as well then
};

/// A function that algorithms over arrays can have as an operator.
struct OperatorSummary {
    std::string name;
    std::vector<std::string> params;
    bool is_reduction = false;  ///< `@cuda.reduce`
};

struct ProgramInfo {
    std::vector<KernelSummary> kernels;
    std::vector<ArraySummary> array_functions;
    std::vector<OperatorSummary> operators;
    std::vector<KernelSummary> functions;  ///< that the host may call
    std::vector<cache::FileRead> files;    ///< that are imported
    std::vector<std::string> missing;      ///< where imports were looked for, and no file was
    std::string warnings;                  ///< rendered
};

/// What to compile for.
struct TargetArch {
    bool is_cpu = false;
    int compute_capability = 0;  ///< × 10
    std::string device_name;     ///< for messages
};

/// How the elements of an array function's operands are reached, as ir::ElementAccess says; and what else is asked for.
enum class ElementAccess : unsigned char {
    none,  ///< a kernel
    flat,
    rows,
    strided,
    tiled,
    fold,
    scan,
    algorithm,  ///< a loop with operators
    core,
    staged,
    stencil,  ///< an element of the output for each place of the inputs, with those around it
    call      ///< a function that the host calls
};

/// A loop of the prelude over arrays. The request's `kernel` names its operator and `elements` those in memory.
struct AlgorithmRequest {
    std::string name;                                  ///< of the loop
    std::string transform = {};                        ///< what elements go through first; empty: nothing
    std::optional<ElementType> value = std::nullopt;   ///< what the operator takes; nullopt: what it gives of two
    std::optional<ElementType> result = std::nullopt;  ///< what it is to give; nullopt: such a value
};

/// What the compiled code knows of the parts of an operand.
struct CoreOperand {
    std::vector<long long> shape;  ///< 0: of the launch
    bool is_staged = false;        ///< they go through shared memory
};

struct BuildRequest {
    std::string kernel;
    std::vector<ArgumentType> types;
    bool disjoint = false;  ///< no array that is written overlaps another, and all are small enough for 32-bit places
    TargetArch arch;
    /// Of an array function: `types` are its parameters'.
    ElementAccess access = ElementAccess::none;
    /// The operands' in memory; behind them the output's, where it is not to be the result's.
    std::vector<ElementType> elements = {};
    AlgorithmRequest algorithm = {};
    /// Of a stencil whose output is given: its type.
    std::optional<ArgumentType> output = std::nullopt;
    /// Of an array function for parts of arrays, per parameter; `types` are those of its parameters.
    std::vector<CoreOperand> core = {};
    /// The form of a pure map, or of an array function over elements side by side, whose threads each have the
    /// elements of several.
    bool wide = false;
    /// Of an array function over elements side by side that is not wide, per input: it is a number, no array.
    std::vector<bool> numbers = {};
    /// Of an array function for parts of arrays: the first for which it has a form makes its calls (Entry::team); none:
    /// one thread. No array that it may store to overlaps another one or itself.
    std::vector<Team> teams = {};
};

/// The same, made.
struct Built {
    Entry entry;
    std::string binary;  ///< a cubin, PTX, or a shared object
    std::string emitted;
    std::string warnings;                ///< rendered
    std::vector<cache::FileRead> files;  ///< that are imported, or linked
    std::vector<std::string> missing;
    std::string tool;                ///< for people: `NVRTC 13.0 (/usr/…)`
    std::vector<std::string> tools;  ///< the files that shape what is made: with them it would be another
    double transpile_ms = 0, compile_ms = 0;
};

/// A parsed file. Immutable; every call may come from any thread.
class CompilerProgram {
  public:
    virtual ~CompilerProgram() = default;
    virtual const ProgramInfo& info() const = 0;
    /// The types that a signature names: `float32, float32[::1]`, with or without a result and parentheses.
    virtual Result<std::vector<ArgumentType>> types_of(const std::string& signature) const = 0;
    virtual Result<Built> build(const BuildRequest& request) const = 0;
    virtual Result<std::string> emitted(const BuildRequest& request) const = 0;
    virtual Result<std::string> typed_ir(const BuildRequest& request) const = 0;
    virtual Result<std::string> ptx(const BuildRequest& request) const = 0;
    virtual Result<Spills> spills(const BuildRequest& request) const = 0;
};

/// Every call may come from any thread.
class Compiler {
  public:
    virtual ~Compiler() = default;
    /// `name`: the file's path, or what stands for it; `base`: where relative paths begin.
    virtual Result<std::shared_ptr<const CompilerProgram>> open(const std::string& name, std::string text,
                                                                const Options& options,
                                                                const std::string& base) const = 0;
    virtual Result<std::string> disassemble(const std::string& cubin) const = 0;
    /// Why there is no tool to compile for it; empty: there is one.
    virtual std::string why_no_tool(bool for_cpu) const = 0;
};

/// The name of the shared object's function that gives the compiler, and the number that says which interface it has:
/// `extern "C" const Compiler* pyk_compiler(unsigned interface)`, null where it has another.
inline constexpr const char* kCompilerFunction = "pyk_compiler";
inline constexpr unsigned kCompilerInterface = 11;
using CompilerFunction = const Compiler* (*)(unsigned interface);

}  // namespace pyk::jit
