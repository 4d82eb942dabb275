// Calls of `@vectorize` functions that were compiled ahead of time.
#include <algorithm>

#include "array/apart.h"
#include "operands.h"

namespace pyk::aot {
namespace {

using arrays::Layout;

/// Lives for one call.
class ElementCall {
  public:
    ElementCall(File& file, const ElementFunction& function, StreamRef stream, const Operands& operands)
        : file_(file), function_(function), stream_(stream), operands_(operands) {}

    Status run() {
        const Result<driver::Context*> device = device_for(operands_, stream_);
        if (!device) return device.status();
        device_ = *device;
        for (std::size_t k = 0; k < operands_.count; ++k) layouts_.push_back(layout_of(operands_[k]));
        if (Status s = check_output(); !s) return s;
        const arrays::Shape& shape = layouts_.back().shape;
        if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {};
        for (std::size_t k = 0; k + 1 < layouts_.size(); ++k)
            if (Status s = part(layouts_[k]); !s) return s;
        return launch_all();
    }

  private:
    Status check_output() const {
        const Layout& output = layouts_.back();
        if (arrays::repeats(output)) return refuse("elements of the output share memory");
        const Result<arrays::Shape> shape = arrays::broadcast({layouts_.begin(), layouts_.end() - 1});
        if (!shape) return shape.status();
        std::string why = arrays::why_not_output(output.shape, *shape);
        return why.empty() ? Status() : refuse(std::move(why));
    }

    /// NumPy reads what was there before: what the output overlaps, but for the very same elements, is copied.
    Status part(Layout& input) {
        if (!arrays::may_overlap(input, layouts_.back()) || arrays::is_same(input, layouts_.back())) return {};
        Result<Layout> copy = arrays::set_apart(input, *device_, stream_, parted_);
        if (!copy) return copy.status();
        input = *std::move(copy);
        return {};
    }

    Status launch_all() {
        arrays::Iteration whole = arrays::iterate(layouts_);
        const arrays::Access access = arrays::access_of(whole);
        const bool is_flat = access == arrays::Access::flat;
        const Result<const Loaded*> code =
            loaded_code(file_, *device_, stream_.handle,
                        {is_flat || device_->info.is_cpu ? function_.flat : function_.any, function_.entry, "function",
                         function_.name});
        if (!code) return code.status();
        const arrays::LoopCode loop{access, device_->info.is_cpu, device_->info.multiprocessors,
                                    function_.elements_per_thread};
        const Status launched =
            arrays::launch_loops(std::move(whole), numbers_of(operands_), loop,
                                 [&](const arrays::PackedLoop& packed) { return launch(**code, packed, stream_); });
        return launched ? finish(file_, **code, stream_.handle) : launched;
    }

    File& file_;
    const ElementFunction& function_;
    StreamRef stream_;
    const Operands& operands_;
    driver::Context* device_ = nullptr;
    std::vector<Layout> layouts_;  ///< the output's last
    std::vector<Buffer> parted_;   ///< inputs that overlap the output
};

}  // namespace

Status call_elements(File& file, const ElementFunction& function, StreamRef stream, const AnyOperand* const* operands,
                     std::size_t count) {
    return guarded([&] {
        return ElementCall(file, function, stream, {function.name, function.parameters, operands, count}).run();
    });
}

}  // namespace pyk::aot
