// Inline PTX: `cuda.inline_ptx("lop3.b32 $r, $a, $b, $c, 0x96;", r=uint32, a=x, b=y, c=z)`. A keyword that is a type is
// what the instructions give, one that is a value what they take. It becomes a device function of its own.
#include <algorithm>
#include <cctype>
#include <map>

#include "sema/infer.h"
#include "support/words.h"

namespace pyk {
namespace {

bool is_operand(Type type) {
    if (!type.is_scalar() || type.is_complex() || type.is_boolean()) return false;
    return type.bits() >= 16;
}

/// `ptx_lop3_b32`: after the first instruction that is no declaration.
std::string name_of(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        while (at < text.size() && (std::isspace(static_cast<unsigned char>(text[at])) || text[at] == '{')) ++at;
        if (at == text.size() || (text[at] != '.' && text[at] != '@')) break;
        at = std::min(text.find(';', at), text.size());
        if (at < text.size()) ++at;
    }
    std::string name = "ptx_";
    for (; at < text.size() && (is_of_word(text[at]) || text[at] == '.'); ++at)
        name += is_of_word(text[at]) ? text[at] : '_';
    return name;
}

}  // namespace

struct Inference::PtxCall {
    struct Operand {
        std::string_view name;
        Type type;
    };
    std::vector<Operand> outputs, inputs;
    std::vector<Value> values;  ///< of the inputs
    const FunctionInfo* on_cpu = nullptr;
    Span cpu_span = {};
    ir::InlinePtx ptx;

    Type result() const {
        std::vector<Type> types;
        for (const Operand& output : outputs) types.push_back(output.type);
        return types.empty() ? Type::none() : types.size() == 1 ? types[0] : Type::tuple(types);
    }
    /// `%0` and so on: outputs, then inputs.
    std::optional<size_t> number_of(std::string_view name) const {
        size_t number = 0;
        for (const std::vector<Operand>* operands : {&outputs, &inputs})
            for (const Operand& operand : *operands) {
                if (operand.name == name) return number;
                ++number;
            }
        return std::nullopt;
    }
};

Value Inference::special_inline_ptx(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    const auto text = node.args.size() == 1 ? scope_.constant(*node.args[0]) : std::nullopt;
    const std::string* ptx = text ? text->as<std::string>() : nullptr;
    if (!ptx) return error(diag::ptx_text, node.args.empty() ? span : node.args[0]->span, builtin.name);
    PtxCall call;
    if (!ptx_operands(site, call) || !number_operands(*ptx, node.args[0]->span, call)) return Value();
    call.ptx.is_volatile |= call.outputs.empty() || call.ptx.clobbers_memory;
    return call_ptx(name_of(*ptx), std::move(call), span);
}

// What the keywords say; false: one is wrong, reported.
bool Inference::ptx_operands(const CallSite& site, PtxCall& call) {
    for (const ast::Keyword& keyword : site.node.keywords) {
        const size_t before = site.out.size(), count = call.values.size();
        Value value = lower(*keyword.value, site.out);
        keep(std::span(call.values).first(count), before, site.out);
        if (keyword.arg == "volatile" || keyword.arg == "memory") {
            const bool is_on = value.constant && truth(*value.constant);
            (keyword.arg == "memory" ? call.ptx.clobbers_memory : call.ptx.is_volatile) |= is_on;
            continue;
        }
        if (keyword.arg == "cpu") {
            const auto* info = value.entity ? std::get_if<const FunctionInfo*>(&*value.entity) : nullptr;
            if (!info || (*info)->kind == FunctionKind::plain) {
                error(diag::not_callable, keyword.span, "`cpu`");
                return false;
            }
            call.on_cpu = *info;
            call.cpu_span = keyword.span;
            continue;
        }
        if (value.is_unknown()) return false;
        const auto* type = value.entity ? std::get_if<TypeName>(&*value.entity) : nullptr;
        if (!type && !needs_value(value, keyword.value->span)) return false;
        settle(value);
        const Type of = type ? type->type : value.type;
        if (!is_operand(of)) {
            error(diag::ptx_operand_type, keyword.value->span, of.name());
            return false;
        }
        (type ? call.outputs : call.inputs).push_back({keyword.arg, of});
        if (!type) call.values.push_back(std::move(value));
    }
    sequence(call.values, site.out);
    return true;
}

