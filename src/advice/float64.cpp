// float64 that nobody asked for: computed with numbers and integers among float32 values. So is complex128 of
// complex64, and float64 of floats of 16 bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "advice/advice.h"
#include "advice/thread_places.h"
#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// What costs: float64, and complex128, which is two of them.
bool is_wide(Type type) { return type && (type.is(Scalar::float64) || type.is(Scalar::complex128)); }
bool is_wide(const ir::Expr& expr) { return is_wide(expr.type); }
bool is_narrow(Type type) {
    return type && (type.is(Scalar::float32) || type.is(Scalar::complex64) || type.is_small_float());
}

const Type kFloat32(Scalar::float32);

/// The operand of a conversion, or null.
const ir::Expr* source_of(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    return convert ? convert->operand.get() : nullptr;
}

/// Without its conversion from float64 to complex128.
const ir::Expr& real_part(const ir::Expr& expr) {
    const ir::Expr* const source = source_of(expr);
    return source && expr.type.is(Scalar::complex128) && source->type.is(Scalar::float64) ? *source : expr;
}

/// A float32 holds a number of this size: 1e39 would be infinite, 1e-50 nothing.
bool is_in_float32(double value) {
    const double size = std::abs(value);
    return size == 0.0 || !std::isfinite(size) ||
           (size >= std::numeric_limits<float>::min() && size <= std::numeric_limits<float>::max());
}

bool computes(const ir::Expr& expr) {
    return expr.as<ir::Binary>() || expr.as<ir::Unary>() || expr.as<ir::Select>() || expr.as<ir::BuiltinCall>();
}

/// One that is written out, or has a name in the module. `2j` is made of two.
bool is_number(const ir::Expr& expr) {
    const ir::BuiltinCall* const complex = ir::call_of(expr, "pyk.complex");
    return expr.as<ir::Constant>() || expr.as<ir::ConstantRef>() ||
           (complex && std::ranges::all_of(complex->args, [](const ir::ExprPtr& arg) { return is_number(*arg); }));
}

/// The type of 32 bits that a number or an integer is to have.
std::string_view narrow_name(const ir::Expr& expr) { return expr.type.is_complex() ? "complex64" : "float32"; }

/// The same number as a float32: a comparison with it needs no float64.
bool is_exact(const ir::Expr& expr) {
    const auto* constant = expr.as<ir::Constant>();
    const auto* value = constant ? std::get_if<double>(&constant->value) : nullptr;
    return value && static_cast<double>(static_cast<float>(*value)) == *value;
}

/// Where a part of something is written; nowhere for a step of `max(n, m, 2.5)` or what `sum(t)` takes of `t`, which
/// have the place of the whole.
Span written_in(Span whole, const ir::Expr& part) { return part.span == whole ? Span() : part.span; }

std::string text_of(Span place) {
    const std::string_view text = place ? place.text() : std::string_view();
    return text.empty() || text.find('\n') != std::string_view::npos ? "…" : std::string(text);
}

class Float64Advice {
  public:
    Float64Advice(const ir::Module& module, const ir::Function& function, const Written& files,
                  Diagnostics& diagnostics)
        : module_(module),
          function_(function),
          files_(files),
          diagnostics_(diagnostics),
          assigned_(assigned_once(function)) {
        for (const ir::LocalId param : function.params) sources_[param].real = true;
        for (const ir::Local& local : function.locals) names_.insert(local.name);
    }

    /// `is_for_others`: the same text is compiled for other types as well.
    void run(bool is_for_others) {
        is_for_others_ = is_for_others;
        has_float64_ = asks_for_float64();
        collect();
        variables();
        block(function_.body);
        held_numbers();
    }

