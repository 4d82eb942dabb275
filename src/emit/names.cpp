#include "emit/names.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "emit/greek_letters.h"
#include "support/words.h"

namespace pyk::emitter {
namespace {

constexpr std::string_view kReservedWords =
#include "emit/reserved_words.def"
    ;
constexpr std::string_view kGlobalNames =
#include "emit/global_names.def"
    ;

/// The names that the emitter itself writes without a namespace.
constexpr std::string_view kOwnNames = "pyk std printf pyk_t pyk_dynamic_shared pyk_file pyk_line pyk_in_file";

/// Macros of the prelude, and what makes a `float4`, begin so.
constexpr std::string_view kMacros = "PYK_", kMakeVector = "make_";

/// What builtins are written as, on every target.
constexpr std::string_view kSpellings[] = {
#define PYK_BUILTIN(name, rule, effects, cuda, cpu, spelled, sm, doc) cuda, cpu,
#include "builtins/builtins.def"
};

/// Calls `visit(word, suffix)` for the words of a spelling that stand by themselves: not `x` of `threadIdx.x`, not
/// `sin` of `std::sin`.
constexpr void for_each_used(std::string_view spelling, const auto& visit) {
    for_each_word(spelling, is_of_word, [&](std::string_view word, size_t at) {
        if (at != 0 && std::string_view(".:{").find(spelling[at - 1]) != std::string_view::npos) return;
        visit(word, "");
        if (spelling.substr(at + word.size()).starts_with("{f}")) visit(word, "f");
    });
}

/// Calls `visit(word, suffix)` for each name that emitted text may not have otherwise.
constexpr void for_each_reserved(const auto& visit) {
    for (const std::string_view text : {kReservedWords, kOwnNames})
        for_each_word(text, is_of_word, [&](std::string_view word, size_t) { visit(word, ""); });
    for (const std::string_view spelling : kSpellings) for_each_used(spelling, visit);
}

/// A hash table of these names, made by the C++ compiler: filling one took longer than emitting a short kernel.
class ReservedNames {
  public:
    constexpr ReservedNames() {
        for_each_reserved([&](std::string_view word, std::string_view suffix) { add(word, suffix); });
    }

    constexpr bool contains(std::string_view name) const { return slots_[slot_of(name, "")] != kFree; }

  private:
    static constexpr size_t kSlots = 8192;  ///< more than twice the names
    static constexpr uint16_t kFree = 0;
    static constexpr size_t kLength = [] {
        size_t length = 1;
        for_each_reserved(
            [&](std::string_view word, std::string_view suffix) { length += word.size() + suffix.size() + 1; });
        return length;
    }();
    static_assert(kLength < 65536, "slots are 16 bits");

    std::array<char, kLength> text_{};  ///< the names, each ended by a zero
    std::array<uint16_t, kSlots> slots_{};
    size_t end_ = 1;

    constexpr void add(std::string_view word, std::string_view suffix) {
        uint16_t& slot = slots_[slot_of(word, suffix)];
        if (slot != kFree) return;
        slot = static_cast<uint16_t>(end_);
        for (const std::string_view part : {word, suffix})
            for (const char c : part) text_[end_++] = c;
        ++end_;
    }

    /// Where the name is, or would be.
    constexpr size_t slot_of(std::string_view word, std::string_view suffix) const {
        uint32_t hash = 2166136261;  // FNV-1a
        for (const std::string_view part : {word, suffix})
            for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
        size_t slot = hash % kSlots;
        while (slots_[slot] != kFree && !is_at(slots_[slot], word, suffix)) slot = (slot + 1) % kSlots;
        return slot;
    }
    constexpr bool is_at(size_t at, std::string_view word, std::string_view suffix) const {
        for (const std::string_view part : {word, suffix})
            for (const char c : part)
                if (text_[at++] != c) return false;
        return text_[at] == 0;
    }
};

/// C++ keeps all names of this form to itself.
bool has_reserved_form(std::string_view name) {
    return name.find("__") != std::string_view::npos ||
           (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1])));
}

/// `ONE` of `_ONE`, `add` of `__add__`, `a_b` of `a__b`: without the underscores that give a name that form.
std::string plain(std::string name) {
    if (!has_reserved_form(name)) return name;
    std::string result;
    for (const char c : name)
        if (c != '_' || !(result.empty() || result.back() == '_')) result += c;
    if (result.ends_with('_')) result.pop_back();
    return result.empty() ? name : result;
}

bool is_reserved(std::string_view name) {
    static constexpr ReservedNames names;
    if (has_reserved_form(name)) return true;
    if (name.starts_with(kMacros)) return true;
    if (name.starts_with(kMakeVector) && has_word(kGlobalNames, name.substr(kMakeVector.size()))) return true;
    return names.contains(name);
}

std::string stem(std::string_view source_name) {
    std::string result;
    for (char c : source_name.substr(0, source_name.rfind('.'))) result += is_of_name(c) ? c : '_';
    if (result.empty() || is_digit(result[0])) result.insert(0, "k");
    return result;
}

}  // namespace

std::string cpp_identifier(std::string_view name) {
    std::string result = ascii_name(name);
    if (result.empty() || is_digit(result[0])) result.insert(0, "n");
    if (is_reserved(result)) result += '_';
    return result;
}

std::string inner_identifier(std::string_view name) { return cpp_identifier(plain(with_named_greek(name))); }

bool is_function_of_headers(std::string_view name) {
    return has_word(kGlobalNames, name) && !has_word(kReservedWords, name) && !has_word(kOwnNames, name);
}

bool uses_name(std::string_view spelling, std::string_view name) {
    bool result = false;
    for_each_used(spelling, [&](std::string_view word, std::string_view suffix) {
        result = result || (name.starts_with(word) && name.substr(word.size()) == suffix);
    });
    return result;
}

std::string unique_identifier(std::string_view name, const std::function<bool(const std::string&)>& taken) {
    const std::string base = inner_identifier(name);
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
