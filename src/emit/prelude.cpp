#include "emit/prelude.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "emit/emit.h"
#include "emit/lines.h"
#include "prelude_names.h"
#include "support/words.h"

namespace pyk::emitter {
namespace {

constexpr std::string_view kInclude = "#include \"pyk/";
constexpr std::string_view kCondition = "__CUDACC__";

/// Leaves out the branches of `#ifdef __CUDACC__` that the target does not see; other conditions stay.
class Branches {
  public:
    explicit Branches(bool defined) : defined_(defined) {}

    /// Whether the line is text that the target sees.
    bool keeps(std::string_view line) {
        if (line.starts_with("#if")) return open(line);
        if (open_.empty() || (line != "#else" && !line.starts_with("#endif"))) return visible();
        if (!open_.back().is_ours) return close_other(line);
        if (line == "#else")
            open_.back().visible = !open_.back().visible;
        else
            open_.pop_back();
        return false;
    }

  private:
    struct Level {
        bool is_ours, visible;
    };

    bool open(std::string_view line) {
        const bool is_ours = line.ends_with(kCondition);
        open_.push_back({is_ours, !is_ours || line.starts_with("#ifdef") == defined_});
        return !is_ours && visible();
    }
    bool close_other(std::string_view line) {
        const bool seen = visible();
        if (line.starts_with("#endif")) open_.pop_back();
        return seen;
    }
    bool visible() const {
        return std::all_of(open_.begin(), open_.end(), [](const Level& level) { return level.visible; });
    }

    bool defined_;
    std::vector<Level> open_;
};

class Paster {
  public:
    explicit Paster(const Target& target) : target_(target) {}

    void add(std::string_view name) {
        if (!done_.insert(name).second) return;
        const std::string_view source = prelude_part(name);
        Branches branches(target_.is_cudacc);
        std::string part;
        for_each_line(source, [&](std::string_view line) {
            if (!branches.keeps(line) || is_comment(line)) return;
            if (line.starts_with(kInclude)) return add(word_at(line, kInclude.size()));
            if (line.empty() && (part.empty() || part.ends_with("\n\n"))) return;
            part.append(line) += '\n';
        });
        text += part + "\n";
    }

    std::string text;

  private:
    static bool is_comment(std::string_view line) {
        const size_t start = line.find_first_not_of(' ');
        return start != std::string_view::npos && line.substr(start).starts_with("//");
    }

    const Target& target_;
    std::set<std::string_view> done_;
};

/// The parts that a text names, in alphabetical order.
std::set<std::string_view> parts_named(std::string_view text) {
    constexpr std::string_view kQualifier = "pyk::";
    std::set<std::string_view> parts;
    for (size_t at = text.find(kQualifier); at != std::string_view::npos; at = text.find(kQualifier, at + 1)) {
        if (at > 0 && is_of_word(text[at - 1])) continue;
        const std::string_view part = prelude_part_of(word_at(text, at + kQualifier.size()));
        if (!part.empty()) parts.insert(part);
    }
    return parts;
}

}  // namespace

std::string pasted_prelude(std::string_view text, const Target& target) {
    Paster paster(target);
    for (std::string_view part : parts_named(text)) paster.add(part);
    return std::move(paster.text);
}

std::string included_prelude(std::string_view text) {
    std::string includes;
    for (std::string_view part : parts_named(text)) includes += fmt::format("#include <pyk/{}.h>\n", part);
    return includes;
}

}  // namespace pyk::emitter
