// Code on a GPU, and its launches.
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "cuda_context.h"
#include "report.h"

namespace pyk::driver::cuda {
namespace {

class CudaModule final : public LoadedModule {
  public:
    CudaModule(CudaContext& context, void* handle) : LoadedModule(context), cuda_(context), handle_(handle) {}
    /// The program's own code.
    CudaModule(CudaContext& context, FindLinked find, void* check_report)
        : LoadedModule(context), cuda_(context), find_(find), check_report_(address_of(check_report)) {}
    ~CudaModule() override {
        if (!handle_) return;
        cuda_.modules.remove(handle_);
        const Status ignored = cuda_.call("CUDA module", [&] { return api().cuModuleUnload(handle_); });
    }

    /// Finds what the host shares with the module's kernels. `image`: the module's own.
    Status connect(std::string_view image, const PrintSink& sink) {
        check_report_ = global(image, "pyk_check_report");
        const Address at = global(image, "pyk_prints");
        if (!at) return {};
        Result<std::shared_ptr<GpuPrints>> prints = cuda_.prints.ring_of(cuda_, sink);
        if (!prints) return prints.status();
        prints_ = *std::move(prints);
        void* const ring = prints_->address();
        return write_now(cuda_, reinterpret_cast<void*>(at), &ring, sizeof ring);
    }

    Result<void*> function(const std::string& symbol) override {
        auto own = std::make_unique<Function>(cuda_.handle(), RecentLaunches::lasting(symbol));
        const std::string what = "CUDA module has no kernel '" + symbol + "'";
        Status s = cuda_.call(what.c_str(), [&] {
            return find_ ? find_(symbol.c_str(), &own->handle)
                         : api().cuModuleGetFunction(&own->handle, handle_, symbol.c_str());
        });
        if (!s) return s;
        const std::lock_guard lock(mutex_);
        functions_.push_back(std::move(own));
        return static_cast<void*>(functions_.back().get());
    }

    Result<KernelResources> resources(void* function) override {
        int values[5] = {};
        for (int which = function_max_threads; which <= function_registers; ++which) {
            Status s = cuda_.call("attributes of a kernel",
                                  [&] { return api().cuFuncGetAttribute(&values[which], which, handle_of(function)); });
            if (!s) return s;
        }
        KernelResources r;
        r.max_threads_per_block = values[function_max_threads];
        r.shared_bytes = static_cast<std::size_t>(values[function_shared]);
        r.const_bytes = static_cast<std::size_t>(values[function_const]);
        r.local_bytes = static_cast<std::size_t>(values[function_local]);
        r.registers = values[function_registers];
        return r;
    }

    [[gnu::hot]] Status launch(void* function, const LaunchConfig& config, std::size_t static_shared, const void* args,
                               std::size_t size) override {
        const Function& f = *static_cast<const Function*>(function);
        if (is_forked()) return check_not_forked();
        cuda_.recent.note(f.symbol, config, args, size);
        if (config.cooperative || config.cluster.x != 0 || asks_for_shared(config, static_shared) ||
            !f.is_current_for(config.stream.handle))
            return launch_specially(f, config, static_shared, args, size);
        const Code code = f.launch(config, args, size);
        return code == 0 ? Status() : launch_failure(code, f, config, static_shared);
    }

    Result<int> best_block(void* function, std::size_t shared_bytes) override {
        int grid = 0, block = 0;
        Status s = cuda_.call("occupancy", [&] {
            return api().cuOccupancyMaxPotentialBlockSize(&grid, &block, handle_of(function), nullptr, shared_bytes, 0);
        });
        if (!s) return s;
        return block;
    }
    Result<int> blocks_per_multiprocessor(void* function, int threads, std::size_t shared_bytes) override {
        int blocks = 0;
        Status s = cuda_.call("occupancy", [&] {
            return api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, handle_of(function), threads,
                                                                     shared_bytes);
        });
        if (!s) return s;
        return blocks;
    }

