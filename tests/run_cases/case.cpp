#include "case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace pyk::run_cases {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(PYK_SOURCE_DIR) / "tests/run"; }

std::string read_text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

std::vector<std::string> find_cases() {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
        if (entry.path().extension() == ".json")
            names.push_back(entry.path().lexically_relative(folder()).replace_extension().string());
    std::sort(names.begin(), names.end());
    return names;
}

Case read_case(const std::string& name) {
    const fs::path base = folder() / name;
    const auto json = nlohmann::json::parse(read_text(base.string() + ".json"));
    Case c;
    c.name = name;
    c.source = std::make_shared<const SourceFile>(base.filename().string() + ".pyk", read_text(base.string() + ".pyk"));
    c.kernel = json.at("kernel");
    c.grid = json.at("grid").get<std::vector<int64_t>>();
    c.block = json.at("block").get<std::vector<int64_t>>();
    c.shared = json.value("shared", 0);
    for (const auto& spec : json.at("args")) {
        c.args.push_back(read_argument(spec, c.args));
        c.is_repeated.push_back(spec.contains("same_as"));
    }
    for (const auto& [index, spec] : json.at("expected").items()) c.expected[std::stoul(index)] = read_array(spec);
    c.rtol = json.at("tolerance").at("rtol");
    c.atol = json.at("tolerance").at("atol");
    return c;
}

std::optional<Unit> translate_case(const Case& c, const Target& target) {
    Diagnostics diagnostics;
    std::optional<Unit> unit;
    if (const auto program = read_program(c.source, {}, diagnostics)) {
        Request request{c.kernel, {}, {}};
        for (const Argument& argument : c.args) request.signature.params.push_back(argument.type);
        unit = translate(*program, {request}, target, {}, diagnostics);
    }
    EXPECT_TRUE(unit) << render(diagnostics);
    return unit;
}

}  // namespace pyk::run_cases
