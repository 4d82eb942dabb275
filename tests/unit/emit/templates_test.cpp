#include "emit/templates.h"

#include <filesystem>
#include <fstream>

#include "emitted.h"

namespace pyk::test {
namespace {

namespace fs = std::filesystem;

class EmitTemplates : public ::testing::Test {
  protected:
    EmitTemplates() : folder_(fs::temp_directory_path() / ("pyk_templates_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_ / "cuda");
    }
    ~EmitTemplates() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / "cuda" / name) << text; }

    std::optional<Unit> emit_with_templates() {
        EmitOptions options;
        options.include_prelude = true;
        options.template_folder = folder_.string();
        return emit(read_ir(kernel_ir("", "  store a[0] = x\n")), cuda_target(), options, diagnostics_);
    }
    std::string problem() { return diagnostics_.all().empty() ? "" : diagnostics_.all().front().text; }

    fs::path folder_;
    Diagnostics diagnostics_;
};

TEST_F(EmitTemplates, TheUsersOwn) {
    write("kernel.mustache",
          "extern \"C\" __global__ __launch_bounds__(256) void {{symbol}}({{params}})\n{\n{{body}}\n}\n");
    const auto unit = emit_with_templates();
    ASSERT_TRUE(unit);
    EXPECT_NE(unit->text.find("__launch_bounds__(256) void pyk_k(pyk::array<float, 1> a"), std::string::npos);
}

TEST_F(EmitTemplates, AHoleThatNothingFills) {
    write("kernel.mustache", "{{symbol}} {{params}} {{body}} {{colour}}\n");
    EXPECT_FALSE(emit_with_templates());
    EXPECT_EQ(problem(), "template `cuda/kernel.mustache`: nothing fills `colour`");
}

TEST_F(EmitTemplates, AHoleThatIsMissing) {
    write("kernel.mustache", "{{symbol}}({{params}})\n");
    EXPECT_FALSE(emit_with_templates());
    EXPECT_EQ(problem(), "template `cuda/kernel.mustache`: has no hole for: body");
}

TEST_F(EmitTemplates, ANameThatIsMisspelt) {
    write("kernl.mustache", "{{symbol}}");
    write("README", "ours");
    EXPECT_FALSE(check_templates(folder_.string(), diagnostics_));
    EXPECT_EQ(
        problem(),
        "template `cuda/kernl.mustache`: there is no template of this name; did you mean `cuda/kernel.mustache`?");
}

TEST_F(EmitTemplates, AFolderWithoutAny) {
    write("README", "ours");
    EXPECT_FALSE(check_templates(folder_.string(), diagnostics_));
    EXPECT_NE(problem().find("no template is in this folder"), std::string::npos) << problem();
}

TEST_F(EmitTemplates, OfTheHeader) {
    write("header.mustache", "// Our house.\nnamespace {{namespace}} { {{#functions}}{{name}}{{/functions}} }\n");
    EmitOptions options;
    options.template_folder = folder_.string();
    const ir::Module module = read_ir(kernel_ir("", "  store a[0] = x\n"));
    EXPECT_FALSE(emit_header(module, options, {.kernels = true}, diagnostics_));
    EXPECT_EQ(problem(), "template `cuda/header.mustache`: has no hole for: structs");
    write(
        "header.mustache",
        "// Our house.\nnamespace {{namespace}} { {{#functions}}{{name}};{{/functions}} {{#structs}}{{/structs}} }\n");
    EXPECT_EQ(emit_header(module, options, {.kernels = true}, diagnostics_), "// Our house.\nnamespace t { k;  }\n");
}

TEST_F(EmitTemplates, BadMustache) {
    write("kernel.mustache", "{{symbol}} {{params}} {{body}} {{#open}}\n");
    EXPECT_FALSE(emit_with_templates());
    EXPECT_EQ(diagnostics_.error_count(), 1u);
}

}  // namespace
}  // namespace pyk::test
