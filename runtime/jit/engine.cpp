#include "jit/engine.h"

#include <fmt/format.h>

#include <chrono>

#include "driver/requests.h"
#include "jit/specialize.h"
#include "support/fault.h"

namespace pyk::jit {
namespace {

class Stopwatch {
  public:
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Error diagnostics_error(const Diagnostics& diagnostics) { return {Error::Kind::diagnostics, render(diagnostics)}; }

// What went wrong while the kernel ran went wrong in the file.
Error in_file(const Engine& engine, Error error) {
    if (error.kind == Error::Kind::execution) error.message = engine.program.source->name() + ": " + error.message;
    return error;
}

Backend resolve(Backend backend) {
    if (backend != Backend::automatic) return backend;
    static const bool has_cuda = why_no_cuda().empty();
    return has_cuda ? Backend::cuda : Backend::cpu;
}

const Target& target_of(Backend backend) { return backend == Backend::cuda ? cuda_target() : cpu_target(); }

std::string key_of(const std::string& kernel, const Signature& signature, Backend backend) {
    std::string key = fmt::format("{}:{}", backend == Backend::cuda ? "cuda" : "cpu", kernel);
    for (const Type type : signature.params) key += " " + type.code();
    return key;
}

struct Translation {
    Unit unit;
    std::string warnings;
};

Result<Translation> translated(const Engine& engine, const std::string& kernel, const Signature& signature,
                               Backend backend) {
    Diagnostics diagnostics(engine.options.warnings);
    const KernelInfo* info = find_kernel(engine.program, kernel);
    EmitOptions options;
    options.check_bounds = engine.options.check_bounds;
    options.debug = engine.options.debug;
    options.code = engine.options.code;
    std::optional<Unit> unit =
        translate(engine.program, {{kernel, signature, info->span}}, target_of(backend), options, diagnostics);
    if (!unit) return diagnostics_error(diagnostics);
    return Translation{std::move(*unit), render(diagnostics)};
}

Result<std::shared_ptr<Instance>> built(const Engine& engine, const std::string& kernel, const Signature& signature,
                                        Backend backend) {
    const Stopwatch translating;
    Result<Translation> translation = translated(engine, kernel, signature, backend);
    if (!translation) return translation.error();
    Unit& unit = translation.value().unit;
    if (unit.entries.size() != 1) internal_error("one request made several entry points");

    auto instance = std::make_shared<Instance>();
    instance->transpile_ms = engine.parse_ms + translating.milliseconds();
    instance->warnings = std::move(translation.value().warnings);
    const Stopwatch compiling;
    Result<std::unique_ptr<Loaded>> code =
        backend == Backend::cuda ? load_on_cuda(unit, unit.text.find("pyk_check_report") != std::string::npos)
                                 : load_on_cpu(unit);
    if (!code) return code.error();
    instance->compile_ms = compiling.milliseconds();
    instance->code = std::move(code).value();
    instance->entry = std::move(unit.entries[0]);
    instance->text = std::move(unit.text);
    return instance;
}

std::shared_ptr<InstanceSlot> slot_of(Engine& engine, const std::string& key) {
    const std::lock_guard lock(engine.mutex);
    std::shared_ptr<InstanceSlot>& slot = engine.slots[key];
    if (!slot) slot = std::make_shared<InstanceSlot>();
    return slot;
}

struct Found {
    std::shared_ptr<Instance> instance;
    bool is_new;
};

Result<Found> instance_of(Engine& engine, const std::string& kernel, const Signature& signature, Backend backend) {
    const std::shared_ptr<InstanceSlot> slot = slot_of(engine, key_of(kernel, signature, backend));
    const std::lock_guard lock(slot->mutex);
    const bool is_new = !slot->result;
    if (is_new) slot->result = built(engine, kernel, signature, backend);
    if (!*slot->result) return slot->result->error();
    return Found{slot->result->value(), is_new};
}

Result<Signature> signature_of(const Engine& engine, const std::string& kernel,
                               const std::vector<Argument>& arguments) {
    const KernelInfo* info = find_kernel(engine.program, kernel);
    if (!info) internal_error("a launch of a kernel that is not there");
    std::variant<Signature, Error> chosen = choose_signature(*info, arguments);
    if (Error* error = std::get_if<Error>(&chosen)) return std::move(*error);
    return std::get<Signature>(std::move(chosen));
}

}  // namespace

Result<std::shared_ptr<Engine>> make_engine(SourceFilePtr source, EngineOptions options) {
    const Stopwatch parsing;
    Diagnostics diagnostics(options.warnings);
    // The source stays here too: diagnostics point into it.
    std::optional<Program> program = read_program(source, options.defines, diagnostics, options.import_folders);
    if (!program) return diagnostics_error(diagnostics);
    auto engine = std::make_shared<Engine>();
    engine->program = std::move(*program);
    engine->program.typing = options.typing;
    engine->program.links = options.links;
    engine->options = std::move(options);
    engine->parse_ms = parsing.milliseconds();
    return engine;
}

Result<Report> launch(Engine& engine, const std::string& kernel, const LaunchShape& shape,
                      const std::vector<Argument>& arguments) {
    const Backend backend = resolve(engine.options.backend);
    const Result<Signature> signature = signature_of(engine, kernel, arguments);
    if (!signature) return signature.error();
    const Result<Found> found = instance_of(engine, kernel, signature.value(), backend);
    if (!found) return found.error();
    Instance& instance = *found.value().instance;
    if (auto error = check_arguments(instance.entry, arguments)) return *error;

    const Result<double> milliseconds = instance.code->launch(instance.entry, shape, arguments);
    if (!milliseconds) return in_file(engine, milliseconds.error());
    Report report;
    report.milliseconds = milliseconds.value();
    report.backend = backend;
    report.device = instance.code->device_name();
    for (const EntryParam& param : instance.entry.params) report.written.push_back(param.written);
    if (!found.value().is_new) return report;
    report.transpile_ms = instance.transpile_ms;
    report.compile_ms = instance.compile_ms;
    report.warnings = instance.warnings;
    return report;
}

Result<std::string> text_of(Engine& engine, const std::string& kernel, Backend backend,
                            const std::vector<Argument>& arguments) {
    const Result<Signature> signature = signature_of(engine, kernel, arguments);
    if (!signature) return signature.error();
    Result<Translation> translation = translated(engine, kernel, signature.value(), resolve(backend));
    if (!translation) return translation.error();
    return std::move(translation.value().unit.text);
}

Result<Artifact> artifact_of(Tooled<Artifact> made) {
    if (made) return std::move(*made);
    const ToolError& error = made.error();
    const std::string text = error.log.empty() ? error.text : error.text + ":\n" + error.log;
    if (error.kind == ToolError::Kind::rejected) internal_error(text);
    if (error.kind == ToolError::Kind::linking) {
        Diagnostics diagnostics;
        diagnostics.report(diag::link_failed, error.span, text);
        return diagnostics_error(diagnostics);
    }
    return Error{Error::Kind::input_output, text};
}

}  // namespace pyk::jit
