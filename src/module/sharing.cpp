#include "module/sharing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

/// Functions of Python's, and methods, whose result has objects of their arguments; NumPy's: see kViews.
constexpr std::string_view kKeep[] = {"list", "tuple",  "dict",       "sorted",  "reversed", "zip",     "enumerate",
                                      "map",  "filter", "iter",       "next",    "copy",     "view",    "array",
                                      "max",  "min",    "memoryview", "getattr", "reduce",   "partial", "vars"};
/// Methods that make arrays of their own.
constexpr std::string_view kOwn[] = {"copy",    "astype", "flatten", "sum",     "mean",   "cumsum", "dot",
                                     "round",   "clip",   "min",     "max",     "prod",   "std",    "var",
                                     "cumprod", "any",    "all",     "argsort", "argmin", "argmax", "tolist"};
/// NumPy's functions whose result may be a view of an argument, or the argument itself; the others make arrays.
constexpr std::string_view kViews[] = {
    "ix_",          "vsplit",       "unstack",      "atleast_2d",  "asfortranarray",
    "mat",          "dsplit",       "ndarray",      "atleast_3d",  "matrix_transpose",
    "flip",         "fliplr",       "swapaxes",     "trim_zeros",  "broadcast_arrays",
    "diag",         "flipud",       "moveaxis",     "as_strided",  "ascontiguousarray",
    "real",         "nditer",       "rollaxis",     "frombuffer",  "asarray_chkfinite",
    "imag",         "einsum",       "diagonal",     "array_split", "sliding_window_view",
    "ravel",        "asarray",      "asmatrix",     "expand_dims", "split",
    "require",      "transpose",    "permute_dims", "rot90",       "reshape",
    "asanyarray",   "broadcast_to", "hsplit",       "squeeze",     "atleast_1d",
    "real_if_close"};

}  // namespace

void Sharing::add(const ast::Expr& expr) {
    if (const auto* node = expr.as<ast::Name>(); node && file_.is_ours(node->id)) names.push_back(node->id);
    if (const auto* node = expr.as<ast::Attribute>()) of_class(*node->value), add(*node->value);
    if (const auto* node = expr.as<ast::NamedExpr>()) add(*node->target), add(*node->value);
    if (const auto* node = expr.as<ast::Subscript>()) add(*node->value);
    if (const auto* node = expr.as<ast::Starred>()) add(*node->value);
    if (const auto* node = expr.as<ast::Tuple>()) add(node->elts);
    if (const auto* node = expr.as<ast::ListExpr>()) add(node->elts);
    if (const auto* node = expr.as<ast::Dict>()) add(node->values);
    if (const auto* node = expr.as<ast::BoolOp>()) add(node->values);
    if (const auto* node = expr.as<ast::BinOp>(); node && (!of_arrays_ || joins_sequences(*node)))
        add(*node->left), add(*node->right);
    if (const auto* node = expr.as<ast::IfExp>()) add(*node->body), add(*node->orelse);
    if (const auto* node = expr.as<ast::ListComp>()) add(*node->elt), add(node->generators);
    if (const auto* node = expr.as<ast::GeneratorExp>()) add(*node->elt), add(node->generators);
    if (const auto* node = expr.as<ast::DictComp>()) add(*node->value), add(node->generators);
    if (const auto* node = expr.as<ast::Call>()) called(*node);
}

/// `C().table`: an array of the class.
void Sharing::of_class(const ast::Expr& object) {
    const auto* call = object.as<ast::Call>();
    const auto* name = call ? call->func->as<ast::Name>() : nullptr;
    if (name && file_.is_class(name->id)) names.push_back(name->id);
}

void Sharing::add(ast::ExprList exprs) {
    for (const ast::Expr* expr : exprs)
        if (expr) add(*expr);
}

void Sharing::add(ast::List<ast::Comprehension> generators) {
    for (const ast::Comprehension& one : generators) add(*one.iter);
}

