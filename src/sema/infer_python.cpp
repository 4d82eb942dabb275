// Functions that are made of others, and are written in Python themselves: numpy.pyk and operators.pyk, carried inside
// the compiler.
#include <algorithm>

#include "pyk_library.h"
#include "sema/infer.h"
#include "support/fault.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

ast::Module parsed_file(std::string_view name) {
    for (const LibraryFile& file : library_files()) {
        if (file.name != name) continue;
        Diagnostics findings;
        std::optional<ast::Module> parsed =
            parse(std::make_shared<SourceFile>(std::string(file.name), std::string(file.text)), findings);
        if (!parsed) internal_error(render(findings));
        return std::move(*parsed);
    }
    internal_error("the compiler does not carry " + std::string(name));
}

}  // namespace

const ModuleScope& Specializer::library() {
    static const ast::Module file = parsed_file("numpy");
    if (!library_) library_ = std::make_unique<ModuleScope>(file, Defines());
    return *library_;
}

const ModuleScope& Specializer::operators() {
    static const ast::Module file = parsed_file("operators");
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
    std::ranges::replace(name, '.', '_');
    return call_function(library_function(name), nullptr, site.receiver, site.node, site.span, site.out);
}

}  // namespace pyk
