// float64 that nobody asked for: computed with numbers and integers among float32 values. So is complex128 of
// complex64, and float64 of floats of 16 bits.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "advice/advice.h"
#include "advice/assigned_once.h"
#include "advice/cast_suggestions.h"
#include "advice/float64_uses.h"
#include "advice/float64_variables.h"
#include "advice/widening.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// The same number as a float32: a comparison with it needs no float64.
bool is_exact(const ir::Expr& expr) {
    const auto* constant = expr.as<ir::Constant>();
    const auto* value = constant ? std::get_if<double>(&constant->value) : nullptr;
    return value && static_cast<double>(static_cast<float>(*value)) == *value;
}

/// Where a part of something is written; nowhere for a step of `max(n, m, 2.5)` or what `sum(t)` takes of `t`, which
/// have the place of the whole.
Span written_in(Span whole, const ir::Expr& part) { return part.span == whole ? Span() : part.span; }

/// Of an operator, or of what the author calls: the row may be one of ours, and `sum` adds.
std::string_view name_of(const ir::Expr& expr) {
    const auto* binary = expr.as<ir::Binary>();
    if (binary && written_in(expr.span, *binary->lhs)) return info(binary->op).python;
    const std::string_view text = expr.span.text();
    return text.substr(0, text.find('('));
}

class Float64Advice {
  public:
    /// `is_for_others`: the same text is compiled for other types as well.
    Float64Advice(const ir::Module& module, const ir::Function& function, const Written& files, bool is_for_others,
                  Diagnostics& diagnostics)
        : module_(module),
          function_(function),
          files_(files),
          is_for_others_(is_for_others),
          diagnostics_(diagnostics),
          widening_(module, function),
          is_unwanted_(!is_for_others && !widening_.has_float64()),
          uses_(function),
          casts_(function, files, diagnostics),
          variables_(widening_, casts_, files, is_unwanted_, diagnostics),
          assigned_(assigned_once(function)) {}

