#include "emit/statement.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include "emit/cpp_types.h"
#include "emit/team.h"
#include "ir/build.h"
#include "passes/settle_bounds.h"
#include "passes/waiting_loops.h"
#include "support/fault.h"

namespace pyk::emitter {
namespace {

constexpr std::string_view kJumps[] = {"return;", "break;", "continue;"};

std::string_view unindented(const Line& line) {
    return std::string_view(line.text).substr(line.text.find_first_not_of(' '));
}

bool is_jump(const Line& line) {
    return std::find(std::begin(kJumps), std::end(kJumps), unindented(line)) != std::end(kJumps);
}

/// One line that is a statement of its own and not a declaration's scope: it can stand without braces.
bool is_single(const std::vector<Line>& body) {
    return body.size() == 1 && !body[0].construct && body[0].text.ends_with(';');
}

std::string zero_initialiser(Type type) {
    if (type.is_distinct()) type = type.scalar();
    if (!type.is_scalar() || is_class(type)) return "{}";
    const ir::ConstantValue zero = type.is_float()     ? ir::ConstantValue(0.0)
                                   : type.is_boolean() ? ir::ConstantValue(false)
                                                       : ir::ConstantValue(int64_t{0});
    return " = " + literal(zero, type).text;
}

/// An operation whose left operand may be the place itself: what `place op= …` can say. A conversion to the place's
/// type may stand around it.
const ir::Expr* may_update(const ir::Expr& value) {
    const auto* converted = value.as<ir::Convert>();
    const ir::Expr& updated = converted ? *converted->operand : value;
    const auto* n = updated.as<ir::Binary>();
    if (!n || is_comparison(n->op)) return nullptr;
    const ir::Expr& left = unwrapped(*n->lhs);
    return left.as<ir::LocalRef>() || left.as<ir::Element>() || left.as<ir::RecordField>() ? &updated : nullptr;
}

/// The author left a blank line before the statement, or before the comments above it.
bool starts_paragraph(const ir::Stmt& stmt) {
    for (uint32_t line = stmt.span.line(); line > 1; --line) {
        const std::string_view above = stmt.span.file->line_text(line - 1);
        const size_t begin = above.find_first_not_of(" \t\r\f");
        if (begin == std::string_view::npos) return true;
        if (above[begin] != '#') return false;
    }
    return false;
}

}  // namespace

void Statements::range(const ir::Stmt* begin, const ir::Stmt* end) {
    for (const ir::Stmt* stmt = begin; stmt != end; ++stmt) {
        if (stmt != begin && starts_paragraph(*stmt) && stmt->span.line() != std::prev(stmt)->span.line())
            out_.line("");
        statement(*stmt);
    }
}

void Statements::statement(const ir::Stmt& stmt) {
    if (const auto before = scope_.placement.before.find(&stmt); before != scope_.placement.before.end())
        for (const Declaration& declaration : before->second) declare(stmt, declaration);
    std::visit([&](const auto& node) { show(stmt, node); }, stmt.node);
}

// --- assignments ----------------------------------------------------------------------------------------------------
void Statements::declare(const ir::Stmt& stmt, const Declaration& declaration) {
    const ir::Local& local = scope_.function.local(declaration.local);
    line(stmt, fmt::format(FMT_COMPILE("{} {}{};"), declared_type(declaration, false), scope_.name(declaration.local),
                           declaration.as_zero ? zero_initialiser(local.type) : ""));
}

std::string Statements::declared_type(const Declaration& declaration, bool has_value) const {
    const Type type = scope_.function.local(declaration.local).type;
    const bool is_const = declaration.is_const && !scope_.handed_on_by(declaration.local);
    const bool deduced = has_value && declaration.is_const && !type.is_scalar();
    return std::string(is_const ? "const " : "") + (deduced ? "auto" : scope_.type_name(declaration.local));
}

void Statements::show(const ir::Stmt& stmt, const ir::Assign& n) {
    const std::string& name = scope_.name(n.target);
    const Type type = scope_.function.local(n.target).type;
    const auto declared = scope_.placement.at.find(&stmt);
    const bool is_kept = scope_.is_kept(n.target);
    const auto* named = n.value->as<ir::LocalRef>();
    const bool is_handed_on = named && scope_.handed_on_by(named->id) == &stmt;
    const auto kept = [&] {
        const std::string value = expressions_.kept(*n.value);
        return is_handed_on ? fmt::format("std::move({})", value) : value;
    };
    if (declared == scope_.placement.at.end())
        return line(stmt, is_kept ? fmt::format("{} = {};", name, kept()) : assignment(name, type, *n.value));
    line(stmt, fmt::format(FMT_COMPILE("{} {} = {};"), declared_type(declared->second, true), name,
                           is_kept ? kept() : expressions_.value(*n.value)));
}

void Statements::show(const ir::Stmt& stmt, const ir::Store& n) {
    const std::string place = expressions_.place(*n.array, n.indices);
    if (n.value->type.is_record()) return line(stmt, fmt::format("{} = {};", place, expressions_.copied(*n.value)));
    const Type type = n.array->type.element();
    if (expressions_.is_watched(*n.array, type))
        return line(stmt, expressions_.watched_store(*n.array, stmt.span, place, *n.value));
    std::string text = assignment(place, type, *n.value);
    if (!team_store(stmt, n, text)) line(stmt, std::move(text));
}

void Statements::show(const ir::Stmt& stmt, const ir::StoreField& n) {
    const std::string place = expressions_.place(*n.record, n.field);
    if (n.value->type.is_record()) return line(stmt, fmt::format("{} = {};", place, expressions_.copied(*n.value)));
    if (expressions_.is_watched(*n.record, n.value->type))
        return line(stmt, expressions_.watched_store(*n.record, stmt.span, place, *n.value));
    line(stmt, assignment(place, n.value->type, *n.value));
}

/// `x += y` where the value is `x + y`, else `x = value`.
std::string Statements::assignment(const std::string& place, Type type, const ir::Expr& value) const {
    const ir::Expr* updated = type.is_scalar() ? may_update(value) : nullptr;
    const auto* n = updated ? updated->as<ir::Binary>() : nullptr;
    if (n && expressions_.is_infix(*n)) {
        const Text target = expressions_.text(*n->lhs);
        if (target.text == place) {  // without a conversion that makes a copy of it
            const std::string update = compound(n->op, n->lhs->type, target, expressions_.right_operand(*updated, *n));
            if (!update.empty()) return update + ";";
        }
    }
    return fmt::format(FMT_COMPILE("{} = {};"), place, expressions_.value(value));
}

void Statements::show(const ir::Stmt& stmt, const ir::Evaluate& n) {
    const std::string value = expressions_.value(*n.value);
    const bool is_call = n.value->as<ir::BuiltinCall>() || n.value->as<ir::Call>();
    line(stmt, is_call ? value + ";" : fmt::format("static_cast<void>({});", value));
}

// A kernel's thread ends where the kernel returns.
void Statements::show(const ir::Stmt& stmt, const ir::Raise& n) {
    if (n.error.empty()) return line(stmt, "throw;");
    const std::string file = scope_.file_text();
    const std::string error = cpp_string(n.error) + (file.empty() ? "" : ", " + file);
    if (scope_.module.debug)
        line(stmt, fmt::format(fmt::runtime(scope_.module.target.fail),
                               fmt::arg("line", scope_.line_text(stmt.span.line())), fmt::arg("error", error)));
    else
        line(stmt, scope_.function.is_kernel ? "return;" : "pyk::exit_thread();");
}

void Statements::show(const ir::Stmt& stmt, const ir::Try& n) {
    out_.line("try {", stmt.span.line(), true);
    if (!n.keeps_error) out_.line("    const pyk::handling pyk_handling(pyk_t);");
    out_.append(nested(n.body));
    out_.line("} catch (const pyk::thread_exit&) {");
    if (n.keeps_error && n.handler.size() > 1) out_.line("    const pyk::finishing pyk_finishing(pyk_t);");
    out_.append(nested(n.handler));
    out_.line("}");
}

void Statements::show(const ir::Stmt& stmt, const ir::Print& n) {
    if (scope_.module.options.print_to_sink) {
        std::string args = cpp_string(n.format + "\n");
        for (const ir::ExprPtr& value : n.values) args += ", " + expressions_.exact(*value);
        return line(stmt, fmt::format("pyk::print({});", args));
    }
    std::string format, args;
    auto value = n.values.begin();
    for (size_t at = 0; at < n.format.size(); ++at) {
        format += n.format[at];
        if (n.format[at] != '%') continue;
        while (std::string_view("+- #.0123456789").find(n.format[++at]) != std::string_view::npos)
            format += n.format[at];
        const char kind = n.format[at];
        const bool is_pythons = (kind == 'g' || kind == 'c') && n.format[at - 1] == '%';
        format += is_pythons ? 's' : kind;
        if (kind == '%') continue;
        args += ", ";
        if (kind == 'g' && is_pythons)
            args += fmt::format("pyk::python_float({}).text", expressions_.exact(**value));
        else if (kind == 'c') {
            const std::string real = expressions_.exact(**value++);
            args += fmt::format("pyk::python_complex({}, {}).text", real, expressions_.exact(**value));
        } else if ((*value)->type.is_boolean())
            args += fmt::format("pyk::python_bool({})", expressions_.value(**value));
        else
            args += expressions_.exact(**value);
        ++value;
    }
    line(stmt, fmt::format("printf({}{});", cpp_string(format + "\n"), args));
}

void Statements::show(const ir::Stmt& stmt, const ir::Return& n) {
    line(stmt, n.value ? fmt::format("return {};", expressions_.kept(*n.value, true)) : "return;");
}

// --- branches -------------------------------------------------------------------------------------------------------
std::vector<Line> Statements::nested(const ir::Block& block) {
    Statements inner(scope_, out_.depth() + 1);
    inner.block(block);
    return inner.take();
}

/// The `if` that an `else` block consists of.
const ir::Stmt* Statements::chained(const ir::Block& otherwise) const {
    const bool single = otherwise.size() == 1 && otherwise.front().as<ir::If>();
    return single && !scope_.placement.before.contains(&otherwise.front()) ? &otherwise.front() : nullptr;
}

std::vector<Statements::Branch> Statements::branches(const ir::Stmt& stmt, const ir::If& n) {
    std::vector<Branch> result;
    const ir::Stmt* at = &stmt;
    const ir::If* branch = &n;
    while (at) {
        const std::string_view start = result.empty() ? "if" : "else if";
        result.push_back({fmt::format(FMT_COMPILE("{} ({})"), start, expressions_.condition(*branch->condition)),
                          at->span.line(), nested(branch->then)});
        at = chained(branch->otherwise);
        if (!at && !branch->otherwise.empty()) result.push_back({"else", 0, nested(branch->otherwise)});
        if (at) branch = at->as<ir::If>();
    }
    return result;
}

void Statements::show(const ir::Stmt& stmt, const ir::If& n) { print(branches(stmt, n)); }

void Statements::print(std::vector<Branch> branches) {
    const bool bare = std::all_of(branches.begin(), branches.end(), [](const Branch& b) { return is_single(b.body); });
    if (bare && branches.size() == 1 && is_jump(branches[0].body[0])) {
        const Branch& branch = branches[0];
        return out_.line(fmt::format("{} {}", branch.head, unindented(branch.body[0])), branch.source, true);
    }
    std::string closing = "";
    for (Branch& branch : branches) {
        out_.line(closing + branch.head + (bare ? "" : " {"), branch.source, branch.source != 0);
        out_.append(std::move(branch.body));
        closing = bare ? "" : "} ";
    }
    if (!bare) out_.line("}");
}

// --- loops ----------------------------------------------------------------------------------------------------------
void Statements::loop(const ir::Stmt& stmt, std::string head, const ir::Block& body) {
    loop(stmt, std::move(head), nested(body));
}

void Statements::loop(const ir::Stmt& stmt, std::string head, std::vector<Line> lines) {
    const bool bare = is_single(lines);
    out_.line(std::move(head) + (bare ? "" : " {"), stmt.span.line(), true);
    out_.append(std::move(lines));
    if (!bare) out_.line("}");
}

void Statements::show(const ir::Stmt& stmt, const ir::While& n) {
    std::vector<Line> lines = nested(n.body);
    if (scope_.takes_thread && is_waiting_loop(scope_.module.module, scope_.function, n)) {
        Printer first(out_.depth() + 1);
        first.line("pyk_t.give_way();");
        first.append(std::move(lines));
        lines = first.take();
    }
    loop(stmt, fmt::format("while ({})", expressions_.condition(*n.condition)), std::move(lines));
}

void Statements::show(const ir::Stmt& stmt, const ir::ForRange& n) {
    if (n.is_parallel && scope_.takes_thread) {
        if (!is_compilers_loop(scope_.function, n)) return parallel_loop(stmt, n);
        if (const auto nest = shared_nest_of(scope_.function, stmt)) return elements_loop(stmt, *nest);
        if (const auto nest = shared_sums_of(scope_.function, stmt)) return elements_loop(stmt, *nest);
    }
    if (scope_.takes_thread && scope_.module.makes_arrays)
        if (const auto nest = shared_nest_of(scope_.function, stmt); nest && may_lie_side_by_side(*nest))
            return elements_loop(stmt, *nest);
    if (const TeamForm::Loop* form = shared_loop(scope_, n)) return team_loop(stmt, n, *form);
    const std::string& name = scope_.name(n.counter);
    const bool declares = scope_.placement.at.contains(&stmt);
    const std::string type = declares ? scope_.module.types.name(scope_.function.local(n.counter).type) + " " : "";
    const std::string start = expressions_.value(*n.start);
    if (declares && is_counted(n))
        return loop(stmt, fmt::format("for (const {}{} : {})", type, name, counted_range(n)), n.body);
    loop(stmt,
         fmt::format(FMT_COMPILE("for ({}{} = {}; {}; {})"), type, name, start, loop_condition(n, name),
                     loop_step(n, name)),
         n.body);
}

bool Statements::is_counted(const ir::ForRange& n) const {
    return scope_.step_of(n).lo > 0 && counts_iterations(scope_.module.module, n);
}

std::string Statements::counted_range(const ir::ForRange& n) const {
    const Type type = scope_.function.local(n.counter).type;
    const Text parts[] = {expressions_.text(*n.start), expressions_.text(*n.stop), expressions_.text(*n.step)};
    const bool deduced = std::ranges::all_of(parts, [&](const Text& part) { return part.type == type; });
    return fmt::format("pyk::range{}({}, {}, {})", deduced ? "" : fmt::format("<{}>", scope_.module.types.name(type)),
                       parts[0].text, parts[1].text, parts[2].text);
}

std::string Statements::loop_condition(const ir::ForRange& n, const std::string& counter) const {
    const Type type = scope_.function.local(n.counter).type;
    const auto compare = [&](BinaryOp op) {
        return binary(op, type, {counter, kPrimary, type}, expressions_.text(*n.stop));
    };
    const Interval step = scope_.step_of(n);
    if (step.lo <= 0 && step.hi >= 0) internal_error("a loop whose step has no known sign");
    if (step.lo < 0 && n.stop->as<ir::Constant>() && ir::integer_value(*n.stop) == -1) return counter + " >= 0";
    return compare(step.lo > 0 ? BinaryOp::Lt : BinaryOp::Gt).text;
}

std::string Statements::loop_step(const ir::ForRange& n, const std::string& counter) const {
    const auto step = n.step->as<ir::Constant>() ? ir::integer_value(*n.step) : std::nullopt;
    if (step == 1) return "++" + counter;
    if (step == -1) return "--" + counter;
    if (step && *step < 0 && *step > INT32_MIN) return fmt::format("{} -= {}", counter, -*step);
    return fmt::format(FMT_COMPILE("{} += {}"), counter, expressions_.value(*n.step));
}

}  // namespace pyk::emitter
