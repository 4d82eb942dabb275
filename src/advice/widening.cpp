#include "advice/widening.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Whether an expression computes, of float64 values that are all such.
template <class IsSuch>
bool is_made_of(const ir::Expr& expr, IsSuch is_such) {
    if (!computes(expr)) return false;
    bool has_some = false, are_such = true;
    ir::for_each_child(expr, [&](const ir::Expr& child) {
        has_some = has_some || is_double(child);
        are_such = are_such && (!is_double(child) || is_such(child));
    });
    return has_some && are_such;
}

}  // namespace

bool is_double(Type type) { return type && (type.is(Scalar::float64) || type.is(Scalar::complex128)); }
bool is_double(const ir::Expr& expr) { return is_double(expr.type); }

bool is_narrow(Type type) {
    return type && (type.is(Scalar::float32) || type.is(Scalar::complex64) || type.is_small_float());
}

std::string_view narrow_name(Type wide) { return wide.is_complex() ? "complex64" : "float32"; }

const ir::Expr* source_of(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    return convert ? convert->operand.get() : nullptr;
}

const ir::Expr& real_part(const ir::Expr& expr) {
    const ir::Expr* const source = source_of(expr);
    return source && expr.type.is(Scalar::complex128) && source->type.is(Scalar::float64) ? *source : expr;
}

bool is_number(const ir::Expr& expr) {
    const ir::BuiltinCall* const complex = ir::call_of(expr, "pyk.complex");
    return expr.as<ir::Constant>() || expr.as<ir::ConstantRef>() ||
           (complex && std::ranges::all_of(complex->args, [](const ir::ExprPtr& arg) { return is_number(*arg); }));
}

bool computes(const ir::Expr& expr) {
    return expr.as<ir::Binary>() || expr.as<ir::Unary>() || expr.as<ir::Select>() || expr.as<ir::BuiltinCall>();
}

// --- variables
Widening::Widening(const ir::Module& module, const ir::Function& function) : module_(module), function_(function) {
    for (const ir::LocalId param : function.params) sources_[param].real = true;
    collect();
    spread();
}

void Widening::collect() {
    ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        if (!assign) return;
        Sources& sources = sources_[assign->target];
        // What is taken over into a loop, or behind an `if`, stands where it was written.
        const ir::Expr& value = ir::without_conversions(*assign->value);
        const bool is_copy = (is_number(value) || value.as<ir::LocalRef>()) && value.span;
        sources.assignments.push_back({is_copy ? value.span : stmt.span, &real_part(*assign->value)});
        if (is_double(*assign->value)) trace(*assign->value, sources);
    });
}

void Widening::trace(const ir::Expr& whole, Sources& sources) const {
    const ir::Expr& expr = real_part(whole);
    if (is_wanted(expr)) {
        sources.real = true;
    } else if (is_number(expr) || widens_integer(expr)) {
        return;
    } else if (widens_float32(expr)) {
        const Type type = source_of(expr)->type;
        if (!sources.narrow) sources.narrow = is_narrow(type) ? type : Type(Scalar::float32);
    } else if (const auto* local = expr.as<ir::LocalRef>()) {
        sources.others.push_back(local->id);
    } else if (is_double(expr) && computes(expr)) {
        ir::for_each_child(expr, [&](const ir::Expr& child) {
            if (is_double(child)) trace(child, sources);
        });
    } else {
        sources.real = true;
    }
}

// What variables are made of is theirs too.
void Widening::spread() {
    for (bool again = true; again;) {
        again = false;
        for (auto& [id, sources] : sources_)
            for (const ir::LocalId other : sources.others) {
                const Sources& from = sources_[other];
                again |= (from.real && !sources.real) || (from.narrow && !sources.narrow);
                sources.real |= from.real;
                if (!sources.narrow) sources.narrow = from.narrow;
            }
    }
}

const Sources* Widening::sources_of(const ir::Expr& expr) const {
    const auto* local = expr.as<ir::LocalRef>();
    const auto found = local ? sources_.find(local->id) : sources_.end();
    return found == sources_.end() ? nullptr : &found->second;
}

// --- wishes
bool Widening::is_cast_to(Span place, Scalar type) const {
    const auto cast = module_.casts.find(place);
    return cast != module_.casts.end() && cast->second.is(type);
}

