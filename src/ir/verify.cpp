#include "ir/verify.h"

#include <fmt/format.h>

#include <set>

#include "ir/print.h"
#include "ir/text.h"
#include "ir/verify_expr.h"
#include "ir/walk.h"

namespace pyk::ir {
namespace {

/// As many axes and bytes as the type of an array says.
bool fits(const Table& table, Type type) {
    if (!type.is_array() || !type.readonly() || table.shape.size() != static_cast<size_t>(type.ndim())) return false;
    size_t bytes = type.element().byte_size();
    for (const int64_t extent : table.shape) bytes *= static_cast<size_t>(extent);
    return bytes == table.bytes.size();
}

class Verifier {
  public:
    explicit Verifier(const Module& module) : module_(module) {}

    std::vector<std::string> problems;

    void module();

  private:
    void report(std::string_view what) { problems.push_back(fmt::format("{}: {}", function_->symbol, what)); }
    void require(bool holds, std::string_view what) {
        if (!holds) report(what);
    }
    void function(size_t id);
    void params();
    void local(const Local& local);
    void array_storage(const Local& local);
    void assigned();
    void callees(size_t id);
    bool reaches(size_t from, size_t to);

    void block(const Block& block);
    void statement(const Stmt& stmt);
    void check(const Assign& n);
    void check(const Store& n);
    void check(const StoreField& n);
    void check(const Evaluate&) {}
    void check(const If& n);
    void check(const While& n);
    void check(const ForRange& n);
    void check(const Break&) { require(loop_depth_ > 0, "`break` outside of a loop"); }
    void check(const Continue&) { require(loop_depth_ > 0, "`continue` outside of a loop"); }
    void check(const Return& n);
    void check(const Raise& n) {
        require(!n.error.empty() || handler_depth_ > 0, "an error is raised again outside of a handler");
    }
    void check(const Try& n);
    void check(const Print& n);
    void loop(const Block& body, const Block& orelse);

    void expression(const Expr& expr);
    void condition(const Expr& expr) { require(expr.type.is_boolean(), "condition is not a boolean"); }
    void assignable(LocalId id);

