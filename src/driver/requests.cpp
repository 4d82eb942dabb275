#include "driver/requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "module/meant.h"
#include "module/scope.h"
#include "sema/host_call.h"
#include "support/nearest.h"
#include "types/holds_arrays.h"

namespace pyk {
namespace {

Span whole(const SourceFilePtr& file) { return {file.get(), 0, static_cast<uint32_t>(file->text().size())}; }

/// Whether the host launches or calls it.
bool is_entry(const Program& program, std::string_view name) {
    return find_kernel(program, name) || find_array_function(program, name) || find_function(program, name) ||
           find_reduction(program, name);
}

/// Whether the file has one function, for device code.
bool is_alone(const Program& program) {
    return program.kernels.empty() && program.array_functions.empty() && program.functions.empty() &&
           program.operators.size() == 1;
}

class Chooser {
  public:
    Chooser(const Program& program, const Selection& selection, Diagnostics& diagnostics)
        : program_(program), selection_(selection), diagnostics_(diagnostics) {}

    std::vector<Request> choose() {
        for (const std::string& name : selection_.kernels) check_kernel(name, {});
        for (const SourceFilePtr& text : selection_.signatures) add_option(text);
        for (const KernelInfo& kernel : program_.kernels)
            if (is_selected(kernel.name) && !is_left_open(kernel)) add_declared(kernel);
        for (const ArrayFunctionInfo& function : program_.array_functions)
            if (is_selected(function.name)) add_declared(function);
        for (const KernelInfo& function : program_.functions)
            if (is_selected(function.name)) add_declared_call(function);
        for (const KernelInfo& function : program_.functions)
            if (is_missed(function)) report_without_types(function);
        const bool has_only_functions = program_.kernels.empty() && program_.array_functions.empty();
        if (requests_.empty() && has_only_functions && program_.functions.empty() && !diagnostics_.has_errors())
            report_no_kernels();
        else if (requests_.empty() && !diagnostics_.has_errors())
            diagnostics_.report(diag::nothing_to_compile, {});
        return std::move(requests_);
    }

  private:
    // A decorator of the author's own may be what makes kernels elsewhere.
    void report_no_kernels() {
        Diagnostics& report = diagnostics_.report(diag::no_kernels, {}, program_.source->name());
        for (const ast::Stmt* stmt : program_.tree->body) {
            const auto* function = stmt->as<ast::FunctionDef>();
            if (!function || function->decorator_list.empty()) continue;
            const Span& decorator = function->decorator_list.front()->span;
            const auto* call = function->decorator_list.front()->as<ast::Call>();
            const ast::Expr& maker = call ? *call->func : *function->decorator_list.front();
            if (const auto missing = program_.scope->missing_module(program_.scope->path_of(maker))) {
                report.note(missing->span, fmt::format("`{}` comes from `{}`, which is not found{}", maker.span.text(),
                                                       missing->name, meant_module(missing->name)));
                break;
            }
            report.note(decorator, fmt::format(fmt::runtime(why_no_kernel(decorator.text(), function->name)),
                                               decorator.text(), function->name));
            break;
        }
    }
    std::string_view why_no_kernel(std::string_view decorator, std::string_view function) const {
        const auto found = std::ranges::find(program_.operators, function, &OperatorInfo::name);
        if (found != program_.operators.end() && found->is_reduction)
            return "`{}` makes a reduction of `{}`, which `--sig` gives a type, and `pykc run` and `pyk::reduction` "
                   "compile for what they are given";
        if (decorator.find("device=True") != std::string_view::npos)
            return "with `{}`, `{}` is a function that kernels call; `--sig` makes it one for other CUDA C++";
        return "nothing is known of `{}` that would make `{}` a kernel";
    }

    bool is_named(std::string_view kernel) const {
        return std::find(selection_.kernels.begin(), selection_.kernels.end(), kernel) != selection_.kernels.end();
    }
    bool is_selected(std::string_view kernel) const { return selection_.kernels.empty() || is_named(kernel); }
    bool has_request(std::string_view kernel) const {
        return std::any_of(requests_.begin(), requests_.end(), [&](const Request& r) { return r.kernel == kernel; });
    }

