#include "machine_code.h"

#include <array>
#include <regex>
#include <utility>

#include "compile/process.h"
#include "compile/temp_folder.h"
#include "support/files.h"

namespace pyk::machine_code {
namespace {

using Pattern = std::pair<const char*, std::regex>;

// The part from a line that matches `head` and has `name` in it to the next line that matches `head`.
std::string part(const std::string& text, const std::regex& head, const std::string& name) {
    for (std::sregex_iterator it(text.begin(), text.end(), head), end; it != end; ++it) {
        if ((*it)[1].str().find(name) == std::string::npos) continue;
        const auto from = static_cast<size_t>(it->position());
        const auto next = std::next(it);
        return text.substr(from, next == end ? std::string::npos : static_cast<size_t>(next->position()) - from);
    }
    return {};
}

template <size_t N>
Counts count(const std::string& text, const std::array<Pattern, N>& patterns) {
    Counts counts;
    for (const auto& [what, pattern] : patterns)
        counts[what] = static_cast<int>(std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), {}));
    return counts;
}

}  // namespace

Counts count_ptx(const std::string& ptx, const std::string& name) {
    static const std::regex head(R"(\.entry (\w+))");
    static const std::array<Pattern, 4> patterns = {{{"global load", std::regex(R"(\bld\.global)")},
                                                     {"global store", std::regex(R"(\bst\.global)")},
                                                     {"shared load", std::regex(R"(\bld\.shared)")},
                                                     {"shared store", std::regex(R"(\bst\.shared)")}}};
    return count(part(ptx, head, name), patterns);
}

Counts count_sass(const std::string& sass, const std::string& name) {
    static const std::regex head(R"(Function : (\w+))");
    static const std::array<Pattern, 4> patterns = {{{"global load", std::regex(R"(\bLDG\.)")},
                                                     {"global store", std::regex(R"(\bSTG\.)")},
                                                     {"shared load", std::regex(R"(\bLDS\b)")},
                                                     {"shared store", std::regex(R"(\bSTS\b)")}}};
    return count(part(sass, head, name), patterns);
}

std::optional<std::string> disassemble(const std::string& cubin, const std::string& nvcc) {
    const auto cuobjdump = find_program(nvcc.substr(0, nvcc.find_last_of('/') + 1) + "cuobjdump");
    const TempFolder folder;
    const std::string file = folder.file("kernel.cubin");
    if (!cuobjdump || !write_file(file, cubin)) return std::nullopt;
    const auto result = run_process({*cuobjdump, "-sass", file});
    if (!result || result->exit_code != 0) return std::nullopt;
    return result->output;
}

}  // namespace pyk::machine_code
