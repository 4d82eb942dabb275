// From arguments to a running kernel.
#include <algorithm>
#include <array>
#include <cstring>

#include "driver.h"
#include "jit/elements.h"
#include "jit/host_arrays.h"
#include "jit/packing.h"
#include "jit/refuse.h"
#include "memory_range.h"
#include "report.h"

namespace pyk::jit {
namespace {

constexpr std::size_t kFewArguments = 32;
constexpr std::size_t kSmallBuffer = 2048;

std::string which(const KernelState& kernel, std::size_t index) {
    return "argument " + std::to_string(index + 1) + " (`" + kernel.summary.param(index) + "`) of kernel `" +
           kernel.summary.name + "`";
}

// Of the parameter that an argument becomes.
std::string param_type_name(const Instance& instance, std::size_t index) {
    std::size_t param = 0;
    for (std::size_t i = 0; i < index; ++i) param += !instance.request.types[i].is_compiled_in();
    return name_of(instance.entry.params[param].type);
}

constexpr std::size_t kMostWideBytes = 1024;

/// Blocks along x alone, and enough of them.
bool profits_from_width(const LaunchConfig& config) {
    return config.grid.count() == config.grid.x && config.block.count() == config.block.x && !config.cooperative &&
           config.cluster.x == 0 && config.grid.count() * config.block.x >= kManyThreads;
}

/// With as many blocks as the elements need when each thread has several.
Status launch_wide(const Instance& wide, const LaunchConfig& config, const void* packed, std::size_t bytes) {
    alignas(16) unsigned char arguments[kMostWideBytes + 2 * sizeof(long long)];
    const auto threads = static_cast<long long>(config.grid.x) * config.block.x;
    const long long tile = static_cast<long long>(config.block.x) * wide.entry.elements_per_thread;
    const std::size_t end = (bytes + sizeof threads - 1) / sizeof threads * sizeof threads;
    std::memcpy(arguments, packed, bytes);
    std::memcpy(arguments + end, &threads, sizeof threads);
    LaunchConfig fewer = config;
    fewer.grid.x = static_cast<unsigned>((threads + tile - 1) / tile);
    return wide.kernel.launch(fewer, arguments, end + sizeof threads);
}

[[gnu::cold]] Status launch_specially(const Instance& instance, const LaunchConfig& config, const void* packed,
                                      std::size_t bytes) {
    if (instance.entry.elements_per_thread > 0 && profits_from_width(config) && bytes <= kMostWideBytes) {
        if (const Instance* wide = instance.wide.load(std::memory_order_acquire))
            return launch_wide(*wide, config, packed, bytes);
        widen_later(instance);
    }
    if (!instance.entry.cooperative) return instance.kernel.launch(config, packed, bytes);
    LaunchConfig together = config;
    together.cooperative = true;
    return instance.kernel.launch(together, packed, bytes);
}

Status launch_packed(const Instance& instance, const LaunchConfig& config, const void* packed, std::size_t bytes) {
    if (instance.is_special) return launch_specially(instance, config, packed, bytes);
    return instance.kernel.launch(config, packed, bytes);
}

/// One launch: what its arguments say together, and where it goes.
class Launch {
  public:
    Launch(KernelState& kernel, const LaunchConfig& config, const Argument* arguments, std::size_t count)
        : kernel_(kernel), config_(config), arguments_(arguments), count_(count) {}

    /// Finds, or makes, the instance.
    Status prepare() {
        if (Status s = detail::check_count(kernel_, count_); !s) return s;
        if (Status s = choose_device(); !s) return s;
        std::array<std::uint16_t, kFewArguments> few;
        std::vector<std::uint16_t> many;
        const std::uint16_t* codes = few.data();
        std::size_t count = count_;
        if (count_ > kFewArguments || has_more_than_codes()) {
            append_codes(types(), many);
            codes = many.data();
            count = many.size();
        } else {
            for (std::size_t i = 0; i < count_; ++i)
                few[i] = code_of(arguments_[i].element, arguments_[i].ndim, arguments_[i].order);
        }
        const std::uint64_t hash = hash_of_codes(codes, count);
        instance_ = kernel_.table.find(hash, codes, count, device_);
        // Which arrays are written is known of an instance: before there is one, all count as written.
        if (instance_ && instance_->is_apart && !are_apart(instance_))
            instance_ = kernel_.table.find(hash, codes, count, device_, true);
        else if (instance_)
            return {};
        return instance_ ? Status() : make_instance();
    }

