#include "sema/sharing.h"

#include <algorithm>

#include "sema/scope.h"
#include "sema/scope_shared.h"

namespace pyk {
namespace {

/// Functions of Python's, and methods, whose result has objects of their arguments; NumPy's: see kViews.
constexpr std::string_view kKeep[] = {"list",   "tuple", "dict", "sorted", "reversed", "zip",   "enumerate", "map",
                                      "filter", "iter",  "next", "copy",   "view",     "array", "max",       "min"};
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
    if (const auto* node = expr.as<ast::Name>(); node && is_ours_(node->id)) names.push_back(node->id);
    if (const auto* node = expr.as<ast::Attribute>()) add(*node->value);
    if (const auto* node = expr.as<ast::NamedExpr>()) add(*node->target), add(*node->value);
    if (const auto* node = expr.as<ast::Subscript>()) add(*node->value);
    if (const auto* node = expr.as<ast::Starred>()) add(*node->value);
    if (const auto* node = expr.as<ast::Tuple>()) add(node->elts);
    if (const auto* node = expr.as<ast::ListExpr>()) add(node->elts);
    if (const auto* node = expr.as<ast::Dict>()) add(node->values);
    if (const auto* node = expr.as<ast::BoolOp>()) add(node->values);
    if (const auto* node = expr.as<ast::BinOp>(); node && !of_arrays_) add(*node->left), add(*node->right);
    if (const auto* node = expr.as<ast::IfExp>()) add(*node->body), add(*node->orelse);
    if (const auto* node = expr.as<ast::ListComp>()) add(*node->elt), add(node->generators);
    if (const auto* node = expr.as<ast::GeneratorExp>()) add(*node->elt), add(node->generators);
    if (const auto* node = expr.as<ast::DictComp>()) add(*node->value), add(node->generators);
    if (const auto* node = expr.as<ast::Call>()) called(*node);
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
    if (method) add(*method->value);
    const std::string_view callee = last_name(*call.func);
    const bool is_class = !callee.empty() && callee[0] >= 'A' && callee[0] <= 'Z';  // as classes are named
    const bool keeps =
        method || is_class || (name && is_ours_(name->id)) || is_one_of(callee, kKeep) || is_one_of(callee, kViews);
    if (name && returning_.contains(name->id)) names.push_back(name->id);
    if (!keeps) return;
    add(call.args);
    for (const ast::Keyword& keyword : call.keywords) add(*keyword.value);
}

bool Sharing::makes_an_array(const ast::Call& call) const {
    const std::string_view name = last_name(*call.func);
    const auto is_given = [](const ast::Keyword& one) { return one.arg == "copy" || one.arg == "out"; };
    const ast::Expr* root = root_of(*call.func);
    const bool may_be_numpy = root && !is_ours_(root->as<ast::Name>()->id);
    if (is_one_of(name, kOwn)) return true;
    return may_be_numpy && !is_one_of(name, kViews) && std::ranges::none_of(call.keywords, is_given) &&
           scope_.path_of(*call.func).starts_with("numpy.");
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
