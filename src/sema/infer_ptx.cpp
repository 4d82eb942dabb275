// Inline PTX: `cuda.inline_ptx("lop3.b32 $r, $a, $b, $c, 0x96;", r=uint32, a=x, b=y, c=z)`. A keyword that is a type is
// what the instructions give, one that is a value what they take. It becomes a device function of its own.
#include <algorithm>
#include <cctype>
#include <map>

#include "sema/infer.h"

namespace pyk {
namespace {

bool is_operand(Type type) {
    if (!type.is_scalar() || type.is_complex() || type.is_boolean()) return false;
    return type.bits() >= 16;
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

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
    for (; at < text.size() && (is_letter(text[at]) || text[at] == '.'); ++at)
        name += is_letter(text[at]) ? text[at] : '_';
    return name;
}

}  // namespace

Value Inference::special_inline_ptx(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    const auto text = node.args.size() == 1 ? scope_.constant(*node.args[0]) : std::nullopt;
    const std::string* ptx = text ? text->as<std::string>() : nullptr;
    if (!ptx) return error(diag::ptx_text, node.args.empty() ? span : node.args[0]->span, builtin.name);

    struct Operand {
        std::string_view name;
        Type type;
    };
    std::vector<Operand> outputs, inputs;
    std::vector<Value> values;
    const FunctionInfo* on_cpu = nullptr;
    ir::InlinePtx inline_ptx;
    for (const ast::Keyword& keyword : node.keywords) {
        const size_t before = out.size(), count = values.size();
        Value value = lower(*keyword.value, out);
        keep(std::span(values).first(count), before, out);
        if (keyword.arg == "volatile" || keyword.arg == "memory") {
            const bool is_on = value.constant && truth(*value.constant);
            (keyword.arg == "memory" ? inline_ptx.clobbers_memory : inline_ptx.is_volatile) |= is_on;
            continue;
        }
        if (keyword.arg == "cpu") {
            const auto* info = value.entity ? std::get_if<const FunctionInfo*>(&*value.entity) : nullptr;
            if (!info || (*info)->kind == FunctionKind::plain) return error(diag::not_callable, keyword.span, "`cpu`");
            on_cpu = *info;
            continue;
        }
        if (value.is_unknown()) return Value();
        const auto* type = value.entity ? std::get_if<TypeName>(&*value.entity) : nullptr;
        if (!type && !needs_value(value, keyword.value->span)) return Value();
        settle(value);
        const Type of = type ? type->type : value.type;
        if (!is_operand(of)) return error(diag::ptx_operand_type, keyword.value->span, of.name());
        (type ? outputs : inputs).push_back({keyword.arg, of});
        if (!type) values.push_back(std::move(value));
    }
    sequence(values, out);

    // `$name` → `%0`; CUDA's `%` of registers is doubled.
    for (size_t at = 0; at < ptx->size(); ++at) {
        const char c = (*ptx)[at];
        if (c == '%') inline_ptx.text += '%';
        if (c != '$') {
            inline_ptx.text += c;
            continue;
        }
        size_t end = at + 1;
        while (end < ptx->size() && is_letter((*ptx)[end])) ++end;
        const std::string_view name = std::string_view(*ptx).substr(at + 1, end - at - 1);
        const auto is_named = [&](const Operand& operand) { return operand.name == name; };
        const auto output = std::ranges::find_if(outputs, is_named);
        const auto input = std::ranges::find_if(inputs, is_named);
        if (output == outputs.end() && input == inputs.end())
            return error(diag::ptx_unknown_operand, node.args[0]->span, name);
        const auto number = output != outputs.end()
                                ? output - outputs.begin()
                                : input - inputs.begin() + static_cast<std::ptrdiff_t>(outputs.size());
        inline_ptx.text += fmt::format("%{}", number);
        at = end - 1;
    }
    if (outputs.empty()) inline_ptx.is_volatile = true;
    if (inline_ptx.clobbers_memory) inline_ptx.is_volatile = true;

    ir::Function function;
    function.name = name_of(*ptx);
    function.span = span;
    std::vector<Type> results;
    for (const Operand& output : outputs) results.push_back(output.type);
    function.result = results.empty() ? Type::none() : results.size() == 1 ? results[0] : Type::tuple(results);
    std::string key = fmt::format("{}{}{};", inline_ptx.text, inline_ptx.is_volatile, inline_ptx.clobbers_memory);
    for (const Type type : results) key += type.name() + ",";
    std::vector<ir::ExprPtr> passed;
    std::vector<Parameter> params;
    for (const Operand& input : inputs) {
        key += fmt::format("{}:{},", input.name, input.type.name());
        params.emplace_back(input.type);
        ir::Local local;
        local.name = std::string(input.name);
        local.type = input.type;
        local.storage = ir::Storage::parameter;
        local.span = span;
        function.params.push_back(add_local(function, std::move(local)));
        passed.push_back(ir::local(function, function.params.back(), span));
    }
    if (inline_ptx.is_volatile) function.effects = Effects::ordered;
    if (inline_ptx.clobbers_memory) function.effects = function.effects | Effects::reads | Effects::writes;
    std::vector<std::pair<ir::FunctionId, Span>> callees;
    if (on_cpu) {
        const Instance& other = specializer_.instance(*on_cpu, std::move(params), InstanceKind::device);
        callees.emplace_back(other.id, span);
        callees_.emplace_back(other.id, span);
        if (other.failed || !other.result) return Value();
        if (other.result != function.result && !conversion(other.result, function.result))
            return error(diag::cannot_convert, span, other.result.name(), function.result.name());
        key += fmt::format("cpu{}", static_cast<size_t>(other.id));
        function.effects = function.effects | other.function.effects;
        ir::ExprPtr call = ir::make(other.result, span, ir::Call{other.id, std::move(passed)});
        const bool gives = !function.result.is_none();
        if (!gives) function.body.push_back({span, ir::Evaluate{std::move(call)}});
        // A body says that other targets have one, also where it does nothing.
        function.body.push_back({span, ir::Return{gives ? ir::convert(std::move(call), function.result) : nullptr}});
    }
    function.ptx = std::move(inline_ptx);
    function.always_inline = true;

    Value result;
    result.span = span;
    result.type = function.result;
    result.effects = function.effects;
    const Instance& made = specializer_.made(key, *instance_.info, std::move(function), std::move(callees));
    callees_.emplace_back(made.id, span);
    ir::Call call{made.id, {}};
    for (Value& value : values) {
        result.effects = result.effects | value.effects;
        call.args.push_back(std::move(value.expr));
    }
    result.expr = ir::make(result.type, span, std::move(call));
    return result;
}

}  // namespace pyk
