#include "driver/cli/compilation.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "compile/gpu.h"
#include "compile/nvcc.h"
#include "driver/archs.h"
#include "driver/cli/arch_words.h"
#include "driver/cli/depfile.h"
#include "driver/cli/failure.h"
#include "driver/cli/list.h"
#include "driver/cli/spelling.h"
#include "driver/defined_names.h"
#include "driver/header_requests.h"
#include "driver/left_out.h"
#include "driver/links.h"
#include "driver/load.h"
#include "driver/requests.h"
#include "driver/tool_errors.h"
#include "support/fault.h"

namespace pyk {
namespace {

class Compilation {
    template <typename Work>
    auto measure(const std::string& phase, const Work& work) {
        return result_.times.measure(phase, work);
    }

  public:
    Compilation(const CompileOptions& options, const std::string& file) : options_(options), file_(file) {
        result_.diagnostics = Diagnostics(options.warnings);
        result_.times.file = file;
    }

    CompilationResult run() {
        plan_ = plan_outputs(options_, file_);
        if (options_.relocatable && !plans(EmitKind::object)) throw UsageError("-rdc=true is about --emit=object");
        const SourceFilePtr source = measure("read", [&] { return source_text(); });
        diagnostics().keep(source);
        const bool made = make_outputs(source);
        result_.good = made && !diagnostics().has_errors();
        if (result_.good) result_.inputs = inputs();
        if (result_.good && options_.dependencies.wanted) add_depfile();
        return std::move(result_);
    }

  private:
    Diagnostics& diagnostics() { return result_.diagnostics; }

    SourceFilePtr source_text() const {
        std::string error;
        SourceFilePtr source = load(file_, error, options_.stdin_name);
        if (!source) throw InputOutputError(error);
        return source;
    }

    // False: diagnostics say why.
    bool make_outputs(const SourceFilePtr& source) {
        if (!options_.template_folder.empty() && !check_templates(options_.template_folder, diagnostics()))
            return false;
        program_ = measure(
            "parse", [&] { return read_program(source, options_.defines, diagnostics(), options_.import_folders); });
        if (!program_) return false;
        // Of several files, each has some of the names.
        const bool is_one_of_several = options_.files.size() > 1 || options_.skip_foreign_signatures;
        if (const auto wrong = is_one_of_several ? std::nullopt : wrong_define(*program_)) throw UsageError(*wrong);
        program_->typing = options_.typing;
        program_->links = options_.links;
        if (options_.list) {
            result_.outputs.add("-", list_kernels(*program_));
            return true;
        }
        const bool needs_types = options_.check || std::ranges::any_of(plan_, [](const PlannedOutput& output) {
                                     return output.kind != EmitKind::ast;
                                 });
        if (needs_types) {
            requests_ = choose_requests(*program_, selection(), diagnostics());
            if (diagnostics().has_errors()) return false;
            for (Request& request : requests_) request.cpu_only |= is_for_cpu_alone(request);
            requests_ =
                without_failing(*program_, std::move(requests_), diagnostics(),
                                [&](const Request& request, Diagnostics& found) { return translates(request, found); });
            if (plans(EmitKind::header)) requests_ = in_all_layouts(*program_, std::move(requests_));
            for (const Request& request : requests_)
                (!request.cpu_only ? kernels_ : request.is_host_call() ? calls_ : cpu_arrays_).push_back(request);
        }
        const bool has_more_on_cpu = !calls_.empty() || !cpu_arrays_.empty();
        if (options_.check && has_more_on_cpu && !plans(EmitKind::cpp) && !text(cpu_target())) return false;
        return std::ranges::all_of(plan_, [&](const PlannedOutput& output) { return make(output); });
    }

    static bool is_gpu_code(const PlannedOutput& output) {
        return output.kind == EmitKind::cu || info(output.kind).is_compiled;
    }
    bool makes_gpu_code() const { return std::ranges::any_of(plan_, is_gpu_code); }