    Result<std::optional<CheckReport>> take_check_report() override {
        if (!check_report_) return std::optional<CheckReport>();
        if (Status s = context.synchronize(); !s) return s;
        check_report report{};
        void* const at = reinterpret_cast<void*>(check_report_);
        if (Status s = context.copy(&report, at, sizeof report, nullptr); !s) return s;
        if (Status s = context.synchronize_stream(nullptr); !s) return s;
        if (report.threads == 0) return std::optional<CheckReport>();
        // Streams of ours do not wait for the default one: the next kernel's report must not be cleared.
        if (Status s = context.fill(at, 1, 0, 1, sizeof report, nullptr); !s) return s;
        if (Status s = context.synchronize_stream(nullptr); !s) return s;
        return std::optional(to_report(report));
    }

  private:
    /// Its address, or 0. Asked for only where it is: tools such as compute-sanitizer report every call that fails.
    Address global(std::string_view image, const char* name) {
        Address at = 0;
        std::size_t bytes = 0;
        if (image.find(name) == std::string_view::npos) return 0;
        const Status s = cuda_.call(name, [&] { return api().cuModuleGetGlobal_v2(&at, &bytes, handle_, name); });
        return s ? at : 0;
    }

    /// All that most launches read, in one line of the cache: the driver's own work leaves none of ours there.
    struct alignas(64) Function {
        Function(void* of_context, const std::string& of_symbol) : context(of_context), symbol(of_symbol) {}

        void* handle = nullptr;  // CUfunction
        decltype(Api::cuLaunchKernel) launch_kernel = api().cuLaunchKernel;
        decltype(Api::cuCtxGetCurrent) current_context = api().cuCtxGetCurrent;
        void* context;
        const std::string& symbol;
        mutable std::atomic<bool> has_asked{false};  // for all the shared memory that a block may have

        /// A stream that was made says which context is meant; for the default ones it must be current.
        bool is_current_for(const void* stream) const {
            void* current = nullptr;
            return !is_default(stream) || (current_context(&current) == 0 && current == context);
        }
        Code launch(const LaunchConfig& config, const void* args, std::size_t size) const {
            void* extra[] = {kParamPointer, const_cast<void*>(args), kParamSize, &size, kParamEnd};
            return launch_kernel(handle, config.grid.x, config.grid.y, config.grid.z, config.block.x, config.block.y,
                                 config.block.z, static_cast<unsigned>(config.shared_bytes), config.stream.handle,
                                 nullptr, size ? extra : nullptr);
        }
    };
    static void* handle_of(void* function) { return static_cast<const Function*>(function)->handle; }

    /// With more shared memory than a block has unasked, in clusters, together, or in a context that is not current.
    [[gnu::cold]] Status launch_specially(const Function& f, const LaunchConfig& config, std::size_t static_shared,
                                          const void* args, std::size_t size) {
        const bool asks = asks_for_shared(config, static_shared);
        // The driver takes 32 bits of it.
        if (asks && static_shared + config.shared_bytes > cuda_.info.max_shared_per_block)
            return refused(f, config, static_shared);
        std::optional<Current> current;
        if (is_default(config.stream.handle) || asks) current.emplace(cuda_.handle());
        if (asks)
            if (const Code code = ask_for_shared(f, static_shared); code != 0)
                return launch_failure(code, f, config, static_shared);
        const bool has_attributes = config.cooperative || config.cluster.x != 0;
        const Code code = has_attributes ? launch_with_attributes(f, config, args, size) : f.launch(config, args, size);
        return code == 0 ? Status() : launch_failure(code, f, config, static_shared);
    }

    /// Null, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD.
    static bool is_default(const void* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }
    static bool asks_for_shared(const LaunchConfig& config, std::size_t static_shared) {
        return static_shared + config.shared_bytes > kSharedWithoutAsking;
    }

    /// The limit is of the function, not of the launch: other threads may launch it with more or less.
    Code ask_for_shared(const Function& f, std::size_t static_shared) const {
        if (f.has_asked.load(std::memory_order_relaxed)) return 0;
        const Code code = api().cuFuncSetAttribute(f.handle, function_max_dynamic_shared,
                                                   static_cast<int>(cuda_.info.max_shared_per_block - static_shared));
        if (code == 0) f.has_asked.store(true, std::memory_order_relaxed);
        return code;
    }

