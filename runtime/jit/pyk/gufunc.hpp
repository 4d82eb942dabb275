// Array functions for parts of arrays: what `@guvectorize` makes of a function of arrays, NumPy's generalised universal
// functions.
//
//   const pyk::jit::Gufunc softmax = pyk::gufunc(module, "softmax").value();   // layout (n)->(n)
//   const pyk::jit::AnyArray rows = softmax(x);     // of each row of x, whatever other axes it has
//   softmax.apply(x, out).or_throw();               // into an array that is there
//
// An operand's last axes are what one call gets of it, as many as the layout says; over the others it is called, and
// they are broadcast as in NumPy. Arguments are what array functions take (pyk/ufunc.hpp). Every call here may come
// from any thread.
#pragma once

#include <string>
#include <vector>

#include "pyk/ufunc.hpp"

namespace pyk::jit {

namespace detail {

/// `arguments`: the inputs, or all operands. `results`: null where outputs are among them.
Status call_core(ArrayFunction& function, const std::vector<Argument>& arguments, StreamRef stream,
                 std::vector<AnyArray>* results);
Preload preload_core(const Shared<ArrayFunction>& function, const std::vector<Argument>& arguments, StreamRef stream);

}  // namespace detail

/// A function of a module for parts of arrays. Copies share what was compiled.
class Gufunc {
  public:
    explicit Gufunc(Shared<ArrayFunction> function, StreamRef stream = {})
        : function_(std::move(function)), stream_(stream) {}

    const std::string& name() const;
    /// Of the inputs, then of the outputs.
    std::vector<std::string> params() const;
    std::size_t input_count() const;
    /// `(m,n),(n)->(m)`.
    const std::string& layout() const;

    /// The same, queued on a stream.
    Gufunc on(StreamRef stream) const { return Gufunc(function_, stream); }

    /// The only output, a new array, of the inputs. Throws where it fails. With arrays of a GPU the work is queued on
    /// the stream; host arrays are copied for it, and the call waits.
    template <class... Args>
    AnyArray operator()(Args&&... inputs) const {
        return call(std::forward<Args>(inputs)...).value();
    }
    template <class... Args>
    Result<AnyArray> call(Args&&... inputs) const {
        return only(call_all({make_argument(inputs)...}));
    }
    /// All outputs, new. Where the function does not store to an element, it is as the memory was.
    Result<std::vector<AnyArray>> call_all(const std::vector<Argument>& inputs) const {
        std::vector<AnyArray> results;
        Status s = detail::call_core(*function_, inputs, stream_, &results);
        if (!s) return s;
        return Result<std::vector<AnyArray>>(std::move(results));
    }

    /// The inputs, then arrays for the outputs, as the function has its parameters. Their types may be others of the
    /// same kind. Inputs are read as they were before the call, where outputs overlap them; those that `writable_args`
    /// names are written.
    template <class... Args>
    Status apply(Args&&... operands) const {
        return apply_all({make_argument(operands)...});
    }
    Status apply_all(const std::vector<Argument>& operands) const {
        return detail::call_core(*function_, operands, stream_, nullptr);
    }

    /// Compiles in the background what a call with these inputs, or operands, would compile, so that it does not wait;
    /// nothing is computed. They are looked at before this returns, and may be freed then. Arrays of the host are
    /// copied as for a call. Small extents are compiled into the code, also where another call's are already.
    template <class... Args>
    Preload preload(Args&&... operands) const {
        return detail::preload_core(function_, {make_argument(operands)...}, stream_);
    }

    /// What was compiled so far.
    std::vector<Specialization> specializations() const;

  private:
    Result<AnyArray> only(Result<std::vector<AnyArray>> outputs) const;

    Shared<ArrayFunction> function_;
    StreamRef stream_;
};

/// The function of that name in the module's file.
Result<Gufunc> gufunc(const Module& module, std::string_view name);
/// Of all of them, in the order of the file.
std::vector<std::string> gufunc_names(const Module& module);

}  // namespace pyk::jit

namespace pyk {

using jit::Gufunc;
using jit::gufunc;

}  // namespace pyk