    /// Where no code for GPUs is made: an array function that makes arrays, or raises on the CPU.
    bool is_for_cpu_alone(Request request) const {
        const ArrayFunctionInfo* function = find_array_function(*program_, request.kernel);
        if (!function || !may_make_arrays(*function) || (makes_gpu_code() && !options_.check)) return false;
        Diagnostics elsewhere, here;
        const bool is_for_all = translates(request, elsewhere);
        request.cpu_only = true;
        if (!is_for_all) return translates(request, here);
        if (makes_gpu_code() || !plans(EmitKind::cpp)) return false;
        const std::optional<Unit> unit = translate(*program_, {request}, cpu_target(), {}, here);
        return unit && unit->has_checks;
    }

    /// By itself, for one of the targets that outputs are made for.
    bool translates(const Request& request, Diagnostics& found) const {
        if (request.cpu_only && !options_.check && !plans(EmitKind::cpp)) return true;  // nothing is made of it
        const bool is_on_cpu = request.cpu_only || (plans(EmitKind::cpp) && !plans(EmitKind::cu));
        EmitOptions options;
        options.debug = request.is_host_call();
        return translate(*program_, {request}, is_on_cpu ? cpu_target() : cuda_target(), options, found).has_value();
    }

    Selection selection() {
        Selection selection;
        for (const std::string& text : options_.signatures) {
            if (options_.skip_foreign_signatures && !is_of_this_file(text)) continue;
            selection.signatures.push_back(signature_source(text));
            diagnostics().keep(selection.signatures.back());
        }
        selection.kernels = options_.kernels;
        selection.for_host = plans(EmitKind::cpp);
        selection.is_check = options_.check;
        selection.for_device = std::ranges::any_of(plan_, [](const PlannedOutput& output) {
            return is_gpu_code(output) && output.kind != EmitKind::images;  // those are launched
        });
        return selection;
    }

    bool is_of_this_file(std::string_view signature) const {
        std::string_view name = signature.substr(0, signature.find('('));
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        return name.empty() || defines(*program_, name);
    }

    bool make(const PlannedOutput& output) {
        if (info(output.kind).is_compiled) return make_compiled(output);
        std::optional<std::string> made = measure("translate", [&] { return text_product(output.kind); });
        if (!made) return false;
        add(output.path, std::move(*made));
        return true;
    }

    void add(const std::string& path, std::string bytes) {
        if (!options_.check) result_.outputs.add(path, std::move(bytes));
    }

    std::optional<std::string> text_product(EmitKind kind) {
        switch (kind) {
            case EmitKind::ast:  // `--check` wants to know of types as well
                return options_.check ? text(cuda_target()) : dump_tree(*program_) + "\n";
            case EmitKind::cu:
                return text(cuda_target());
            case EmitKind::cpp:
                return text(cpu_target());
            case EmitKind::header:
                return header();
            case EmitKind::ir:
                return translate_to_ir(*program_, requests_, emit_options(), diagnostics());
            default:
                internal_error("an --emit kind that nothing makes");
        }
    }

    EmitOptions emit_options() const {
        EmitOptions options;
        options.include_prelude = options_.include_prelude;
        options.line_directives = options_.line_directives ? LineDirectives::all : LineDirectives::none;
        options.debug = options_.debug;
        options.check_bounds = options_.check_bounds;
        options.check_races = options_.check_races;
        options.template_folder = options_.template_folder;
        options.code = options_.code;
        options.name_space = options_.name_space;
        options.has_header = plans(EmitKind::header);
        if (options.has_header) options.layouts = array_layouts(*program_, requests_);
        if (options.has_header) options.build = build();
        return options;
    }

    // One text may be built in several ways for libraries that meet in a program: each has its own code.
    std::string build() const {
        const HeaderParts parts = header_parts();
        std::string text = fmt::format("{}{}{}", parts.kernels, parts.entries, parts.images);
        for (const Arch& arch : options_.archs.images)
            text += " " + (arch.is_virtual ? arch.virtual_name() : arch.real_name());
        const CodeOptions& code = options_.code;
        return text + fmt::format(" {} {} {} {} {} {} {} {} {} {}", static_cast<int>(options_.archs.word),
                                  code.fastmath, code.no_fmad, code.device_debug, code.lineinfo, code.max_registers,
                                  code.optimization.value_or(-1), options_.debug, options_.check_bounds,
                                  options_.check_races);
    }

    bool plans(EmitKind kind) const { return std::ranges::find(plan_, kind, &PlannedOutput::kind) != plan_.end(); }

