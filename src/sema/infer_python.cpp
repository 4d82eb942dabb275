// Functions that are made of others, and are written in Python themselves: those of the library.
#include <algorithm>
#include <utility>

#include "sema/infer.h"
#include "sema/library.h"
#include "support/fault.h"

namespace pyk {
namespace {

// Whether it draws by the generators that threads have where the host calls.
bool draws(const Builtin& row) { return row.name.starts_with("random.") || row.name.starts_with("np.random."); }

}  // namespace

const FunctionInfo* Specializer::library_function(std::string_view name) {
    library_.resize(library_size());
    for (size_t i = library_place_of(name); i < library_size(); i = library_place_of(name, i + 1)) {
        if (!library_[i]) library_[i] = std::make_unique<ModuleScope>(library_file(i), Defines(), &library_importer());
        const auto entity = library_[i]->lookup(name);
        const auto* info = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
        if (info) return *info;
    }
    return nullptr;
}

bool Specializer::is_library(const FunctionInfo& info) const {
    return info.span.file && info.span.file->name().starts_with(kLibraryPrefix);
}

const FunctionInfo& Inference::library_function(std::string_view name) {
    const FunctionInfo* info = specializer_.library_function(name);
    if (!info) internal_error("the library lacks " + std::string(name));
    return *info;
}

// `np.sum(a)`, `a.sum()` and others call the function of the library that has the row's name. Their lists are tuples.
Value Inference::special_python(const CallSite& site) {
    std::string name(site.builtin.name);
    if (draws(site.builtin) && !specializer_.can_allocate()) {
        if (name.starts_with("np.")) name.replace(0, 2, "numpy");
        return unknown_path(name, site.node.func->span);
    }
    std::ranges::replace(name, '.', '_');
    if (name == "np_around") name = "np_round";
    if (name == "np_round" && instance_.has_cpu_types && !is_narrow()) name = "cpu_np_round";
    const FunctionInfo& function = library_function(name);
    const bool splits = name == "np_array_split" || name == "np_split";
    const bool may_be_counted = splits && site.node.args.size() == 2 && site.node.keywords.empty();
    const bool took_lists = std::exchange(takes_lists_, true);
    Value result = may_be_counted ? split(function, site)
                                  : call_function(function, nullptr, site.receiver, site.node, site.span, site.out);
    takes_lists_ = took_lists;
    return kept_result(std::move(result), site.out);
}

}  // namespace pyk
