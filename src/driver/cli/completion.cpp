#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driver/cli/describe.h"

namespace pyk {
namespace {

// For a string between single quotes.
std::string quoted(std::string_view text, std::string_view quote = "'\\''") {
    std::string result;
    for (const char c : text) result += c == '\'' ? std::string(quote) : std::string(1, c);
    return result;
}

// What the value may be; empty: nothing that is known.
const std::vector<std::string>& words_of(const OptionDescription& option) {
    return option.choices.empty() ? option.hints : option.choices;
}

std::string bash_value(const OptionDescription& option) {
    if (!words_of(option).empty())
        return fmt::format("_pykc_words '{}'", fmt::join(words_of(option), " ")) + (option.is_list ? " ," : "");
    if (option.value == "DIR") return "_pykc_files -d";
    return option.value == "FILE" ? "_pykc_files -f" : "COMPREPLY=()";
}

std::string bash_options(const CommandDescription& command) {
    std::string words;
    for (const OptionDescription& option : command.options)
        for (const std::string& name : option.names) {
            words += (words.empty() ? "" : " ") + name;
            // A letter with its value behind it is one word.
            if (name.size() == 2)
                for (const std::string& hint : option.hints) words += " " + name + hint;
        }
    return words;
}

std::string bash() {
    const std::vector<CommandDescription> commands = describe_commands();
    std::string cases, values, names;
    std::set<std::string> known;
    for (const CommandDescription& command : commands) {
        if (!command.name.empty()) names += (names.empty() ? "" : " ") + command.name;
        cases += fmt::format("        {}) words='{}' options='{}' ;;\n", command.name, fmt::join(command.actions, " "),
                             bash_options(command));
        for (const OptionDescription& option : command.options) {
            const bool is_new = known.insert(option.names.back()).second;
            if (!option.takes_value || !is_new) continue;
            std::vector<std::string> before;
            for (std::string name : option.names) {
                if (name.ends_with('=')) name.pop_back();
                if (!option.is_optional) before.push_back(name);
                before.push_back(name + "=");
            }
            values += fmt::format("        {}) {}; return ;;\n", fmt::join(before, "|"), bash_value(option));
        }
    }
    // The case of pykc without a command comes first in the list and matches last.
    const size_t end = cases.find('\n') + 1;
    cases = cases.substr(end) + "        *" + cases.substr(8, end - 8);
    return fmt::format(R"(# bash completion of pykc, made by pykc --completion bash
_pykc_words() {{
    local before=
    [[ $2 && $current = *,* ]] && before=${{current%,*}},
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${{current##*,}}"))
}}
_pykc_files() {{
    local IFS=$'\n'
    COMPREPLY+=($(compgen "$1" -- "$current"))
}}
_pykc() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}} words options
    COMPREPLY=()
    if [[ $current = '=' ]]; then current= option=$option=
    elif [[ $option = '=' ]]; then option=${{COMP_WORDS[COMP_CWORD-2]}}=
    fi
    case $option in
{}    esac
    case ${{COMP_WORDS[1]}} in
{}    esac
    [[ $COMP_CWORD -eq 1 ]] && words="$words {}"
    case $current in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$current")); _pykc_files -f ;;
    esac
    [[ ${{COMPREPLY[0]}} = *= ]] && compopt -o nospace
}}
complete -o filenames -F _pykc pykc
)",
                       values, cases, names);
}

// `[`, `]` and `:` mean something in a specification.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : quoted(text)) {
        if (c == '[' || c == ']' || c == ':') result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_value(const OptionDescription& option) {
    const std::string what = option.is_optional ? "::" : ":", name = zsh_text(option.value);
    if (const auto& words = words_of(option); !words.empty())
        return fmt::format("{}{}:{}", what, name.empty() ? "value" : name,
                           option.is_list ? fmt::format("_sequence compadd - {}", fmt::join(words, " "))
                                          : fmt::format("({})", fmt::join(words, " ")));
    const std::string complete = option.value == "FILE" ? "_files" : option.value == "DIR" ? "_files -/" : "";
    return fmt::format("{}{}:{}", what, name, complete);
}

