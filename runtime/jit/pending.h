// Compiles in the background that somebody may wait for.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "jit/engine.h"
#include "jit/guarded.h"

namespace pyk::jit {

struct PendingCompile {
    std::shared_ptr<Engine> engine;
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<Status> outcome;
    std::exception_ptr thrown;  ///< by on_warning

    template <typename Work>
    void run(Work work) {
        Status status;
        std::exception_ptr by_callback;
        try {
            status = guarded(work);
        } catch (...) {
            by_callback = std::current_exception();
        }
        {
            const std::lock_guard lock(mutex);
            outcome = std::move(status);
            thrown = by_callback;
        }
        changed.notify_all();
    }
};

/// Before a compile in another thread: at the end of the program the handlers of the compiler and its tool must not
/// come before ours (workers.h), so that they are opened in this one.
void open_for(const driver::Context& device);
/// The same, unless the code is kept.
void open_for(const Engine& engine, const BuildRequest& request, const driver::Context& device);

/// Of an array function: compiles the requests one after the other until one serves.
Preload preload_first(const Shared<ArrayFunction>& function, const Device& device, std::vector<BuildRequest> requests,
                      std::function<bool(const Instance&)> serves);

/// One that has failed already.
Preload failed_preload(Status status);

template <class Begin>
Preload begun_or_failed(Begin begin) {
    Result<Preload> begun = guarded([&]() -> Result<Preload> { return begin(); });
    return begun ? *std::move(begun) : failed_preload(begun.status());
}

}  // namespace pyk::jit
