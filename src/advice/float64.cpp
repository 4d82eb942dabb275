// float64 that nobody asked for: computed with numbers and integers among float32 values.
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
#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

bool is_double(const ir::Expr& expr) { return expr.type && expr.type.is(Scalar::float64); }

/// The operand of a conversion, or null.
const ir::Expr* source_of(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    return convert ? convert->operand.get() : nullptr;
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

bool is_number(const ir::Expr& expr) { return expr.as<ir::Constant>() || expr.as<ir::ConstantRef>(); }

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
        : module_(module), function_(function), files_(files), diagnostics_(diagnostics) {
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
    }

  private:
    /// Whether the author converts to the type here.
    bool is_cast_to(Span place, Scalar type) const {
        const auto cast = module_.casts.find(place);
        return cast != module_.casts.end() && cast->second.is(type);
    }
    bool is_wanted(const ir::Expr& expr) const { return is_cast_to(expr.span, Scalar::float64); }
    /// It is one already, taken over into a float64; `float32(n)` of an integer is one conversion then.
    bool is_float32(const ir::Expr& expr) const { return is_cast_to(expr.span, Scalar::float32); }

    bool widens_float32(const ir::Expr& expr) const {
        const ir::Expr* source = source_of(expr);
        return is_double(expr) && source && (source->type.is(Scalar::float32) || is_float32(expr));
    }
    bool widens_integer(const ir::Expr& expr) const {
        const ir::Expr* source = source_of(expr);
        return is_double(expr) && source && (source->type.is_integer() || source->type.is_boolean()) &&
               !is_float32(expr);
    }

    bool asks_for_float64() const {
        const auto is_wide = [](Type type) {
            const Type one = type && type.is_array() ? type.element() : type;
            return one && (one.is(Scalar::float64) || one.is(Scalar::complex128));
        };
        bool found = false;
        for (const ir::LocalId param : function_.params) found = found || is_wide(function_.local(param).type);
        for (const ir::Local& local : function_.locals)
            found = found || (local.storage != ir::Storage::variable && is_wide(local.type));
        ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) { found = found || is_wanted(expr); });
        return found;
    }

    // --- float64 that nobody asked for
    /// Places, and the values that they get.
    using Edits = std::vector<std::pair<Span, Span>>;

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
            has_some = has_some || is_double(child);
            are_such = are_such && (!is_double(child) || is_such(child));
        });
        return has_some && are_such;
    }

    /// What is a float64 for nothing but the float32 values in it: a variable too that only what meets them made one.
    bool is_single(const ir::Expr& expr) const {
        if (is_wanted(expr)) return false;
        if (widens_float32(expr) || (is_number(expr) && is_float32(expr))) return true;
        if (!is_double(expr)) return false;
        if (const auto* local = expr.as<ir::LocalRef>()) {
            const auto found = sources_.find(local->id);
            return found != sources_.end() && found->second.narrow && !found->second.real;
        }
        return !expr.as<ir::BuiltinCall>() && is_made_of(expr, [&](const ir::Expr& part) { return is_single(part); });
    }

    /// A float64 of nothing but numbers: `2.0`, `math.sqrt(2.0)`, a variable that gets no others.
    bool is_of_numbers(const ir::Expr& expr) const {
        if (!is_double(expr) || is_wanted(expr)) return false;
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

    /// `x * 2.0`, `x * i` with a float32 `x`.
    void meets(const ir::Expr& whole, std::string_view what, const ir::Expr& a, const ir::Expr& b) {
        if (meant_.contains(&whole)) return;
        const auto* binary = whole.as<ir::Binary>();
        const bool is_exact = binary && is_comparison(binary->op);  // which float32 rounds
        for (const auto& [narrow, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
            if (!is_single(*narrow) || is_wanted(*other)) continue;
            if (is_of_numbers(*other) && !is_out_of_range(*other)) {
                const Span place = written_in(whole.span, *other);
                diagnostics_.report(diag::float64_literal, whole.span, what, text_of(place));
                if (!place && what == "sum")
                    diagnostics_.note(whole.span,
                                      "`sum` starts with the integer 0; give it another start, `float32(0)`");
                suggest_float32({{place, place}}, whole.span, !is_exact && is_sure(whole));
            }
            if (const ir::Expr* integer = integer_in(*other)) {
                const Operands operands = operands_of(*other, whole.span);
                diagnostics_.report(diag::float64_integer, whole.span, what, "a float32 and " + integer->type.name(),
                                    operands.texts);
                suggest_float32(operands.edits, whole.span, !is_exact && operands.are_alone && is_sure(whole));
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
        if (!whole || !expr.type.is(Scalar::float32) || expr.span != whole->span || widens_integer(*whole)) return;
        const ir::Expr* const integer = integer_in(*whole);
        if (!integer) return;
        const Operands operands = operands_of(*whole, whole->span);
        diagnostics_.report(diag::float64_integer, whole->span, name_of(*whole), integer->type.name(), operands.texts);
        suggest_float32(operands.edits, whole->span, !is_for_others_ && operands.are_alone);
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
        all.edits.emplace_back(place ? expr.span : Span(), place);
    }

    /// The integer that a value is a float64 by, with nothing else in it that is one: of `n`, `math.sqrt(n)`, `1 / n`.
    const ir::Expr* integer_in(const ir::Expr& expr) const {
        if (widens_integer(expr)) return source_of(expr);
        if (!is_double(expr) || is_wanted(expr) || !(expr.as<ir::Binary>() || expr.as<ir::BuiltinCall>()))
            return nullptr;
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
            if (!is_number(given) || !is_double(given) || is_wanted(given) || is_out_of_range(given) || !given.span)
                continue;
            const std::string_view met = meeting(callee, callee.params[i]);
            if (met.empty() || !files_.has(given.span.file)) continue;
            diagnostics_.report(diag::float64_literal, given.span, met, text_of(given.span));
            suggest_float32({{given.span, given.span}}, given.span, !is_for_others_ && !has_float64_);
        }
    }

    /// The operator by which a parameter makes a float64 of a float32; empty: none does.
    std::string_view meeting(const ir::Function& function, ir::LocalId param) const {
        std::string_view found;
        const auto is_param = [&](const ir::Expr& expr) {
            const auto* local = expr.as<ir::LocalRef>();
            return local && local->id == param;
        };
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* n = expr.as<ir::Binary>();
            if (n && !is_comparison(n->op) &&
                ((widens_float32(*n->lhs) && is_param(*n->rhs)) || (widens_float32(*n->rhs) && is_param(*n->lhs))))
                found = info(n->op).python;
        });
        return found;
    }

    /// To write `float32(…)` of each value in its place, if those are parts of the expression (and not taken over from
    /// elsewhere).
    void suggest_float32(const Edits& edits, Span whole, bool is_sure) {
        const std::optional<Spelling> float32 = files_.spelling(whole.file, "float32");
        if (!float32 || is_local(float32->text)) return;
        Suggestion suggestion;
        if (!is_sure) suggestion.applicability = Applicability::maybe_incorrect;
        std::vector<std::string> written;
        for (const auto& [place, value] : edits) {
            const bool is_part = place.file == whole.file && place.begin >= whole.begin && place.end <= whole.end;
            if (!is_part || value.file != whole.file || value.text().empty()) return;
            const std::string text = fmt::format("{}({})", float32->text, value.text());
            suggestion.edits.push_back({place, text});
            written.push_back("`" + text + "`");
        }
        suggestion.text = fmt::format("write {}", fmt::join(written, " and "));
        if (float32->import) suggestion.edits.push_back(*float32->import);
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
        if (const ir::Expr* source = source_of(expr); source && expr.type && expr.type.is(Scalar::float32))
            collect_narrowed(*source);
        if (const auto* n = expr.as<ir::Binary>()) {
            const bool harmless = is_comparison(n->op) && (is_exact(*n->lhs) || is_exact(*n->rhs));
            if (!harmless) meets(expr, name_of(expr), *n->lhs, *n->rhs);
        }
        if (const auto* n = expr.as<ir::Select>()) meets(expr, "if … else", *n->then, *n->otherwise);
        if (const auto* n = expr.as<ir::BuiltinCall>(); n && n->args.size() > 1) meets(expr, *n);
        becomes_float32(expr);
        if (const auto* n = expr.as<ir::Call>()) passes(*n);
    }

    // --- variables
    struct Assignment {
        Span span;
        const ir::Expr* value;
    };
    /// Where the values of a variable come from.
    struct Sources {
        std::vector<Assignment> assignments;
        bool real = false;    ///< a float64 of somebody's
        bool narrow = false;  ///< a float32
        std::vector<ir::LocalId> others;
    };

    void collect() {
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) {
                Sources& sources = sources_[assign->target];
                // What is taken over into a loop stands where it was written.
                const bool is_copy = is_number(*assign->value) && assign->value->span;
                sources.assignments.push_back({is_copy ? assign->value->span : stmt.span, assign->value.get()});
                if (is_double(*assign->value)) trace(*assign->value, sources);
            }
        });
        for (bool again = true; again;) {
            again = false;
            for (auto& [id, sources] : sources_)
                for (const ir::LocalId other : sources.others) {
                    const Sources& from = sources_[other];
                    again |= (from.real && !sources.real) || (from.narrow && !sources.narrow);
                    sources.real |= from.real;
                    sources.narrow |= from.narrow;
                }
        }
    }

    void trace(const ir::Expr& expr, Sources& sources) {
        if (is_wanted(expr)) {
            sources.real = true;
        } else if (is_number(expr) || widens_integer(expr)) {
            return;
        } else if (widens_float32(expr)) {
            sources.narrow = true;
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

    void variables() {
        for (const auto& [id, sources] : sources_) {
            const ir::Local& local = function_.local(id);
            if (sources.real || !sources.narrow || local.storage != ir::Storage::variable) continue;
            const auto starts = [&](const Assignment& a) { return is_number(*a.value) || widens_integer(*a.value); };
            const auto start = std::ranges::find_if(sources.assignments, starts);
            const auto other = std::ranges::find_if_not(sources.assignments, starts);
            const auto needs_float64 = [&](const Assignment& a) {
                return is_number(*a.value) && is_out_of_range(*a.value);
            };
            if (std::ranges::any_of(sources.assignments, needs_float64)) continue;
            if (start == sources.assignments.end() || other == sources.assignments.end()) continue;
            const Span value = is_number(*start->value) ? files_.assigned_at(start->span) : Span();
            if (value && is_cast_to(value, Scalar::float32)) continue;
            diagnostics_.report(diag::float64_variable, start->span, std::string_view(local.name))
                .note(start->span, "here it is no float32; write `float32(…)`")
                .note(other->span, "here a float32 comes in");
            if (value) suggest_float32({{value, value}}, value, !is_for_others_ && !has_float64_);
        }
    }

    /// Whether nobody wants the float64: there is none around, or it becomes a float32 at once.
    bool is_sure(const ir::Expr& whole) const {
        return !is_for_others_ && !counted_.contains(&whole) && (!has_float64_ || narrowed_.contains(&whole));
    }

    /// What becomes an integer, `int(u * n)`: above 2 ** 24 another one in float32. What must be equal to something,
    /// too.
    void collect_counted(const ir::Expr& expr) {
        if (!is_double(expr) || source_of(expr)) return;
        counted_.insert(&expr);
        ir::for_each_child(expr, [&](const ir::Expr& child) { collect_counted(child); });
    }

    void collect_narrowed(const ir::Expr& expr) {
        if (!is_double(expr) || source_of(expr)) return;
        narrowed_.insert(&expr);
        ir::for_each_child(expr, [&](const ir::Expr& child) { collect_narrowed(child); });
    }

    /// What becomes an element of type float64 is meant to be computed in it.
    void collect_meant(const ir::Expr& expr) {
        if (!is_double(expr) || source_of(expr)) return;
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
