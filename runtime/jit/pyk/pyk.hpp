// libpyk: kernels from .pyk files, compiled while the program runs, launched on the GPU or the CPU.
//
//   pyk::jit::Module module = pyk::load_or_throw("saxpy.pyk");
//   pyk::jit::Kernel saxpy = module.kernel("saxpy").value();
//   saxpy(pyk::grid(blocks), pyk::block(256))(2.5f, x, y, out);
//
// The first launch with new argument types compiles; later ones look up. Every call here may come from any thread.
// A call returns a Result or a Status; `value()` of one that failed, `operator()` of a launcher, and everything named
// `…_or_throw`, throws pyk::Exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pyk/argument.hpp"
#include "pyk/defines.hpp"
#include "pyk/module.h"
#include "pyk/ownership.h"

namespace pyk::jit {

/// Where kernels run. `automatic`: on a GPU where there is one, else on the CPU.
enum class Backend : unsigned char { automatic, cuda, cpu };

using pyk::Error;
using pyk::Exception;
using pyk::Result;

/// How kernels are typed of which neither the file nor a decorator says it: as Numba does, or with 32 bits staying 32
/// bits, as PyTorch does (`# pyk: typing=narrow`).
enum class Typing { numba, narrow };

/// What is asked of the compiler behind pyk, beside what decorators say.
struct CodeOptions {
    bool fastmath = false;      ///< fast, less exact float32
    bool fmad = true;           ///< a * b + c may be contracted
    bool lineinfo = false;      ///< line numbers for profilers
    bool device_debug = false;  ///< for cuda-gdb
    int optimization = 3;       ///< 0 to 3
    int max_registers = 0;      ///< per thread; 0: as many as the compiler likes
};

/// Something to call with a warning's category and its text.
using WarningHandler = Handler<std::string_view, std::string_view>;

/// How a module is compiled and what it tells whom. A load copies them: they may be changed or gone afterwards. One
/// object is for one thread.
struct Options {
    Options();
    Options(const Options&);
    Options(Options&&) noexcept;
    Options& operator=(const Options&);
    Options& operator=(Options&&) noexcept;
    ~Options();

    Defines defines;
    Backend backend = Backend::automatic;
    Typing typing = Typing::numba;
    bool check_bounds = false;  ///< an index out of range is an error instead of undefined behaviour
    /// Elements that threads race for are an error of the launch, on the CPU: with Backend::automatic kernels run
    /// there. Comes with check_bounds.
    bool check_races = false;
    bool debug = false;  ///< what kernels raise is an error of the launch, instead of only ending their threads
    /// Launches of many threads of a kernel whose threads each have the elements of their own index, and nothing else,
    /// may run as fewer threads with several elements each, moved by 16 bytes at once. The results are the same.
    bool coarsen = true;
    CodeOptions code;
    std::vector<std::string> import_folders;  ///< where to look for imported files, after the file's own folder
    std::vector<std::string> links;           ///< device code to link: `.cu`, `.ptx`, `.cubin`, …; `.cpp` for the CPU
    std::vector<std::string> warnings;        ///< as behind `-W` of pykc: `perf`, `no-race`, `error=perf`
    bool disk_cache = true;                   ///< keep what was compiled ($PYK_CACHE_DIR; docs/cache.md)
    /// Told of warnings: `category` is `compile` (text as pykc prints it), `implicit-copy` (a host array was copied for
    /// a launch; once per kernel) or `cache` (the disk cache cannot be used; once per module). Called from the thread
    /// that loads, launches or compiles. It may throw: the exception leaves that call, or Preload::wait.
    WarningHandler on_warning;
    /// Takes what kernels print, a line at a time; PrintSink says when and from which thread. Without it they print to
    /// the standard output.
    Handler<std::string_view> on_print;
    std::size_t print_buffer_bytes = std::size_t{1} << 20;  ///< PrintSink's
};

/// Blocks of a launch along each axis; none may be 0.
struct Grid {
    unsigned x = 1, y = 1, z = 1;
};
/// Threads of a block along each axis; none may be 0.
struct Block {
    unsigned x = 1, y = 1, z = 1;
};

/// What a timed launch did.
struct Report {
    double milliseconds = 0;  ///< of the kernel alone
    double transpile_ms = 0;  ///< .pyk → C++; 0 when this instance was there already
    double compile_ms = 0;    ///< C++ → binary; likewise
    Backend backend = Backend::cpu;
    std::string device;         ///< `NVIDIA H200`, `the CPU (16 threads)`
    std::vector<bool> written;  ///< per argument: an array that the kernel may have stored to
    std::string warnings;       ///< diagnostics of the translation, rendered
};

// Private.
struct Engine;
struct KernelState;
struct Instance;
struct PendingCompile;

/// Bytes that a thread moves between registers and local memory for want of registers, as ptxas counts them.
struct Spills {
    std::size_t stored = 0, loaded = 0;
};

/// A kernel compiled for one tuple of argument types on one device. Copies share it; it stays valid when kernel and
/// module are gone. Safe to use from several threads. What is referred to lives as long as any copy.
class Specialization {
  public:
    explicit Specialization(Shared<const Instance> instance) : instance_(std::move(instance)) {}

