#include <fmt/format.h>

#include "driver/cli/arch_words.h"
#include "driver/cli/failure.h"
#include "driver/cli/source_parser.h"
#include "driver/cli/spelling.h"

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
        app_.add_option("--block", block_, "Threads of a block, for the occupancy and the accesses (256)")
            ->type_name("X[,Y[,Z]]");
        app_.add_option("--shared", options_.shared_bytes, "Dynamic shared memory of a block, for the occupancy")
            ->type_name("BYTES");
        app_.add_flag("--json", options_.json, "For programs");
        declare_source(options_);
        declare_messages(options_);
    }

  private:
    Options finish() override {
        finish_source(options_);
        if (!block_.empty()) options_.block = parse_block(block_);
        if (!archs_.empty()) options_.archs = parse_archs(archs_);
        options_.warnings.enabled.insert("perf");
        if (!options_.warnings.enabled.contains(diag::uncoalesced.id))
            options_.warnings.disabled.emplace(diag::uncoalesced.id);  // the table of accesses says it
        return std::move(options_);
    }

    ReportOptions options_;
    static Dimensions parse_block(const std::string& text) {
        const Dimensions block = parse_dimensions("--block", text);
        if (uint64_t(block[0]) * block[1] * block[2] > 1024)
            throw UsageError(fmt::format("`--block {}`: a block has at most 1024 threads", text));
        if (block[2] > 64) throw UsageError(fmt::format("`--block {}`: a block has at most 64 threads along z", text));
        return block;
    }

    std::string archs_, block_;
};

}  // namespace

std::unique_ptr<Parser> report_parser() { return std::make_unique<ReportParser>(); }

}  // namespace pyk
