#include "jit/compiler/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/cubin.h"
#include "compile/gpu.h"
#include "compile/host_compiler.h"
#include "compile/nvjitlink.h"
#include "compile/nvrtc.h"
#include "compile/process.h"
#include "compile/temp_folder.h"
#include "compile/toolkit.h"
#include "driver/defined_names.h"
#include "driver/links.h"
#include "driver/load.h"
#include "driver/pipeline.h"
#include "driver/requests.h"
#include "driver/tool_errors.h"
#include "jit/compiler/array_request.h"
#include "jit/compiler/choose.h"
#include "jit/compiler/options.h"
#include "jit/compiler/types.h"
#include "jit/guarded.h"
#include "module/scope.h"
#include "support/fault.h"
#include "support/files.h"
#include "support/stopwatch.h"

namespace pyk::jit {
namespace {

std::vector<Finding> findings_of(const Diagnostics& diagnostics) {
    std::vector<Finding> findings;
    const auto add = [&](std::string_view severity, std::string_view id, Span span, const std::string& text) {
        Finding finding{std::string(severity), std::string(id), text, {}, 0, 0};
        if (span.file) {
            const Position at = span.file->position(span.begin);
            finding.file = span.file->name();
            finding.line = static_cast<int>(at.line);
            finding.column = static_cast<int>(at.column);
        }
        findings.push_back(std::move(finding));
    };
    for (const Diagnostic& d : diagnostics.all()) {
        add(name_of(d.severity), d.id, d.span, d.text);
        for (const Note& n : d.notes) add("note", d.id, n.span, n.text);
    }
    return findings;
}

Error diagnostics_error(const Diagnostics& diagnostics) {
    auto details = std::make_shared<ErrorDetails>();
    details->findings = findings_of(diagnostics);
    return {Error::Kind::diagnostics, render(diagnostics), std::move(details)};
}

// As Python writes it.
std::string text_of(const Constant& constant) {
    return constant.visit([](auto value) -> std::string {
        if constexpr (std::is_same_v<decltype(value), bool>)
            return value ? "True" : "False";
        else
            return fmt::format("{}", value);
    });
}

// What a tool refused, told of the file: a diagnostic where the kernel can be blamed, else a fault of ours.
Error tool_error(const ToolError& error, const Unit& unit, const Program& program, std::string tool) {
    auto details = std::make_shared<ErrorDetails>();
    details->log = in_terms_of_source(error.log, unit, program.source->name());
    details->emitted = unit.text;
    details->versions = std::move(tool);
    const std::string text = error.log.empty() ? error.text : error.text + ":\n" + details->log;
    Diagnostics diagnostics;
    const bool is_refusal = error.kind == ToolError::Kind::rejected;
    if (error.kind == ToolError::Kind::linking)
        diagnostics.report(diag::link_failed, error.span, text);
    else if (!is_refusal)
        return {Error::Kind::input_output, text, std::move(details)};
    else if (!report_tool_errors(error, unit, program, diagnostics))
        return {Error::Kind::fault, fault(text).message, std::move(details)};
    details->findings = findings_of(diagnostics);
    return {Error::Kind::diagnostics, render(diagnostics), std::move(details)};
}

const Target& target_of(const TargetArch& arch) { return arch.is_cpu ? cpu_target() : cuda_target(); }

/// The architecture to compile for: the GPU's own where NVRTC knows it, else the nearest older one, as PTX.
struct Choice {
    Arch arch;
    bool is_exact;
};

Result<Choice> choose_arch(const TargetArch& target) {
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    if (!nvrtc) return Error{Error::Kind::input_output, nvrtc.error().text, nullptr};
    const int number = target.compute_capability;
    const auto above = std::upper_bound(nvrtc->archs.begin(), nvrtc->archs.end(), number);
    if (above == nvrtc->archs.begin())
        return Error{Error::Kind::input_output,
                     fmt::format("NVRTC {}.{} does not compile for {} (sm_{}) any more", nvrtc->major, nvrtc->minor,
                                 target.device_name, number),
                     nullptr};
    const int known = *(above - 1);
    const bool is_exact = known == number;
    return Choice{{known, 0, !is_exact}, is_exact};
}

Type type_of_default(const ConstantValue& value) {
    if (std::holds_alternative<bool>(value)) return Scalar::boolean;
    return std::holds_alternative<double>(value) ? Scalar::float64 : Scalar::int64;
}

/// The types of what a call leaves out.
void fill_with_defaults(const KernelInfo& function, std::vector<Type>& types) {
    const size_t missing = function.params.size() - std::min(types.size(), function.params.size());
    if (missing > function.defaults.size()) return;
    for (size_t i = function.defaults.size() - missing; i < function.defaults.size(); ++i)
        types.push_back(function.defaults[i].number ? type_of_default(*function.defaults[i].number) : Type::none());
}

// Of a NamedType that is no type.
std::string why_no_type(const NamedType& named, const TypeNames& names) {
    if (const auto same = names(std::string_view(named.text).substr(0, named.text.find('('))))
        return fmt::format("; the file's is `{}`", class_text(*same));
    SignatureError error{};
    return parse_type(named.text, error) ? "" : ": " + error.message;
}

class Parsed final : public CompilerProgram {
  public:
    Parsed(Program program, CompilerOptions options, std::string warnings)
        : program_(std::move(program)), options_(std::move(options)) {
        for (const KernelInfo& kernel : program_.kernels) info_.kernels.push_back({kernel.name, kernel.params});
        info_.array_functions = array_summaries(program_);
        info_.operators = operator_summaries(program_);
        for (const KernelInfo& function : program_.functions)
            info_.functions.push_back({function.name, function.params, function.defaults.size()});
        info_.files = program_.library->files();
        info_.missing = program_.library->missing();
        info_.warnings = std::move(warnings);
    }

