// Kernels that a file makes and launches without a name of the file's for them: in functions that it calls, of
// factories that it launches at once, of objects in lists, in tests. What the file does when it is imported is run for
// that.
#include <algorithm>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr size_t kMostOfOneDef = 64;  ///< kernels: of more only the first are compiled
constexpr int kDeepestKey = 4;        ///< of functions that are captured

bool has_parameters(const ast::FunctionDef& def) {
    bool found = false;
    for_each_parameter(*def.args, [&](const ast::Arg&) { found = true; });
    return found;
}

}  // namespace

// A kernel is launched, or configured, now.
void ModuleScope::Shared::note_launch(const FunctionInfo& info) {
    if (info.kind != FunctionKind::kernel || !info.scope->runs_ || !info.launched.empty()) return;
    if (!is_searching && !info.scope->running_) return;  // somebody asks for a value; that is no launch
    auto& made = const_cast<FunctionInfo&>(info);
    for (const ModuleScope* scope = info.scope; scope; scope = scope->parent_)
        made.launched.emplace_back(scope, scope->running_ ? scope->clock_ + 1 : scope->now());
}

// Whether a call of the host's made the function, or its signature.
bool ModuleScope::Shared::is_of_call(const FunctionInfo& info) {
    return info.scope->runs_ || (info.signature_scope && info.signature_scope->runs_);
}

ModuleScope::Compiling::Compiling(const FunctionInfo& kernel)
    : of_(*kernel.scope), launch_(std::exchange(of_.launch_, of_.runs_ ? Launch() : of_.compiled_at(kernel))) {
    // The scopes around a kernel have the values that it is compiled for.
    const auto turn_to = [&](const ModuleScope* scope, size_t at) {
        before_.emplace_back(scope, std::exchange(scope->as_of_, at));
    };
    if (!of_.runs_) turn_to(&of_, of_.launch_.at);
    if (of_.runs_ && kernel.signatures)
        turn_to(&of_, kernel.at + 1);
    else if (of_.runs_)
        for (const auto& [scope, at] : kernel.launched) turn_to(scope, at);
}

ModuleScope::Compiling::~Compiling() {
    of_.launch_ = launch_;
    for (const auto& [scope, as_of] : before_) scope->as_of_ = as_of;
}

// Whether what a kernel captures has one value from when it is made on, or it is known when it is launched.
bool ModuleScope::keeps_captures(const FunctionInfo& info) const {
    if (!info.launched.empty()) return true;
    for (const std::string_view name : free_names(*info.def))
        for (const ModuleScope* scope = info.scope; scope && scope->runs_; scope = scope->parent_) {
            const auto found = scope->names_.find(name);
            if (found == scope->names_.end()) continue;
            // A function that is defined further down is there when the kernel is launched.
            if (found->second.size() == 1 && found->second[0].as<FunctionInfo*>()) break;
            const bool is_own = scope == info.scope;
            if (is_own ? found->second.back().at > info.at : found->second.size() > 1) return false;
            break;
        }
    return true;
}

// Tells apart kernels of one `def` by what they capture.
std::string ModuleScope::key_of_made(const FunctionInfo& info, int depth) const {
    std::string key = fmt::format("{}", fmt::ptr(info.def));
    auto names = free_names(*info.def);
    for (const ast::Expr* decorator : info.def->decorator_list)
        for_each_name(*decorator, [&](std::string_view name) {
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        });
    const ir::CompileOptions& options = info.options;
    key += fmt::format(",{}{}{}{}{},{},{},{}", options.fastmath, options.no_fmad, options.debug, options.no_opt,
                       options.no_lto, options.max_registers, options.max_threads, options.min_blocks);
    if (info.signatures && info.signature_scope->runs_) {
        Diagnostics ignored;
        for (const Signature& signature : signatures_of(info, ignored))
            for (const Type type : signature.params) key += fmt::format(",{}", fmt::ptr(type.data()));
    }
    const Compiling compiling(info);
    for (const std::string_view name : names) {
        const auto value = info.scope->lookup(name);
        if (!value) continue;
        const FunctionInfo* function = function_in(value);
        const bool is_made = function && function != &info && (function->scope->runs_ || function->is_made) &&
                             depth < kDeepestKey;  // each run makes it anew
        key += fmt::format(";{}={}", name, is_made ? key_of_made(*function, depth + 1) : pyk::key_of(*value));
    }
    return key;
}

