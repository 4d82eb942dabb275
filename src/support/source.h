// Source text and places in it. A span is a pair of byte offsets; line and column are computed only when shown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pyk {

/// Line and column as a person counts them: both from 1, the column in Unicode code points.
struct Position {
    uint32_t line = 1;
    uint32_t column = 1;
    bool operator==(const Position&) const = default;
};

/// One file's text: immutable, kept alive by every stage that holds a span into it.
class SourceFile {
  public:
    /// `name` is what diagnostics print: the path as the user gave it, or `<stdin>`.
    SourceFile(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    uint32_t line_count() const { return static_cast<uint32_t>(line_starts_.size()); }

    Position position(uint32_t offset) const;
    uint32_t line_of(uint32_t offset) const { return position(offset).line; }
    /// The text of a line (counted from 1), without its line end.
    std::string_view line_text(uint32_t line) const;

  private:
    std::string name_;
    std::string text_;
    std::vector<uint32_t> line_starts_;
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A half-open range of bytes of one file. A null file means: nowhere (made by the compiler, or a command-line
/// argument).
struct Span {
    const SourceFile* file = nullptr;
    uint32_t begin = 0;
    uint32_t end = 0;

    explicit operator bool() const { return file != nullptr; }
    bool operator==(const Span&) const = default;
    uint32_t line() const { return file ? file->line_of(begin) : 0; }
    std::string_view text() const { return file ? file->text().substr(begin, end - begin) : std::string_view(); }
};

struct SpanHash {
    size_t operator()(const Span& span) const { return (size_t{span.begin} << 32 | span.end) * 0x9e3779b97f4a7c15ULL; }
};

/// Files that the compiler brings are called so: `<pyk.numpy>`.
inline constexpr std::string_view kLibraryPrefix = "<pyk.";
inline bool is_of_library(Span span) { return span.file && span.file->name().starts_with(kLibraryPrefix); }

/// From the start of `first` to the end of `last`.
inline Span cover(Span first, Span last) { return {first.file, first.begin, last.end}; }

}  // namespace pyk
