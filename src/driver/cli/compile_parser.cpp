#include <fmt/format.h>

#include <filesystem>

#include "driver/cli/arch_words.h"
#include "driver/cli/describe.h"
#include "driver/cli/failure.h"
#include "driver/cli/source_parser.h"
#include "driver/cli/spelling.h"
#include "support/explain.h"

namespace pyk {
namespace {

class CompileParser final : public SourceParser {
  public:
    CompileParser() : SourceParser("Compiles kernels in Python syntax to CUDA C++ and C++.", "pykc") {
        app_.set_version_flag("--version", "pykc " PYK_VERSION);
        app_.footer(
            "\nOther commands (each with its own --help):\n"
            "  pykc run FILE KERNEL ARG…   launch a kernel on the GPU or the CPU\n"
            "  pykc report FILE            what the compiled kernels use, and their costliest lines\n"
            "  pykc devices                what there is to compile with and to run on\n"
            "  pykc cache ACTION           look at the compiled kernels that are kept, or remove them\n");
        declare_input();
        declare_output();
        declare_source(options_);
        declare_messages(options_);
        declare_showing();
    }

  private:
    void declare_input() {
        app_.add_option("file", options_.files, "The .pyk or .py files; - for stdin; @file for a file of arguments")
            ->type_name("FILE")
            ->take_all();
        app_.add_option("--stdin-name", options_.stdin_name, "What messages call stdin; imports are searched beside it")
            ->type_name("NAME")
            ->group("Source");
        add_each("--sig", options_.signatures,
                 "Argument types of a kernel, or of a function that other CUDA C++ calls, as in 'saxpy(float32, "
                 "float32[::1])'")
            ->type_name("SIGNATURE")
            ->group("Source");
        app_.add_flag("--skip-foreign-sigs", options_.skip_foreign_signatures,
                      "Ignore each --sig whose kernel a file does not have")
            ->group("Source");
        add_each("--kernel", options_.kernels, "Compile this kernel only")->type_name("NAME")->group("Source");
    }

    void declare_output() {
        app_.add_option("-o,--output", options_.output, "Where to write; - for stdout (the default)")
            ->type_name("FILE")
            ->group("Output");
        app_.add_option("-d,--output-dir", options_.output_folder, "Where to write the outputs of several inputs")
            ->type_name("DIR")
            ->group("Output");
        add_each("--emit", emit_,
                 fmt::format("{}, several with commas, or KIND=FILE; default: by -o's extension, else cu",
                             fmt::join(emit_names(), ", ")))
            ->type_name("KIND")
            ->group("Output");
        app_.add_option("--arch", archs_, "-arch=sm_90,…: architectures of compiled outputs; native, all, all-major")
            ->type_name("ARCHS")
            ->group("Output");
        app_.add_option("--namespace", options_.name_space, "The C++ namespace; default: the file's name")
            ->type_name("NAME")
            ->group("Output");
        app_.add_option("--prelude", prelude_, "paste the device prelude (the default) or include it")
            ->check(CLI::IsMember({"paste", "include"}))
            ->group("Output");
        app_.add_flag("--line-directives,!--no-line-directives", options_.line_directives, "#line instead of comments")
            ->group("Output");
        app_.add_option("--rdc", rdc_, "-rdc=true: an object whose device code nvcc links with others'")
            ->check(CLI::IsMember({"true", "false"}))
            ->group("Output");
        app_.add_option("--templates", options_.template_folder, "A folder of templates in place of the built-in ones")
            ->type_name("DIR")
            ->group("Output");
        DependencyOptions& dependencies = options_.dependencies;
        app_.add_flag("--write-dependencies", dependencies.wanted, "-MD: also write a make rule of the files read")
            ->group("Output");
        app_.add_option("--dependency-file", dependencies.file, "-MF FILE: where; implies -MD")
            ->type_name("FILE")
            ->group("Output");
        add_each("--dependency-target", dependencies.targets,
                 "-MT NAME: the rule's target, quoted for make; default: the outputs")
            ->type_name("NAME")
            ->group("Output");
        app_.add_flag("--dependency-phony", dependencies.phony, "-MP: an empty rule for each imported file")
            ->group("Output");
    }