    // Of texts that are compiled and linked with the program.
    EmitOptions linked_options() const {
        EmitOptions options = emit_options();
        options.is_linked = options.has_header;
        return options;
    }

    // The forms that are made beside the header.
    HeaderParts header_parts() const {
        return {plans(EmitKind::cu) || plans(EmitKind::object), plans(EmitKind::cpp), plans(EmitKind::images)};
    }

    // What the CPU alone has is made of texts of their own behind that of the kernels: array functions, which may make
    // arrays, and what the host calls: there what a function raises is an error, and loops over `prange` run on all
    // cores.
    std::optional<std::string> text(const Target& target) {
        std::vector<const std::vector<Request>*> parts;
        if (target.id == TargetId::cpu)
            for (const auto* requests : {&kernels_, &cpu_arrays_, &calls_})
                if (!requests->empty()) parts.push_back(requests);
        if (parts.empty()) parts.push_back(&kernels_);
        std::string all;
        for (const std::vector<Request>* requests : parts) {
            EmitOptions options = requests == &calls_ ? call_options() : linked_options();
            if (requests != parts.front()) options.part = requests == &calls_ ? "calls" : "arrays";
            const std::optional<Unit> unit = translate(*program_, *requests, target, options, diagnostics());
            if (!unit) return std::nullopt;
            remember_links(*unit);
            all += (all.empty() ? "" : "\n") + unit->text;
        }
        return all;
    }

    EmitOptions call_options() const {
        EmitOptions options = linked_options();
        options.debug = true;
        return options;
    }

    std::optional<std::string> header() {
        const HeaderParts parts = header_parts();
        std::string all;
        const auto add = [&](const std::vector<Request>& requests, const EmitOptions& options, HeaderParts forms) {
            forms.is_continued = !all.empty();
            const auto part = translate_to_header(*program_, requests, options, diagnostics(), forms);
            if (part) all += (forms.is_continued ? "\n" : "") + *part;
            return part.has_value();
        };
        const bool has_more = parts.entries && (!calls_.empty() || !cpu_arrays_.empty());
        if (!(has_more && kernels_.empty()) && !add(kernels_, linked_options(), parts)) return std::nullopt;
        HeaderParts on_cpu{.entries = true};
        if (has_more && !cpu_arrays_.empty() && !add(cpu_arrays_, linked_options(), on_cpu)) return std::nullopt;
        for (const Request& request : calls_) on_cpu.functions.insert(request.kernel);
        if (has_more && !calls_.empty() && !add(calls_, call_options(), on_cpu)) return std::nullopt;
        return all;
    }

    void remember_links(const Unit& unit) {
        for (cache::FileRead& file : files_of_links(unit.links)) linked_files_.insert(std::move(file.path));
    }

    // The text that tools get: self-contained, the same for all of them, but what is linked into the program.
    const Unit* unit_for_tools(bool is_linked) {
        if (unit_ && unit_is_linked_ == is_linked) return &*unit_;
        EmitOptions options = is_linked ? linked_options() : emit_options();
        unit_is_linked_ = is_linked;
        options.include_prelude = false;
        options.line_directives = std::max(options.line_directives, LineDirectives::with_line_numbers);
        unit_ =
            measure("translate", [&] { return translate(*program_, kernels_, cuda_target(), options, diagnostics()); });
        if (unit_) remember_links(*unit_);
        return unit_ ? &*unit_ : nullptr;
    }

    bool make_compiled(const PlannedOutput& output) {
        const Unit* unit = unit_for_tools(output.kind == EmitKind::object);
        if (!unit) return false;
        const bool holds_several = info(output.kind).holds_several;
        std::vector<Arch> archs = archs_for(options_.archs, *unit, holds_several, is_for_virtual(output.kind));
        if (!holds_several && !output.per_arch && archs.size() != 1)
            throw UsageError(
                "PTX, LTO-IR and cubins are for one architecture; --emit=fatbin holds several, and -d writes a file "
                "for each");
        check_archs(*unit, archs, *program_, diagnostics());
        if (diagnostics().has_errors()) return false;
        if (options_.check) return true;
        return measure("compile", [&] {
            if (output.kind == EmitKind::images) return make_images(output, *unit, archs);
            if (!output.per_arch) return keep(output.path, compiled(*unit, output.kind, archs));
            return std::ranges::all_of(archs, [&](const Arch& arch) {
                return keep(path_for(output.path, arch, output.kind), compiled(*unit, output.kind, {arch}));
            });
        });
    }