    std::string signature() const;  ///< `saxpy(float32, float32[::1], float32[::1])`
    Device device() const;          ///< that it is loaded on
    /// Registers, and bytes of memory; of the CPU 0.
    const KernelResources& resources() const;
    std::string symbol() const;    ///< of the kernel in its binary, `pyk_saxpy_f4_a1f4c_a1f4c`
    std::string emitted() const;   ///< the C++ that was compiled
    std::string warnings() const;  ///< diagnostics of the translation, rendered
    bool is_from_cache() const;    ///< of the disk
    double transpile_ms() const;   ///< 0 from the cache
    double compile_ms() const;     ///< likewise
    /// Threads of a block with which most of them are resident at once, with so much dynamic shared memory per block.
    Result<int> best_block(std::size_t shared_bytes = 0) const;
    /// Resident threads of a multiprocessor, as a share of what it can hold, with blocks of that size.
    Result<double> occupancy(int threads, std::size_t shared_bytes = 0) const;
    Result<std::string> typed_ir() const;  ///< the raised, typed IR; loads the compiler
    Result<std::string> ptx() const;       ///< of a GPU; compiles anew
    Result<std::string> sass() const;      ///< of a GPU, where nvdisasm is on this machine
    Result<Spills> spills() const;         ///< of a GPU; compiles anew

  private:
    Shared<const Instance> instance_;
};

/// A compile in the background. Copies share it; it goes on when all of them are gone. Safe to use from several
/// threads.
class Preload {
  public:
    explicit Preload(Shared<PendingCompile> pending) : pending_(std::move(pending)) {}
    /// Whether it has ended, well or not; does not wait.
    bool is_done() const;
    /// Waits; why it failed, if it did. Throws what Options::on_warning threw.
    Status wait() const;

  private:
    Shared<PendingCompile> pending_;
};

class Kernel;

/// A .pyk file as it was when it was loaded. Copies share one, and what was compiled of it; its kernels keep it. Safe
/// to use from several threads.
class Module {
  public:
    explicit Module(Shared<Engine> engine) : engine_(std::move(engine)) {}

    /// The kernel of that name; fails where the file has none, and says which there are. Compiles nothing.
    Result<Kernel> kernel(std::string_view name) const;
    /// Of all kernels, in the order of the file.
    std::vector<std::string> kernel_names() const;

