// One command of pykc as CLI11 describes it. Help, completion scripts and the manual page are made of that description.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "driver/cli/options.h"

namespace pyk {

class Parser {
  public:
    Parser(const std::string& description, const std::string& name);
    virtual ~Parser() = default;

    /// Reads the arguments behind the command's name. Throws UsageError.
    Options parse(std::vector<std::string> arguments);
    CLI::App& app() { return app_; }

  protected:
    /// What the arguments, which `app()` has taken, ask for.
    virtual Options finish() = 0;
    virtual bool takes_negative_numbers() const { return false; }
    /// A repeatable option of one value each.
    CLI::Option* add_each(const std::string& name, std::vector<std::string>& values, const std::string& help);

    CLI::App app_;

  private:
    /// Of arguments that nothing takes: the first that looks like an option, and what may have been meant.
    std::string what_is_no_option(const std::vector<std::string>& written, const std::string& otherwise) const;
};

/// `pykc FILE…`
std::unique_ptr<Parser> compile_parser();
/// `pykc run`
std::unique_ptr<Parser> run_parser();
/// `pykc report`
std::unique_ptr<Parser> report_parser();
/// `pykc devices`
std::unique_ptr<Parser> devices_parser();
/// `pykc cache`
std::unique_ptr<Parser> cache_parser();

/// Every command: its name (empty: without one), and its parser.
std::vector<std::pair<std::string, std::unique_ptr<Parser>>> all_parsers();

}  // namespace pyk
