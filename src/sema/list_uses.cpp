#include "sema/list_uses.h"

#include <algorithm>
#include <functional>

#include "module/free_names.h"
#include "module/scope.h"

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

constexpr int kMostCopies = 4;  ///< of copies: of more nothing is known

/// Whether `ys = xs[1:]` copies a list, of which only items are asked for.
bool copies_list(const ast::FunctionDef& function, const ast::Stmt& stmt, int depth);

/// Counts what a function does with a name.
class Uses {
  public:
    /// `depth`: how many copies lead to it.
    Uses(const ast::FunctionDef& function, std::string_view name, int depth)
        : function_(function), name_(name), depth_(depth) {}

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
        if (assigned_name(stmt) && is_part(*stmt.as<ast::Assign>()->value))
            of_items_ += copies_list(function_, stmt, depth_ + 1);
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

    const ast::FunctionDef& function_;
    std::string_view name_;
    int depth_;
    std::ptrdiff_t all_ = 0, of_items_ = 0;
    bool need_array_ = false;
};

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

bool is_list_at(const ast::FunctionDef& function, std::string_view name, const ast::Stmt& at, int depth);

/// Whether a statement assigns its name a list that an array may stand for: one that is made, or a copy of such.
bool assigns_list(const ast::FunctionDef& function, const ast::Stmt& stmt, int depth) {
    const ast::Expr& value = *stmt.as<ast::Assign>()->value;
    if (const ast::Name* copied = sliced_name(value)) return is_list_at(function, copied->id, stmt, depth + 1);
    const auto* written = value.as<ast::ListExpr>();
    if (!written || written->elts.empty()) return repeated_item(value) || value.as<ast::ListComp>();
    Uses uses(function, assigned_name(stmt)->id, kMostCopies);
    uses.add(function.body);
    return uses.need_array();
}

/// Whether a statement gives a name a value in another way than `name = value`.
bool binds_otherwise(const ast::Stmt& stmt, std::string_view name) {
    bool found = false;
    const auto look = [&](const ast::Expr* target) {
        if (target) for_each_target(*target, [&](std::string_view one) { found |= one == name; });
    };
    if (const auto* node = stmt.as<ast::Assign>(); node && !assigned_name(stmt))
        for (const ast::Expr* target : node->targets) look(target);
    if (const auto* node = stmt.as<ast::AnnAssign>()) look(node->target);
    if (const auto* node = stmt.as<ast::AugAssign>()) look(node->target);
    if (const auto* node = stmt.as<ast::For>()) look(node->target);
    return found;
}

/// Whether a name has a list wherever a statement reads it: nothing else is assigned to it but behind that, by the
/// function's body itself.
bool is_list_at(const ast::FunctionDef& function, std::string_view name, const ast::Stmt& at, int depth) {
    if (depth > kMostCopies) return false;
    bool has_list = false, has_other = false;
    for_each_parameter(*function.args, [&](const ast::Arg& arg) { has_other |= arg.arg == name; });
    const std::function<void(const ast::Block&, bool)> look = [&](const ast::Block& body, bool is_function) {
        for (const ast::Stmt* stmt : body) {
            const ast::Name* target = assigned_name(*stmt);
            const bool is_it = target && target->id == name;
            const bool is_list = is_it && assigns_list(function, *stmt, depth);
            const bool is_behind = is_function && stmt->span.begin > at.span.begin;
            has_list |= is_list;
            has_other |= (is_it && !is_list && !is_behind) || binds_otherwise(*stmt, name);
            for_each_block(*stmt, [&](const ast::Block& inner) { look(inner, false); });
        }
    };
    look(function.body, true);
    return has_list && !has_other;
}

/// Whether only items are asked of a name while it has a list: up to where the body assigns it something else.
bool has_uses_of_items(const ast::FunctionDef& function, std::string_view name, int depth, bool* need_array = nullptr) {
    const std::span<const ast::Stmt* const> all(function.body.begin(), function.body.end());
    const auto assigns = [&](const ast::Stmt* stmt) {
        const ast::Name* target = assigned_name(*stmt);
        return target && target->id == name;
    };
    const auto first = std::ranges::find_if(all, assigns);
    const auto is_other = [&](const ast::Stmt* stmt) { return assigns(stmt) && !assigns_list(function, *stmt, depth); };
    auto end = all.end();
    if (first != end && !is_other(*first)) end = std::find_if(first, end, is_other);
    Uses uses(function, name, depth);
    uses.add({all.begin(), end == all.end() ? end : end + 1});
    if (need_array) *need_array = uses.need_array();
    return uses.are_of_items();
}

bool copies_list(const ast::FunctionDef& function, const ast::Stmt& stmt, int depth) {
    return depth <= kMostCopies && assigns_list(function, stmt, depth) &&
           has_uses_of_items(function, assigned_name(stmt)->id, depth);
}

/// The statement that assigns a value; null: none does.
const ast::Stmt* assignment_of(const ast::Block& body, const ast::Expr& value) {
    const ast::Stmt* found = nullptr;
    for (const ast::Stmt* stmt : body) {
        if (assigned_name(*stmt) && stmt->as<ast::Assign>()->value == &value) found = stmt;
        for_each_block(*stmt, [&](const ast::Block& inner) {
            if (!found) found = assignment_of(inner, value);
        });
    }
    return found;
}

}  // namespace

std::optional<ListArray> array_for_list(const ast::FunctionDef& function, std::string_view name,
                                        const ast::Expr& value) {
    const auto repeated = repeated_item(value);
    const auto* written = value.as<ast::ListExpr>();
    if (sliced_name(value)) {
        const ast::Stmt* copy = assignment_of(function.body, value);
        return copy && copies_list(function, *copy, 1) ? std::optional(ListArray{"numpy.copy", {&value}})
                                                       : std::nullopt;
    }
    if (!repeated && !value.as<ast::ListComp>() && !(written && !written->elts.empty())) return std::nullopt;
    bool need_array = false;
    if (!has_uses_of_items(function, name, 0, &need_array) || (written && !need_array)) return std::nullopt;
    if (repeated) return ListArray{"numpy.full", {repeated->count, repeated->item}, 2};
    return ListArray{"numpy.array", {&value}};
}

}  // namespace pyk
