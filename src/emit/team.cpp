#include "emit/team.h"

#include <fmt/format.h>

#include <cstdlib>

#include "emit/shared_loop.h"
#include "emit/statement.h"
#include "ir/build.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

constexpr std::string_view kItem = "pyk_item";
// Of what 16 bytes have, so many are moved together; of the smallest elements fewer, so that few threads have some.
constexpr int kWidest = 4;
// Of a multiprocessor; and of a lane that holds 256 bytes, in a few large elements whose computation takes more.
constexpr int kRegisters = 65536, kRegistersOfShort = 64, kRegistersOfLong = 80;

/// The first that there is; else the last, with its refusal.
TeamForm form_of(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    TeamForm form;
    form.refusal = "it reports errors";
    if (scope.debug || scope.options.check_bounds) return form;
    for (const Team& team : scope.options.teams) {
        form = team_form(scope.module, entry, team);
        if (form.refusal.empty()) break;
    }
    return form;
}

bool asks_for_team(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    return !scope.options.teams.empty() && scope.target.entry_per_access && !entry.core.empty();
}

/// Elements that are moved together.
int width_of(const ir::Function& function, const TeamForm& form) {
    int width = kWidest;
    for (const TeamForm::Held& held : form.held)
        width = std::min(width, 128 / function.local(held.array).type.element().bits());
    return width;
}

/// Other than as a subscript of what lanes hold.
bool reads_counter(const TeamForm& form, const ir::ForRange& loop) {
    uint32_t subscripts = 0;
    for_each_element(loop.body, [&](const ir::Expr&, const std::vector<ir::Index>& indices) {
        if (form.held_elements.contains(&indices) && ir::is_local(*indices[0].value, loop.counter)) ++subscripts;
    });
    return count_reads(loop.body, loop.counter) > subscripts;
}

std::string_view joining(ir::ReductionKind kind) {
    switch (kind) {
        case ir::ReductionKind::sum:
            return "sum";
        case ir::ReductionKind::product:
            return "product";
        case ir::ReductionKind::least:
            return "least";
        case ir::ReductionKind::greatest:
            break;
    }
    return "greatest";
}

}  // namespace

std::optional<TeamForm> team_of(const ModuleScope& scope, size_t function) {
    for (const ir::ArrayEntry& entry : scope.module.arrays) {
        if (static_cast<size_t>(entry.function) != function || !asks_for_team(scope, entry)) continue;
        TeamForm form = form_of(scope, entry);
        if (form.refusal.empty()) return form;
    }
    return std::nullopt;
}

std::string why_no_team(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    return asks_for_team(scope, entry) ? form_of(scope, entry).refusal : "";
}

bool takes_words(const FunctionScope& scope, ir::LocalId array) {
    return scope.team && scope.function.local(array).type.is_array() && scope.reads_only(array);
}

std::string team_type(const ir::Function& function, const TeamForm& form) {
    if (form.is_generic)
        return form.held.empty() ? "pyk::team<pyk_threads>"
                                 : fmt::format("pyk::team<pyk_threads, pyk_items, {}>", width_of(function, form));
    if (form.held.empty()) return fmt::format("pyk::team<{}>", form.team.threads);
    return fmt::format("pyk::team<{}, {}, {}>", form.team.threads, form.team.items, width_of(function, form));
}

int team_blocks(const ir::Function& function, const TeamForm& form, int threads) {
    if (form.held.empty()) return 0;
    const bool has_long = std::ranges::any_of(
        form.held, [&](const TeamForm::Held& held) { return function.local(held.array).type.element().bits() > 32; });
    return kRegisters / ((has_long ? kRegistersOfLong : kRegistersOfShort) * threads);
}

std::string team_parameter(const FunctionScope& scope) {
    return fmt::format("{} {}", team_type(scope.function, *scope.team), kTeam);
}

std::string template_head(const TeamForm& form) {
    return form.held.empty() ? "template <int pyk_threads>\n" : "template <int pyk_threads, int pyk_items>\n";
}

// --- elements that lanes hold ---------------------------------------------------------------------------------------
void load_items(const FunctionScope& scope, Printer& out) {
    if (scope.team->held.empty()) return;
    out.line(fmt::format("{}.align({});", kTeam, scope.name(scope.team->held.front().array)));
    for (const TeamForm::Held& held : scope.team->held) {
        const std::string& name = scope.name(held.array);
        const std::string element = scope.module.types.name(scope.function.local(held.array).type.element());
        out.line(fmt::format("{} {}_items[{}.items];", element, name, kTeam));
        if (held.is_loaded) out.line(fmt::format("{}.load({}, {}_items);", kTeam, name, name));
    }
}

void store_items(const FunctionScope& scope, Printer& out) {
    for (const TeamForm::Held& held : scope.team->held)
        if (held.is_stored)
            out.line(fmt::format("{}.store({}_items, {});", kTeam, scope.name(held.array), scope.name(held.array)));
}

std::string held_item(const FunctionScope& scope, ir::LocalId array) {
    return fmt::format("{}_items[{}]", scope.name(array), kItem);
}

