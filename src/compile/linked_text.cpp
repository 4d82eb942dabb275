#include "compile/linked_text.h"

#include <fmt/format.h>

#include <regex>

#include "emit/text.h"

namespace pyk {
namespace {

// Of code that stands word for word in the file that names it.
Span written_at(const ir::LinkedCode& code) {
    const size_t at = code.span.file ? code.span.file->text().find(code.bytes) : std::string_view::npos;
    if (at == std::string_view::npos) return {};
    return {code.span.file, static_cast<uint32_t>(at), static_cast<uint32_t>(at + code.bytes.size())};
}

// A line without the space around its text.
Span span_of_line(const SourceFile& file, uint32_t line) {
    const std::string_view text = file.line_text(line);
    const auto begin = static_cast<uint32_t>(text.data() - file.text().data());
    const size_t start = std::min(text.find_first_not_of(" \t"), text.size());
    const size_t end = text.find_last_not_of(" \t\r") + 1;
    return {&file, begin + static_cast<uint32_t>(start), begin + static_cast<uint32_t>(std::max(start, end))};
}

}  // namespace

std::string text_for_compiler(const ir::LinkedCode& code) {
    const Span written = written_at(code);
    const std::string file = written ? written.file->name() : code.shown_name();
    return fmt::format("#line {} {}\n{}", written ? written.line() : 1, emitter::cpp_string(file), code.bytes);
}

Span place_of_error(const ir::LinkedCode& code, const std::string& log) {
    static const std::regex kError(R"((?:\(|:)([0-9]+)(?:\)|:[0-9]+)?: (?:catastrophic |fatal )?error)");
    const Span written = written_at(code);
    std::smatch found;
    if (!written || !std::regex_search(log, found, kError) || found[1].length() > 9) return code.span;
    const auto line = static_cast<uint32_t>(std::stoul(found[1]));
    const bool is_inside = written.line() <= line && line <= written.file->line_of(written.end);
    return is_inside ? span_of_line(*written.file, line) : code.span;
}

}  // namespace pyk
