// What subscripts of NumPy's make: `np.mgrid[0:3, 0:2]`, `np.ogrid`, `np.r_[1, 2:5]`, `np.c_[x, y]`; and the parts of a
// number.
#include "module/scope_grids.h"

#include <complex>

#include "module/const_array.h"
#include "module/host_functions.h"
#include "module/scope.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;

/// `start:stop:step`; of a step like `5j` five numbers, the last one too.
Result range_of(const ModuleScope& scope, const ast::Slice& slice) {
    const auto bound = [&](ast::ExprRef expr, Const::Int otherwise) -> Result {
        return expr ? scope.constant(*expr) : Const{otherwise, {}};
    };
    const Result start = bound(slice.lower, 0), step = bound(slice.step, 1);
    const Result stop = slice.upper ? scope.constant(*slice.upper) : std::nullopt;
    if (!start || !stop || !step) return std::nullopt;
    const auto* number = step->as<std::complex<double>>();
    return as_value(number ? linspace(*start, *stop, static_cast<int64_t>(std::abs(*number)), true, Type())
                           : arange(*start, *stop, *step, Type()));
}

Result called(std::string_view function, std::vector<Const> args, std::vector<std::pair<std::string, Const>> named) {
    HostCall call;
    call.args = std::move(args);
    call.named = std::move(named);
    return call_host_function(*find_host_function(function), call);
}

/// One axis of an open grid: as many axes as there are, of one place each but its own.
Result opened(const Const& axis, size_t at, size_t axes) {
    std::vector<int64_t> shape(axes, 1);
    shape[at] = -1;
    return as_value(reshaped(**axis.as<Const::Array>(), shape));
}

}  // namespace

std::optional<Const> made_by_subscript(const ModuleScope& scope, std::string_view path, const ast::Expr& subscript) {
    const std::string_view name = path.substr(path.find('.') + 1);
    const bool is_grid = name == "mgrid" || name == "ogrid";
    if (!path.starts_with("numpy.") || !(is_grid || name == "r_" || name == "c_")) return std::nullopt;
    const auto* tuple = subscript.as<ast::Tuple>();
    const ast::Expr* alone[] = {&subscript};
    std::vector<Const> parts;
    for (const ast::Expr* expr : tuple ? tuple->elts : ast::ExprList(alone)) {
        const auto* slice = expr->as<ast::Slice>();
        const Result value = slice ? range_of(scope, *slice) : is_grid ? std::nullopt : scope.constant(*expr);
        if (!value || value->as<std::string>()) return std::nullopt;
        parts.push_back(*value);
    }
    if (name == "r_") return called("np.concatenate", {list_of(std::move(parts))}, {});
    if (name == "c_") return called("np.column_stack", {list_of(std::move(parts))}, {});
    if (parts.size() == 1) return parts[0];
    if (name == "mgrid") {
        const Result grids = called("np.meshgrid", std::move(parts), {{"indexing", Const{std::string("ij"), {}}}});
        return grids ? called("np.stack", {*grids}, {}) : std::nullopt;
    }
    Const::Tuple open;
    for (size_t i = 0; i < parts.size(); ++i) {
        const Result one = opened(parts[i], i, parts.size());
        if (!one) return std::nullopt;
        open.push_back(*one);
    }
    return Const{std::move(open), {}};
}

std::optional<Const> part_of_number(const Const& number, std::string_view attr) {
    if (attr == "itemsize" && number.typed.is_scalar())
        return Const{static_cast<Const::Int>(number.typed.byte_size()), {}};
    if (!is_number(number) || (attr != "real" && attr != "imag")) return std::nullopt;
    if (!number.as<std::complex<double>>())
        return attr == "real" ? number : cast(Const{Const::Int(0), {}}, type_of(number));
    const auto z = to_complex(number);
    const Const part{attr == "real" ? z.real() : z.imag(), {}};
    return number.typed ? cast(part, number.typed.component()) : part;
}

}  // namespace pyk
