// `pykc report FILE`
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "compile/cubin.h"
#include "compile/gpu.h"
#include "compile/nvrtc.h"
#include "compile/occupancy.h"
#include "driver/archs.h"
#include "driver/cli/arch_words.h"
#include "driver/cli/commands.h"
#include "driver/cli/output.h"
#include "driver/cli/terminal.h"
#include "driver/left_out.h"
#include "driver/load.h"
#include "driver/requests.h"
#include "driver/tool_errors.h"

namespace pyk {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kHottest = 5;

struct HotLine {
    SourceLine line;
    size_t instructions = 0;
};

struct KernelReport {
    const EntryPoint* kernel = nullptr;
    PtxasResources resources;
    std::optional<Occupancy> occupancy;
    size_t instructions = 0;
    std::vector<HotLine> lines;  ///< the hottest first
};

class Reporter {
  public:
    explicit Reporter(const ReportOptions& options) : options_(options), diagnostics_(options.warnings) {}

    ExitCode run() {
        std::string error;
        source_ = load(options_.file, error);
        if (!source_) throw InputOutputError(error);
        const bool made = translate_and_compile();
        show(diagnostics_);
        if (!made || diagnostics_.has_errors()) return ExitCode::diagnostics;
        std::vector<KernelReport> reports;
        for (const EntryPoint& entry : unit_->entries) reports.push_back(report(entry));
        write_output("-", options_.json ? json(reports).dump(2) + "\n" : text(reports));
        return ExitCode::fine;
    }

  private:
    // False: diagnostics say why.
    bool translate_and_compile() {
        program_ = read_program(source_, options_.defines, diagnostics_, options_.import_folders);
        if (!program_) return false;
        program_->typing = options_.typing;
        program_->links = options_.links;
        Selection selection;
        for (const std::string& signature : options_.signatures) {
            selection.signatures.push_back(signature_source(signature));
            diagnostics_.keep(selection.signatures.back());
        }
        selection.kernels = options_.kernels;
        std::vector<Request> requests = choose_requests(*program_, selection, diagnostics_);
        std::erase_if(requests, [](const Request& request) { return request.cpu_only || request.is_export; });
        requests = without_failing(*program_, std::move(requests), diagnostics_,
                                   [&](const Request& request, Diagnostics& found) {
                                       return translate(*program_, {request}, cuda_target(), {}, found).has_value();
                                   });
        if (requests.empty() && !diagnostics_.has_errors())
            throw UsageError("a report is of kernels for GPUs, and " + source_->name() +
                             " has functions for the CPU alone");
        if (diagnostics_.has_errors()) return false;

        EmitOptions emit;
        emit.code = options_.code;
        emit.debug = options_.debug;
        emit.check_bounds = options_.check_bounds;
        unit_ = translate(*program_, requests, cuda_target(), emit, diagnostics_);
        if (!unit_) return false;
        accesses_ = find_accesses(*program_, requests, emit, options_.block, diagnostics_);
        const std::vector<Arch> archs = archs_for(options_.archs, *unit_, false, false);
        if (archs.size() != 1 || archs[0].is_virtual)
            throw UsageError("a report is of one architecture, such as -arch=sm_90");
        arch_ = archs[0];
        check_archs(*unit_, archs, *program_, diagnostics_);
        if (diagnostics_.has_errors()) return false;
        return is_linked(*unit_) ? compile_and_link() : compile();
    }

    Unit unit_with_lines() const {
        Unit unit = *unit_;
        if (std::ranges::find(unit.flags, "--generate-line-info") == unit.flags.end())
            unit.flags.emplace_back("--generate-line-info");
        return unit;
    }

    // The linker keeps ptxas's words to itself: what the cubin says stands for them.
    bool compile_and_link() {
        const Tooled<Artifact> made = compile_for_gpu(unit_with_lines(), ArtifactKind::cubin, arch_);
        if (!made && made.error().kind == ToolError::Kind::linking) {
            diagnostics_.report(diag::link_failed, made.error().span, made.error().text + "\n" + made.error().log);
            return false;
        }
        if (!made) return refused(made.error());
        resources_ = resources_of(made->bytes);
        if (auto counts = instructions_by_line(made->bytes, *unit_)) instructions_ = std::move(*counts);
        return true;
    }

    // False, or throws.
    bool refused(const ToolError& error) {
        if (report_tool_errors(error, *unit_, *program_, diagnostics_)) return false;
        throw InputOutputError(error.text + "\n" + error.log);
    }

    bool compile() {
        const Tooled<Artifact> made = measure_with_nvrtc(unit_with_lines(), arch_);
        if (!made) return refused(made.error());
        resources_ = resources_in(made->log);
        if (auto counts = instructions_by_line(made->bytes, *unit_)) instructions_ = std::move(*counts);
        return true;
    }

