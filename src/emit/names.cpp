#include "emit/names.h"

#include <fmt/format.h>

#include <cctype>
#include <unordered_set>

#include "builtins/builtins.h"

namespace pyk::emitter {
namespace {

constexpr std::string_view kReservedWords =
#include "emit/reserved_words.def"
    ;
constexpr std::string_view kGlobalNames =
#include "emit/global_names.def"
    ;

// Not std::isalnum, a call each: the tables are long.
bool is_word(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

/// Calls `visit(word, begin)` for each word of the text.
void for_each_word(std::string_view text, const auto& visit) {
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end > at) visit(text.substr(at, end - at), at);
        at = end + (end == at);
    }
}

bool has_word(std::string_view text, std::string_view word) {
    bool found = false;
    for_each_word(text, [&](std::string_view each, size_t) { found |= each == word; });
    return found;
}

/// The names that the emitter itself writes without a namespace.
constexpr std::string_view kOwnNames = "pyk std pyk_t pyk_dynamic_shared pyk_file pyk_line pyk_in_file";

/// Views of the tables: most programs ask for a few names only, and copies of all took longer than emitting them.
struct Reserved {
    std::unordered_set<std::string_view> words;
    std::unordered_set<std::string_view> with_f;  ///< and the same with an `f` behind

    /// The words of a spelling that stand by themselves: not `x` of `threadIdx.x`, not `sin` of `std::sin`.
    void add_unqualified(std::string_view spelling) {
        for_each_word(spelling, [&](std::string_view word, size_t at) {
            if (at != 0 && std::string_view(".:{").find(spelling[at - 1]) != std::string_view::npos) return;
            words.insert(word);
            if (spelling.substr(at + word.size()).starts_with("{f}")) with_f.insert(word);
        });
    }

    bool contains(std::string_view name) const {
        return words.contains(name) || (name.ends_with('f') && with_f.contains(name.substr(0, name.size() - 1)));
    }
};

Reserved reserved_names() {
    Reserved names;
    names.words.reserve(4096);
    for (const std::string_view text : {kReservedWords, kOwnNames})
        for_each_word(text, [&](std::string_view word, size_t) { names.words.insert(word); });
    for (const Builtin& builtin : all_builtins())
        for (const std::string_view spelling : builtin.spelling) names.add_unqualified(spelling);
    return names;
}

bool is_reserved(std::string_view name) {
    static const Reserved names = reserved_names();
    if (name.find("__") != std::string_view::npos) return true;
    if (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1]))) return true;
    return names.contains(name);
}

/// Decodes one code point of valid UTF-8 and moves on.
uint32_t next_code_point(std::string_view text, size_t& at) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    const uint32_t first = byte(at);
    const size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t result = length == 1 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length && at + i < text.size(); ++i) result = result << 6 | (byte(at + i) & 0x3f);
    at += length;
    return result;
}

std::string stem(std::string_view source_name) {
    std::string result;
    for (char c : source_name.substr(0, source_name.rfind('.'))) result += is_word(c) || (c & 0x80) ? c : '_';
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result.insert(0, "k");
    return result;
}

}  // namespace

std::string ascii_name(std::string_view name) {
    std::string result;
    for (size_t at = 0; at < name.size();) {
        const uint32_t c = next_code_point(name, at);
        if (c < 0x80)
            result += static_cast<char>(c);
        else
            result += fmt::format("_u{:04X}_", c);
    }
    return result;
}

std::string cpp_identifier(std::string_view name) {
    std::string result = ascii_name(name);
    if (is_reserved(result)) result += '_';
    return result;
}

std::string unique_identifier(std::string_view name, const std::function<bool(const std::string&)>& taken) {
    const std::string base = cpp_identifier(name);
    const std::string_view separator = base.ends_with('_') ? "" : "_";
    std::string result = base;
    for (int i = 1; taken(result); ++i) result = fmt::format("{}{}{}", base, separator, i);
    return result;
}

std::string unique_identifier(std::string_view name, const NameSet& taken) {
    return unique_identifier(name, [&](const std::string& candidate) { return taken.contains(candidate); });
}

std::string file_name(std::string_view path) { return std::string(path.substr(path.find_last_of('/') + 1)); }

std::string file_identifier(std::string_view source_name) { return cpp_identifier(stem(source_name)); }

std::string namespace_of(std::string_view source_name, const EmitOptions& options) {
    if (!options.name_space.empty()) return options.name_space;
    std::string result = file_identifier(source_name);
    if (result == "main" || has_word(kGlobalNames, result)) result += '_';
    return result;
}

}  // namespace pyk::emitter
