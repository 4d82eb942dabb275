// Functions that are made of others, and are written in Python themselves: those of the library.
#include <algorithm>
#include <utility>

#include "library/library.h"
#include "sema/infer.h"
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

const FunctionInfo& Inference::library_function(std::string_view name) {
    const FunctionInfo* info = specializer_.library_function(name);
    if (!info) internal_error("the library lacks " + std::string(name));
    return *info;
}

// What the file calls it. An operator's function has no other name than the library's: np_dot, which is `np.dot`.
std::string Inference::called_name(const FunctionInfo& info) const {
    if (called_as_.first == &info) return std::string(called_as_.second);
    std::string name = info.name;
    if (const size_t at = name.find('_'); at != std::string::npos && is_of_library(info.span)) name[at] = '.';
    return name;
}

// `np.max(x)` of a number, in functions that take arrays as well: of an array that has it alone.
bool Inference::takes_number(const CallSite& site) const {
    static constexpr BuiltinName kOfNumbers[] = {"np.sum",    "np.prod",   "np.mean",   "np.std",    "np.var", "np.min",
                                                 "np.max",    "np.amin",   "np.amax",   "np.any",    "np.all", "np.ptp",
                                                 "np.nanmin", "np.nanmax", "np.nansum", "np.nanmean"};
    return specializer_.can_allocate() && !site.receiver && site.node.args.size() == 1 && site.node.keywords.empty() &&
           !site.node.args[0]->as<ast::Starred>() && is_one_of(site.builtin, kOfNumbers);
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
    const auto called_before = std::exchange(called_as_, {&function, site.builtin.name});
    const auto call = [&](const Value* receiver, const ast::Call& node) {
        return call_function(function, nullptr, receiver, node, site.span, site.out);
    };
    Value result;
    if (may_be_counted) {
        result = split(function, site);
    } else if (takes_number(site)) {
        Value items = unwrapped(lower(*site.node.args[0], site.out));
        if (items.type && items.type.is_scalar()) {
            std::vector<Value> alone;
            alone.push_back(std::move(items));
            items = array_of_sequence(make_tuple(std::move(alone), site.span), site.out);
        }
        if (!items.is_unknown()) result = call(&items, ast::Call{site.node.func, {}, {}});
    } else {
        result = call(site.receiver, site.node);
    }
    takes_lists_ = took_lists;
    called_as_ = called_before;
    return kept_result(std::move(result), site.out);
}

}  // namespace pyk
