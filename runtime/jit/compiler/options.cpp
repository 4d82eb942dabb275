#include "jit/compiler/options.h"

#include "driver/warnings.h"
#include "types/signature.h"

namespace pyk::jit {
namespace {

ConstantValue constant(const Constant& value) {
    return value.visit([](auto v) { return ConstantValue(v); });
}

// nullopt: a type that is none.
std::optional<DefineValue> define_value(const Define& define) {
    if (define.kind() == Define::Kind::number) return constant(define.number());
    if (define.kind() == Define::Kind::type) {
        SignatureError ignored{};
        const auto type = parse_type(define.type().text, ignored);
        return type ? std::optional<DefineValue>(*type) : std::nullopt;
    }
    std::vector<ConstantValue> items;
    for (const Constant& item : define.tuple()) items.push_back(constant(item));
    return items;
}

}  // namespace

Result<CompilerOptions> compiler_options(const Options& options) {
    CompilerOptions result;
    for (const auto& [name, define] : options.defines) {
        const auto value = define_value(define);
        if (!value)
            return Error{Error::Kind::arguments,
                         "the definition of " + name + ": " + define.type().text + " is not a type", nullptr};
        result.defines[name] = *value;
    }
    for (const std::string& text : options.warnings)
        if (std::string fault = apply_warning(result.warnings, text); !fault.empty())
            return Error{Error::Kind::arguments, std::move(fault), nullptr};
    result.emit.check_bounds = options.check_bounds || options.check_races;
    result.emit.check_races = options.check_races;
    result.emit.debug = options.debug;
    result.emit.print_to_sink = static_cast<bool>(options.on_print);
    result.emit.line_directives = LineDirectives::with_line_numbers;
    pyk::CodeOptions& code = result.emit.code;
    code.fastmath = options.code.fastmath;
    code.no_fmad = !options.code.fmad;
    code.device_debug = options.code.device_debug;
    code.lineinfo = options.code.lineinfo;
    code.max_registers = options.code.max_registers;
    if (options.code.optimization != 3) code.optimization = options.code.optimization;
    return result;
}

}  // namespace pyk::jit
