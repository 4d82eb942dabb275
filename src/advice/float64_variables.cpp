#include "advice/float64_variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/walk.h"

namespace pyk {
namespace {

bool has_several_arguments(std::string_view call) {
    int depth = 0;
    return std::ranges::any_of(call, [&](char c) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        return c == ',' && depth == 1;
    });
}

}  // namespace

void Float64Variables::report_widened() {
    for (const auto& [id, sources] : widening_.variables()) {
        const ir::Local& local = widening_.function().local(id);
        if (sources.real || !sources.narrow || !is_double(local.type)) continue;
        if (local.storage == ir::Storage::variable) starts_otherwise(id, sources, local.type);
        if (local.storage == ir::Storage::temporary) sums(local, sources);
    }
}

void Float64Variables::add_narrowed(const ir::Expr& operand) {
    const ir::Expr* const source = source_of(real_part(operand));
    const auto* local = source ? source->as<ir::LocalRef>() : nullptr;
    if (!local || !narrowed_.insert(local->id).second) return;
    const Sources* const sources = widening_.sources_of(*source);
    if (sources && widening_.function().local(local->id).storage == ir::Storage::variable)
        starts_otherwise(local->id, *sources, Scalar::float64);
}

/// Whether it is a number or an integer.
bool Float64Variables::is_known(const Assignment& assignment) const {
    return is_number(*assignment.value) || widening_.widens_integer(*assignment.value);
}

/// A variable that begins as a number or an integer, and takes in float32 values. `wide`: its type by that.
void Float64Variables::starts_otherwise(ir::LocalId id, const Sources& sources, Type wide) const {
    const auto& all = sources.assignments;
    const auto is_to_change = [&](const Assignment& a) {
        if (!is_known(a)) return false;
        const Span value = files_.assigned_at(as_integer(a).span);
        return !widening_.is_cast_to(value ? value : a.value->span, Scalar::float32);
    };
    const auto first = std::ranges::find_if(all, is_to_change);
    const auto other = std::ranges::find_if_not(all, [&](const Assignment& a) { return is_known(a); });
    if (first == all.end() || other == all.end()) return;
    if (std::ranges::any_of(all, [&](const Assignment& a) { return widening_.is_out_of_range(*a.value); })) return;
    const Assignment& start = as_integer(*first);
    const std::string_view type = narrow_name(wide);
    const std::string narrow = sources.narrow ? sources.narrow.name() : std::string(type);
    diagnostics_
        .report(diag::float64_variable, start.span, std::string_view(widening_.function().local(id).name), wide.name(),
                narrow)
        .note(start.span, fmt::format("here it is no {0}; write `{0}(…)`", type))
        .note(other->span, fmt::format("here a {} comes in", narrow));
    // An integer may be too large for a float32 to hold.
    if (const Span value = files_.assigned_at(start.span))
        casts_.suggest({{value, value, type}}, value, is_number(*start.value) && is_unwanted_);
}

/// Where the number of an assignment is written, if the variable was an integer until then: `y = 0`.
const Assignment& Float64Variables::as_integer(const Assignment& assignment) const {
    const Sources* const held = widening_.sources_of(ir::without_conversions(*assignment.value));
    if (!held || held->assignments.empty()) return assignment;
    const auto is_written = [](const Assignment& one) { return is_number(*one.value); };
    return std::ranges::all_of(held->assignments, is_written) ? held->assignments.front() : assignment;
}

/// `sum(x)` of a float32 array, which begins with the integer 0.
void Float64Variables::sums(const ir::Local& local, const Sources& sources) const {
    if (local.name != "sum" || !local.span || !local.span.text().starts_with("sum(")) return;
    const std::string_view type = narrow_name(local.type);
    diagnostics_
        .report(diag::float64_variable, local.span, std::string_view(local.name), local.type.name(),
                sources.narrow.name())
        .note(local.span, fmt::format("it starts with the integer 0; give it another start, `{}(0)`", type));
    const std::optional<Spelling> spelling = casts_.spelling(local.span.file, type);
    if (!spelling || has_several_arguments(local.span.text())) return;
    const std::string start = fmt::format("{}(0)", spelling->text);
    const auto applicability = is_unwanted_ ? Applicability::machine_applicable : Applicability::maybe_incorrect;
    const uint32_t end = local.span.end - 1;
    Suggestion suggestion{
        fmt::format("write `{}`", start), applicability, {{{local.span.file, end, end}, ", " + start}}};
    if (spelling->import) suggestion.edits.push_back(*spelling->import);
    diagnostics_.suggest(std::move(suggestion));
}

void Float64Variables::add_held(ir::LocalId variable, const Meeting& meeting) {
    Held& held = held_.try_emplace(variable, meeting).first->second;
    ++held.meetings;
    held.is_unwanted = held.is_unwanted && meeting.is_unwanted;
}

// A float32 is what is wanted for sure where a variable meets nothing else.
void Float64Variables::report_held() const {
    const ir::Function& function = widening_.function();
    std::map<ir::LocalId, size_t> uses;
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        if (const auto* local = expr.as<ir::LocalRef>()) ++uses[local->id];
    });
    for (const auto& [id, held] : held_) {
        const auto& all = widening_.variables().at(id).assignments;
        if (std::ranges::any_of(all, [&](const Assignment& a) { return widening_.is_out_of_range(*a.value); }))
            continue;
        const std::string_view type = narrow_name(all[0].value->type);
        std::vector<Cast> casts;
        for (const Assignment& a : all) {
            const Span assigned = files_.assigned_at(a.span), value = assigned ? assigned : a.value->span;
            casts.push_back({value, value, type});
        }
        const Span first = casts[0].value ? casts[0].value : all[0].span;
        const Meeting& meeting = held.first;
        diagnostics_
            .report(diag::float64_held, first, std::string_view(function.local(id).name), meeting.wide, meeting.what,
                    meeting.narrow, type, text_of(first))
            .note(meeting.whole.span, fmt::format("here it meets a {}", meeting.narrow));
        casts_.suggest(casts, body_span(), held.is_unwanted && uses[id] == held.meetings);
    }
}

/// From the first to the last statement of the author's.
Span Float64Variables::body_span() const {
    Span all = widening_.function().span;
    ir::for_each_stmt(widening_.function().body, [&](const ir::Stmt& stmt) {
        if (stmt.span.file != all.file) return;
        all.begin = std::min(all.begin, stmt.span.begin);
        all.end = std::max(all.end, stmt.span.end);
    });
    return all;
}

}  // namespace pyk
