#include "pyk/aot.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "driver.h"
#include "memory_range.h"

namespace pyk::aot {

/// An instance on a device, in one variant. Kept to the end of the program, in a list that only grows: reading it takes
/// no lock.
struct Loaded {
    const driver::Context* device;
    const Instance* instance;
    bool is_disjoint;
    std::shared_ptr<driver::LoadedModule> module;
    void* function;
    std::size_t static_shared;
    Loaded* next;
};

namespace {

constexpr std::size_t kSmallBuffer = 1024, kMostArrays = 64;

Status refuse(std::string why) { return Status::failure(std::move(why), Error::Kind::arguments); }

std::string name_of(const Kernel& kernel, std::size_t parameter) {
    std::string_view names = kernel.parameters;
    for (; parameter > 0; --parameter) names.remove_prefix(names.find(',') + 1);
    return std::string(names.substr(0, names.find(',')));
}

std::string which(const Kernel& kernel, std::size_t index) {
    return "argument " + std::to_string(index + 1) + " (`" + name_of(kernel, index) + "`) of kernel `" + kernel.name +
           "`";
}

long long count_of(const Passed& array) {
    long long count = 1;
    for (int axis = 0; axis < array.ndim; ++axis) count *= array.shape[axis];
    return count;
}

/// Whether the elements lie side by side, the last axis (C) or the first (F) the fastest.
bool is_dense(const Passed& array, char layout) {
    long long step = static_cast<long long>(array.size);
    for (int k = 0; k < array.ndim; ++k) {
        const int axis = layout == 'f' ? k : array.ndim - 1 - k;
        if (array.shape[axis] != 1 && array.strides[axis] != step) return count_of(array) == 0;
        step *= array.shape[axis];
    }
    return true;
}

bool fits(const Passed& array, char layout) { return layout == '.' || layout == 'a' || is_dense(array, layout); }

MemoryRange range_of(const Passed& array) {
    const auto at = reinterpret_cast<std::uintptr_t>(array.data);
    if (count_of(array) == 0) return {at, at, array.is_written};
    long long least = 0, most = static_cast<long long>(array.size);
    for (int axis = 0; axis < array.ndim; ++axis) {
        const long long reach = (array.shape[axis] - 1) * array.strides[axis];
        (reach < 0 ? least : most) += reach;
    }
    return {at + static_cast<std::uintptr_t>(least), at + static_cast<std::uintptr_t>(most), array.is_written};
}

class Call {
  public:
    Call(File& file, const Kernel& kernel, const Launch& launch, const Passed* arguments, std::size_t count)
        : file_(file), kernel_(kernel), launch_(launch), arguments_(arguments), count_(count) {}

    Status run() {
        if (Status s = choose_device(); !s) return s;
        if (Status s = choose_instance(); !s) return s;
        const Result<const Loaded*> code = loaded(device_->info.is_cpu || !instance_->disjoint ? false : !overlap());
        if (!code) return code.status();
        return launch_code(**code);
    }

  private:
    Status choose_device() {
        device_ = launch_.stream.device;
        bool has_host_arrays = false;
        for (std::size_t i = 0; i < count_; ++i) {
            const Passed& array = arguments_[i];
            if (array.ndim == 0) continue;
            if (!array.data && count_of(array) != 0)
                return refuse(which(kernel_, i) + " has no memory: it was moved from or freed");
            has_host_arrays |= !array.device;
            if (!device_) device_ = array.device;
        }
        if (!device_) device_ = has_host_arrays ? &driver::cpu_context() : &Device().context();
        for (std::size_t i = 0; i < count_; ++i)
            if (Status s = check_place(i); !s) return s;
        return {};
    }

    Status check_place(std::size_t i) const {
        const Passed& array = arguments_[i];
        if (array.ndim == 0 || array.device == device_) return {};
        if (!array.device && device_->info.is_cpu) return {};
        if (array.device && device_->reaches(*array.device)) return {};
        const std::string where = array.device ? "the memory of " + array.device->info.name : "host memory";
        const std::string hint =
            array.device ? "" : "; copy it into a pyk::Array, or give the view the device that its memory is of";
        return refuse(which(kernel_, i) + " is in " + where + ", the launch is on " + device_->info.name + hint);
    }

    Status choose_instance() {
        std::string why;
        for (int k = 0; k < kernel_.count; ++k) {
            const Instance& instance = kernel_.instances[k];
            std::size_t i = 0;
            while (i < count_ && fits(arguments_[i], instance.layouts[i])) ++i;
            if (i == count_) {
                instance_ = &instance;
                return {};
            }
            why =
                which(kernel_, i) + " does not lie in " + (instance.layouts[i] == 'f' ? "Fortran" : "C") +
                " order without gaps, as its signature says; a signature with `:` in place of `::1` takes any strides";
        }
        return refuse(why);
    }

    bool overlap() const {
        MemoryRange ranges[kMostArrays];
        std::size_t arrays = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if (arguments_[i].ndim == 0) continue;
            if (arrays == kMostArrays) return true;
            ranges[arrays++] = range_of(arguments_[i]);
        }
        return any_overlap(ranges, arrays);
    }

