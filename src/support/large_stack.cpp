#include "support/large_stack.h"

#include <pthread.h>

#include <exception>

#include "support/fault.h"

namespace pyk {
namespace {

constexpr size_t kLargest = size_t{1} << 30;
constexpr size_t kSmallest = size_t{16} << 20;

thread_local bool on_it = false;

struct Call {
    const std::function<void()>* work;
    std::exception_ptr thrown;
};

void* run(void* argument) {
    auto* call = static_cast<Call*>(argument);
    on_it = true;
    try {
        (*call->work)();
    } catch (...) {
        call->thrown = std::current_exception();
    }
    return nullptr;
}

// The address space may be limited (ulimit -v): then a smaller stack has to do.
bool start(pthread_t& thread, Call& call) {
    for (size_t size = kLargest; size >= kSmallest; size /= 2) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, size);
        const int failed = pthread_create(&thread, &attributes, run, &call);
        pthread_attr_destroy(&attributes);
        if (!failed) return true;
    }
    return false;
}

}  // namespace

void run_on_large_stack(const std::function<void()>& work) {
    if (on_it) return work();
    Call call{&work, nullptr};
    pthread_t thread;
    if (!start(thread, call)) internal_error("cannot start a thread");
    pthread_join(thread, nullptr);
    if (call.thrown) std::rethrow_exception(call.thrown);
}

}  // namespace pyk