bool Widening::is_wanted(const ir::Expr& expr) const {
    return is_cast_to(expr.span, Scalar::float64) || is_cast_to(expr.span, Scalar::complex128);
}

bool Widening::is_float32(const ir::Expr& expr) const {
    const auto cast = module_.casts.find(expr.span);
    return cast != module_.casts.end() && is_narrow(cast->second);
}

bool Widening::has_float64() const {
    const auto has_wide = [](Type type) { return is_double(type && type.is_array() ? type.element() : type); };
    bool found = false;
    for (const ir::LocalId param : function_.params) found = found || has_wide(function_.local(param).type);
    for (const ir::Local& local : function_.locals)
        found = found || (local.type && local.type.is_array() && has_wide(local.type));
    ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) { found = found || is_wanted(expr); });
    return found;
}

// --- expressions
bool Widening::widens_float32(const ir::Expr& expr) const {
    const ir::Expr* const source = source_of(expr);
    return is_double(expr) && source && (is_narrow(source->type) || is_float32(expr));
}

bool Widening::widens_integer(const ir::Expr& expr) const {
    const ir::Expr* const source = source_of(expr);
    return is_double(expr) && source && (source->type.is_integer() || source->type.is_boolean()) && !is_float32(expr);
}

bool Widening::is_out_of_range(const ir::Expr& expr) const {
    const auto* constant = expr.as<ir::Constant>();
    const auto* named = expr.as<ir::ConstantRef>();
    if (!constant && !named) return false;
    const auto& value = constant ? constant->value : module_.constants[static_cast<size_t>(named->id)].value;
    const auto* number = std::get_if<double>(&value);
    if (!number || *number == 0.0 || !std::isfinite(*number)) return false;
    const double size = std::abs(*number);
    return size < std::numeric_limits<float>::min() || size > std::numeric_limits<float>::max();
}

bool Widening::is_single(const ir::Expr& whole) const {
    const ir::Expr& expr = real_part(whole);
    if (is_wanted(expr)) return false;
    if (widens_float32(expr) || (is_number(expr) && is_float32(expr))) return true;
    if (!is_double(expr)) return false;
    if (expr.as<ir::LocalRef>()) {
        const Sources* const sources = sources_of(expr);
        return sources && sources->narrow && !sources->real;
    }
    return !expr.as<ir::BuiltinCall>() && is_made_of(expr, [&](const ir::Expr& part) { return is_single(part); });
}

std::string Widening::narrow_type(const ir::Expr& single) const {
    const ir::Expr& expr = real_part(single);
    if (const ir::Expr* source = source_of(expr); source && is_narrow(source->type)) return source->type.name();
    const Sources* const sources = sources_of(expr);
    return sources && sources->narrow ? sources->narrow.name() : std::string(narrow_name(expr.type));
}

bool Widening::is_of_numbers(const ir::Expr& whole) const {
    const ir::Expr& expr = real_part(whole);
    if (!is_double(expr) || is_wanted(expr)) return false;
    if (is_number(expr)) return !is_float32(expr);
    if (expr.as<ir::LocalRef>()) {
        const Sources* const sources = sources_of(expr);
        return sources && !sources->real && sources->others.empty() && !sources->assignments.empty() &&
               std::ranges::all_of(sources->assignments, [&](const Assignment& a) { return is_of_numbers(*a.value); });
    }
    return is_made_of(expr, [&](const ir::Expr& part) { return is_of_numbers(part); });
}

const ir::Expr* Widening::integer_in(const ir::Expr& expr) const {
    if (widens_integer(expr)) return source_of(expr);
    if (!is_double(expr) || is_wanted(expr) || !(expr.as<ir::Binary>() || expr.as<ir::BuiltinCall>())) return nullptr;
    const ir::Expr* found = nullptr;
    bool is_alone = true;
    ir::for_each_child(expr, [&](const ir::Expr& child) {
        const ir::Expr* const integer = integer_in(child);
        is_alone = is_alone && (integer || is_number(child));
        if (integer && (!found || is_number(*found))) found = integer;
    });
    return is_alone ? found : nullptr;
}

}  // namespace pyk