    const Loaded* find(bool is_disjoint) const {
        for (const Loaded* code = file_.loaded.load(std::memory_order_acquire); code; code = code->next)
            if (code->instance == instance_ && code->device == device_ && code->is_disjoint == is_disjoint) return code;
        return nullptr;
    }

    Result<const Loaded*> loaded(bool is_disjoint) {
        if (const Loaded* known = find(is_disjoint)) return known;
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        if (const Loaded* known = find(is_disjoint)) return known;
        return load(is_disjoint);
    }

    Result<const Loaded*> load(bool is_disjoint) {
        if (!device_->info.is_cpu && device_->is_capturing(launch_.stream.handle))
            return refuse(
                std::string("kernel `") + kernel_.name +
                "` is not loaded, and a stream that is being captured cannot wait for it: launch it once before");
        Result<std::shared_ptr<driver::LoadedModule>> module = module_of_file();
        if (!module) return module.status();
        Result<void*> function = device_->info.is_cpu
                                     ? Result<void*>(reinterpret_cast<void*>(instance_->entry))
                                     : (*module)->function(is_disjoint ? instance_->disjoint : instance_->symbol);
        if (!function) return function.status();
        const Result<KernelResources> resources = (*module)->resources(*function);
        if (!resources) return resources.status();
        auto* code = new Loaded{
            device_, instance_, is_disjoint, *module, *function, resources->shared_bytes, file_.loaded.load()};
        file_.loaded.store(code, std::memory_order_release);
        return code;
    }

    /// The same for all instances on a device.
    Result<std::shared_ptr<driver::LoadedModule>> module_of_file() {
        const bool is_cpu = device_->info.is_cpu;
        if (is_cpu && !instance_->entry) return not_compiled_for("the CPU");
        for (const Loaded* code = file_.loaded.load(); code; code = code->next)
            if (code->device == device_) return code->module;
        if (is_cpu || (!file_.images && file_.find)) return device_->linked_code(file_.find, file_.has_checks);
        if (!file_.images) return not_compiled_for("GPUs");
        if (const Image* image = choose(*file_.images, device_->info.major, device_->info.minor))
            return device_->load(image->data, image->size, PrintSink());
        if (file_.find) return device_->linked_code(file_.find, file_.has_checks);
        return not_compiled_for(device_->info.name + " (sm_" +
                                std::to_string(device_->info.major * 10 + device_->info.minor) + ")");
    }

    Status not_compiled_for(const std::string& what) const {
        return Status::failure(std::string(file_.name) + " was not compiled for " + what, Error::Kind::input_output);
    }

    Status launch_code(const Loaded& code) const {
        std::size_t size = 0;
        for (std::size_t i = 0; i < count_; ++i) size = add(i, size, nullptr);
        alignas(16) unsigned char small[kSmallBuffer];
        std::vector<std::max_align_t> large;
        unsigned char* packed = small;
        if (size > kSmallBuffer) {
            large.resize(size / sizeof(std::max_align_t) + 1);
            packed = reinterpret_cast<unsigned char*>(large.data());
        }
        std::size_t at = 0;
        for (std::size_t i = 0; i < count_; ++i) at = add(i, at, packed);

        Launch launch = launch_;
        launch.cooperative |= instance_->is_cooperative;
        if (Status s = code.module->launch(code.function, launch, code.static_shared, packed, size); !s) return s;
        return file_.has_checks ? finish(code) : Status();
    }

    /// Packs one argument behind the `at` bytes before it; gives where it ends. Without a buffer: only that.
    std::size_t add(std::size_t i, std::size_t at, unsigned char* packed) const {
        const Passed& argument = arguments_[i];
        const auto put = [&](const void* from, std::size_t size, std::size_t alignment) {
            at = (at + alignment - 1) / alignment * alignment;
            if (packed) std::memcpy(packed + at, from, size);
            at += size;
        };
        if (argument.ndim == 0) {
            put(argument.data, argument.size, argument.alignment);
            return at;
        }
        const std::size_t words = static_cast<std::size_t>(argument.ndim) * sizeof(long long);
        put(&argument.data, sizeof argument.data, alignof(void*));
        put(argument.shape, words, alignof(long long));
        if (instance_->layouts[i] == 'a') put(argument.strides, words, alignof(long long));
        return at;
    }

    /// Waits for a kernel with checks, and says what it found.
    Status finish(const Loaded& code) const {
        if (device_->is_capturing(launch_.stream.handle)) return {};
        const Result<std::optional<CheckReport>> report = code.module->take_check_report();
        if (!report) return report.status();
        if (!*report) return {};
        auto details = std::make_shared<ErrorDetails>();
        details->raised = **report;
        return Error{Error::Kind::execution, std::string(file_.name) + ": " + (*report)->message(), std::move(details)};
    }

    File& file_;
    const Kernel& kernel_;
    const Launch& launch_;
    const Passed* arguments_;
    std::size_t count_;
    driver::Context* device_ = nullptr;
    const Instance* instance_ = nullptr;
};

}  // namespace

Status launch_passed(File& file, const Kernel& kernel, const Launch& launch, const Passed* arguments,
                     std::size_t count) {
    return Call(file, kernel, launch, arguments, count).run();
}

}  // namespace pyk::aot
