// How diagnostics are shown: formats, limits, colours.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli.h"
#include "compile/nvrtc.h"
#include "driver/tool_errors.h"

namespace pyk {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

class CliMessages : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        write("bad.pyk",
              "from numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n    x[0] = yyyyy\n    é = zzzzz\n");
    }
};

TEST_F(CliMessages, Brief) {
    EXPECT_EQ(pykc({"bad.pyk", "--diagnostics-format=short"}).messages.substr(0, 53),
              "bad.pyk:6:12: error: `yyyyy` is not defined [unknown-");
}

TEST_F(CliMessages, TheSpecialisationThatWasAskedForIsNamed) {
    write("scale.pyk", kScale);
    const auto done = pykc({"scale.pyk", "--check", "--sig=scale(float32)"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.messages, HasSubstr("scale.pyk:12:5: note: compiled as `scale(float32)`"));
}

TEST_F(CliMessages, JsonIsOneObjectALine) {
    std::istringstream lines(pykc({"bad.pyk", "--diagnostics-format=json"}).messages);
    std::vector<Json> found;
    for (std::string line; std::getline(lines, line);) found.push_back(Json::parse(line));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0]["severity"], "error");
    EXPECT_EQ(found[0]["code"], "unknown-name");
    EXPECT_EQ(found[0]["message"], "`yyyyy` is not defined");
    const Json& span = found[1]["spans"][0];
    EXPECT_EQ(span["file_name"], "bad.pyk");
    EXPECT_EQ(span["line_start"], 7);
    EXPECT_EQ(span["column_start"], 9);  // code points
    EXPECT_EQ(span["byte_end"].get<int>() - span["byte_start"].get<int>(), 5);
    EXPECT_TRUE(span["is_primary"]);
    EXPECT_THAT(found[0]["rendered"].get<std::string>(), HasSubstr("    x[0] = yyyyy\n"));
}

TEST_F(CliMessages, SarifIsOneDocument) {
    const Json log = Json::parse(pykc({"bad.pyk", "--diagnostics-format=sarif"}).messages);
    EXPECT_EQ(log["version"], "2.1.0");
    const Json& run = log["runs"][0];
    EXPECT_EQ(run["tool"]["driver"]["name"], "pykc");
    ASSERT_EQ(run["results"].size(), 2u);
    const Json& region = run["results"][1]["locations"][0]["physicalLocation"]["region"];
    EXPECT_EQ(region["startLine"], 7);
    EXPECT_EQ(region["startColumn"], 9);
    EXPECT_EQ(run["results"][0]["ruleId"], "unknown-name");
    EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "unknown-name");
    write("a b#é.pyk", read("bad.pyk"));
    const Json odd = Json::parse(pykc({"a b#é.pyk", "--diagnostics-format=sarif"}).messages);
    EXPECT_EQ(odd["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
              "a%20b%23%C3%A9.pyk");
    const Json none =
        Json::parse(shell("printf '' > empty.pyk; $PYKC nowhere.pyk --diagnostics-format=sarif").messages);
    EXPECT_THAT(none["runs"][0]["results"][0]["message"]["text"].get<std::string>(), HasSubstr("cannot read"));
}

