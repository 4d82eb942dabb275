#include "driver/cli/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/cli/arch_words.h"
#include "driver/cli/parser.h"
#include "driver/cli/spelling.h"
#include "driver/warnings.h"
#include "support/explain.h"

namespace pyk {
namespace {

// CLI11 writes the choices of IsMember into the type's name: `TEXT:{a,b}`.
std::vector<std::string> choices_in(const std::string& type) {
    const size_t begin = type.find('{'), end = type.find('}');
    std::vector<std::string> choices;
    if (begin == std::string::npos || end == std::string::npos) return choices;
    for (size_t at = begin + 1; at <= end;) {
        const size_t stop = type.find_first_of(",}", at);
        choices.push_back(type.substr(at, stop - at));
        at = stop + 1;
    }
    return choices;
}

// Ids and groups, on and off.
std::vector<std::string> warning_hints() {
    std::vector<std::string> hints(std::begin(kIgnoredWarnings), std::end(kIgnoredWarnings));
    hints.emplace_back("error");
    for (const std::string_view name : warning_names()) {
        if (std::ranges::find(hints, name) != hints.end()) continue;
        hints.emplace_back(name);
        hints.push_back(fmt::format("no-{}", name));
        hints.push_back(fmt::format("error={}", name));
    }
    return hints;
}

std::vector<std::string> explained() {
    const std::vector<std::string_view> ids = diagnostic_ids();
    return {ids.begin(), ids.end()};
}

std::vector<std::string> levels() { return {"0", "1", "2", "3"}; }

// Options whose values are a table of the parsers' own.
constexpr struct {
    const char* option;
    std::vector<std::string> (*values)();
    bool is_list;
} kHints[] = {{"warning", warning_hints, false}, {"emit", emit_names, true},      {"arch", arch_names, true},
              {"explain", explained, false},     {"device", device_names, false}, {"optimize", levels, false}};

}  // namespace

std::vector<std::string> spellings_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) {
        for (const Alias& alias : aliases())
            if (alias.option == "--" + name) {
                std::string spelling(alias.spelling);
                if (spelling.ends_with('*')) spelling.pop_back();
                if (std::ranges::find(names, spelling) == names.end()) names.push_back(std::move(spelling));
            }
        names.push_back("--" + name);
    }
    return names;
}

namespace {

OptionDescription described(const CLI::Option& option) {
    OptionDescription result;
    result.names = spellings_of(option);
    const std::string type = option.get_type_name();
    result.choices = choices_in(type);
    for (const auto& row : kHints) {
        if (!option.check_lname(row.option)) continue;
        result.hints = row.values();
        result.is_list = row.is_list;
    }
    result.takes_value = option.get_items_expected_max() > 0;
    result.is_optional = result.takes_value && option.get_items_expected_min() == 0;
    if (result.takes_value && result.choices.empty()) result.value = type.substr(0, type.find(':'));
    result.help = option.get_description();
    result.group = option.get_group();
    return result;
}

CommandDescription described(const std::string& name, CLI::App& app) {
    CommandDescription result{name, app.get_description(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional())
            result.arguments.push_back(option->get_type_name());
        else
            result.options.push_back(described(*option));
    }
    for (const CLI::App* action : app.get_subcommands({})) result.actions.push_back(action->get_name());
    return result;
}

}  // namespace

std::vector<CommandDescription> describe_commands() {
    std::vector<CommandDescription> commands;
    for (auto& [name, parser] : all_parsers()) commands.push_back(described(name, parser->app()));
    return commands;
}

}  // namespace pyk
