#include "emit/core_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "emit/team.h"
#include "ir/text.h"
#include "ir/thread_end.h"

namespace pyk::emitter {
namespace {

// Teams of a text with a header, whose operands nobody knows: few, as each is compiled. Lanes hold up to so many bytes
// of a part's elements; those of the largest team more, as no larger one could be taken.
constexpr int kTeams[] = {32, 256, 1024};
constexpr int kHoldingTeams[] = {32, 128, 512, 1024};
constexpr int kFewestItems = 4, kMostItems = 32;
constexpr size_t kMostHeld = 128, kMostHeldOfLargest = 256;

/// `pyk_at.at<const float>(0), pyk_at.extent(0, 0)`, and the strides where they are not those of layout C.
std::string core_words(const TypeNames& types, size_t operand, Type type, const ir::CoreOperand& part) {
    std::string text = fmt::format("pyk_at.at<const {}>({})", types.name(type.element()), operand);
    for (size_t axis = 0; axis < static_cast<size_t>(type.ndim()); ++axis)
        text += part.shape[axis] ? fmt::format(", {}", part.shape[axis])
                                 : fmt::format(", pyk_at.extent({}, {})", operand, axis);
    for (int axis = 0; type.layout() != Layout::C && axis < type.ndim(); ++axis)
        text += fmt::format(", pyk_at.stride({}, {})", operand, axis);
    return text;
}

Type type_of(const ir::Function& function, size_t operand) { return function.local(function.params[operand]).type; }

/// The types of what goes through shared memory, and void for the rest. In a text with a header the launch knows which
/// those are.
std::string staged_types(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    const ir::Function& function = scope.module.function(entry.function);
    std::string text;
    for (size_t k = 0; k < entry.core.size(); ++k) {
        const Type type = type_of(function, k);
        const bool may_be = scope.options.has_header && type.is_array() && 16 % type.element().byte_size() == 0;
        text += k ? ", " : "";
        text += may_be                    ? fmt::format("pyk::maybe_staged<{}>", scope.types.name(type.element()))
                : entry.core[k].is_staged ? scope.types.name(type.element())
                                          : "void";
    }
    return text;
}

/// What may end its thread cannot move what others have in shared memory.
bool may_end(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    return scope.debug || scope.options.check_bounds || may_end_thread(scope.module, entry.function);
}

LoopEntry team_entry(const ModuleScope& scope, const ir::ArrayEntry& array, TeamForm form) {
    const ir::Function& function = scope.module.function(array.function);
    const int threads = form.team.threads > 32 ? form.team.threads : 256;
    const std::string items = form.team.items ? fmt::format("x{}", form.team.items) : "";
    LoopEntry entry{fmt::format("{}_team{}{}", array.symbol, form.team.threads, items),
                    fmt::format("core_loop<{}>", array.core.size()),
                    fmt::format("for_each_core_by<{}>", team_type(function, form)), threads,
                    team_blocks(function, form, threads)};
    entry.team = std::move(form);
    return entry;
}

// --- ahead of time --------------------------------------------------------------------------------------------------
bool is_dense(const ir::Function& function) {
    return std::ranges::all_of(function.params, [&](ir::LocalId id) {
        const Type type = function.local(id).type;
        return !type.is_array() || type.layout() == Layout::C;
    });
}

bool has_variants(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    return scope.options.has_header && scope.target.entry_per_access && !entry.core.empty() && !may_end(scope, entry);
}

/// Whether all parts along one axis have the same extent, but those of which it is known.
bool has_one_extent(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    const PartsLayout& layout = scope.options.layouts.at(entry.name);
    std::set<size_t> extents;
    for (size_t k = 0; k < entry.core.size(); ++k)
        if (entry.core[k].shape == std::vector<int64_t>{0}) extents.insert(layout.operands[k][0]);
    return extents.size() == 1;
}

/// In memory and held, as far as there are such forms.
std::vector<TeamForm> variant_forms(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    std::vector<TeamForm> forms;
    if (!has_variants(scope, entry)) return forms;
    const bool may_hold = has_one_extent(scope, entry) && is_dense(scope.module.function(entry.function));
    for (const Team team : {Team{kTeams[0], 0}, Team{kHoldingTeams[0], kFewestItems}}) {
        if (team.items && !may_hold) continue;
        TeamForm form = team_form(scope.module, entry, team);
        if (form.refusal.empty()) forms.push_back(std::move(form));
    }
    return forms;
}

/// The sizes of teams for a form. Where lanes hold parts, those that stay in memory are longer.
std::vector<Team> sizes(const ir::Function& function, const TeamForm& form, bool has_held) {
    std::vector<Team> teams;
    if (form.held.empty()) {
        const std::span<const int> threads = has_held             ? std::span(kTeams).last(1)
                                             : is_dense(function) ? std::span(kTeams)
                                                                  : std::span(kTeams).first(2);
        for (const int each : threads) teams.push_back({each});
        return teams;
    }
    size_t bytes = 0;
    for (size_t k = 0; k < function.params.size(); ++k) {
        const Type type = type_of(function, k);
        if (type.is_array() && type.ndim() == 1) bytes += type.element().byte_size();
    }
    teams.push_back({kHoldingTeams[0], kFewestItems});
    for (const int threads : kHoldingTeams) {
        const size_t most = threads == *std::rbegin(kHoldingTeams) ? kMostHeldOfLargest : kMostHeld;
        int items = kMostItems;
        while (items > kFewestItems && static_cast<size_t>(items) * bytes > most) items /= 2;
        if (threads != kHoldingTeams[0] || items > kFewestItems) teams.push_back({threads, items});
    }
    return teams;
}

}  // namespace

std::string core_arguments(const FunctionScope& scope, const ir::ArrayEntry& entry) {
    const ir::Function& function = scope.function;
    const TypeNames& types = scope.module.types;
    std::string text(scope.takes_thread ? scope.module.target.thread_arg : "");
    for (size_t k = 0; k < entry.core.size(); ++k) {
        const ir::LocalId id = function.params[k];
        const Type type = function.local(id).type;
        if (!text.empty()) text += ", ";
        if (!type.is_array()) {
            const std::string number = fmt::format("pyk_at.number<{}>({})", types.name(type), k);
            text += !type.is_record()      ? number
                    : scope.reads_only(id) ? fmt::format("pyk::place_of({})", number)
                                           : fmt::format("pyk_at.at<{}>({})", types.name(type), k);
            continue;
        }
        if (takes_words(scope, id)) {
            text += core_words(types, k, type, entry.core[k]);
            continue;
        }
        const bool is_const = scope.module.makes_arrays ? type.readonly() : scope.reads_only(id);
        const std::string element = (is_const ? "const " : "") + types.name(type.element());
        const std::string_view layout = type.layout() == Layout::C ? "" : ", pyk::A";
        const bool is_known = std::ranges::any_of(entry.core[k].shape, [](int64_t extent) { return extent != 0; });
        text += fmt::format("pyk_at.part<{}, {}{}>({}{})", element, type.ndim(), layout, k,
                            is_known ? fmt::format(", {}", fmt::join(entry.core[k].shape, ", ")) : "");
    }
    return text;
}

std::vector<LoopEntry> core_entries(const ModuleScope& scope, const ir::ArrayEntry& array) {
    const std::string loop = fmt::format("core_loop<{}>", array.core.size());
    if (!scope.target.entry_per_access) return {{array.symbol, loop, "for_each_core_on_cpu"}};
    if (auto form = team_of(scope, static_cast<size_t>(array.function)))
        return {team_entry(scope, array, *std::move(form))};
    std::vector<LoopEntry> entries;
    for (const ir::ElementAccess access : array.accesses) {
        const bool is_staged = access == ir::ElementAccess::staged && !may_end(scope, array);
        if (access == ir::ElementAccess::staged && !is_staged && scope.options.has_header) continue;
        LoopEntry entry{
            fmt::format("{}_{}", array.symbol, ir::access_text(access)), loop,
            is_staged ? fmt::format("for_each_core_staged<{}>", staged_types(scope, array)) : "for_each_core"};
        entry.is_staged = is_staged;
        entries.push_back(std::move(entry));
    }
    const ir::Function& function = scope.module.function(array.function);
    std::vector<TeamForm> forms = variant_forms(scope, array);
    const bool has_held = std::ranges::any_of(forms, [](const TeamForm& form) { return !form.held.empty(); });
    for (TeamForm& form : forms)
        for (const Team team : sizes(function, form, has_held)) {
            form.team = team;
            entries.push_back(team_entry(scope, array, form));
        }
    return entries;
}

std::vector<FunctionScope> team_variants(const ModuleScope& scope, size_t function) {
    std::vector<FunctionScope> variants;
    for (const ir::ArrayEntry& entry : scope.module.arrays) {
        if (static_cast<size_t>(entry.function) != function) continue;
        for (TeamForm& form : variant_forms(scope, entry)) {
            form.is_generic = true;
            variants.push_back(function_scope(scope, function, std::move(form)));
        }
    }
    return variants;
}

}  // namespace pyk::emitter
