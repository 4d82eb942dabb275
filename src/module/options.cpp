#include "module/options.h"

#include <algorithm>
#include <cctype>

#include "module/foreign.h"
#include "module/host_sets.h"
#include "support/nearest.h"

namespace pyk {
namespace {

constexpr int kMostRegisters = 255, kMostThreads = 1024;

// Options that other code reads, or that say what the function is.
constexpr std::string_view kReadElsewhere[] = {"func_or_sig", "signature", "argtypes", "restype",
                                               "typing",      "link",      "device"};

struct Ignored {
    std::string_view name, why;
};
constexpr Ignored kIgnored[] = {
    {"cache", "what is compiled ahead of time needs no cache, and a JIT module keeps its kernels while it lives"},
    {"bind", "a launch binds the kernel"},
    {"boundscheck", "give --check=bounds instead"},
    {"extensions", "what prepares arguments on the host is not here"},
    {"nogil", "there is no Python here"},
    {"nopython", "there is no Python here"},
    {"parallel", "the launch says how many threads there are"},
    {"target", "whoever compiles says for what"},
};
// Of `njit`: what says how Numba compiles or keeps a function, and nothing of its results.
constexpr std::string_view kOfNumba[] = {
    "_nrt",        "cache", "locals",   "looplift", "no_cfunc_wrapper", "no_cpython_wrapper",
    "no_rewrites", "nogil", "nopython", "parallel", "pipeline_class",   "signature_or_function"};
constexpr std::string_view kErrorModel = "error_model", kCarveout = "shared_memory_carveout";
constexpr std::string_view kForceObject = "forceobj";
constexpr std::string_view kOfBoth[] = {"fastmath", "inline", "forceinline", kErrorModel};
constexpr std::string_view kOfKernels[] = {"max_registers", "launch_bounds", kCarveout};
constexpr std::string_view kCarveouts[] = {"default", "maxl1", "maxshared"};

struct BoolOption {
    std::string_view name;
    bool ir::CompileOptions::*option;
    bool inverted = false;
};
constexpr BoolOption kBools[] = {
    {"fmad", &ir::CompileOptions::no_fmad, true}, {"debug", &ir::CompileOptions::debug},
    {"lineinfo", &ir::CompileOptions::lineinfo},  {"opt", &ir::CompileOptions::no_opt, true},
    {"lto", &ir::CompileOptions::no_lto, true},
};

class OptionReader {
  public:
    OptionReader(bool is_for_host, bool is_of_device, Diagnostics& diagnostics)
        : is_for_host_(is_for_host), is_of_device_(is_of_device), diagnostics_(diagnostics) {}

    DecoratorOptions result;

    void read(const ast::Keyword& keyword, const ModuleScope& scope) {
        const std::string_view name = keyword.arg;
        if (name == "device" && !scope.constant(*keyword.value))
            diagnostics_.report(diag::option_unknown_value, keyword.value->span, name);
        if (name.empty() || std::ranges::find(kReadElsewhere, name) != std::end(kReadElsewhere)) return;
        if (is_for_host_ && std::ranges::find(kOfNumba, name) != std::end(kOfNumba)) return;
        if (const auto* ignored = std::ranges::find(kIgnored, name, &Ignored::name); ignored != std::end(kIgnored)) {
            diagnostics_.report(diag::option_ignored, keyword.span, name, ignored->why);
            return;
        }
        const auto* known = std::ranges::find(kBools, name, &BoolOption::name);
        if (!is_known(name)) {
            const std::string nearest = hint(name);
            if (is_of_device_)
                diagnostics_.report(
                    diag::option_ignored, keyword.span, name,
                    "Numba passes over what `cuda.jit` has no option for, of device functions" + nearest);
            else
                diagnostics_.report(diag::unknown_option, keyword.span,
                                    std::string_view(is_for_host_ ? "jit" : "cuda.jit"), name, nearest);
            return;
        }
        value_ = scope.constant(*keyword.value);
        // LLVM's flags, one by one: on the GPU they are all or none.
        if (name == "fastmath" && value_ && is_set(*value_)) value_ = Const{truth(*value_), {}};
        if (!value_) {
            diagnostics_.report(diag::option_unknown_value, keyword.value->span, name);
            return;
        }
        if (value_->as<Const::None>()) return;
        if (known != std::end(kBools)) return boolean(keyword, result.compile.*known->option, known->inverted);
        if (name == kForceObject) return truth(*value_) ? refuse(keyword, "False: there is no object mode") : void();
        if (name == "fastmath") return boolean(keyword, result.compile.fastmath, false);
        if (name == "forceinline") return boolean(keyword, result.always_inline, false);
        if (name == "inline") return inlined(keyword);
        if (name == kErrorModel) return error_model(keyword);
        if (name == kCarveout) return carveout(keyword);
        if (name == "max_registers") return number(keyword, *value_, result.compile.max_registers, 1, kMostRegisters);
        bounds(keyword);
    }

