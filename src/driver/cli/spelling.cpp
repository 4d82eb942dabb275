#include "driver/cli/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <regex>
#include <sstream>

#include "driver/cli/arguments.h"
#include "driver/cli/failure.h"
#include "driver/warnings.h"
#include "emit/names.h"
#include "support/fault.h"
#include "support/words.h"

namespace pyk {
namespace {

// Longer extensions stand before those that they end in.
constexpr EmitKindInfo kKinds[] = {
    {"cu", EmitKind::cu, ".cu", false, false, false},
    {"header", EmitKind::header, ".h .hpp .cuh", false, false, false},
    {"images", EmitKind::images, ".images.cpp", true, false, true},
    {"cpp", EmitKind::cpp, ".cpp .cc .cxx", false, false, false},
    {"ptx", EmitKind::ptx, ".ptx", true, false, false},
    {"cubin", EmitKind::cubin, ".cubin", true, true, false},
    {"ltoir", EmitKind::ltoir, ".ltoir", true, true, false},
    {"fatbin", EmitKind::fatbin, ".fatbin", true, true, true},
    {"object", EmitKind::object, ".o", true, true, true},
    {"ast", EmitKind::ast, ".ast", false, false, false},
    {"ir", EmitKind::ir, ".ir", false, false, false},
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    if (text.empty() || text.back() == separator) parts.emplace_back();
    return parts;
}

bool is_negative_number(std::string_view text) {
    return text.size() > 1 && text[0] == '-' && (parse_number(text) || (parse_complex(text) && text != "-j"));
}

constexpr Alias kAliases[] = {{"-w", "--no-warnings"},
                              {"-arch", "--arch"},
                              {"-arch=", "--arch"},
                              {"-fastmath", "--fastmath"},
                              {"--use_fast_math", "--fastmath"},
                              {"-use_fast_math", "--fastmath"},
                              {"-fmad=", "--fmad"},
                              {"-rdc=", "--rdc"},
                              {"-rdc", "--rdc"},
                              {"-maxrregcount=", "--maxrregcount"},
                              {"-maxrregcount", "--maxrregcount"},
                              {"-G", "--device-debug"},
                              {"-g", "--lineinfo"},
                              {"-lineinfo", "--lineinfo"},
                              {"-fsyntax-only", "--check"},
                              {"--check=bounds", "--check-bounds"},
                              {"--check=race", "--check-races"},
                              {"--check=races", "--check-races"},
                              {"-MD", "--write-dependencies"},
                              {"-MP", "--dependency-phony"},
                              {"-MF", "--dependency-file"},
                              {"-MF*", "--dependency-file"},
                              {"-MT", "--dependency-target"},
                              {"-MT*", "--dependency-target"},
                              {"-MQ", "--dependency-target"},
                              {"-MQ*", "--dependency-target"},
                              {"-O", "--optimize=1"},
                              {"-O*", "--optimize"},
                              {"-W*", "--warning"},
                              {"-###", "--show-commands"},
                              {"--time-report", "--time-report=text"}};

std::string normalised(const std::string& argument, bool is_run) {
    for (const auto& [spelling, option] : kAliases) {
        const std::string_view stem = spelling.substr(0, spelling.size() - 1);
        const bool takes_value = spelling.ends_with('=') || spelling.ends_with('*');
        if (!takes_value && argument == spelling) return std::string(option);
        if (spelling.ends_with('=') && argument == spelling) throw UsageError("`" + argument + "`: a value is missing");
        if (spelling.ends_with('=') && argument.starts_with(spelling))
            return fmt::format("{}={}", option, argument.substr(spelling.size()));
        if (spelling.ends_with('*') && argument.starts_with(stem) && argument.size() > stem.size())
            return fmt::format("{}={}", option, argument.substr(stem.size()));
    }
    if (argument.starts_with("--check="))
        throw UsageError("`" + argument + "`: there are `--check`, `--check=bounds` and `--check=race`");
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
        throw UsageError("`" + argument + "`: a value is missing");
    // An ARG with an empty name is the next parameter's.
    if (is_run && is_negative_number(argument)) return "=" + argument;
    return argument;
}

std::optional<unsigned> parse_extent(const std::string& text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > 0x7fffffffu)
        return std::nullopt;
    return value;
}

}  // namespace

std::span<const Alias> aliases() { return kAliases; }

std::string_view what_to_write_for(std::string_view option) {
    static constexpr Alias kOthers[] = {{"-c", "--emit=object"},
                                        {"-dc", "--emit=object -rdc=true"},
                                        {"-S", "--emit=ptx"},
                                        {"-ptx", "--emit=ptx"},
                                        {"--ptx", "--emit=ptx"},
                                        {"-cubin", "--emit=cubin"},
                                        {"--cubin", "--emit=cubin"},
                                        {"-fatbin", "--emit=fatbin"},
                                        {"--fatbin", "--emit=fatbin"},
                                        {"-cuda", "--emit=cu"},
                                        {"-E", "--emit=cu"},
                                        {"-M", "-MD"},
                                        {"-MM", "-MD"},
                                        {"-MMD", "-MD"},
                                        {"-gencode", "-arch=sm_90"},
                                        {"--generate-code", "-arch=sm_90"},
                                        {"-code", "-arch=sm_90"},
                                        {"--gpu-architecture", "-arch=sm_90"},
                                        {"-l", "--link=FILE"},
                                        {"-keep", "--emit=cu,ptx,cubin -d DIR"},
                                        {"--keep", "--emit=cu,ptx,cubin -d DIR"},
                                        {"-dryrun", "-###"},
                                        {"--dryrun", "-###"},
                                        {"--ftz", "-fastmath"},
                                        {"-ftz", "-fastmath"}};
    const auto* const row = std::ranges::find(kOthers, option, &Alias::spelling);
    return row == std::end(kOthers) ? std::string_view() : row->option;
}

