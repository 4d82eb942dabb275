// What the headers of functions for parts of arrays (`@guvectorize`) compiled ahead of time stand on.
#pragma once

#include "pyk/aot_array.h"

namespace pyk::aot {

/// One extent of a layout: a name that stands for the same wherever it occurs, or a number.
struct CoreExtent {
    const char* name;
    long long fixed;  ///< 0: of the operands
};

/// One parameter: the last axes of its operand, the part, go to a call.
struct CoreParameter {
    int axes;               ///< of a part
    int extents[max_ndim];  ///< of the layout, per axis
    bool is_written;        ///< the function may store to it
    bool is_overwritten;    ///< all of it is, before any of it is read
};

/// A kernel for GPUs.
struct CoreKernel {
    const char* symbol;
    int threads;     ///< that make a call together
    int items;       ///< elements of a part that each holds in registers, at most; 0: they stay in memory
    bool is_staged;  ///< parts may go through shared memory
};

/// The code for parts that lie in some way.
struct CoreForm {
    const char* layouts;  ///< of each parameter's part: `c`, `a` (any strides), or `.` where it is a number
    const CoreKernel* kernels;
    int kernel_count;
    cpu::Entry entry;  ///< null: it was not compiled for the CPU
};

/// A function for parts of arrays, for one signature.
struct CoreFunction {
    const char* name;
    const char* names;   ///< of its parameters, separated by commas
    const char* layout;  ///< `(m,n),(n)->(m)`
    const CoreExtent* extents;
    int extent_count;
    const CoreParameter* parameters;
    int inputs;  ///< so many of the parameters; the others are outputs
    const CoreForm* forms;
    int form_count;
};

/// The inputs, then the outputs. What is before an operand's part is broadcast as in NumPy, to what is before those of
/// the outputs: a call for each. Inputs that an output overlaps are read as they were before. On the stream's device,
/// else that of the arrays; of host memory alone, on the CPU. Queued on the stream; on the CPU it has run when this
/// returns. Fails by value, where shapes do not fit, parts do not lie as the signature says, memory is not where the
/// device reaches it, or code is missing for the device. Thread-safe.
Status call_core(File& file, const CoreFunction& function, StreamRef stream, const AnyOperand* const* operands,
                 std::size_t count);

template <class... T>
Status call(File& file, const CoreFunction& function, StreamRef stream, const T&... operands) {
    const std::array<const AnyOperand*, sizeof...(T)> all{&operands...};
    return call_core(file, function, stream, all.data(), all.size());
}

}  // namespace pyk::aot