    Status run() {
        if (has_host_arrays_ && (!device_->info.is_cpu || keeps_written())) return run_with_copies();
        if (Status s = pack_and_launch(nullptr); !s) return s;
        return instance_->entry.has_checks ? finish() : Status();
    }

    /// Runs, waits; gives the kernel's milliseconds.
    Result<double> run_timed() {
        const Device device(*device_);
        start_ = Event::create(device);
        stop_ = Event::create(device);
        if (!start_->ok()) return start_->status();
        if (!stop_->ok()) return stop_->status();
        if (Status s = run(); !s) return s;
        if (Status s = (*stop_)->wait(); !s) return s;
        return Event::elapsed_ms(**start_, **stop_);
    }

    const Instance& instance() const { return *instance_; }
    driver::Context& device() const { return *device_; }
    bool is_new() const { return is_new_; }

  private:
    /// The stream's, else that of the arrays, else the module's.
    Status choose_device() {
        const Backend backend = kernel_.engine->options.backend;
        device_ = config_.stream.device;
        for (std::size_t i = 0; i < count_ && !device_; ++i)
            if (driver::Context* const at = memory_of(arguments_[i]); at && !at->info.is_cpu) device_ = at;
        for (std::size_t i = 0; i < count_; ++i) {
            const Argument& argument = arguments_[i];
            if (!argument.is_array()) continue;
            driver::Context* const at = argument.device;
            if (!at || (at->info.is_cpu && (backend == Backend::cuda || (device_ && !device_->info.is_cpu))))
                has_host_arrays_ = true;
            else if (!device_)
                device_ = at;
            else if (device_ != at && !device_->reaches(*at))
                return refuse(which(kernel_, i) + " is in the memory of " + at->info.name + " (" +
                              std::to_string(at->info.index) + "), the launch is on " + device_->info.name + " (" +
                              std::to_string(device_->info.index) + ")");
            if (const char* fault = pyk::detail::fault_of(argument.data, argument.shape, argument.ndim))
                return refuse(which(kernel_, i) + " " + fault);
        }
        for (std::size_t i = 0; i < count_ && !device_ && backend != Backend::cuda; ++i)
            device_ = memory_of(arguments_[i]);
        if (!device_) {
            const Result<Device> chosen = kernel_.engine->default_device();
            if (!chosen) return chosen.status();
            device_ = &(*chosen).context();
        }
        for (std::size_t i = 0; i < count_; ++i)
            if (arguments_[i].element == Element::tuple && !is_reached(arguments_[i].tuple.memory))
                return refuse(which(kernel_, i) + " has an array that is not in the memory of " + device_->info.name +
                              "; arrays in tuples are not copied");
        if (backend == Backend::cpu && !device_->info.is_cpu)
            return refuse("the module runs on the CPU: an array or a stream of a GPU cannot be passed to it");
        return {};
    }

    /// Null: it has none that says where the launch is.
    static driver::Context* memory_of(const Argument& argument) {
        if (argument.is_array()) return argument.device;
        return argument.element == Element::tuple ? argument.tuple.memory.device : nullptr;
    }
    bool is_reached(const TupleMemory& memory) const {
        const bool is_cpu = device_->info.is_cpu;
        if (memory.has_host && !is_cpu) return false;
        return !memory.device ||
               (!memory.has_several && (memory.device == device_ || device_->reaches(*memory.device)));
    }

    Status make_instance() {
        if (device_->is_capturing(config_.stream.handle))
            return refuse("kernel `" + kernel_.summary.name +
                          "` is not compiled for these arguments, and a stream that is being captured cannot wait for "
                          "it: call preload or launch it once before");
        const std::vector<ArgumentType> all = types();
        const Result<Found> found =
            instance_for(kernel_, all, *device_, has_variants(all, *device_) && are_apart(nullptr));
        if (!found) return found.status();
        instance_ = found->instance;
        is_new_ = found->is_new;
        return {};
    }

    bool has_more_than_codes() const {
        return std::any_of(arguments_, arguments_ + count_, [](const Argument& a) { return a.is_constant || a.named; });
    }
    std::vector<ArgumentType> types() const {
        std::vector<ArgumentType> all;
        for (std::size_t i = 0; i < count_; ++i) all.push_back(type_of(arguments_[i]));
        return all;
    }

