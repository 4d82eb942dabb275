#include <fmt/format.h>

#include "driver/cli/arguments.h"
#include "driver/cli/failure.h"
#include "driver/cli/source_parser.h"
#include "driver/cli/spelling.h"

namespace pyk {
namespace {

class RunParser final : public SourceParser {
  public:
    RunParser()
        : SourceParser("Launches a kernel, or calls an array function, and prints what came of it.", "pykc run") {
        app_.footer(footer());
        app_.add_option("file", options_.file, "The .pyk or .py file, or - for stdin")->type_name("FILE")->required();
        app_.add_option("kernel", options_.kernel, "The name of the kernel or array function")
            ->type_name("NAME")
            ->required();
        app_.add_option("args", options_.arguments, "Its arguments")->type_name("ARG")->take_all();
        app_.add_option("--grid", grid_, "Blocks of a kernel")->type_name("X[,Y[,Z]]");
        app_.add_option("--block", block_, "Threads of a block")->type_name("X[,Y[,Z]]");
        app_.add_option("--shared", options_.shared_bytes, "Dynamic shared memory")->type_name("BYTES");
        app_.add_option("--device", device_, "auto (the GPU if there is one), cuda or cpu")->type_name("DEVICE");
        app_.add_option("--timeout", options_.timeout, "End with an error if it still runs then")
            ->type_name("SECONDS")
            ->check(CLI::Range(0.001, 1e6));
        app_.add_flag("!--no-coarsen", options_.coarsen,
                      "Let a thread of a kernel that maps elements never have more than its own");
        add_each("--save", saves_,
                 "Write an array after the launch, or a function's result: of several, 0=FILE.npy is the first")
            ->type_name("[PARAM=]FILE.npy");
        declare_source(options_);
    }

  private:
    static std::string footer() {
        std::string text =
            "\nAn ARG, or PARAM=ARG, is one of\n"
            "  1  2.5  true  1+2j        int64, float64, boolean, complex128\n"
            "  TYPE:VALUE                a number of that type: f32:2\n"
            "  None  '(1, f32:2.5)'      None; a tuple of numbers and tuples\n"
            "  file.npy                  an array from a file\n";
        for (const ArrayForm& each : array_forms()) text += fmt::format("  {:<24}  {}\n", each.form, each.doc);
        return text + fmt::format("TYPE is one of {}; SHAPE is 1024, or 64x64\n", fmt::join(type_codes(), ", "));
    }

    bool takes_negative_numbers() const override { return true; }

    Options finish() override {
        finish_source(options_);
        if (!grid_.empty()) options_.grid = parse_dimensions("--grid", grid_);
        if (!block_.empty()) options_.block = parse_dimensions("--block", block_);
        options_.device = parse_device(device_);
        for (const std::string& save : saves_) options_.saves.push_back(parse_save(save));
        return std::move(options_);
    }

    RunOptions options_;
    std::string grid_, block_, device_ = "auto";
    std::vector<std::string> saves_;
};

class DevicesParser final : public Parser {
  public:
    DevicesParser()
        : Parser("Lists what there is to compile with and to run on, and what is missing.", "pykc devices") {}

  private:
    Options finish() override { return DevicesOptions{}; }
};

class CacheParser final : public Parser {
  public:
    CacheParser() : Parser("Looks at the compiled kernels that are kept on disk.", "pykc cache") {
        app_.require_subcommand(0, 1);
        CLI::App* const stats = app_.add_subcommand("stats", "Where the cache is, how much is in it, and its limits");
        CLI::App* const list = app_.add_subcommand("list", "Its entries, those used last first");
        app_.add_subcommand("verify", "Check every entry; damaged ones are removed");
        app_.add_subcommand("clear", "Remove all entries");
        CLI::App* const why = app_.add_subcommand("why", "The entries of a file, and in what their keys differ");
        for (CLI::App* const action : {stats, list}) action->add_flag("--json", options_.json, "For programs");
        why->add_option("file", options_.file, "The .pyk or .py file")->type_name("FILE")->required();
    }

  private:
    Options finish() override {
        constexpr std::pair<const char*, CacheAction> kActions[] = {{"stats", CacheAction::stats},
                                                                    {"list", CacheAction::list},
                                                                    {"verify", CacheAction::verify},
                                                                    {"clear", CacheAction::clear},
                                                                    {"why", CacheAction::why}};
        for (const auto& [name, action] : kActions)
            if (app_.got_subcommand(name)) {
                options_.action = action;
                return std::move(options_);
            }
        throw UsageError("what to do is missing: stats, list, verify, clear or why (see pykc cache --help)");
    }

    CacheOptions options_;
};

}  // namespace

std::unique_ptr<Parser> cache_parser() { return std::make_unique<CacheParser>(); }
std::unique_ptr<Parser> run_parser() { return std::make_unique<RunParser>(); }
std::unique_ptr<Parser> devices_parser() { return std::make_unique<DevicesParser>(); }

}  // namespace pyk