    bool has_reductions() const { return std::ranges::any_of(program_.operators, &OperatorInfo::is_reduction); }

    const KernelInfo* check_kernel(std::string_view name, Span span) {
        const KernelInfo* kernel = find_kernel(program_, name);
        const bool has_any = !program_.kernels.empty() || !program_.array_functions.empty() ||
                             !program_.functions.empty() || has_reductions() || (span && selection_.for_device);
        if (has_any && !is_entry(program_, name))
            diagnostics_.report(diag::unknown_kernel_near, span, name, kernel_hint(program_, name));
        return kernel;
    }

    // A signature without a name belongs to the only kernel there is.
    std::string_view kernel_of(const Signature& signature, Span span) {
        if (!signature.name.empty()) return signature.name;
        if (selection_.kernels.size() == 1) return selection_.kernels[0];
        if (program_.kernels.size() == 1) return program_.kernels[0].name;
        if (program_.kernels.empty() && program_.array_functions.size() == 1) return program_.array_functions[0].name;
        if (program_.kernels.empty() && program_.array_functions.empty() && program_.functions.size() == 1)
            return program_.functions[0].name;
        if (selection_.for_device && is_alone(program_)) return program_.operators[0].name;
        if (!program_.kernels.empty())
            diagnostics_.report(diag::signature_without_name, span, program_.kernels[0].name);
        return {};
    }

    // What is called like a type is meant by its name: `double(float32[::1])` of a kernel `double` says no result.
    void settle_name(Signature& signature, std::string_view text) const {
        const std::string name(text.substr(0, text.find('(')));
        if (!signature.name.empty() || !defines(program_, name)) return;
        signature.name = name;
        signature.result = {};
    }

    void add_option(const SourceFilePtr& text) {
        SignatureError error{};
        std::optional<Signature> signature = parse_signature(text->text(), error, names_of(program_.scope));
        if (!signature) {
            const auto at = static_cast<uint32_t>(std::min(error.offset, text->text().size()));
            const auto length = static_cast<uint32_t>(error.length);
            diagnostics_.report(diag::bad_signature, {text.get(), at, at + length}, error.message);
            const std::string_view wrong = std::string_view(text->text()).substr(at, length);
            if (const auto part = unread_dtype(*program_.scope, wrong)) diagnostics_.note(part->span, part->text);
            return;
        }
        settle_name(*signature, text->text());
        const std::string_view name = kernel_of(*signature, whole(text));
        if (const ArrayFunctionInfo* function = find_array_function(program_, name))
            return add(*function, std::move(*signature), whole(text));
        if (const OperatorInfo* function = find_device_function(program_, name); function && is_export(name))
            return add_export(*function, std::move(*signature), whole(text));
        if (const KernelInfo* function = find_function(program_, name))
            return add_call(*function, std::move(*signature), whole(text));
        if (const OperatorInfo* reduction = find_reduction(program_, name))
            return add_reduction(*reduction, std::move(*signature), whole(text));
        const KernelInfo* kernel = name.empty() ? nullptr : check_kernel(name, whole(text));
        if (kernel) add(*kernel, std::move(*signature), whole(text));
    }

    // As Numba's object: of an array of one axis, whose type the values keep.
    void add_reduction(const OperatorInfo& reduction, Signature signature, Span span) {
        const bool is_one = signature.params.size() == 1;
        if (!is_one || !signature.params[0].is_array() || signature.params[0].ndim() != 1) {
            diagnostics_.report(diag::bad_signature, span,
                                fmt::format("reduction `{}` takes an array of one axis", reduction.name));
            return;
        }
        const Type element = signature.params[0].element();
        Request request{reduction.name, std::move(signature), span};
        request.algorithm = AlgorithmRequest{"reduce", {}, {element}, element, {}};
        requests_.push_back(std::move(request));
    }

    // What the host may call, and is not to, is a function for device code as any other.
    bool is_export(std::string_view name) const {
        const bool is_for_host = find_function(program_, name) && (selection_.for_host || selection_.is_check);
        return selection_.for_device && !is_for_host;
    }

