// The comments of a source file, and the statements that they belong to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pyk::emitter {

struct SourceComment {
    uint32_t line;
    uint32_t indent;
    std::string text;  ///< without `#`, as comment_text gives it
};

/// A statement, or what begins a block: `for i in range(n):`. It may go on in further lines.
struct SourceStatement {
    enum class Kind : uint8_t {
        plain,
        function,   ///< `def`, or a class
        decorator,  ///< `@cuda.jit`
        clause,     ///< `else`, `try`, `finally`: nothing is emitted for it
    };
    uint32_t line = 0;
    uint32_t indent = 0;
    Kind kind = Kind::plain;
    std::vector<SourceComment> above;   ///< in lines of their own, no further in than it
    std::vector<SourceComment> behind;  ///< in its own lines
};

/// All statements in order. Precondition: the text was parsed. What tools are told in comments, such as `noqa`, is left
/// out; without comments there are no statements.
std::vector<SourceStatement> commented_statements(std::string_view text);

/// A text that may stand behind `//`: it goes on in no other line, and has no marks of lines.h.
std::string comment_text(std::string_view text);

}  // namespace pyk::emitter