std::string zsh() {
    std::string cases, names;
    for (const CommandDescription& command : describe_commands()) {
        if (!command.name.empty())
            names += fmt::format("{}'{}:{}'", names.empty() ? "" : " ", command.name, zsh_text(command.help));
        std::string specs;
        for (const OptionDescription& option : command.options)
            for (const std::string& name : option.names) {
                const bool has_equals = name.ends_with('=');
                // `-arch` and `-arch=` are one option of zsh's.
                const auto has = [&](const std::string& other) {
                    return std::ranges::find(option.names, other) != option.names.end();
                };
                if (has_equals && has(name.substr(0, name.size() - 1))) continue;
                const std::string_view joint = !option.takes_value || has_equals           ? (has_equals ? "-" : "")
                                               : name.starts_with("--") || has(name + "=") ? "="
                                                                                           : "+";
                specs += fmt::format("            '*{}{}[{}]{}' \\\n", name, joint, zsh_text(option.help),
                                     option.takes_value ? zsh_value(option) : "");
            }
        const std::string rest =
            command.actions.empty() ? "_files" : fmt::format("({})", fmt::join(command.actions, " "));
        cases += fmt::format("        {}) _arguments -S \\\n{}            '*:argument:{}' ;;\n",
                             command.name.empty() ? "*" : command.name, specs, rest);
    }
    const size_t second = cases.find("        run)");
    cases = cases.substr(second) + cases.substr(0, second);
    // Found in $fpath it is run, sourced it is registered.
    return fmt::format(R"(#compdef pykc
# zsh completion of pykc, made by pykc --completion zsh
_pykc() {{
    local commands=({})
    (( CURRENT == 2 )) && [[ $words[2] != -* ]] && _describe command commands
    case $words[2] in
{}    esac
}}
if [[ $funcstack[1] = _pykc ]]; then _pykc "$@"; else compdef _pykc pykc; fi
)",
                       names, cases);
}

std::string fish_value(const OptionDescription& option) {
    const std::string words = fmt::format("{}", fmt::join(words_of(option), " "));
    if (!words.empty() && option.is_list)
        return fmt::format(" -xa '(__fish_complete_list , \"string split \\\" \\\" \\\"{}\\\"\")'", words);
    if (!words.empty()) return fmt::format(" {}a '{}'", option.is_optional ? "-f" : "-x", words);
    if (option.value == "DIR") return " -xa '(__fish_complete_directories)'";
    return !option.takes_value ? "" : option.value == "FILE" ? " -rF" : " -x";
}

std::string fish() {
    const std::vector<CommandDescription> commands = describe_commands();
    std::string text = "# fish completion of pykc, made by pykc --completion fish\n", names;
    for (const CommandDescription& command : commands)
        if (!command.name.empty()) names += (names.empty() ? "" : " ") + command.name;
    for (const CommandDescription& command : commands) {
        const std::string when = command.name.empty() ? fmt::format("not __fish_seen_subcommand_from {}", names)
                                                      : "__fish_seen_subcommand_from " + command.name;
        if (!command.name.empty())
            text += fmt::format("complete -c pykc -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                                quoted(command.help, "\\'"));
        if (!command.actions.empty())
            text += fmt::format("complete -c pykc -n '{}' -xa '{}'\n", when, fmt::join(command.actions, " "));
        for (const OptionDescription& option : command.options) {
            std::string line = fmt::format("complete -c pykc -n '{}'", when);
            for (std::string name : option.names) {
                if (name.ends_with('=')) name.pop_back();
                const size_t dashes = std::min(name.find_first_not_of('-'), name.size());
                line += fmt::format(" {} '{}'",
                                    dashes == 2        ? "-l"
                                    : name.size() == 2 ? "-s"
                                                       : "-o",
                                    name.substr(dashes));
            }
            text += fmt::format("{}{} -d '{}'\n", line, fish_value(option), quoted(option.help, "\\'"));
        }
    }
    return text;
}

}  // namespace

std::string completions(const std::string& shell) { return shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish(); }

}  // namespace pyk
