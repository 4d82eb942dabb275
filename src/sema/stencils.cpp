#include "sema/stencils.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/build.h"
#include "module/host_values.h"
#include "types/convert.h"

namespace pyk {
namespace {

constexpr std::string_view kAxes = "xyz";

const ast::Keyword* keyword_of(const FunctionInfo& info, std::string_view name) {
    if (!info.array_decorator) return nullptr;
    for (const ast::Keyword& keyword : info.array_decorator->keywords)
        if (keyword.arg == name) return &keyword;
    return nullptr;
}

std::optional<Const> value_of(const FunctionInfo& info, std::string_view name) {
    const ast::Keyword* keyword = keyword_of(info, name);
    return keyword ? info.scope->constant(*keyword->value) : std::nullopt;
}

std::optional<std::vector<std::string>> names_in(const Const& value) {
    if (const auto* one = value.as<std::string>()) return std::vector{*one};
    const auto items = items_of(value);
    if (!items) return std::nullopt;
    std::vector<std::string> names;
    for (const Const& item : *items) {
        if (!item.as<std::string>()) return std::nullopt;
        names.push_back(*item.as<std::string>());
    }
    return names;
}

std::optional<std::vector<std::pair<int64_t, int64_t>>> reaches_in(const Const& value) {
    const auto axes = items_of(value);
    if (!axes) return std::nullopt;
    std::vector<std::pair<int64_t, int64_t>> reaches;
    for (const Const& axis : *axes) {
        const auto pair = items_of(axis);
        const auto least = pair && pair->size() == 2 ? to_int((*pair)[0]) : std::nullopt;
        const auto greatest = pair && pair->size() == 2 ? to_int((*pair)[1]) : std::nullopt;
        if (!least || !greatest) return std::nullopt;
        reaches.emplace_back(*least, *greatest);
    }
    return reaches;
}

bool is_parameter(const FunctionInfo& info, std::string_view name) {
    return std::ranges::any_of(info.def->args->args, [&](const ast::Arg& arg) { return arg.arg == name; });
}

}  // namespace

bool StencilOptions::is_standard(std::string_view parameter) const {
    return std::ranges::find(standard, parameter) != standard.end();
}

StencilOptions stencil_options(const FunctionInfo& info) {
    StencilOptions options;
    if (const auto value = value_of(info, "standard_indexing"))
        options.standard = names_in(*value).value_or(std::vector<std::string>());
    if (const auto value = value_of(info, "neighborhood")) options.neighborhood = reaches_in(*value);
    if (const auto value = value_of(info, "cval"); value && is_number(*value)) options.border = *value;
    return options;
}

void check_stencil(const FunctionInfo& info, Diagnostics& diagnostics) {
    const auto refuse = [&](std::string_view name, std::string_view wanted) {
        diagnostics.report(diag::bad_option, keyword_of(info, name)->value->span, name, wanted);
    };
    const StencilOptions options = stencil_options(info);
    const bool has_params = !info.def->args->args.empty();
    if (keyword_of(info, "standard_indexing") &&
        (options.standard.empty() || (has_params && options.is_standard(info.def->args->args.front().arg)) ||
         !std::ranges::all_of(options.standard, [&](const std::string& name) { return is_parameter(info, name); })))
        refuse("standard_indexing", "the names of arrays behind the first one");
    if (keyword_of(info, "neighborhood") && !options.neighborhood)
        refuse("neighborhood", "a pair of integers for each axis, as in ((-1, 1), (0, 2))");
    if (keyword_of(info, "cval") && !options.border) refuse("cval", "a number known at compile time");
    const auto check_mode = [&](const ast::Expr& mode) {
        const auto value = info.scope->constant(mode);
        if (!value || !value->as<std::string>() || *value->as<std::string>() != "constant")
            diagnostics.report(diag::bad_option, mode.span, std::string_view("mode"), std::string_view("'constant'"));
    };
    if (info.array_text) check_mode(*info.array_text);
    for (const std::string_view name : {"mode", "func_or_mode"})
        if (const ast::Keyword* mode = keyword_of(info, name)) check_mode(*mode->value);
}

// --- the kernel -----------------------------------------------------------------------------------------------------
namespace {

class Wrapper {
  public:
    Wrapper(const FunctionInfo& info, const Instance& function, Span span)
        : function_(function), options_(stencil_options(info)), span_(span) {
        kernel_.name = info.name + "_stencil";
        kernel_.is_kernel = true;
        kernel_.result = Type::none();
        kernel_.options = function.function.options;
        kernel_.span = span;
    }

