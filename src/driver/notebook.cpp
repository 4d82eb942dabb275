#include "driver/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "syntax/parse.h"

namespace pyk {
namespace {

using Json = nlohmann::json;

// Cell magics whose cell is code of the notebook, and line magics whose line is.
constexpr std::string_view kCodeCells[] = {"%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%notify"};
constexpr std::string_view kCodeLines[] = {"%time", "%timeit", "%prun", "%memit"};
// What Jupyter takes for a magic without its mark, in front of a word.
constexpr std::string_view kInstallers[] = {"pip", "conda", "mamba"};
// Begins a cell, in front of its number.
constexpr std::string_view kCell = "# cell ";

template <typename Names>
bool is_one_of(const Names& names, std::string_view word) {
    return std::ranges::find(names, word) != std::end(names);
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t\r")); }

std::string_view behind_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view behind_first_word(std::string_view text) {
    return behind_blanks(text.substr(first_word(text).size()));
}

/// What a line magic runs: behind its name and its options, `-n 10 -r2`.
std::string_view code_behind(std::string_view line) {
    const auto drop_word = [&] { line = behind_first_word(line); };
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
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    const bool installs = is_one_of(kInstallers, first_word(line)) && !behind_first_word(line).empty() &&
                          is_letter(behind_first_word(line)[0]);
    return installs || is_named('%') || (line.starts_with('!') && !line.starts_with("!=")) || line.starts_with('?') ||
           line.ends_with('?');
}

/// Of `times = %timeit -o f(x)` and `files = !ls`: `times = `; empty: it is no such line.
std::string_view target_of(std::string_view line) {
    const size_t equals = line.find('=');
    if (equals == line.npos || equals == 0) return {};
    const std::string_view target = line.substr(0, equals), value = behind_blanks(line.substr(equals + 1));
    const bool is_target = std::ranges::all_of(target, [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 ||
               std::string_view("_., \t()[]'\"").find(char(c)) != std::string_view::npos;
    });
    const bool is_special = value.starts_with('%') || value.starts_with('!');
    return is_target && is_special && is_magic(value) ? line.substr(0, line.size() - value.size()) : std::string_view();
}

std::string code_of_line(const std::string& line) {
    const std::string_view whole = behind_blanks(line), target = target_of(whole);
    const std::string indent = line.substr(0, line.size() - whole.size());
    const std::string_view text = whole.substr(target.size());
    // Of the file's own text: cells are one file here.
    if (text.starts_with("from __future__ import")) return fmt::format("{}# {}", indent, text);
    if (!is_magic(text)) return line;
    const std::string_view code = is_one_of(kCodeLines, first_word(text)) ? code_behind(text) : std::string_view();
    if (!target.empty())
        return fmt::format("{}{}{}{}get_ipython()  # {}", indent, code, code.empty() ? "" : "; ", target, text);
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
    bool is_code = true, is_first = true, goes_on = false;
    for (std::string line; std::getline(lines, line); is_first = false) {
        // A command may have several lines.
        const bool is_command = goes_on || is_magic(behind_blanks(line));
        if (std::exchange(goes_on, is_command && line.ends_with('\\'))) {
            code += "# " + line + '\n';
            continue;
        }
        if (line.find_first_not_of(" \t\r") == line.npos) {
            code += '\n';
            continue;
        }
        if (is_first && line.starts_with("%%")) {
            is_code = is_one_of(kCodeCells, first_word(line));
            code += "# " + line + '\n';
        } else {
            // A comment of the author's that reads like the beginning of a cell gets a blank more.
            if (line.starts_with(kCell)) line.insert(1, " ");
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
        code += fmt::format("{}{}\n{}", kCell, ++number, code_of_cell(source_of(cell)));
    }
    return code;
}

SourceFilePtr without_broken_cells(SourceFilePtr source, Diagnostics& diagnostics) {
    const std::string_view text = source->text();
    if (!source->name().ends_with(".ipynb") || !text.starts_with(kCell)) return source;
    if (Diagnostics findings; parse(source, findings)) return source;
    // Its lines, without what is in them.
    const auto blank = [](std::string_view part) {
        return std::string(static_cast<size_t>(std::ranges::count(part, '\n')), '\n');
    };
    std::string whole;
    int number = 1;
    for (size_t begin = 0, end = 0; begin < text.size(); begin = end, ++number) {
        end = std::min(text.find(fmt::format("\n{}{}\n", kCell, number + 1), begin), text.size() - 1) + 1;
        const std::string_view cell = text.substr(begin, end - begin);
        // At its line in the file.
        const std::string lines = blank(text.substr(0, begin));
        const auto before = static_cast<uint32_t>(begin - lines.size());
        const auto alone = std::make_shared<SourceFile>(source->name(), lines + std::string(cell));
        Diagnostics findings;
        const bool is_python = parse(alone, findings).has_value();
        whole += is_python ? std::string(cell) : blank(cell);
        if (is_python || findings.all().empty()) continue;
        // What is missing at the cell's end is told at its last line.
        const Diagnostic& first = findings.all().front();
        const auto last = static_cast<uint32_t>(end - 1);
        const Span place = {source.get(), std::min(first.span.begin + before, last),
                            std::min(first.span.end + before, last + 1)};
        diagnostics.report(diag::cell_left_out, place, number, first.text);
    }
    diagnostics.keep(source);
    auto result = std::make_shared<SourceFile>(source->name(), std::move(whole));
    diagnostics.keep(result);
    return result;
}

}  // namespace pyk
