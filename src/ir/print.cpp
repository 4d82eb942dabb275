#include "ir/print.h"

#include "ir/printer.h"

namespace pyk::ir {
namespace {

std::string unknown(auto id) { return fmt::format("?{}", static_cast<size_t>(id)); }

std::string effects_text(Effects effects) {
    std::string result;
    for (const auto& [effect, name] : kEffectNames)
        if (any(effects & effect)) result += fmt::format("{}{}", result.empty() ? "" : ", ", name);
    return result;
}

}  // namespace

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
    for (const NamedType& named : module_.types) put("\ntype {} = {}\n", named.name, type_text(named.type));
    for (const ModuleConstant& value : module_.constants) constant(value);
    for (const Function& f : module_.functions) function(f);
    for (const ArrayEntry& entry : module_.arrays) array(entry);
}

void Printer::array(const ArrayEntry& entry) {
    put("\narray {} = {} of {}(", entry.name, entry.symbol, module_.function(entry.function).symbol);
    for (size_t i = 0; i < entry.accesses.size(); ++i) put("{}{}", i ? ", " : "", access_text(entry.accesses[i]));
    text += ")";
    if (const auto& algorithm = entry.algorithm) {
        put(" by {} {} of ", algorithm->name, type_text(algorithm->value));
        if (algorithm->transform) put("{}", module_.function(*algorithm->transform).symbol);
        text += "(";
        for (size_t i = 0; i < algorithm->elements.size(); ++i)
            put("{}{}", i ? ", " : "", type_text(algorithm->elements[i]));
        text += ")";
    }
    for (const CoreOperand& operand : entry.core)
        put("{}[{}]{}{}", &operand == entry.core.data() ? " with " : ", ", fmt::join(operand.shape, ", "),
            operand.is_staged ? " staged" : "", operand.is_overwritten ? " overwritten" : "");
    text += '\n';
}

void Printer::constant(const ModuleConstant& constant) {
    put("constant {}: {}{} = ", constant.name, type_text(constant.type),
        constant.in_constant_memory ? " constant_memory" : "");
    if (!constant.table) return put("{}\n", value_text(constant.value));
    put("shape({}) \"", fmt::join(constant.table->shape, ", "));
    for (const unsigned char byte : constant.table->bytes) put("{:02x}", byte);
    text += "\"\n";
}

void Printer::header(const Function& f) {
    put("\n{} {} = {}(", f.is_kernel ? "kernel" : "device", f.name, f.symbol);
    for (size_t i = 0; i < f.params.size(); ++i) {
        const Local& param = f.local(f.params[i]);
        put("{}{}: {}", i ? ", " : "", handle(f.params[i]), type_text(param.type));
        if (const auto& passed = param.passed)
            put(" passed({}, {}){}", passed->least, passed->most, passed->is_place ? " place" : "");
    }
    text += ')';
    if (!f.result.is_none()) put(" -> {}", type_text(f.result));
    if (f.always_inline) text += " inline";
    if (f.is_exported) text += " exported";
    if (f.noalias) text += " noalias";
    if (f.index32) text += " index32";
    if (f.parallel) text += " parallel";
    if (f.one_thread) text += " one_thread";
    if (f.foreign) text += f.foreign->c_abi ? " foreign c" : " foreign numba";
    if (f.ptx) {
        put(" ptx{}{} ", f.ptx->is_volatile ? " volatile" : "", f.ptx->clobbers_memory ? " memory" : "");
        put_string(f.ptx->text);
    }
    if (any(f.effects)) put(" effects({})", effects_text(f.effects));
    if (f.raises) text += " raises";
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
    if (!stmt.as<If>() && !stmt.as<While>() && !stmt.as<ForRange>() && !stmt.as<Try>()) line_end(stmt.span);
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

void Printer::show(const Stmt&, const StoreField& n) {
    text += "store ";
    field(*n.record, n.field);
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

void Printer::show(const Stmt&, const Raise& n) {
    text += "raise ";
    put_string(n.error);
}

void Printer::show(const Stmt& stmt, const Try& n) {
    text += "try";
    open(stmt.span);
    ++depth_;
    block(n.body);
    --depth_;
    indent();
    text += n.keeps_error ? "} finally {\n" : "} except {\n";
    ++depth_;
    block(n.handler);
    --depth_;
    close();
}

void Printer::show(const Stmt&, const Print& n) {
    text += "print(";
    put_string(n.format);
    for (const ExprPtr& value : n.values) {
        text += ", ";
        expression(*value);
    }
    text += ')';
}

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