    const ProgramInfo& info() const override { return info_; }

    Result<std::vector<ArgumentType>> types_of(const std::string& signature) const override {
        return guarded([&]() -> Result<std::vector<ArgumentType>> {
            SignatureError error{};
            const std::string whole = signature.find('(') == std::string::npos ? "(" + signature + ")" : signature;
            const auto parsed = parse_signature(whole, error, names_of(program_.scope));
            if (!parsed) return refuse(fmt::format("`{}`: {}", signature, error.message));
            if (!parsed->name.empty() && !find_kernel(program_, parsed->name))
                return refuse(fmt::format("`{}`: there is no kernel `{}`", signature, parsed->name));
            std::vector<ArgumentType> types;
            for (const Type type : parsed->params) {
                const auto known = argument_type(type);
                if (!known) return refuse(fmt::format("nothing of type {} can be passed to a launch", type.name()));
                types.push_back(*known);
            }
            return types;
        });
    }

    Result<Built> build(const BuildRequest& request) const override {
        return guarded([&] { return built(request); });
    }
    Result<std::string> emitted(const BuildRequest& request) const override {
        return guarded([&]() -> Result<std::string> {
            Result<Translation> translation = translated(request);
            if (!translation) return translation.status();
            return std::move(translation->unit.text);
        });
    }
    Result<std::string> typed_ir(const BuildRequest& request) const override {
        return guarded([&]() -> Result<std::string> {
            const Result<Request> wanted = request_of(request);
            if (!wanted) return wanted.status();
            Diagnostics diagnostics(options_.warnings);
            auto text = translate_to_ir(program_, {*wanted}, options_.emit, diagnostics);
            if (!text) return diagnostics_error(diagnostics);
            return std::move(*text);
        });
    }
    Result<std::string> ptx(const BuildRequest& request) const override {
        return guarded([&]() -> Result<std::string> {
            Result<Translation> translation = translated(request);
            if (!translation) return translation.status();
            const Result<Choice> choice = choose_arch(request.arch);
            if (!choice) return choice.status();
            Tooled<Artifact> made = compile_for_gpu(translation->unit, ArtifactKind::ptx, choice->arch);
            if (!made) return tool_error(made.error(), translation->unit, program_, {});
            return std::move(made->bytes);
        });
    }

    Result<Spills> spills(const BuildRequest& request) const override {
        return guarded([&]() -> Result<Spills> {
            Result<Translation> translation = translated(request);
            if (!translation) return translation.status();
            Unit& unit = translation->unit;
            if (is_linked(unit)) return refuse("spills are not known of kernels that link code of your own");
            const Result<Choice> choice = choose_arch(request.arch);
            if (!choice) return choice.status();
            const Tooled<Artifact> made = measure_with_nvrtc(unit, choice->arch);
            if (!made) return tool_error(made.error(), unit, program_, {});
            const PtxasResources resources = resources_in(made->log)[unit.entries[0].symbol];
            return Spills{resources.spill_stores, resources.spill_loads};
        });
    }

  private:
    struct Translation {
        Unit unit;
        std::string warnings;
    };