    static bool is_for_virtual(EmitKind kind) { return kind == EmitKind::ptx || kind == EmitKind::ltoir; }

    // `saxpy.cubin` → `saxpy.sm_90.cubin`
    static std::string path_for(const std::string& path, const Arch& arch, EmitKind kind) {
        const bool is_virtual = arch.is_virtual || is_for_virtual(kind);
        const size_t dot = path.rfind('.');
        return path.substr(0, dot + 1) + (is_virtual ? arch.virtual_name() : arch.real_name()) + path.substr(dot);
    }

    bool keep(const std::string& path, std::optional<std::string> bytes) {
        if (!bytes) return false;
        add(path, std::move(*bytes));
        return true;
    }

    std::optional<std::string> compiled(const Unit& unit, EmitKind kind, const std::vector<Arch>& archs) {
        switch (kind) {
            case EmitKind::fatbin:
                return bytes_of(compile_for_gpus(unit, archs));
            case EmitKind::object:
                return object(unit, archs);
            case EmitKind::ptx:
                return bytes_of(single(unit, ArtifactKind::ptx, archs[0]));
            case EmitKind::ltoir:
                return bytes_of(single(unit, ArtifactKind::ltoir, archs[0]));
            default:
                return bytes_of(single(unit, ArtifactKind::cubin, archs[0]));
        }
    }

    // Of nvcc's -rdc=true: device functions call, and are called, across objects; nvcc links them.
    std::optional<std::string> object(const Unit& unit, const std::vector<Arch>& archs) {
        if (!options_.relocatable && !unit.is_relocatable && is_linked(unit))
            throw UsageError("--emit=object holds code of your own with -rdc=true alone, for nvcc to link with it");
        Unit made = unit;
        made.is_relocatable |= options_.relocatable;
        return bytes_of(compile_with_nvcc(made, ArtifactKind::object, archs));
    }

    bool make_images(const PlannedOutput& output, Unit unit, const std::vector<Arch>& archs) {
        unit.is_relocatable = false;  // they are loaded as they are
        std::vector<CompiledImage> images;
        for (const Arch& arch : archs) {
            auto bytes = bytes_of(single(unit, arch.is_virtual ? ArtifactKind::ptx : ArtifactKind::cubin, arch));
            if (!bytes) return false;
            images.push_back({arch.is_virtual ? arch.virtual_name() : arch.real_name(), arch.number, arch.suffix,
                              arch.is_virtual, std::move(*bytes)});
        }
        return keep(output.path, emit_images(std::filesystem::path(program_->source->name()).filename(), unit, images,
                                             emit_options(), diagnostics()));
    }

    // Unwraps what a tool made. Emitted text that a tool refuses is a fault of ours; what it links is the user's.
    std::optional<std::string> bytes_of(Tooled<Artifact> made) {
        if (made) return std::move(made->bytes);
        const ToolError& error = made.error();
        const bool is_refusal = error.kind == ToolError::Kind::rejected;
        if (is_refusal && report_tool_errors(error, *unit_, *program_, diagnostics())) return std::nullopt;
        const std::string log = in_terms_of_source(error.log, *unit_, program_->source->name());
        const std::string text = log.empty() ? error.text : error.text + ":\n" + log;
        if (is_refusal) internal_error(text);
        if (error.kind != ToolError::Kind::linking) throw InputOutputError(text);
        diagnostics().report(diag::link_failed, error.span, text);
        return std::nullopt;
    }

    // NVRTC is twenty times as fast; nvcc is as good where NVRTC is missing.
    static Tooled<Artifact> single(const Unit& unit, ArtifactKind kind, const Arch& arch) {
        Tooled<Artifact> made = compile_for_gpu(unit, kind, arch);
        if (!made && !is_linked(unit) && made.error().kind == ToolError::Kind::missing && find_nvcc())
            made = compile_with_nvcc(unit, kind, {arch});
        return made;
    }

