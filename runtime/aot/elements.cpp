// Calls of `@vectorize` functions that were compiled ahead of time.
#include <algorithm>
#include <array>
#include <optional>

#include "array/apart.h"
#include "array/flat.h"
#include "operands.h"

namespace pyk::aot {
namespace {

using arrays::Layout;

constexpr std::size_t kFewOperands = 16;

/// Lives for one call.
class ElementCall {
  public:
    ElementCall(File& file, const ElementFunction& function, StreamRef stream, const Operands& operands)
        : file_(file), function_(function), stream_(stream), operands_(operands) {}

    Status run() {
        if (const auto flat = flat_elements()) return launch_flat(*flat);
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
    /// Of arrays in one GPU's memory, and numbers.
    std::optional<long long> flat_elements() {
        const AnyOperand& output = operands_[operands_.count - 1];
        device_ = output.device;
        if (operands_.count > kFewOperands || output.is_number || !device_ || device_->info.is_cpu ||
            (stream_.device && stream_.device != device_))
            return std::nullopt;
        std::array<arrays::DenseArray, kFewOperands> dense;
        std::size_t found = 0;
        for (std::size_t k = 0; k < operands_.count; ++k) {
            const AnyOperand& operand = operands_[k];
            if (!operand.fits || (!operand.is_number && (operand.device != device_ || !is_dense(operand))))
                return std::nullopt;
            if (!operand.is_number) dense[found++] = {operand.data, operand.element_bytes, operand.ndim, operand.shape};
        }
        return arrays::flat_elements(dense.data(), found - 1, dense[found - 1]);
    }

    static bool is_dense(const AnyOperand& array) {
        auto step = static_cast<long long>(array.element_bytes);
        if (array.ndim > max_ndim) return false;
        for (int axis = array.ndim; axis-- > 0; step *= array.shape[axis])
            if (array.strides[axis] != step) return false;
        return true;
    }

    Status launch_flat(long long count) {
        const Result<const Loaded*> code = load(function_.flat);
        if (!code) return code.status();
        arrays::PackedLoop packed;
        flat_operand* const to = arrays::begin_flat(operands_.count, count, 0, function_.elements_per_thread, packed);
        for (std::size_t k = 0; k < operands_.count; ++k) {
            const AnyOperand& operand = operands_[k];
            to[k].data = static_cast<char*>(const_cast<void*>(operand.data));
            if (operand.is_number) arrays::put_number(to[k], operand.value, operand.element_bytes);
        }
        const Status launched = launch(**code, packed, stream_);
        return launched ? finish(file_, **code, stream_.handle, !device_->info.is_cpu) : launched;
    }

    Result<const Loaded*> load(const char* symbol) {
        return loaded_code(file_, *device_, stream_.handle, {symbol, function_.entry, "function", function_.name});
    }

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
        const Result<const Loaded*> code = load(is_flat || device_->info.is_cpu ? function_.flat : function_.any);
        if (!code) return code.status();
        const arrays::LoopCode loop{access, device_->info.is_cpu, device_->info.multiprocessors,
                                    function_.elements_per_thread};
        const Status launched =
            arrays::launch_loops(std::move(whole), numbers_of(operands_), loop,
                                 [&](const arrays::PackedLoop& packed) { return launch(**code, packed, stream_); });
        return launched ? finish(file_, **code, stream_.handle, !device_->info.is_cpu) : launched;
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
