// Calls of `@stencil` functions that were compiled ahead of time.
#include "array/stencil.h"

#include "array/apart.h"
#include "code.h"
#include "passed.h"
#include "pyk/aot_stencil.h"

namespace pyk::aot {
namespace {

using arrays::Layout;
using arrays::Shape;

Shape shape_of(const Passed& array) { return {array.shape, array.shape + array.ndim}; }

Layout layout_of(const Passed& array) {
    return {static_cast<char*>(const_cast<void*>(array.data)), static_cast<long long>(array.size), shape_of(array),
            Shape(array.strides, array.strides + array.ndim)};
}

/// Lives for one call.
class StencilCall {
  public:
    StencilCall(File& file, const Kernel& kernel, const char* indexing, StreamRef stream, const Passed* arguments,
                std::size_t count)
        : file_(file), kernel_(kernel), indexing_(indexing), stream_(stream), passed_(arguments, arguments + count) {}

    Status run() {
        if (Status s = check_shapes(); !s) return s;
        const Result<driver::Context*> device = device_for(kernel_, stream_, passed_.data(), passed_.size());
        if (!device) return device.status();
        if (count_of(passed_.back()) == 0) return {};
        for (std::size_t i = 0; i + 1 < passed_.size(); ++i)
            if (Status s = set_apart(passed_[i], **device); !s) return s;
        Result<LaunchConfig> config = arrays::stencil_config(shape_of(passed_.back()), kernel_.name);
        if (!config) return config.status();
        config->stream = StreamRef(*device, stream_.handle);
        return launch_passed(file_, kernel_, *config, passed_.data(), passed_.size());
    }

  private:
    Status check_shapes() const {
        const Shape first = shape_of(passed_.front()), output = shape_of(passed_.back());
        if (output != first)
            return refuse("the output has shape " + arrays::text_of(output) + ", the first argument " +
                          arrays::text_of(first));
        if (arrays::repeats(layout_of(passed_.back()))) return refuse("elements of the output share memory");
        for (std::size_t i = 1; i + 1 < passed_.size(); ++i)
            for (std::size_t axis = 0; indexing_[i] == 'r' && axis < first.size(); ++axis)
                if (passed_[i].shape[axis] < first[axis])
                    return refuse(which(kernel_, i) + " has " + std::to_string(passed_[i].shape[axis]) +
                                  " elements along axis " + std::to_string(axis) + ", fewer than the first one's " +
                                  std::to_string(first[axis]));
        return {};
    }

    Status set_apart(Passed& input, driver::Context& device) {
        if (input.ndim == 0 || !arrays::may_overlap(layout_of(input), layout_of(passed_.back()))) return {};
        const Result<Layout> copy = arrays::set_apart(layout_of(input), device, stream_, apart_);
        if (!copy) return copy.status();
        input.data = copy->data;
        return {};
    }

    File& file_;
    const Kernel& kernel_;
    const char* indexing_;
    StreamRef stream_;
    std::vector<Passed> passed_;  ///< the output last
    std::vector<Buffer> apart_;   ///< inputs that overlap it
};

}  // namespace

Status call_stencil_passed(File& file, const Kernel& kernel, const char* indexing, StreamRef stream,
                           const Passed* arguments, std::size_t count) {
    return guarded([&] { return StencilCall(file, kernel, indexing, stream, arguments, count).run(); });
}

}  // namespace pyk::aot