    // Not what is no file (stdin, what pykc carries): a make rule about it would never be up to date.
    std::vector<std::string> inputs() const {
        std::vector<std::string> read = files_read(*program_);
        if (file_ == "-") read.erase(read.begin());
        read.insert(read.end(), linked_files_.begin(), linked_files_.end());
        for (std::string& path : template_files_of(options_.template_folder)) read.push_back(std::move(path));
        return read;
    }

    void add_depfile() {
        const DependencyOptions& wanted = options_.dependencies;
        const std::vector<std::string> outputs = result_.outputs.paths();
        std::string path = wanted.file;
        if (path.empty()) {
            if (outputs.empty() || outputs[0] == "-")
                throw UsageError("-MD without -MF needs an output file, whose name it takes");
            path = std::filesystem::path(outputs[0]).replace_extension(".d").string();
        }
        if (std::ranges::find(outputs, path) != outputs.end())
            throw UsageError(fmt::format("two outputs would be written to {}: the file of -MF is another", path));
        const bool named = !wanted.targets.empty();
        result_.outputs.add(path, depfile(named ? wanted.targets : outputs, result_.inputs, file_, wanted.phony));
    }

    static std::vector<std::string> template_files_of(const std::string& folder) {
        std::vector<std::string> paths;
        std::error_code ignored;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored))
            if (entry.path().extension() == ".mustache") paths.push_back(entry.path().string());
        std::ranges::sort(paths);
        return paths;
    }

    const CompileOptions& options_;
    const std::string& file_;
    CompilationResult result_;
    std::vector<PlannedOutput> plan_;
    std::optional<Program> program_;
    std::vector<Request> requests_, kernels_;  ///< all; of every target
    std::vector<Request> cpu_arrays_, calls_;  ///< of the CPU alone: array functions, what the host calls
    std::optional<Unit> unit_;
    bool unit_is_linked_ = false;
    std::set<std::string> linked_files_;
};

}  // namespace

std::vector<PlannedOutput> plan_outputs(const CompileOptions& options, const std::string& file) {
    namespace fs = std::filesystem;
    std::vector<EmitRequest> wanted = options.emit;
    if (wanted.empty())
        wanted.push_back({options.output.empty() ? EmitKind::cu : emit_kind_of_file(options.output), {}});
    // `<stdin>` is a name for messages alone.
    const bool is_unnamed = file == "-" && options.stdin_name.starts_with('<');
    const fs::path name = is_unnamed ? "stdin" : file == "-" ? options.stdin_name : file;

    std::vector<PlannedOutput> plan;
    for (const EmitRequest& request : wanted) {
        const EmitKindInfo& kind = info(request.kind);
        PlannedOutput output{request.kind, request.file, false};
        if (output.path.empty() && !options.output_folder.empty()) {
            output.path = fs::path(options.output_folder) / name.stem().concat(extension_of(request.kind));
            output.per_arch = kind.is_compiled && !kind.holds_several && options.archs.archs.size() > 1;
        } else if (output.path.empty()) {
            output.path = options.output.empty() ? "-" : options.output;
            if (!plan.empty() && output.path != "-")
                output.path = fs::path(options.output).replace_extension().concat(extension_of(request.kind));
        }
        const auto same_file = [&](const PlannedOutput& other) {
            return fs::absolute(other.path).lexically_normal() == fs::absolute(output.path).lexically_normal();
        };
        const bool is_taken = std::ranges::any_of(plan, same_file);
        if (is_taken && !options.check)
            throw UsageError(fmt::format("two outputs would be written to {}; give -o FILE, -d DIR or --emit=KIND=FILE",
                                         output.path == "-" ? "the standard output" : output.path));
        plan.push_back(std::move(output));
    }
    const auto has = [&](EmitKind kind) { return std::ranges::find(plan, kind, &PlannedOutput::kind) != plan.end(); };
    const bool is_launched = has(EmitKind::cu) || has(EmitKind::object) || has(EmitKind::images) || has(EmitKind::cpp);
    if (has(EmitKind::header) && !is_launched)
        throw UsageError(
            "a header's functions launch what is made beside it; say --emit=cu,header, or object, images, cpp");
    return plan;
}

CompilationResult compile_file(const CompileOptions& options, const std::string& file) {
    return Compilation(options, file).run();
}

}  // namespace pyk
