// Text that is being written line by line, with indentation, each line knowing the line of the source that it stems
// from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pyk {

struct Line {
    std::string text;        ///< indented, without its line end
    uint32_t source = 0;     ///< line of the source, 0 where it stems from none
    bool construct = false;  ///< begins a loop or a branch of the source: the reader wants to know where
};

class Printer {
  public:
    static constexpr size_t kIndent = 4;

    explicit Printer(size_t depth = 0) : depth_(depth) {}

    void line(std::string text, uint32_t source = 0, bool construct = false) {
        lines_.push_back({std::string(kIndent * depth_, ' ') + std::move(text), source, construct});
    }
    /// Takes over lines as they are.
    void append(std::vector<Line> lines) {
        for (Line& line : lines) lines_.push_back(std::move(line));
    }
    void indent() { ++depth_; }
    void dedent() { --depth_; }

    size_t depth() const { return depth_; }
    std::vector<Line> take() { return std::move(lines_); }

  private:
    size_t depth_;
    std::vector<Line> lines_;
};

}  // namespace pyk
