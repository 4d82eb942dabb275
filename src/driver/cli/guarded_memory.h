// Where the arrays of `pykc run` lie, so that a kernel that leaves them does not go unnoticed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pyk {

/// Copies of arrays, each in front of a page that nobody may touch: an access behind the last element raises a signal.
class GuardedMemory {
  public:
    GuardedMemory() = default;
    GuardedMemory(const GuardedMemory&) = delete;
    ~GuardedMemory();

    /// Where the copy is, aligned to 64 bytes (up to so many lie between its end and that page). Null: there is no
    /// memory for it. `bytes` stays where it is until `take_back`.
    void* add(std::string& bytes);
    /// Writes what the copies have become into the arrays.
    void take_back() const;

  private:
    struct Region {
        void* pages;
        size_t size;
        const char* copy;
        std::string* bytes;
    };
    std::vector<Region> regions_;
};

/// From here on the signals that such accesses raise, and those of a heap that was written over, end pykc with a
/// message that says so and ExitCode::diagnostics. For the time after all of ours is done: what runs is the user's
/// code.
void explain_crashes();

}  // namespace pyk
