// The arguments of a kernel compiled ahead of time, or of a function for the CPU: which instance takes them, and how.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver.h"
#include "pyk/aot.h"

namespace pyk::aot {

/// `argument 1 (`x`) of kernel `saxpy``
std::string which(const Kernel& kernel, std::size_t index);

/// Of elements.
long long count_of(const Passed& array);

/// Fails where an array has elements and no memory, and where a value is none of the parameter's type.
Status check_argument(const Kernel& kernel, const Passed* arguments, std::size_t index);

/// The device that a call is for, which reaches all arrays: the stream's, else the arrays' own; of host memory the CPU.
Result<driver::Context*> device_for(const Kernel& kernel, StreamRef stream, const Passed* arguments, std::size_t count);

/// The first whose layouts the arrays have.
Result<const Instance*> choose_instance(const Kernel& kernel, const Passed* arguments, std::size_t count);

/// As an instance takes them. Not for use by several threads at once.
class PackedArguments {
  public:
    PackedArguments(const Instance& instance, const Passed* arguments, std::size_t count);
    PackedArguments(const PackedArguments&) = delete;
    PackedArguments& operator=(const PackedArguments&) = delete;

    const void* bytes() const { return size_ > sizeof small_ ? static_cast<const void*>(large_.data()) : small_; }
    std::size_t size() const { return size_; }

  private:
    alignas(16) unsigned char small_[1024];
    std::vector<std::max_align_t> large_;
    std::size_t size_ = 0;
};

}  // namespace pyk::aot
