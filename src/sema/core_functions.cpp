// Array functions whose calls get parts of arrays: `@guvectorize`.
#include <fmt/format.h>

#include <algorithm>

#include "ir/walk.h"
#include "module/free_names.h"
#include "module/host_values.h"
#include "sema/array_functions.h"

namespace pyk {
namespace {

void refuse_writable(const ast::Keyword& keyword, Diagnostics& diagnostics) {
    diagnostics.report(diag::bad_option, keyword.value->span, keyword.arg,
                       std::string_view("a tuple of names or numbers of inputs"));
}

std::optional<size_t> parameter_of(const Const& item, const ArrayFunctionInfo& info) {
    if (const auto* name = item.as<std::string>()) {
        const auto at = std::ranges::find(info.params, *name);
        return at == info.params.end() ? std::nullopt : std::optional(static_cast<size_t>(at - info.params.begin()));
    }
    const auto number = item.as<bool>() ? std::nullopt : to_int(item);
    if (!number || *number < 0 || static_cast<size_t>(*number) >= info.params.size()) return std::nullopt;
    return static_cast<size_t>(*number);
}

/// Inputs that the function stores to itself are as good as named: Numba's functions work on what they are given.
void find_stored(const ast::Block& block, ArrayFunctionInfo& info) {
    for_each_stmt(block, [&](const ast::Stmt& stmt) {
        for (const auto& [name, place] : changed_names(stmt)) {
            const auto at = std::ranges::find(info.params, name);
            if (at != info.params.end()) info.writable[static_cast<size_t>(at - info.params.begin())] = true;
        }
    });
}

void read_writable(const FunctionInfo& function, ArrayFunctionInfo& info, Diagnostics& diagnostics) {
    for (size_t i = 0; i < info.params.size(); ++i) info.writable.push_back(i >= info.core->inputs);
    find_stored(function.def->body, info);
    for (const ast::Keyword& keyword : function.array_decorator->keywords) {
        if (keyword.arg != "writable_args") continue;
        const auto value = function.scope->constant(*keyword.value);
        const auto names = value ? items_of(*value) : std::nullopt;
        if (!names) return refuse_writable(keyword, diagnostics);
        for (const Const& item : *names) {
            const auto parameter = parameter_of(item, info);
            if (!parameter) return refuse_writable(keyword, diagnostics);
            info.writable[*parameter] = true;
        }
    }
}

bool fits(Type type, size_t axes, bool is_output) {
    if (type.is_array())
        return type.element().is_element() && static_cast<size_t>(type.ndim()) == std::max<size_t>(axes, 1);
    return type.is_element() && axes == 0 && !is_output;
}

}  // namespace

bool check_core_signature(const ArrayFunctionInfo& info, const Signature& signature, Span span,
                          Diagnostics& diagnostics) {
    const CoreLayout& core = *info.core;
    for (size_t i = 0; i < signature.params.size(); ++i) {
        const Type type = signature.params[i];
        const size_t axes = core.operands[i].size();
        if (fits(type, axes, i >= core.inputs)) continue;
        const bool is_of_others = !type.is_array() && !type.is_element();
        const std::string wanted = is_of_others      ? std::string("of what arrays consist of")
                                   : axes > 1        ? fmt::format("an array of {} axes", axes)
                                   : axes == 1       ? std::string("an array of one axis")
                                   : i < core.inputs ? std::string("a number, or an array of one axis that holds it")
                                                     : std::string("an array of one axis that takes a number");
        diagnostics.report(diag::core_signature, span, std::string_view(info.params[i]), std::string_view(info.name),
                           std::string_view(wanted), type.name());
        return false;
    }
    if (!signature.result || signature.result.is_none()) return true;
    diagnostics.report(diag::core_result, span, std::string_view(info.name), signature.result.name());
    return false;
}

void read_core_layout(const FunctionInfo& function, ArrayFunctionInfo& info, Diagnostics& diagnostics) {
    info.core.emplace();
    const ast::Expr* written = function.array_text;
    const auto* rest = written ? written->as<ast::Starred>() : nullptr;  // `guvectorize(*args)`
    auto text = written ? function.text_scope->constant(rest ? *rest->value : *written) : std::nullopt;
    if (const auto items = rest && text ? items_of(*text) : std::nullopt; items && !items->empty())
        text = items->back();
    const Span span = function.array_text ? function.array_text->span : info.span;
    std::string error = "it is the decorator's last argument, a text known at compile time: `(n),(n)->()`";
    auto layout = text && text->as<std::string>() ? parse_core_layout(*text->as<std::string>(), error) : std::nullopt;
    if (layout && layout->operands.size() != info.params.size()) {
        error = fmt::format("`{}` is of {} operands, and the function has {} parameters", layout->text(),
                            layout->operands.size(), info.params.size());
        layout.reset();
    }
    if (!layout) {
        diagnostics.report(diag::core_layout, span, std::string_view(info.name), std::string_view(error));
        return;
    }
    info.core = std::move(layout);
    read_writable(function, info, diagnostics);
}

namespace {

// Whether more is asked of an array than its shape and its elements.
bool may_store(const ir::Function& function, ir::LocalId array) {
    std::vector<const ir::Expr*> read;
    bool found = false;
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        if (const auto* shape = expr.as<ir::ShapeOf>()) read.push_back(shape->array.get());
        if (const auto* size = expr.as<ir::SizeOf>()) read.push_back(size->array.get());
        const auto* element = expr.as<ir::Element>();
        if (element && !expr.type.is_record())
            read.push_back(element->array.get());  // a record's field may be stored to
        found |= ir::is_local(expr, array) && std::ranges::find(read, &expr) == read.end();
    });
    return found;
}

}  // namespace

// Inputs are readonly, so that a store to one is found.
bool add_core_entry(Specializer& specializer, const FunctionInfo& info, const ArrayFunctionInfo& function,
                    const Request& request, std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    std::vector<Parameter> params;
    ir::ArrayEntry entry{{}, info.name, {}, request.accesses, request.core};
    for (size_t i = 0; i < request.signature.params.size(); ++i) {
        const Type type = request.signature.params[i];
        params.emplace_back(type.is_array() && !function.writable[i]
                                ? Type::array(type.element(), type.ndim(), type.layout(), true)
                                : type);
        if (!request.core.empty()) continue;
        ir::CoreOperand operand;
        for (const size_t extent : function.core->operands[i])
            operand.shape.push_back(function.core->extents[extent].fixed);
        if (operand.shape.empty() && type.is_array()) operand.shape = {1};
        entry.core.push_back(std::move(operand));
    }
    Instance& instance = specializer.instance(info, std::move(params), InstanceKind::device);
    roots.push_back(instance.id);
    specializer.tell_as_function(instance.id);
    if (instance.failed) return true;  // reported when the module is closed
    if (!instance.result.is_none()) {
        diagnostics.report(diag::core_result, info.def->name_span, std::string_view(info.name), instance.result.name());
        return false;
    }
    for (size_t k = function.core->inputs; k < function.params.size(); ++k)
        if (!may_store(instance.function, instance.function.params[k]))
            diagnostics.report(diag::output_not_stored, info.def->name_span, std::string_view(function.params[k]),
                               std::string_view(info.name));
    entry.function = instance.id;
    find_overwritten(instance.function, *function.core, entry.core);
    specializer.add_array_entry(std::move(entry));
    return true;
}

}  // namespace pyk