  private:
    bool is_known(std::string_view name) const {
        const auto is_in = [&](std::span<const std::string_view> names) {
            return std::ranges::find(names, name) != names.end();
        };
        if (is_in(kOfBoth)) return true;
        if (is_for_host_) return name == "debug" || name == kForceObject;
        return is_in(kOfKernels) || std::ranges::find(kBools, name, &BoolOption::name) != std::end(kBools);
    }

    void refuse(const ast::Keyword& keyword, std::string_view what) {
        diagnostics_.report(diag::bad_option, keyword.value->span, keyword.arg, what);
    }

    // Numba asks for truth only, and so 0 and 1 will do; a text is a mistake.
    void boolean(const ast::Keyword& keyword, bool& option, bool inverted) {
        const bool* flag = value_->as<bool>();
        const auto number = to_int(*value_);
        if (!flag && !(number && (*number == 0 || *number == 1))) return refuse(keyword, "True or False");
        option |= truth(*value_) != inverted;
    }

    void inlined(const ast::Keyword& keyword) {
        const auto* text = value_->as<std::string>();
        if (!text && !value_->as<bool>()) return refuse(keyword, "'always' or 'never'");
        if (text && *text != "always" && *text != "never") return refuse(keyword, "'always' or 'never'");
        result.always_inline |= text ? *text == "always" : truth(*value_);
    }

    void error_model(const ast::Keyword& keyword) {
        const auto* text = value_->as<std::string>();
        if (!text || (*text != "python" && *text != "numpy")) return refuse(keyword, "'python' or 'numpy'");
        result.divides_as_numpy = *text == "numpy";
    }

    void number(const ast::Keyword& keyword, const Const& value, int& option, int least, int most) {
        const auto n = value.as<bool>() ? std::nullopt : to_int(value);
        if (!n || *n < least || *n > most) return refuse(keyword, fmt::format("an integer from {} to {}", least, most));
        option = static_cast<int>(*n);
    }

    // Of a launch, not of a kernel's code: the host sets it.
    void carveout(const ast::Keyword& keyword) {
        const auto* text = value_->as<std::string>();
        std::string lower = text ? *text : "";
        std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
        const auto percent = text || value_->as<bool>() ? std::nullopt : to_int(*value_);
        const bool is_word = std::ranges::find(kCarveouts, lower) != std::end(kCarveouts);
        if (text ? !is_word : !percent || *percent < -1 || *percent > 100)
            return refuse(keyword, "an integer from -1 to 100, or 'default', 'MaxL1' or 'MaxShared'");
        diagnostics_.report(diag::option_ignored, keyword.span, kCarveout,
                            "the host sets it, by `cuFuncSetAttribute` or `cudaFuncSetAttribute`");
    }

    void bounds(const ast::Keyword& keyword) {
        int* const parts[] = {&result.compile.max_threads, &result.compile.min_blocks,
                              &result.compile.max_cluster_blocks};
        const auto* list = value_->as<Const::List>();
        const auto* tuple = list ? &(*list)->items : value_->as<Const::Tuple>();
        if (!tuple) return number(keyword, *value_, *parts[0], 1, kMostThreads);
        if (tuple->empty() || tuple->size() > std::size(parts))
            return refuse(keyword, "one to three integers: threads, blocks of a multiprocessor, blocks of a cluster");
        for (size_t i = 0; i < tuple->size(); ++i)
            number(keyword, (*tuple)[i], *parts[i], i == 0 ? 1 : 0, i == 0 ? kMostThreads : 32);
    }

    std::string hint(std::string_view wrong) const {
        std::vector<std::string_view> names(std::begin(kOfBoth), std::end(kOfBoth));
        const auto add = [&](std::span<const std::string_view> more) {
            names.insert(names.end(), more.begin(), more.end());
        };
        if (is_for_host_) {
            add(kOfNumba);
            names.push_back("debug");
        } else {
            add(kOfKernels);
            add(kReadElsewhere);
            for (const BoolOption& option : kBools) names.push_back(option.name);
        }
        const std::string near = nearest_name(wrong, names);
        return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
    }