  private:
    friend Shared<Engine> engine_of(const Module& module) { return module.engine_; }
    Shared<Engine> engine_;
};

namespace detail {

/// Whether a kernel takes so many arguments.
Status check_count(const KernelState& kernel, std::size_t count);
Status launch(KernelState& kernel, const LaunchConfig& config, const Argument* arguments, std::size_t count);
Result<Report> timed_launch(KernelState& kernel, const LaunchConfig& config, const Argument* arguments,
                            std::size_t count);
Status launch_over(KernelState& kernel, long long elements, StreamRef stream, std::size_t shared_bytes,
                   const Argument* arguments, std::size_t count);
struct PackedArguments {
    const void* bytes;
    std::size_t size;
    const std::uint16_t* codes;
    std::size_t count;
    std::uint64_t hash;      ///< of the codes
    std::uint64_t readonly;  ///< a bit per argument
    const driver::Context* device;
};
/// False: it has to go the long way.
bool launch_known(const KernelState& kernel, const LaunchConfig& config, const PackedArguments& arguments,
                  Status& status);
/// What a bound launcher chooses from.
struct BoundInstances {
    Shared<const Instance> first;
    const driver::Context* device;
    const Instance* general = nullptr;  ///< null: the first is for all arrays; else it is for those that are apart
};
Status launch_bound(const BoundInstances& instances, const LaunchConfig& config, const void* packed, std::size_t bytes);
Status wrong_argument(const Instance& instance, std::size_t index, const char* why);

}  // namespace detail

/// Types that the header packs itself, as they lie in the packed buffer: a scalar as itself, a C-contiguous array of a
/// device as pointer and shape.
template <class T, class = void>
struct Packed {
    static constexpr bool is_known = false;
};
template <class T>
struct Packed<T, std::enable_if_t<std::is_arithmetic_v<T> || IsComplex<T>::value>> {
    static constexpr bool is_known = true, is_array = false, is_readonly = false;
    static constexpr std::size_t alignment = alignof(T), size = sizeof(T);
    static constexpr std::uint16_t code = code_of(element_of<T>(), 0, Order::c);
    static Argument prototype() {
        T value{};
        return make_argument(value);
    }
    static const driver::Context* device_of(const T&) { return nullptr; }
    static const char* put(unsigned char* to, const T& value, const driver::Context*) {
        __builtin_memcpy(to, &value, sizeof value);
        return nullptr;
    }
};
/// Types whose code says all of them.
template <class T>
inline constexpr bool is_number_v = !Named<std::remove_cv_t<T>>::value;
template <class T, int N>
struct Packed<View<T, N>, std::enable_if_t<is_number_v<T>>> {
    static constexpr bool is_known = true, is_array = true, is_readonly = std::is_const_v<T>;
    static constexpr std::size_t alignment = 8, size = 8 + 8 * static_cast<std::size_t>(N);
    static constexpr std::uint16_t code = code_of(element_of<T>(), N, Order::c);
    static Argument prototype() {
        const long long shape[static_cast<std::size_t>(N)] = {};
        return array_argument(static_cast<T*>(nullptr), N, shape, nullptr);
    }
    static const driver::Context* device_of(const View<T, N>& view) { return view.device; }
    static const char* put(unsigned char* to, const View<T, N>& view, const driver::Context* device) {
        if (view.device != device || !device) return "is not in the device's memory";
        if (const char* fault = pyk::detail::fault_of(view.data, view.shape.data(), N)) return fault;
        if (!view.is_contiguous()) return "is not C-contiguous";
        __builtin_memcpy(to, &view.data, 8);
        __builtin_memcpy(to + 8, view.shape.data(), sizeof view.shape);
        return nullptr;
    }
};
template <class T, int N>
struct Packed<Array<T, N>, std::enable_if_t<is_number_v<T>>> : Packed<View<T, N>> {
    static const driver::Context* device_of(const Array<T, N>& array) { return array.buffer().device(); }
    static const char* put(unsigned char* to, const Array<T, N>& array, const driver::Context* device) {
        if (array.buffer().device() != device || !device) return "is not in the device's memory";
        if (!array.data() && array.size() != 0) return pyk::detail::no_memory;
        T* const data = array.data();
        __builtin_memcpy(to, &data, 8);
        __builtin_memcpy(to + 8, array.shape().data(), 8 * static_cast<std::size_t>(N));
        return nullptr;
    }
};
template <class T>
using PackedAs = Packed<std::remove_cv_t<std::remove_reference_t<T>>>;

/// The arguments of a launch in the packed buffer, on the stack.
template <class... Packs>
struct PackedBuffer {
    static constexpr std::size_t capacity = (16 + ... + (Packs::size + 16));
    alignas(16) unsigned char bytes[capacity];
    std::size_t size = 0;
    std::size_t faulty = 0;  ///< the argument that cannot be packed

    /// Null, or why an argument cannot be packed.
    template <class... Args>
    const char* pack([[maybe_unused]] const driver::Context* device, const Args&... args) {
        const char* fault = nullptr;
        (void)((size = (size + Packs::alignment - 1) / Packs::alignment * Packs::alignment,
                fault = Packs::put(bytes + size, args, device), size += Packs::size, ++faulty, fault == nullptr) &&
               ...);
        --faulty;
        return fault;
    }
};

/// A kernel with its launch configuration: call it with the kernel's arguments (pyk/argument.hpp says which).
/// Where all arrays are in device memory the launch is queued on the stream, and errors of its execution come from a
/// later call that waits. Where host arrays are among them they are copied in and, where the kernel writes them, back;
/// the call returns when that is done. In debug and check builds, and on the CPU, it returns when the kernel has run.
class Launcher {
  public:
    Launcher(Shared<KernelState> kernel, const LaunchConfig& config) : kernel_(std::move(kernel)), config_(config) {}