    /// `out`: the output's type. `fills`: elements whose surroundings are not all there get the border's value.
    ir::Function made(Type out, bool fills, size_t params) {
        for (size_t i = 0; i < params; ++i) {
            const ir::Local& local = function_.function.local(function_.function.params[i]);
            arguments_.push_back(ir::add_parameter(kernel_, local.name, local.type, span_));
        }
        const ir::LocalId output = ir::add_parameter(kernel_, "out", out, span_);
        for (int axis = 0; axis < out.ndim(); ++axis) {
            ir::Local local;
            local.name = out.ndim() == 1 ? "i" : fmt::format("i{}", axis);
            local.type = Scalar::int64;
            local.span = span_;
            const ir::LocalId place = ir::add_local(kernel_, std::move(local));
            const char letter = kAxes[static_cast<size_t>(out.ndim() - 1 - axis)];
            kernel_.body.push_back({span_, ir::Assign{place, builtin(fmt::format("cuda.grid.{}", letter))}});
            places_.push_back(place);
        }
        ir::Block inner = store(output, ir::convert(call(), out.element()));
        ir::Block border;
        if (fills) border = store(output, ir::convert(border_value(out.element()), out.element()));
        ir::Block within;
        within.push_back({span_, ir::If{surroundings_are_there(), std::move(inner), std::move(border)}});
        kernel_.body.push_back({span_, ir::If{is_element(output), std::move(within), {}}});
        return std::move(kernel_);
    }

  private:
    ir::ExprPtr builtin(const std::string& name) const {
        return ir::make(Scalar::int64, span_, ir::BuiltinCall{find_builtin(name), {}});
    }
    ir::ExprPtr local(ir::LocalId id) const { return ir::local(kernel_, id, span_); }
    ir::ExprPtr integer(int64_t value) const { return ir::integer(value, Scalar::int64, span_); }
    ir::ExprPtr compare(BinaryOp op, ir::ExprPtr lhs, ir::ExprPtr rhs) const {
        return ir::binary(op, std::move(lhs), std::move(rhs), span_);
    }
    ir::ExprPtr extent(ir::LocalId array, size_t axis) const {
        return ir::make(Scalar::int64, span_, ir::ShapeOf{local(array), static_cast<uint32_t>(axis)});
    }
    ir::ExprPtr both(ir::ExprPtr lhs, ir::ExprPtr rhs) const {
        if (!lhs) return rhs;
        return ir::make(Scalar::boolean, span_, ir::Logical{true, std::move(lhs), std::move(rhs)});
    }

    ir::ExprPtr is_element(ir::LocalId output) const {
        ir::ExprPtr all;
        for (size_t axis = 0; axis < places_.size(); ++axis)
            all = both(std::move(all), compare(BinaryOp::Lt, local(places_[axis]), extent(output, axis)));
        return all;
    }

    /// Of each array that is indexed so; the output has the first one's shape.
    ir::ExprPtr surroundings_are_there() const {
        ir::ExprPtr all;
        for (size_t axis = 0; axis < places_.size(); ++axis) {
            const auto [least, greatest] =
                options_.neighborhood ? (*options_.neighborhood)[axis] : function_.reach[axis];
            if (least < 0) all = both(std::move(all), compare(BinaryOp::Ge, local(places_[axis]), integer(-least)));
            for (const ir::LocalId array : arguments_) {
                const bool is_first = array == arguments_[0];
                if (!is_relative(array) || (is_first && greatest <= 0)) continue;
                ir::ExprPtr end = extent(array, axis);
                if (greatest > 0) end = ir::binary(BinaryOp::Sub, std::move(end), integer(greatest), span_);
                all = both(std::move(all), compare(BinaryOp::Lt, local(places_[axis]), std::move(end)));
            }
        }
        return all ? std::move(all) : ir::boolean(true, span_);
    }

