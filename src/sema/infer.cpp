#include "sema/infer.h"

#include <algorithm>

namespace pyk {

// More rounds than any chain of widenings can take: bool → … → float64 has a handful of steps per name.
constexpr int kMaxRounds = 1000;

Inference::Inference(Specializer& specializer, Instance& instance)
    : specializer_(specializer),
      instance_(instance),
      scope_(specializer.scope()),
      def_(*instance.info->def),
      names_(def_) {}

void Inference::run() {
    int rounds = 0;
    do {
        changed_ = false;
        walk();
        settle_literals();
    } while (changed_ && ++rounds < kMaxRounds);
    instance_.function = std::move(function_);
    instance_.diagnostics = std::move(diagnostics_);
    instance_.callees = std::move(callees_);
    instance_.result = result_ ? result_ : Type::none();
    instance_.failed = instance_.diagnostics.has_errors() || (returns_value_ && !result_);
}

void Inference::walk() {
    diagnostics_ = Diagnostics();
    function_ = ir::Function();
    function_.name = std::string(def_.name);
    function_.is_kernel = instance_.kind != InstanceKind::device;
    function_.always_inline = instance_.info->always_inline;
    function_.span = {instance_.info->span.file, def_.name_span.begin, def_.name_span.end};
    locals_.clear();
    loops_.clear();
    callees_.clear();
    returns_value_ = returns_nothing_ = false;
    for (auto& [key, join] : joins_) join.incoming.clear();
    env_ = Env(names_.count(), kUnassigned);
    declare_params();
    lower(def_.body, function_.body);
    finish_body();
}

void Inference::declare_params() {
    uint32_t index = 0;
    const auto declare = [&](const ast::Arg& arg) {
        const Type type = instance_.params[index];
        const VersionId id = version_at(&arg, index, arg.span);
        if (type.is_none()) {
            versions_[id].entity = versions_[id].constant = Const{Const::None{}, {}};
            (*env_)[index++] = id;
            return;
        }
        versions_[id].type = type;
        versions_[id].is_mixed = true;
        const ir::LocalId local =
            add_local(function_, ir::Local{std::string(arg.arg), type, ir::Storage::parameter, arg.span, false, {}, 0});
        locals_[{index, type.data()}] = local;
        function_.params.push_back(local);
        (*env_)[index++] = id;
    };
    for (const ast::Arg& arg : def_.args->posonlyargs) declare(arg);
    for (const ast::Arg& arg : def_.args->args) declare(arg);
    for (const ast::Arg& arg : def_.args->kwonlyargs) declare(arg);
    if (def_.args->vararg)
        error(diag::unsupported_syntax, def_.args->vararg->span, "`*args` parameters", "name each parameter");
    if (def_.args->kwarg)
        error(diag::unsupported_syntax, def_.args->kwarg->span, "`**kwargs` parameters", "name each parameter");
    if (!def_.body.empty())
        if (const auto* first = def_.body.front()->as<ast::ExprStmt>())
            if (const auto* constant = first->value->as<ast::Constant>())
                if (const auto* text = std::get_if<ast::StrValue>(&constant->value))
                    function_.docstring = std::string(text->text);
}

void Inference::finish_body() {
    if (reachable()) returns_nothing_ = true;
    function_.result = Type::none();
    if (!returns_value_) return;
    if (function_.is_kernel) return;
    if (returns_nothing_) {
        error(diag::missing_return, function_.span, std::string_view(def_.name));
        return;
    }
    const bool callees_fine =
        std::ranges::none_of(callees_, [&](const auto& callee) { return specializer_.at(callee.first).failed; });
    if (!result_ && !changed_ && !diagnostics_.has_errors() && callees_fine)
        error(diag::cannot_infer_result, function_.span, std::string_view(def_.name));
    function_.result = result_;
}

void infer(Specializer& specializer, Instance& instance) { Inference(specializer, instance).run(); }

}  // namespace pyk
