// The command line described for shells and readers: made of the parsers' own description, so that it cannot differ.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace pyk {

struct OptionDescription {
    std::vector<std::string> names;    ///< `--emit`, `-o`, and the spellings of other compilers: `-arch=`, `-W`
    std::string value;                 ///< what it is called: `FILE`; empty: a flag, or one of `choices`
    std::vector<std::string> choices;  ///< all that the value can be; empty: anything
    std::vector<std::string> hints;    ///< values worth offering, of many: the warnings' ids
    bool is_list = false;              ///< several of them with commas
    bool is_optional = false;          ///< a value only stands behind `=`
    std::string help, group;
    bool takes_value = false;
};

struct CommandDescription {
    std::string name;  ///< `run`; empty: pykc without a command
    std::string help;
    std::vector<std::string> arguments;  ///< `FILE`
    std::vector<OptionDescription> options;
    std::vector<std::string> actions;  ///< words that come next: `stats` of `cache`
};

std::vector<CommandDescription> describe_commands();

/// The names of an option, with those of other compilers.
std::vector<std::string> spellings_of(const CLI::Option& option);

/// A script that completes pykc's commands, options and values: `bash`, `zsh` or `fish`.
std::string completions(const std::string& shell);

/// The manual page, for man(1).
std::string manual_page();

}  // namespace pyk
