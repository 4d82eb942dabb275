#include "driver/defined_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include "support/nearest.h"

namespace pyk {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80) != 0; }

void add_words(std::string_view text, std::set<std::string, std::less<>>& words) {
    for (size_t begin = 0; begin < text.size();) {
        size_t end = begin;
        while (end < text.size() && is_of_word(text[end])) ++end;
        if (end > begin) words.emplace(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

}  // namespace

std::optional<std::string> wrong_define(const Program& program) {
    if (program.defines.empty()) return std::nullopt;
    std::set<std::string, std::less<>> words;
    add_words(program.source->text(), words);
    for (const std::string& path : files_read(program)) {
        if (path == program.source->name()) continue;
        std::ifstream file(path, std::ios::binary);
        add_words(std::string(std::istreambuf_iterator<char>(file), {}), words);
    }
    for (const auto& [name, value] : program.defines) {
        if (words.contains(name)) continue;
        const std::vector<std::string_view> known(words.begin(), words.end());
        const std::string near = nearest_name(name, known);
        return fmt::format("the definition of {}: {} has no such name{}", name, program.source->name(),
                           near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
    }
    return std::nullopt;
}

}  // namespace pyk
