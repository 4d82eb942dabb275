// What made a variable what it is, said behind an error about that.
#include <fmt/format.h>

#include <algorithm>

#include "module/meant.h"
#include "sema/infer.h"

namespace pyk {
namespace {

// Where a variable was first given a value of a type: an assignment, and no merge, whose place is its `if` or loop.
std::optional<Span> typed_at(const std::vector<Version>& versions, const std::vector<VersionId>& merges, uint32_t name,
                             Type type) {
    const auto first = [&](const auto& is_meant) {
        std::optional<Span> found;
        for (VersionId id = kUnassigned + 1; id < versions.size(); ++id) {
            const Version& version = versions[id];
            const bool is_merge = std::ranges::find(merges, id) != merges.end();
            if (version.name != name || is_merge || !version.type || !is_meant(version.type)) continue;
            if (!found || version.span.begin < found->begin) found = version.span;
        }
        return found;
    };
    const auto exact = first([&](const Type& other) { return other == type; });
    return exact ? exact : first([](const Type& other) { return other.is_float(); });
}

}  // namespace

// A cause is said once: what else it leads to is not told of.
void Inference::report_once(const std::optional<Note>& cause, FunctionRef<void()> report) {
    if (!cause) return report();
    for (const Diagnostic& d : diagnostics_.all())
        for (const Note& note : d.notes)
            if (note.span == cause->span && note.text == cause->text) return;
    report();
    diagnostics_.note(cause->span, cause->text);
}

void Inference::wrong_rank(const ir::Expr* array, FunctionRef<void()> report) {
    const auto* local = array ? array->as<ir::LocalRef>() : nullptr;
    if (!local) return report();
    const ir::Local& variable = function_.local(local->id);
    report_once(Note{variable.span, fmt::format("`{}` has {}: it is {}", variable.name, Axes(array->type.ndim()).text,
                                                array->type.signature())},
                report);
}

// What made a variable a number or a tuple. `wants_array`: an array was meant.
std::optional<Note> Inference::cause_of(const Value& value, bool wants_array) const {
    const auto* local = value.expr ? value.expr->as<ir::LocalRef>() : nullptr;
    if (!local) return std::nullopt;
    const ir::Local& variable = function_.local(local->id);
    const Type type = variable.type;
    const auto name = names_.index(variable.name);
    const bool is_plain = type.is_scalar() || (!wants_array && is_sequence(type) && type.tuple_name().empty());
    if (!name || !is_plain) return std::nullopt;
    if (variable.storage == ir::Storage::parameter) {
        const bool is_signed = instance_.kind != InstanceKind::device;
        const std::string way_out = wants_array && is_signed && type.is_scalar()
                                        ? fmt::format("; an array is `{}[:]`", type.signature())
                                        : std::string();
        return Note{variable.span, fmt::format("`{}` is {} {}{}", variable.name, type.name(),
                                               is_signed ? "by the signature" : "here", way_out)};
    }
    if (variable.storage != ir::Storage::variable) return std::nullopt;
    std::vector<VersionId> merges;
    for (const auto& [site, join] : joins_)
        for (const auto& [merged, phi] : join.phis) merges.push_back(phi);
    const std::string_view more = is_sequence(type) ? "; write `i, j = …` to name each of its items" : "";
    return Note{typed_at(versions_, merges, *name, type).value_or(variable.span),
                fmt::format("`{}` became {} here{}", variable.name, type.name(), more)};
}

// A tuple is one of more indices than there are axes.
Value Inference::bad_index(const Value& index, Span span) {
    if (!index.is_runtime()) return error(diag::index_type, span, std::string_view(described(index)));
    report_once(cause_of(index, false), [&] {
        if (is_sequence(index.type))
            error(diag::too_many_indices, span, "the array", static_cast<int>(index.type.size()));
        else if (index.type.is_float())
            error(diag::real_index, span, index.type.name());
        else
            error(diag::index_type, span, index.type.name());
    });
    return Value();
}

// Of one of an `Enum` where a number is wanted.
void Inference::note_of_member(Span span) {
    diagnostics_.note(span, "`.value` is the number of a member; those of an `IntEnum` are numbers themselves");
}

// And what of it can be.
Value Inference::cannot_convert(Type from, Type to, Span span) {
    Value unknown = error(diag::cannot_convert, span, from.name(), to.name());
    if (!to.is_scalar()) return unknown;
    if (from.is_complex())
        diagnostics_.note(span, "`.real` is its real part, `abs` its size");
    else if (from.is_distinct())
        note_of_member(span);
    else if (from.is_array())
        diagnostics_.note(span, "an element of it is written `a[i]`");
    return unknown;
}

Value Inference::not_subscriptable(const Value& value, Span span) {
    report_once(cause_of(value, true),
                [&] { error(diag::not_subscriptable, span, std::string_view(described(value))); });
    return Value();
}

}  // namespace pyk
