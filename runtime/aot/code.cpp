#include "code.h"

#include <mutex>
#include <string_view>
#include <utility>

#include "report.h"

namespace pyk::aot {
namespace {

class Loader {
  public:
    Loader(File& file, driver::Context& device, void* stream, const EntryCode& code)
        : file_(file), device_(device), stream_(stream), code_(code) {}

    Result<const Loaded*> loaded() {
        if (const Loaded* known = find()) return known;
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        if (const Loaded* known = find()) return known;
        return load();
    }

  private:
    const Loaded* find() const {
        for (const Loaded* code = file_.loaded.load(std::memory_order_acquire); code; code = code->next)
            if (code->symbol == code_.symbol && code->device == &device_) return code;
        return nullptr;
    }

    Result<const Loaded*> load() {
        if (!device_.info.is_cpu && device_.is_capturing(stream_))
            return refuse(
                std::string(code_.kind) + " `" + code_.name +
                "` is not loaded, and a stream that is being captured cannot wait for it: launch it once before");
        Result<std::shared_ptr<driver::LoadedModule>> module = module_of_file();
        if (!module) return module.status();
        Result<void*> function = device_.info.is_cpu ? Result<void*>(reinterpret_cast<void*>(code_.entry))
                                                     : (*module)->function(code_.symbol);
        if (!function) return function.status();
        const Result<KernelResources> resources = (*module)->resources(*function);
        if (!resources) return resources.status();
        auto* code =
            new Loaded{&device_, code_.symbol, *module, *function, resources->shared_bytes, file_.loaded.load()};
        file_.loaded.store(code, std::memory_order_release);
        return code;
    }

    /// The same for all entries on a device.
    Result<std::shared_ptr<driver::LoadedModule>> module_of_file() {
        const bool is_cpu = device_.info.is_cpu;
        if (is_cpu && !code_.entry) return not_compiled_for("the CPU");
        for (const Loaded* code = file_.loaded.load(); code; code = code->next)
            if (code->device == &device_) return code->module;
        if (is_cpu || (!file_.images && file_.find)) return device_.linked_code(file_.find, file_.has_checks);
        if (!file_.images) return not_compiled_for("GPUs");
        if (const Image* image = choose(*file_.images, device_.info.major, device_.info.minor))
            return device_.load(image->data, image->size, PrintSink());
        if (file_.find) return device_.linked_code(file_.find, file_.has_checks);
        return not_compiled_for(device_.info.name + " (sm_" +
                                std::to_string(device_.info.major * 10 + device_.info.minor) + ")");
    }

    Status not_compiled_for(const std::string& what) const {
        return Status::failure(std::string(file_.name) + " was not compiled for " + what, Error::Kind::input_output);
    }

    File& file_;
    driver::Context& device_;
    void* stream_;
    const EntryCode& code_;
};

}  // namespace

Result<const Loaded*> loaded_code(File& file, driver::Context& device, void* stream, const EntryCode& code) {
    return Loader(file, device, stream, code).loaded();
}

bool reaches(const driver::Context& device, const driver::Context* memory) {
    return memory == &device || (memory ? device.reaches(*memory) : device.info.is_cpu);
}

Status unreachable(const std::string& which, const driver::Context& device, const driver::Context* memory) {
    const std::string where = memory ? "the memory of " + memory->info.name : "host memory";
    const std::string hint =
        memory ? "" : "; copy it into a pyk::Array, or give the view the device that its memory is of";
    return refuse(which + " is in " + where + ", the launch is on " + device.info.name + hint);
}

Status finish(const File& file, const Loaded& code, void* stream, bool has_thread) {
    if (!file.has_checks || code.module->context.is_capturing(stream)) return {};
    const Result<std::optional<CheckReport>> report = code.module->take_check_report();
    if (!report) return report.status();
    return *report ? Status(error_of_check(file.name, **report, has_thread)) : Status();
}

std::string name_at(const char* names, std::size_t index) {
    std::string_view rest = names;
    for (; index > 0; --index) rest.remove_prefix(rest.find(',') + 1);
    return std::string(rest.substr(0, rest.find(',')));
}

}  // namespace pyk::aot
