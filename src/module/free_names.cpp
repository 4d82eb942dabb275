#include "module/free_names.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "builtins/builtins.h"
#include "module/scope.h"

namespace pyk {

namespace {

using Visit = FunctionRef<void(const ast::Expr&)>;

void maybe(ast::ExprRef expr, Visit visit) {
    if (expr) visit(*expr);
}
void all(ast::ExprList exprs, Visit visit) {
    for (const ast::Expr* expr : exprs) maybe(expr, visit);
}
void all(ast::List<ast::Comprehension> generators, Visit visit) {
    for (const ast::Comprehension& one : generators) visit(*one.iter), all(one.ifs, visit);
}
void all(ast::List<ast::Keyword> keywords, Visit visit) {
    for (const ast::Keyword& keyword : keywords) visit(*keyword.value);
}

// clang-format off
void children(const ast::BoolOp& n, Visit visit)       { all(n.values, visit); }
void children(const ast::NamedExpr& n, Visit visit)    { visit(*n.target), visit(*n.value); }
void children(const ast::BinOp& n, Visit visit)        { visit(*n.left), visit(*n.right); }
void children(const ast::Unary& n, Visit visit)        { visit(*n.operand); }
void children(const ast::Lambda& n, Visit visit)       { all(n.args->defaults, visit), all(n.args->kw_defaults, visit); }
void children(const ast::IfExp& n, Visit visit)        { visit(*n.test), visit(*n.body), visit(*n.orelse); }
void children(const ast::Dict& n, Visit visit)         { all(n.keys, visit), all(n.values, visit); }
void children(const ast::Set& n, Visit visit)          { all(n.elts, visit); }
void children(const ast::ListComp& n, Visit visit)     { visit(*n.elt), all(n.generators, visit); }
void children(const ast::SetComp& n, Visit visit)      { visit(*n.elt), all(n.generators, visit); }
void children(const ast::DictComp& n, Visit visit)     { visit(*n.key), visit(*n.value), all(n.generators, visit); }
void children(const ast::GeneratorExp& n, Visit visit) { visit(*n.elt), all(n.generators, visit); }
void children(const ast::Await& n, Visit visit)        { visit(*n.value); }
void children(const ast::Yield& n, Visit visit)        { maybe(n.value, visit); }
void children(const ast::YieldFrom& n, Visit visit)    { visit(*n.value); }
void children(const ast::Compare& n, Visit visit)      { visit(*n.left), all(n.comparators, visit); }
void children(const ast::Call& n, Visit visit)         { visit(*n.func), all(n.args, visit), all(n.keywords, visit); }
void children(const ast::JoinedStr& n, Visit visit)    { all(n.values, visit); }
void children(const ast::FormattedValue& n, Visit visit) { visit(*n.value), maybe(n.format_spec, visit); }
void children(const ast::Constant&, Visit)             {}
void children(const ast::Attribute& n, Visit visit)    { visit(*n.value); }
void children(const ast::Subscript& n, Visit visit)    { visit(*n.value), visit(*n.slice); }
void children(const ast::Starred& n, Visit visit)      { visit(*n.value); }
void children(const ast::Name&, Visit)                 {}
void children(const ast::ListExpr& n, Visit visit)     { all(n.elts, visit); }
void children(const ast::Tuple& n, Visit visit)        { all(n.elts, visit); }
void children(const ast::Slice& n, Visit visit)        { maybe(n.lower, visit), maybe(n.upper, visit), maybe(n.step, visit); }
void children(const ast::IsSequence& n, Visit visit)   { visit(*n.value); }
// clang-format on

}  // namespace

bool is_for_host(const ast::Expr& expr) {
    return expr.as<ast::ListComp>() || expr.as<ast::SetComp>() || expr.as<ast::DictComp>() ||
           expr.as<ast::GeneratorExp>() || expr.as<ast::Dict>() || expr.as<ast::Set>();
}

void for_each_child(const ast::Expr& expr, Visit visit) {
    if (!is_for_host(expr)) for_each_host_child(expr, visit);
}

void for_each_host_child(const ast::Expr& expr, Visit visit) {
    std::visit([&](const auto& node) { children(node, visit); }, expr.node);
}

void for_each_block(const ast::Stmt& stmt, FunctionRef<void(const ast::Block&)> visit) {
    if (const auto* node = stmt.as<ast::If>()) visit(node->body), visit(node->orelse);
    if (const auto* node = stmt.as<ast::For>()) visit(node->body), visit(node->orelse);
    if (const auto* node = stmt.as<ast::While>()) visit(node->body), visit(node->orelse);
    if (const auto* node = stmt.as<ast::Match>()) visit(node->meaning);
    if (const auto* node = stmt.as<ast::With>()) visit(node->body);
    if (const auto* node = stmt.as<ast::Try>()) {
        visit(node->body), visit(node->orelse), visit(node->finalbody);
        for (const ast::ExceptHandler& handler : node->handlers) visit(handler.body);
    }
}

void for_each_computed(const ast::Stmt& stmt, FunctionRef<void(const ast::Expr&)> visit) {
    const auto maybe = [&](ast::ExprRef expr) {
        if (expr) visit(*expr);
    };
    if (const auto* node = stmt.as<ast::Return>()) maybe(node->value);
    if (const auto* node = stmt.as<ast::Assign>()) maybe(node->value);
    if (const auto* node = stmt.as<ast::AugAssign>()) maybe(node->value);
    if (const auto* node = stmt.as<ast::AnnAssign>()) maybe(node->value);
    if (const auto* node = stmt.as<ast::For>()) maybe(node->iter);
    if (const auto* node = stmt.as<ast::While>()) maybe(node->test);
    if (const auto* node = stmt.as<ast::If>()) maybe(node->test);
    if (const auto* node = stmt.as<ast::With>())
        for (const ast::WithItem& item : node->items) maybe(item.context_expr);
    if (const auto* node = stmt.as<ast::Raise>()) maybe(node->exc);
    if (const auto* node = stmt.as<ast::Assert>()) maybe(node->test);
    if (const auto* node = stmt.as<ast::ExprStmt>()) maybe(node->value);
}

void for_each_expression(const ast::Block& body, FunctionRef<void(const ast::Expr&)> visit) {
    const auto each = [&](ast::ExprList exprs) {
        for (const ast::Expr* expr : exprs)
            if (expr) visit(*expr);
    };
    const auto inside = [&](const ast::Block& block) { for_each_expression(block, visit); };
    for (const ast::Stmt* stmt : body) {
        if (const auto* node = stmt->as<ast::FunctionDef>()) {
            each(node->decorator_list), each(node->args->defaults), each(node->args->kw_defaults);
            inside(node->body);
        }
        if (const auto* node = stmt->as<ast::ClassDef>()) each(node->bases), inside(node->body);
        if (const auto* node = stmt->as<ast::Delete>()) each(node->targets);
        if (const auto* node = stmt->as<ast::Assign>()) each(node->targets);
        if (const auto* node = stmt->as<ast::AugAssign>()) visit(*node->target);
        if (const auto* node = stmt->as<ast::AnnAssign>()) visit(*node->target);
        if (const auto* node = stmt->as<ast::For>()) visit(*node->target);
        for_each_computed(*stmt, visit);
        for_each_block(*stmt, inside);
    }
}

void for_each_stmt(const ast::Block& body, FunctionRef<void(const ast::Stmt&)> visit) {
    for (const ast::Stmt* stmt : body) {
        visit(*stmt);
        for_each_block(*stmt, [&](const ast::Block& inner) { for_each_stmt(inner, visit); });
    }
}

void for_each_parameter(const ast::Arguments& args, FunctionRef<void(const ast::Arg&)> visit) {
    for (const auto* list : {&args.posonlyargs, &args.args, &args.kwonlyargs})
        for (const ast::Arg& arg : *list) visit(arg);
    if (args.vararg) visit(*args.vararg);
}

void for_each_place(const ast::Expr& target, FunctionRef<void(const ast::Expr&)> visit) {
    if (const auto* tuple = target.as<ast::Tuple>())
        for (const ast::Expr* element : tuple->elts) for_each_place(*element, visit);
    else if (const auto* list = target.as<ast::ListExpr>())
        for (const ast::Expr* element : list->elts) for_each_place(*element, visit);
    else if (const auto* starred = target.as<ast::Starred>())
        for_each_place(*starred->value, visit);
    else
        visit(target);
}

void for_each_target(const ast::Expr& target, FunctionRef<void(std::string_view)> visit) {
    for_each_place(target, [&](const ast::Expr& place) {
        if (const auto* name = place.as<ast::Name>()) visit(name->id);
    });
}

namespace {

class FreeNames {
  public:
    std::vector<std::string_view> of(const ast::Arguments& args, FunctionRef<void()> body) {
        for_each_parameter(args, [&](const ast::Arg& arg) { own_.insert(arg.arg); });
        body();
        std::erase_if(used, [&](std::string_view name) { return own_.contains(name); });
        return std::move(used);
    }