    void run() {
        variables_.report_widened();
        ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) { check(expr); });
        variables_.report_held();
    }

  private:
    void check(const ir::Expr& expr) {
        if (const auto* n = expr.as<ir::Binary>()) {
            const bool harmless = is_comparison(n->op) && (is_exact(*n->lhs) || is_exact(*n->rhs));
            if (!harmless) meets(expr, name_of(expr), *n->lhs, *n->rhs);
            mixes_signs(expr, *n);
        }
        if (const auto* n = expr.as<ir::Select>()) meets(expr, "if … else", *n->then, *n->otherwise);
        if (const auto* n = expr.as<ir::BuiltinCall>()) meets(expr, *n);
        becomes_float32(expr);
        if (const auto* n = expr.as<ir::Call>()) passes(*n);
    }

    // --- what meets a float32
    /// `x * 2.0`, `x * i` with a float32 `x`.
    void meets(const ir::Expr& whole, std::string_view what, const ir::Expr& a, const ir::Expr& b) {
        if (uses_.is_stored(whole)) return;
        const auto* binary = whole.as<ir::Binary>();
        if (binary && widening_.is_single(a) && widening_.is_single(b))
            for (const ir::Expr* one : {&a, &b}) variables_.add_narrowed(*one);
        const bool compares = binary && is_comparison(binary->op);  // float32 would round what it asks about
        for (const auto& [narrow, wide] : {std::pair(&a, &b), std::pair(&b, &a)}) {
            if (!widening_.is_single(*narrow) || widening_.is_wanted(*wide)) continue;
            const Meeting meeting{whole, what, widening_.narrow_type(*narrow), (compares ? *wide : whole).type.name(),
                                  !compares && is_unwanted(whole)};
            const ir::Expr& other = real_part(*wide);
            if (widening_.is_of_numbers(other)) meets_number(meeting, other);
            if (const ir::Expr* integer = widening_.integer_in(other)) meets_integer(meeting, other, *integer);
        }
    }

    void meets(const ir::Expr& whole, const ir::BuiltinCall& call) {
        const auto is_single = [&](const ir::ExprPtr& argument) { return widening_.is_single(*argument); };
        const auto narrow = std::ranges::find_if(call.args, is_single);
        if (narrow == call.args.end()) return;
        for (const ir::ExprPtr& other : call.args)
            if (!is_single(other)) meets(whole, name_of(whole), **narrow, *other);
    }

    void meets_number(const Meeting& meeting, const ir::Expr& number) {
        const auto* local = number.as<ir::LocalRef>();
        if (local && function_.local(local->id).storage == ir::Storage::variable)
            return variables_.add_held(local->id, meeting);
        if (widening_.is_out_of_range(number)) return;
        const Span whole = meeting.whole.span, place = written_in(whole, number);
        const bool is_start = !place && meeting.what == "sum";
        diagnostics_.report(diag::float64_literal, whole, meeting.what, is_start ? "0" : text_of(place),
                            narrow_name(number.type), meeting.narrow, meeting.wide);
        if (is_start) diagnostics_.note(whole, "`sum` starts with the integer 0; give it another start, `float32(0)`");
        casts_.suggest({{place, place, narrow_name(number.type)}}, whole, meeting.is_unwanted);
    }

    void meets_integer(const Meeting& meeting, const ir::Expr& other, const ir::Expr& integer) {
        const Operands operands = operands_of(other, meeting.whole.span);
        diagnostics_.report(diag::float64_integer, meeting.whole.span, meeting.what,
                            fmt::format("a {} and {}", meeting.narrow, integer.type.name()), operands.texts,
                            meeting.wide);
        casts_.suggest(operands.casts, meeting.whole.span, operands.are_alone && meeting.is_unwanted);
    }

    /// Whether nobody wants the float64: there is none around, or it becomes a float32 at once.
    bool is_unwanted(const ir::Expr& whole) const {
        return !uses_.is_counted(whole) && (is_unwanted_ || (!is_for_others_ && uses_.is_narrowed(whole)));
    }

    // --- integers
    /// `a / n` of integers, which becomes a float32.
    void becomes_float32(const ir::Expr& expr) {
        const ir::Expr* const whole = source_of(expr);
        if (!whole || !is_narrow(expr.type) || expr.span != whole->span || widening_.widens_integer(*whole)) return;
        const ir::Expr* const integer = widening_.integer_in(*whole);
        if (!integer) return;
        const Operands operands = operands_of(*whole, whole->span);
        diagnostics_.report(diag::float64_integer, whole->span, name_of(*whole), integer->type.name(), operands.texts,
                            whole->type.name());
        casts_.suggest(operands.casts, whole->span, !is_for_others_ && operands.are_alone);
    }

    /// What a value is computed of in float64: numbers, and integers as they are before. Each where it stands.
    struct Operands {
        std::vector<Cast> casts;
        std::string texts;
        bool are_alone = true;  ///< none is added to another as an integer, with no rounding: `sum((n, m, 0.5))`
    };
    Operands operands_of(const ir::Expr& expr, Span whole) const {
        Operands all;
        add_operands(expr, whole, all);
        return all;
    }
    void add_operands(const ir::Expr& expr, Span whole, Operands& all) const {
        const ir::Expr& value = widening_.widens_integer(expr) ? *source_of(expr) : expr;
        const bool is_whole_number = value.type.is_integer() || value.type.is_boolean();
        const Span place = written_in(whole, value);
        if (!is_number(value) && (!is_whole_number || (!place && computes(value)))) {
            all.are_alone = all.are_alone && !(is_whole_number && value.as<ir::Binary>());
            return ir::for_each_child(value, [&](const ir::Expr& child) { add_operands(child, value.span, all); });
        }
        if (widening_.is_float32(value)) return;
        all.texts += fmt::format("{}`float32({})`", all.texts.empty() ? "" : " and ", text_of(place));
        all.casts.push_back({place ? expr.span : Span(), place, "float32"});
    }

    /// `w < x.size` of a uint64 `w`: Numba takes a uint64 and an int64 for float64.
    void mixes_signs(const ir::Expr& whole, const ir::Binary& n) {
        if (n.op == BinaryOp::TrueDiv || n.op == BinaryOp::Pow) return;
        for (const auto& [a, b] : {std::pair(n.lhs.get(), n.rhs.get()), std::pair(n.rhs.get(), n.lhs.get())}) {
            if (!widening_.widens_integer(*a) || widening_.is_wanted(*a)) continue;
            if (!widening_.widens_integer(*b) || widening_.is_wanted(*b)) continue;
            const ir::Expr &plain = *source_of(*a), &other = *source_of(*b);
            if (!plain.type.is(Scalar::uint64) || !other.type.is_signed()) continue;
            // What is never below 0 is the same as a uint64; a uint64 may be too large for an int64.
            const bool is_sure = is_natural(other);
            const ir::Expr& changed = is_sure ? other : plain;
            const Cast cast{changed.span, changed.span, is_sure ? "uint64" : "int64"};
            diagnostics_.report(
                diag::float64_integer, whole.span, name_of(whole),
                fmt::format("{} and {}", source_of(*n.lhs)->type.name(), source_of(*n.rhs)->type.name()),
                fmt::format("`{}({})`", cast.type, text_of(changed.span)), a->type.name());
            casts_.suggest({cast}, whole.span, is_sure && !is_for_others_);
        }
    }

    /// An extent, or an index of a thread.
    bool is_natural(const ir::Expr& expr) const {
        const ir::Expr& value = resolved(expr, assigned_);
        const auto* call = value.as<ir::BuiltinCall>();
        return value.as<ir::ShapeOf>() || value.as<ir::SizeOf>() ||
               (call && call->builtin->launch.value != LaunchValue::none);
    }

    // --- functions
    /// `scaled(x, 2.0)` where the function has `x * b`; a default is such an argument.
    void passes(const ir::Call& call) {
        const ir::Function& callee = module_.function(call.callee);
        for (size_t i = 0; i < call.args.size(); ++i) {
            const ir::Expr& given = *call.args[i];
            if (!is_number(given) || !is_double(given) || !files_.has(given.span.file)) continue;
            if (widening_.is_wanted(given) || widening_.is_out_of_range(given)) continue;
            const ir::Expr* const met = meeting(callee, callee.params[i]);
            if (!met) continue;
            const std::string_view type = narrow_name(given.type);
            diagnostics_.report(diag::float64_literal, given.span, info(met->as<ir::Binary>()->op).python,
                                text_of(given.span), type, std::string(type), met->type.name());
            casts_.suggest({{given.span, given.span, type}}, given.span, is_unwanted_);
        }
    }

    /// The operation by which a parameter makes a float64 of a float32; null: none does.
    const ir::Expr* meeting(const ir::Function& function, ir::LocalId param) const {
        const ir::Expr* found = nullptr;
        ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
            const auto* n = expr.as<ir::Binary>();
            if (!n || is_comparison(n->op)) return;
            if ((widening_.widens_float32(*n->lhs) && ir::is_local(*n->rhs, param)) ||
                (widening_.widens_float32(*n->rhs) && ir::is_local(*n->lhs, param)))
                found = &expr;
        });
        return found;
    }

    const ir::Module& module_;
    const ir::Function& function_;
    const Written& files_;
    const bool is_for_others_;
    Diagnostics& diagnostics_;
    const Widening widening_;
    const bool is_unwanted_;  ///< nobody wants a float64 in the function, as far as it says
    const Float64Uses uses_;
    const CastSuggestions casts_;
    Float64Variables variables_;
    const AssignedOnce assigned_;
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
            Float64Advice(module, function, files, instances[place(function)] > 1, diagnostics).run();
}

}  // namespace pyk
