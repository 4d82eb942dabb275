#include "pyk/stencil.hpp"

#include <algorithm>
#include <cstring>

#include "array/stencil.h"
#include "driver.h"
#include "jit/array_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "jit/packing.h"
#include "jit/refuse.h"

namespace pyk::jit {
namespace {

using arrays::Layout;
using arrays::Shape;

/// Lives for one call.
class StencilCall {
  public:
    StencilCall(ArrayFunction& function, const std::vector<Argument>& arguments, const Argument* out, StreamRef stream)
        : function_(function), name_(function.summary.name), arguments_(arguments), out_(out), stream_(stream) {}

    Status run(AnyArray* result) {
        if (Status s = check(); !s) return s;
        const Result<driver::Context*> device =
            device_of(*function_.instances.engine, {arguments_.data(), arguments_.size(), out_, stream_});
        if (!device) return device.status();
        device_ = *device;
        if (Status s = place_all(); !s) return s;
        const Result<const Instance*> instance = instance_of(function_, request(), *device_, stream_);
        if (!instance) return instance.status();
        if (result) {
            Result<AnyArray> made =
                new_array((*instance)->entry.params.back().type.element_type(), shape(), *device_, stream_);
            if (!made) return made.status();
            placed_.push_back(MakeArgument<AnyArray>::from(*made));
            *result = *std::move(made);
        }
        const Shape extents = shape();
        if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return {};
        if (Status s = launch(**instance); !s) return s;
        if (Status s = finish(**instance, stream_); !s) return s;
        return out_ && !copies_.empty() ? copies_.back().copy_back() : Status();
    }

  private:
    Shape shape() const { return {arguments_[0].shape, arguments_[0].shape + arguments_[0].ndim}; }

    Status check() const {
        const std::size_t wanted = function_.summary.params.size();
        if (arguments_.size() != wanted) return refuse_count("`" + name_ + "`", wanted, arguments_.size());
        for (std::size_t i = 0; i < wanted; ++i)
            if (!arguments_[i].element_type().is_value())
                return refuse("argument " + std::to_string(i + 1) + " of `" + name_ + "` is of " +
                              name_of(arguments_[i].element_type()) + ", which no stencil takes");
        if (!arguments_[0].is_array() || arguments_[0].ndim < 1 || arguments_[0].ndim > 3)
            return refuse("the first argument of `" + name_ + "` is no array of 1 to 3 axes");
        for (std::size_t i = 1; i < wanted; ++i)
            if (Status s = check_beside_first(i); !s) return s;
        if (!out_) return {};
        if (!out_->is_array() || !out_->element_type().is_value())
            return refuse("the output of `" + name_ + "` is no array of values");
        if (out_->readonly) return refuse("the output of `" + name_ + "` is const");
        const Shape given(out_->shape, out_->shape + out_->ndim);
        if (given != shape())
            return refuse("the output has shape " + arrays::text_of(given) + ", the first argument " +
                          arrays::text_of(shape()));
        return {};
    }

    /// Of an array that is indexed around the element too, as Numba asks for.
    Status check_beside_first(std::size_t i) const {
        const Argument &first = arguments_[0], &other = arguments_[i];
        if (!other.is_array() || other.ndim != first.ndim || function_.summary.standard[i]) return {};
        for (int axis = 0; axis < first.ndim; ++axis)
            if (other.shape[axis] < first.shape[axis])
                return refuse("argument " + std::to_string(i + 1) + " of `" + name_ + "` has " +
                              std::to_string(other.shape[axis]) + " elements along axis " + std::to_string(axis) +
                              ", fewer than the first one's " + std::to_string(first.shape[axis]));
        return {};
    }