    bool is_relative(ir::LocalId argument) const {
        const ir::Local& local = kernel_.local(argument);
        return local.type.is_array() && !options_.is_standard(local.name);
    }

    ir::ExprPtr call() const {
        ir::Call call{function_.id, {}};
        for (const ir::LocalId argument : arguments_) call.args.push_back(local(argument));
        for (const ir::LocalId place : places_) call.args.push_back(local(place));
        return ir::make(function_.result, span_, std::move(call));
    }

    ir::ExprPtr border_value(Type element) const {
        if (options_.border) return to_expr(*options_.border, span_);
        return ir::convert(integer(0), element);
    }

    ir::Block store(ir::LocalId output, ir::ExprPtr value) const {
        ir::Store store{local(output), {}, std::move(value)};
        for (const ir::LocalId place : places_) store.indices.push_back({local(place), false});
        ir::Block block;
        block.push_back({span_, std::move(store)});
        return block;
    }

    const Instance& function_;
    StencilOptions options_;
    Span span_;
    ir::Function kernel_;
    std::vector<ir::LocalId> arguments_, places_;
};

}  // namespace

bool stencil_takes(const FunctionInfo& info, const std::vector<Type>& params) {
    if (params.empty() || !params[0].is_array() || params[0].ndim() < 1 || params[0].ndim() > 3) return false;
    const StencilOptions options = stencil_options(info);
    for (size_t i = 1; i < params.size(); ++i)
        if (params[i].is_array() && params[i].ndim() != params[0].ndim() &&
            !options.is_standard(info.def->args->args[i].arg))
            return false;
    return !options.neighborhood || options.neighborhood->size() == static_cast<size_t>(params[0].ndim());
}

bool add_stencil(Specializer& specializer, const FunctionInfo& info, const Request& request,
                 std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    const std::vector<Type>& params = request.signature.params;
    const Span span = info.def->name_span;
    if (!stencil_takes(info, params)) {
        std::string types;
        for (const Type type : params) types += (types.empty() ? "" : ", ") + type.name();
        diagnostics.report(diag::stencil_types, span, std::string_view(info.name), "(" + types + ")");
        return false;
    }
    std::vector<Parameter> readonly;
    for (const Type type : params)
        readonly.emplace_back(type.is_array() ? Type::array(type.element(), type.ndim(), type.layout(), true) : type);
    const Instance& function = specializer.instance(info, std::move(readonly), InstanceKind::device);
    roots.push_back(function.id);
    specializer.tell_as_function(function.id);
    if (function.failed) return true;  // reported when the module is closed
    const auto refuse = [&](Type value, const std::string& where) {
        diagnostics.report(diag::stencil_result, span, std::string_view(info.name), value.name(), where);
        return false;
    };
    if (!function.result.is_scalar() && !function.result.is_distinct()) return refuse(function.result, "an array");
    if (!function.reads_around && !stencil_options(info).neighborhood) {
        diagnostics.report(diag::stencil_access, span, std::string_view(info.name));
        return false;
    }
    const bool is_given = !request.elements.empty();
    const Type out = is_given ? request.elements[0] : Type::array(function.result, params[0].ndim(), Layout::C);
    const StencilOptions options = stencil_options(info);
    if (!conversion(function.result, out.element())) return refuse(function.result, out.name());
    const Type border = options.border ? type_of(*options.border) : Type(Scalar::int64);
    const bool fills = !is_given || options.border;
    if (fills && !options.border && !conversion(border, out.element()))
        return refuse(function.result, "an array whose border is 0: say `cval`");
    if (fills && !conversion(border, out.element())) return refuse(border, out.name());
    ir::Function kernel = Wrapper(info, function, function.function.span).made(out, fills, params.size());
    const std::string key =
        fmt::format("stencil {} {}", static_cast<uint32_t>(function.id), is_given ? out.code() : std::string("new"));
    roots.push_back(specializer.made(key, info, std::move(kernel), {{function.id, function.function.span}}).id);
    return true;
}

}  // namespace pyk
