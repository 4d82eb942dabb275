// Calls of `@cuda.reduce` functions that were compiled ahead of time.
#include "array/reduce.h"

#include <vector>

#include "operands.h"

namespace pyk::aot {
namespace {

/// Lives for one call.
class ReduceCall {
  public:
    ReduceCall(File& file, const ReduceFunction& function, StreamRef stream, const Operands& operands)
        : file_(file), function_(function), stream_(stream), operands_(operands) {}

    Status run() {
        const Result<driver::Context*> device = device_for(operands_, stream_);
        if (!device) return device.status();
        device_ = *device;
        const AnyOperand &array = operands_[0], &out = operands_[1];
        if (array.ndim != 1)
            return refuse("a reduction takes an array of one axis, not of " + std::to_string(array.ndim));
        for (int axis = 0; axis < out.ndim; ++axis)
            if (out.shape[axis] == 0) return refuse("the output has no element");
        const Result<const Loaded*> code = loaded_code(
            file_, *device_, stream_.handle, {function_.kernel, function_.entry, "reduction", function_.name});
        if (!code) return code.status();
        if (array.shape[0] == 0) return put_init();
        if (Status s = reduce(**code); !s) return s;
        return finish(file_, **code, stream_.handle, !device_->info.is_cpu);
    }

  private:
    const AnyOperand* init() const { return operands_.count > 2 ? &operands_[2] : nullptr; }

    Status put_init() {
        const AnyOperand& out = operands_[1];
        if (!init()) return refuse("a reduction of no elements");
        return fill_elements(const_cast<void*>(out.data), init()->value, out.element_bytes, 1, device_, stream_);
    }

    Status reduce(const Loaded& code) {
        const AnyOperand &array = operands_[0], &out = operands_[1];
        const auto bytes = static_cast<long long>(array.element_bytes);
        arrays::Reduction reduction;
        reduction.inputs = {{static_cast<const char*>(array.data), array.strides[0]}};
        reduction.count = array.shape[0];
        reduction.is_dense = array.strides[0] == bytes;
        reduction.is_aligned = reduction.is_dense && reinterpret_cast<std::uintptr_t>(array.data) % 16 == 0;
        reduction.width = arrays::lanes_of(bytes);
        reduction.value_bytes = out.element_bytes;
        reduction.init = init() ? init()->value : nullptr;
        reduction.out = static_cast<char*>(const_cast<void*>(out.data));
        return arrays::reduce(
            reduction, [&](std::size_t size) { return scratch(size); },
            [&](const reduce_args& args, long long blocks) {
                const unsigned threads = device_->info.is_cpu ? 1 : reduce_threads;
                return launch(code, arrays::packed_args(&args, sizeof args, blocks, threads),
                              StreamRef(device_, stream_.handle));
            });
    }

    Result<void*> scratch(std::size_t bytes) {
        Result<Buffer> buffer =
            Buffer::allocate(Device(*device_), bytes, MemoryKind::pooled, StreamRef(device_, stream_.handle));
        if (!buffer) return buffer.status();
        return scratch_.emplace_back(*std::move(buffer)).address();
    }

    File& file_;
    const ReduceFunction& function_;
    StreamRef stream_;
    const Operands& operands_;
    driver::Context* device_ = nullptr;
    std::vector<Buffer> scratch_;
};

}  // namespace

Status call_reduction(File& file, const ReduceFunction& function, StreamRef stream, const AnyOperand& array,
                      const AnyOperand& out, const AnyOperand* init) {
    const AnyOperand* const operands[] = {&array, &out, init};
    const Operands all{function.name, function.parameters, operands, init ? 3u : 2u};
    return guarded([&] { return ReduceCall(file, function, stream, all).run(); });
}

}  // namespace pyk::aot
