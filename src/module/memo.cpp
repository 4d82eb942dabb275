#include "module/memo.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "module/free_names.h"
#include "support/words.h"

namespace pyk {
namespace {

bool names(const ast::Expr& expr, std::string_view name) {
    const auto* plain = expr.as<ast::Name>();
    return plain && plain->id == name;
}

/// How often a name stands in a block, how often as a memo's dict, and by which key.
class Uses {
  public:
    Uses(const ast::Block& body, std::string_view name) : name_(name) {
        for_each_expression(body, [&](const ast::Expr& expr) { look(expr); });
    }

    size_t all = 0, as_memo = 0;
    std::optional<std::string_view> key;
    bool has_one_key = true;

  private:
    void by(const ast::Expr& expr) {
        ++as_memo;
        const std::string_view text = expr.span.text();
        has_one_key = has_one_key && (!key || *key == text);
        key = text;
    }

    void look(const ast::Expr& expr) {
        if (names(expr, name_)) ++all;
        if (const auto* node = expr.as<ast::Compare>(); node && node->ops.size() == 1)
            if (const bool asks = node->ops[0] == ast::CompareOp::In || node->ops[0] == ast::CompareOp::NotIn;
                asks && names(*node->comparators[0], name_))
                by(*node->left);
        if (const auto* node = expr.as<ast::Subscript>(); node && names(*node->value, name_)) by(*node->slice);
        const auto* call = expr.as<ast::Call>();
        const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
        if (method && names(*method->value, name_) && (method->attr == "get" || method->attr == "setdefault") &&
            !call->args.empty())
            by(*call->args[0]);
        for_each_host_child(expr, [&](const ast::Expr& child) { look(child); });
    }

    std::string_view name_;
};

/// What a variable of the function gets, where that is one value.
std::string_view value_of(const ast::FunctionDef& function, std::string_view name) {
    std::string_view found;
    for (const ast::Stmt* stmt : function.body)
        if (const auto* assigned = stmt->as<ast::Assign>(); assigned && assigned->targets.size() == 1)
            if (names(*assigned->targets[0], name)) found = found.empty() ? assigned->value->span.text() : name;
    return found;
}

/// Whether all that the function returns is an item of the dict, or what became one; and that was made without the
/// dict: `c[n] = c.get(n, 0) + 1` counts calls.
class Results {
  public:
    Results(const ast::Block& body, std::string_view name) : name_(name) {
        stores(body);
        returns(body);
    }

    bool are_items = true, has_some = false;

  private:
    bool is_item(const ast::Expr& expr) const {
        const auto* subscript = expr.as<ast::Subscript>();
        const auto* call = expr.as<ast::Call>();
        const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
        return (subscript && names(*subscript->value, name_)) || (method && names(*method->value, name_));
    }
    bool mentions(const ast::Expr& expr) const {
        bool found = names(expr, name_);
        for_each_host_child(expr, [&](const ast::Expr& child) { found = found || mentions(child); });
        return found;
    }

    void stores(const ast::Block& body) {
        for_each_stmt(body, [&](const ast::Stmt& stmt) {
            if (const auto* node = stmt.as<ast::AugAssign>()) are_items = are_items && !is_item(*node->target);
            const auto* assigned = stmt.as<ast::Assign>();
            const auto is_stored = [&](const ast::Expr* target) { return is_item(*target); };
            if (!assigned || std::ranges::none_of(assigned->targets, is_stored)) return;
            are_items = are_items && !mentions(*assigned->value);
            if (const auto* value = assigned->value->as<ast::Name>()) stored_.push_back(value->id);
            for (const ast::Expr* target : assigned->targets)  // `kernel = cache[n] = make(n)`
                if (const auto* other = target->as<ast::Name>()) stored_.push_back(other->id);
        });
    }
    void returns(const ast::Block& body) {
        for_each_stmt(body, [&](const ast::Stmt& stmt) {
            const auto* returned = stmt.as<ast::Return>();
            if (!returned) return;
            const auto* value = returned->value ? returned->value->as<ast::Name>() : nullptr;
            const bool is_stored = value && std::ranges::find(stored_, value->id) != stored_.end();
            has_some = true;
            are_items = are_items && (is_stored || (returned->value && is_item(*returned->value)));
        });
    }

    std::string_view name_;
    std::vector<std::string_view> stored_;
};

bool is_empty_dict(const ast::Expr& expr) {
    const auto* dict = expr.as<ast::Dict>();
    const auto* call = expr.as<ast::Call>();
    return (dict && dict->keys.empty()) ||
           (call && names(*call->func, "dict") && call->args.empty() && call->keywords.empty());
}

}  // namespace

bool is_memo(const ast::FunctionDef& function, std::string_view name) {
    const Uses uses(function.body, name);
    if (!uses.key || !uses.has_one_key || uses.all != uses.as_memo) return false;
    const Results results(function.body, name);
    if (!results.are_items || !results.has_some) return false;
    const std::string_view made = value_of(function, *uses.key);
    const std::string_view key = made.empty() ? *uses.key : made;
    bool has_all = true;
    for_each_parameter(*function.args, [&](const ast::Arg& arg) {
        has_all = has_all && (arg.arg == name || has_word(key, arg.arg, is_of_name));
    });
    return has_all;
}

bool is_memo_of(const ast::FunctionDef& function, const ast::FunctionDef& around, std::string_view name) {
    size_t made = 0;
    for (const ast::Stmt* stmt : around.body)
        if (const auto* assigned = stmt->as<ast::Assign>(); assigned && assigned->targets.size() == 1)
            made += names(*assigned->targets[0], name) && is_empty_dict(*assigned->value);
    return made == 1 && is_memo(function, name) && Uses(around.body, name).all == Uses(function.body, name).all + 1;
}

}  // namespace pyk
