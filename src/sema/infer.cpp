#include "sema/infer.h"

#include <algorithm>

#include "module/free_names.h"
#include "module/options.h"
#include "support/fault.h"

namespace pyk {

// More rounds than any chain of widenings can take: bool → … → float64 has a handful of steps per name.
constexpr int kMaxRounds = 1000;

Inference::Inference(Specializer& specializer, Instance& instance)
    : specializer_(specializer),
      instance_(instance),
      scope_(instance.info->scope->for_functions()),
      def_(*instance.info->def),
      names_(def_, instance.info->captures) {}

void Inference::run() {
    int rounds = 0;
    do {
        changed_ = has_news_ = asks_for_all_ = wants_digits_ = false;
        walk();
        settle_literals();
        if (begins_anew_) begin_anew();
        changed_ |= has_news_ && asks_for_all_;
        if (!changed_ && wants_digits_ && !instance_.is_wide) instance_.is_wide = changed_ = true;
    } while (changed_ && ++rounds < kMaxRounds);
    instance_.function = std::move(function_);
    instance_.diagnostics = std::move(diagnostics_);
    instance_.callees = std::move(callees_);
    instance_.result = result_ ? result_ : Type::none();
    instance_.failed = instance_.diagnostics.has_errors() || (returns_value_ && !result_);
    const auto failed = [&](const Callee& callee) { return specializer_.at(callee.id).failed; };
    if (missed_ && !instance_.failed && std::ranges::none_of(instance_.callees, failed))
        internal_error(fmt::format("line {}: nothing was made of `{}`", missed_->line(), missed_->text()));
}

// With what the first walks said of literals.
void Inference::begin_anew() {
    begins_anew_ = false;
    changed_ = true;
    unsigned_.clear();
    for (Version& version : versions_) version.type = version.of_next_walk = Type();
}

// Something has no value, and nobody said why. In the last walk, unless a callee has errors, that is a fault of ours:
// the statement would be left out.
void Inference::miss(Span span) {
    if (!missed_ && reachable() && !diagnostics_.has_errors()) missed_ = span;
}

void Inference::walk() {
    // The last walk's IR is freed behind this one's: nodes lie in order then, and all that reads them is faster.
    const Walk before = std::exchange(static_cast<Walk&>(*this), Walk());
    function_.name = instance_.info->name;
    function_.is_kernel = instance_.kind != InstanceKind::device;
    function_.always_inline = instance_.info->always_inline;
    function_.options = instance_.info->options;
    function_.span = {instance_.info->span.file, def_.name_span.begin, def_.name_span.end};
    locals_.assign(names_.count(), {});
    for (auto& [key, join] : joins_) join.before = std::exchange(join.incoming, {});
    for (Version& version : versions_) {
        version.receiver.reset();
        version.presence.reset();
        version.is_faulty = version.is_missed = false;
    }
    env_ = Env(names_.count(), kUnassigned);
    for (const auto& [name, type] : local_types_of(*instance_.info, diagnostics_))
        if (const auto index = names_.index(name)) wanted_[*index] = type;
    declare_params();
    lower(def_.body, function_.body);
    finish_body();
}

void Inference::declare_params() {
    uint32_t index = 0;
    const auto declare = [&](const void* site, std::string_view name, Span span) {
        if (function_.is_kernel && site == def_.args->vararg) return;
        Parameter& param = instance_.params[index];
        // What the host leaves out is a variable as `m = 5` is one, that may become a float64.
        const auto left_out = param.entity && specializer_.can_allocate() ? to_const(*param.entity) : std::nullopt;
        if (left_out && is_number(*left_out)) {
            statement_ = span;
            define(index, site, of_const(*left_out, span), span, function_.body);
            return void(++index);
        }
        const VersionId id = version_at(site, index, span);
        env_->set(index, id);
        versions_[id].is_mixed = true;
        if (param.entity) {
            versions_[id].entity = received(*param.entity, span);
        } else if (param.type.is_none()) {
            versions_[id].constant = Const{Const::None{}, {}};
            versions_[id].entity = *versions_[id].constant;
        } else {
            if (param.is_weak) param.type = weak_type(param.type);
            versions_[id].type = param.type;
            versions_[id].is_weak = param.is_weak;
            locals_[index].emplace_back(param.type, add_parameter(name, param.type, span));
            if (wanted_.contains(index)) define(index, &wanted_, read(index, span), span, function_.body);
        }
        ++index;
    };
    for_each_parameter(*def_.args, [&](const ast::Arg& arg) { declare(&arg, arg.arg, arg.span); });
    for (const std::string_view& name : instance_.info->captures) declare(&name, name, def_.name_span);
    if (instance_.info->array == ArrayKind::stencil) declare_positions();
    if (def_.args->vararg && function_.is_kernel) declare_rest(index);
    if (def_.is_async) error(diag::unsupported_syntax, function_.span, "`async` functions", "write `def`");
    if (def_.args->kwarg)
        error(diag::unsupported_syntax, def_.args->kwarg->span, "`**kwargs` parameters", "name each parameter");
    if (!def_.body.empty())
        if (const auto* first = def_.body.front()->as<ast::ExprStmt>())
            if (const auto* constant = first->value->as<ast::Constant>())
                if (const auto* text = std::get_if<ast::StrValue>(&constant->value))
                    function_.docstring = std::string(text->text);
}

// `*args` of a kernel: a tuple of the parameters from here on.
void Inference::declare_rest(uint32_t index) {
    const ast::Arg& rest = *def_.args->vararg;
    std::vector<Value> items;
    for (size_t i = index; i < instance_.params.size(); ++i) {
        const Parameter& param = instance_.params[i];
        Value item;
        if (param.entity || param.type.is_none()) {
            item = of_entity(param.entity ? received(*param.entity, rest.span) : Const{Const::None{}, {}}, rest.span);
        } else {
            const std::string name = fmt::format("{}_{}", rest.arg, i - index);
            item.type = param.type;
            item.expr = ir::local(function_, add_parameter(name, param.type, rest.span), rest.span);
        }
        item.span = rest.span;
        items.push_back(std::move(item));
    }
    statement_ = rest.span;
    define(index, &rest, make_tuple(std::move(items), rest.span), rest.span, function_.body);
}

ir::LocalId Inference::add_parameter(std::string_view name, Type type, Span span) {
    return ir::add_parameter(function_, std::string(name), type, span);
}

// A closure's values are parameters here, and so are the lanes of threads that came together.
Entity Inference::received(const Entity& entity, Span span) {
    if (const Group* group = std::get_if<Group>(&entity); group && group->family == "coalesced_group") {
        Group mine = *group;
        mine.lanes = static_cast<uint32_t>(add_parameter("lanes", Scalar::uint32, span));
        return mine;
    }
    const auto* given = std::get_if<std::shared_ptr<const Closure>>(&entity);
    if (!given) return entity;
    auto closure = std::make_shared<Closure>();
    closure->info = (*given)->info;
    for (size_t i = 0; i < (*given)->captured.size(); ++i) {
        const Value& theirs = (*given)->captured[i];
        Value value;
        value.span = span;
        if (theirs.type) {
            const Parameter parameter = parameter_of(theirs);
            value.type = parameter.is_weak ? weak_type(parameter.type) : parameter.type;
            value.is_weak = parameter.is_weak;
            value.expr = ir::local(function_, add_parameter(closure->info->captures[i], value.type, span), span);
        } else {
            value.entity = received(*theirs.entity, span);
        }
        closure->captured.push_back(std::move(value));
    }
    return std::shared_ptr<const Closure>(std::move(closure));
}

// Whether the function's signature gives it a result that is not optional.
bool Inference::promises_result() {
    const auto declared = declared_signature(*instance_.info, instance_.params);
    return declared && declared->result && !declared->result.is_none() && !declared->result.is_optional();
}

void Inference::finish_body() {
    if (reachable()) {
        returns_nothing_ = true;
        if (result_ && result_.is_optional())
            function_.body.push_back({function_.span, ir::Return{none_of(result_, function_.span)}});
    }
    function_.result = Type::none();
    const bool callees_fine =
        std::ranges::none_of(callees_, [&](const Callee& callee) { return specializer_.at(callee.id).failed; });
    const bool is_settled = !changed_ && !diagnostics_.has_errors() && callees_fine;
    // All that is ever assigned to it comes from itself.
    if (untyped_ && is_settled && (!instance_.is_awaited || instance_.result))
        unassigned(untyped_->first, untyped_->second);
    // The next walk has its calls of itself.
    if (!returns_value_ && instance_.is_awaited && !instance_.result) {
        instance_.result = Type::none();
        changed_ = true;
    }
    if (!returns_value_) return;
    if (function_.is_kernel) return;
    const bool may_be_none = result_ && (returns_nothing_ || result_.is_optional());
    if (may_be_none && promises_result()) {
        error(diag::missing_return, function_.span, std::string_view(instance_.info->name));
        return;
    }
    if (may_be_none && (!result_.is_optional() || returns_bare_)) {
        if (!result_.is_optional()) result_ = instance_.result = Type::optional(result_);
        changed_ = true;
    }
    if (!result_ && is_settled && !diagnostics_.has_errors())
        error(diag::cannot_infer_result, function_.span, std::string_view(instance_.info->name));
    function_.result = result_;
}

void infer(Specializer& specializer, Instance& instance) {
    Inference inference(specializer, instance);
    inference.run();
    if (!instance.failed || !inference.turns_integers()) return;
    // Numba refuses it for a float that nobody wrote.
    Inference other(specializer, instance);
    other.keep_integers();
    other.run();
}

}  // namespace pyk