    /// Of what takes neither `*args` nor less.
    template <class Info>
    bool check_count(const Info& function, const Signature& signature, Span span) {
        const size_t wanted = function.params.size(), given = signature.params.size();
        if (given != wanted)
            diagnostics_.report(diag::signature_arity, span, function.name, static_cast<int>(wanted),
                                static_cast<int>(given));
        return given == wanted;
    }

    void add_export(const OperatorInfo& function, Signature signature, Span span) {
        if (!check_count(function, signature, span)) return;
        requests_.push_back({function.name, std::move(signature), span});
        requests_.back().is_export = true;
    }

    void add_call(const KernelInfo& function, Signature signature, Span span) {
        function.spread_rest(signature);
        if (!function.takes(signature.params.size())) {
            diagnostics_.report(diag::signature_arity, span, function.name, function.count(),
                                static_cast<int>(signature.params.size()));
            return;
        }
        requests_.push_back({function.name, std::move(signature), span});
        requests_.back().cpu_only = true;
    }

    void add_declared(const KernelInfo& kernel) {
        if (has_request(kernel.name) || has_option(kernel.name)) return;
        for (const Signature& signature : kernel.signatures) add(kernel, signature, kernel.span);
        if (!kernel.signatures.empty()) return;
        if (kernel.params.empty()) return add(kernel, {}, kernel.span);
        report_without_types(kernel);
    }

    void report_without_types(const KernelInfo& kernel) {
        const std::string params = fmt::format("<{}>", fmt::join(kernel.params, ">, <"));
        if (is_named(kernel.name))
            diagnostics_.report(diag::kernel_without_types, kernel.span, kernel.name, params);
        else
            diagnostics_.report(diag::kernel_skipped, kernel.span, kernel.name, params);
        if (kernel.unclear) diagnostics_.note(kernel.unclear->span, kernel.unclear->text);
    }

    // What gives something that the host cannot take is for kernels and other functions.
    void add_declared_call(const KernelInfo& function) {
        if (has_request(function.name) || has_option(function.name)) return;
        for (const Signature& signature : function.signatures) {
            const std::string refused = refused_by_host(signature);
            if (refused.empty())
                add_call(function, signature, function.span);
            else if (selection_.for_host)
                diagnostics_.report(diag::host_skipped, function.span, function.name, refused);
        }
    }

    // A function without types is there for others, if there are any, unless it is named.
    bool is_missed(const KernelInfo& function) const {
        if (!function.signatures.empty() || has_option(function.name)) return false;
        return is_named(function.name) ? !has_request(function.name)
                                       : selection_.kernels.empty() && requests_.empty() && program_.kernels.empty() &&
                                             program_.array_functions.empty();
    }

    // What C++ cannot do with it; empty: it can call it.
    static std::string refused_by_host(const Signature& signature) {
        const auto refused = std::ranges::find_if(
            signature.params, [](Type type) { return type.is_optional() || (type.is_tuple() && holds_arrays(type)); });
        if (refused != signature.params.end()) return fmt::format("pass {}", refused->name());
        if (signature.result && !is_host_result(signature.result))
            return fmt::format("take the {} that it returns", signature.result.name());
        return "";
    }

    void add_declared(const ArrayFunctionInfo& function) {
        if (has_request(function.name) || has_option(function.name)) return;
        for (const Signature& signature : function.signatures) add(function, signature, function.span);
        if (!function.signatures.empty()) return;
        if (function.is_stencil && !is_named(function.name) && !program_.functions.empty()) return;  // they call it
        const std::string params = fmt::format("<{}>", fmt::join(function.params, ">, <"));
        if (is_named(function.name))
            diagnostics_.report(diag::kernel_without_types, function.span, function.name, params);
        else
            diagnostics_.report(diag::kernel_skipped, function.span, function.name, params);
    }

    void add(const ArrayFunctionInfo& function, Signature signature, Span span) {
        if (!check_count(function, signature, span)) return;
        if (function.core && !check_core_signature(function, signature, span, diagnostics_)) return;
        if (!function.core && !function.is_stencil && !check_element_signature(function, signature, span, diagnostics_))
            return;
        Request request{function.name, std::move(signature), span};
        if (function.is_stencil)
            request.accesses = {ir::ElementAccess::strided};
        else if (function.core)
            request.accesses = {ir::ElementAccess::core};
        else
            request.accesses = {ir::ElementAccess::flat, ir::ElementAccess::rows, ir::ElementAccess::strided,
                                ir::ElementAccess::tiled};
        requests_.push_back(std::move(request));
    }

