#include "pyk/ufunc.hpp"

#include <cstring>

#include "driver.h"
#include "jit/array_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "jit/host_arrays.h"
#include "jit/pending.h"

namespace pyk::jit {
namespace {

// With axes of one element before and behind its own.
Argument widened(const Argument& argument, int before, int behind) {
    if (argument.ndim == 0) return argument;
    Argument wide = argument;
    const Strides dense = dense_strides(argument);
    wide.order = Order::strided;
    wide.ndim = static_cast<unsigned char>(before + argument.ndim + behind);
    for (int axis = 0; axis < wide.ndim; ++axis) {
        const int of = axis - before;
        const bool is_own = of >= 0 && of < argument.ndim;
        wide.shape[axis] = is_own ? argument.shape[of] : 1;
        wide.strides[axis] = !is_own                            ? 0
                             : argument.order == Order::strided ? argument.strides[of]
                                                                : dense[static_cast<std::size_t>(of)];
    }
    return wide;
}

}  // namespace

Status AnyArray::check(ElementType type, int ndim) const {
    if (type != element_type())
        return refuse("the array is of " + name_of(element_type()) + ", not of " + name_of(type));
    if (ndim >= 0 && static_cast<std::size_t>(ndim) != shape_.size())
        return refuse("the array has " + std::to_string(shape_.size()) + " axes, not " + std::to_string(ndim));
    return {};
}

Result<AnyArray> AnyArray::reshaped(std::vector<long long> shape) && {
    if (pyk::detail::count_of(shape.data(), static_cast<int>(shape.size())) != size())
        return refuse(std::to_string(size()) + " elements have no shape " + arrays::text_of(shape));
    shape_ = std::move(shape);
    return std::move(*this);
}

Status AnyArray::download(void* to, std::size_t bytes, StreamRef stream) const {
    if (bytes == 0) return {};
    if (Status s = buffer_.download(to, bytes, 0, stream); !s) return s;
    return Stream::borrow(Device(*buffer_.device()), stream.handle).synchronize();
}

Argument MakeArgument<AnyArray>::from(const AnyArray& array) {
    Argument argument;
    argument.element = array.element();
    argument.named = array.named();
    argument.order = array.shape().empty() ? Order::cell : Order::c;
    argument.ndim = static_cast<unsigned char>(array.shape().size());
    argument.data = array.data();
    argument.device = array.buffer().device();
    for (std::size_t axis = 0; axis < array.shape().size(); ++axis) argument.shape[axis] = array.shape()[axis];
    return argument;
}

namespace detail {

Status call(ArrayFunction& function, const ArrayCall& call, AnyArray* result) {
    return guarded([&]() -> Status {
        if (Status known; call_known(function, call, result, known)) return known;
        if (Status s = jit::ArrayCall(function, call).run(result); !s || !result) return s;
        Result<AnyArray> placed = where_it_belongs(std::move(*result), call);
        if (placed) *result = *std::move(placed);
        return placed.status();
    });
}

Preload preload(const Shared<ArrayFunction>& function, const ArrayCall& call) {
    return begun_or_failed([&] { return jit::ArrayCall(*function, call).preload(function); });
}

Result<AnyArray> outer(ArrayFunction& function, const Argument* arguments, StreamRef stream) {
    const int a = arguments[0].ndim, b = arguments[1].ndim;
    if (a + b > max_ndim)
        return refuse("`outer` of arrays with " + std::to_string(a + b) + " axes together; there can be " +
                      std::to_string(max_ndim));
    if (function.summary.params.size() != 2) return refuse("`outer` is of functions of two arguments");
    const Argument wide[] = {widened(arguments[0], 0, b), widened(arguments[1], a, 0)};
    AnyArray result;
    if (Status s = call(function, {wide, 2, nullptr, stream}, &result); !s) return s;
    return result;
}

}  // namespace detail

const std::string& Ufunc::name() const { return function_->summary.name; }
std::vector<std::string> Ufunc::params() const { return function_->summary.params; }

std::vector<Specialization> Ufunc::specializations() const { return specializations_of(function_); }

namespace {

struct KindName {
    const char *decorator, *type;
};
constexpr KindName kKinds[] = {
    {"@vectorize", "pyk::ufunc"}, {"@guvectorize", "pyk::gufunc"}, {"@stencil", "pyk::stencil"}};

ArrayFunctionKind kind_of(const ArrayFunction& function) {
    if (function.summary.is_stencil) return ArrayFunctionKind::stencil;
    return function.summary.core ? ArrayFunctionKind::gufunc : ArrayFunctionKind::ufunc;
}

}  // namespace

std::vector<std::string> ufunc_names(const Module& module) {
    return array_function_names(*engine_of(module), ArrayFunctionKind::ufunc);
}

Result<Ufunc> ufunc(const Module& module, std::string_view name) {
    Result<Shared<ArrayFunction>> found = find_array_function(module, name, ArrayFunctionKind::ufunc);
    if (!found) return found.status();
    return Ufunc(*std::move(found));
}

std::vector<std::string> array_function_names(const Engine& engine, ArrayFunctionKind kind) {
    std::vector<std::string> names;
    for (const auto& function : engine.array_functions)
        if (kind_of(*function) == kind) names.push_back(function->summary.name);
    return names;
}

Result<Shared<ArrayFunction>> find_array_function(const Module& module, std::string_view name, ArrayFunctionKind kind) {
    const Shared<Engine> engine = engine_of(module);
    for (const auto& function : engine->array_functions) {
        if (function->summary.name != name) continue;
        if (kind_of(*function) == kind) return Shared<ArrayFunction>(engine, function.get());
        const KindName& is = kKinds[static_cast<std::size_t>(kind_of(*function))];
        return refuse("`" + std::string(name) + "` is of " + is.decorator + ": a " + is.type + ", no " +
                      (kKinds[static_cast<std::size_t>(kind)].type + 5));
    }
    std::string there;
    for (const std::string& known : array_function_names(*engine, kind))
        there += (there.empty() ? "; there is `" : "`, `") + known;
    return refuse("there is no array function `" + std::string(name) + "`" +
                  (there.empty() ? "; the file has none" : there + "`"));
}

}  // namespace pyk::jit