void Sharing::called(const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    const auto* name = call.func->as<ast::Name>();
    if (method && of_arrays_ && makes_an_array(call)) return;
    if (name && of_arrays_ && file_.makes_arrays(name->id)) return;
    if (method) add(*method->value);
    const std::string_view callee = last_name(*call.func);
    const bool is_made = !method && !name;  // `(lambda q: q)(T)`, `partial(f, T)()`
    const bool is_class = !callee.empty() && callee[0] >= 'A' && callee[0] <= 'Z';  // as classes are named
    const bool keeps = method || is_made || is_class || (name && file_.is_ours(name->id)) || is_one_of(callee, kKeep) ||
                       is_one_of(callee, kViews);
    if (name && returning_.contains(name->id)) names.push_back(name->id);
    if (is_made && call.func->as<ast::Call>()) add(*call.func);
    if (!keeps) return;
    add(call.args);
    for (const ast::Keyword& keyword : call.keywords) add(*keyword.value);
}

bool Sharing::makes_an_array(const ast::Call& call) const {
    const std::string_view name = last_name(*call.func);
    const auto is_given = [](const ast::Keyword& one) { return one.arg == "copy" || one.arg == "out"; };
    const ast::Expr* root = root_of(*call.func);
    const bool may_be_numpy = root && !file_.is_ours(root->as<ast::Name>()->id);
    const auto may_share = [](const ast::Keyword& keyword) { return keyword.arg == "copy"; };
    if (is_one_of(name, kOwn)) return name != "astype" || std::ranges::none_of(call.keywords, may_share);
    return may_be_numpy && !is_one_of(name, kViews) && std::ranges::none_of(call.keywords, is_given) &&
           scope_.path_of(*call.func).starts_with("numpy.");
}

// `[a] + b`, `(a, 1) * 2`: the items are the same arrays.
bool Sharing::joins_sequences(const ast::BinOp& node) const {
    return (node.op == ast::BinaryOp::Add || node.op == ast::BinaryOp::Mult) &&
           (is_sequence(*node.left) || is_sequence(*node.right));
}

/// As far as it is written so: a name's, where it is given its value.
bool Sharing::is_sequence(const ast::Expr& expr) const {
    const auto is_written = [&](const ast::Expr& at) {
        const auto* call = at.as<ast::Call>();
        const std::string_view callee = call ? last_name(*call->func) : std::string_view();
        return at.as<ast::ListExpr>() || at.as<ast::Tuple>() || at.as<ast::ListComp>() || callee == "list" ||
               callee == "tuple";
    };
    const auto* node = expr.as<ast::BinOp>();
    const auto* name = expr.as<ast::Name>();
    const ast::Expr* given = name ? scope_.definition(name->id) : nullptr;
    return is_written(expr) || (node && joins_sequences(*node)) || (given && is_written(*given));
}

namespace {

/// What a function's variables are given, and what it returns.
class OwnArrays {
  public:
    OwnArrays(const ModuleScope& scope, const NamesOfFile& file, const ast::FunctionDef& def) : scope_(scope) {
        names_.is_ours = [this, &file](std::string_view name) {
            return variables_.contains(name) || others_.contains(name) || file.is_ours(name) || !scope_.lookup(name);
        };
        names_.is_class = file.is_class;
        names_.makes_arrays = [this, &file](std::string_view name) {
            return !variables_.contains(name) && !others_.contains(name) && file.makes_arrays(name);
        };
        for_each_parameter(*def.args, [&](const ast::Arg& arg) { others_.insert(arg.arg); });
        for (const ast::Arg* rest : {def.args->vararg, def.args->kwarg})
            if (rest) others_.insert(rest->arg);
        block(def.body);
    }

    bool are_returned() {
        for (bool is_more = true; std::exchange(is_more, false);)
            for (const auto& [name, value] : given_)
                if (!others_.contains(name) && !is_own(*value)) is_more = others_.insert(name).second;
        return is_followed_ && std::ranges::all_of(returned_, [&](const ast::Expr* value) { return is_own(*value); });
    }

  private:
    bool is_own(const ast::Expr& value) const {
        Sharing sources(scope_, names_, returning_, true);
        sources.add(value);
        return std::ranges::all_of(
            sources.names, [&](std::string_view name) { return variables_.contains(name) && !others_.contains(name); });
    }