    Result<Request> request_of(const BuildRequest& request) const {
        const bool is_call = request.access == ElementAccess::call;
        if (request.access != ElementAccess::none && !is_call) return array_request_of(program_, request);
        const KernelInfo* kernel =
            is_call ? find_function(program_, request.kernel) : find_kernel(program_, request.kernel);
        if (!kernel) internal_error("a launch of a kernel that is not there");
        std::vector<Type> types;
        const bool has_named = std::ranges::any_of(request.types, [](const ArgumentType& t) { return t.named; });
        const TypeNames names = has_named ? names_of(program_.scope) : TypeNames();
        for (const ArgumentType& type : request.types) {
            const std::optional<Type> known = type_of(type, names);
            if (!known)
                return refuse(fmt::format("`{}` of {} bytes, aligned to {}, is no type that kernel `{}` can take{}",
                                          type.named->text, type.named->size, type.named->alignment, request.kernel,
                                          why_no_type(*type.named, names)));
            types.push_back(*known);
        }
        const size_t given = types.size();
        if (is_call) fill_with_defaults(*kernel, types);
        Result<Signature> signature = is_call ? choose_for_call(*kernel, types) : choose_signature(*kernel, types);
        if (!signature) return signature.status();
        signature->noalias |= request.disjoint;
        signature->index32 |= request.disjoint;
        Request wanted{request.kernel, std::move(*signature), kernel->span};
        for (size_t i = 0; i < request.types.size(); ++i)
            if (const auto& constant = request.types[i].constant)
                wanted.constants[i] = constant->visit([](auto v) { return ConstantValue(v); });
        for (size_t i = given; i < types.size(); ++i) {
            const auto& [number, is_none] = kernel->defaults[i + kernel->defaults.size() - types.size()];
            if (number) wanted.constants[i] = *number;
            if (!number && !is_none) wanted.defaulted.push_back(i);
        }
        wanted.cpu_only = is_call;
        return wanted;
    }

    Result<Translation> translated(const BuildRequest& request) const {
        const Result<Request> wanted = request_of(request);
        if (!wanted) return wanted.status();
        Diagnostics diagnostics(options_.warnings);
        EmitOptions emit = options_.emit;
        emit.wide = request.wide;
        if (!request.wide) emit.single = request.numbers;
        for (const Team& team : request.teams) emit.teams.push_back({team.threads, team.items});
        emit.debug |= request.access == ElementAccess::call;  // whoever calls it gets its exceptions
        std::optional<Unit> unit = translate(program_, {*wanted}, target_of(request.arch), emit, diagnostics);
        if (!unit) return diagnostics_error(diagnostics);
        if (unit->entries.size() != 1) internal_error("one request made several entry points");
        return Translation{std::move(*unit), render(diagnostics)};
    }

    /// What a launch gives, in the parameters' order: types, and what is compiled in.
    std::string signature_of(const EntryPoint& point, const BuildRequest& request) const {
        std::vector<std::string> parts;
        std::size_t next = 0;
        const KernelInfo* const kernel = find_kernel(program_, point.kernel);
        for (std::size_t i = 0; kernel && i < kernel->params.size() && i < request.types.size(); ++i) {
            const ArgumentType& type = request.types[i];
            if (type.constant)
                parts.push_back(kernel->params[i] + "=" + text_of(*type.constant));
            else if (type.is_compiled_in())
                parts.push_back("none");
            else if (next < point.params.size())
                parts.push_back(point.params[next++].type.signature());
        }
        for (; next < point.params.size(); ++next) parts.push_back(point.params[next].type.signature());
        return fmt::format("{}({})", point.kernel, fmt::join(parts, ", "));
    }

    Result<Entry> entry_of(const Unit& unit, const BuildRequest& request) const {
        const EntryPoint& point = unit.entries[0];
        Entry entry;
        entry.kernel = point.kernel;
        entry.symbol = point.symbol;
        entry.cooperative = point.cooperative;
        entry.min_sm = point.min_sm;
        entry.elements_per_thread = point.elements_per_thread;
        entry.has_checks = unit.has_checks;
        entry.team = {point.team.threads, point.team.items};
        for (const EntryParam& param : point.params) {
            const auto type = argument_type(param.type);
            if (!type)
                return refuse(
                    fmt::format("parameter `{}` of kernel `{}` has type {}: nothing of it can be passed to a launch",
                                param.name, point.kernel, param.type.name()));
            entry.params.push_back({param.name, *type, param.written, param.overwritten});
        }
        entry.signature = signature_of(point, request);
        return entry;
    }

