// What stands behind a jit::Module: a file, and what was compiled of it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cache/store.h"
#include "callback.h"
#include "jit/compiled_extents.h"
#include "jit/compiler/interface.h"
#include "jit/kept_imports.h"
#include "pyk/pyk.hpp"

namespace pyk::jit {

struct KernelState;
struct TermNode;

/// What happens to an argument on its way into the packed buffer.
struct PackedParam {
    enum class Kind : unsigned char {
        copied,   ///< a scalar of a NamedType
        bytes,    ///< a scalar whose bytes are the parameter's
        float32,  ///< a double that becomes a float
        convert,  ///< a scalar of another type
        array,    ///< pointer and shape
        strided,  ///< and strides
        nothing,  ///< a constant, None
    } kind;
    Element element = Element::int64;  ///< of the parameter
    std::uint32_t size = 0;            ///< of an element, in bytes
    unsigned char ndim = 0;
    bool written = false;
    std::uint32_t offset = 0;
};

/// A kernel for one tuple of argument types on one device, ready to launch. Immutable.
struct alignas(64) Instance {
    // What every launch reads lies together: the driver's own work leaves little of ours in the cache.
    driver::Context* device = nullptr;
    /// The parameters have the arguments' own types: what the header packs is what the kernel takes. And nothing has to
    /// be looked at after a launch.
    bool is_plain = false;
    bool is_apart = false;            ///< the variant for arrays that are (request.disjoint)
    bool may_index32 = false;         ///< see may_index32
    bool is_special = false;          ///< its launches are not always those of its kernel, as they are asked for
    std::vector<PackedParam> params;  ///< per argument
    pyk::Kernel kernel;
    std::uint64_t written = 0;  ///< a bit per parameter, of the first 64
    std::size_t packed_bytes = 0;

    Engine* engine = nullptr;
    KernelState* of = nullptr;
    Entry entry;
    BuildRequest request;  ///< its types are the arguments'; the parameters' own may be others
    std::vector<std::uint16_t> codes;
    std::string binary, emitted, warnings;
    bool is_from_cache = false;
    double transpile_ms = 0, compile_ms = 0;
    pyk::Module code;
    /// Of a pure map, or of an array function over elements side by side: the form whose threads each have the elements
    /// of several, once it is compiled.
    mutable std::atomic<const Instance*> wide{nullptr};
    mutable std::atomic<bool> wide_is_begun{false};
};

/// A place for an instance: whoever comes first fills it, others wait for that one only. A failure that would
/// come again stays, with its diagnostics.
struct Slot {
    std::mutex mutex;
    std::unique_ptr<const Instance> instance;
    std::optional<Status> failure;
};

/// Instances by argument types, for launches to look up without a lock. A new one makes a new table; old tables stay as
/// long as the kernel, since a launch may be reading one.
class InstanceTable {
  public:
    /// `hash`: of the codes.
    /// The variant for arrays that do not overlap goes first; `only_general`: not that one.
    const Instance* find(std::uint64_t hash, const std::uint16_t* codes, std::size_t count,
                         const driver::Context* device, bool only_general = false) const;
    std::vector<const Instance*> all() const;
    /// One at a time.
    void add(const Instance* instance) { add(instance->codes, instance); }
    /// By codes that are not its own.
    void add(std::vector<std::uint16_t> codes, const Instance* instance);

