// Lines that kernels printed, on their way to a sink.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "callback.h"
#include "pyk/print_sink.h"

namespace pyk::driver {

/// The text of a line as runtime/device/pyk/print_ring.h lays it out: as `printf` in the C locale, and as Python.
std::string rendered_line(const unsigned long long* words);

/// A ring of lines that a device writes and the host reads. One reader at a time.
class LineRing {
  public:
    /// `words`: zeros, `capacity` of them, a power of two.
    LineRing(unsigned long long* words, unsigned long long capacity, unsigned long long* freed,
             const unsigned long long* lost)
        : words_(words), capacity_(capacity), freed_(freed), lost_(lost) {}

    /// The next line that is wholly there, or that lines were lost. False: neither.
    bool take(std::string& line);

  private:
    unsigned long long* words_;
    unsigned long long capacity_;
    unsigned long long* freed_;
    const unsigned long long* lost_;
    unsigned long long at_ = 0, lost_before_ = 0;
};

struct SinkState {
    Handler<std::string_view> write;
    std::size_t buffer_bytes = 0;

    /// Hands out what `take(std::string&)` gives, until it gives false. Where this thread is doing so already, in a
    /// `write` that launches, the call further out hands out these lines behind its own.
    template <class Take>
    void deliver(Take take) {
        std::string line;
        if (deliverer_.load(std::memory_order_relaxed) == std::this_thread::get_id()) {
            while (take(line)) later_.push_back(std::move(line));
            return;
        }
        const std::lock_guard lock(mutex_);
        const Delivering delivering(deliverer_);
        while (take_later(line)) call_back(write, std::string_view(line));  // of a call that ended with an exception
        while (take(line) || take_later(line)) call_back(write, std::string_view(line));
    }

  private:
    struct Delivering {
        explicit Delivering(std::atomic<std::thread::id>& by) : by(by) { by = std::this_thread::get_id(); }
        ~Delivering() { by = std::thread::id(); }
        Delivering(const Delivering&) = delete;
        Delivering& operator=(const Delivering&) = delete;
        std::atomic<std::thread::id>& by;
    };

    bool take_later(std::string& line) {
        if (later_.empty()) return false;
        line = std::move(later_.front());
        later_.pop_front();
        return true;
    }

    std::mutex mutex_;
    std::atomic<std::thread::id> deliverer_{};
    std::deque<std::string> later_;  ///< the deliverer's
};

/// Lines of kernels on the CPU, which several threads write.
class LineQueue {
  public:
    void add(const unsigned long long* words, unsigned count);
    bool take(std::string& line);

  private:
    std::mutex mutex_;
    std::vector<unsigned long long> words_;
    std::size_t at_ = 0;
    unsigned long long lost_ = 0;
};

}  // namespace pyk::driver
