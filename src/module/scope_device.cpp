// Arrays of the device that kernels capture: `d_table = cuda.to_device(table)`. A kernel reads the array itself, so
// its elements are constants where they are known when it is made and nothing in the file may write to it.
#include <algorithm>
#include <set>
#include <utility>

#include "module/decorators.h"
#include "module/free_names.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

/// Whether a function of the module's copies an array to the device.
bool is_copied_by(std::string_view path) {
    static constexpr std::string_view kCopies[] = {"cuda.to_device", "cupy.asarray", "cupy.array",
                                                   "cupy.ascontiguousarray"};
    return std::ranges::find(kCopies, path) != std::end(kCopies);
}

/// What a call copies there; nullopt: no elements that are known.
std::optional<Const> elements_of(const ModuleScope& scope, const ast::Call& call, std::string_view path) {
    const ast::Expr* dtype = nullptr;
    for (const ast::Keyword& keyword : call.keywords) {
        if (keyword.arg != "dtype" || path == "cuda.to_device") return std::nullopt;
        dtype = keyword.value;
    }
    if (call.args.empty() || (call.args.size() > 1 && path != "cuda.to_device")) return std::nullopt;
    const auto given = scope.constant(*call.args[0]);
    const bool is_array = given && given->as<Const::Array>();
    if (!given || (!is_array && path == "cuda.to_device")) return std::nullopt;
    const Const::Array array = array_of(*given);
    if (!array || !dtype) return array ? std::optional(Const{array, {}}) : std::nullopt;
    const auto type = dtype_of(scope, *dtype);
    auto converted = type ? astype(*array, *type) : std::nullopt;
    if (!converted) return std::nullopt;
    return Const{std::make_shared<const ConstArray>(std::move(*converted)), {}};
}

/// Looks for what may write to an array that a name stands for.
class Writer {
  public:
    Writer(const ModuleScope& scope, std::string_view name, size_t axes) : scope_(scope), name_(name), axes_(axes) {}

    void block(const ast::Block& body) {
        for (const ast::Stmt* stmt : body) statement(*stmt);
    }
    /// Null: nothing does.
    const ast::Expr* found() const { return found_; }

  private:
    bool is_it(const ast::Expr& expr) const {
        const auto* name = expr.as<ast::Name>();
        return name && name->id == name_;
    }
    void maybe(ast::ExprRef expr) {
        if (expr) look(*expr);
    }
    void fails(const ast::Expr& at) {
        if (!found_) found_ = &at;
    }

    void statement(const ast::Stmt& stmt) {
        if (const auto* node = stmt.as<ast::FunctionDef>()) return function(*node);
        if (const auto* node = stmt.as<ast::ClassDef>()) return block(node->body);
        if (const auto* node = stmt.as<ast::Assign>()) {
            // Of `a = b = …` another name has it too.
            const bool is_given = std::ranges::any_of(node->targets, [&](const ast::Expr* e) { return is_it(*e); });
            if (is_given && node->targets.size() > 1) fails(*node->targets[0]);
            for (const ast::Expr* target : node->targets) stored(*target);
            return look(*node->value);
        }
        if (const auto* node = stmt.as<ast::AugAssign>()) {
            if (is_it(*node->target)) fails(*node->target);
            stored(*node->target);
            return look(*node->value);
        }
        if (const auto* node = stmt.as<ast::AnnAssign>()) return stored(*node->target), maybe(node->value);
        if (const auto* node = stmt.as<ast::Delete>())
            for (const ast::Expr* target : node->targets) stored(*target);
        if (const auto* node = stmt.as<ast::For>()) {
            stored(*node->target);
            if (!is_it(*node->iter) || axes_ > 1) look(*node->iter);
        }
        if (const auto* node = stmt.as<ast::While>()) look(*node->test);
        if (const auto* node = stmt.as<ast::If>()) look(*node->test);
        if (const auto* node = stmt.as<ast::Return>()) maybe(node->value);
        if (const auto* node = stmt.as<ast::ExprStmt>()) look(*node->value);
        if (const auto* node = stmt.as<ast::Raise>()) maybe(node->exc);
        if (const auto* node = stmt.as<ast::Assert>()) look(*node->test);
        if (const auto* node = stmt.as<ast::Match>()) look(*node->subject);
        if (const auto* node = stmt.as<ast::With>())
            for (const ast::WithItem& item : node->items) look(*item.context_expr);
        for_each_block(stmt, [&](const ast::Block& inner) { block(inner); });
    }