    const Module& module_;
    const Function* function_ = nullptr;
    int loop_depth_ = 0;
    int handler_depth_ = 0;
    std::set<LocalId> counters_;  ///< of the loops around
};

// --- module and functions -------------------------------------------------------------------------------------------
void Verifier::module() {
    std::set<std::string_view> symbols;
    for (const ModuleConstant& constant : module_.constants)
        if (constant.table ? !fits(*constant.table, constant.type) : !represents(constant.value, constant.type))
            problems.push_back(fmt::format("constant {} does not fit its type", constant.name));
    for (size_t id = 0; id < module_.functions.size(); ++id) {
        function(id);
        require(symbols.insert(module_.functions[id].symbol).second, "symbol is not unique");
    }
}

void Verifier::function(size_t id) {
    function_ = &module_.functions[id];
    params();
    for (const Local& l : function_->locals) local(l);
    assigned();
    require(bool(function_->result), "function has no result type");
    require(!function_->is_kernel || function_->result.is_none(), "a kernel returns nothing");
    require(!function_->is_kernel || !function_->is_exported, "kernels are not called");
    callees(id);
    block(function_->body);
}

void Verifier::params() {
    size_t next = 0;
    for (LocalId id : function_->params)
        require(static_cast<size_t>(id) == next++, "parameters are not the first locals, in order");
    for (size_t id = 0; id < function_->locals.size(); ++id)
        require((function_->locals[id].storage == Storage::parameter) == (id < next),
                "storage `param` is for parameters, and only for these");
}

void Verifier::local(const Local& local) {
    require(local.type && !local.type.is_none(), fmt::format("local {} has no type", local.name));
    if (local.storage == Storage::shared || local.storage == Storage::local) return array_storage(local);
    require(local.shape.empty() && !local.alignment,
            fmt::format("only shared and local arrays have a shape: {}", local.name));
}

void Verifier::array_storage(const Local& local) {
    const bool is_array = local.type && local.type.is_array() && local.type.layout() == Layout::C;
    require(is_array && static_cast<int>(local.shape.size()) == local.type.ndim(),
            fmt::format("shape and type of array {} differ", local.name));
    for (int64_t extent : local.shape)
        require(extent > 0 || (extent == 0 && local.storage == Storage::shared && local.shape.size() == 1),
                fmt::format("array {} has no elements", local.name));
}

/// An array that is read has memory on some path.
void Verifier::assigned() {
    std::set<LocalId> given, read;
    for_each_stmt(function_->body, [&](const Stmt& stmt) {
        if (const auto* n = stmt.as<Assign>()) given.insert(n->target);
        if (const auto* n = stmt.as<ForRange>()) given.insert(n->counter);
    });
    for_each_expr_deep(function_->body, [&](const Expr& expr) {
        if (const auto* n = expr.as<LocalRef>()) read.insert(n->id);
    });
    for (const LocalId id : read) {
        if (static_cast<size_t>(id) >= function_->locals.size()) continue;
        const Local& local = function_->local(id);
        const bool is_variable = local.storage == Storage::variable || local.storage == Storage::temporary;
        require(!is_variable || !local.type.is_array() || local.maybe_unassigned || given.contains(id),
                fmt::format("{} is read and never assigned", local.name));
    }
}

bool Verifier::reaches(size_t from, size_t to) {
    std::set<size_t> seen{from};
    std::vector<size_t> open{from};
    while (!open.empty()) {
        const size_t id = open.back();
        open.pop_back();
        if (id == to) return true;
        for_each_expr_deep(module_.functions[id].body, [&](const Expr& expr) {
            const auto* call = expr.as<Call>();
            if (call && seen.insert(static_cast<size_t>(call->callee)).second)
                open.push_back(static_cast<size_t>(call->callee));
        });
    }
    return false;
}

void Verifier::callees(size_t id) {
    std::set<size_t> later;
    for_each_expr_deep(function_->body, [&](const Expr& expr) {
        const auto* call = expr.as<Call>();
        if (call && static_cast<size_t>(call->callee) > id) later.insert(static_cast<size_t>(call->callee));
    });
    for (size_t callee : later)
        require(callee < module_.functions.size() && reaches(callee, id),
                "callee stands after its caller without recursion");
}

// --- statements -----------------------------------------------------------------------------------------------------
void Verifier::block(const Block& block) {
    for (const Stmt& stmt : block) statement(stmt);
}

void Verifier::statement(const Stmt& stmt) {
    for_each_expr(stmt, [&](const Expr& expr) { expression(expr); });
    std::visit([&](const auto& node) { check(node); }, stmt.node);
}

void Verifier::assignable(LocalId id) {
    if (static_cast<size_t>(id) >= function_->locals.size()) return report("no such local");
    const Local& local = function_->local(id);
    require(local.storage != Storage::shared && local.storage != Storage::local, "a shared or local array is assigned");
    require(!counters_.contains(id), fmt::format("counter {} is assigned in its loop", local.name));
}

void Verifier::check(const Assign& n) {
    assignable(n.target);
    if (static_cast<size_t>(n.target) >= function_->locals.size()) return;
    const Type type = function_->local(n.target).type;
    if (n.value->type != type)
        report(fmt::format("{} of type {} is assigned {}", function_->local(n.target).name, type_text(type),
                           type_text(n.value->type)));
}

void Verifier::check(const Store& n) {
    if (!n.array->type.is_array()) return report("store into something that is no array");
    require(!n.array->type.readonly(), "store into a readonly array");
    verify_indices(*n.array, n.indices, [&](std::string what) { report(what); });
    require(n.value->type == n.array->type.element(), "stored value is not of the element's type");
}

void Verifier::check(const StoreField& n) {
    const Type type = n.record->type;
    if (!type.is_record() || n.field >= type.fields().size()) return report("no such field");
    require(type.fields()[n.field].shape.empty(), "a field that is an array is stored to");
    require(n.value->type == type.fields()[n.field].type, "stored value is not of the field's type");
}

void Verifier::check(const If& n) {
    condition(*n.condition);
    block(n.then);
    block(n.otherwise);
}

/// The `else` block belongs to the loop around.
void Verifier::loop(const Block& body, const Block& orelse) {
    ++loop_depth_;
    block(body);
    --loop_depth_;
    block(orelse);
}

void Verifier::check(const While& n) {
    condition(*n.condition);
    loop(n.body, n.orelse);
}

void Verifier::check(const ForRange& n) {
    assignable(n.counter);
    if (static_cast<size_t>(n.counter) >= function_->locals.size()) return;
    const Type type = function_->local(n.counter).type;
    require(type && type.is_integer(), "counter is not an integer");
    for (const ExprPtr* bound : {&n.start, &n.stop, &n.step})
        require((*bound)->type == type, "range's bounds differ from its counter in type");
    const bool added = counters_.insert(n.counter).second;
    ++loop_depth_;
    block(n.body);
    --loop_depth_;
    if (added) counters_.erase(n.counter);
    block(n.orelse);
}

void Verifier::check(const Try& n) {
    block(n.body);
    ++handler_depth_;
    block(n.handler);
    --handler_depth_;
    const Stmt* last = n.handler.empty() ? nullptr : &n.handler.back();
    require(!n.keeps_error || (last && last->as<Raise>()), "an error that is kept is not raised again");
}

void Verifier::check(const Return& n) {
    if (!n.value) return require(function_->result.is_none(), "`return` without a value");
    require(n.value->type == function_->result, "returned value is not of the result's type");
}

void Verifier::check(const Print& n) {
    for (const ExprPtr& value : n.values) {
        const Type type = value->type;
        require(type.is(Scalar::int64) || type.is(Scalar::uint64) || type.is(Scalar::float64) || type.is_boolean(),
                "a printed value is not of a type of `printf`");
    }
}

std::string describe(const Module& module, const Function& function, const Expr& expr) {
    constexpr size_t kEnough = 100;
    const std::string text = print(module, function, expr);
    return text.size() <= kEnough ? text : text.substr(0, kEnough) + " …";
}

// --- expressions ----------------------------------------------------------------------------------------------------
void Verifier::expression(const Expr& root) {
    if (root.as<ElementRef>()) report("an element reference is only an argument of a builtin");
    for_each_expr_deep(root, [&](const Expr& expr) {
        verify_node(module_, *function_, expr, [&](std::string what) {
            report(fmt::format("{}: {}", what, describe(module_, *function_, expr)));
        });
        if (expr.as<BuiltinCall>()) return;
        for_each_child(expr, [&](const Expr& child) {
            if (child.as<ElementRef>()) report("an element reference is only an argument of a builtin");
        });
    });
}

}  // namespace

std::vector<std::string> verify(const Module& module) {
    Verifier verifier(module);
    verifier.module();
    return std::move(verifier.problems);
}

}  // namespace pyk::ir