// One that nobody has made yet.
Entity ModuleScope::Shared::new_object(const ModuleScope& body) {
    std::unique_ptr<ModuleScope> made(new ModuleScope(*body.shared_, body.file_, body.parent_, {}));
    made->class_ = &body;
    made->is_object_ = true;
    const Entity object = made.get();
    body.shared_->lifted_scopes.push_back(std::move(made));
    return object;
}

// A class of which the file makes no object: of arguments without a default nothing is known.
void ModuleScope::Shared::run_constructor(const ModuleScope& file, const ModuleScope& body) {
    const FunctionInfo* init = function_in(body.own("__init__"));
    if (!init || file.shared_->have_run.contains(init->def)) return;
    // And the methods that it calls: `self.kernel = self.make()`.
    std::vector<const FunctionInfo*> called{init};
    for (size_t i = 0; i < called.size(); ++i)
        for (const FunctionInfo* method : body.order_)
            if (called[i]->span.text().find(fmt::format(".{}(", method->def->name)) != std::string_view::npos &&
                std::ranges::find(called, method) == called.end())
                called.push_back(method);
    if (std::ranges::none_of(called, [&](const FunctionInfo* one) { return file.makes_functions(*one, 0); })) return;
    const bool running = std::exchange(file.running_, true);
    HostArguments arguments{.values = {new_object(body)}};
    const ast::Arguments& params = *init->def->args;
    arguments.values.resize(
        std::max<size_t>(params.posonlyargs.size() + params.args.size() - params.defaults.size(), 1));
    for (size_t i = 0; i < params.kwonlyargs.size(); ++i)
        if (!params.kw_defaults[i]) arguments.named.emplace_back(params.kwonlyargs[i].arg, std::nullopt);
    file.run_of(*init, init, std::move(arguments));
    file.running_ = running;
}

// What `unittest` does with a class: its tests run one by one, each with an object of its own.
void ModuleScope::run_test_case(const ModuleScope& body) const {
    for (const FunctionInfo* test : body.order_) {
        if (!test->def->name.starts_with("test") || test->kind != FunctionKind::plain) continue;
        const bool running = std::exchange(running_, true);  // each object is another one
        const Entity object = Shared::new_object(body);
        if (const FunctionInfo* init = function_in(body.own("setUp"))) run_of(*init, init, {.values = {object}});
        run_of(*test, test, {.values = {object}});
        running_ = running;
    }
}

// What a file does where that may make functions, once. Then what tests and others would call.
void ModuleScope::run_actions() const {
    if (!owned_ || std::exchange(shared_->has_run_actions, true)) return;
    shared_->is_searching = true;
    const int calls_made = std::exchange(shared_->calls_made, 0);
    for (const Action& action : actions_) {
        if (action.is_in_loop || !leads_to_functions(action)) continue;
        const Then then(*this, action.at);
        if (action.loop)
            ran(*action.loop);
        else
            evaluate(*action.expr);
    }
    for (const FunctionInfo* info : order_)
        if (!has_parameters(*info->def) && !shared_->have_run.contains(info->def) && is_maker(info->def->name, 0))
            run_of(*info, info, {});
    const auto is_of_tests = [](const ast::Expr* base) { return last_name(*base).ends_with("TestCase"); };
    for (const auto& [name, declared] : names_)
        if (const auto* node = declared.back().as<const ast::ClassDef*>()) {
            const ModuleScope& body = shared_->body(**node, *this);
            if (std::ranges::any_of((*node)->bases, is_of_tests))
                run_test_case(body);
            else
                Shared::run_constructor(*this, body);
        }
    shared_->calls_made = calls_made;
    shared_->is_searching = false;
}

// The kernels that no name of the file's leads to.
void ModuleScope::add_made(std::vector<FunctionInfo*>& found) const {
    run_actions();
    std::set<std::string> keys;
    std::map<const ast::FunctionDef*, size_t> count;
    std::set<const ast::FunctionDef*> closed;
    for (const FunctionInfo* info : found) {
        if (Shared::is_of_call(*info))
            keys.insert(key_of_made(*info)), ++count[info->def];
        else if (open_names(*info).empty())
            closed.insert(info->def);
    }
    for (FunctionInfo* info : shared_->made_kernels) {
        const bool is_known = closed.contains(info->def) && !Shared::is_of_call(*info);
        if (is_known || info->scope->names_.empty()) continue;
        if (!open_names(*info).empty() || !keeps_captures(*info)) continue;
        if (!keys.insert(key_of_made(*info)).second || ++count[info->def] > kMostOfOneDef) continue;
        found.push_back(info);
    }
}

}  // namespace pyk