    /// Host arrays are copied: each is then apart, or the same as another. Of no instance: all arrays are written.
    bool are_apart(const Instance* instance) const {
        ApartArrays arrays(instance ? instance->may_index32 : may_index32(types()), config_.grid.x);
        for (std::size_t i = 0; i < count_; ++i) {
            const Argument& a = arguments_[i];
            if (!a.is_array()) continue;
            arrays.add(a.data, element_bytes(a), a.shape, a.order == Order::strided ? a.strides : nullptr, a.ndim,
                       !instance || instance->params[i].written);
        }
        return bool(arrays);
    }

    /// Whether the kernel writes a host array that is to stay as it is.
    bool keeps(std::size_t i) const { return instance_->params[i].written && !arguments_[i].copy_out; }
    bool keeps_written() const {
        for (std::size_t i = 0; i < count_; ++i)
            if (arguments_[i].is_array() && keeps(i)) return true;
        return false;
    }

    /// `data`: in place of the arrays' own pointers; null: as they are.
    Status pack_and_launch(void* const* data) {
        if (instance_->packed_bytes <= kSmallBuffer) {
            alignas(16) unsigned char packed[kSmallBuffer];
            return pack_and_launch(data, packed);
        }
        std::vector<std::max_align_t> packed(instance_->packed_bytes / sizeof(std::max_align_t) + 1);
        return pack_and_launch(data, reinterpret_cast<unsigned char*>(packed.data()));
    }

    Status pack_and_launch(void* const* data, unsigned char* packed) {
        for (std::size_t i = 0; i < count_; ++i)
            if (Status s = pack(i, data ? data[i] : arguments_[i].data, packed); !s) return s;
        if (start_)
            if (Status s = (*start_)->record(config_.stream); !s) return s;
        if (Status s = launch_packed(*instance_, config_, packed, instance_->packed_bytes); !s) return s;
        return stop_ ? (*stop_)->record(config_.stream) : Status();
    }

    Status pack(std::size_t i, void* data, unsigned char* packed) const {
        const Argument& argument = arguments_[i];
        const PackedParam& param = instance_->params[i];
        if (param.written && argument.readonly)
            return refuse("the kernel writes " + which(kernel_, i) + ", which is const");
        if (jit::pack(param, argument, data, packed)) return {};
        return refuse("the value of " + which(kernel_, i) + " does not fit " + param_type_name(*instance_, i));
    }

    Status run_with_copies() {
        if (!device_->info.is_cpu && !kernel_.warned_of_copies.exchange(true))
            kernel_.engine->warn(
                "implicit-copy",
                "kernel `" + kernel_.summary.name + "` was launched with host arrays: they are copied for each launch");
        HostArrays arrays(*device_, config_.stream);
        std::vector<void*> data(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            const Argument& argument = arguments_[i];
            if (!argument.is_array()) continue;
            data[i] = argument.data;
            if (argument.device && !argument.device->info.is_cpu) continue;
            if (device_->info.is_cpu && !keeps(i)) continue;
            if (Status s = arrays.add(argument, instance_->params[i].written, data[i]); !s) return s;
        }
        if (Status s = pack_and_launch(data.data()); !s) return s;
        if (instance_->entry.has_checks)
            if (Status s = finish(); !s) return s;
        return arrays.copy_back();
    }

    /// Waits for a kernel with checks, and says what it found.
    Status finish() const {
        if (device_->is_capturing(config_.stream.handle)) return {};
        const auto report = instance_->code.take_check_report();
        if (!report) return report.status();
        if (!*report) return {};
        return error_of_check(kernel_.engine->name, **report);
    }