// The file is read while a call is followed, and follows calls of its own.
TEST_F(CliMessages, OfFilesThatACallImports) {
    write("helpers.py",
          "import pk as nx\nclass argmap:\n    def __call__(self, f):\n        func.q = z()\n        if func.q:\n"
          "            raise nx.E()\n");
    write("pk.py", "from small import *\n");
    write("small.py", "def dec(f):\n    return f\n@dec\ndef g():\n    pass\n");
    write("k.pyk",
          "from numba import cuda\nfrom helpers import argmap\ndef n():\n    s = argmap(x)(s)\n"
          "@cuda.jit('void(int32[:])')\ndef k(x):\n    x[0] = N\n");
    const auto result = pykc({"k.pyk", "--check", "--diagnostics-format=short"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.messages, "k.pyk:7:12: error: `N` is not defined; did you mean `n`? [unknown-name]\n");
}

TEST_F(CliMessages, OfNamesThatAnImportedModuleLacks) {
    write("consts.pyk", "import math\n\nN = 4\nROOT = open('root')\n");
    write("k.pyk",
          "import consts\nfrom consts import M\nfrom numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n"
          "    x[0] = consts.NOPE + consts.N\n    x[1] = M\n    x[2] = consts.ROOT\n");
    const std::string messages = pykc({"k.pyk", "--diagnostics-format=short", "-o", "-"}).messages;
    EXPECT_THAT(messages, HasSubstr("k.pyk:8:19: error: `consts.NOPE` is not defined"));
    EXPECT_THAT(messages, HasSubstr("k.pyk:9:12: error: `M` is not defined [unknown-name]"));
    EXPECT_THAT(messages, HasSubstr("k.pyk:10:19: error: `consts.ROOT` is not a compile-time constant"));
}

TEST_F(CliMessages, OfAnImportedModuleWithErrors) {
    write("helpers.pyk", "def f(x)\n    return x\n");
    write(
        "k.pyk",
        "from helpers import f\nfrom numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n    x[0] = f(1)\n");
    const std::string messages = pykc({"k.pyk", "--check", "--diagnostics-format=short"}).messages;
    EXPECT_THAT(messages, HasSubstr("helpers.pyk:1:9: error: "));
    EXPECT_THAT(messages, Not(HasSubstr("[module-not-found]")));
}

TEST_F(CliMessages, SuggestionsAreData) {
    write("near.pyk",
          "from numba import cuda\n\n\n@cuda.jit('void(int32[:])')\ndef k(x):\n    count = 1\n    x[0] = coumt\n");
    const Json json = Json::parse(pykc({"near.pyk", "--diagnostics-format=json"}).messages);
    ASSERT_EQ(json["suggestions"].size(), 1u);
    EXPECT_EQ(json["suggestions"][0]["edits"][0]["replacement"], "count");
    EXPECT_EQ(json["suggestions"][0]["edits"][0]["line_start"], 7);
    EXPECT_EQ(json["suggestions"][0]["edits"][0]["column_start"], 12);
}

TEST_F(CliMessages, FixMakesWhatNeedsNoJudgement) {
    const std::string kernel =
        "from numba import cuda, float32\n\n\n@cuda.jit('void(float32[::1])')\ndef k(x):\n    x[0] = x[0] * 2.6\n";
    write("slow.pyk", kernel);
    const Json log = Json::parse(pykc({"slow.pyk", "-Wperf", "--check", "--diagnostics-format=sarif"}).messages);
    EXPECT_EQ(
        log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
        "float32(2.6)");
    EXPECT_EQ(pykc({"slow.pyk", "--fix", "--check"}).messages, "");  // nobody asked for the warning
    EXPECT_EQ(pykc({"slow.pyk", "-Wperf", "--fix", "--check", "--dry-run"}).messages.substr(0, 21),
              "slow.pyk: would fix 1");
    EXPECT_TRUE(Json::accept(
        pykc({"slow.pyk", "-Wperf", "--fix", "--check", "--dry-run", "--diagnostics-format=sarif"}).messages));
    EXPECT_EQ(read("slow.pyk"), kernel);
    const auto fixed = pykc({"slow.pyk", "-Wperf", "--fix", "-o", "slow.cu"});
    EXPECT_EQ(fixed.messages, "slow.pyk: fixed 1\n");
    EXPECT_THAT(read("slow.pyk"), HasSubstr("x[0] * float32(2.6)\n"));
    EXPECT_THAT(read("slow.cu"), HasSubstr("2.6f"));
    EXPECT_EQ(shell("$PYKC - --fix --check < slow.pyk").exit_code, 2);
}

TEST_F(CliMessages, ErrorLimit) {
    const auto one = pykc({"bad.pyk", "--error-limit=1", "--diagnostics-format=short"}).messages;
    EXPECT_THAT(one, HasSubstr("`yyyyy` is not defined"));
    EXPECT_THAT(one, Not(HasSubstr("`zzzzz` is not defined")));
    EXPECT_THAT(one, HasSubstr("1 more error is not shown"));
    EXPECT_THAT(pykc({"bad.pyk", "--error-limit=0"}).messages, HasSubstr("`zzzzz` is not defined"));
    EXPECT_EQ(pykc({"bad.pyk", "--error-limit=-1"}).messages,
              "pykc: error: --error-limit: it is 0 or more (see pykc --help)\n");
}

TEST_F(CliMessages, Color) {
    EXPECT_THAT(pykc({"bad.pyk", "--color=always"}).messages, HasSubstr("\x1b[1"));
    EXPECT_THAT(shell("NO_COLOR=1 $PYKC bad.pyk --color=always").messages, HasSubstr("\x1b[1"));
    EXPECT_THAT(pykc({"bad.pyk", "--color=never"}).messages, Not(HasSubstr("\x1b[1")));
}

TEST_F(CliMessages, WhatPtxasRefusesIsSaidOfTheKernel) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("big.pyk",
          "from numba import cuda, float64\n\n\n@cuda.jit('void(float64[::1])')\ndef big(x):\n    s = "
          "cuda.shared.array(9000, float64)\n    s[cuda.threadIdx.x] = x[0]\n    cuda.syncthreads()\n    x[1] = "
          "s[8999]\n");
    const auto big = pykc({"big.pyk", "-o", "big.cubin", "-arch=sm_90"});
    EXPECT_EQ(big.exit_code, 1);
    EXPECT_THAT(big.messages,
                HasSubstr("big.pyk:5:5: error: kernel `big` has 72000 bytes of shared arrays, and a block "
                          "has 49152 for arrays of fixed size"));
    EXPECT_FALSE(exists("big.cubin"));
}

TEST(ToolErrors, PlacesAreThoseOfTheSource) {
    Unit unit;
    unit.source_lines = {0, 7, 7, 9};
    unit.source_files = {"", "", "", "parts.pyk"};
    EXPECT_EQ(in_terms_of_source("module.cu(2): error: x\nmodule.cu:4:1: warning\nmodule.cu(1): y\nmodule.cu(99)", unit,
                                 "k.pyk"),
              "k.pyk(7): error: x\nparts.pyk:9:1: warning\nmodule.cu(1): y\nmodule.cu(99)");
}

}  // namespace
}  // namespace pyk
