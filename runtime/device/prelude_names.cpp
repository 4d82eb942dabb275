#include "prelude_names.h"

#include <algorithm>
#include <map>

#include "pyk_prelude.h"

namespace pyk {
namespace {

constexpr std::string_view kDefines = "// Defines: ";
constexpr std::string_view kInclude = "#include \"pyk/";

bool is_name_char(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

std::string_view leading_name(std::string_view text) {
    size_t length = 0;
    while (length < text.size() && is_name_char(text[length])) ++length;
    return text.substr(0, length);
}

template <typename OnLine>
void for_each_line(std::string_view text, OnLine on_line) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        on_line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::map<std::string_view, std::string_view> read_definitions() {
    std::map<std::string_view, std::string_view> part_of;
    for (const PreludePart& part : prelude_parts())
        for_each_line(part.text, [&](std::string_view line) {
            if (!line.starts_with(kDefines)) return;
            line.remove_prefix(kDefines.size());
            while (!line.empty()) {
                const std::string_view name = leading_name(line);
                if (!name.empty()) part_of.emplace(name, part.name);
                line.remove_prefix(std::max<size_t>(name.size(), 1));
            }
        });
    return part_of;
}

const PreludePart* find_part(std::string_view name) {
    for (const PreludePart& part : prelude_parts())
        if (part.name == name) return &part;
    return nullptr;
}

void add_with_includes(std::string_view name, std::vector<std::string_view>& parts) {
    const PreludePart* part = find_part(name);
    if (!part || std::ranges::find(parts, part->name) != parts.end()) return;
    for_each_line(part->text, [&](std::string_view line) {
        if (line.starts_with(kInclude)) add_with_includes(leading_name(line.substr(kInclude.size())), parts);
    });
    parts.push_back(part->name);
}

}  // namespace

std::string_view prelude_part_of(std::string_view name) {
    static const std::map<std::string_view, std::string_view> part_of = read_definitions();
    const auto found = part_of.find(name);
    return found == part_of.end() ? std::string_view() : found->second;
}

std::vector<std::string_view> prelude_closure(const std::vector<std::string_view>& parts) {
    std::vector<std::string_view> closure;
    for (std::string_view part : parts) add_with_includes(part, closure);
    return closure;
}

std::vector<std::string_view> prelude_parts_used(std::string_view text) {
    constexpr std::string_view qualifier = "pyk::";
    std::vector<std::string_view> used;
    for (size_t at = text.find(qualifier); at != std::string_view::npos; at = text.find(qualifier, at + 1)) {
        if (at > 0 && is_name_char(text[at - 1])) continue;
        const std::string_view part = prelude_part_of(leading_name(text.substr(at + qualifier.size())));
        if (!part.empty() && std::ranges::find(used, part) == used.end()) used.push_back(part);
    }
    std::ranges::sort(used);
    return prelude_closure(used);
}

std::string paste_prelude(const std::vector<std::string_view>& parts) {
    std::string pasted;
    for (std::string_view name : parts) {
        const PreludePart* part = find_part(name);
        if (!part) continue;
        if (!pasted.empty()) pasted += '\n';
        for_each_line(part->text, [&](std::string_view line) {
            if (line.starts_with(kDefines) || line.starts_with(kInclude)) return;
            if (line.empty() && pasted.ends_with("\n\n")) return;
            pasted.append(line).push_back('\n');
        });
    }
    return pasted;
}

}  // namespace pyk