    void block(const ast::Block& body) {
        for (const ast::Stmt* stmt : body) {
            const auto other = [&](std::string_view name) { others_.insert(name); };
            if (const auto* node = stmt->as<ast::Assign>())
                for (const ast::Expr* target : node->targets)
                    for_each_place(*target, [&](const ast::Expr& place) { give(place, *node->value); });
            if (const auto* node = stmt->as<ast::AnnAssign>(); node && node->value) give(*node->target, *node->value);
            if (const auto* node = stmt->as<ast::For>()) for_each_target(*node->target, other);
            if (const auto* node = stmt->as<ast::With>())
                for (const ast::WithItem& item : node->items)
                    if (item.optional_vars) for_each_target(*item.optional_vars, other);
            if (const auto* node = stmt->as<ast::Return>(); node && node->value) returned_.push_back(node->value);
            if (const auto* node = stmt->as<ast::ExprStmt>()) called(*node->value);
            const bool is_other = stmt->as<ast::FunctionDef>() || stmt->as<ast::ClassDef>() ||
                                  stmt->as<ast::Global>() || stmt->as<ast::Nonlocal>();
            is_followed_ = is_followed_ && !is_other;
            for_each_computed(*stmt, [&](const ast::Expr& expr) { inside(expr); });
            for_each_block(*stmt, [&](const ast::Block& inner) { block(inner); });
        }
    }

    void give(const ast::Expr& place, const ast::Expr& value) {
        const ast::Expr* root = root_of(place);
        if (root) given_.emplace(root->as<ast::Name>()->id, &value);
        if (place.as<ast::Name>()) variables_.insert(place.as<ast::Name>()->id);
    }

    /// `rows.append(row)`: what each of these has, the others may have then.
    void called(const ast::Expr& call) {
        Sharing sources(scope_, names_, returning_, true);
        sources.add(call);
        for (const std::string_view name : sources.names) given_.emplace(name, &call);
    }

    void inside(const ast::Expr& expr) {
        if (expr.as<ast::NamedExpr>() || expr.as<ast::Yield>() || expr.as<ast::YieldFrom>()) is_followed_ = false;
        for_each_host_child(expr, [&](const ast::Expr& child) { inside(child); });
    }

    const ModuleScope& scope_;
    NamesOfFile names_;
    const std::set<std::string_view> returning_;  ///< none: what other functions return is asked of `names_`
    std::multimap<std::string_view, const ast::Expr*> given_;
    std::set<std::string_view> variables_;
    std::set<std::string_view> others_;  ///< names whose arrays may be others' too
    std::vector<const ast::Expr*> returned_;
    bool is_followed_ = true;
};

}  // namespace

bool returns_own_arrays(const ModuleScope& scope, const NamesOfFile& file, const ast::FunctionDef& def) {
    return OwnArrays(scope, file, def).are_returned();
}

bool is_one_of(std::string_view name, std::span<const std::string_view> all) {
    return std::ranges::find(all, name) != all.end();
}

void add_targets(const ast::Expr& target, std::vector<std::string_view>& names) {
    if (const ast::Expr* root = root_of(target)) names.push_back(root->as<ast::Name>()->id);
    const auto* tuple = target.as<ast::Tuple>();
    const auto* list = target.as<ast::ListExpr>();
    for (const ast::Expr* one : tuple ? tuple->elts : list ? list->elts : ast::ExprList()) add_targets(*one, names);
    if (const auto* starred = target.as<ast::Starred>()) add_targets(*starred->value, names);
}

bool may_see(const Const& value, const Const& changed) {
    if (is_same_object(value, changed)) return false;
    if (memory_of(value)) return memory_of(changed) != nullptr;
    const auto* dict = value.as<Const::Dict>();
    const auto* list = value.as<Const::List>();
    const auto* items = list ? &(*list)->items : dict ? &dict->values : value.as<Const::Tuple>();
    return items && std::ranges::any_of(*items, [&](const Const& item) { return may_see(item, changed); });
}

}  // namespace pyk
