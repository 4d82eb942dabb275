#include "sema/core_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/words.h"

namespace pyk {
namespace {

constexpr int64_t kLargestFixed = 1 << 20;
constexpr size_t kMostAxes = 8;  // of a part: pyk::most_axes of the prelude

class Parser {
  public:
    Parser(std::string_view text, std::string& error) : error_(error) {
        std::ranges::copy_if(text, std::back_inserter(text_), [](char c) { return c != ' ' && c != '\t'; });
    }

    std::optional<CoreLayout> parse() {
        if (!operands()) return std::nullopt;
        layout_.inputs = layout_.operands.size();
        const size_t known = layout_.extents.size();
        if (at_ == text_.size() && at_ > 0) return std::move(layout_);  // it stores to what it is given
        if (text_.substr(at_, 2) != "->") return fail("`->` goes between inputs and outputs");
        at_ += 2;
        if (!operands()) return std::nullopt;
        if (at_ != text_.size()) return fail(fmt::format("`{}` is not of the form `(m,n),(n)->(m)`", text_));
        if (layout_.operands.size() == layout_.inputs) return fail("there is no output");
        for (size_t i = known; i < layout_.extents.size(); ++i)
            if (!layout_.extents[i].fixed)
                return fail(fmt::format("no input has the extent `{}` of an output", layout_.extents[i].name));
        return std::move(layout_);
    }

  private:
    std::nullopt_t fail(std::string why) {
        error_ = std::move(why);
        return std::nullopt;
    }

    // Between the extents commas may be left out, and follow the last one, as in Numba.
    bool operands() {
        while (at_ < text_.size() && text_[at_] == '(') {
            ++at_;
            std::vector<size_t>& axes = layout_.operands.emplace_back();
            while (at_ < text_.size() && text_[at_] != ')') {
                if (text_[at_] == ',') {
                    ++at_;
                    continue;
                }
                const auto extent = extent_here();
                if (!extent) return false;
                axes.push_back(*extent);
            }
            if (axes.size() > kMostAxes) {
                fail(fmt::format("an operand has {} axes, of at most {}", axes.size(), kMostAxes));
                return false;
            }
            if (at_ == text_.size()) {
                fail("a parenthesis is not closed");
                return false;
            }
            ++at_;
            const bool goes_on = std::string_view(text_).substr(at_, 2) == ",(";
            if (!goes_on && at_ < text_.size() && (text_[at_] == ',' || text_[at_] == '(')) {
                fail("one comma goes between two parentheses, and none behind the last");
                return false;
            }
            if (goes_on) ++at_;
        }
        return true;
    }

    std::optional<size_t> extent_here() {
        const std::string word(word_at(text_, at_));
        if (word.empty() && (text_[at_] == '-' || text_[at_] == '(')) return fail("a parenthesis is not closed");
        if (word.empty()) return fail(fmt::format("`{}` is neither a name nor a number", text_[at_]));
        CoreExtent extent{word};
        if (is_digit(word[0])) {
            const bool is_number = std::ranges::all_of(word, is_digit);
            extent.fixed = is_number && word.size() < 8 ? std::stoll(word) : 0;
            if (extent.fixed <= 0 || extent.fixed > kLargestFixed) return fail(fmt::format("`{}` is no extent", word));
        }
        at_ += word.size();
        const auto found = std::ranges::find(layout_.extents, word, &CoreExtent::name);
        if (found == layout_.extents.end()) layout_.extents.push_back(std::move(extent));
        return static_cast<size_t>(std::ranges::find(layout_.extents, word, &CoreExtent::name) -
                                   layout_.extents.begin());
    }

    std::string text_;
    std::string& error_;
    size_t at_ = 0;
    CoreLayout layout_;
};

}  // namespace

std::string CoreLayout::text() const {
    std::string text;
    for (size_t k = 0; k < operands.size(); ++k) {
        text += k == inputs ? "->(" : k ? ",(" : "(";
        for (size_t axis = 0; axis < operands[k].size(); ++axis)
            text += (axis ? "," : "") + extents[operands[k][axis]].name;
        text += ")";
    }
    return text;
}

std::optional<CoreLayout> parse_core_layout(std::string_view text, std::string& error) {
    return Parser(text, error).parse();
}

}  // namespace pyk
