#include "sema/options.h"

#include <algorithm>
#include <cctype>

#include "sema/foreign.h"
#include "sema/host_sets.h"

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
};
constexpr std::string_view kErrorModel = "error_model", kCarveout = "shared_memory_carveout";
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
    explicit OptionReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    DecoratorOptions result;

    void read(const ast::Keyword& keyword, const ModuleScope& scope) {
        const std::string_view name = keyword.arg;
        if (name.empty() || std::ranges::find(kReadElsewhere, name) != std::end(kReadElsewhere)) return;
        if (const auto* ignored = std::ranges::find(kIgnored, name, &Ignored::name); ignored != std::end(kIgnored)) {
            diagnostics_.report(diag::option_ignored, keyword.span, name, ignored->why);
            return;
        }
        const auto* known = std::ranges::find(kBools, name, &BoolOption::name);
        const bool is_number = name == "max_registers" || name == "launch_bounds";
        if (known == std::end(kBools) && !is_number && name != "fastmath" && name != "inline" &&
            name != "forceinline" && name != kErrorModel && name != kCarveout) {
            diagnostics_.report(diag::unknown_option, keyword.span, std::string_view("cuda.jit"), name, hint(name));
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
        if (name == "fastmath") return boolean(keyword, result.compile.fastmath, false);
        if (name == "forceinline") return boolean(keyword, result.always_inline, false);
        if (name == "inline") return inlined(keyword);
        if (name == kErrorModel) return error_model(keyword);
        if (name == kCarveout) return carveout(keyword);
        if (name == "max_registers") return number(keyword, *value_, result.compile.max_registers, 1, kMostRegisters);
        bounds(keyword);
    }

  private:
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

    static std::string hint(std::string_view wrong) {
        std::vector<std::string_view> names = {"fastmath",      "inline",    "forceinline", "max_registers",
                                               "launch_bounds", kErrorModel, kCarveout};
        for (const std::string_view name : kReadElsewhere) names.push_back(name);
        for (const BoolOption& option : kBools) names.push_back(option.name);
        const std::string near = nearest_name(wrong, names);
        return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
    }

    Diagnostics& diagnostics_;
    std::optional<Const> value_;
};

}  // namespace

DecoratorOptions read_options(std::span<const FunctionInfo::Decorating> decorators, Diagnostics& diagnostics) {
    OptionReader reader(diagnostics);
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
