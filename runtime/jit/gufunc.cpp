#include "pyk/gufunc.hpp"

#include "jit/array_call.h"

namespace pyk::jit {

const std::string& Gufunc::name() const { return function_->summary.name; }
std::vector<std::string> Gufunc::params() const { return function_->summary.params; }
std::size_t Gufunc::input_count() const { return function_->summary.core->inputs; }
const std::string& Gufunc::layout() const { return function_->summary.core->text; }

Result<AnyArray> Gufunc::only(Result<std::vector<AnyArray>> outputs) const {
    if (!outputs) return outputs.status();
    if (outputs->size() != 1)
        return Status::failure("`" + name() + "` has " + std::to_string(outputs->size()) + " outputs: use call_all",
                               Error::Kind::arguments);
    return std::move(outputs->front());
}

std::vector<Specialization> Gufunc::specializations() const { return specializations_of(function_); }

std::vector<std::string> gufunc_names(const Module& module) {
    return array_function_names(*engine_of(module), ArrayFunctionKind::gufunc);
}

Result<Gufunc> gufunc(const Module& module, std::string_view name) {
    Result<Shared<ArrayFunction>> found = find_array_function(module, name, ArrayFunctionKind::gufunc);
    if (!found) return found.status();
    return Gufunc(*std::move(found));
}

}  // namespace pyk::jit
