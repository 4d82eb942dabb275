#include "sema/algorithms.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/build.h"
#include "sema/array_functions.h"
#include "types/convert.h"

namespace pyk {
namespace {

constexpr std::string_view kOwn = "pyk.";

const FunctionInfo* operator_named(Specializer& specializer, const ModuleScope& scope, const std::string& name) {
    if (name.starts_with(kOwn)) return specializer.library_function("pyk_" + name.substr(kOwn.size()));
    const auto entity = scope.lookup(name);
    const auto* info = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
    return info ? *info : nullptr;
}

// What arrays consist of, and tuples of it: named tuples and dataclasses, which C++ has as structs, and plain ones.
bool can_be_value(Type type) {
    if (!type.is_tuple() || type.size() == 0) return type.is_element();
    return std::ranges::all_of(type.elements(), [](Type part) { return !part.is_record() && can_be_value(part); });
}

size_t params_of(const FunctionInfo& info) { return info.def->args->posonlyargs.size() + info.def->args->args.size(); }

/// One request.
class Adder {
  public:
    Adder(Specializer& specializer, const ModuleScope& scope, const Request& request,
          std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics)
        : specializer_(specializer),
          scope_(scope),
          request_(request),
          algorithm_(*request.algorithm),
          roots_(roots),
          diagnostics_(diagnostics) {}

    bool add() {
        const FunctionInfo* combine = find(request_.kernel);
        const FunctionInfo* transform = algorithm_.transform.empty() ? nullptr : find(algorithm_.transform);
        if (!combine || (!transform && !algorithm_.transform.empty())) return false;
        Type value = algorithm_.elements[0];
        if (transform) {
            if (!check_params(*transform, algorithm_.elements.size())) return false;
            const Instance* instance = compiled(*transform, algorithm_.elements);
            if (!instance) return false;
            value = instance->result;
        }
        if (algorithm_.value)
            value = algorithm_.value;
        else if (!algorithm_.result && !widen(*combine, value))
            return false;
        Instance* function = compiled(*combine, std::vector<Type>(params_of(*combine), value));
        if (!function) return false;
        const Type result = algorithm_.result ? algorithm_.result : value;
        const std::vector<Type> values(params_of(*combine), value);
        const Instance* root = function->result == result ? function : between(*combine, *function, values, result);
        if (!root) return false;
        ir::ArrayEntry entry{root->id, request_.kernel, {}, {}};
        if (entry.name.starts_with(kOwn)) entry.name.erase(0, kOwn.size());
        entry.algorithm = ir::Algorithm{algorithm_.name, std::nullopt, algorithm_.elements, value};
        if (transform || value != algorithm_.elements[0]) {
            const Instance* made = transform ? transformed(*transform, value) : converted(*combine, value);
            if (!made) return false;
            entry.algorithm->transform = made->id;
        }
        specializer_.add_array_entry(std::move(entry));
        return true;
    }

  private:
    const FunctionInfo* find(const std::string& name) {
        const FunctionInfo* info = operator_named(specializer_, scope_, name);
        if (!info) diagnostics_.report(diag::unknown_kernel, request_.span, std::string_view(name));
        return info;
    }

    bool check_params(const FunctionInfo& info, size_t count) {
        if (params_of(info) == count) return true;
        diagnostics_.report(diag::signature_arity, info.def->name_span, std::string_view(info.name),
                            static_cast<int>(params_of(info)), static_cast<int>(count));
        return false;
    }

    /// Null: reported, here or when the module is closed.
    Instance* compiled(const FunctionInfo& info, const std::vector<Type>& params) {
        Instance& instance = specializer_.instance(info, {params.begin(), params.end()}, InstanceKind::device);
        roots_.push_back(instance.id);
        if (instance.failed) return nullptr;
        if (can_be_value(instance.result)) return &instance;
        diagnostics_.report(diag::array_function_result, info.def->name_span, std::string_view(info.name),
                            instance.result.name());
        return nullptr;
    }

    /// To the type that the operator gives of two of its own results.
    bool widen(const FunctionInfo& combine, Type& value) {
        for (int round = 0; round < 3; ++round) {
            const Instance* instance = compiled(combine, std::vector<Type>(params_of(combine), value));
            if (!instance) return false;
            if (instance->result == value) return true;
            value = instance->result;
        }
        return true;
    }

    bool check_conversion(const FunctionInfo& info, Type from, Type to) {
        if (conversion(from, to)) return true;
        diagnostics_.report(diag::cannot_convert, info.def->name_span, from.name(), to.name());
        return false;
    }

    Instance* between(const FunctionInfo& info, const Instance& function, const std::vector<Type>& params,
                      Type result) {
        if (!check_conversion(info, function.result, result)) return nullptr;
        Instance& made = adapted(specializer_, info, function, params, result);
        roots_.push_back(made.id);
        return &made;
    }

    Instance* transformed(const FunctionInfo& transform, Type value) {
        Instance* function = compiled(transform, algorithm_.elements);
        if (!function || function->result == value) return function;
        return between(transform, *function, algorithm_.elements, value);
    }

    /// The element as a value of the operator's type.
    Instance* converted(const FunctionInfo& combine, Type value) {
        const Type element = algorithm_.elements[0];
        if (!check_conversion(combine, element, value)) return nullptr;
        const Span span = combine.def->name_span;
        ir::Function made;
        made.name = "value";
        made.span = span;
        made.result = value;
        const ir::LocalId local = ir::add_parameter(made, "element", element, span);
        made.body.push_back({span, ir::Return{ir::convert(ir::local(made, local, span), value)}});
        Instance& instance =
            specializer_.made(fmt::format("value {} {}", element.code(), value.code()), combine, std::move(made), {});
        roots_.push_back(instance.id);
        return &instance;
    }

    Specializer& specializer_;
    const ModuleScope& scope_;
    const Request& request_;
    const AlgorithmRequest& algorithm_;
    std::vector<ir::FunctionId>& roots_;
    Diagnostics& diagnostics_;
};

}  // namespace

std::vector<OperatorInfo> operators_of(const ModuleScope& scope) {
    std::vector<OperatorInfo> operators;
    for (const FunctionInfo* function : scope.operators()) {
        const ast::Arguments& args = *function->def->args;
        if (args.vararg || !args.kwonlyargs.empty()) continue;
        OperatorInfo info{function->name, {}, function->array == ArrayKind::reduction};
        for (const auto* list : {&args.posonlyargs, &args.args})
            for (const ast::Arg& arg : *list) info.params.emplace_back(arg.arg);
        operators.push_back(std::move(info));
    }
    return operators;
}

bool add_algorithm_entry(Specializer& specializer, const ModuleScope& scope, const Request& request,
                         std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    return Adder(specializer, scope, request, roots, diagnostics).add();
}

}  // namespace pyk
