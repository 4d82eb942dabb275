// Statements → lines.
#pragma once

#include "emit/expression.h"
#include "emit/scope.h"
#include "passes/share_array_loops.h"
#include "support/printer.h"

namespace pyk::emitter {

class Statements {
  public:
    Statements(const FunctionScope& scope, size_t depth) : scope_(scope), expressions_(scope), out_(depth) {}

    void block(const ir::Block& block) { range(block.data(), block.data() + block.size()); }
    /// Some of a block's statements, up to `end`.
    void range(const ir::Stmt* begin, const ir::Stmt* end);
    std::vector<Line> take() { return out_.take(); }

  private:
    struct Branch {
        std::string head;
        uint32_t source;
        std::vector<Line> body;
    };

    void statement(const ir::Stmt& stmt);
    void show(const ir::Stmt& stmt, const ir::Assign& n);
    void show(const ir::Stmt& stmt, const ir::Store& n);
    void show(const ir::Stmt& stmt, const ir::StoreField& n);
    void show(const ir::Stmt& stmt, const ir::Evaluate& n);
    void show(const ir::Stmt& stmt, const ir::If& n);
    void show(const ir::Stmt& stmt, const ir::While& n);
    void show(const ir::Stmt& stmt, const ir::ForRange& n);
    void show(const ir::Stmt& stmt, const ir::Break&) { line(stmt, "break;"); }
    void show(const ir::Stmt& stmt, const ir::Continue&) { line(stmt, "continue;"); }
    void show(const ir::Stmt& stmt, const ir::Return& n);
    void show(const ir::Stmt& stmt, const ir::Raise& n);
    void show(const ir::Stmt& stmt, const ir::Try& n);
    void show(const ir::Stmt& stmt, const ir::Print& n);

    void line(const ir::Stmt& stmt, std::string text) { out_.line(std::move(text), stmt.span.line()); }
    void declare(const ir::Stmt& stmt, const Declaration& declaration);
    std::string declared_type(const Declaration& declaration, bool has_value) const;
    std::string assignment(const std::string& place, Type type, const ir::Expr& value) const;

    std::vector<Line> nested(const ir::Block& block);
    std::vector<Branch> branches(const ir::Stmt& stmt, const ir::If& n);
    const ir::Stmt* chained(const ir::Block& otherwise) const;
    void print(std::vector<Branch> branches);
    void loop(const ir::Stmt& stmt, std::string head, const ir::Block& body);
    void loop(const ir::Stmt& stmt, std::string head, std::vector<Line> lines);
    void parallel_loop(const ir::Stmt& stmt, const ir::ForRange& n);
    void end_of_part(const std::string& given, const std::vector<std::string>& joins, const std::string& passed = "");
    /// A loop over elements of arrays of any strides, which hardly ever have gaps.
    bool may_lie_side_by_side(const SharedNest& nest) const;
    void elements_loop(const ir::Stmt& stmt, const SharedNest& nest);
    bool team_store(const ir::Stmt& stmt, const ir::Store& n, const std::string& text);
    void team_loop(const ir::Stmt& stmt, const ir::ForRange& n, const TeamForm::Loop& form);
    void items_loop(const ir::Stmt& stmt, const ir::ForRange& n);
    std::string team_head(const ir::Stmt& stmt, const ir::ForRange& n) const;
    std::string team_head(const ir::ForRange& outer, const ir::ForRange& inner) const;
    bool is_counted(const ir::ForRange& n) const;
    std::string counted_range(const ir::ForRange& n) const;
    std::string loop_condition(const ir::ForRange& n, const std::string& counter) const;
    std::string loop_step(const ir::ForRange& n, const std::string& counter) const;

    const FunctionScope& scope_;
    Expressions expressions_;
    Printer out_;
};

}  // namespace pyk::emitter
