// A call of an array function, from its arguments to the launches.
#pragma once

#include <deque>
#include <vector>

#include "array/dtypes.h"
#include "array/iteration.h"
#include "array/packing.h"
#include "jit/engine.h"
#include "jit/host_arrays.h"
#include "pyk/ufunc.hpp"

namespace pyk::jit {

/// Lives for one call.
class ArrayCall {
  public:
    ArrayCall(ArrayFunction& function, const detail::ArrayCall& call) : function_(function), call_(call) {}
    /// `result`: where the new array goes; null: the call has an output.
    Status run(AnyArray* result);

  private:
    bool has_arrays() const;
    Status choose_device();
    Status choose_loop();
    Status place_inputs();
    Status place_output(const Instance& instance, AnyArray* result);
    Status place(const Argument& argument, bool is_output, arrays::Layout& layout);
    Status part(arrays::Layout& input, const arrays::Layout& output);
    arrays::Access access() const;
    Result<const Instance*> instance(arrays::Access access, const std::vector<Element>& elements);
    Result<const Instance*> instance_for_output(arrays::Access access);
    Status launch(const Instance& instance, arrays::Access access);
    Status finish(const Instance& instance) const;

    ArrayFunction& function_;
    const detail::ArrayCall& call_;
    driver::Context* device_ = nullptr;
    std::vector<Element> loop_;
    std::vector<Element> elements_;  ///< of the inputs in memory
    std::vector<arrays::Number> numbers_;
    std::vector<arrays::Layout> operands_;  ///< the inputs, then the output
    arrays::Shape shape_;                   ///< of the output
    std::deque<HostArrays> copies_;         ///< of host arrays, one by one: two may begin at one place
    std::vector<Buffer> parted_;  ///< inputs that overlap the output
};

}  // namespace pyk::jit
