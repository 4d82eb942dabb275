#include "support/source.h"

#include <algorithm>

namespace pyk {

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
    line_starts_.push_back(0);
    for (uint32_t i = 0; i < text_.size(); ++i) {
        const bool crlf = text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
        if (text_[i] == '\n' || (text_[i] == '\r' && !crlf)) line_starts_.push_back(i + 1);
    }
}

Position SourceFile::position(uint32_t offset) const {
    offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const uint32_t start = *(next - 1);
    const auto is_lead = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    const auto column = std::count_if(text_.begin() + start, text_.begin() + offset, is_lead);
    return {static_cast<uint32_t>(next - line_starts_.begin()), static_cast<uint32_t>(column) + 1};
}

std::string_view SourceFile::line_text(uint32_t line) const {
    if (line == 0 || line > line_starts_.size()) return {};
    const uint32_t start = line_starts_[line - 1];
    const uint32_t end = line < line_starts_.size() ? line_starts_[line] : static_cast<uint32_t>(text_.size());
    std::string_view text = std::string_view(text_).substr(start, end - start);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

}  // namespace pyk
