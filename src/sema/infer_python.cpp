// Functions that are made of others, and are written in Python themselves: numpy.pyk, random.pyk and operators.pyk,
// carried inside the compiler.
#include <fmt/format.h>

#include <algorithm>

#include "pyk_library.h"
#include "sema/infer.h"
#include "support/fault.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

std::string_view text_of(std::string_view name) {
    const auto files = library_files();
    const auto found = std::ranges::find(files, name, &LibraryFile::name);
    if (found == files.end()) internal_error("the compiler does not carry " + std::string(name));
    return found->text;
}

ast::Module parsed(std::string_view name, std::string text) {
    Diagnostics findings;
    std::optional<ast::Module> module =
        parse(std::make_shared<SourceFile>(std::string(name), std::move(text)), findings);
    if (!module) internal_error(render(findings));
    return std::move(*module);
}

// Whether it draws by the generators that threads have where the host calls.
bool draws(const Builtin& row) { return row.name.starts_with("random.") || row.name.starts_with("np.random."); }

}  // namespace

const ModuleScope& Specializer::library() {
    static const ast::Module file = parsed("numpy", fmt::format("{}\n\n{}", text_of("numpy"), text_of("random")));
    if (!library_) library_ = std::make_unique<ModuleScope>(file, Defines());
    return *library_;
}

const ModuleScope& Specializer::operators() {
    static const ast::Module file = parsed("operators", std::string(text_of("operators")));
    if (!operators_) operators_ = std::make_unique<ModuleScope>(file, Defines());
    return *operators_;
}

const FunctionInfo& Inference::library_function(std::string_view name) {
    const auto entity = specializer_.library().lookup(name);
    const auto* info = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
    if (!info) internal_error("the library lacks " + std::string(name));
    return **info;
}

// `np.sum(a)`, `a.sum()` and others call the function of the library that has the row's name.
Value Inference::special_python(const CallSite& site) {
    std::string name(site.builtin.name);
    if (draws(site.builtin) && !specializer_.can_allocate()) {
        if (name.starts_with("np.")) name.replace(0, 2, "numpy");
        return unknown_path(name, site.node.func->span);
    }
    std::ranges::replace(name, '.', '_');
    Value result = call_function(library_function(name), nullptr, site.receiver, site.node, site.span, site.out);
    return kept_result(std::move(result), site.out);
}

}  // namespace pyk
