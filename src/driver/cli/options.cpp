#include "driver/cli/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/cli/failure.h"
#include "driver/cli/parser.h"
#include "driver/cli/response_file.h"
#include "driver/cli/spelling.h"

namespace pyk {

Parser::Parser(const std::string& description, const std::string& name) : app_(description, name) {}

CLI::Option* Parser::add_each(const std::string& name, std::vector<std::string>& values, const std::string& help) {
    return app_.add_option(name, values, help)->allow_extra_args(false);
}

Options Parser::parse(std::vector<std::string> arguments) {
    arguments = normalise(std::move(arguments), takes_negative_numbers());
    std::reverse(arguments.begin(), arguments.end());
    try {
        app_.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return PrintOptions{app_.help()};
    } catch (const CLI::CallForVersion& version) {
        return PrintOptions{std::string(version.what()) + "\n"};
    } catch (const CLI::ParseError& error) {
        throw UsageError(fmt::format("{} (see {} --help)", error.what(), app_.get_name()));
    }
    return finish();
}

std::vector<std::pair<std::string, std::unique_ptr<Parser>>> all_parsers() {
    std::vector<std::pair<std::string, std::unique_ptr<Parser>>> parsers;
    parsers.emplace_back("", compile_parser());
    parsers.emplace_back("run", run_parser());
    parsers.emplace_back("report", report_parser());
    parsers.emplace_back("devices", devices_parser());
    parsers.emplace_back("cache", cache_parser());
    return parsers;
}

Options parse_options(std::vector<std::string> arguments) {
    arguments = with_response_files(std::move(arguments));
    auto parsers = all_parsers();
    for (auto& [command, parser] : parsers)
        if (!command.empty() && !arguments.empty() && arguments[0] == command) {
            arguments.erase(arguments.begin());
            return parser->parse(std::move(arguments));
        }
    return parsers[0].second->parse(std::move(arguments));
}

}  // namespace pyk