// `$name` → `%0`; CUDA's `%` of registers is doubled.
bool Inference::number_operands(std::string_view written, Span span, PtxCall& call) {
    for (size_t at = 0; at < written.size(); ++at) {
        if (written[at] == '%') call.ptx.text += '%';
        if (written[at] != '$') {
            call.ptx.text += written[at];
            continue;
        }
        const std::string_view name = word_at(written, at + 1);
        const auto number = call.number_of(name);
        if (!number) {
            error(diag::ptx_unknown_operand, span, name);
            return false;
        }
        call.ptx.text += fmt::format("%{}", *number);
        at += name.size();
    }
    return true;
}

// Calls a function that has the instructions as its body.
Value Inference::call_ptx(std::string name, PtxCall call, Span span) {
    ir::Function function;
    function.name = std::move(name);
    function.span = span;
    function.result = call.result();
    std::string key = fmt::format("{}{}{};", call.ptx.text, call.ptx.is_volatile, call.ptx.clobbers_memory);
    for (const PtxCall::Operand& output : call.outputs) key += output.type.name() + ",";
    for (const PtxCall::Operand& input : call.inputs) {
        key += fmt::format("{}:{},", input.name, input.type.name());
        ir::Local local;
        local.name = std::string(input.name);
        local.type = input.type;
        local.storage = ir::Storage::parameter;
        local.span = span;
        function.params.push_back(add_local(function, std::move(local)));
    }
    if (call.ptx.is_volatile) function.effects = Effects::ordered;
    if (call.ptx.clobbers_memory) function.effects = function.effects | Effects::reads | Effects::writes;
    std::vector<Callee> callees;
    if (call.on_cpu) {
        const ast::Arguments& takes = *call.on_cpu->def->args;
        const size_t count = takes.posonlyargs.size() + takes.args.size();
        if (count != function.params.size() || takes.vararg || !takes.kwonlyargs.empty())
            return error(diag::wrong_argument_count, call.cpu_span, std::string_view(call.on_cpu->name),
                         std::string_view(std::to_string(count)), static_cast<int>(function.params.size()));
        const auto other = compute_on_cpu(*call.on_cpu, function);
        if (!other) return Value();
        key += fmt::format("cpu{}", static_cast<size_t>(*other));
        callees.push_back({*other, span});
    }
    function.ptx = std::move(call.ptx);
    function.always_inline = true;

    Value result;
    result.span = span;
    result.type = function.result;
    result.effects = function.effects;
    const Instance& made = specializer_.made(key, *instance_.info, std::move(function), std::move(callees));
    callees_.push_back({made.id, span});
    ir::Call calls{made.id, {}};
    for (Value& value : call.values) {
        result.effects = result.effects | value.effects;
        calls.args.push_back(std::move(value.expr));
    }
    result.expr = ir::make(result.type, span, std::move(calls));
    return result;
}

// The body on targets that have no PTX: a call of another function with the same arguments. nullopt: it cannot be,
// reported.
std::optional<ir::FunctionId> Inference::compute_on_cpu(const FunctionInfo& info, ir::Function& function) {
    const Span span = function.span;
    std::vector<Parameter> params;
    std::vector<ir::ExprPtr> passed;
    for (const ir::LocalId param : function.params) {
        params.emplace_back(function.local(param).type);
        passed.push_back(ir::local(function, param, span));
    }
    const Instance& other = specializer_.instance(info, std::move(params), InstanceKind::device);
    callees_.push_back({other.id, span});
    if (other.failed || !other.result) return std::nullopt;
    if (other.result != function.result && !conversion(other.result, function.result)) {
        error(diag::cannot_convert, span, other.result.name(), function.result.name());
        return std::nullopt;
    }
    function.effects = function.effects | other.function.effects;
    ir::ExprPtr call = ir::make(other.result, span, ir::Call{other.id, std::move(passed)});
    const bool gives = !function.result.is_none();
    if (!gives) function.body.push_back({span, ir::Evaluate{std::move(call)}});
    // A body says that other targets have one, also where it does nothing.
    function.body.push_back({span, ir::Return{gives ? ir::convert(std::move(call), function.result) : nullptr}});
    return other.id;
}

}  // namespace pyk
