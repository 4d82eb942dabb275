// Accesses that are watched for races (`--check=race`): of what threads can share, one scalar at a time.
#include <fmt/format.h>

#include "emit/expression.h"
#include "ir/walk.h"

namespace pyk::emitter {

/// `holder`: the array or the record that the place is in.
bool Expressions::is_watched(const ir::Expr& holder, Type type) const {
    if (!scope_.module.options.check_races || type.is_record() || !holder.type.aligned()) return false;
    const ir::LocalRef* const base = ir::base_local(holder);
    return base && scope_.function.local(base->id).storage != ir::Storage::local;
}

/// Where an array's elements begin, for their numbers in messages.
std::string Expressions::first_of(const ir::Expr& holder) const {
    const auto* const ref = holder.as<ir::LocalRef>();
    if (!ref || !holder.type.is_array() || holder.type.layout() == Layout::A) return "nullptr";
    return scope_.name(ref->id) + (is_plain_array(scope_.function.local(ref->id)) ? "" : ".data");
}

std::string Expressions::watched(std::string_view format, const ir::Expr& holder, Span span, const std::string& place,
                                 std::string_view rest) const {
    const ir::LocalId base = ir::base_local(holder)->id;
    return fmt::format(fmt::runtime(format), fmt::arg("place", place), fmt::arg("first", first_of(holder)),
                       fmt::arg("array", scope_.function.local(base).name),
                       fmt::arg("line", scope_.site_line(span.line())), fmt::arg("value", rest), fmt::arg("kind", rest),
                       fmt::arg("call", rest));
}

std::string Expressions::watched_store(const ir::Expr& holder, Span span, const std::string& place,
                                       const ir::Expr& value) const {
    return watched(scope_.module.target.watched_store, holder, span, place, this->value(value));
}

std::string Expressions::watched_read(const ir::Expr& holder, const ir::Expr& read, std::string place) const {
    if (!is_watched(holder, read.type)) return place;
    return watched(scope_.module.target.watched_read, holder, read.span, place, "");
}

/// The place that an atomic is made at; null: it is none, or is not watched.
const ir::Expr* Expressions::watched_atomic(const ir::BuiltinCall& call) const {
    const bool is_atomic = any(call.builtin->effects & Effects::atomic);
    const auto* const ref = is_atomic && !call.args.empty() ? call.args[0]->as<ir::ElementRef>() : nullptr;
    return ref && is_watched(*ref->array, call.args[0]->type) ? call.args[0].get() : nullptr;
}

/// `call`: with `pyk_at` for the place.
std::string Expressions::watched_atomic(const ir::Expr& place, const std::string& call) const {
    return watched(scope_.module.target.watched_atomic, *place.as<ir::ElementRef>()->array, place.span, exact(place),
                   call);
}

/// What a builtin gets: a place, perhaps.
std::string Expressions::argument(const Builtin& builtin, const ir::Expr& arg) const {
    const auto* const ref = arg.as<ir::ElementRef>();
    if (!ref || !is_watched(*ref->array, arg.type)) return exact(arg);
    const std::string_view kind = any(builtin.effects & Effects::writes) ? "store" : "read";
    return watched(scope_.module.target.watched_place, *ref->array, arg.span, exact(arg), kind);
}

}  // namespace pyk::emitter
