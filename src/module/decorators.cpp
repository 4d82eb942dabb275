#include "module/decorators.h"

#include <algorithm>
#include <vector>

#include "support/nearest.h"

namespace pyk {
namespace {

// What @njit makes is called by kernels; an array function's elements are computed by a device function.
constexpr Decorator kDecorators[] = {
    {"cuda.jit", FunctionKind::kernel, ArrayKind::none, false, true},
    {"jit", FunctionKind::device, ArrayKind::none, true, true},
    {"njit", FunctionKind::device, ArrayKind::none, true, true},
    {"cfunc", FunctionKind::device, ArrayKind::none, true, true},
    {"extending.register_jitable", FunctionKind::device, ArrayKind::none},
    {"cuda.extending.register_jitable", FunctionKind::device, ArrayKind::none},
    {"vectorize", FunctionKind::device, ArrayKind::ufunc},
    {"cuda.vectorize", FunctionKind::device, ArrayKind::ufunc},
    {"cuda.reduce", FunctionKind::device, ArrayKind::reduction},
    {"cuda.Reduce", FunctionKind::device, ArrayKind::reduction},
    {"guvectorize", FunctionKind::device, ArrayKind::gufunc},
    {"stencil", FunctionKind::device, ArrayKind::stencil},
};

}  // namespace

const Decorator* find_decorator(std::string_view path) {
    const auto* found = std::ranges::find(kDecorators, path, &Decorator::path);
    return found == std::end(kDecorators) ? nullptr : found;
}

std::string nearest_decorator(std::string_view path) {
    std::vector<std::string_view> known;
    for (const Decorator& row : kDecorators) known.push_back(row.path);
    return nearest_name(path, known);
}

}  // namespace pyk