    void block(const ast::Block& body) {
        for (const ast::Stmt* stmt : body) statement(*stmt);
    }

    void expression(const ast::Expr& expr) {
        if (const auto* name = expr.as<ast::Name>()) use(name->id);
        if (const auto* named = expr.as<ast::NamedExpr>()) target(*named->target);
        if (const auto* lambda = expr.as<ast::Lambda>())
            for (const std::string_view name : free_names(*lambda)) use(name);
        if (const auto* comprehension = expr.as<ast::ListComp>())
            for (const std::string_view name : free_names(*comprehension)) use(name);
        for_each_child(expr, [&](const ast::Expr& child) { expression(child); });
    }

    std::vector<std::string_view> used;

  private:
    void use(std::string_view name) {
        if (std::ranges::find(used, name) == used.end()) used.push_back(name);
    }

    void target(const ast::Expr& expr) {
        for_each_place(expr, [&](const ast::Expr& place) {
            if (const auto* name = place.as<ast::Name>())
                own_.insert(name->id);
            else
                expression(place);
        });
    }

    void statement(const ast::Stmt& stmt) {
        const auto maybe = [&](ast::ExprRef expr) {
            if (expr) expression(*expr);
        };
        for_each_computed(stmt, [&](const ast::Expr& expr) { expression(expr); });
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* one : node->targets) target(*one);
        if (const auto* node = stmt.as<ast::AugAssign>()) target(*node->target);
        if (const auto* node = stmt.as<ast::AnnAssign>()) target(*node->target);
        if (const auto* node = stmt.as<ast::For>()) target(*node->target);
        if (const auto* node = stmt.as<ast::Assert>()) maybe(node->msg);
        if (const auto* node = stmt.as<ast::With>())
            for (const ast::WithItem& item : node->items)
                if (item.optional_vars) target(*item.optional_vars);
        if (const auto* node = stmt.as<ast::Try>())
            for (const ast::ExceptHandler& handler : node->handlers) own_.insert(handler.name);
        if (const auto* node = stmt.as<ast::FunctionDef>()) {
            own_.insert(node->name);
            for (const ast::Expr* expr : node->args->defaults) maybe(expr);
            for (const ast::Expr* expr : node->args->kw_defaults) maybe(expr);
            for (const std::string_view name : free_names(*node)) use(name);
        }
        for_each_block(stmt, [&](const ast::Block& inner) { block(inner); });
    }