std::vector<std::string> normalise(std::vector<std::string> arguments, bool is_run) {
    for (std::string& argument : arguments) {
        if (argument == "--") break;
        argument = normalised(argument, is_run);
    }
    return arguments;
}

namespace {

// A number, a type, or numbers separated by commas: a tuple.
std::optional<DefineValue> parse_define(std::string_view text) {
    if (const auto number = parse_number(text)) return *number;
    SignatureError ignored{};
    if (const auto type = parse_type(text, ignored)) return *type;
    if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
    std::vector<ConstantValue> items;
    while (!text.empty()) {
        const size_t end = std::min(text.find(','), text.size());
        const auto number = parse_number(text.substr(0, end));
        if (!number) return std::nullopt;
        items.push_back(*number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return items.empty() ? std::nullopt : std::optional<DefineValue>(std::move(items));
}

}  // namespace

void add_define(Defines& defines, const std::string& text) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::string value = equals == std::string::npos ? "1" : text.substr(equals + 1);
    if (!is_identifier(name, is_of_name)) throw UsageError(fmt::format("`-D {}`: the form is NAME=VALUE", text));
    const std::optional<DefineValue> known = parse_define(value);
    if (!known) throw UsageError(fmt::format("`-D {}`: `{}` is not a number, True, False or a type", text, value));
    defines[name] = *known;
}

void add_warning(WarningOptions& warnings, const std::string& text) {
    if (const std::string fault = apply_warning(warnings, text); !fault.empty()) throw UsageError(fault);
}

Dimensions parse_dimensions(const std::string& option, const std::string& given) {
    const std::string text = given.starts_with('=') ? given.substr(1) : given;  // as a negative number is handed on
    Dimensions dimensions = {1, 1, 1};
    const std::vector<std::string> parts = split(text, ',');
    for (size_t i = 0; i < parts.size(); ++i) {
        const std::optional<unsigned> extent = parse_extent(parts[i]);
        if (!extent || i >= dimensions.size())
            throw UsageError(fmt::format("`{} {}`: the form is X[,Y[,Z]], each from 1 to 2147483647", option, text));
        dimensions[i] = *extent;
    }
    return dimensions;
}

std::pair<std::string, std::string> parse_save(const std::string& text) {
    const size_t equals = text.find('=');
    if (text.empty() || equals == 0 || equals + 1 == text.size())
        throw UsageError(fmt::format("`--save {}`: the form is PARAM=FILE.npy, or FILE.npy for a result", text));
    if (equals == std::string::npos) return {"", text};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> emit_names() {
    std::vector<std::string> names;
    for (const EmitKindInfo& row : kKinds) names.emplace_back(row.name);
    return names;
}

std::vector<EmitRequest> parse_emit(const std::string& text) {
    const auto kind_of = [&](std::string_view name) {
        for (const EmitKindInfo& row : kKinds)
            if (row.name == name) return row.kind;
        throw UsageError(fmt::format("`--emit={}`: the kinds are {}", text, fmt::join(emit_names(), ", ")));
    };
    if (text.ends_with('=')) throw UsageError(fmt::format("`--emit={}`: a value is missing", text));
    if (const size_t equals = text.find('='); equals != std::string::npos)
        return {{kind_of(text.substr(0, equals)), text.substr(equals + 1)}};
    std::vector<EmitRequest> requests;
    for (const std::string& name : split(text, ',')) requests.push_back({kind_of(name), {}});
    return requests;
}

EmitKind emit_kind_of_file(const std::string& path) {
    for (const EmitKindInfo& row : kKinds)
        for (const std::string& extension : split(std::string(row.extensions), ' '))
            if (path.ends_with(extension)) return row.kind;
    if (const std::string extension = std::filesystem::path(path).extension(); extension.size() > 1)
        throw UsageError(
            fmt::format("`-o {}`: `{}` is of no kind of output; say which with --emit=KIND", path, extension));
    return EmitKind::cu;
}

const EmitKindInfo& info(EmitKind kind) {
    const auto* const row = std::ranges::find(kKinds, kind, &EmitKindInfo::kind);
    if (row == std::end(kKinds)) internal_error("an --emit kind without a name");
    return *row;
}

std::string extension_of(EmitKind kind) { return split(std::string(info(kind).extensions), ' ')[0]; }

void check_namespace(const std::string& text) {
    static const std::regex form("[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*");
    if (!std::regex_match(text, form))
        throw UsageError(fmt::format("`--namespace={}`: the form is name or outer::inner", text));
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find("::"));
        if (emitter::cpp_identifier(part) != part)
            throw UsageError(fmt::format("`--namespace={}`: `{}` is a word of C++ or of the emitted text", text, part));
        rest.remove_prefix(std::min(part.size() + 2, rest.size()));
    }
}

namespace {
constexpr std::pair<std::string_view, DeviceChoice> kDevices[] = {
    {"auto", DeviceChoice::automatic}, {"cuda", DeviceChoice::cuda}, {"cpu", DeviceChoice::cpu}};
}

DeviceChoice parse_device(const std::string& text) {
    for (const auto& [name, choice] : kDevices)
        if (name == text) return choice;
    throw UsageError(fmt::format("`--device {}`: the devices are {}", text, fmt::join(device_names(), ", ")));
}

std::vector<std::string> device_names() {
    std::vector<std::string> names;
    for (const auto& [name, choice] : kDevices) names.emplace_back(name);
    return names;
}

}  // namespace pyk
