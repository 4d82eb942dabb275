#include "case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "driver/requests.h"

namespace pyk::run_cases {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
    const char* other = std::getenv("PYK_RUN_CASES");
    return other ? fs::path(other) : fs::path(PYK_SOURCE_DIR) / "tests/run";
}

std::string read_text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

std::shared_ptr<const Program> read_source(const fs::path& file) {
    Diagnostics diagnostics;
    const auto source = std::make_shared<const SourceFile>(file.string(), read_text(file));
    auto program = read_program(source, {}, diagnostics);
    if (!program || diagnostics.has_errors()) throw std::runtime_error(render(diagnostics));
    return std::make_shared<const Program>(std::move(*program));
}

// A kernel that declares its types gets its arguments converted to them.
void choose_types(Case& c, const std::string& kernel) {
    c.request.kernel = kernel;
    const KernelInfo* info = find_kernel(*c.program, kernel);
    if (info && !info->signatures.empty()) {
        c.request.signature = info->signatures.front();
        for (size_t i = 0; i < c.args.size(); ++i) convert(c.args[i], c.request.signature.params.at(i));
    } else {
        for (const Argument& argument : c.args) c.request.signature.params.push_back(argument.type);
    }
}

}  // namespace

std::vector<std::string> find_cases() {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
        if (entry.path().extension() == ".json" && entry.path().stem().extension().empty())  // no NAME.numba.json
            names.push_back(entry.path().lexically_relative(folder()).replace_extension().string());
    std::sort(names.begin(), names.end());
    return names;
}

Case read_case(const std::string& name) {
    const fs::path base = folder() / name;
    const auto json = nlohmann::json::parse(read_text(base.string() + ".json"));
    Case c;
    c.name = name;
    c.program = read_source(base.string() + ".pyk");
    c.runs = !json.at("args").is_null() && !json.at("expected").is_null();
    if (c.runs) {
        c.grid = json.at("grid").get<std::vector<int64_t>>();
        c.block = json.at("block").get<std::vector<int64_t>>();
        c.shared = json.value("shared", 0);
        for (const auto& [index, spec] : json.at("expected").items()) c.expected[std::stoul(index)] = read_array(spec);
        c.rtol = json.at("tolerance").at("rtol");
        c.atol = json.at("tolerance").at("atol");
    }
    if (!json.at("args").is_null()) {
        for (const auto& spec : json.at("args")) {
            c.args.push_back(read_argument(spec, c.args));
            c.is_repeated.push_back(spec.contains("same_as"));
        }
    }
    choose_types(c, json.at("kernel"));
    return c;
}

std::optional<Unit> translate_case(const Case& c, const Target& target, const EmitOptions& options) {
    Diagnostics diagnostics;
    EmitOptions verified = options;
    verified.verify = true;
    auto unit = translate(*c.program, {c.request}, target, verified, diagnostics);
    EXPECT_TRUE(unit) << render(diagnostics);
    return unit;
}

}  // namespace pyk::run_cases
