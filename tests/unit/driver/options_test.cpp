#include "driver/cli/options.h"

#include <gmock/gmock.h>

#include "driver/cli/failure.h"
#include "driver/cli/spelling.h"

namespace pyk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CompileOptions compile(std::vector<std::string> arguments) {
    return std::get<CompileOptions>(parse_options(std::move(arguments)));
}
RunOptions run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return std::get<RunOptions>(parse_options(std::move(arguments)));
}

std::string usage_error(std::vector<std::string> arguments) {
    try {
        parse_options(std::move(arguments));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

// What the one output is: what `--emit` says, else what the file's name says.
EmitKind emitted(std::vector<std::string> arguments) {
    const CompileOptions options = compile(std::move(arguments));
    return options.emit.empty() ? emit_kind_of_file(options.output) : options.emit[0].kind;
}

TEST(Options, Defaults) {
    const CompileOptions options = compile({"a.pyk"});
    EXPECT_THAT(options.files, ElementsAre("a.pyk"));
    EXPECT_EQ(options.output, "");
    EXPECT_EQ(emitted({"a.pyk"}), EmitKind::cu);
    EXPECT_FALSE(options.check || options.check_bounds || options.list || options.include_prelude ||
                 options.line_directives);
}

TEST(Options, Everything) {
    const CompileOptions options = compile({"--emit=ptx",
                                            "-o",
                                            "-",
                                            "--sig",
                                            "a(int32)",
                                            "--sig=b()",
                                            "-",
                                            "--kernel",
                                            "a",
                                            "-arch=sm_90,compute_100a",
                                            "-D",
                                            "N=4",
                                            "-DX=1.5",
                                            "-D",
                                            "F",
                                            "--check=bounds",
                                            "--prelude=include",
                                            "--line-directives",
                                            "--templates",
                                            "t"});
    EXPECT_THAT(options.files, ElementsAre("-"));
    EXPECT_EQ(options.output, "");
    ASSERT_EQ(options.emit.size(), 1u);
    EXPECT_EQ(options.emit[0].kind, EmitKind::ptx);
    EXPECT_THAT(options.signatures, ElementsAre("a(int32)", "b()"));
    EXPECT_THAT(options.kernels, ElementsAre("a"));
    EXPECT_THAT(options.archs.archs, ElementsAre(Arch{90, 0, false}, Arch{100, 'a', true}));
    EXPECT_EQ(options.defines.at("N"), DefineValue(ConstantValue(int64_t{4})));
    EXPECT_EQ(options.defines.at("X"), DefineValue(ConstantValue(1.5)));
    EXPECT_EQ(options.defines.at("F"), DefineValue(ConstantValue(int64_t{1})));
    EXPECT_TRUE(options.check_bounds && options.include_prelude && options.line_directives);
    EXPECT_FALSE(options.check);
    EXPECT_EQ(options.template_folder, "t");
}

TEST(Options, CheckTakesNoFile) {
    EXPECT_TRUE(compile({"--check", "a.pyk"}).check);
    EXPECT_THAT(usage_error({"--check=speed", "a.pyk"}), HasSubstr("--check=bounds"));
}

TEST(Options, Warnings) {
    const WarningOptions warnings = compile({"a.pyk", "-Werror", "-w"}).warnings;
    EXPECT_TRUE(warnings.all_as_errors && warnings.none);
    EXPECT_THAT(usage_error({"a.pyk", "-Wno-nonsense"}), HasSubstr("no warning `nonsense`"));
    EXPECT_THAT(usage_error({"a.pyk", "-Werror=nonsense"}), HasSubstr("no warning `nonsense`"));
    EXPECT_THAT(usage_error({"a.pyk", "-Wno-error=nonsense"}), HasSubstr("no warning `nonsense`"));
}

// As gcc has it: what is said of an id goes before what is said of its group, and that before what is said of all; of
// two that say opposite things of one the last counts.
TEST(Options, WhichWarningsAreErrors) {
    const auto severities = [](std::vector<std::string> words) {
        words.insert(words.begin(), "a.pyk");
        words.emplace_back("-Wperf");
        Diagnostics findings(compile(words).warnings);
        findings.report(diag::maybe_unassigned, Span(), "x", "zero");
        findings.report(diag::float64_literal, Span(), "*", std::string("2.0"), "float32", std::string("float32"),
                        std::string("float64"));
        std::string all;
        for (const Diagnostic& one : findings.all()) all += name_of(one.severity)[0];
        return all;
    };
    EXPECT_EQ(severities({}), "ww");
    EXPECT_EQ(severities({"-Werror"}), "ee");
    EXPECT_EQ(severities({"-Werror", "-Wno-error=unassigned"}), "we");
    EXPECT_EQ(severities({"-Wno-error=unassigned", "-Werror"}), "we");
    EXPECT_EQ(severities({"-Werror", "-Wno-error=perf"}), "ew");
    EXPECT_EQ(severities({"-Werror=perf", "-Wno-error=float64-literal"}), "ww");
    EXPECT_EQ(severities({"-Wno-error=perf", "-Werror=float64-literal"}), "we");
    EXPECT_EQ(severities({"-Werror=unassigned", "-Wno-error"}), "ew");
    EXPECT_EQ(severities({"-Werror", "-Wno-error"}), "ww");
    EXPECT_EQ(severities({"-Werror=unassigned", "-Wno-error=unassigned"}), "ww");
    EXPECT_EQ(severities({"-Wno-error=unassigned", "-Werror=unassigned"}), "ew");
    EXPECT_EQ(severities({"-Werror=unassigned", "-Wno-unassigned"}), "w");
    EXPECT_EQ(severities({"-Wno-unassigned", "-Werror=unassigned"}), "ew");
}

TEST(Options, TheOutputsNameSaysWhatToEmit) {
    EXPECT_EQ(emitted({"a.pyk", "-o", "b.ptx"}), EmitKind::ptx);
    EXPECT_EQ(emitted({"a.pyk", "-o", "x.y/b"}), EmitKind::cu);
    EXPECT_EQ(emitted({"a.pyk", "-o", "b.h"}), EmitKind::header);
    EXPECT_EQ(emitted({"a.pyk", "-o", "b.h", "--emit=cpp"}), EmitKind::cpp);
}

TEST(Options, Run) {
    const RunOptions options =
        run({"a.pyk", "k", "--grid", "2,3", "--block=64", "1", "-2", "-2.5", "x=zeros:f32:4", "--shared", "100",
             "--device", "cpu", "--save", "x=o.npy", "--check=bounds", "-DN=2"});
    EXPECT_EQ(options.file, "a.pyk");
    EXPECT_EQ(options.kernel, "k");
    EXPECT_EQ(options.grid, (Dimensions{2, 3, 1}));
    EXPECT_EQ(options.block, (Dimensions{64, 1, 1}));
    EXPECT_THAT(options.arguments, ElementsAre("1", "=-2", "=-2.5", "x=zeros:f32:4"));
    EXPECT_EQ(options.shared_bytes, 100u);
    EXPECT_EQ(options.device, DeviceChoice::cpu);
    EXPECT_THAT(options.saves, ElementsAre(std::pair<std::string, std::string>("x", "o.npy")));
    EXPECT_TRUE(options.check_bounds);
}

TEST(Options, UsageErrors) {
    const std::vector<std::vector<std::string>> bad = {
        {},
        {"a.pyk", "--nonsense"},
        {"a.pyk", "--emit=exe"},
        {"a.pyk", "-arch=sm_x"},
        {"a.pyk", "-arch="},
        {"a.pyk", "-D", "=1"},
        {"a.pyk", "-D", "N=abc"},
        {"a.pyk", "--prelude=none"},
        {"a.pyk", "-o"},
        {"a.pyk", "--error-limit=-1"},
        {"a.pyk", "-MT", "x"},
        {"run", "a.pyk", "--grid", "1", "--block", "1"},
        {"run", "a.pyk", "k", "--grid", "0", "--block", "1"},
        {"run", "a.pyk", "k", "--grid", "1,1,1,1", "--block", "1"},
        {"run", "a.pyk", "k", "--grid", "1,", "--block", "1"},
        {"run", "a.pyk", "k", "--grid", "1", "--block", "1", "--device", "tpu"},
        {"run", "a.pyk", "k", "--grid", "1", "--block", "1", "--shared", "-1"},
        {"devices", "x"},
    };
    for (const auto& arguments : bad) EXPECT_NE(usage_error(arguments), "") << ::testing::PrintToString(arguments);
}

TEST(Options, UsageErrorsSpeakOfWhatWasWritten) {
    EXPECT_THAT(usage_error({"a.pyk", "-O4"}), ::testing::StartsWith("-O: "));
    EXPECT_THAT(usage_error({"a.pyk", "-maxrregcount=0"}), ::testing::StartsWith("-maxrregcount: "));
    EXPECT_THAT(usage_error({"a.pyk", "-version"}), HasSubstr("no option `-version`; did you mean `--version`?"));
    EXPECT_THAT(usage_error({"a.pyk", "--optimise=2"}),
                HasSubstr("no option `--optimise`; did you mean `--optimize`?"));
    EXPECT_THAT(usage_error({"a.pyk", "-O2", "-Ilib", "--colour"}),
                HasSubstr("no option `--colour`; did you mean `--color`?"));
    EXPECT_THAT(usage_error({"run", "a.pyk", "k", "--gird", "1"}),
                HasSubstr("no option `--gird`; did you mean `--grid`?"));
    EXPECT_THAT(usage_error({"a.pyk", "--zzzzzzzz"}), ::testing::StartsWith("there is no option `--zzzzzzzz` (see"));
    EXPECT_THAT(usage_error({"a.pyk", "-j", "x"}), ::testing::StartsWith("--jobs: `x` is not what it takes"));
    EXPECT_THAT(usage_error({"a.pyk", "-ptx"}), HasSubstr("no option `-ptx`; write `--emit=ptx`"));
    EXPECT_THAT(usage_error({"a.pyk", "-Wno-unknown-name"}), HasSubstr("is an error, which cannot be switched"));
    EXPECT_THAT(usage_error({"rnu", "a.pyk"}), HasSubstr("no command `rnu`; did you mean `run`?"));
    EXPECT_THAT(usage_error({"cache", "foo"}), HasSubstr("`foo` is none of stats, list, verify, clear, why"));
    EXPECT_THAT(usage_error({"cache"}), HasSubstr("what to do is missing"));
    EXPECT_THAT(usage_error({"run", "a.pyk", "k", "--grid", "1", "--block", "1", "--shared", "-1"}),
                ::testing::AllOf(HasSubstr("-1"), ::testing::Not(HasSubstr("=-1"))));
}

TEST(Options, TheLastOfTwoCounts) {
    const auto options = compile({"a.pyk", "-O2", "--color=never", "-O0", "--color=always", "--emit=cu", "--emit=cpp"});
    EXPECT_EQ(options.code.optimization, 0);
    EXPECT_EQ(options.messages.color, ColorChoice::always);
    EXPECT_EQ(options.emit.size(), 2u);
}

TEST(Options, FlagsAsGccAndNvccHaveThem) {
    EXPECT_EQ(compile({"a.pyk", "-O0", "-O"}).code.optimization, 1);
    EXPECT_EQ(compile({"a.pyk", "-maxrregcount", "32"}).code.max_registers, 32);
    EXPECT_TRUE(compile({"a.pyk", "-rdc", "true"}).relocatable);
}

TEST(Options, AValueThatIsMissingIsNotTheNextWord) {
    EXPECT_THAT(usage_error({"a.pyk", "-arch=", "--emit=ptx"}), HasSubstr("`-arch=`: a value is missing"));
    EXPECT_THAT(usage_error({"a.pyk", "--emit=", "b.pyk"}), HasSubstr("`--emit=`: a value is missing"));
    EXPECT_THAT(usage_error({"a.pyk", "-fmad=", "true"}), HasSubstr("`-fmad=`: a value is missing"));
}

TEST(Options, AnOutputOfNoKind) {
    const auto kind = [](const char* output) { return emitted({"a.pyk", "-o", output}); };
    EXPECT_THROW(kind("x.zzz"), UsageError);
    EXPECT_THROW(kind("x.cu.tmp"), UsageError);
    EXPECT_EQ(emitted({"a.pyk", "-o", "x.zzz", "--emit=ptx"}), EmitKind::ptx);
    EXPECT_EQ(kind("x.cc"), EmitKind::cpp);
    EXPECT_EQ(kind("/dev/null"), EmitKind::cu);
    EXPECT_EQ(kind("-"), EmitKind::cu);
}

TEST(Options, GroupsOfWarningsThatOtherCompilersHave) {
    EXPECT_EQ(usage_error({"a.pyk", "-Wall", "-Wextra"}), "");
    EXPECT_THAT(compile({"a.pyk", "-Wall"}).warnings.enabled, ::testing::IsEmpty());
}

TEST(Options, HelpAndVersionAreText) {
    EXPECT_THAT(std::get<PrintOptions>(parse_options({"--version"})).text, HasSubstr("pykc "));
    EXPECT_THAT(std::get<PrintOptions>(parse_options({"--help"})).text, HasSubstr("--emit"));
    EXPECT_THAT(std::get<PrintOptions>(parse_options({"run", "--help"})).text, HasSubstr("xoroshiro"));
    EXPECT_THAT(std::get<PrintOptions>(parse_options({"devices", "-h"})).text, HasSubstr("pykc devices"));
    EXPECT_TRUE(std::holds_alternative<DevicesOptions>(parse_options({"devices"})));
    EXPECT_TRUE(std::holds_alternative<ListBuiltinsOptions>(parse_options({"--list-builtins"})));
}

}  // namespace
}  // namespace pyk