    const bool is_for_host_, is_of_device_;
    Diagnostics& diagnostics_;
    std::optional<Const> value_;
};

/// The keys and values of `{…}`, `dict(…)` or a dict that has a name; null: it is none of them.
using Entries = std::vector<std::pair<std::string, std::optional<Type>>>;
std::optional<Entries> entries_of(const ModuleScope& scope, const ast::Expr& expr) {
    Entries entries;
    const auto add = [&](const std::optional<Const>& key, std::optional<Type> type) {
        const auto* name = key ? key->as<std::string>() : nullptr;
        entries.emplace_back(name ? *name : "", name ? type : std::nullopt);
    };
    if (const auto* dict = expr.as<ast::Dict>()) {
        for (size_t i = 0; i < dict->keys.size(); ++i)
            add(dict->keys[i] ? scope.constant(*dict->keys[i]) : std::nullopt, evaluate_type(scope, *dict->values[i]));
        return entries;
    }
    const auto* call = expr.as<ast::Call>();
    const auto* name = call ? call->func->as<ast::Name>() : nullptr;
    if (name && name->id == "dict" && call->args.empty()) {
        for (const ast::Keyword& keyword : call->keywords)
            entries.emplace_back(keyword.arg, evaluate_type(scope, *keyword.value));
        return entries;
    }
    const auto known = scope.constant(expr);
    const auto* dict = known ? known->as<Const::Dict>() : nullptr;
    if (!dict) return std::nullopt;
    for (size_t i = 0; i < dict->keys.size(); ++i) {
        const auto* type = dict->values[i].as<Type>();
        add(dict->keys[i], type ? std::optional(*type) : std::nullopt);
    }
    return entries;
}

}  // namespace

namespace {

bool says_device(const FunctionInfo::Decorating& said) {
    return std::ranges::any_of(said.call->keywords, [&](const ast::Keyword& keyword) {
        const auto value = keyword.arg == "device" ? said.scope->constant(*keyword.value) : std::nullopt;
        return value && truth(*value);
    });
}

}  // namespace

DecoratorOptions read_options(std::span<const FunctionInfo::Decorating> decorators, bool is_for_host,
                              Diagnostics& diagnostics) {
    const bool is_of_device = !is_for_host && std::ranges::any_of(decorators, says_device);
    OptionReader reader(is_for_host, is_of_device, diagnostics);
    const ast::Keyword *registers = nullptr, *lineinfo = nullptr;
    for (const auto& [decorator, scope] : decorators)
        for (const ast::Keyword& keyword : decorator->keywords) {
            if (keyword.arg.empty()) continue;  // `**options` of a function around it
            reader.read(keyword, *scope);
            if (keyword.arg == "max_registers") registers = &keyword;
            if (keyword.arg == "lineinfo") lineinfo = &keyword;
        }
    const ir::CompileOptions& options = reader.result.compile;
    if (options.max_threads && options.max_registers)
        diagnostics.report(diag::option_ignored, registers->span, "max_registers",
                           "beside `launch_bounds`, these decide how many registers there are");
    if (options.debug && options.lineinfo)
        diagnostics.report(diag::option_ignored, lineinfo->span, "lineinfo", "`debug` gives more than that");
    return reader.result;
}

std::map<std::string, Type, std::less<>> local_types_of(const FunctionInfo& info, Diagnostics& diagnostics) {
    std::map<std::string, Type, std::less<>> types;
    const auto read = [&](const ast::Call& call, const ModuleScope& scope) {
        const auto locals = std::ranges::find(call.keywords, "locals", &ast::Keyword::arg);
        if (locals == call.keywords.end()) return;
        const auto entries = entries_of(scope, *locals->value);
        const bool are_types =
            entries && std::ranges::all_of(*entries, [](const auto& e) { return e.second.has_value(); });
        if (!are_types)
            diagnostics.report(diag::bad_option, locals->value->span, std::string_view("locals"),
                               std::string_view("a dict of names and types"));
        else
            for (const auto& [name, type] : *entries) types.insert_or_assign(name, *type);
    };
    if (info.is_for_host)
        for (const auto& [call, scope] : info.decorators) read(*call, *scope);
    // As in Numba, whose `vectorize` takes them and makes nothing of them.
    if (info.array == ArrayKind::gufunc && info.array_decorator) read(*info.array_decorator, *info.scope);
    return types;
}

std::vector<ir::LinkedCode> links_of(std::span<const FunctionInfo::Decorating> decorators, Diagnostics& diagnostics) {
    std::vector<ir::LinkedCode> links;
    for (const auto& [decorator, scope] : decorators) {
        const auto link = std::ranges::find(decorator->keywords, "link", &ast::Keyword::arg);
        if (link == decorator->keywords.end()) continue;
        for (ir::LinkedCode& one : read_links(*scope, *link->value, diagnostics)) add_link(links, std::move(one));
    }
    return links;
}

void add_link(std::vector<ir::LinkedCode>& links, ir::LinkedCode link) {
    const bool known = std::ranges::any_of(
        links, [&](const ir::LinkedCode& other) { return other.name == link.name && other.bytes == link.bytes; });
    if (!known) links.push_back(std::move(link));
}

}  // namespace pyk