    static Code launch_with_attributes(const Function& f, const LaunchConfig& config, const void* args,
                                       std::size_t size) {
        void* extra[] = {kParamPointer, const_cast<void*>(args), kParamSize, &size, kParamEnd};
        LaunchAttribute attributes[2] = {};
        unsigned count = 0;
        if (config.cooperative) {
            attributes[count].id = kCooperative;
            attributes[count++].value.flag = 1;
        }
        if (config.cluster.x) {
            const Dim3& c = config.cluster;
            if (c.count() > 8) api().cuFuncSetAttribute(f.handle, function_nonportable_cluster, 1);
            attributes[count].id = kCluster;
            attributes[count].value.cluster[0] = c.x;
            attributes[count].value.cluster[1] = c.y;
            attributes[count++].value.cluster[2] = c.z;
        }
        const LaunchDescription description{{config.grid.x, config.grid.y, config.grid.z},
                                            {config.block.x, config.block.y, config.block.z},
                                            static_cast<unsigned>(config.shared_bytes),
                                            config.stream.handle,
                                            attributes,
                                            count};
        return api().cuLaunchKernelEx(&description, f.handle, nullptr, size ? extra : nullptr);
    }

    /// What a person would look at first.
    [[gnu::cold]] Status launch_failure(Code code, const Function& f, const LaunchConfig& config,
                                        std::size_t static_shared) {
        if (why_not_launched(config, static_shared).empty())
            return cuda_.checked(code, ("launch of " + f.symbol).c_str());
        return refused(f, config, static_shared);
    }

    Status refused(const Function& f, const LaunchConfig& config, std::size_t static_shared) const {
        return Status::failure("launch of " + f.symbol + ": " + why_not_launched(config, static_shared),
                               Error::Kind::arguments);
    }

    std::string why_not_launched(const LaunchConfig& config, std::size_t static_shared) const {
        const unsigned long long threads = config.block.count();
        if (threads == 0 || config.grid.count() == 0) return "an extent of the grid or the block is 0";
        if (threads > static_cast<unsigned long long>(cuda_.info.max_threads_per_block))
            return "a block of " + std::to_string(threads) + " threads, of at most " +
                   std::to_string(cuda_.info.max_threads_per_block);
        if (static_shared + config.shared_bytes > cuda_.info.max_shared_per_block)
            return std::to_string(static_shared + config.shared_bytes) + " bytes of shared memory, of at most " +
                   std::to_string(cuda_.info.max_shared_per_block);
        return {};
    }

    CudaContext& cuda_;
    void* handle_ = nullptr;     // CUmodule; null: the program's own code
    FindLinked find_ = nullptr;  // of that code
    Address check_report_ = 0;
    std::shared_ptr<GpuPrints> prints_;  // outlives the module
    std::mutex mutex_;
    std::deque<std::unique_ptr<Function>> functions_;
};

}  // namespace

Result<std::shared_ptr<LoadedModule>> CudaContext::load(const void* image, std::size_t size, const PrintSink& sink) {
    std::vector<char> ended(static_cast<const char*>(image), static_cast<const char*>(image) + size);
    ended.push_back('\0');  // PTX ends with a zero
    void* handle = nullptr;
    const RelaxedCaptures relaxed;
    if (Status s = call("loading a CUDA module", [&] { return api().cuModuleLoadData(&handle, ended.data()); }); !s)
        return s;
    auto module = std::make_shared<CudaModule>(*this, handle);
    if (Status s = module->connect({ended.data(), ended.size()}, sink); !s) return s;
    modules.add(handle, module);
    return std::shared_ptr<LoadedModule>(std::move(module));
}

Result<std::shared_ptr<LoadedModule>> CudaContext::linked_code(FindLinked find, bool has_checks) {
    void* report = nullptr;
    if (has_checks)
        if (Status s = call("the program's own kernels", [&] { return find("", &report); }); !s) return s;
    return std::shared_ptr<LoadedModule>(std::make_shared<CudaModule>(*this, find, report));
}

}  // namespace pyk::driver::cuda
