#include "sema/host_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/build.h"
#include "ir/renumber.h"
#include "types/time.h"

namespace pyk {
namespace {

bool is_number_or_date(Type type) { return type.is_scalar() || is_datetime(type) || is_timedelta(type); }

/// Stores what a call gave where the host finds it: a number or date in an array of one element, an array by what hands
/// it over. Each part of an Optional stands behind whether that holds something.
class Results {
  public:
    Results(ir::Function& kernel, Span span) : kernel_(kernel), span_(span) {}

    /// `declared`: what the signature says; of another type a number is converted, as Numba does.
    void add(ir::ExprPtr value, Type declared) {
        const Type type = value->type;
        if (type.is_optional()) {
            const ir::LocalId all = named(std::move(value));
            const auto around = std::exchange(optional_, all);
            add(ir::make(type.elements()[1], span_, ir::TupleItem{ir::local(kernel_, all, span_), 1}), Type());
            optional_ = around;
            return;
        }
        if (type.is_tuple()) {
            const ir::LocalId all = named(std::move(value));
            const bool has_types = declared && declared.is_tuple() && declared.size() == type.size();
            for (uint32_t i = 0; i < type.size(); ++i)
                add(ir::make(type.elements()[i], span_, ir::TupleItem{ir::local(kernel_, all, span_), i}),
                    has_types ? declared.elements()[i] : Type());
            return;
        }
        if (type.is_none()) return;
        if (optional_)
            store("some", ir::make(Scalar::boolean, span_, ir::TupleItem{ir::local(kernel_, *optional_, span_), 0}));
        if (type.is_array()) {
            ir::BuiltinCall give{&builtin("pyk.give"), {}};
            give.args.push_back(ir::local(kernel_, place("array", type.element()), span_));
            give.args.push_back(std::move(value));
            kernel_.body.push_back({span_, ir::Evaluate{ir::make(Type::none(), span_, std::move(give))}});
            return;
        }
        if (declared && declared.is_scalar()) value = ir::convert(std::move(value), declared);
        store("result", std::move(value));
    }

  private:
    ir::LocalId named(ir::ExprPtr value) {
        const ir::LocalId all = ir::add_temporary(kernel_, "results", value->type, span_);
        kernel_.body.push_back({span_, ir::Assign{all, std::move(value)}});
        return all;
    }

    void store(std::string_view name, ir::ExprPtr value) {
        ir::Store store{ir::local(kernel_, place(name, value->type), span_), {}, std::move(value)};
        store.indices.push_back({ir::integer(0, Scalar::int64, span_), false});
        kernel_.body.push_back({span_, std::move(store)});
    }

    ir::LocalId place(std::string_view name, Type element) {
        return ir::add_parameter(kernel_, fmt::format("{}{}", name, count_++), Type::array(element, 1, Layout::C),
                                 span_);
    }

