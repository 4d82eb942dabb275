#include "driver/cli/arch_words.h"
#include "driver/cli/source_parser.h"

namespace pyk {
namespace {

class ReportParser final : public SourceParser {
  public:
    ReportParser()
        : SourceParser(
              "Says what the compiled kernels use: registers, memory, occupancy, the lines with most instructions.",
              "pykc report") {
        app_.add_option("file", options_.file, "The .pyk or .py file, or - for stdin")->type_name("FILE")->required();
        app_.add_option("--arch", archs_, "-arch=sm_90: the architecture; native for that of this machine's GPU")
            ->type_name("ARCH");
        add_each("--sig", options_.signatures, "Argument types of a kernel, as in 'saxpy(float32, float32[::1])'")
            ->type_name("SIGNATURE");
        add_each("--kernel", options_.kernels, "This kernel only")->type_name("NAME");
        app_.add_option("--block", options_.block_threads, "Threads of a block, for the occupancy (256)")
            ->type_name("N")
            ->check(CLI::Range(1, 1024));
        app_.add_option("--shared", options_.shared_bytes, "Dynamic shared memory of a block, for the occupancy")
            ->type_name("BYTES");
        app_.add_flag("--json", options_.json, "For programs");
        declare_source(options_);
    }

  private:
    Options finish() override {
        finish_source(options_);
        if (!archs_.empty()) options_.archs = parse_archs(archs_);
        options_.warnings.enabled.insert("perf");
        return std::move(options_);
    }

    ReportOptions options_;
    std::string archs_;
};

}  // namespace

std::unique_ptr<Parser> report_parser() { return std::make_unique<ReportParser>(); }

}  // namespace pyk