    /// The output last, where it is given: what is copied back.
    Status place_all() {
        std::vector<Layout> layouts;
        for (const Argument& argument : arguments_)
            if (Status s = place_one(argument, false, layouts); !s) return s;
        if (!out_) return {};
        if (arrays::repeats(layout_of(*out_))) return refuse("elements of the output share memory");
        if (Status s = place_one(*out_, true, layouts); !s) return s;
        for (std::size_t i = 0; i + 1 < layouts.size(); ++i)
            if (arrays::may_overlap(layouts[i], layouts.back())) {
                const Result<Layout> copy = arrays::set_apart(layouts[i], *device_, stream_, apart_);
                if (!copy) return copy.status();
                placed_[i].data = copy->data;
            }
        return {};
    }

    Status place_one(const Argument& argument, bool is_output, std::vector<Layout>& layouts) {
        Result<Layout> layout = place(argument, is_output, *device_, stream_, copies_);
        if (!layout) return layout.status();
        Argument& placed = placed_.emplace_back(argument);
        if (argument.is_array()) {
            placed.data = layout->data;
            placed.order = order_of(argument.shape, layout->strides.data(), argument.ndim, layout->element_bytes);
            if (argument.ndim == 0) placed.order = Order::cell;
            if (placed.order != Order::c && argument.ndim != 0) placed.order = Order::strided;
            std::copy(layout->strides.begin(), layout->strides.end(), placed.strides);
        }
        layouts.push_back(*std::move(layout));
        return {};
    }

    BuildRequest request() const {
        BuildRequest request{name_, {}, false, arch_of(*device_), ElementAccess::stencil, {}, {}, {}};
        for (std::size_t i = 0; i < arguments_.size(); ++i) request.types.push_back(type_of(placed_[i]));
        if (out_) request.output = type_of(placed_.back());
        return request;
    }

    Status launch(const Instance& instance) {
        Result<LaunchConfig> config = arrays::stencil_config(shape(), name_);
        if (!config) return config.status();
        config->stream = stream_;
        std::vector<std::max_align_t> buffer(instance.packed_bytes / sizeof(std::max_align_t) + 1);
        auto* const packed = reinterpret_cast<unsigned char*>(buffer.data());
        for (std::size_t i = 0; i < placed_.size(); ++i)
            if (!pack(instance.params[i], placed_[i], placed_[i].is_array() ? placed_[i].data : nullptr, packed))
                return refuse("the value of argument " + std::to_string(i + 1) + " of `" + name_ + "` does not fit");
        return instance.kernel.launch(*config, packed, instance.packed_bytes);
    }

    ArrayFunction& function_;
    const std::string& name_;
    const std::vector<Argument>& arguments_;
    const Argument* out_;
    StreamRef stream_;
    driver::Context* device_ = nullptr;
    std::vector<Argument> placed_;  ///< where the device finds them; the output last
    std::deque<HostArrays> copies_;
    std::vector<Buffer> apart_;  ///< inputs that overlap the output
};

}  // namespace

namespace detail {

Status call_stencil(ArrayFunction& function, const std::vector<Argument>& arguments, const Argument* out,
                    StreamRef stream, AnyArray* result) {
    return guarded([&]() -> Status {
        if (Status s = StencilCall(function, arguments, out, stream).run(result); !s || !result) return s;
        Result<AnyArray> placed =
            where_it_belongs(std::move(*result), {arguments.data(), arguments.size(), nullptr, stream});
        if (placed) *result = *std::move(placed);
        return placed.status();
    });
}

}  // namespace detail

const std::string& Stencil::name() const { return function_->summary.name; }
std::vector<std::string> Stencil::params() const { return function_->summary.params; }

std::vector<Specialization> Stencil::specializations() const { return specializations_of(function_); }

Result<Stencil> stencil(const Module& module, std::string_view name) {
    Result<Shared<ArrayFunction>> found = find_array_function(module, name, ArrayFunctionKind::stencil);
    if (!found) return found.status();
    return Stencil(*std::move(found));
}

std::vector<std::string> stencil_names(const Module& module) {
    return array_function_names(*engine_of(module), ArrayFunctionKind::stencil);
}

}  // namespace pyk::jit
