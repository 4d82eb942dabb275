#include "driver/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>

#include "driver/cli/describe.h"
#include "driver/cli/failure.h"
#include "driver/cli/parser.h"
#include "driver/cli/response_file.h"
#include "driver/cli/spelling.h"
#include "support/nearest.h"

namespace pyk {

Parser::Parser(const std::string& description, const std::string& name) : app_(description, name) {
    // Flags come from several places; as in gcc and nvcc the last is what counts.
    app_.option_defaults()->take_last();
}

namespace {

/// What CLI11 says of an option, with the spelling that the user has for it.
std::string as_written(std::string text, const std::vector<std::string>& written) {
    // A negative number, as `normalise` has it.
    if (const size_t at = text.find(" =-"); at != std::string::npos) text.erase(at + 1, 1);
    for (const std::string& argument : written)
        for (const Alias& alias : aliases()) {
            std::string spelling(alias.spelling);
            if (spelling.ends_with('*') || spelling.ends_with('=')) spelling.pop_back();
            const std::string option = std::string(alias.option) + ":";
            if (argument.starts_with(spelling) && text.starts_with(option))
                return spelling + text.substr(option.size() - 1);
        }
    constexpr std::string_view kNotConverted = "Could not convert: ";
    if (text.starts_with(kNotConverted)) {
        const size_t equals = text.find(" = ");
        const std::string option = text.substr(kNotConverted.size(), equals - kNotConverted.size());
        return fmt::format("{}: `{}` is not what it takes", option,
                           equals == std::string::npos ? "" : text.substr(equals + 3));
    }
    return text;
}

}  // namespace

CLI::Option* Parser::add_each(const std::string& name, std::vector<std::string>& values, const std::string& help) {
    return app_.add_option(name, values, help)->allow_extra_args(false)->take_all();
}

Options Parser::parse(std::vector<std::string> written) {
    std::vector<std::string> arguments = normalise(written, takes_negative_numbers());
    std::reverse(arguments.begin(), arguments.end());
    try {
        app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return PrintOptions{app_.help()};
    } catch (const CLI::CallForVersion& version) {
        return PrintOptions{std::string(version.what()) + "\n"};
    } catch (const CLI::ExtrasError& error) {
        throw UsageError(fmt::format("{} (see {} --help)", what_is_no_option(written, error.what()), app_.get_name()));
    } catch (const CLI::ParseError& error) {
        throw UsageError(fmt::format("{} (see {} --help)", as_written(error.what(), written), app_.get_name()));
    }
    return finish();
}

std::string Parser::what_is_no_option(const std::vector<std::string>& written, const std::string& otherwise) const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_.get_options())
        for (std::string& name : spellings_of(*option)) {
            if (name.ends_with('=')) name.pop_back();
            names.push_back(std::move(name));
        }
    for (const std::string& argument : written) {
        if (argument == "--") break;
        const std::string name = argument.substr(0, argument.find('='));
        if (!argument.starts_with('-') || std::ranges::find(names, name) != names.end()) continue;
        // One letter with its value behind it.
        if (!argument.starts_with("--") && app_.get_option_no_throw(argument.substr(0, 2)) && argument.size() > 2) {
            const CLI::Option* option = app_.get_option_no_throw(argument.substr(0, 2));
            if (option->get_items_expected_max() > 0) continue;
        }
        if (normalise({argument}, takes_negative_numbers()).front() != argument) continue;
        if (const std::string_view ours = what_to_write_for(name); !ours.empty())
            return fmt::format("there is no option `{}`; write `{}`", name, ours);
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string near = nearest_name(name, known);
        return fmt::format("there is no option `{}`{}", name, near.empty() ? "" : "; did you mean `" + near + "`?");
    }
    std::vector<std::string_view> actions;
    for (const CLI::App* action : app_.get_subcommands({})) actions.push_back(action->get_name());
    if (!actions.empty() && !written.empty() && std::ranges::find(actions, written.front()) == actions.end())
        return fmt::format("`{}` is none of {}", written.front(), fmt::join(actions, ", "));
    return otherwise;
}

namespace {

// `rnu s.pyk`: no file of that name, but nearly a command.
void check_command(const std::string& word, std::span<const std::string_view> commands) {
    std::error_code ignored;
    const bool is_word = std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c); });
    if (!is_word || word.empty() || std::filesystem::exists(word, ignored)) return;
    const std::string near = nearest_name(word, commands);
    if (!near.empty())
        throw UsageError(fmt::format("there is no command `{}`; did you mean `{}`? (see pykc --help)", word, near));
    throw UsageError(
        fmt::format("there is no command and no file `{}`; `pykc FILE.pyk` compiles (see pykc --help)", word));
}

/// Each command with what makes its parser: declaring all options takes longer than reading them.
struct Command {
    std::string_view name;
    std::unique_ptr<Parser> (*parser)();
};
constexpr Command kCommands[] = {
    {"", compile_parser},        {"run", run_parser},     {"report", report_parser},
    {"devices", devices_parser}, {"cache", cache_parser},
};

}  // namespace

std::vector<std::pair<std::string, std::unique_ptr<Parser>>> all_parsers() {
    std::vector<std::pair<std::string, std::unique_ptr<Parser>>> parsers;
    for (const Command& command : kCommands) parsers.emplace_back(command.name, command.parser());
    return parsers;
}

Options parse_options(std::vector<std::string> arguments) {
    arguments = with_response_files(std::move(arguments));
    if (!arguments.empty() && arguments[0] == "help") {
        arguments.erase(arguments.begin());
        arguments.emplace_back("--help");
    }
    std::vector<std::string_view> commands;
    for (const auto& [command, parser] : std::span(kCommands).subspan(1)) {
        if (!arguments.empty() && arguments[0] == command) {
            arguments.erase(arguments.begin());
            return parser()->parse(std::move(arguments));
        }
        commands.push_back(command);
    }
    if (!arguments.empty()) check_command(arguments[0], commands);
    return kCommands[0].parser()->parse(std::move(arguments));
}

}  // namespace pyk