  private:
    struct Row {
        std::uint64_t hash;
        std::vector<std::uint16_t> codes;
        const Instance* instance;
    };
    using Rows = std::vector<Row>;
    std::atomic<const Rows*> rows_{nullptr};
    std::vector<std::unique_ptr<const Rows>> all_;
};

/// A kernel of a file.
struct KernelState {
    Engine* engine = nullptr;
    KernelSummary summary;
    InstanceTable table;
    std::mutex mutex;  ///< of what follows, never held while compiling
    std::map<std::string, std::shared_ptr<Slot>> slots;
    std::atomic<bool> warned_of_copies{false};
};

/// An array function of a file: compiled like kernels, its requests say more.
struct ArrayFunction {
    ArraySummary summary;
    KernelState instances;  ///< by the name of the function
    InstanceTable calls;    ///< by the arguments of calls: see call_known
    CompiledExtents extents;
    Shared<TermNode> composition;  ///< of a fused one: the expression, of its parameters
};

/// Owns all that was made of a file; handles to kernels and instances share it. Every call may come from any thread.
struct Engine : std::enable_shared_from_this<Engine> {
    std::string name;            ///< the file's path, as it was given
    std::filesystem::path base;  ///< the working directory when it was loaded: the program may be elsewhere later
    std::string text;
    Options options;
    PrintSink sink;
    std::map<std::string, std::unique_ptr<KernelState>, std::less<>> kernels;
    std::vector<std::string> kernel_order;
    std::vector<std::unique_ptr<ArrayFunction>> array_functions;
    std::vector<OperatorSummary> operators;
    std::vector<std::unique_ptr<KernelState>> functions;  ///< that the host calls
    cache::KeyBuilder key;                                ///< of the file and the options

    /// The file, parsed: at the first call, by the compiler.
    Result<std::shared_ptr<const CompilerProgram>> program();
    /// Where launches go that say nothing else.
    Result<Device> default_device() const;
    void warn(std::string_view category, std::string_view text) const {
        if (options.on_warning && !text.empty()) driver::call_back(options.on_warning, category, text);
    }

    std::mutex algorithms_mutex;
    /// By algorithm, operator, and what the two take and give.
    std::map<std::string, std::unique_ptr<KernelState>> algorithms;

    std::mutex program_mutex;
    std::shared_ptr<Engine> converter;  ///< of arrays to other element types; made when first needed
    std::optional<Result<std::shared_ptr<const CompilerProgram>>> parsed;

    MainFile main_file() const { return {name, base}; }
};

Result<std::shared_ptr<Engine>> make_engine(std::string name, std::string text, const Options& options);
/// The same for a file.
Result<std::shared_ptr<Engine>> load_engine(const std::string& path, const Options& options);

struct Found {
    const Instance* instance;
    bool is_new;  ///< this call made it
};
/// The instance for these types: from memory, the disk, or the compiler. `disjoint`: see has_variants.
/// `kept`: what the disk has for it, where that was looked for already.
Result<Found> instance_for(KernelState& kernel, const std::vector<ArgumentType>& types, driver::Context& device,
                           bool disjoint, std::optional<Built> kept = std::nullopt);
/// Of a pure map: makes the form whose threads each have the elements of several, for launches to take from then on.
Status widen(const Instance& instance);
/// The same, in the background. Once.
void widen_later(const Instance& instance);
/// Threads, or elements, that fill a GPU more than once: fewer gain nothing from a wide form.
constexpr long long kManyThreads = 1 << 18;
/// Of an array function over elements side by side: what goes over so many elements. Where the wide form would be that,
/// and is not there yet, it is begun.
const Instance& form_for(const Instance& instance, long long count);
/// Of an array function.
int elements_of_thread(const Instance& instance);
/// The same for any request.
Result<Found> instance_for(KernelState& kernel, const BuildRequest& request, driver::Context& device,
                           std::optional<Built> kept = std::nullopt);
/// Whether the instance for arrays apart may index in 32 bits, and so is for arrays and grids that are small enough:
/// the rule of src/passes/index32.h as far as types go.
bool may_index32(const std::vector<ArgumentType>& types);
/// Whether there are two instances for these types: one for arrays that do not overlap where they are written, whose
/// pointers are __restrict__, and that are small enough where that counts; and a general one.
bool has_variants(const std::vector<ArgumentType>& types, const driver::Context& device);
/// What stands for the types in lookups: a code each, then the values of constants and which types the named ones are.
void append_codes(const std::vector<ArgumentType>& types, std::vector<std::uint16_t>& codes);
/// The same with what an array function's request says more.
void append_codes(const BuildRequest& request, std::vector<std::uint16_t>& codes);
/// The types that a signature's text names.
Result<std::vector<ArgumentType>> types_of(Engine& engine, const std::string& signature);

/// Whether it is there already, ready or failed, or being made.
bool is_begun(KernelState& kernel, const std::vector<ArgumentType>& types, driver::Context& device, bool disjoint);

TargetArch arch_of(const driver::Context& device);

}  // namespace pyk::jit
