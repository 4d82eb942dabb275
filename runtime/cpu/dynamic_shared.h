// The shared memory that a launch sizes.
#pragma once

#include <cstddef>
#include <memory>

namespace pyk::cpu {

/// A block's, between two zones that nothing writes to: what a kernel writes just outside is noticed, and harms nobody.
class DynamicShared {
  public:
    DynamicShared();

    /// Before a launch. Throws std::bad_alloc.
    void prepare(std::size_t bytes);
    /// Aligned to 128 bytes.
    unsigned char* data() const;
    /// Of the launch: whether something outside was written to.
    bool is_overrun();

  private:
    void mark();

    std::unique_ptr<unsigned char, void (*)(void*)> memory_;
    std::size_t capacity_ = 0;  ///< between the zones
    std::size_t bytes_ = 0;
};

}  // namespace pyk::cpu