    KernelState& kernel_;
    const LaunchConfig& config_;
    const Argument* arguments_;
    std::size_t count_;
    driver::Context* device_ = nullptr;
    bool has_host_arrays_ = false;
    const Instance* instance_ = nullptr;
    bool is_new_ = false;
    std::optional<Result<Event>> start_, stop_;
};

/// The same of arguments that are packed: their arrays are C-contiguous.
bool are_apart(const Instance& instance, const LaunchConfig& config, const void* packed) {
    ApartArrays arrays(instance.may_index32, config.grid.x);
    for (const PackedParam& param : instance.params) {
        if (param.kind != PackedParam::Kind::array) continue;
        const auto* const words =
            reinterpret_cast<const long long*>(static_cast<const unsigned char*>(packed) + param.offset);
        arrays.add(reinterpret_cast<const void*>(words[0]), param.size, words + 1, nullptr, param.ndim, param.written);
    }
    return bool(arrays);
}

}  // namespace

namespace detail {

[[gnu::hot]] bool launch_known(const KernelState& kernel, const LaunchConfig& config, const PackedArguments& arguments,
                               Status& status) {
    const driver::Context* device = arguments.device;
    if (!device) {
        const Result<Device> chosen = kernel.engine->default_device();
        if (!chosen) return false;
        device = &(*chosen).context();
    }
    const Instance* instance = kernel.table.find(arguments.hash, arguments.codes, arguments.count, device);
    if (!instance || !instance->is_plain || (instance->written & arguments.readonly) != 0) return false;
    if (instance->is_apart && !are_apart(*instance, config, arguments.bytes)) {
        instance = kernel.table.find(arguments.hash, arguments.codes, arguments.count, device, true);
        if (!instance) return false;
    }
    status = launch_packed(*instance, config, arguments.bytes, arguments.size);
    return true;
}

Status check_count(const KernelState& kernel, std::size_t count) {
    const KernelSummary& summary = kernel.summary;
    if (summary.takes(count)) return {};
    return refuse_count("kernel `" + summary.name + "`", summary.params.size() - summary.has_rest(), count,
                        summary.has_rest());
}

Status launch(KernelState& kernel, const LaunchConfig& config, const Argument* arguments, std::size_t count) {
    Launch launch(kernel, config, arguments, count);
    if (Status s = launch.prepare(); !s) return s;
    return launch.run();
}

Result<Report> timed_launch(KernelState& kernel, const LaunchConfig& config, const Argument* arguments,
                            std::size_t count) {
    Launch launch(kernel, config, arguments, count);
    if (Status s = launch.prepare(); !s) return s;
    const Result<double> milliseconds = launch.run_timed();
    if (!milliseconds) return milliseconds.status();
    const Instance& instance = launch.instance();
    Report report;
    report.milliseconds = *milliseconds;
    report.backend = launch.device().info.is_cpu ? Backend::cpu : Backend::cuda;
    report.device = launch.device().info.name;
    for (const PackedParam& param : instance.params) report.written.push_back(param.written);
    if (!launch.is_new()) return report;
    report.transpile_ms = instance.transpile_ms;
    report.compile_ms = instance.compile_ms;
    report.warnings = instance.warnings;
    return report;
}

Status launch_over(KernelState& kernel, long long elements, StreamRef stream, std::size_t shared_bytes,
                   const Argument* arguments, std::size_t count) {
    if (elements < 0) return refuse("forall over " + std::to_string(elements) + " elements");
    LaunchConfig config;
    config.stream = stream;
    config.shared_bytes = shared_bytes;
    Launch launch(kernel, config, arguments, count);
    if (Status s = launch.prepare(); !s) return s;
    if (elements == 0) return {};
    const Result<int> threads = launch.instance().kernel.best_block(shared_bytes);
    if (!threads) return threads.status();
    if (*threads <= 0)
        return refuse("kernel `" + kernel.summary.name + "` fits no multiprocessor with " +
                      std::to_string(shared_bytes) + " bytes of shared memory");
    const long long blocks = elements / *threads + (elements % *threads != 0);
    if (blocks > 0x7FFFFFFF) return refuse("forall over more elements than a grid has threads");
    config.block.x = static_cast<unsigned>(*threads);
    config.grid.x = static_cast<unsigned>(blocks);
    return launch.run();
}

[[gnu::hot]] Status launch_bound(const BoundInstances& instances, const LaunchConfig& config, const void* packed,
                                 std::size_t bytes) {
    const Instance& first = *instances.first;
    const bool takes_first = !instances.general || are_apart(first, config, packed);
    return launch_packed(takes_first ? first : *instances.general, config, packed, bytes);
}

Status wrong_argument(const Instance& instance, std::size_t index, const char* why) {
    return refuse("argument " + std::to_string(index + 1) + " (`" + instance.entry.params[index].name +
                  "`) of kernel `" + instance.entry.kernel + "` " + why);
}

}  // namespace detail
}  // namespace pyk::jit