  private:
    /// Whether the author converts to the type here.
    bool is_cast_to(Span place, Scalar type) const {
        const auto cast = module_.casts.find(place);
        return cast != module_.casts.end() && cast->second.is(type);
    }
    bool is_wanted(const ir::Expr& expr) const {
        return is_cast_to(expr.span, Scalar::float64) || is_cast_to(expr.span, Scalar::complex128);
    }
    /// It is one already, taken over into a float64; `float32(n)` of an integer is one conversion then.
    bool is_float32(const ir::Expr& expr) const {
        const auto cast = module_.casts.find(expr.span);
        return cast != module_.casts.end() && is_narrow(cast->second);
    }

    bool widens_float32(const ir::Expr& expr) const {
        const ir::Expr* source = source_of(expr);
        return is_wide(expr) && source && (is_narrow(source->type) || is_float32(expr));
    }
    bool widens_integer(const ir::Expr& expr) const {
        const ir::Expr* source = source_of(expr);
        return is_wide(expr) && source && (source->type.is_integer() || source->type.is_boolean()) && !is_float32(expr);
    }

    bool asks_for_float64() const {
        const auto has_wide = [](Type type) { return is_wide(type && type.is_array() ? type.element() : type); };
        bool found = false;
        for (const ir::LocalId param : function_.params) found = found || has_wide(function_.local(param).type);
        for (const ir::Local& local : function_.locals)
            found = found || (local.type && local.type.is_array() && has_wide(local.type));
        ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) { found = found || is_wanted(expr); });
        return found;
    }

    // --- float64 that nobody asked for
    /// Places, and the values that they get, as a type.
    struct Edited {
        Span place, value;
        std::string_view type;
    };
    using Edits = std::vector<Edited>;

    /// A number that needs a float64, by its size.
    bool is_out_of_range(const ir::Expr& expr) const {
        const auto* constant = expr.as<ir::Constant>();
        const auto* named = expr.as<ir::ConstantRef>();
        if (!constant && !named) return false;
        const auto& value = constant ? constant->value : module_.constants[static_cast<size_t>(named->id)].value;
        const auto* number = std::get_if<double>(&value);
        return number && !is_in_float32(*number);
    }

    /// Whether an expression computes, of float64 values that are all such.
    template <class IsSuch>
    static bool is_made_of(const ir::Expr& expr, IsSuch is_such) {
        if (!computes(expr)) return false;
        bool has_some = false, are_such = true;
        ir::for_each_child(expr, [&](const ir::Expr& child) {
            has_some = has_some || is_wide(child);
            are_such = are_such && (!is_wide(child) || is_such(child));
        });
        return has_some && are_such;
    }

    /// What is a float64 for nothing but the float32 values in it: a variable too that only what meets them made one.
    bool is_single(const ir::Expr& whole) const {
        const ir::Expr& expr = real_part(whole);
        if (is_wanted(expr)) return false;
        if (widens_float32(expr) || (is_number(expr) && is_float32(expr))) return true;
        if (!is_wide(expr)) return false;
        if (const auto* local = expr.as<ir::LocalRef>()) {
            const auto found = sources_.find(local->id);
            return found != sources_.end() && found->second.narrow && !found->second.real;
        }
        return !expr.as<ir::BuiltinCall>() && is_made_of(expr, [&](const ir::Expr& part) { return is_single(part); });
    }

    /// A float64 of nothing but numbers: `2.0`, `math.sqrt(2.0)`, a variable that gets no others.
    bool is_of_numbers(const ir::Expr& whole) const {
        const ir::Expr& expr = real_part(whole);
        if (!is_wide(expr) || is_wanted(expr)) return false;
        if (is_number(expr)) return !is_float32(expr);
        if (const auto* local = expr.as<ir::LocalRef>()) {
            const auto found = sources_.find(local->id);
            return found != sources_.end() && !found->second.real && found->second.others.empty() &&
                   !found->second.assignments.empty() &&
                   std::ranges::all_of(found->second.assignments,
                                       [&](const Assignment& a) { return is_of_numbers(*a.value); });
        }
        return is_made_of(expr, [&](const ir::Expr& part) { return is_of_numbers(part); });
    }

    /// What a single value is of.
    std::string narrow_type(const ir::Expr& single) const {
        const ir::Expr& expr = real_part(single);
        if (const ir::Expr* source = source_of(expr); source && is_narrow(source->type)) return source->type.name();
        const auto* local = expr.as<ir::LocalRef>();
        const auto found = local ? sources_.find(local->id) : sources_.end();
        return found != sources_.end() && found->second.narrow ? found->second.narrow.name()
                                                               : std::string(narrow_name(expr));
    }

    /// A number that a variable holds until it meets a float32.
    struct Held {
        const ir::Expr* whole;  ///< the first in which it does
        std::string_view what;
        std::string narrow, wide;
        size_t meetings = 0;
        bool is_sure = true;

        void add(bool is_sure_here) {
            ++meetings;
            is_sure = is_sure && is_sure_here;
        }
    };

    /// `x * 2.0`, `x * i` with a float32 `x`.
    void meets(const ir::Expr& whole, std::string_view what, const ir::Expr& a, const ir::Expr& b) {
        if (meant_.contains(&whole)) return;
        const auto* binary = whole.as<ir::Binary>();
        const bool is_exact = binary && is_comparison(binary->op);  // which float32 rounds
        if (binary && is_single(a) && is_single(b))
            for (const ir::Expr* one : {&a, &b}) was_narrowed(*one);
        for (const auto& [narrow, wide] : {std::pair(&a, &b), std::pair(&b, &a)}) {
            if (!is_single(*narrow) || is_wanted(*wide)) continue;
            const ir::Expr& other = real_part(*wide);
            const std::string wide_type = (is_exact ? *wide : whole).type.name();
            const bool is_surely_meant = !is_exact && is_sure(whole);
            const auto* variable = other.as<ir::LocalRef>();
            if (is_of_numbers(other) && variable && function_.local(variable->id).storage == ir::Storage::variable) {
                held_.try_emplace(variable->id, &whole, what, narrow_type(*narrow), wide_type)
                    .first->second.add(is_surely_meant);
            } else if (is_of_numbers(other) && !is_out_of_range(other)) {
                const Span place = written_in(whole.span, other);
                diagnostics_.report(diag::float64_literal, whole.span, what, text_of(place), narrow_name(other),
                                    narrow_type(*narrow), wide_type);
                if (!place && what == "sum")
                    diagnostics_.note(whole.span,
                                      "`sum` starts with the integer 0; give it another start, `float32(0)`");
                suggest({{place, place, narrow_name(other)}}, whole.span, is_surely_meant);
            }
            if (const ir::Expr* integer = integer_in(other)) {
                const Operands operands = operands_of(other, whole.span);
                diagnostics_.report(diag::float64_integer, whole.span, what,
                                    fmt::format("a {} and {}", narrow_type(*narrow), integer->type.name()),
                                    operands.texts, wide_type);
                suggest(operands.edits, whole.span, operands.are_alone && is_surely_meant);
            }
        }
    }

    void meets(const ir::Expr& whole, const ir::BuiltinCall& call) {
        const auto narrow =
            std::ranges::find_if(call.args, [&](const ir::ExprPtr& argument) { return is_single(*argument); });
        if (narrow == call.args.end()) return;
        for (const ir::ExprPtr& other : call.args)
            if (!is_single(*other)) meets(whole, name_of(whole), **narrow, *other);
    }

    /// `a / n` of integers, which becomes a float32.
    void becomes_float32(const ir::Expr& expr) {
        const ir::Expr* const whole = source_of(expr);
        if (!whole || !is_narrow(expr.type) || expr.span != whole->span || widens_integer(*whole)) return;
        const ir::Expr* const integer = integer_in(*whole);
        if (!integer) return;
        const Operands operands = operands_of(*whole, whole->span);
        diagnostics_.report(diag::float64_integer, whole->span, name_of(*whole), integer->type.name(), operands.texts,
                            whole->type.name());
        suggest(operands.edits, whole->span, !is_for_others_ && operands.are_alone);
    }

    /// What a value is computed of in float64: numbers, and integers as they are before. Each where it stands.
    struct Operands {
        Edits edits;
        std::string texts;
        bool are_alone = true;  ///< none is added to another as an integer, with no rounding: `sum((n, m, 0.5))`
    };
    Operands operands_of(const ir::Expr& expr, Span whole) const {
        Operands all;
        add_operands(expr, whole, all);
        return all;
    }
    void add_operands(const ir::Expr& expr, Span whole, Operands& all) const {
        const ir::Expr& value = widens_integer(expr) ? *source_of(expr) : expr;
        const bool is_exact = value.type.is_integer() || value.type.is_boolean();
        const Span place = written_in(whole, value);
        if (!is_number(value) && (!is_exact || (!place && computes(value)))) {
            all.are_alone = all.are_alone && !(is_exact && value.as<ir::Binary>());
            return ir::for_each_child(value, [&](const ir::Expr& child) { add_operands(child, value.span, all); });
        }
        if (is_float32(value)) return;
        all.texts += fmt::format("{}`float32({})`", all.texts.empty() ? "" : " and ", text_of(place));
        all.edits.push_back({place ? expr.span : Span(), place, "float32"});
    }

    /// The integer that a value is a float64 by, with nothing else in it that is one: of `n`, `math.sqrt(n)`, `1 / n`.
    const ir::Expr* integer_in(const ir::Expr& expr) const {
        if (widens_integer(expr)) return source_of(expr);
        if (!is_wide(expr) || is_wanted(expr) || !(expr.as<ir::Binary>() || expr.as<ir::BuiltinCall>())) return nullptr;
        const ir::Expr* found = nullptr;
        bool is_alone = true;
        ir::for_each_child(expr, [&](const ir::Expr& child) {
            const ir::Expr* const integer = integer_in(child);
            is_alone = is_alone && (integer || is_number(child));
            if (integer && (!found || is_number(*found))) found = integer;
        });
        return is_alone ? found : nullptr;
    }

    /// `scaled(x, 2.0)` where the function has `x * b`; a default is such an argument.
    void passes(const ir::Call& call) {
        const ir::Function& callee = module_.function(call.callee);
        for (size_t i = 0; i < call.args.size(); ++i) {
            const ir::Expr& given = *call.args[i];
            if (!is_number(given) || !is_wide(given) || is_wanted(given) || is_out_of_range(given) || !given.span)
                continue;
            const ir::Expr* const met = meeting(callee, callee.params[i]);
            if (!met || !files_.has(given.span.file)) continue;
            const std::string_view type = narrow_name(given);
            diagnostics_.report(diag::float64_literal, given.span, info(met->as<ir::Binary>()->op).python,
                                text_of(given.span), type, std::string(type), met->type.name());
            suggest({{given.span, given.span, type}}, given.span, !is_for_others_ && !has_float64_);
        }
    }

    /// The operation by which a parameter makes a float64 of a float32; null: none does.
    const ir::Expr* meeting(const ir::Function& function, ir::LocalId param) const {
        const ir::Expr* found = nullptr;
        const auto is_param = [&](const ir::Expr& expr) {
            const auto* local = expr.as<ir::LocalRef>();
            return local && local->id == param;
        };
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* n = expr.as<ir::Binary>();
            if (n && !is_comparison(n->op) &&
                ((widens_float32(*n->lhs) && is_param(*n->rhs)) || (widens_float32(*n->rhs) && is_param(*n->lhs))))
                found = &expr;
        });
        return found;
    }

    /// To write `float32(…)` of each value in its place, if those are parts of the expression, or of the function (and
    /// not taken over from elsewhere).
    void suggest(const Edits& edits, Span whole, bool is_sure) {
        Suggestion suggestion;
        if (!is_sure) suggestion.applicability = Applicability::maybe_incorrect;
        std::vector<std::string> written;
        std::vector<Edit> imports;
        for (const auto& [place, value, type] : edits) {
            const std::optional<Spelling> spelling = files_.spelling(whole.file, type);
            const bool is_part = place.file == whole.file && place.begin >= whole.begin && place.end <= whole.end;
            if (!spelling || is_local(spelling->text)) return;
            if (!is_part || value.file != whole.file || value.text().empty()) return;
            const std::string text = fmt::format("{}({})", spelling->text, value.text());
            suggestion.edits.push_back({place, text});
            written.push_back("`" + text + "`");
            if (spelling->import && std::ranges::find(imports, *spelling->import) == imports.end())
                imports.push_back(*spelling->import);
        }
        suggestion.text = fmt::format("write {}", fmt::join(written, " and "));
        std::ranges::copy(imports, std::back_inserter(suggestion.edits));
        diagnostics_.suggest(std::move(suggestion));
    }

    /// Whether a local variable hides the (first) name.
    bool is_local(std::string_view name) const { return names_.contains(name.substr(0, name.find('.'))); }

    /// Of an operator, or of what the author calls: the row may be one of ours, and `sum` adds.
    static std::string_view name_of(const ir::Expr& expr) {
        const auto* binary = expr.as<ir::Binary>();
        if (binary && written_in(expr.span, *binary->lhs)) return info(binary->op).python;
        const std::string_view text = expr.span.text();
        return text.substr(0, text.find('('));
    }

    /// Precondition: what an expression is a part of was checked before it.
    void check(const ir::Expr& expr) {
        if (const ir::Expr* source = source_of(expr); source && is_narrow(expr.type)) collect_narrowed(*source);
        if (const auto* n = expr.as<ir::Binary>()) {
            const bool harmless = is_comparison(n->op) && (is_exact(*n->lhs) || is_exact(*n->rhs));
            if (!harmless) meets(expr, name_of(expr), *n->lhs, *n->rhs);
            mixes_signs(expr, *n);
        }
        if (const auto* n = expr.as<ir::Select>()) meets(expr, "if … else", *n->then, *n->otherwise);
        if (const auto* n = expr.as<ir::BuiltinCall>(); n && n->args.size() > 1) meets(expr, *n);
        becomes_float32(expr);
        if (const auto* n = expr.as<ir::Call>()) passes(*n);
    }

    /// `w < x.size` of a uint64 `w`: Numba takes a uint64 and an int64 for float64.
    void mixes_signs(const ir::Expr& whole, const ir::Binary& n) {
        if (n.op == BinaryOp::TrueDiv || n.op == BinaryOp::Pow) return;
        for (const auto& [a, b] : {std::pair(n.lhs.get(), n.rhs.get()), std::pair(n.rhs.get(), n.lhs.get())}) {
            if (!widens_integer(*a) || !widens_integer(*b) || is_wanted(*a) || is_wanted(*b)) continue;
            const ir::Expr &plain = *source_of(*a), &other = *source_of(*b);
            if (!plain.type.is(Scalar::uint64) || !other.type.is_signed()) continue;
            // What is never below 0 is the same as a uint64; a uint64 may be too large for an int64.
            const bool is_sure = is_natural(other);
            const ir::Expr& changed = is_sure ? other : plain;
            const Edited edited{changed.span, changed.span, is_sure ? "uint64" : "int64"};
            diagnostics_.report(
                diag::float64_integer, whole.span, name_of(whole),
                fmt::format("{} and {}", source_of(*n.lhs)->type.name(), source_of(*n.rhs)->type.name()),
                fmt::format("`{}({})`", edited.type, text_of(changed.span)), a->type.name());
            suggest({edited}, whole.span, is_sure && !is_for_others_);
        }
    }

    /// An extent, or an index of a thread.
    bool is_natural(const ir::Expr& expr) const {
        const ir::Expr& value = resolved(expr, assigned_);
        const auto* call = value.as<ir::BuiltinCall>();
        return value.as<ir::ShapeOf>() || value.as<ir::SizeOf>() ||
               (call && call->builtin->launch.value != LaunchValue::none);
    }

    // --- variables
    struct Assignment {
        Span span;
        const ir::Expr* value;
    };
    /// Where the values of a variable come from.
    struct Sources {
        std::vector<Assignment> assignments;
        bool real = false;  ///< a float64 of somebody's
        Type narrow = {};   ///< a float32, or its like; none: no such
        std::vector<ir::LocalId> others;
    };

    void collect() {
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) {
                Sources& sources = sources_[assign->target];
                // What is taken over into a loop, or behind an `if`, stands where it was written.
                const ir::Expr& value = ir::without_conversions(*assign->value);
                const bool is_copy = (is_number(value) || value.as<ir::LocalRef>()) && value.span;
                sources.assignments.push_back({is_copy ? value.span : stmt.span, &real_part(*assign->value)});
                if (is_wide(*assign->value)) trace(*assign->value, sources);
            }
        });
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

    void trace(const ir::Expr& whole, Sources& sources) {
        const ir::Expr& expr = real_part(whole);
        if (is_wanted(expr)) {
            sources.real = true;
        } else if (is_number(expr) || widens_integer(expr)) {
            return;
        } else if (widens_float32(expr)) {
            if (!sources.narrow) sources.narrow = is_narrow(source_of(expr)->type) ? source_of(expr)->type : kFloat32;
        } else if (const auto* local = expr.as<ir::LocalRef>()) {
            sources.others.push_back(local->id);
        } else if (is_wide(expr) && computes(expr)) {
            ir::for_each_child(expr, [&](const ir::Expr& child) {
                if (is_wide(child)) trace(child, sources);
            });
        } else {
            sources.real = true;
        }
    }

    void variables() {
        for (const auto& [id, sources] : sources_) {
            if (sources.real || !sources.narrow || !is_wide(function_.local(id).type)) continue;
            const ir::Storage storage = function_.local(id).storage;
            if (storage == ir::Storage::variable) starts_otherwise(id, sources, function_.local(id).type);
            if (storage == ir::Storage::temporary) sums(id, sources);
        }
    }

    /// A variable that begins as a number or an integer, and takes in float32 values. `wide`: its type by that.
    void starts_otherwise(ir::LocalId id, const Sources& sources, Type wide) {
        const auto starts = [&](const Assignment& a) { return is_number(*a.value) || widens_integer(*a.value); };
        const auto is_to_change = [&](const Assignment& a) {
            const Span value = files_.assigned_at(as_integer(a).span);
            return starts(a) && !(value && is_cast_to(value, Scalar::float32));
        };
        const auto first = std::ranges::find_if(sources.assignments, is_to_change);
        const auto other = std::ranges::find_if_not(sources.assignments, starts);
        const auto needs_float64 = [&](const Assignment& a) {
            return is_number(*a.value) && is_out_of_range(*a.value);
        };
        if (std::ranges::any_of(sources.assignments, needs_float64)) return;
        if (first == sources.assignments.end() || other == sources.assignments.end()) return;
        const Assignment& start = as_integer(*first);
        const Span value = files_.assigned_at(start.span);
        const std::string_view type = wide.is_complex() ? "complex64" : "float32";
        const std::string narrow = sources.narrow ? sources.narrow.name() : std::string(type);
        diagnostics_
            .report(diag::float64_variable, start.span, std::string_view(function_.local(id).name), wide.name(), narrow)
            .note(start.span, fmt::format("here it is no {0}; write `{0}(…)`", type))
            .note(other->span, fmt::format("here a {} comes in", narrow));
        // An integer may be too large for a float32 to hold.
        const bool is_known = is_number(*start.value);
        if (value) suggest({{value, value, type}}, value, is_known && !is_for_others_ && !has_float64_);
    }

    /// Where the number of an assignment is written, if the variable was an integer until then: `y = 0`.
    const Assignment& as_integer(const Assignment& a) const {
        const auto* held = ir::without_conversions(*a.value).as<ir::LocalRef>();
        const auto from = held ? sources_.find(held->id) : sources_.end();
        if (from == sources_.end()) return a;
        const auto is_written = [](const Assignment& one) { return is_number(*one.value); };
        const auto& all = from->second.assignments;
        return !all.empty() && std::ranges::all_of(all, is_written) ? all.front() : a;
    }

    /// `sum(x)` of a float32 array, which begins with the integer 0.
    void sums(ir::LocalId id, const Sources& sources) {
        const ir::Local& local = function_.local(id);
        if (local.name != "sum" || !local.span || !local.span.text().starts_with("sum(")) return;
        const std::string_view type = local.type.is_complex() ? "complex64" : "float32";
        diagnostics_
            .report(diag::float64_variable, local.span, std::string_view(local.name), local.type.name(),
                    sources.narrow.name())
            .note(local.span, fmt::format("it starts with the integer 0; give it another start, `{}(0)`", type));
        const std::optional<Spelling> spelling = files_.spelling(local.span.file, type);
        if (!spelling || is_local(spelling->text) || has_several_arguments(local.span.text())) return;
        const std::string start = fmt::format("{}(0)", spelling->text);
        Suggestion suggestion{fmt::format("write `{}`", start), Applicability::machine_applicable, {}};
        if (is_for_others_ || has_float64_) suggestion.applicability = Applicability::maybe_incorrect;
        const uint32_t end = local.span.end - 1;
        suggestion.edits.push_back({{local.span.file, end, end}, ", " + start});
        if (spelling->import) suggestion.edits.push_back(*spelling->import);
        diagnostics_.suggest(std::move(suggestion));
    }

    static bool has_several_arguments(std::string_view call) {
        int depth = 0;
        return std::ranges::any_of(call, [&](char c) {
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            return c == ',' && depth == 1;
        });
    }

    /// A variable of numbers and float32 values that is stored as a float32, but computed with as the float64 that it
    /// is: `y = 0.0`, perhaps `y = x[i]`, then `y * x[i]`.
    void was_narrowed(const ir::Expr& operand) {
        const ir::Expr* const source = source_of(real_part(operand));
        const auto* local = source ? source->as<ir::LocalRef>() : nullptr;
        if (!local || !narrowed_locals_.insert(local->id).second) return;
        if (function_.local(local->id).storage != ir::Storage::variable) return;
        const auto found = sources_.find(local->id);
        if (found != sources_.end()) starts_otherwise(local->id, found->second, Scalar::float64);
    }

    /// Each is told of where it gets its number. A float32 is what is wanted for sure where it meets nothing else.
    void held_numbers() {
        std::map<ir::LocalId, size_t> uses;
        ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) {
            if (const auto* local = expr.as<ir::LocalRef>()) ++uses[local->id];
        });
        for (const auto& [id, held] : held_) {
            const std::vector<Assignment>& assignments = sources_[id].assignments;
            const auto is_too_large = [&](const Assignment& a) { return is_out_of_range(*a.value); };
            if (std::ranges::any_of(assignments, is_too_large)) continue;
            const std::string_view type = narrow_name(*assignments[0].value);
            Edits edits;
            for (const Assignment& a : assignments) {
                const Span value = value_at(a);
                edits.push_back({value, value, type});
            }
            const Span first = edits[0].value ? edits[0].value : assignments[0].span;
            diagnostics_
                .report(diag::float64_held, first, std::string_view(function_.local(id).name), held.wide, held.what,
                        held.narrow, type, text_of(first))
                .note(held.whole->span, fmt::format("here it meets a {}", held.narrow));
            suggest(edits, body_span(), held.is_sure && uses[id] == held.meetings);
        }
    }

    /// From the first to the last statement of the author's.
    Span body_span() const {
        Span all = function_.span;
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (stmt.span.file != all.file) return;
            all.begin = std::min(all.begin, stmt.span.begin);
            all.end = std::max(all.end, stmt.span.end);
        });
        return all;
    }

    /// What an assignment of a number assigns, as it is written.
    Span value_at(const Assignment& a) const {
        const Span value = files_.assigned_at(a.span);
        return value ? value : a.value->span;
    }

    /// Whether nobody wants the float64: there is none around, or it becomes a float32 at once.
    bool is_sure(const ir::Expr& whole) const {
        return !is_for_others_ && !counted_.contains(&whole) && (!has_float64_ || narrowed_.contains(&whole));
    }

    /// What becomes an integer, `int(u * n)`: above 2 ** 24 another one in float32. What must be equal to something,
    /// too.
    void collect_counted(const ir::Expr& whole) {
        const ir::Expr& expr = real_part(whole);
        if (!is_wide(expr) || source_of(expr)) return;
        counted_.insert(&expr);
        ir::for_each_child(expr, [&](const ir::Expr& child) { collect_counted(child); });
    }

    void collect_narrowed(const ir::Expr& whole) {
        const ir::Expr& expr = real_part(whole);
        if (!is_wide(expr) || source_of(expr)) return;
        narrowed_.insert(&expr);
        ir::for_each_child(expr, [&](const ir::Expr& child) { collect_narrowed(child); });
    }

    /// What becomes an element of type float64 is meant to be computed in it.
    void collect_meant(const ir::Expr& whole) {
        const ir::Expr& expr = real_part(whole);
        if (!is_wide(expr) || source_of(expr)) return;
        meant_.insert(&expr);
        ir::for_each_child(expr, [&](const ir::Expr& child) { collect_meant(child); });
    }

    void block(const ir::Block& body) {
        for (const ir::Stmt& stmt : body) {
            if (const auto* store = stmt.as<ir::Store>()) collect_meant(*store->value);
            if (const auto* store = stmt.as<ir::StoreField>()) collect_meant(*store->value);
            ir::for_each_expr(stmt, [&](const ir::Expr& root) {
                ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                    const auto* test = expr.as<ir::Binary>();
                    const bool is_equality = test && (test->op == BinaryOp::Eq || test->op == BinaryOp::Ne);
                    if (is_equality || (expr.type && expr.type.is_integer()))
                        ir::for_each_child(expr, [&](const ir::Expr& child) { collect_counted(child); });
                    check(expr);
                });
            });
            ir::for_each_block(stmt, [&](const ir::Block& inner) { block(inner); });
        }
    }

    const ir::Module& module_;
    const ir::Function& function_;
    const Written& files_;
    Diagnostics& diagnostics_;
    std::map<ir::LocalId, Sources> sources_;
    AssignedOnce assigned_;
    std::map<ir::LocalId, Held> held_;
    std::set<ir::LocalId> narrowed_locals_;  ///< that were looked at
    std::set<const ir::Expr*> meant_;
    std::unordered_set<std::string_view> names_;  ///< of the locals
    bool is_for_others_ = false;                  ///< the same text is compiled for other types as well
    bool has_float64_ = false;                    ///< something of its own is one, so that one may be meant elsewhere
    std::set<const ir::Expr*> narrowed_;          ///< what becomes a float32 at once
    std::set<const ir::Expr*> counted_;           ///< what becomes an integer, or must be equal
};

}  // namespace

void advise_on_float64(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    std::map<std::pair<const SourceFile*, uint32_t>, int> instances;
    const auto place = [](const ir::Function& function) {
        return std::pair<const SourceFile*, uint32_t>(function.span.file, function.span.begin);
    };
    for (const ir::Function& function : module.functions) ++instances[place(function)];
    for (const ir::Function& function : module.functions)
        if (files.has(function.span.file))
            Float64Advice(module, function, files, diagnostics).run(instances[place(function)] > 1);
}

}  // namespace pyk