    /// Launches; throws what `launch` gives.
    template <class... Args>
    void operator()(Args&&... args) const {
        launch(std::forward<Args>(args)...).or_throw();
    }
    /// Launches. Fails where the file is wrong for these types, where arguments, grid or stream do not fit the kernel,
    /// and where the launch itself fails; nothing is queued then. Numbers are copied, arrays must stay until the work
    /// is done.
    template <class... Args>
    Status launch(Args&&... args) const {
        if constexpr ((PackedAs<Args>::is_known && ...)) {
            Status status;
            if (launch_known(status, args...)) return status;
        }
        const Argument arguments[sizeof...(Args) + 1] = {make_argument(args)...};
        return detail::launch(*kernel_, config_, arguments, sizeof...(Args));
    }
    /// The same with arguments whose types are known when the program runs.
    Status launch_all(const std::vector<Argument>& arguments) const {
        return detail::launch(*kernel_, config_, arguments.data(), arguments.size());
    }
    /// Launches, waits, and says how long it took.
    template <class... Args>
    Result<Report> timed(Args&&... args) const {
        return timed_all({make_argument(args)...});
    }
    /// The same with arguments whose types are known when the program runs.
    Result<Report> timed_all(const std::vector<Argument>& arguments) const {
        return detail::timed_launch(*kernel_, config_, arguments.data(), arguments.size());
    }

  private:
    /// The way of nearly all launches: an instance that is there, arrays of its device. False: this is another.
    template <class... Args>
    bool launch_known(Status& status, Args&... args) const {
        static constexpr std::uint16_t codes[] = {PackedAs<Args>::code..., 0};
        static constexpr std::uint64_t hash = hash_of_codes(codes, sizeof...(Args));
        static constexpr std::uint64_t readonly = readonly_bits<Args...>();
        const driver::Context* device = config_.stream.device;
        ((device = device ? device : PackedAs<Args>::device_of(args)), ...);
        PackedBuffer<PackedAs<Args>...> packed;
        if (packed.pack(device, args...)) return false;
        // A variable: nvcc loses a temporary here.
        const detail::PackedArguments arguments{packed.bytes, packed.size, codes, sizeof...(Args),
                                                hash,         readonly,    device};
        return detail::launch_known(*kernel_, config_, arguments, status);
    }
    template <class... Args>
    static constexpr std::uint64_t readonly_bits() {
        std::uint64_t bits = 0, bit = 1;
        ((bits |= PackedAs<Args>::is_readonly || (PackedAs<Args>::is_array && is_const_array<Args>) ? bit : 0,
          bit <<= 1),
         ...);
        return bits;
    }
    template <class T>
    static constexpr bool is_const_array = std::is_const_v<std::remove_reference_t<T>>&&
        pyk::detail::is_owned_array<std::remove_cv_t<std::remove_reference_t<T>>>;
    Shared<KernelState> kernel_;
    LaunchConfig config_;
};

/// A kernel over that many elements, one thread each, in blocks of the size with the best occupancy.
class ForAll {
  public:
    ForAll(Shared<KernelState> kernel, long long elements, StreamRef stream, std::size_t shared_bytes)
        : kernel_(std::move(kernel)), elements_(elements), stream_(stream), shared_bytes_(shared_bytes) {}
    /// Launches; throws what `launch` gives.
    template <class... Args>
    void operator()(Args&&... args) const {
        launch(std::forward<Args>(args)...).or_throw();
    }
    /// As Launcher::launch. Of no elements: nothing runs, and it is fine.
    template <class... Args>
    Status launch(Args&&... args) const {
        const Argument arguments[sizeof...(Args) + 1] = {make_argument(args)...};
        return detail::launch_over(*kernel_, elements_, stream_, shared_bytes_, arguments, sizeof...(Args));
    }

  private:
    Shared<KernelState> kernel_;
    long long elements_;
    StreamRef stream_;
    std::size_t shared_bytes_;
};

/// A kernel compiled for fixed C++ types, C-contiguous arrays in its device's memory: launched without a lookup. Copies
/// share it. Safe to use from several threads.
template <class... Params>
class Bound {
  public:
    explicit Bound(detail::BoundInstances instances) : instances_(std::move(instances)) {}