    std::set<std::string_view> own_;
};

}  // namespace

std::vector<std::string_view> free_names(const ast::FunctionDef& def) {
    FreeNames names;
    return names.of(*def.args, [&] { names.block(def.body); });
}

std::vector<std::string_view> free_names(const ast::Lambda& lambda) {
    FreeNames names;
    return names.of(*lambda.args, [&] { names.expression(*lambda.body); });
}

// What the first generator runs over is of the scope outside.
std::vector<std::string_view> free_names(const ast::ListComp& comprehension) {
    FreeNames inside, outside;
    std::set<std::string_view> own;
    outside.expression(*comprehension.generators[0].iter);
    inside.expression(*comprehension.elt);
    for (const ast::Comprehension& one : comprehension.generators) {
        for_each_target(*one.target, [&](std::string_view name) { own.insert(name); });
        if (&one != &comprehension.generators[0]) inside.expression(*one.iter);
        for (const ast::Expr* test : one.ifs) inside.expression(*test);
    }
    std::vector<std::string_view> names = std::move(outside.used);
    for (const std::string_view name : inside.used)
        if (!own.contains(name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

bool changes_object(std::string_view method) {
    static constexpr std::string_view kChanges[] = {
        "fill",     "sort",     "partition",   "put",         "itemset",    "resize",  "append",     "extend",
        "insert",   "pop",      "remove",      "reverse",     "update",     "clear",   "setdefault", "popitem",
        "add",      "discard",  "popleft",     "appendleft",  "extendleft", "rotate",  "setflags",   "move_to_end",
        "subtract", "byteswap", "__setitem__", "__delitem__", "__iadd__",   "__imul__"};
    return std::ranges::find(kChanges, method) != std::end(kChanges);
}

const ast::Call* filled_item(const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    const auto* item = method && changes_object(method->attr) ? method->value->as<ast::Call>() : nullptr;
    const auto* of = item ? item->func->as<ast::Attribute>() : nullptr;
    return of && of->attr == "setdefault" && item->args.size() == 2 ? item : nullptr;
}

const ast::Expr* taken_by_next(const ast::Call& call) {
    const auto* name = call.func->as<ast::Name>();
    return name && name->id == "next" && !call.args.empty() ? call.args[0] : nullptr;
}

namespace {

/// How many inputs a function of NumPy's has in front of what it writes to; nullopt: it takes no such thing.
std::optional<size_t> inputs_before_output(std::string_view function) {
    using Others = std::pair<std::string_view, size_t>;
    static constexpr Others kOthers[] = {{"clip", 3}, {"round", 2}, {"around", 2}, {"dot", 2}, {"matmul", 2}};
    const auto other = std::ranges::find(kOthers, function, &Others::first);
    if (other != std::end(kOthers)) return other->second;
    const Builtin* ufunc = find_builtin("np." + std::string(function));
    if (!ufunc || ufunc->special != Special::ufunc) return std::nullopt;
    return static_cast<size_t>(arity(*ufunc).second);
}

/// `np.exp(a, a)`
const ast::Expr* output_behind_inputs(const ast::Call& call, std::string_view function) {
    const auto inputs = call.args.size() > 1 ? inputs_before_output(function) : std::nullopt;
    return inputs && call.args.size() > *inputs ? call.args[*inputs] : nullptr;
}

}  // namespace

// What a function writes to that is called for that: `np.fill_diagonal(a, 1)`, `np.add(a, b, out=c)`.
const ast::Expr* changed_argument(const ast::Call& call) {
    static constexpr std::string_view kChanges[] = {
        "fill_diagonal", "put",     "put_along_axis", "copyto",  "place", "putmask", "shuffle", "at",
        "setitem",       "delitem", "iadd",           "iconcat", "imul"};
    static constexpr std::string_view kOfLists[] = {"insort",  "insort_left", "insort_right", "heapify",
                                                    "heappop", "heappush",    "heapreplace",  "heappushpop"};
    for (const ast::Keyword& keyword : call.keywords)
        if (keyword.arg == "out") return keyword.value;
    if (const ast::Expr* iterator = taken_by_next(call)) return iterator;
    if (std::ranges::find(kOfLists, last_name(*call.func)) != std::end(kOfLists) && !call.args.empty())
        return call.args[0];
    const auto* function = call.func->as<ast::Attribute>();
    if (!function) return nullptr;
    const bool changes = std::ranges::find(kChanges, function->attr) != std::end(kChanges);
    if (changes) return call.args.empty() ? nullptr : call.args[0];
    return function->value->as<ast::Name>() ? output_behind_inputs(call, function->attr) : nullptr;
}

namespace {

class ChangedNames {
  public:
    void statement(const ast::Stmt& stmt, bool in_loop) {
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* one : node->targets) target(*one, in_loop);
        if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) target(*node->target, in_loop);
        if (const auto* node = stmt.as<ast::AugAssign>()) object(*node->target);
        if (const auto* node = stmt.as<ast::Delete>())
            for (const ast::Expr* one : node->targets) target(*one, true);
        if (const auto* node = stmt.as<ast::For>()) target(*node->target, true);
        if (const auto* node = stmt.as<ast::ExprStmt>()) called(*node->value);
        if (!in_loop && !stmt.as<ast::For>() && !stmt.as<ast::While>()) return;
        for_each_computed(stmt, [&](const ast::Expr& expr) { inside(expr); });
        const auto inside = [&](const ast::Block& block) {
            for (const ast::Stmt* inner : block) statement(*inner, true);
        };
        for_each_block(stmt, inside);
    }

    std::vector<std::pair<std::string_view, const ast::Expr*>> found;
    std::set<std::string_view> in_place;

  private:
    /// `of_object`: what the name has changes; else it gets another value.
    void add(const ast::Expr& name, bool of_object) {
        const std::string_view id = name.as<ast::Name>()->id;
        if (of_object) in_place.insert(id);
        if (std::ranges::find(found, id, &std::pair<std::string_view, const ast::Expr*>::first) == found.end())
            found.emplace_back(id, &name);
    }

    /// `names`: also a name by itself.
    void target(const ast::Expr& expr, bool names, bool of_object = false) {
        if (expr.as<ast::Name>() && names) add(expr, of_object);
        if (const auto* tuple = expr.as<ast::Tuple>())
            for (const ast::Expr* element : tuple->elts) target(*element, names, of_object);
        if (const auto* list = expr.as<ast::ListExpr>())
            for (const ast::Expr* element : list->elts) target(*element, names, of_object);
        if (const auto* starred = expr.as<ast::Starred>()) target(*starred->value, names, of_object);
        if (const auto* subscript = expr.as<ast::Subscript>()) object(*subscript->value);
        if (const auto* attribute = expr.as<ast::Attribute>()) object(*attribute->value);
        if (const auto* choice = expr.as<ast::IfExp>()) object(*choice->body), object(*choice->orelse);
        // `values.get(3).append(x)`: what a call gives may be of what it is given.
        if (const auto* call = expr.as<ast::Call>()) {
            if (const auto* method = call->func->as<ast::Attribute>()) object(*method->value);
            for (const ast::Expr* arg : call->args) object(*arg);
        }
    }
    void object(const ast::Expr& expr) { target(expr, true, true); }

    // `(n := f(x))`.
    void inside(const ast::Expr& expr) {
        if (const auto* node = expr.as<ast::NamedExpr>()) target(*node->target, true);
        for_each_host_child(expr, [&](const ast::Expr& child) { inside(child); });
    }

    // `values.append(x)`.
    void called(const ast::Expr& expr) {
        const auto* call = expr.as<ast::Call>();
        if (const ast::Call* item = call ? filled_item(*call) : nullptr) call = item;
        const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
        if (method && changes_object(method->attr)) object(*method->value);
        if (call)
            if (const ast::Expr* changed = changed_argument(*call)) object(*changed);
    }
};

}  // namespace

std::vector<std::pair<std::string_view, const ast::Expr*>> changed_names(const ast::Stmt& stmt) {
    ChangedNames names;
    names.statement(stmt, false);
    return std::move(names.found);
}

std::set<std::string_view> changed_in_place(const ast::Stmt& stmt) {
    ChangedNames names;
    names.statement(stmt, false);
    return std::move(names.in_place);
}

}  // namespace pyk