const TeamForm::Loop* shared_loop(const FunctionScope& scope, const ir::ForRange& loop) {
    if (!scope.team) return nullptr;
    const auto found = scope.team->loops.find(&loop);
    return found == scope.team->loops.end() ? nullptr : &found->second;
}

/// What all lanes would store, one does: it may read what it stores to.
bool Statements::team_store(const ir::Stmt& stmt, const ir::Store& n, const std::string& text) {
    if (!scope_.team) return false;
    const auto found = scope_.team->stores.find(&n);
    if (found == scope_.team->stores.end()) return false;
    if (found->second.meets) out_.line(fmt::format("{}.sync();", kTeam));
    line(stmt, fmt::format("if ({}.lane == 0) {}", kTeam, text));
    if (found->second.meets) out_.line(fmt::format("{}.sync();", kTeam));
    return true;
}

/// A sum is built up from what it was by one lane and from nothing by the others; the least and the greatest by all
/// from what it was.
void Statements::team_loop(const ir::Stmt& stmt, const ir::ForRange& n, const TeamForm::Loop& form) {
    if (form.meets) out_.line(fmt::format("{}.sync();", kTeam));
    for (const ir::Reduction& reduction : form.reductions) {
        const bool is_sum = reduction.kind == ir::ReductionKind::sum;
        if (!is_sum && reduction.kind != ir::ReductionKind::product) continue;
        const Type type = scope_.function.local(reduction.local).type;
        const std::string nothing = literal(ir::convert_constant(int64_t{is_sum ? 0 : 1}, type).value(), type).text;
        line(stmt, fmt::format("if ({}.lane != 0) {} = {};", kTeam, scope_.name(reduction.local), nothing));
    }
    if (form.over_items)
        items_loop(stmt, n);
    else if (form.inner)
        loop(stmt, team_head(n, *form.inner), form.inner->body);
    else
        loop(stmt, team_head(stmt, n), n.body);
    for (const ir::Reduction& reduction : form.reductions) {
        const std::string& name = scope_.name(reduction.local);
        out_.line(fmt::format("{} = {}.{}({});", name, kTeam, joining(reduction.kind), name));
    }
    if (form.meets) out_.line(fmt::format("{}.sync();", kTeam));
}

/// `for (long long i = 1 + pyk_team.lane; i < n; i += pyk_team.size)`
std::string Statements::team_head(const ir::Stmt& stmt, const ir::ForRange& n) const {
    const std::string& name = scope_.name(n.counter);
    const Type type = scope_.function.local(n.counter).type;
    const int64_t step = ir::integer_value(scope_.module.module, *n.step).value();
    const int64_t by = std::abs(step);
    const auto times = [&](std::string_view what) {
        return fmt::format("{}.{}{}", kTeam, what, by == 1 ? "" : fmt::format(" * {}", by));
    };
    const int tightness = by == 1 ? kPrimary : info(BinaryOp::Mul).precedence;
    const bool from_zero = step > 0 && ir::integer_value(*n.start) == 0;
    const std::string start = from_zero ? times("lane")
                                        : binary(step > 0 ? BinaryOp::Add : BinaryOp::Sub, type,
                                                 expressions_.text(*n.start), {times("lane"), tightness, type})
                                              .text;
    const std::string declared = scope_.placement.at.contains(&stmt) ? scope_.module.types.name(type) + " " : "";
    return fmt::format("for ({}{} = {}; {}; {} {} {})", declared, name, start, loop_condition(n, name), name,
                       step > 0 ? "+=" : "-=", times("size"));
}

/// All of a lane's elements, of which the loop may not have some: those behind its end, or before the array.
void Statements::items_loop(const ir::Stmt& stmt, const ir::ForRange& n) {
    const std::string& name = scope_.name(n.counter);
    const Type type = scope_.function.local(n.counter).type;
    const bool declares = scope_.placement.at.contains(&stmt);
    out_.line("#pragma unroll");
    out_.line(fmt::format("for (int {0} = 0; {0} < {1}.items; ++{0}) {{", kItem, kTeam), stmt.span.line(), true);
    out_.indent();
    line(stmt, fmt::format("if (!{}.has({}, {}, {})) continue;", kTeam, kItem, expressions_.value(*n.start),
                           expressions_.value(*n.stop)));
    if (reads_counter(*scope_.team, n))
        line(stmt, fmt::format("{}{} = {}.nth({});", declares ? scope_.module.types.name(type) + " " : "", name, kTeam,
                               kItem));
    out_.dedent();
    out_.append(nested(n.body));
    out_.line("}");
}

/// `for (const auto [i, j] : pyk_team.pairs(m, n))`
std::string Statements::team_head(const ir::ForRange& outer, const ir::ForRange& inner) const {
    return fmt::format("for (const auto [{}, {}] : {}.pairs({}, {}))", scope_.name(outer.counter),
                       scope_.name(inner.counter), kTeam, expressions_.value(*outer.stop),
                       expressions_.value(*inner.stop));
}

}  // namespace pyk::emitter
