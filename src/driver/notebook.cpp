#include "driver/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pyk {
namespace {

using Json = nlohmann::json;

// Cell magics whose cell is code of the notebook, and line magics whose line is.
constexpr std::string_view kCodeCells[] = {"%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%notify"};
constexpr std::string_view kCodeLines[] = {"%time", "%timeit", "%prun", "%memit"};

template <typename Names>
bool is_one_of(const Names& names, std::string_view word) {
    return std::ranges::find(names, word) != std::end(names);
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t\r")); }

/// What a line magic runs: behind its name and its options, `-n 10 -r2`.
std::string_view code_behind(std::string_view line) {
    const auto drop_word = [&] {
        line.remove_prefix(first_word(line).size());
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    const auto is_number = [](std::string_view word) {
        return !word.empty() && std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    drop_word();
    while (line.starts_with('-')) {
        const bool has_value = first_word(line).size() > 2;
        drop_word();
        if (!has_value && is_number(first_word(line))) drop_word();
    }
    return line;
}

/// Speaks to Jupyter: `%matplotlib inline`, `!ls`, `cuda.jit?`.
bool is_magic(std::string_view line) {
    const auto is_named = [&](char mark) {
        return line.size() > 1 && line[0] == mark &&
               (std::isalpha(static_cast<unsigned char>(line[1])) || line[1] == mark);
    };
    return is_named('%') || (line.starts_with('!') && !line.starts_with("!=")) || line.starts_with('?') ||
           line.ends_with('?');
}

std::string code_of_line(const std::string& line) {
    const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string indent = line.substr(0, begin);
    const std::string_view text = std::string_view(line).substr(begin);
    if (!is_magic(text)) return line;
    const std::string_view code = is_one_of(kCodeLines, first_word(text)) ? code_behind(text) : std::string_view();
    if (!code.empty()) return indent + std::string(code);
    return fmt::format("{}{}# {}", indent, indent.empty() ? "" : "pass  ", text);  // a block must not become empty
}

std::string source_of(const Json& cell) {
    const Json source = cell.value("source", Json(""));
    if (source.is_string()) return source.get<std::string>();
    std::string text;
    for (const Json& line : source)
        if (line.is_string()) text += line.get<std::string>();
    return text;
}

std::string code_of_cell(const std::string& source) {
    std::string code;
    std::istringstream lines(source);
    bool is_code = true, is_first = true;
    for (std::string line; std::getline(lines, line); is_first = false) {
        if (line.find_first_not_of(" \t\r") == line.npos) {
            code += '\n';
            continue;
        }
        if (is_first && line.starts_with("%%")) {
            is_code = is_one_of(kCodeCells, first_word(line));
            code += "# " + line + '\n';
        } else {
            code += (is_code ? code_of_line(line) : "# " + line) + '\n';
        }
    }
    return code;
}

std::string language_of(const Json& notebook) {
    const Json metadata = notebook.value("metadata", Json::object());
    if (!metadata.is_object()) return "";
    const Json info = metadata.value("language_info", Json::object());
    const Json spec = metadata.value("kernelspec", Json::object());
    const auto text = [](const Json& of, const char* key) {
        return of.is_object() && of.contains(key) && of[key].is_string() ? of[key].get<std::string>() : std::string();
    };
    const std::string name = text(info, "name");
    return name.empty() ? text(spec, "language") : name;
}

}  // namespace

bool is_notebook(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && text[first] == '{' && text.find("\"nbformat\"") != text.npos;
}

std::string code_of_notebook(std::string_view text, std::string& error) {
    const Json notebook = Json::parse(text, nullptr, false);
    const Json cells = notebook.is_object() ? notebook.value("cells", Json()) : Json();
    if (!cells.is_array()) {
        error = "is no notebook of nbformat 4; save it with a newer Jupyter";
        return "";
    }
    if (const std::string language = language_of(notebook); !language.empty() && !language.starts_with("python")) {
        error = fmt::format("is a notebook of {}, not of Python", language);
        return "";
    }
    std::string code;
    int number = 0;
    for (const Json& cell : cells) {
        if (!cell.is_object() || cell.value("cell_type", Json()) != "code") continue;
        code += fmt::format("# cell {}\n{}", ++number, code_of_cell(source_of(cell)));
    }
    return code;
}

}  // namespace pyk