    void declare_showing() {
        app_.add_flag("--check", options_.check, "-fsyntax-only: diagnose only")->group("Diagnostics");
        app_.add_flag("--fix", options_.fix, "Make machine-applicable suggestions in the files, then compile")
            ->group("Diagnostics");
        app_.add_option("--explain", explained_, "Explain a diagnostic, by the id that stands behind it in brackets")
            ->type_name("ID")
            ->group("Diagnostics");
        app_.add_flag("--list", options_.list, "List the kernels of the file")->group("Information");
        app_.add_flag("--list-builtins", list_builtins_, "List the builtin functions and values")->group("Information");
        app_.add_flag("--list-archs", list_archs_, "List the architectures that can be compiled for")
            ->group("Information");
        app_.add_option("--completion", completion_, "Write the completions of a shell: bash, zsh or fish")
            ->check(CLI::IsMember({"bash", "zsh", "fish"}))
            ->group("Information");
        app_.add_flag("--manual", manual_, "Write the manual page")->group("Information");
        app_.add_flag("-v,--verbose", options_.verbose, "Show the tools that run")->group("Information");
        app_.add_flag("--show-commands", options_.show_commands, "-###: show them, and run and write nothing")
            ->group("Information");
        app_.add_flag("--dry-run", options_.dry_run, "Do all but write; show what would be written")
            ->group("Information");
        app_.add_option("-j,--jobs", options_.jobs, "Inputs to compile at once (all cores)")
            ->type_name("N")
            ->group("Information");
        app_.add_option("--time-report", time_report_, "Show where the time went; text or json")
            ->expected(0, 1)
            ->default_str("text")
            ->check(CLI::IsMember({"text", "json"}))
            ->group("Information");
    }

    Options finish() override {
        if (!explained_.empty()) {
            if (auto text = explain(explained_)) return PrintOptions{std::move(*text)};
            const std::string near = nearest_id(explained_);
            throw UsageError(fmt::format("there is no diagnostic `{}`{}", explained_,
                                         near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
        }
        if (list_builtins_) return ListBuiltinsOptions{};
        if (manual_) return PrintOptions{manual_page()};
        if (!completion_.empty()) return PrintOptions{completions(completion_)};
        if (list_archs_) return ListArchsOptions{};
        if (options_.files.empty()) throw UsageError("no input file (see pykc --help)");
        for (const std::string& file : options_.files)
            if (!options_.signatures.empty() && file.ends_with(')') && !std::filesystem::exists(file))
                throw UsageError(fmt::format("there is no file {}; if it is a signature, write --sig before it", file));
        finish_source(options_);
        for (const std::string& text : emit_)
            for (EmitRequest& request : parse_emit(text)) options_.emit.push_back(std::move(request));
        options_.relocatable = rdc_ == "true";
        if (options_.output == "-") options_.output.clear();
        if (!options_.output.empty() && !options_.output_folder.empty())
            throw UsageError("-o names one output and -d the folder of all: give one of them");
        if (!options_.dependencies.file.empty()) options_.dependencies.wanted = true;
        if (!options_.dependencies.targets.empty() && !options_.dependencies.wanted)
            throw UsageError("-MT names the target of the rule that -MD or -MF writes: give one of them");
        if (!archs_.empty()) options_.archs = parse_archs(archs_);
        if (!options_.name_space.empty()) check_namespace(options_.name_space);
        if (app_.count("--time-report"))
            options_.time_report = time_report_ == "json" ? TimeReport::json : TimeReport::text;
        options_.include_prelude = prelude_ == "include";
        return std::move(options_);
    }

    CompileOptions options_;
    std::vector<std::string> emit_;
    std::string archs_, explained_, prelude_ = "paste", rdc_, time_report_, completion_;
    bool list_builtins_ = false, list_archs_ = false, manual_ = false;
};

}  // namespace

std::unique_ptr<Parser> compile_parser() { return std::make_unique<CompileParser>(); }

}  // namespace pyk
