// Completion scripts and the manual page: what they offer is what the parsers take.
#include <gmock/gmock.h>

#include "cli.h"
#include "driver/cli/describe.h"

namespace pyk {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CliDescribe : public Cli {
  protected:
    /// What bash offers for a line whose last word is completed.
    std::string completed(const std::string& line) const {
        return shell("$PYKC --completion bash > c && bash -c '. ./c; COMP_WORDS=(" + line +
                     "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _pykc 2>/dev/null; echo ${COMPREPLY[@]}'")
            .output;
    }
};

TEST_F(CliDescribe, EveryOptionIsTakenByItsParser) {
    for (const CommandDescription& command : describe_commands())
        for (const OptionDescription& option : command.options)
            for (const std::string& name : option.names) {
                std::vector<std::string> arguments = {"--help"};
                if (!command.name.empty()) arguments.insert(arguments.begin(), command.name);
                const bool joined = name.ends_with('=') || name == "-W" || name == "-O";
                const std::string value = option.choices.empty() ? "1" : option.choices[0];
                arguments.push_back(joined ? name + value : name);
                if (option.takes_value && !joined) arguments.push_back(value);
                EXPECT_THAT(pykc(arguments).messages,
                            Not(AnyOf(HasSubstr("were not expected"), HasSubstr("there is no option"))))
                    << name;
            }
}

TEST_F(CliDescribe, BashCompletes) {
    if (!find_program("bash")) GTEST_SKIP() << "no bash";
    EXPECT_THAT(completed("pykc --em"), HasSubstr("--emit"));
    EXPECT_EQ(completed("pykc --color = n"), "never\n");
    EXPECT_EQ(completed("pykc -Wno-ra"), "-Wno-race\n");
    EXPECT_EQ(completed("pykc -Wper"), "-Wperf\n");
    EXPECT_EQ(completed("pykc --typing na"), "narrow\n");
    EXPECT_EQ(completed("pykc de"), "devices\n");
    EXPECT_EQ(completed("pykc cache ver"), "verify\n");
    EXPECT_THAT(completed("pykc run x.pyk k --gr"), HasSubstr("--grid"));
    write("only.pyk", "");
    EXPECT_EQ(completed("pykc on"), "only.pyk\n");
    EXPECT_EQ(completed("pykc rep"), "report\n");
    write("of two words.pyk", "");
    EXPECT_EQ(shell("bash -c '. ./c; COMP_WORDS=(pykc of); COMP_CWORD=1; _pykc; echo ${#COMPREPLY[@]}'").output, "1\n")
        << "a name with spaces is one";
}

TEST_F(CliDescribe, BashCompletesValues) {
    if (!find_program("bash")) GTEST_SKIP() << "no bash";
    EXPECT_EQ(completed("pykc --emit = cub"), "cubin\n");
    EXPECT_EQ(completed("pykc --emit cu,hea"), "cu,header\n");
    EXPECT_EQ(completed("pykc -arch = sm_9"), "sm_90\n");
    EXPECT_EQ(completed("pykc -arch = nat"), "native\n");
    EXPECT_EQ(completed("pykc -O2 --explain unknown-na"), "unknown-name\n");
    EXPECT_EQ(completed("pykc run x.pyk k --device c"), "cuda cpu\n");
    EXPECT_EQ(completed("pykc --diagnostics-format = sa"), "sarif\n");
    EXPECT_EQ(completed("pykc --time-report = j"), "json\n");
    write("x.pyk", "");
    ASSERT_EQ(shell("mkdir folder").exit_code, 0);
    EXPECT_EQ(completed("pykc --templates fo"), "folder\n");
    EXPECT_EQ(completed("pykc --time-report x"), "x.pyk\n") << "its value stands behind =";
    EXPECT_EQ(completed("pykc --error-limit x"), "\n") << "a number";
}

TEST_F(CliDescribe, OtherShellsReadTheirScripts) {
    if (find_program("zsh")) {
        const auto zsh = shell("$PYKC --completion zsh > _pykc && zsh -n _pykc");
        EXPECT_EQ(zsh.exit_code, 0) << zsh.messages;
        EXPECT_THAT(zsh.messages, IsEmpty());
        const auto specs =
            shell("zsh -fc 'compdef() {}; . ./_pykc; _arguments() { print -rl -- \"$@\" }; words=(pykc run); _pykc'");
        EXPECT_THAT(specs.output, HasSubstr("*--device=[")) << specs.messages;
        EXPECT_THAT(specs.output, HasSubstr("]:DEVICE:(auto cuda cpu)\n"));
        EXPECT_THAT(shell("cat _pykc").output, HasSubstr("]:KIND:_sequence compadd - cu header "));
    }
    if (find_program("fish")) {
        ASSERT_EQ(shell("mkdir folder").exit_code, 0);
        const auto fish =
            shell("$PYKC --completion fish > p.fish && HOME=. fish -c '. ./p.fish; complete -C \"pykc --col\"'");
        EXPECT_THAT(fish.output, HasSubstr("--color"));
        EXPECT_THAT(fish.messages, IsEmpty());
        const auto offered = [&](const std::string& line) {
            return shell("HOME=. fish -c '. ./p.fish; complete -C \"" + line + "\"'").output;
        };
        EXPECT_THAT(offered("pykc --emit=cu,head"), HasSubstr("cu,header"));
        EXPECT_THAT(offered("pykc --explain unknown-na"), HasSubstr("unknown-name"));
        EXPECT_THAT(offered("pykc run x.pyk k --device c"), HasSubstr("cuda"));
        EXPECT_THAT(offered("pykc --templates fol"), HasSubstr("folder/"));
    }
}

TEST_F(CliDescribe, TheManualIsGoodRoff) {
    const std::string manual = manual_page();
    for (const CommandDescription& command : describe_commands())
        for (const OptionDescription& option : command.options)
            EXPECT_THAT(manual, HasSubstr(option.help.substr(0, option.help.find('-'))));
    if (!find_program("groff")) GTEST_SKIP() << "no groff";
    const auto shown = shell("$PYKC --manual > p.1 && groff -man -ww -Tutf8 -Kutf8 p.1");
    EXPECT_THAT(shown.messages, IsEmpty());
    EXPECT_THAT(shown.output, HasSubstr("a fault of pykc"));
}

}  // namespace
}  // namespace pyk
