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
Result<const Instance*> instance_of(ArrayFunction& function, const std::vector<ElementType>& loop, ElementAccess access,
                                    const std::vector<ElementType>& elements, driver::Context& device,
                                    StreamRef stream);

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
Result<AnyArray> new_array(ElementType type, const arrays::Shape& shape, driver::Context& device, StreamRef stream);

/// Whether it is no array, and more than a launch has room for: it is made an array without axes.
bool is_large_value(const Argument& argument);
/// The value of an argument that is no array, as one of the type. `room`: bytes. False: it does not fit.
bool write_value(unsigned char* to, std::size_t room, ElementType type, const Argument& value);

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
    ArrayCall(ArrayFunction& function, const detail::ArrayCall& call) : function_(function), call_(call) {
        make_cells();
    }
    /// `result`: where the new array goes; null: the call has an output.
    Status run(AnyArray* result);
    /// Compiles what the call would launch.
    Result<Preload> preload(const Shared<ArrayFunction>& function);

  private:
    void make_cells();
    bool has_arrays() const;
    Status prepare();
    Status choose_loop();
    Status place_inputs();
    Status place_output(const Instance& instance, AnyArray* result);
    Status part(arrays::Layout& input, const arrays::Layout& output);
    bool is_flat_on_gpu() const;
    BuildRequest request(const std::vector<ElementType>& elements, bool wide) const;
    Result<const Instance*> instance(const std::vector<ElementType>& elements) const;
    std::vector<ElementType> elements_with_output() const;
    Result<const Instance*> instance_for_output();
    Status launch(const Instance& instance);

    ArrayFunction& function_;
    detail::ArrayCall call_;
    std::vector<Argument> cells_;  ///< the arguments, where some are made arrays
    driver::Context* device_ = nullptr;
    std::vector<ElementType> loop_;
    std::vector<ElementType> elements_;  ///< of the inputs in memory
    std::vector<arrays::Number> numbers_;
    std::vector<arrays::Layout> operands_;  ///< the inputs, then the output
    arrays::Shape shape_;                   ///< of the output
    arrays::Access way_ = arrays::Access::flat;
    std::deque<HostArrays> copies_;
    std::vector<Buffer> parted_;  ///< inputs that overlap the output
};

}  // namespace pyk::jit
