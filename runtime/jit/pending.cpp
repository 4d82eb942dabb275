#include "jit/pending.h"

#include "jit/compiler_library.h"
#include "jit/kept.h"
#include "jit/workers.h"

namespace pyk::jit {

bool Preload::is_done() const {
    const std::lock_guard lock(pending_->mutex);
    return pending_->outcome.has_value();
}

Status Preload::wait() const {
    std::unique_lock lock(pending_->mutex);
    pending_->changed.wait(lock, [&] { return pending_->outcome.has_value(); });
    if (pending_->thrown) std::rethrow_exception(pending_->thrown);
    return *pending_->outcome;
}

void open_for(const driver::Context& device) {
    if (const Result<const Compiler*> compiler = open_compiler())
        (void)(*compiler)->why_no_tool(arch_of(device).is_cpu);
}

void open_for(const Engine& engine, const BuildRequest& request, const driver::Context& device) {
    if (!find_built(engine, request)) open_for(device);
}

Preload failed_preload(Status status) {
    auto pending = std::make_shared<PendingCompile>();
    pending->outcome = std::move(status);
    return Preload(std::move(pending));
}

Preload preload_first(const Shared<ArrayFunction>& function, const Device& device, std::vector<BuildRequest> requests,
                      std::function<bool(const Instance&)> serves) {
    KernelState& instances = function->instances;
    auto pending = std::make_shared<PendingCompile>();
    pending->engine = instances.engine->shared_from_this();
    if (!requests.empty()) open_for(*instances.engine, requests.front(), device.context());
    run_in_background([pending, function, device, requests = std::move(requests), serves = std::move(serves)] {
        pending->run([&]() -> Status {
            for (const BuildRequest& request : requests) {
                const Result<Found> found = instance_for(function->instances, request, device.context());
                if (!found) return found.status();
                if (serves(*found->instance)) break;
            }
            return {};
        });
    });
    return Preload(std::move(pending));
}

}  // namespace pyk::jit