    void function(const ast::FunctionDef& def) {
        for (const ast::Expr* value : def.args->defaults) maybe(value);
        for (const ast::Expr* value : def.args->kw_defaults) maybe(value);
        bool is_another = false;
        for_each_parameter(*def.args, [&](const ast::Arg& arg) { is_another = is_another || arg.arg == name_; });
        if (is_another) return;
        const bool outer = std::exchange(is_compiled_, is_compiled_ || is_compiled(def));
        block(def.body);
        is_compiled_ = outer;
    }

    bool is_compiled(const ast::FunctionDef& def) const {
        return std::ranges::any_of(def.decorator_list, [&](const ast::Expr* decorator) {
            const auto* call = decorator->as<ast::Call>();
            return find_decorator(scope_.path_of(call ? *call->func : *decorator)) != nullptr;
        });
    }

    void stored(const ast::Expr& target) {
        if (is_it(target)) return;
        if (const auto* tuple = target.as<ast::Tuple>())
            for (const ast::Expr* one : tuple->elts) stored(*one);
        if (const ast::Expr* root = root_of(target); root && is_it(*root)) return fails(target);
        if (const auto* item = target.as<ast::Subscript>()) look(*item->slice);
    }

    /// In what is compiled it is a readonly array, whose views and other names are as well: a store into one is found
    /// there.
    void look(const ast::Expr& expr) {
        if (is_it(expr)) return is_compiled_ ? void() : fails(expr);
        if (const auto* node = expr.as<ast::Attribute>(); node && is_it(*node->value)) {
            if (is_compiled_ && !changes_object(node->attr)) return;
            static constexpr std::string_view kOfItself[] = {"shape",  "size",     "ndim",   "dtype",
                                                             "nbytes", "itemsize", "strides"};
            if (std::ranges::find(kOfItself, node->attr) == std::end(kOfItself)) fails(expr);
            return;
        }
        if (expr.as<ast::Subscript>() && item(expr)) return;
        if (const auto* node = expr.as<ast::Call>()) return called(*node);
        if (const auto* node = expr.as<ast::Lambda>()) return look(*node->body);
        // What has the array holds it.
        const bool is_display = expr.as<ast::Dict>() || expr.as<ast::ListComp>() || expr.as<ast::Set>() ||
                                expr.as<ast::SetComp>() || expr.as<ast::DictComp>() || expr.as<ast::GeneratorExp>();
        if (is_display)
            for_each_name(expr, [&](std::string_view name) {
                if (name == name_) fails(expr);
            });
        for_each_child(expr, [&](const ast::Expr& child) { look(child); });
    }

    /// `table[i]`, `table[i][j]`: an element, and no view.
    bool item(const ast::Expr& expr) {
        size_t indices = 0;
        std::vector<const ast::Expr*> inside;
        const ast::Expr* at = &expr;
        for (const ast::Subscript* node = expr.as<ast::Subscript>(); node; node = at->as<ast::Subscript>()) {
            const auto* tuple = node->slice->as<ast::Tuple>();
            const ast::Expr* alone[] = {node->slice};
            for (const ast::Expr* index : tuple ? tuple->elts : ast::ExprList(alone)) {
                if (index->as<ast::Slice>() || index->as<ast::Starred>()) return false;
                inside.push_back(index);
                ++indices;
            }
            at = node->value;
        }
        if (!is_it(*at) || indices != axes_) return false;
        for (const ast::Expr* index : inside) look(*index);
        return true;
    }

