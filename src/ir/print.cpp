#include "ir/print.h"

#include <fmt/format.h>

#include "ir/text.h"

namespace pyk::ir {
namespace {

class Printer {
  public:
    explicit Printer(const Module& module) : module_(module) {}

    std::string text;

    void enter(const Function& function) {
        function_ = &function;
        handles_ = local_handles(function);
    }
    void module();
    void expression(const Expr& expr) {
        std::visit([&](const auto& node) { show(expr, node); }, expr.node);
    }

  private:
    template <typename... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    }
    void put_string(std::string_view value);

    void constant(const ModuleConstant& constant) {
        put("constant {}: {} = {}\n", constant.name, type_text(constant.type), value_text(constant.value));
    }
    void function(const Function& function);
    void header(const Function& function);
    void local(LocalId id);

    void block(const Block& block);
    void statement(const Stmt& stmt);
    void indent() { text.append(2 * depth_, ' '); }
    void line_end(Span span);
    void open(Span span) {
        text += " {";
        line_end(span);
    }
    void close() {
        indent();
        text += "}\n";
    }
    void orelse(const Block& block);

    void show(const Stmt&, const Assign& n);
    void show(const Stmt&, const Store& n);
    void show(const Stmt&, const Evaluate& n);
    void show(const Stmt& stmt, const If& n);
    void show(const Stmt& stmt, const While& n);
    void show(const Stmt& stmt, const ForRange& n);
    void show(const Stmt&, const Break&) { text += "break"; }
    void show(const Stmt&, const Continue&) { text += "continue"; }
    void show(const Stmt&, const Return& n);

    void show(const Expr& expr, const Constant& n);
    void show(const Expr&, const ConstantRef& n) { put("${}", constant_name(n.id)); }
    void show(const Expr&, const LocalRef& n) { text += handle(n.id); }
    void show(const Expr&, const Unary& n);
    void show(const Expr&, const Binary& n);
    void show(const Expr&, const Logical& n) { infix(*n.lhs, n.is_and ? "and" : "or", *n.rhs); }
    void show(const Expr& expr, const Convert& n);
    void show(const Expr&, const Select& n);
    void show(const Expr& expr, const BuiltinCall& n);
    void show(const Expr&, const Call& n);
    void show(const Expr&, const MakeTuple& n);
    void show(const Expr&, const TupleItem& n);
    void show(const Expr&, const TupleAt& n);
    void show(const Expr&, const Element& n) { element(*n.array, n.indices); }
    void show(const Expr&, const ElementRef& n);
    void show(const Expr& expr, const View& n);
    void show(const Expr& expr, const Transpose& n);
    void show(const Expr&, const ShapeOf& n);
    void show(const Expr&, const SizeOf& n);

    // Ids that nothing has are printed, too: messages about broken IR show it.
    std::string handle(LocalId id) const;
    std::string constant_name(ConstantId id) const;
    std::string symbol(FunctionId id) const;
    void infix(const Expr& lhs, std::string_view op, const Expr& rhs);
    void list(const std::vector<ExprPtr>& exprs);
    void element(const Expr& array, const std::vector<Index>& indices);
    void subscript(const Index& index);
    void subscript(const SliceOf& slice);
    void slice_part(const ExprPtr& part);

