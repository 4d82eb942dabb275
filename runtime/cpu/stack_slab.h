// Stacks for fibers, mapped many at a time.
#pragma once

#include <cstddef>
#include <vector>

namespace pyk::cpu {

struct Stack {
    unsigned char* top;  ///< the end: stacks grow downwards
    std::size_t size;
};

/// Memory for stacks of one size, touched page by page as it is used and returned at the end. Below each stack lies a
/// page that faults, as long as the process has not thousands of them (the kernel limits mappings).
class StackSlab {
  public:
    explicit StackSlab(std::size_t stack_bytes);
    ~StackSlab();
    StackSlab(const StackSlab&) = delete;
    StackSlab& operator=(const StackSlab&) = delete;

    /// Throws std::bad_alloc.
    Stack take();
    std::size_t stack_bytes() const { return stack_bytes_; }

  private:
    void map_more();

    std::size_t stack_bytes_, per_mapping_;
    std::vector<void*> mappings_;
    std::size_t left_ = 0;  ///< stacks not yet taken of the last mapping
    int guards_ = 0;
};

}  // namespace pyk::cpu