    KernelReport report(const EntryPoint& entry) const {
        KernelReport report;
        report.kernel = &entry;
        if (const auto at = resources_.find(entry.symbol); at != resources_.end()) report.resources = at->second;
        if (const auto limits = sm_limits(arch_.number))
            report.occupancy = occupancy(*limits, block_threads(), report.resources.registers,
                                         report.resources.shared + options_.shared_bytes);
        if (const auto at = instructions_.find(entry.symbol); at != instructions_.end()) count(at->second, report);
        return report;
    }

    static void count(const InstructionCounts& counts, KernelReport& report) {
        for (const auto& [line, instructions] : counts) {
            report.instructions += instructions;
            if (line.line) report.lines.push_back({line, instructions});
        }
        std::ranges::stable_sort(report.lines, std::greater(), &HotLine::instructions);
        if (report.lines.size() > kHottest) report.lines.resize(kHottest);
    }

    std::string occupancy_text(const KernelReport& report) const {
        const auto limits = sm_limits(arch_.number);
        if (!limits) return "unknown for " + arch_.real_name();
        if (report.occupancy->warps == 0)
            return fmt::format("none with blocks of {} threads: there is too little of {} for one", block_threads(),
                               report.occupancy->limit);
        return fmt::format("{} % with blocks of {} threads: {} of {} warps, limited by {}",
                           100 * report.occupancy->warps / limits->warps, block_threads(), report.occupancy->warps,
                           limits->warps, report.occupancy->limit);
    }

    unsigned block_threads() const { return options_.block[0] * options_.block[1] * options_.block[2]; }

    static std::string strided_text(const AccessPattern& pattern) {
        if (pattern.is_coalesced()) return "coalesced";
        const auto bytes = static_cast<int64_t>(pattern.bytes);
        return pattern.stride % bytes == 0
                   ? fmt::format("strided by {} ({} bytes)", pattern.stride / bytes, pattern.stride)
                   : fmt::format("strided by {} bytes", pattern.stride);
    }

    static std::string text(const AccessPattern& pattern) {
        switch (pattern.form) {
            case AccessPattern::Form::uniform:
                return "one element for the warp";
            case AccessPattern::Form::strided:
                return strided_text(pattern);
            case AccessPattern::Form::scaled:
                return "strided by what is known when it runs";
            case AccessPattern::Form::grouped:
                return fmt::format("coalesced, one element for {} lanes", pattern.count);
            case AccessPattern::Form::repeated:
                return fmt::format("coalesced, the same {} elements again and again", pattern.count);
            case AccessPattern::Form::permuted:
                return "coalesced, in another order";
            case AccessPattern::Form::pieces:
                return pattern.count == 1 ? fmt::format("{} elements apart", pattern.pieces)
                                          : fmt::format("{} pieces of {} neighbours", pattern.pieces, pattern.count);
            case AccessPattern::Form::unknown:
                return "not known";
            case AccessPattern::Form::gathered:
                return "gathered";
            case AccessPattern::Form::alone:
                return "by one lane";
        }
        return "";
    }

    static std::string place_text(const MemoryAccess& access) {
        if (!access.is_shared) return text(access.pattern);
        if (access.bank_conflicts == 0) return "bank conflicts are not known";
        return access.bank_conflicts == 1 ? "no bank conflict"
                                          : fmt::format("{}-way bank conflict", access.bank_conflicts);
    }

    static std::string_view kind_name(MemoryAccess::Kind kind) {
        return kind == MemoryAccess::Kind::load ? "load" : kind == MemoryAccess::Kind::store ? "store" : "atomic";
    }

    /// `:12` of the file itself, `parts.pyk:12` of one that it imports.
    std::string line_text(Span span) const {
        const bool is_own = !span.file || span.file == source_.get();
        return fmt::format("{}:{}", is_own ? "" : span.file->name(), span.line());
    }

    std::string line_text(const SourceLine& at) const { return fmt::format("{}:{}", at.file, at.line); }

    /// What stands there; empty: it is of a file that is none of the user's.
    std::string_view written_at(const SourceLine& at) const {
        const SourceFile* file = at.file.empty() ? source_.get() : nullptr;
        for (const ast::Module* tree : program_->library->trees())
            if (!at.file.empty() && tree->source->name() == at.file) file = tree->source.get();
        std::string_view line = file ? file->line_text(at.line) : "";
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        return line;
    }

    std::string accesses_text(const KernelReport& report) const {
        std::string text;
        for (const MemoryAccess& access : accesses_)
            if (access.kernel == report.kernel->symbol)
                text += fmt::format("    {:<5} {:<6} {:<6} {:<12} {}\n", line_text(access.span), kind_name(access.kind),
                                    access.is_shared ? "shared" : "global", access.array, place_text(access));
        if (text.empty()) return text;
        const auto& [x, y, z] = options_.block;
        const std::string block = z > 1 ? fmt::format("{} x {} x {}", x, y, z) : fmt::format("{} x {}", x, y);
        return fmt::format("  accesses of a warp (blocks of {} threads)\n", y * z > 1 ? block : std::to_string(x)) +
               text;
    }

