// The CPU as a device: memory is the host's, a stream's work is done when it is given, a graph is a list of calls.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "array_memory.h"
#include "driver.h"
#include "prints.h"
#include "pyk/cpu_module.h"
#include "pyk/print_ring.h"

namespace pyk::driver {
namespace {

using Call = std::function<Status()>;
using Graph = std::vector<Call>;

struct CpuStream {
    std::mutex mutex;
    bool is_capturing = false;
    Graph captured;
};

/// Those that there are: a handle may come from anywhere.
class CpuStreams {
  public:
    void* create() {
        const std::lock_guard lock(mutex_);
        return known_.insert(std::make_unique<CpuStream>()).first->get();
    }
    void destroy(void* handle) {
        const std::lock_guard lock(mutex_);
        if (const auto at = find(handle); at != known_.end()) known_.erase(at);
    }
    /// Null: the default stream.
    Result<CpuStream*> of(void* handle) {
        if (!handle) return static_cast<CpuStream*>(nullptr);
        const std::lock_guard lock(mutex_);
        if (const auto at = find(handle); at != known_.end()) return at->get();
        return Status::failure("the stream is none of the CPU's, or was destroyed", Error::Kind::arguments);
    }

  private:
    using Known = std::set<std::unique_ptr<CpuStream>>;
    Known::iterator find(void* handle) {
        return std::find_if(known_.begin(), known_.end(), [&](const auto& stream) { return stream.get() == handle; });
    }
    std::mutex mutex_;
    Known known_;
};

CpuStreams& streams() {
    static CpuStreams& all = *new CpuStreams;  // outlives static objects of the program
    return all;
}

struct CpuEvent {
    std::chrono::steady_clock::time_point time{};
    bool is_recorded = false;
};

/// The handle of an object that captured calls may share with its owner.
template <typename T>
void* new_handle(T object) {
    return new std::shared_ptr<T>(std::make_shared<T>(std::move(object)));
}
template <typename T>
const std::shared_ptr<T>& of_handle(void* handle) {
    return *static_cast<std::shared_ptr<T>*>(handle);
}
template <typename T>
void delete_handle(void* handle) {
    delete static_cast<std::shared_ptr<T>*>(handle);
}

/// Does the call now, or keeps it for later where the stream is being captured.
Status run(void* stream, Call call) {
    const Result<CpuStream*> known = streams().of(stream);
    if (!known) return known.status();
    if (CpuStream* const s = *known) {
        const std::lock_guard lock(s->mutex);
        if (s->is_capturing) {
            s->captured.push_back(std::move(call));
            return {};
        }
    }
    return call();
}

/// The path of an open file, spelled differently each time: the loader takes equal names for the same library, and
/// numbers of files come again.
std::string unlike_any_before(int file) {
    static std::atomic<unsigned long long> opened{0};
    std::string path = "/proc/self/fd/";
    for (unsigned long long n = ++opened; n; n /= 2) path += n % 2 ? ".//" : "./";
    return path + std::to_string(file);
}

/// A shared object from memory, through a file that has no name.
Result<void*> open_image(const void* image, std::size_t size) {
    const int file = memfd_create("pyk", MFD_CLOEXEC);
    if (file < 0) return Status::failure(std::string("a file in memory: ") + std::strerror(errno));
    const auto* bytes = static_cast<const char*>(image);
    for (std::size_t done = 0; done < size;) {
        const ssize_t n = write(file, bytes + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            close(file);
            return Status::failure(std::string("a file in memory: ") + std::strerror(errno), Error::Kind::memory);
        }
        done += static_cast<std::size_t>(n);
    }
    void* library = dlopen(unlike_any_before(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* error = library ? "" : dlerror();
    close(file);
    if (!library) return Status::failure(std::string("the code for the CPU cannot be loaded: ") + error);
    return library;
}

/// What the calling thread's launches found, the first of each module's: a launch runs in the thread that makes it, and
/// no call may take what another thread's found.
thread_local std::map<unsigned long long, CheckReport> reports_of_this_thread;

class CpuLoadedModule final : public LoadedModule, public std::enable_shared_from_this<CpuLoadedModule> {
  public:
    CpuLoadedModule(Context& context, void* library, const PrintSink& sink)
        : LoadedModule(context), library_(library), sink_(sink) {
        if (!library) return;
        if (auto* channel = static_cast<print_channel*>(dlsym(library, "pyk_prints"))) {
            prints_ = true;
            channel->to = &lines_;
            channel->write = [](void* to, const unsigned long long* words, unsigned count) {
                static_cast<LineQueue*>(to)->add(words, count);
            };
        }
    }
    ~CpuLoadedModule() override {
        if (library_) dlclose(library_);
    }

    Result<void*> function(const std::string& symbol) override {
        void* address = dlsym(library_, symbol.c_str());
        if (!address) return Status::failure("shared object has no kernel '" + symbol + "'");
        return address;
    }
    Result<KernelResources> resources(void*) override {
        KernelResources r;
        r.max_threads_per_block = context.info.max_threads_per_block;
        return r;
    }
    Status launch(void* function, const LaunchConfig& config, std::size_t, const void* args,
                  std::size_t size) override {
        cpu::LaunchConfig on_cpu;
        on_cpu.grid = config.grid;
        on_cpu.block = config.block;
        on_cpu.shared_bytes = config.shared_bytes;
        on_cpu.cooperative = config.cooperative;
        if (config.shared_bytes > context.info.max_shared_per_block)
            return Status::failure(std::to_string(config.shared_bytes) + " bytes of shared memory, of at most " +
                                       std::to_string(context.info.max_shared_per_block),
                                   Error::Kind::arguments);
        if (config.cluster.count() > 1)
            return Status::failure("the CPU has no thread block clusters", Error::Kind::arguments);
        const auto entry = reinterpret_cast<cpu::Entry>(function);
        void* const stream = config.stream.handle;
        if (!stream) return run_now(entry, on_cpu, args);
        const auto* bytes = static_cast<const unsigned char*>(args);
        // The arguments and the module are the caller's: a captured launch has its own, and keeps the code.
        auto own = std::make_shared<std::vector<unsigned char>>(bytes, bytes + size);
        return run(stream, [self = shared_from_this(), entry, on_cpu, own] {
            return self->run_now(entry, on_cpu, own->data());
        });
    }
    Result<int> best_block(void*, std::size_t) override { return 256; }
    Result<int> blocks_per_multiprocessor(void*, int, std::size_t) override { return 1; }
    Result<std::optional<CheckReport>> take_check_report() override {
        const auto at = reports_of_this_thread.find(number_);
        if (at == reports_of_this_thread.end()) return std::optional<CheckReport>();
        std::optional<CheckReport> report = std::move(at->second);
        reports_of_this_thread.erase(at);
        return report;
    }

  private:
    Status run_now(cpu::Entry entry, const cpu::LaunchConfig& config, const void* args) {
        Result<std::optional<CheckReport>> done = cpu::launch(entry, config, args);
        if (prints_) sink_.state().deliver([this](std::string& line) { return lines_.take(line); });
        if (!done) return done.status();
        if (*done) reports_of_this_thread.try_emplace(number_, **done);
        return {};
    }

    void* library_;  // null: the program itself
    bool prints_ = false;
    PrintSink sink_;
    LineQueue lines_;
    static inline std::atomic<unsigned long long> made_{0};
    const unsigned long long number_ = ++made_;
};

class CpuContext final : public Context {
  public:
    CpuContext() {
        info.is_cpu = true;
        info.name = "the CPU (" + std::to_string(cpu::worker_count()) + " threads)";
        info.multiprocessors = static_cast<int>(cpu::worker_count());
        info.max_threads_per_block = 1024;
        info.max_threads_per_multiprocessor = 1024;
        info.max_shared_per_block = 256 * 1024;
        info.memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page();
    }

    Result<std::size_t> free_memory() override { return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * page(); }
    Status synchronize() override { return {}; }
    Status enable_access_to(Context& other) override {
        if (&other == this) return {};
        return Status::failure("the CPU cannot access a GPU's memory", Error::Kind::arguments);
    }

    bool reaches(const Context& other) const override { return &other == this; }

    Result<void*> allocate(MemoryKind, std::size_t bytes, void*) override {
        if (bytes > info.memory * 4) return no_memory(bytes);
        void* address = cpu::allocate_memory(bytes);
        if (!address) return no_memory(bytes);
        return address;
    }
    void release(MemoryKind kind, void* address, void* stream) override {
        // What was made for captured work lives as long as that.
        std::shared_ptr<void> memory(address, cpu::release_memory);
        if (kind == MemoryKind::pooled && is_capturing(stream))
            (void)run(stream, [memory = std::move(memory)] { return Status(); });
    }
    Status copy(void* to, const void* from, std::size_t bytes, void* stream) override {
        return run(stream, [=] { return std::memmove(to, from, bytes), Status(); });
    }
    Status copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                     std::size_t rows, void* stream) override {
        return run(stream, [=] {
            for (std::size_t i = 0; i < rows; ++i)
                std::memmove(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch,
                             width);
            return Status();
        });
    }
    Status fill(void* to, std::size_t pitch, unsigned value, int width, std::size_t count, void* stream) override {
        return run(stream, [=] {
            if (width == 1 && pitch == 1) return std::memset(to, static_cast<int>(value), count), Status();
            for (std::size_t i = 0; i < count; ++i)
                std::memcpy(static_cast<char*>(to) + i * pitch, &value, static_cast<std::size_t>(width));
            return Status();
        });
    }

    Result<void*> create_stream(int) override { return streams().create(); }
    void destroy_stream(void* stream) override { streams().destroy(stream); }
    Status synchronize_stream(void* stream) override {
        if (const Result<CpuStream*> known = streams().of(stream); !known) return known.status();
        if (is_capturing(stream))
            return Status::failure("a stream that is being captured cannot be waited for", Error::Kind::arguments);
        return {};
    }
    Status wait_for(void* stream, void*) override { return streams().of(stream).status(); }
    Status begin_capture(void* stream) override {
        const Result<CpuStream*> known = streams().of(stream);
        if (!known) return known.status();
        CpuStream* const s = *known;
        if (!s) return Status::failure("the default stream cannot be captured", Error::Kind::arguments);
        const std::lock_guard lock(s->mutex);
        if (s->is_capturing) return Status::failure("the stream is being captured", Error::Kind::arguments);
        s->is_capturing = true;
        return {};
    }
    Result<void*> end_capture(void* stream) override {
        const Result<CpuStream*> known = streams().of(stream);
        if (!known) return known.status();
        CpuStream* const s = *known;
        if (!s) return Status::failure("the stream is not being captured", Error::Kind::arguments);
        const std::lock_guard lock(s->mutex);
        if (!s->is_capturing) return Status::failure("the stream is not being captured", Error::Kind::arguments);
        s->is_capturing = false;
        return new_handle(Graph(std::exchange(s->captured, {})));
    }
    bool is_capturing(void* stream) override {
        const Result<CpuStream*> known = streams().of(stream);
        if (!known || !*known) return false;
        const std::lock_guard lock((*known)->mutex);
        return (*known)->is_capturing;
    }
    Status launch_graph(void* graph, void* stream) override {
        return run(stream, [calls = of_handle<Graph>(graph)] {
            for (const Call& call : *calls)
                if (Status s = call(); !s) return s;
            return Status();
        });
    }
    void destroy_graph(void* graph) override { delete_handle<Graph>(graph); }

    Result<void*> create_event() override { return new_handle(CpuEvent()); }
    void destroy_event(void* event) override { delete_handle<CpuEvent>(event); }
    Status record(void* event, void* stream) override {
        return run(stream, [e = of_handle<CpuEvent>(event)] {
            e->time = std::chrono::steady_clock::now();
            e->is_recorded = true;
            return Status();
        });
    }
    Status wait(void*) override { return {}; }
    Result<bool> is_done(void*) override { return true; }
    Result<double> elapsed_ms(void* start, void* end) override {
        const auto from = of_handle<CpuEvent>(start), to = of_handle<CpuEvent>(end);
        if (!from->is_recorded || !to->is_recorded)
            return Status::failure("time between events: one was not recorded", Error::Kind::arguments);
        return std::chrono::duration<double, std::milli>(to->time - from->time).count();
    }

    Result<std::shared_ptr<LoadedModule>> load(const void* image, std::size_t size, const PrintSink& sink) override {
        Result<void*> library = open_image(image, size);
        if (!library) return library.status();
        return std::shared_ptr<LoadedModule>(std::make_shared<CpuLoadedModule>(*this, *library, sink));
    }

    Result<std::shared_ptr<LoadedModule>> linked_code(FindLinked, bool) override {
        return std::shared_ptr<LoadedModule>(std::make_shared<CpuLoadedModule>(*this, nullptr, PrintSink()));
    }

  private:
    static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
    static Status no_memory(std::size_t bytes) {
        return Status::failure("no memory for " + std::to_string(bytes) + " bytes", Error::Kind::memory);
    }
};

}  // namespace

Context& cpu_context() {
    static Context& context = *new CpuContext;
    return context;
}

}  // namespace pyk::driver
