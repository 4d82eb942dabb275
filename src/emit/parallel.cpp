// Loops whose iterations run on several cores.
#include <fmt/format.h>

#include <algorithm>

#include "emit/cpp_types.h"
#include "emit/statement.h"
#include "ir/build.h"
#include "ir/walk.h"

namespace pyk::emitter {
namespace {

bool is_extreme(const ir::Reduction& reduction) {
    return reduction.kind == ir::ReductionKind::least || reduction.kind == ir::ReductionKind::greatest;
}

/// What a part of the loop starts with where it is not what was there before.
std::string neutral_of(const ir::Reduction& reduction, Type type) {
    const bool is_sum = reduction.kind == ir::ReductionKind::sum;
    const int64_t neutral = is_sum ? 0 : 1;
    if (type.is_complex()) return fmt::format("{}({}, 0)", scalar_name(type), neutral);
    return literal(ir::convert_constant(neutral, type).value(), type).text;
}

std::string joined(const ir::Reduction& reduction, const std::string& total, const std::string& part) {
    switch (reduction.kind) {
        case ir::ReductionKind::sum:
            return fmt::format("{0} = {0} + {1};", total, part);
        case ir::ReductionKind::product:
            return fmt::format("{0} = {0} * {1};", total, part);
        case ir::ReductionKind::least:
            return fmt::format("if ({1} < {0}) {0} = {1};", total, part);
        case ir::ReductionKind::greatest:
            break;
    }
    return fmt::format("if ({1} > {0}) {0} = {1};", total, part);
}

/// The least number of elements of a part: it has to be worth a thread, about a microsecond. What an operator costs
/// where several elements are computed at once is 1.
size_t grain_of(const ir::Block& body, bool stores) {
    constexpr size_t kLeast = 65536, kAccess = 4, kBuiltin = 10, kCall = 60, kFewest = 256;
    size_t cost = 1 + (stores ? kAccess : 0);
    ir::for_each_expr_deep(body, [&](const ir::Expr& expr) {
        if (expr.as<ir::Call>()) cost += kCall;
        if (const auto* call = expr.as<ir::BuiltinCall>()) cost += is_of_c_library(*call->builtin) ? kCall : kBuiltin;
        if (expr.as<ir::Element>()) cost += kAccess;
        if (expr.as<ir::Binary>()) ++cost;
    });
    return std::max(kFewest, kLeast / cost);
}

/// What the parts of a loop build up: begun in a part, given by it, and joined behind all.
struct Built {
    std::string captures = "=", given = "";
    std::vector<std::string> starts = {}, joins = {};
};

Built built_by(const FunctionScope& scope, const ir::ForRange& loop) {
    Built built;
    for (const ir::Reduction& reduction : loop.reductions) {
        if (!scope.placement.used[static_cast<size_t>(reduction.local)]) continue;
        const std::string& local = scope.name(reduction.local);
        const Type of = scope.function.local(reduction.local).type;
        // The least of a value and others is at most that value.
        std::string start = is_extreme(reduction) ? local + "_before" : neutral_of(reduction, of);
        if (is_extreme(reduction)) built.captures += fmt::format(", {} = {}", start, local);
        built.starts.push_back(fmt::format("{} {} = {};", scope.module.types.name(of), local, start));
        built.joins.push_back(joined(reduction, local, fmt::format("pyk::get<{}>(pyk_part)", built.joins.size())));
        built.given += (built.given.empty() ? "" : ", ") + local;
    }
    return built;
}

/// Tells the C++ compiler that it may build up several numbers side by side; empty: it may not, or could not.
std::string simd_of(const FunctionScope& scope, const ir::ForRange& first, const ir::Block& body) {
    if (!std::ranges::all_of(body, [](const ir::Stmt& stmt) { return stmt.as<ir::Assign>() != nullptr; })) return "";
    std::string text = "#pragma omp simd";
    for (const ir::Reduction& reduction : first.reductions) {
        const Type type = scope.function.local(reduction.local).type;
        if (!type.is_integer() && type != Scalar::float32 && type != Scalar::float64) return "";
        constexpr std::string_view kOperators[] = {"+", "*", "min", "max"};
        text += fmt::format(" reduction({}:{})", kOperators[static_cast<size_t>(reduction.kind)],
                            scope.name(reduction.local));
    }
    return text;
}

}  // namespace

bool Statements::may_lie_side_by_side(const SharedNest& nest) const {
    return nest.at_counters_alone && nest.arrays.size() > 1 && std::ranges::any_of(nest.arrays, [&](ir::LocalId id) {
               return scope_.function.local(id).type.layout() == Layout::A;
           });
}

/// The same for all elements of an array, or of a shape: a part is rows along the last axis, so that it does not matter
/// which axis is long.
void Statements::elements_loop(const ir::Stmt& stmt, const SharedNest& nest) {
    const size_t last = nest.loops.size() - 1;
    const ir::Block& body = nest.loops[last]->body;
    const Built built = built_by(scope_, *nest.loops[0]);
    std::string arrays, extents, known, passed;
    for (const ir::LocalId id : nest.arrays) {
        arrays += (arrays.empty() ? "" : ", ") + scope_.name(id);
        if (!nest.at_counters_alone) continue;
        known += ", const auto " + scope_.name(id);
        const bool is_column = last > 0 && scope_.is_column(id);
        passed += ", " + (is_column ? fmt::format("pyk::repeated({})", scope_.name(id)) : scope_.name(id));
    }
    for (const ir::ForRange* loop : nest.loops)
        extents += (extents.empty() ? "" : ", ") + expressions_.value(*loop->stop);
    const bool may_be_flat = !scope_.module.options.check_bounds;
    std::string elements = fmt::format("pyk::elements_of{}({})", may_be_flat ? "" : "<false>", arrays);
    if (!nest.stores) {
        elements = fmt::format("pyk::loop_elements<{}>{{{{{}}}}}", nest.loops.size(), extents);
        if (may_be_flat && last > 0 && nest.at_counters_alone && !arrays.empty())
            elements = fmt::format("pyk::flattened({}, {})", elements, arrays);
    }
    std::string call = fmt::format("pyk::parallel_{}(pyk_t, {}, {}", built.joins.empty() ? "elements" : "build",
                                   elements, grain_of(body, nest.stores));
    if (!nest.loops[0]->is_parallel) call = fmt::format("pyk::elements_in_order(pyk_t, {}", elements);
    line(stmt, fmt::format("{}, [{}]([[maybe_unused]] pyk::thread& pyk_t, pyk::loop_rows<{}> pyk_rows{}) {{", call,
                           built.captures, nest.loops.size(), known));
    out_.indent();
    for (const std::string& start : built.starts) out_.line(start);
    out_.line("while (pyk_rows.next()) {");
    out_.indent();
    const auto counter = [&](size_t axis) {
        const ir::LocalId id = nest.loops[axis]->counter;
        return fmt::format("{} {} = pyk_rows.at[{}];", scope_.module.types.name(scope_.function.local(id).type),
                           scope_.name(id), axis);
    };
    for (size_t axis = 0; axis < last; ++axis) out_.line("const " + counter(axis));
    out_.line("const long long pyk_end = pyk_rows.end;");
    if (!nest.stores)
        if (const std::string simd = simd_of(scope_, *nest.loops[0], body); !simd.empty()) out_.line(simd);
    out_.line(fmt::format("for ({0} {1} < pyk_end; ++{1}) {{", counter(last), scope_.name(nest.loops[last]->counter)));
    out_.append(nested(body));
    out_.line("}");
    out_.dedent();
    out_.line("}");
    end_of_part(built.given, built.joins, passed);
}

/// Ends a part's function, which gives what the part built up, and joins it with the whole.
void Statements::end_of_part(const std::string& given, const std::vector<std::string>& joins,
                             const std::string& passed) {
    if (joins.empty()) {
        out_.dedent();
        out_.line("}" + passed + ");");
        return;
    }
    out_.line(fmt::format("return pyk::make_tuple({});", given));
    out_.dedent();
    out_.line("}, [&](const auto& pyk_part) {");
    out_.indent();
    for (const std::string& join : joins) out_.line(join);
    out_.dedent();
    out_.line("}" + passed + ");");
}

/// A function for a part of the iterations, with copies of what is around it.
void Statements::parallel_loop(const ir::Stmt& stmt, const ir::ForRange& n) {
    const std::string& name = scope_.name(n.counter);
    const std::string type = scope_.module.types.name(scope_.function.local(n.counter).type);
    const Built built = built_by(scope_, n);
    line(stmt, fmt::format("pyk::parallel_for<{}>(pyk_t, {}, {}, {}, [{}]([[maybe_unused]] pyk::thread& pyk_t, const "
                           "pyk::part_of_loop<{}>& part) {{",
                           type, expressions_.value(*n.start), expressions_.value(*n.stop), expressions_.value(*n.step),
                           built.captures, type));
    out_.indent();
    for (const std::string& start : built.starts) out_.line(start);
    out_.line(fmt::format("for ({0} {1} = part.first, pyk_n = 0; pyk_n < part.count; ++pyk_n, {1} += part.step) {{",
                          type, name));
    out_.append(nested(n.body));
    out_.line("}");
    end_of_part(built.given, built.joins);
}

}  // namespace pyk::emitter