    ir::Function& kernel_;
    Span span_;
    std::optional<ir::LocalId> optional_;  ///< the innermost around what is stored
    int count_ = 0;
};

/// Its first part says whether an Optional around it holds something: that part is not None for itself.
bool begins_with_value(Type type) {
    if (!type.is_tuple()) return !type.is_none();
    return !type.is_optional() && type.size() > 0 && begins_with_value(type.elements()[0]);
}

/// What of a result is no value of the host's: a text, a function. Empty: nothing is.
std::string unreturnable_part(const Specializer& specializer, Type result) {
    if (const Entity* held = specializer.held(result)) {
        const auto* constant = std::get_if<Const>(&*held);
        return !constant                     ? "a function, a type, a range or a list of arrays"
               : constant->as<std::string>() ? "a text"
                                             : "None in a tuple";
    }
    if (result.is_text()) return "a text";
    if (result.is_tuple())
        for (const Type element : result.elements())
            if (std::string found = unreturnable_part(specializer, element); !found.empty()) return found;
    return is_host_result(result) ? "" : result.name();
}

/// Whether a result becomes what the signature says, as in Numba: numbers do, arrays are of that very type, whose
/// layout says nothing, and nothing is nothing.
bool is_as_declared(Type result, Type declared) {
    if (!declared || declared.is_optional() || result.is_optional()) return true;
    if (result.is_tuple()) {
        if (!declared.is_tuple() || declared.size() != result.size()) return false;
        for (size_t i = 0; i < result.size(); ++i)
            if (!is_as_declared(result.elements()[i], declared.elements()[i])) return false;
        return true;
    }
    if (result.is_array())
        return declared.is_array() && declared.element() == result.element() && declared.ndim() == result.ndim();
    const bool are_numbers = result.is_scalar() && declared.is_scalar();
    return result == declared || (are_numbers && (declared.is_complex() || !result.is_complex()));
}

/// Where the function has `*args`, these are one parameter, a tuple of all from `count` on.
void gather_rest(std::vector<Parameter>& params, size_t count) {
    std::vector<Type> rest;
    for (size_t i = count; i < params.size(); ++i) rest.push_back(params[i].type);
    params.erase(params.begin() + static_cast<std::ptrdiff_t>(count), params.end());
    params.emplace_back(Type::tuple(rest));
}

}  // namespace

bool is_host_result(Type result) {
    if (result.is_optional()) return is_host_result(result.elements()[1]) && begins_with_value(result.elements()[1]);
    if (result.is_tuple()) return std::ranges::all_of(result.elements(), is_host_result);
    if (result.is_array() && result.element().is_record()) return true;
    return result.is_none() || is_number_or_date(result.is_array() ? result.element() : result);
}

void add_host_call(Specializer& specializer, const FunctionInfo& info, std::vector<Parameter> params, Type declared,
                   std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics) {
    const ast::Arguments& args = *info.def->args;
    if (args.vararg) gather_rest(params, args.posonlyargs.size() + args.args.size() + args.kwonlyargs.size());
    Instance& function = specializer.instance(info, std::move(params), InstanceKind::device);
    roots.push_back(function.id);
    specializer.tell_as_function(function.id);
    if (function.failed) return;  // reported when the module is closed
    const Type result = function.result;
    if (std::string part = unreturnable_part(specializer, result); !part.empty()) {
        diagnostics.report(diag::host_result, info.def->name_span, std::string_view(info.name), std::move(part));
        return;
    }
    if (!is_as_declared(result, declared)) {
        diagnostics.report(diag::cannot_convert, info.def->name_span,
                           std::string_view(fmt::format("the result of `{}`, {},", info.name, result.name())),
                           std::string_view(fmt::format("{}, as its signature says", declared.name())));
        return;
    }
    const Span span = function.function.span;
    ir::Function kernel;
    kernel.name = info.name + "_call";
    kernel.is_kernel = kernel.one_thread = true;
    kernel.result = Type::none();
    kernel.options = function.function.options;
    kernel.span = span;
    ir::Call call{function.id, {}};
    for (const ir::LocalId theirs : function.function.params) {
        const ir::Local& local = function.function.local(theirs);
        const auto taken = [&](std::string name, Type type) {
            return ir::local(kernel, ir::add_parameter(kernel, std::move(name), type, span), span);
        };
        if (!args.vararg || theirs != function.function.params.back()) {
            call.args.push_back(taken(local.name, local.type));
            continue;
        }
        ir::MakeTuple rest;
        for (size_t i = 0; i < local.type.size(); ++i)
            rest.elements.push_back(taken(fmt::format("{}_{}", local.name, i), local.type.elements()[i]));
        call.args.push_back(ir::make(local.type, span, std::move(rest)));
    }
    ir::ExprPtr value = ir::make(result, span, std::move(call));
    if (result.is_none())
        kernel.body.push_back({span, ir::Evaluate{std::move(value)}});
    else
        Results(kernel, span).add(std::move(value), declared);
    ir::put_parameters_first(kernel);
    roots.push_back(specializer
                        .made(fmt::format("call {}", static_cast<uint32_t>(function.id)), info, std::move(kernel),
                              {{function.id, span}})
                        .id);
}

}  // namespace pyk