    /// Queues the kernel. Fails where an array is in other memory or is not C-contiguous, and where the launch fails.
    Status launch(const LaunchConfig& config, const Params&... args) const {
        PackedBuffer<Packed<Params>...> packed;
        if (const char* fault = packed.pack(instances_.device, args...))
            return detail::wrong_argument(*instances_.first, packed.faulty, fault);
        return detail::launch_bound(instances_, config, packed.bytes, packed.size);
    }
    /// The same; throws what `launch` gives.
    void operator()(const LaunchConfig& config, const Params&... args) const { launch(config, args...).or_throw(); }
    /// What was compiled for it; where there are two, the one for arrays that do not overlap.
    Specialization specialization() const { return Specialization(instances_.first); }

  private:
    static_assert((Packed<Params>::is_known && ...), "bind takes scalars and arrays: bind<float, pyk::View<float>>");
    detail::BoundInstances instances_;
};

/// One kernel of a module, which it keeps; its instances come into being with the types of its launches. Copies share
/// them. Safe to use from several threads.
class Kernel {
  public:
    explicit Kernel(Shared<KernelState> state) : state_(std::move(state)) {}

    /// As the file has it.
    const std::string& name() const;
    /// The names of its parameters, in order.
    std::vector<std::string> params() const;

    /// The kernel with a launch configuration, to be called with the arguments. `shared_bytes`: dynamic shared memory
    /// per block. Nothing is checked before the launch.
    Launcher operator()(const LaunchConfig& config) const { return {state_, config}; }
    Launcher operator()(Grid grid, Block block, StreamRef stream = {}, std::size_t shared_bytes = 0) const {
        LaunchConfig config;
        config.grid = {grid.x, grid.y, grid.z};
        config.block = {block.x, block.y, block.z};
        config.shared_bytes = shared_bytes;
        config.stream = stream;
        return {state_, config};
    }
    Launcher operator()(Grid grid, Block block, std::size_t shared_bytes) const {
        return (*this)(grid, block, StreamRef(), shared_bytes);
    }
    /// The same over that many elements, one thread each at least, in blocks of the size with the best occupancy.
    ForAll forall(long long elements, StreamRef stream = {}, std::size_t shared_bytes = 0) const {
        return {state_, elements, stream, shared_bytes};
    }

    /// Compiles in the background for these types: `"float32, float32[::1], float32[:, :]"`. What is wrong with them,
    /// or with the kernel, `Preload::wait` says. Without a device: for the one that launches of host arrays take.
    Preload preload(std::string signature, const Device& device) const;
    Preload preload(std::string signature) const;
    /// Compiles for C++ types, scalars and `pyk::View<T, N>` (C-contiguous), and waits for it. Fails where the kernel
    /// does not take them. Without a device: for the one that launches of host arrays take.
    template <class... Params>
    Result<Bound<Params...>> bind(const Device& device) const {
        Result<detail::BoundInstances> instances = instances_to_bind({Packed<Params>::prototype()...}, device);
        if (!instances) return instances.status();
        return Bound<Params...>(*std::move(instances));
    }
    template <class... Params>
    Result<Bound<Params...>> bind() const {
        const Result<Device> device = default_device();
        if (!device) return device.status();
        return bind<Params...>(*device);
    }

    /// What was compiled so far, or found on the disk, on all devices.
    std::vector<Specialization> specializations() const;
    /// The one for these arguments; compiles it where it is not there.
    Result<Specialization> specialization(const std::vector<Argument>& arguments) const;
    /// The C++ text that launches with these argument types run; translates, but compiles nothing.
    Result<std::string> text(Backend backend, const std::vector<Argument>& arguments) const;

  private:
    Result<Device> default_device() const;
    Result<detail::BoundInstances> instances_to_bind(const std::vector<Argument>& types, const Device& device) const;
    Shared<KernelState> state_;
};

/// Reads a file. What is wrong with it as a whole (syntax) is said here, what is wrong with a kernel at its launch.
Result<Module> load(const std::string& path, const Options& options = {});
/// The same for text; `name` stands for the file in messages.
Result<Module> load_text(std::string name, std::string text, const Options& options = {});

/// As `load`; throws what is wrong.
inline Module load_or_throw(const std::string& path, const Options& options = {}) {
    return load(path, options).value();
}

/// Whether this machine can run kernels there; if not, why.
std::optional<std::string> why_unavailable(Backend backend);

}  // namespace pyk::jit

namespace pyk {

using jit::load;
using jit::load_or_throw;
using jit::load_text;

/// Blocks of a launch; threads of a block.
inline jit::Grid grid(unsigned x, unsigned y = 1, unsigned z = 1) { return {x, y, z}; }
inline jit::Block block(unsigned x, unsigned y = 1, unsigned z = 1) { return {x, y, z}; }

}  // namespace pyk
