// The CPU target's thread and block. The executor (runtime/cpu) and the emitted code share these layouts.
//
// An entry runs one block: `extern "C" void <symbol>(const pyk::cpu_block* block, const void* args)`. Where no thread
// waits for another it calls for_each_thread, a loop that the compiler may vectorise (for_the_thread where a launch has
// one thread); else block->run_threads, which runs the threads together. Shared memory of a block starts as zeros where
// the entry calls clear_shared.
//
// Defines: index3, votes, meeting, meeting_place, cpu_block, parallel_work, thread_function, thread,
// make_thread, around, handling, finishing, own_memory, run_thread, for_each_thread, for_the_thread, clear_shared
#ifndef PYK_CPU_H
#define PYK_CPU_H

#include <string.h>

#include "pyk/config.h"
#include "pyk/exit.h"

namespace pyk {

struct thread;
struct check_report;
struct site;
struct twister;
enum class access_kind;

struct index3 {
    int x, y, z;
};

/// What the threads that met at a barrier said: how many of them true, and how many they were.
struct votes {
    int yes, all;
};

/// Where threads of a warp meet: the call, its line in the .pyk file, and the lanes that its mask names.
struct meeting_place {
    const char* call;
    int line;
    unsigned int mask;
};

/// What the lanes that met brought with them.
struct meeting {
    unsigned int lanes;
    unsigned long long values[32];
};

using thread_function = void (*)(thread& pyk_t, const void* args);

/// Runs iterations `first` … of a parallel loop, its part with that number, on the stack that ends there. False: one of
/// them ended its thread.
using parallel_work = bool (*)(void* context, long long part, long long first, long long count, const void* stack_end);

struct cpu_block {
    index3 blockIdx, blockDim, gridDim;
    unsigned char* shared;          ///< static shared memory: 256 KiB, aligned to 128 bytes
    unsigned char* dynamic_shared;  ///< sized by the launch, zeros when the block starts, aligned to 128 bytes
    long long dynamic_shared_bytes;
    void (*run_threads)(const cpu_block* block, thread_function function, const void* args);
    // Only in threads that run_threads started:
    votes (*sync)(const cpu_block* block, bool predicate);  ///< a barrier of the block
    void (*sync_grid)(const cpu_block* block);              ///< a barrier of all blocks of a cooperative launch
    /// A meeting of the mask's lanes in the warp of the block's thread `index`; of all lanes that come where the mask
    /// is 0. Lanes whose threads ended are not waited for.
    void (*meet)(const cpu_block* block, int index, const meeting_place& place, unsigned long long value,
                 meeting* result);
    void (*report)(const cpu_block* block, const check_report* report);  ///< keeps the launch's first report
    void* executor;                                                      ///< the executor's own
    /// Iterations 0 … count - 1, in so many parts; several at once where the block is alone. False: one ended its
    /// thread.
    bool (*run_parallel)(const cpu_block* block, long long count, long long parts, parallel_work work, void* context);
    long long parallel_workers;  ///< how many OS threads may run parts of a loop at once
    /// run_threads for threads that need more stack than those have.
    void (*run_deep_threads)(const cpu_block* block, thread_function function, const void* args, long long stack_bytes);
    /// The calling OS thread's generator of Python's `random` (0) or of `np.random` (1), the same in every call.
    twister* (*generator)(int module) __attribute__((const));
    const void* stack_end;  ///< the lowest address of the stack that the entry runs on; null: not known
    /// Reports why a thread ended, where that is known.
    void (*exited)(const thread& t, const char* why);
    /// Lets other threads, and other blocks, go on: once in each round of a loop that waits for what they store.
    void (*give_way)(const cpu_block* block);
    /// Memory of new arrays, aligned to 256 bytes; null: there is none. From any thread, and released by any.
    void* (*allocate)(size_t bytes, bool is_zeroed);
    void (*release)(void* memory);
    bool* takes_dynamic_shared;  ///< set by who takes it: only then what lies around it is looked at in the end
    /// Which of the `parallel_workers` the calling OS thread is, from 0.
    long long (*thread_number)();
    /// An access of `bytes` bytes that is watched for races: watched_cpu.h.
    void (*access)(const thread& t, access_kind kind, const void* at, size_t bytes, const void* first,
                   const site& where);
};

struct thread {
    index3 threadIdx, blockIdx, blockDim, gridDim;
    const cpu_block* block;
    const void* stack_end;  ///< of the stack that it runs on
    /// Handlers around what runs: what goes wrong there is nobody else's concern.
    mutable int handlers;
    mutable int finals;  ///< `finally` after an error, around what runs: an error there takes the place of that one

    /// The shared array of type T (`float[16][16]`) at a byte offset in the block's static shared memory.
    template <class T>
    T& shared(long long offset) const {
        return *reinterpret_cast<T*>(block->shared + offset);
    }

    /// In the block, x fastest.
    int index() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

    void sync() const { block->sync(block, false); }
    void sync_grid() const { block->sync_grid(block); }
    void give_way() const { block->give_way(block); }
    int sync_count(int predicate) const { return block->sync(block, predicate != 0).yes; }
    int sync_or(int predicate) const { return sync_count(predicate) != 0; }
    int sync_and(int predicate) const {
        const votes v = block->sync(block, predicate != 0);
        return v.yes == v.all;
    }
};

inline thread make_thread(const cpu_block& block, int x, int y, int z) {
    return {{x, y, z}, block.blockIdx, block.blockDim, block.gridDim, &block, block.stack_end, 0, 0};
}

/// As long as something runs.
class around {
  public:
    explicit around(int& count) : count_(count) { ++count_; }
    ~around() { --count_; }
    around(const around&) = delete;
    around& operator=(const around&) = delete;

  private:
    int& count_;
};

/// What has a handler.
struct handling : around {
    explicit handling(const thread& t) : around(t.handlers) {}
};

/// `finally` after an error.
struct finishing : around {
    explicit finishing(const thread& t) : around(t.finals) {}
};

/// Says that the function has arrays of its own. They are one memory for all iterations of the loop that a call of it
/// was inlined into, and the loops over threads and elements promise that no iteration writes what another reads.
/// Compilers leave a loop with an `asm` in it as it is; loops within the function are not concerned.
inline void own_memory() { asm volatile(""); }

/// Runs `body(pyk::thread&)` to its end, or to where the thread ends itself.
template <class Body>
inline void run_thread(const cpu_block& block, int x, int y, int z, Body& body) {
    thread t = make_thread(block, x, y, z);
    try {
        body(t);
    } catch (const thread_exit& exit) {
        block.exited(t, exit.why);
    }
}

/// Runs `body(pyk::thread&)` for one thread after the other. For g++ to vectorise the loop, the body must
/// use a local copy of the packed arguments, not a reference to them, and a guarded store (`if (i < n)`) needs AVX2.
template <class Body>
inline void for_each_thread(const cpu_block& block, Body body) {
    const cpu_block b = block;
    for (int z = 0; z < b.blockDim.z; ++z)
        for (int y = 0; y < b.blockDim.y; ++y)
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
            for (int x = 0; x < b.blockDim.x; ++x) run_thread(b, x, y, z, body);
}

/// The same of a launch of one thread: its loops are no inner ones.
template <class Body>
inline void for_the_thread(const cpu_block& block, Body body) {
    run_thread(block, 0, 0, 0, body);
}

inline void clear_shared(const cpu_block& block, long long bytes) {
    memset(block.shared, 0, static_cast<size_t>(bytes));
}

}  // namespace pyk

#endif  // PYK_CPU_H
