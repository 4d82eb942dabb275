#include "emit/team.h"

#include <fmt/format.h>

#include <cstdlib>

#include "emit/cpp_types.h"
#include "emit/statement.h"
#include "ir/build.h"

namespace pyk::emitter {
namespace {

TeamForm form_of(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    if (scope.debug || scope.options.check_bounds) return {{}, {}, "it reports errors"};
    return team_form(scope.module, entry);
}

bool asks_for_team(const ModuleScope& scope, const ir::ArrayEntry& entry) {
    return scope.options.team > 1 && scope.target.is_cudacc && !entry.core.empty();
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

std::string team_type(const ModuleScope& scope) { return fmt::format("pyk::team<{}>", scope.options.team); }

std::string team_parameter(const ModuleScope& scope) { return fmt::format("{} {}", team_type(scope), kTeam); }

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
    loop(stmt, form.inner ? team_head(n, *form.inner) : team_head(stmt, n), form.inner ? form.inner->body : n.body);
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
    const std::string declared = scope_.placement.at.contains(&stmt) ? cpp_name(type) + " " : "";
    return fmt::format("for ({}{} = {}; {}; {} {} {})", declared, name, start, loop_condition(n, name), name,
                       step > 0 ? "+=" : "-=", times("size"));
}

/// `for (const auto [i, j] : pyk_team.pairs(m, n))`
std::string Statements::team_head(const ir::ForRange& outer, const ir::ForRange& inner) const {
    return fmt::format("for (const auto [{}, {}] : {}.pairs({}, {}))", scope_.name(outer.counter),
                       scope_.name(inner.counter), kTeam, expressions_.value(*outer.stop),
                       expressions_.value(*inner.stop));
}

}  // namespace pyk::emitter
