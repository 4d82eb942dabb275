#include "driver/cli/cache_why.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace pyk {
namespace {

using cache::EntryInfo;

std::string note(const EntryInfo& entry, std::string_view name) {
    for (const auto& [known, value] : entry.notes)
        if (known == name) return value;
    return "";
}

/// A path as it would be if nothing were linked; the path itself where that cannot be said.
std::string without_links(const std::string& path) {
    std::error_code error;
    const std::filesystem::path canonical =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    return error ? path : canonical.string();
}

/// The file that was asked for: where it is, and the digest of what is in it now, empty if there is none.
struct Subject {
    std::string path, digest;

    explicit Subject(const std::string& file) : path(without_links(file)) {
        if (const auto content = cache::digest_of_file(path)) digest = content->hex();
    }

    bool exists() const { return !digest.empty(); }
    /// A value of a key that stands for the content.
    bool is_content(const std::string& value) const {
        return exists() && (value == digest || value == "sha256:" + digest);
    }
    bool has_content_of(const EntryInfo& entry) const {
        return std::any_of(entry.fields.begin(), entry.fields.end(),
                           [&](const auto& field) { return is_content(field.second); });
    }
};

/// The value of a field by its name; of several fields of one name, the nth.
std::optional<std::string> value_of(const EntryInfo& entry, const std::string& name, std::size_t nth) {
    for (const auto& [known, value] : entry.fields)
        if (known == name && nth-- == 0) return value;
    return std::nullopt;
}

using FieldName = std::pair<std::string, std::size_t>;

std::vector<FieldName> field_names(const std::vector<EntryInfo>& entries) {
    std::vector<FieldName> names;
    for (const EntryInfo& entry : entries) {
        std::map<std::string, std::size_t> seen;
        for (const auto& [name, value] : entry.fields) {
            const FieldName field(name, seen[name]++);
            if (std::find(names.begin(), names.end(), field) == names.end()) names.push_back(field);
        }
    }
    return names;
}

bool differs(const std::vector<EntryInfo>& entries, const FieldName& field) {
    const auto first = value_of(entries[0], field.first, field.second);
    return std::any_of(entries.begin() + 1, entries.end(),
                       [&](const EntryInfo& entry) { return value_of(entry, field.first, field.second) != first; });
}

/// A digest is told apart by its first letters.
std::string shown(const std::string& value) {
    const bool is_digest = value.size() == 64 && value.find_first_not_of("0123456789abcdef") == std::string::npos;
    return is_digest ? value.substr(0, 12) : printable(value);
}

/// Each value once, behind the numbers of the entries that have it.
std::string difference_text(const std::vector<EntryInfo>& entries, const FieldName& field, const Subject& subject) {
    std::vector<std::pair<std::optional<std::string>, std::string>> values;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto value = value_of(entries[i], field.first, field.second);
        const auto known =
            std::find_if(values.begin(), values.end(), [&](const auto& other) { return other.first == value; });
        if (known == values.end())
            values.emplace_back(value, std::to_string(i + 1));
        else
            known->second += ", " + std::to_string(i + 1);
    }
    std::string text, name = printable(field.first);
    for (const auto& [value, numbers] : values) {
        text += fmt::format("    {:<12} {}. {}{}\n", name, numbers, value ? shown(*value) : "(none)",
                            value && subject.is_content(*value) ? "  (the file as it is now)" : "");
        name.clear();
    }
    return text;
}

std::string group_text(const std::string& title, const std::vector<EntryInfo>& entries, const Subject& subject) {
    std::string text = "\n" + printable(title) + "\n", same;
    for (std::size_t i = 0; i < entries.size(); ++i)
        text += fmt::format("  {}. {}, used {}\n", i + 1, short_key(entries[i]), day_text(entries[i]));
    if (entries.size() == 1) return text;
    text += "  differ in\n";
    for (const FieldName& field : field_names(entries))
        if (differs(entries, field))
            text += difference_text(entries, field, subject);
        else
            same += (same.empty() ? "" : ", ") + printable(field.first);
    return same.empty() ? text : text + "  are the same in " + same + "\n";
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || byte == 0x7f)
            result += fmt::format("\\x{:02x}", byte);
        else
            result += c;
    }
    return result;
}

std::string short_key(const EntryInfo& entry) { return entry.key.hex().substr(0, 12); }

std::string day_text(const EntryInfo& entry) { return fmt::format("{:%F}", fmt::gmtime(entry.last_used)); }

std::string about(const EntryInfo& entry) {
    const std::string kernel = note(entry, "kernel"), file = note(entry, "file");
    return kernel + (kernel.empty() || file.empty() ? "" : "  ") + file;
}

std::string why_text(const std::vector<EntryInfo>& entries, const std::string& file) {
    const Subject subject(file);
    std::map<std::string, std::vector<EntryInfo>> groups;
    std::size_t count = 0;
    bool current = false;
    for (const EntryInfo& entry : entries) {
        const bool has_content = subject.has_content_of(entry);
        const std::string of = note(entry, "file");
        if (!has_content && (of.empty() || without_links(of) != subject.path)) continue;
        ++count;
        current |= has_content;
        const std::string kernel = note(entry, "kernel");
        groups[(kernel.empty() ? "" : kernel + ", ") + entry.kind].push_back(entry);
    }
    if (count == 0) return fmt::format("{}: no entry is of this file\n", subject.path);
    std::string text = fmt::format("{}: {} {}\n", subject.path, count, count == 1 ? "entry" : "entries");
    if (!current && subject.exists())
        text += "None is of the file as it is now: it was changed since, so it will be compiled anew.\n";
    for (const auto& [title, group] : groups) text += group_text(title, group, subject);
    return text;
}

}  // namespace pyk
