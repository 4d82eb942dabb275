#include "sema/natural_names.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "module/free_names.h"

namespace pyk {
namespace {

class NaturalNames {
  public:
    explicit NaturalNames(const ast::FunctionDef& def) {
        for_each_parameter(*def.args, [&](const ast::Arg& arg) { values_[arg.arg].push_back(nullptr); });
        if (def.args->kwarg) values_[def.args->kwarg->arg].push_back(nullptr);
        for_each_stmt(def.body, [&](const ast::Stmt& stmt) { collect(stmt); });
    }

    /// All that are not known to be another number; a name may be assigned what is made of itself.
    std::set<std::string_view> run() {
        for (const auto& [name, values] : values_) result_.insert(name);
        const auto is_other = [&](std::string_view name) {
            return !std::ranges::all_of(values_[name],
                                        [&](const ast::Expr* value) { return value && is_natural(*value); });
        };
        while (std::erase_if(result_, is_other) != 0) {
        }
        return std::move(result_);
    }

  private:
    void collect(const ast::Stmt& stmt) {
        for_each_computed(stmt, [&](const ast::Expr& expr) { collect_named(expr); });
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* target : node->targets) assign(*target, *node->value);
        if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) assign(*node->target, *node->value);
        if (const auto* node = stmt.as<ast::AugAssign>())
            keeps_natural(node->op) ? assign(*node->target, *node->value) : lose(*node->target);
        if (const auto* node = stmt.as<ast::For>()) count(*node);
        if (const auto* node = stmt.as<ast::With>())
            for (const ast::WithItem& item : node->items)
                if (item.optional_vars) lose(*item.optional_vars);
        if (const auto* node = stmt.as<ast::Try>())
            for (const ast::ExceptHandler& handler : node->handlers) values_[handler.name].push_back(nullptr);
    }

    /// `(i := 1)`.
    void collect_named(const ast::Expr& expr) {
        if (const auto* node = expr.as<ast::NamedExpr>()) assign(*node->target, *node->value);
        for_each_host_child(expr, [&](const ast::Expr& child) { collect_named(child); });
    }

    void assign(const ast::Expr& target, const ast::Expr& value) {
        if (const auto* name = target.as<ast::Name>()) return values_[name->id].push_back(&value);
        const auto* places = target.as<ast::Tuple>();
        const auto* items = value.as<ast::Tuple>();
        if (places && items && places->elts.size() == items->elts.size())
            for (size_t i = 0; i < items->elts.size(); ++i) assign(*places->elts[i], *items->elts[i]);
        else if (is_position(value) || is_attribute(value, "shape"))
            for_each_target(target, [&](std::string_view name) { values_[name].push_back(&value); });
        else
            lose(target);
    }

    void lose(const ast::Expr& target) {
        for_each_target(target, [&](std::string_view name) { values_[name].push_back(nullptr); });
    }

    /// The counter of a `range` is its start at least, where it goes up.
    void count(const ast::For& loop) {
        const auto* call = loop.iter->as<ast::Call>();
        const auto* name = loop.target->as<ast::Name>();
        if (!call || !name || !(is_named(*call->func, "range") || is_named(*call->func, "prange")))
            return lose(*loop.target);
        values_[name->id];
        if (call->args.size() > 1) values_[name->id].push_back(call->args[0]);
        if (call->args.size() > 2) values_[name->id].push_back(call->args[2]);
    }

    bool is_named(const ast::Expr& expr, std::string_view name) const {
        const auto* node = expr.as<ast::Name>();
        return is_attribute(expr, name) || (node && node->id == name && !values_.contains(name));
    }
    static bool is_attribute(const ast::Expr& expr, std::string_view attr) {
        const auto* node = expr.as<ast::Attribute>();
        return node && node->attr == attr;
    }
    /// `cuda.grid(2)`: of a thread, or how many there are.
    bool is_position(const ast::Expr& expr) const {
        const auto* call = expr.as<ast::Call>();
        return call && (is_named(*call->func, "grid") || is_named(*call->func, "gridsize"));
    }

    static bool keeps_natural(ast::BinaryOp op) {
        using Op = ast::BinaryOp;
        return op == Op::Add || op == Op::Mult || op == Op::FloorDiv || op == Op::Mod || op == Op::RShift ||
               op == Op::BitAnd || op == Op::BitOr;
    }

    bool is_natural(const ast::Expr& expr) const {
        if (const auto* node = expr.as<ast::Name>()) return result_.contains(node->id);
        if (const auto* node = expr.as<ast::Constant>()) return std::get_if<ast::IntValue>(&node->value) != nullptr;
        if (const auto* node = expr.as<ast::BinOp>())
            return keeps_natural(node->op) && is_natural(*node->left) && is_natural(*node->right);
        if (const auto* node = expr.as<ast::IfExp>()) return is_natural(*node->body) && is_natural(*node->orelse);
        if (const auto* node = expr.as<ast::Subscript>()) return is_attribute(*node->value, "shape");
        if (const auto* node = expr.as<ast::Attribute>()) {
            constexpr std::string_view kPlaces[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
            const auto is_of = [&](std::string_view place) { return is_named(*node->value, place); };
            return node->attr == "size" || node->attr == "shape" || node->attr == "laneid" ||
                   std::ranges::any_of(kPlaces, is_of);
        }
        const auto* call = expr.as<ast::Call>();
        return is_position(expr) || (call && is_named(*call->func, "len"));
    }

    std::map<std::string_view, std::vector<const ast::Expr*>> values_;  ///< by name; null: anything
    std::set<std::string_view> result_;
};

}  // namespace

std::set<std::string_view> natural_names(const ast::FunctionDef& def) { return NaturalNames(def).run(); }

}  // namespace pyk