    // A kernel of a function that nobody called, whose captured values nothing gives, is compiled only by name.
    bool is_left_open(const KernelInfo& kernel) {
        if (kernel.open_names.empty() || is_named(kernel.name) || has_option(kernel.name)) return false;
        const std::string names = fmt::format("{}", fmt::join(kernel.open_names, "`, `"));
        diagnostics_.report(diag::kernel_open, kernel.span, kernel.name, names, kernel.way_out);
        return true;
    }

    // A faulty `--sig` for a kernel was reported: what the kernel declares does not step in for it.
    bool has_option(std::string_view kernel) const {
        return std::any_of(selection_.signatures.begin(), selection_.signatures.end(), [&](const SourceFilePtr& text) {
            return text->text().substr(0, text->text().find('(')) == kernel;
        });
    }

    void add(const KernelInfo& kernel, Signature signature, Span span) {
        if (signature.result && !signature.result.is_none()) {
            diagnostics_.report(diag::signature_result, span, signature.result.signature());
            return;
        }
        kernel.spread_rest(signature);
        if (!kernel.takes(signature.params.size())) {
            diagnostics_.report(diag::signature_arity, span, kernel.name, kernel.count(),
                                static_cast<int>(signature.params.size()));
            return;
        }
        const bool known = std::any_of(requests_.begin(), requests_.end(), [&](const Request& r) {
            return r.kernel == kernel.name && r.signature.params == signature.params;
        });
        if (!known) requests_.push_back({kernel.name, std::move(signature), span});
    }

    const Program& program_;
    const Selection& selection_;
    Diagnostics& diagnostics_;
    std::vector<Request> requests_;
};

template <class Info>
const Info* find(const std::vector<Info>& all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &Info::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

SourceFilePtr signature_source(std::string text) { return std::make_shared<SourceFile>("--sig", std::move(text)); }

const KernelInfo* find_kernel(const Program& program, std::string_view name) { return find(program.kernels, name); }

const KernelInfo* find_function(const Program& program, std::string_view name) { return find(program.functions, name); }

const ArrayFunctionInfo* find_array_function(const Program& program, std::string_view name) {
    return find(program.array_functions, name);
}

bool may_make_arrays(const ArrayFunctionInfo& function) { return function.target != ArrayTarget::cuda; }

const OperatorInfo* find_reduction(const Program& program, std::string_view name) {
    const OperatorInfo* const found = find(program.operators, name);
    return found && found->is_reduction ? found : nullptr;
}

const OperatorInfo* find_device_function(const Program& program, std::string_view name) {
    const OperatorInfo* const found = find(program.operators, name);
    return found && !found->is_reduction && !find_array_function(program, name) ? found : nullptr;
}

bool defines(const Program& program, std::string_view name) {
    return is_entry(program, name) || find_device_function(program, name);
}

std::string kernel_hint(const Program& program, std::string_view wrong) {
    std::vector<std::string_view> names;
    for (const KernelInfo& kernel : program.kernels) names.push_back(kernel.name);
    for (const ArrayFunctionInfo& function : program.array_functions) names.push_back(function.name);
    for (const KernelInfo& function : program.functions) names.push_back(function.name);
    for (const OperatorInfo& each : program.operators)
        if (each.is_reduction) names.push_back(each.name);
    if (names.empty())
        for (const OperatorInfo& each : program.operators) names.push_back(each.name);
    if (names.empty()) return "; the file defines none";
    if (find_device_function(program, wrong)) return "; that is a device function, which kernels call";
    const std::string nearest = nearest_name(wrong, names);
    if (!nearest.empty()) return fmt::format("; did you mean `{}`?", nearest);
    return fmt::format("; the file defines `{}`", fmt::join(names, "`, `"));
}

std::vector<Request> choose_requests(const Program& program, const Selection& selection, Diagnostics& diagnostics) {
    return Chooser(program, selection, diagnostics).choose();
}

}  // namespace pyk