    Result<Built> built(const BuildRequest& request) const {
        const Stopwatch translating;
        Result<Translation> translation = translated(request);
        if (!translation) return translation.status();
        Unit& unit = translation->unit;
        Result<Entry> entry = entry_of(unit, request);
        if (!entry) return entry.status();
        entry->has_checks |= request.access == ElementAccess::call;
        Built made;
        made.transpile_ms = translating.milliseconds();
        if (request.arch.compute_capability < entry->min_sm && !request.arch.is_cpu)
            return Error{Error::Kind::input_output,
                         fmt::format("kernel `{}` needs a GPU of sm_{} or later; {} is sm_{}", entry->kernel,
                                     entry->min_sm, request.arch.device_name, request.arch.compute_capability),
                         nullptr};
        made.files = program_.library->files();
        std::ranges::move(files_of_links(unit.links), std::back_inserter(made.files));
        made.missing = program_.library->missing();
        const Stopwatch compiling;
        Result<Artifact> artifact = request.arch.is_cpu ? for_cpu(unit, made) : for_gpu(unit, request.arch, made);
        if (!artifact) return artifact.status();
        made.compile_ms = compiling.milliseconds();
        made.entry = *std::move(entry);
        made.binary = std::move(artifact->bytes);
        made.tool = std::move(artifact->tool);
        made.emitted = std::move(unit.text);
        made.warnings = std::move(translation->warnings);
        return made;
    }

    Result<Artifact> for_cpu(const Unit& unit, Built& made) const {
        const auto compiler = find_host_compiler();
        if (compiler) made.tools = programs_in(*compiler);
        Tooled<Artifact> artifact = compile_with_host_compiler(unit);
        if (!artifact)
            return tool_error(artifact.error(), unit, program_, fmt::format("{}", fmt::join(made.tools, " ")));
        return std::move(*artifact);
    }
    Result<Artifact> for_gpu(const Unit& unit, const TargetArch& arch, Built& made) const {
        const Result<Choice> choice = choose_arch(arch);
        if (!choice) return choice.status();
        made.tools = {nvrtc_info()->path};
        if (is_linked(unit))
            if (const auto linker = nvjitlink_info()) made.tools.push_back(linker->path);
        Tooled<Artifact> artifact =
            compile_for_gpu(unit, choice->is_exact ? ArtifactKind::cubin : ArtifactKind::ptx, choice->arch);
        if (!artifact) return tool_error(artifact.error(), unit, program_, "NVRTC: " + made.tools[0]);
        return std::move(*artifact);
    }

    Program program_;
    CompilerOptions options_;
    ProgramInfo info_;
};

class CompilerInProcess final : public Compiler {
  public:
    Result<std::shared_ptr<const CompilerProgram>> open(const std::string& name, std::string text,
                                                        const Options& options,
                                                        const std::string& base) const override {
        using Opened = std::shared_ptr<const CompilerProgram>;
        return guarded([&]() -> Result<Opened> {
            Result<CompilerOptions> known = compiler_options(options);
            if (!known) return known.status();
            Diagnostics diagnostics(known->warnings);
            std::string error;
            const SourceFilePtr source = decode(name, std::move(text), error);
            if (!source) return Error{Error::Kind::input_output, std::move(error), nullptr};
            std::optional<Program> program =
                read_program(source, known->defines, diagnostics, options.import_folders, base);
            if (!program) return diagnostics_error(diagnostics);
            if (auto wrong = wrong_define(*program)) return Error{Error::Kind::arguments, *std::move(wrong), nullptr};
            program->typing = options.typing == Typing::narrow ? pyk::Typing::narrow : pyk::Typing::numba;
            program->links = options.links;
            return Opened(std::make_shared<const Parsed>(std::move(*program), *std::move(known), render(diagnostics)));
        });
    }

    Result<std::string> disassemble(const std::string& cubin) const override {
        return guarded([&]() -> Result<std::string> {
            const TempFolder folder;
            if (!folder.ok() || !write_file(folder.file("module.cubin"), cubin))
                return Error{Error::Kind::input_output, folder.why_unwritable(), nullptr};
            const auto tool = find_toolkit_program("nvdisasm");
            if (!tool) return Error{Error::Kind::input_output, "SASS needs nvdisasm, of the CUDA toolkit", nullptr};
            const auto result = run_process({*tool, folder.file("module.cubin")});
            if (result && result->exit_code == 0) return result->output;
            return Error{Error::Kind::input_output, *tool + " failed: " + (result ? result->messages : ""), nullptr};
        });
    }

    std::string why_no_tool(bool for_cpu) const override {
        if (for_cpu) return find_host_compiler() ? "" : why_no_host_compiler();
        const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
        return nvrtc ? "" : nvrtc.error().text;
    }
};

}  // namespace

const Compiler& compiler() {
    static const CompilerInProcess instance;
    return instance;
}

}  // namespace pyk::jit
