// `pykc FILE`
#include "compile/gpu.h"
#include "compile/nvcc.h"
#include "driver/archs.h"
#include "driver/cli/commands.h"
#include "driver/cli/list.h"
#include "driver/cli/output.h"
#include "driver/cli/terminal.h"
#include "driver/load.h"
#include "driver/requests.h"
#include "support/fault.h"

namespace pyk {
namespace {

class Compiler {
  public:
    explicit Compiler(const CompileOptions& options) : options_(options), diagnostics_(options.warnings) {}

    ExitCode run() {
        refuse_binary_on_terminal();
        std::string error;
        const SourceFilePtr source = load(options_.file, error);
        if (!source) throw InputOutputError(error);
        for (const std::string& text : options_.signatures) selection_.signatures.push_back(signature_source(text));
        selection_.kernels = options_.kernels;

        const std::optional<std::string> product = compile(source);
        show(diagnostics_);
        if (!product || diagnostics_.has_errors()) return ExitCode::diagnostics;
        if (!options_.check) write_output(options_.output, *product);
        return ExitCode::fine;
    }

  private:
    void refuse_binary_on_terminal() const {
        if (is_binary(options_.emit) && options_.output == "-" && !options_.check && !options_.list &&
            stdout_is_terminal())
            throw UsageError("this output is binary and standard output is a terminal; give -o FILE");
    }

    // nullopt: diagnostics say why.
    std::optional<std::string> compile(const SourceFilePtr& source) {
        program_ = read_program(source, options_.defines, diagnostics_, options_.import_folders);
        if (!program_) return std::nullopt;
        program_->typing = options_.typing;
        program_->links = options_.links;
        if (options_.list) return list_kernels(*program_);
        if (options_.emit == EmitKind::ast && !options_.check) return dump_tree(*program_) + "\n";

        requests_ = choose_requests(*program_, selection_, diagnostics_);
        if (diagnostics_.has_errors()) return std::nullopt;
        return product();
    }

    std::optional<std::string> product() {
        switch (options_.emit) {
            case EmitKind::ast:  // with --check: as for the default
            case EmitKind::cu:
                return text(cuda_target());
            case EmitKind::cpp:
                return text(cpu_target());
            case EmitKind::header:
                return translate_to_header(*program_, requests_, emit_options(), diagnostics_);
            case EmitKind::ir:
                return translate_to_ir(*program_, requests_, emit_options(), diagnostics_);
            case EmitKind::ptx:
                return binary(ArtifactKind::ptx);
            case EmitKind::cubin:
                return binary(ArtifactKind::cubin);
            case EmitKind::fatbin:
                return binary(ArtifactKind::fatbin);
        }
        internal_error("an --emit kind that nothing makes");
    }

    EmitOptions emit_options() const {
        return {options_.include_prelude, options_.line_directives, options_.debug,
                options_.check_bounds,    options_.template_folder, options_.code};
    }

    std::optional<std::string> text(const Target& target) {
        std::optional<Unit> unit = translate(*program_, requests_, target, emit_options(), diagnostics_);
        if (!unit) return std::nullopt;
        return std::move(unit->text);
    }

    std::optional<std::string> binary(ArtifactKind kind) {
        EmitOptions options = emit_options();
        options.include_prelude = false;  // a tool gets one self-contained text
        const std::optional<Unit> unit = translate(*program_, requests_, cuda_target(), options, diagnostics_);
        if (!unit) return std::nullopt;

        const std::vector<Arch> archs =
            options_.archs.empty() ? std::vector{default_arch(*unit, options_.emit == EmitKind::ptx)} : options_.archs;
        if (kind != ArtifactKind::fatbin && archs.size() != 1)
            throw UsageError("PTX and cubins are for one architecture; --emit=fatbin holds several");
        check_archs(*unit, archs, program_->kernels, diagnostics_);
        if (diagnostics_.has_errors() || options_.check) return std::string();
        return bytes_of(kind == ArtifactKind::fatbin ? compile_for_gpus(*unit, archs) : single(*unit, kind, archs[0]));
    }

    // Unwraps what a tool made. Emitted text that a tool refuses is a fault of ours; what it links is the user's.
    std::optional<std::string> bytes_of(Tooled<Artifact> made) {
        if (made) return std::move(made->bytes);
        const ToolError& error = made.error();
        const std::string text = error.log.empty() ? error.text : error.text + ":\n" + error.log;
        if (error.kind == ToolError::Kind::rejected) internal_error(text);
        if (error.kind != ToolError::Kind::linking) throw InputOutputError(text);
        diagnostics_.report(diag::link_failed, error.span, text);
        return std::nullopt;
    }

    // NVRTC is twenty times as fast; nvcc is as good where NVRTC is missing.
    static Tooled<Artifact> single(const Unit& unit, ArtifactKind kind, const Arch& arch) {
        Tooled<Artifact> made = compile_for_gpu(unit, kind, arch);
        if (!made && !is_linked(unit) && made.error().kind == ToolError::Kind::missing && find_nvcc())
            made = compile_with_nvcc(unit, kind, {arch});
        return made;
    }

    const CompileOptions& options_;
    Diagnostics diagnostics_;
    Selection selection_;
    std::optional<Program> program_;
    std::vector<Request> requests_;
};

}  // namespace

ExitCode run_compile(const CompileOptions& options) { return Compiler(options).run(); }

ExitCode run_list_builtins() {
    write_output("-", list_builtins());
    return ExitCode::fine;
}

}  // namespace pyk
