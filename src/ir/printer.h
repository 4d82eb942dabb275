// The printer of IR text, one function per node. Private to print.cpp and print_expr.cpp.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "ir/text.h"

namespace pyk::ir {

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

    void constant(const ModuleConstant& constant);
    void array(const ArrayEntry& entry);
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
    void show(const Stmt&, const StoreField& n);
    void show(const Stmt&, const Evaluate& n);
    void show(const Stmt& stmt, const If& n);
    void show(const Stmt& stmt, const While& n);
    void show(const Stmt& stmt, const ForRange& n);
    void show(const Stmt&, const Break&) { text += "break"; }
    void show(const Stmt&, const Continue&) { text += "continue"; }
    void show(const Stmt&, const Return& n);
    void show(const Stmt&, const Raise& n);
    void show(const Stmt& stmt, const Try& n);
    void show(const Stmt&, const Print& n);

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
    void show(const Expr&, const RecordField& n) { field(*n.record, n.field); }
    void show(const Expr&, const FieldsOf& n);

    // Ids that nothing has are printed, too: messages about broken IR show it.
    std::string handle(LocalId id) const;
    std::string constant_name(ConstantId id) const;
    std::string symbol(FunctionId id) const;
    void infix(const Expr& lhs, std::string_view op, const Expr& rhs);
    void list(const std::vector<ExprPtr>& exprs);
    void element(const Expr& array, const std::vector<Index>& indices);
    void field(const Expr& record, uint32_t index);
    void subscript(const Index& index);
    void subscript(const SliceOf& slice);
    void slice_part(const ExprPtr& part);

    const Module& module_;
    const Function* function_ = nullptr;
    std::vector<std::string> handles_;
    size_t depth_ = 0;
};

}  // namespace pyk::ir
