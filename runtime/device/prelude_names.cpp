#include "prelude_names.h"

#include <algorithm>
#include <unordered_map>

#include "pyk_prelude.h"

namespace pyk {
namespace {

using Definitions = std::unordered_map<std::string_view, std::string_view>;

/// Adds the names of "a, b, c", which may go on over comment lines.
void add_names(std::string_view names, std::string_view part, Definitions& part_of) {
    constexpr std::string_view separators = ", /\n";
    while (!names.empty()) {
        const size_t end = std::min(names.find_first_of(separators), names.size());
        if (end > 0) part_of.emplace(names.substr(0, end), part);
        names.remove_prefix(std::min(end + 1, names.size()));
    }
}

Definitions read_definitions() {
    constexpr std::string_view mark = "\n// Defines: ";
    Definitions part_of;
    for (const PreludePart& part : prelude_parts()) {
        const std::string_view head = part.text.substr(0, part.text.find("\n#ifndef"));
        const size_t at = head.find(mark);
        if (at != std::string_view::npos) add_names(head.substr(at + mark.size()), part.name, part_of);
    }
    return part_of;
}

}  // namespace

std::string_view prelude_part_of(std::string_view name) {
    static const Definitions part_of = read_definitions();
    const auto found = part_of.find(name);
    return found == part_of.end() ? std::string_view() : found->second;
}

}  // namespace pyk