    Json accesses_json(const KernelReport& report) const {
        Json rows = Json::array();
        for (const MemoryAccess& access : accesses_) {
            if (access.kernel != report.kernel->symbol) continue;
            Json row = {{"line", access.span.line()},
                        {"array", access.array},
                        {"kind", kind_name(access.kind)},
                        {"memory", access.is_shared ? "shared" : "global"},
                        {"pattern", text(access.pattern)}};
            if (access.span.file != source_.get() && access.span.file) row["file"] = access.span.file->name();
            if (access.pattern.form == AccessPattern::Form::strided) row["stride_bytes"] = access.pattern.stride;
            if (access.bank_conflicts) row["bank_conflicts"] = access.bank_conflicts;
            rows.push_back(std::move(row));
        }
        return rows;
    }

    bool is_of_parts(const EntryPoint& kernel) const {
        const ArrayFunctionInfo* function = find_array_function(*program_, kernel.kernel);
        return function && function->core;
    }

    std::string coarsening_text(const EntryPoint& kernel) const {
        if (is_of_parts(kernel)) return "none: a thread makes a call, where several do not share it";
        return kernel.not_pure.empty()
                   ? fmt::format("{} elements a thread, where libpyk launches many", kernel.elements_per_thread)
                   : "none: " + kernel.not_pure;
    }

    std::string text(const std::vector<KernelReport>& reports) const {
        std::string text;
        for (const KernelReport& report : reports) {
            const PtxasResources& used = report.resources;
            text += fmt::format("{}:{}: {} for {}\n", source_->name(), report.kernel->line, report.kernel->symbol,
                                arch_.real_name());
            text += fmt::format("  registers      {}\n  shared memory  {} bytes\n  stack          {} bytes\n",
                                used.registers, used.shared, used.stack);
            if (!is_linked(*unit_))
                text += fmt::format("  spills         {} bytes stored, {} bytes loaded\n", used.spill_stores,
                                    used.spill_loads);
            text += fmt::format("  occupancy      {}\n", occupancy_text(report));
            text += fmt::format("  coarsening     {}\n", coarsening_text(*report.kernel));
            text += fmt::format("  instructions   {}, most of them of\n", report.instructions);
            for (const HotLine& hot : report.lines)
                text +=
                    fmt::format("  {:>8}       {}  {}\n", hot.instructions, line_text(hot.line), written_at(hot.line));
            text += accesses_text(report);
        }
        return text;
    }

    Json json(const std::vector<KernelReport>& reports) const {
        Json kernels = Json::array();
        for (const KernelReport& report : reports) {
            const PtxasResources& used = report.resources;
            Json kernel = {{"kernel", report.kernel->kernel},
                           {"symbol", report.kernel->symbol},
                           {"line", report.kernel->line},
                           {"registers", used.registers},
                           {"shared_bytes", used.shared},
                           {"stack_bytes", used.stack},
                           {"spill_store_bytes", is_linked(*unit_) ? Json() : Json(used.spill_stores)},
                           {"spill_load_bytes", is_linked(*unit_) ? Json() : Json(used.spill_loads)},
                           {"instructions", report.instructions},
                           {"hottest", Json::array()}};
            if (report.occupancy)
                kernel["occupancy"] = {{"block_threads", block_threads()},
                                       {"warps", report.occupancy->warps},
                                       {"max_warps", sm_limits(arch_.number)->warps},
                                       {"limit", report.occupancy->limit}};
            kernel["coarsening"] = is_of_parts(*report.kernel)       ? Json("a thread makes a call")
                                   : report.kernel->not_pure.empty() ? Json(report.kernel->elements_per_thread)
                                                                     : Json(report.kernel->not_pure);
            kernel["accesses"] = accesses_json(report);
            for (const HotLine& hot : report.lines) {
                Json row = {{"line", hot.line.line}, {"instructions", hot.instructions}};
                if (!hot.line.file.empty()) row["file"] = hot.line.file;
                kernel["hottest"].push_back(std::move(row));
            }
            kernels.push_back(std::move(kernel));
        }
        return {{"arch", arch_.real_name()}, {"kernels", std::move(kernels)}};
    }

    const ReportOptions& options_;
    Diagnostics diagnostics_;
    SourceFilePtr source_;
    std::optional<Program> program_;
    std::optional<Unit> unit_;
    Arch arch_;
    std::vector<MemoryAccess> accesses_;
    std::map<std::string, PtxasResources> resources_;
    std::map<std::string, InstructionCounts> instructions_;
};

}  // namespace

ExitCode run_report(const ReportOptions& options) { return Reporter(options).run(); }

}  // namespace pyk
