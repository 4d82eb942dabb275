#include "directive.h"

#include <regex>
#include <stdexcept>

#include "driver/left_out.h"

namespace pyk::golden {
namespace {

// Words apart by blanks; '…' keeps blanks.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    static const std::regex word(R"('([^']*)'|(\S+))");
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
        words.push_back((*it)[1].matched ? (*it)[1].str() : (*it)[2].str());
    return words;
}

ConstantValue value_of(const std::string& text) {
    if (text.find_first_of(".e") != std::string::npos) return std::stod(text);
    return static_cast<int64_t>(std::stoll(text));
}

void define(const std::string& text, Defines& defines) {
    const size_t equals = text.find('=');
    defines[text.substr(0, equals)] = value_of(text.substr(equals + 1));
}

bool starts_with(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

Directive parse_directive(std::string_view source) {
    static const std::regex pattern(R"((?:^|\n)# pykc: ([^\n]*))");
    const std::string text(source.substr(0, 4096));
    std::smatch match;
    Directive directive;
    if (!std::regex_search(text, match, pattern)) return directive;
    const std::vector<std::string> words = words_of(match[1]);
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--sig")
            directive.selection.signatures.push_back(signature_source(words.at(++i)));
        else if (words[i] == "--kernel")
            directive.selection.kernels.push_back(words.at(++i));
        else if (words[i] == "-D")
            define(words.at(++i), directive.defines);
        else if (words[i] == "--emit=cpp")
            directive.for_cpu = directive.selection.for_host = true;
        else if (words[i] == "-Werror")
            directive.warnings.all_as_errors = true;
        else if (starts_with(words[i], "-Werror="))
            directive.warnings.as_errors.insert(words[i].substr(8));
        else if (starts_with(words[i], "-Wno-"))
            directive.warnings.disabled.insert(words[i].substr(5));
        else if (starts_with(words[i], "-W"))
            directive.warnings.enabled.insert(words[i].substr(2));
        else
            throw std::runtime_error("unknown word in `# pykc:`: " + words[i]);
    }
    return directive;
}

std::optional<Unit> compile(const SourceFilePtr& source, const Directive& directive, const Target& target,
                            Diagnostics& diagnostics) {
    const std::optional<Program> program = read_program(source, directive.defines, diagnostics);
    if (!program) return std::nullopt;
    std::vector<Request> requests = choose_requests(*program, directive.selection, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    requests = without_failing(
        *program, std::move(requests), diagnostics,
        [&](const Request& request, Diagnostics& found) { return translate(*program, {request}, target, {}, found).has_value(); });
    EmitOptions options;
    options.verify = true;
    return translate(*program, requests, target, options, diagnostics);
}

}  // namespace pyk::golden