    void called(const ast::Call& call) {
        const auto* method = call.func->as<ast::Attribute>();
        const bool copies = method && is_it(*method->value) && method->attr == "copy_to_host";
        if (!copies) look(*call.func);
        const auto* plain = call.func->as<ast::Name>();
        const bool only_reads = plain && (plain->id == "len" || plain->id == "print");
        for (size_t i = 0; i < call.args.size(); ++i)
            if (!is_it(*call.args[i]))
                look(*call.args[i]);
            else if (!only_reads && !is_read_by(call, i))
                fails(*call.args[i]);
        for (const ast::Keyword& keyword : call.keywords) look(*keyword.value);
    }

    /// Whether what is called, or launched, only reads an argument.
    bool is_read_by(const ast::Call& call, size_t at) {
        const auto* launch = call.func->as<ast::Subscript>();
        const FunctionInfo* info = function_in(scope_.evaluate(launch ? *launch->value : *call.func));
        if (!info && is_compiled_) return !scope_.path_of(*call.func).starts_with("cuda.atomic.");
        if (!info || !seen_.insert({info->def, at}).second) return info != nullptr;
        const auto& params = info->def->args->args;
        if (at >= params.size() || !info->def->args->posonlyargs.empty()) return false;
        Writer inside(*info->scope, params[at].arg, axes_);
        inside.seen_ = seen_;
        inside.block(info->def->body);
        return !inside.found();
    }

    const ModuleScope& scope_;
    std::string_view name_;
    size_t axes_;
    bool is_compiled_ = false;  ///< what is looked at: a kernel, or another function of Numba's
    const ast::Expr* found_ = nullptr;
    std::set<std::pair<const ast::FunctionDef*, size_t>> seen_;  ///< functions that get it, and as what
};

}  // namespace

bool ModuleScope::Shared::copies_to_device(const ModuleScope& scope, const ast::Expr& value) {
    const auto* call = value.as<ast::Call>();
    return call && is_copied_by(scope.path_of(*call->func));
}

const ModuleScope::Shared::DeviceTable* ModuleScope::Shared::device_table_of(const ModuleScope& scope,
                                                                             std::string_view name) {
    const ModuleScope* of = &scope;
    while (of && !of->is_declared(name) && !of->bindings_.contains(name)) of = of->parent_;
    const Declaration* declared = of ? of->declaration(name) : nullptr;
    const auto* variable = declared ? declared->as<Variable>() : nullptr;
    // Of an imported file anybody may have the array.
    const ModuleScope* file = of;
    while (file && file->parent_) file = file->parent_;
    if (!variable || !variable->value || !variable->items.empty() || !file->owned_) return nullptr;
    const auto [slot, is_new] = scope.shared_->device_tables.try_emplace(declared);
    DeviceTable& table = slot->second;
    if (!is_new) return &table;
    const Then then(*of, declared->at);
    const auto* call = variable->value->as<ast::Call>();
    const std::string path = call ? of->path_of(*call->func) : std::string();
    const auto elements = is_copied_by(path) ? elements_of(*of, *call, path) : std::nullopt;
    if (!elements) return &table;
    const Then all(*of, SIZE_MAX);  // what writes to it may stand below
    Writer writer(*of, name, (*elements->as<Const::Array>())->table.shape.size());
    writer.block(of->file_->body);
    table.writer = writer.found();
    if (!table.writer) table.value = NamedConst{std::string(name), *elements, variable->span};
    return &table;
}

std::optional<Entity> ModuleScope::device_table(std::string_view name) const {
    const Shared::DeviceTable* table = Shared::device_table_of(*this, name);
    return table ? table->value : std::nullopt;
}

}  // namespace pyk