    const Module& module_;
    const Function* function_ = nullptr;
    std::vector<std::string> handles_;
    size_t depth_ = 0;
};

std::string unknown(auto id) { return fmt::format("?{}", static_cast<size_t>(id)); }

std::string Printer::handle(LocalId id) const {
    return static_cast<size_t>(id) < handles_.size() ? handles_[static_cast<size_t>(id)] : unknown(id);
}

std::string Printer::constant_name(ConstantId id) const {
    const auto& constants = module_.constants;
    return static_cast<size_t>(id) < constants.size() ? constants[static_cast<size_t>(id)].name : unknown(id);
}

std::string Printer::symbol(FunctionId id) const {
    return static_cast<size_t>(id) < module_.functions.size() ? module_.function(id).symbol : unknown(id);
}

// --- module and functions -------------------------------------------------------------------------------------------
void Printer::put_string(std::string_view value) {
    text += '"';
    for (char c : value) {
        if (c == '\n') {
            text += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    text += '"';
}

void Printer::module() {
    text += "module ";
    put_string(module_.source_name);
    text += '\n';
    if (!module_.constants.empty()) text += '\n';
    for (const ModuleConstant& value : module_.constants) constant(value);
    for (const Function& f : module_.functions) function(f);
}

std::string effects_text(Effects effects) {
    std::string result;
    auto flag = [&](Effects one, std::string_view name) {
        if (any(effects & one)) result += fmt::format("{}{}", result.empty() ? "" : ", ", name);
    };
    flag(Effects::reads, "reads");
    flag(Effects::writes, "writes");
    flag(Effects::barrier, "barrier");
    flag(Effects::ordered, "ordered");
    return result;
}

void Printer::header(const Function& f) {
    put("\n{} {} = {}(", f.is_kernel ? "kernel" : "device", f.name, f.symbol);
    for (size_t i = 0; i < f.params.size(); ++i)
        put("{}{}: {}", i ? ", " : "", handle(f.params[i]), type_text(f.local(f.params[i]).type));
    text += ')';
    if (!f.result.is_none()) put(" -> {}", type_text(f.result));
    if (f.always_inline) text += " inline";
    if (f.noalias) text += " noalias";
    if (any(f.effects)) put(" effects({})", effects_text(f.effects));
}

void Printer::local(LocalId id) {
    const Local& local = function_->local(id);
    indent();
    put("{} {}: {}", storage_text(local.storage), handle(id), type_text(local.type));
    if (!local.shape.empty()) put(" shape({})", fmt::join(local.shape, ", "));
    if (local.alignment) put(" align({})", local.alignment);
    if (local.maybe_unassigned) text += " unassigned";
    text += '\n';
}

void Printer::function(const Function& f) {
    enter(f);
    header(f);
    open(f.span);
    ++depth_;
    if (!f.docstring.empty()) {
        text += "  doc ";
        put_string(f.docstring);
        text += '\n';
    }
    for (size_t id = f.params.size(); id < f.locals.size(); ++id) local(static_cast<LocalId>(id));
    if (f.locals.size() > f.params.size()) text += '\n';
    block(f.body);
    --depth_;
    close();
}

// --- statements -----------------------------------------------------------------------------------------------------
void Printer::block(const Block& block) {
    for (const Stmt& stmt : block) statement(stmt);
}

void Printer::statement(const Stmt& stmt) {
    indent();
    std::visit([&](const auto& node) { show(stmt, node); }, stmt.node);
    if (!stmt.as<If>() && !stmt.as<While>() && !stmt.as<ForRange>()) line_end(stmt.span);
}

void Printer::line_end(Span span) {
    if (span) put("  # {}", span.line());
    text += '\n';
}

void Printer::show(const Stmt&, const Assign& n) {
    put("{} = ", handle(n.target));
    expression(*n.value);
}

void Printer::show(const Stmt&, const Store& n) {
    text += "store ";
    element(*n.array, n.indices);
    text += " = ";
    expression(*n.value);
}

void Printer::show(const Stmt&, const Evaluate& n) {
    text += "eval ";
    expression(*n.value);
}

/// `else if` chains stay flat: a thousand of them are no thousand levels deep.
void Printer::show(const Stmt& stmt, const If& n) {
    text += "if ";
    expression(*n.condition);
    open(stmt.span);
    ++depth_;
    block(n.then);
    --depth_;
    const If* chained = n.otherwise.size() == 1 ? n.otherwise.front().as<If>() : nullptr;
    if (!chained) return orelse(n.otherwise);
    indent();
    text += "} else ";
    show(n.otherwise.front(), *chained);
}

void Printer::orelse(const Block& other) {
    if (!other.empty()) {
        indent();
        text += "} else {\n";
        ++depth_;
        block(other);
        --depth_;
    }
    close();
}

void Printer::show(const Stmt& stmt, const While& n) {
    text += "while ";
    expression(*n.condition);
    open(stmt.span);
    ++depth_;
    block(n.body);
    --depth_;
    orelse(n.orelse);
}

void Printer::show(const Stmt& stmt, const ForRange& n) {
    put("for {} in range(", handle(n.counter));
    expression(*n.start);
    text += ", ";
    expression(*n.stop);
    text += ", ";
    expression(*n.step);
    text += ')';
    open(stmt.span);
    ++depth_;
    block(n.body);
    --depth_;
    orelse(n.orelse);
}

void Printer::show(const Stmt&, const Return& n) {
    text += "return";
    if (!n.value) return;
    text += ' ';
    expression(*n.value);
}

// --- expressions ----------------------------------------------------------------------------------------------------
void Printer::show(const Expr& expr, const Constant& n) {
    text += value_text(n.value);
    if (!expr.type.is_boolean() && !expr.type.is(Scalar::int64) && !expr.type.is(Scalar::float64))
        put(":{}", type_text(expr.type));
}

void Printer::show(const Expr&, const Unary& n) {
    put("({} ", n.op == UnaryOp::Not ? "not" : info(n.op).python);
    expression(*n.operand);
    text += ')';
}

void Printer::infix(const Expr& lhs, std::string_view op, const Expr& rhs) {
    text += '(';
    expression(lhs);
    put(" {} ", op);
    expression(rhs);
    text += ')';
}

void Printer::show(const Expr&, const Binary& n) {
    const BinaryOperator& op = info(n.op);
    infix(*n.lhs, op.python.empty() ? op.name : op.python, *n.rhs);
}

void Printer::show(const Expr& expr, const Convert& n) {
    const std::string type = type_text(expr.type);
    text += expr.type.is_scalar() ? type : fmt::format("convert<{}>", type);
    text += '(';
    expression(*n.operand);
    text += ')';
}

void Printer::show(const Expr&, const Select& n) {
    text += '(';
    expression(*n.then);
    text += " if ";
    expression(*n.condition);
    text += " else ";
    expression(*n.otherwise);
    text += ')';
}

void Printer::list(const std::vector<ExprPtr>& exprs) {
    for (size_t i = 0; i < exprs.size(); ++i) {
        if (i) text += ", ";
        expression(*exprs[i]);
    }
}

void Printer::show(const Expr& expr, const BuiltinCall& n) {
    put("@{}", n.builtin->name);
    if (!n.args.empty()) {
        text += '(';
        list(n.args);
        text += ')';
    }
    put(":{}", type_text(expr.type));
}

void Printer::show(const Expr&, const Call& n) {
    put("call {}(", symbol(n.callee));
    list(n.args);
    text += ')';
}

void Printer::show(const Expr&, const MakeTuple& n) {
    text += "tuple(";
    list(n.elements);
    text += ')';
}

void Printer::show(const Expr&, const TupleItem& n) {
    text += "item(";
    expression(*n.tuple);
    put(", {})", n.index);
}

void Printer::show(const Expr&, const TupleAt& n) {
    text += "at(";
    expression(*n.tuple);
    text += ", ";
    expression(*n.index);
    text += ')';
}

void Printer::subscript(const Index& index) {
    if (index.wraps) text += "wrap ";
    expression(*index.value);
}

void Printer::slice_part(const ExprPtr& part) {
    if (part) return expression(*part);
    text += '_';
}

void Printer::subscript(const SliceOf& slice) {
    text += "slice(";
    slice_part(slice.start);
    text += ", ";
    slice_part(slice.stop);
    text += ", ";
    slice_part(slice.step);
    text += ')';
}

void Printer::element(const Expr& array, const std::vector<Index>& indices) {
    expression(array);
    text += '[';
    for (size_t i = 0; i < indices.size(); ++i) {
        if (i) text += ", ";
        subscript(indices[i]);
    }
    text += ']';
}

void Printer::show(const Expr&, const ElementRef& n) {
    text += "ref(";
    expression(*n.array);
    for (const Index& index : n.indices) {
        text += ", ";
        subscript(index);
    }
    text += ')';
}

void Printer::show(const Expr& expr, const View& n) {
    put("view<{}>(", type_text(expr.type));
    expression(*n.array);
    for (const Subscript& part : n.subscripts) {
        text += ", ";
        std::visit([&](const auto& s) { subscript(s); }, part);
    }
    text += ')';
}

void Printer::show(const Expr& expr, const Transpose& n) {
    put("transpose<{}>(", type_text(expr.type));
    expression(*n.array);
    text += ')';
}

void Printer::show(const Expr&, const ShapeOf& n) {
    text += "shape(";
    expression(*n.array);
    put(", {})", n.axis);
}

void Printer::show(const Expr&, const SizeOf& n) {
    text += "size(";
    expression(*n.array);
    text += ')';
}

}  // namespace

std::string print(const Module& module) {
    Printer printer(module);
    printer.module();
    return std::move(printer.text);
}

std::string print(const Module& module, const Function& function, const Expr& expr) {
    Printer printer(module);
    printer.enter(function);
    printer.expression(expr);
    return std::move(printer.text);
}

}  // namespace pyk::ir
