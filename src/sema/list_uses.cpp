#include "sema/list_uses.h"

#include <algorithm>

#include "sema/free_names.h"
#include "sema/scope.h"

namespace pyk {
namespace {

constexpr std::string_view kReaders[] = {"len", "sum", "min", "max", "sorted", "enumerate", "zip", "reversed"};
/// Of NumPy's: those that make something new of the items.
constexpr std::string_view kNumpyReaders[] = {"all",    "any", "argmax", "argmin", "argsort", "array",
                                              "cumsum", "dot", "max",    "mean",   "median",  "min",
                                              "prod",   "std", "sum",    "sort",   "unique",  "var"};

bool has(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool reads_items(const ast::Call& call) {
    const auto* attribute = call.func->as<ast::Attribute>();
    const auto* module = attribute ? attribute->value->as<ast::Name>() : nullptr;
    if (module) return (module->id == "np" || module->id == "numpy") && has(kNumpyReaders, attribute->attr);
    return call.func->as<ast::Name>() && has(kReaders, last_name(*call.func));
}

/// `a` of `a[1:]`; null: it is another expression.
const ast::Name* sliced_name(const ast::Expr& expr) {
    const auto* subscript = expr.as<ast::Subscript>();
    return subscript && subscript->slice->as<ast::Slice>() ? subscript->value->as<ast::Name>() : nullptr;
}

/// The name that a statement assigns a value to, alone; null: it does something else.
const ast::Name* assigned_name(const ast::Stmt& stmt) {
    const auto* assign = stmt.as<ast::Assign>();
    return assign && assign->targets.size() == 1 ? assign->targets[0]->as<ast::Name>() : nullptr;
}

/// Counts what a function does with a name.
class Uses {
  public:
    explicit Uses(std::string_view name) : name_(name) {}

    void add(std::span<const ast::Stmt* const> body) {
        for (const ast::Stmt* stmt : body) add(*stmt);
    }
    bool are_of_items() const { return all_ == of_items_; }
    /// Items are stored to, or it is a subscript of an array: a tuple would mean one element.
    bool need_array() const { return need_array_; }

  private:
    void add(const ast::Stmt& stmt) {
        for_each_computed(stmt, [&](const ast::Expr& expr) { add(expr); });
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* target : node->targets) add_target(*target);
        if (assigned_name(stmt)) of_items_ += is_part(*stmt.as<ast::Assign>()->value);  // a copy
        if (const auto* node = stmt.as<ast::AnnAssign>()) add_target(*node->target);
        if (const auto* node = stmt.as<ast::AugAssign>()) add_place(*node->target);
        if (const auto* node = stmt.as<ast::For>()) add(*node->target), of_items_ += is_items(*node->iter);
        if (const auto* node = stmt.as<ast::Delete>())
            for (const ast::Expr* target : node->targets) add(*target);
        if (const auto* node = stmt.as<ast::FunctionDef>()) add(node->body);
        for_each_block(stmt, [&](const ast::Block& block) { add(block); });
    }
    void add_target(const ast::Expr& target) {
        add_place(target);
        of_items_ += is_name(target);
    }
    void add_place(const ast::Expr& target) {
        const auto* subscript = target.as<ast::Subscript>();
        need_array_ = need_array_ || (subscript && is_name(*subscript->value));
        add(target);
    }
    void add(const ast::Expr& expr) {
        all_ += is_name(expr);
        if (const auto* node = expr.as<ast::Subscript>()) {
            of_items_ += is_name(*node->value) && !node->slice->as<ast::Slice>();
            add_subscript(*node->slice);
        }
        if (const auto* node = expr.as<ast::Call>(); node && reads_items(*node))
            of_items_ += std::ranges::count_if(node->args, [&](const ast::Expr* arg) { return is_items(*arg); });
        if (const auto* node = expr.as<ast::ListComp>())
            of_items_ += std::ranges::count_if(node->generators,
                                               [&](const ast::Comprehension& one) { return is_items(*one.iter); });
        if (const auto* node = expr.as<ast::Lambda>()) add(*node->body);
        for_each_host_child(expr, [&](const ast::Expr& child) { add(child); });
    }
    void add_subscript(const ast::Expr& slice) {
        const auto* tuple = slice.as<ast::Tuple>();
        const ast::Expr* const alone[] = {&slice};
        const auto count = std::ranges::count_if(tuple ? std::span<const ast::ExprRef>(tuple->elts) : alone,
                                                 [&](const ast::Expr* part) { return is_name(*part); });
        of_items_ += count;
        need_array_ = need_array_ || count > 0;
    }
    bool is_part(const ast::Expr& expr) const {
        const ast::Name* name = sliced_name(expr);
        return name && name->id == name_;
    }
    bool is_items(const ast::Expr& expr) const { return is_name(expr) || is_part(expr); }
    bool is_name(const ast::Expr& expr) const {
        const auto* name = expr.as<ast::Name>();
        return name && name->id == name_;
    }

    std::string_view name_;
    std::ptrdiff_t all_ = 0, of_items_ = 0;
    bool need_array_ = false;
};

/// The statements in which a name has the value: from where the body assigns it to where it is assigned something that
/// is no list. All of them, if the value is not assigned by the body itself.
std::span<const ast::Stmt* const> reach_of(const ast::Block& body, std::string_view name, const ast::Expr& value) {
    const std::span<const ast::Stmt* const> all(body.begin(), body.end());
    const auto assigns = [&](const ast::Stmt* stmt) {
        const ast::Name* target = assigned_name(*stmt);
        return target && target->id == name;
    };
    const auto is_value = [&](const ast::Stmt* stmt) {
        return assigns(stmt) && stmt->as<ast::Assign>()->value == &value;
    };
    const auto first = std::ranges::find_if(all, is_value);
    if (first == all.end()) return all;
    const auto is_other = [&](const ast::Stmt* stmt) {
        return assigns(stmt) && stmt->as<ast::Assign>()->value->as<ast::Call>();
    };
    const auto last = std::find_if(first, all.end(), is_other);
    return {first, last == all.end() ? last : last + 1};
}

const ast::Expr* only_item(const ast::Expr& expr) {
    const auto* list = expr.as<ast::ListExpr>();
    return list && list->elts.size() == 1 && !list->elts[0]->as<ast::Starred>() ? list->elts[0] : nullptr;
}

}  // namespace

std::optional<RepeatedItem> repeated_item(const ast::Expr& expr) {
    const auto* product = expr.as<ast::BinOp>();
    if (!product || product->op != ast::BinaryOp::Mult) return std::nullopt;
    if (const ast::Expr* item = only_item(*product->left)) return RepeatedItem{item, product->right};
    if (const ast::Expr* item = only_item(*product->right)) return RepeatedItem{item, product->left};
    return std::nullopt;
}

namespace {

std::optional<ListArray> array_for_list(const ast::FunctionDef& function, std::string_view name, const ast::Expr& value,
                                        int depth);

/// Whether some value that the function assigns to a name is a list that an array stands for.
bool is_list_array(const ast::FunctionDef& function, const ast::Block& body, std::string_view name, int depth) {
    bool found = false;
    for (const ast::Stmt* stmt : body) {
        const ast::Name* target = assigned_name(*stmt);
        found = found || (target && target->id == name &&
                          array_for_list(function, name, *stmt->as<ast::Assign>()->value, depth));
        for_each_block(*stmt,
                       [&](const ast::Block& inner) { found = found || is_list_array(function, inner, name, depth); });
    }
    return found;
}

std::optional<ListArray> array_for_list(const ast::FunctionDef& function, std::string_view name, const ast::Expr& value,
                                        int depth) {
    constexpr int kMostCopies = 4;  // of copies
    const auto repeated = repeated_item(value);
    const auto* written = value.as<ast::ListExpr>();
    const ast::Name* copied = sliced_name(value);
    if (copied && (depth == kMostCopies || !is_list_array(function, function.body, copied->id, depth + 1)))
        return std::nullopt;
    if (!repeated && !copied && !value.as<ast::ListComp>() && !(written && !written->elts.empty())) return std::nullopt;
    Uses uses(name);
    uses.add(reach_of(function.body, name, value));
    if (!uses.are_of_items() || (written && !uses.need_array())) return std::nullopt;
    if (repeated) return ListArray{"numpy.full", {repeated->count, repeated->item}, 2};
    return ListArray{copied ? "numpy.copy" : "numpy.array", {&value}};
}

}  // namespace

std::optional<ListArray> array_for_list(const ast::FunctionDef& function, std::string_view name,
                                        const ast::Expr& value) {
    return array_for_list(function, name, value, 0);
}

}  // namespace pyk
