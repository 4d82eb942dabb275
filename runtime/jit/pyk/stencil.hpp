// Stencils (`@stencil`): a function of the elements around each element of an array.
//
//   const pyk::jit::Stencil blur = pyk::stencil(module, "blur").value();
//   const pyk::jit::AnyArray smooth = blur(image);   // of the image's shape
//   blur.into(out, image).or_throw();                // into an array that is there
//
// Arguments are what array functions take (pyk/ufunc.hpp). Every call here may come from any thread.
#pragma once

#include <string>
#include <vector>

#include "pyk/ufunc.hpp"

namespace pyk::jit {

namespace detail {

/// `out`: null for a new array, which goes to `result`.
Status call_stencil(ArrayFunction& function, const std::vector<Argument>& arguments, const Argument* out,
                    StreamRef stream, AnyArray* result);

}  // namespace detail

/// A stencil of a module. Copies share what was compiled: once per tuple of argument types.
class Stencil {
  public:
    explicit Stencil(Shared<ArrayFunction> function, StreamRef stream = {})
        : function_(std::move(function)), stream_(stream) {}

    const std::string& name() const;
    std::vector<std::string> params() const;

    /// The same, queued on a stream.
    Stencil on(StreamRef stream) const { return Stencil(function_, stream); }

    /// A new array of the first argument's shape; elements whose surroundings are not all there are `cval`, or 0. With
    /// arrays of a GPU the work is queued on the stream; host arrays are copied for it, and the call waits.
    template <class... Args>
    AnyArray operator()(Args&&... args) const {
        return call(std::forward<Args>(args)...).value();
    }
    template <class... Args>
    Result<AnyArray> call(Args&&... args) const {
        return call_all({make_argument(args)...});
    }
    Result<AnyArray> call_all(const std::vector<Argument>& arguments) const {
        AnyArray result;
        Status s = detail::call_stencil(*function_, arguments, nullptr, stream_, &result);
        if (!s) return s;
        return Result<AnyArray>(std::move(result));  // nvcc does not move a result into another type
    }
    /// The same into an array of the first argument's shape, where those elements stay as they are unless there is a
    /// `cval`. Inputs are read as they were before the call.
    template <class Out, class... Args>
    Status into(Out&& out, Args&&... args) const {
        const Argument to = make_argument(out);
        return into_all(to, {make_argument(args)...});
    }
    Status into_all(const Argument& out, const std::vector<Argument>& arguments) const {
        return detail::call_stencil(*function_, arguments, &out, stream_, nullptr);
    }

    /// What was compiled so far.
    std::vector<Specialization> specializations() const;

  private:
    Shared<ArrayFunction> function_;
    StreamRef stream_;
};

/// The stencil of that name in the module's file.
Result<Stencil> stencil(const Module& module, std::string_view name);
/// Of all of them, in the order of the file.
std::vector<std::string> stencil_names(const Module& module);

}  // namespace pyk::jit

namespace pyk {

using jit::Stencil;
using jit::stencil;

}  // namespace pyk
