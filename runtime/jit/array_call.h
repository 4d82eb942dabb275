// A call of an array function, from its arguments to the launches.
#pragma once

#include <deque>
#include <vector>

#include "array/apart.h"
#include "array/dtypes.h"
#include "array/iteration.h"
#include "array/packing.h"
#include "jit/engine.h"
#include "jit/host_arrays.h"
#include "pyk/ufunc.hpp"

namespace pyk::jit {

/// Where a call goes: to its stream's device, else that of the arrays, else the module's.
Result<driver::Context*> device_of(const Engine& engine, const detail::ArrayCall& call);

/// As the caller has them. Whether elements of an output share memory is asked of this: a copy of it is dense.
arrays::Layout layout_of(const Argument& argument);
/// Where a kernel of the device finds the elements: host arrays are copied to a GPU, each by itself, since two may
/// begin at one place.
Result<arrays::Layout> place(const Argument& argument, bool is_output, driver::Context& device, StreamRef stream,
                             std::deque<HostArrays>& copies);

/// The compiled function, from memory where it is there.
Result<const Instance*> instance_of(ArrayFunction& function, const std::vector<Element>& loop, ElementAccess access,
                                    const std::vector<Element>& elements, driver::Context& device, StreamRef stream);

/// The same for a request.
Result<const Instance*> instance_of(ArrayFunction& function, const BuildRequest& request, driver::Context& device,
                                    StreamRef stream);

Result<const Instance*> instance_of(KernelState& instances, const BuildRequest& request, driver::Context& device,
                                    StreamRef stream);

/// `@vectorize`, `@guvectorize`, `@stencil`.
enum class ArrayFunctionKind : unsigned char { ufunc, gufunc, stencil };
/// In the order of the file.
std::vector<std::string> array_function_names(const Engine& engine, ArrayFunctionKind kind);
Result<Shared<ArrayFunction>> find_array_function(const Module& module, std::string_view name, ArrayFunctionKind kind);

/// What was compiled of it so far.
std::vector<Specialization> specializations_of(const Shared<ArrayFunction>& function);

/// `out`: what is made for the result, C-contiguous.
Result<AnyArray> new_array(Element element, const arrays::Shape& shape, driver::Context& device, StreamRef stream,
                           const NamedType* named = nullptr);

/// A new array of host arrays alone is brought to the host.
Result<AnyArray> where_it_belongs(Result<AnyArray> result, const detail::ArrayCall& call);

Status launch(const Instance& instance, const arrays::PackedLoop& packed, StreamRef stream);
/// Waits for a function with checks, and says what it found.
Status finish(const Instance& instance, StreamRef stream);

/// The way of most calls: of arrays in one GPU's memory that lie dense, aligned and apart, all of one shape, and of
/// numbers, into an output that is such an array or a new one; with types that a call had before. False: this is
/// another.
bool call_known(const ArrayFunction& function, const detail::ArrayCall& call, AnyArray* result, Status& status);
/// For later calls of this kind: the loop over elements that lie side by side for these types of arguments.
void remember_call(ArrayFunction& function, const detail::ArrayCall& call, const Instance& instance);

/// Lives for one call.
class ArrayCall {
  public:
    ArrayCall(ArrayFunction& function, const detail::ArrayCall& call) : function_(function), call_(call) {}
    /// `result`: where the new array goes; null: the call has an output.
    Status run(AnyArray* result);
    /// Compiles what the call would launch.
    Result<Preload> preload(const Shared<ArrayFunction>& function);

  private:
    bool has_arrays() const;
    Status prepare();
    Status choose_loop();
    Status place_inputs();
    Status place_output(const Instance& instance, AnyArray* result);
    Status part(arrays::Layout& input, const arrays::Layout& output);
    bool is_flat_on_gpu() const;
    BuildRequest request(const std::vector<Element>& elements, bool wide) const;
    Result<const Instance*> instance(const std::vector<Element>& elements) const;
    std::vector<Element> elements_with_output() const;
    Result<const Instance*> instance_for_output();
    Status launch(const Instance& instance);

    ArrayFunction& function_;
    const detail::ArrayCall& call_;
    driver::Context* device_ = nullptr;
    std::vector<Element> loop_;
    std::vector<Element> elements_;  ///< of the inputs in memory
    std::vector<arrays::Number> numbers_;
    std::vector<arrays::Layout> operands_;  ///< the inputs, then the output
    arrays::Shape shape_;                   ///< of the output
    arrays::Access way_ = arrays::Access::flat;
    std::deque<HostArrays> copies_;
    std::vector<Buffer> parted_;  ///< inputs that overlap the output
};

}  // namespace pyk::jit
