#include "sema/formatted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "sema/const_text.h"

namespace pyk {
namespace {

bool is_in(std::string_view all, char c) { return all.find(c) != std::string_view::npos; }

/// Reads literals that the parser has accepted.
class PartsReader {
  public:
    explicit PartsReader(std::string_view raw) : raw_(raw) {}

    std::optional<std::vector<FormattedPart>> read() {
        while (skip_blank())
            if (!literal()) return std::nullopt;
        return std::move(parts_);
    }

  private:
    bool has(std::string_view what) const { return raw_.substr(at_, what.size()) == what; }

    /// To the next literal; false: there is none.
    bool skip_blank() {
        while (at_ < raw_.size() && is_in(" \t\r\n\\()#", raw_[at_]))
            at_ = raw_[at_] == '#' ? std::min(raw_.find('\n', at_), raw_.size()) : at_ + 1;
        return at_ < raw_.size();
    }

    bool literal() {
        is_formatted_ = is_raw_ = false;
        for (; at_ < raw_.size() && !is_in("\"'", raw_[at_]); ++at_) {
            is_formatted_ = is_formatted_ || is_in("fF", raw_[at_]);
            is_raw_ = is_raw_ || is_in("rR", raw_[at_]);
        }
        if (at_ == raw_.size()) return false;
        const bool is_triple = raw_.substr(at_, 3) == std::string(3, raw_[at_]);
        const std::string_view quotes = raw_.substr(at_, is_triple ? 3 : 1);
        for (at_ += quotes.size(); at_ < raw_.size(); ++at_) {
            if (has(quotes)) return at_ += quotes.size(), true;
            const bool is_brace = is_formatted_ && is_in("{}", raw_[at_]);
            if (is_brace && raw_.substr(at_ + 1, 1) == raw_.substr(at_, 1))
                add(raw_[at_++]);
            else if (is_brace ? !field() : !character())
                return false;
        }
        return false;
    }

    void add(char c) {
        if (parts_.empty() || parts_.back().is_field) parts_.push_back({});
        parts_.back().text += c;
    }

    bool character() {
        if (raw_[at_] != '\\' || is_raw_) return add(raw_[at_]), true;
        constexpr std::string_view kWritten = "\\'\"nt", kMeant = "\\'\"\n\t";
        const char escaped = ++at_ < raw_.size() ? raw_[at_] : '\0';
        if (escaped == '\n') return true;
        const size_t which = kWritten.find(escaped);
        return which != std::string_view::npos && (add(kMeant[which]), true);
    }

    /// `{expression!r:specification}`, or `{expression=}`; stays at the brace that ends it.
    bool field() {
        FormattedPart part{.text = {}, .is_field = true};
        int depth = 0;
        bool shows_itself = false;
        for (++at_; at_ < raw_.size(); ++at_) {
            const char c = raw_[at_], next = at_ + 1 < raw_.size() ? raw_[at_ + 1] : '\0';
            if (is_in("\"'", c)) {
                const size_t end = raw_.find(c, at_ + 1);
                if (end == std::string_view::npos) return false;
                part.text += raw_.substr(at_, end - at_);
                at_ = end;
            } else if (depth == 0 && is_in("}:", c)) {
                break;
            } else if (depth == 0 && c == '!' && next != '=') {
                part.conversion = next;
                at_ += 2;
                break;
            } else if (depth == 0 && c == '=' && next != '=' &&
                       (part.text.empty() || !is_in("=!<>", part.text.back()))) {
                const size_t end = std::min(raw_.find_first_not_of(" =", at_), raw_.size());
                for (const char shown : part.text) add(shown);
                for (const char shown : raw_.substr(at_, end - at_)) add(shown);
                shows_itself = true;
                at_ = end - 1;
                continue;
            }
            depth += is_in("([{", c) - is_in(")]}", c);
            part.text += c;
        }
        if (has(":")) {
            const size_t begin = ++at_;
            for (depth = 0; at_ < raw_.size() && (depth > 0 || raw_[at_] != '}'); ++at_)
                depth += (raw_[at_] == '{') - (raw_[at_] == '}');
            part.specification = raw_.substr(begin, at_ - begin);
        }
        if (!has("}")) return false;
        part.text.erase(0, part.text.find_first_not_of(' '));
        if (shows_itself && part.conversion == 0 && part.specification.empty()) part.conversion = 'r';
        parts_.push_back(std::move(part));
        return true;
    }

    std::string_view raw_;
    size_t at_ = 0;
    bool is_formatted_ = false, is_raw_ = false;
    std::vector<FormattedPart> parts_;
};

/// `[[fill]align][sign][#][0][width][grouping][.precision][type]`.
struct Specification {
    char fill = ' ', align = 0, sign = '-', grouping = 0, type = 0;
    bool has_prefix = false;
    size_t width = 0;
    int precision = -1;
};

std::optional<Specification> read_specification(std::string_view text) {
    Specification result;
    size_t at = 0;
    const auto number = [&] {
        size_t value = 0;
        for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && value < 1000; ++at)
            value = value * 10 + static_cast<size_t>(text[at] - '0');
        return value;
    };
    if (text.size() > 1 && is_in("<>^=", text[1])) result.fill = text[at++];
    if (at < text.size() && is_in("<>^=", text[at])) result.align = text[at++];
    if (at < text.size() && is_in("+- ", text[at])) result.sign = text[at++];
    if (at < text.size() && text[at] == '#') result.has_prefix = true, ++at;
    if (at < text.size() && text[at] == '0') {
        if (!result.align) result.fill = '0', result.align = '=';
        ++at;
    }
    result.width = number();
    if (at < text.size() && is_in(",_", text[at])) result.grouping = text[at++];
    if (at < text.size() && text[at] == '.') ++at, result.precision = static_cast<int>(number());
    if (at < text.size()) result.type = text[at++];
    return at == text.size() && result.width < 1000 ? std::optional(result) : std::nullopt;
}

std::string padded(std::string_view sign, std::string_view body, const Specification& spec, char align) {
    const size_t length = characters_in(sign) + characters_in(body);
    const size_t room = spec.width > length ? spec.width - length : 0;
    const size_t before = align == '>' ? room : align == '^' ? room / 2 : 0;
    const auto fill = [&](size_t count) { return std::string(count, spec.fill); };
    if (align == '=') return fmt::format("{}{}{}", sign, fill(room), body);
    return fmt::format("{}{}{}{}", fill(before), sign, body, fill(room - before));
}

/// The digits of a magnitude; nullopt: the type is none of integers.
std::optional<std::string> digits_of(uint64_t magnitude, const Specification& spec) {
    switch (spec.type) {
        case 0:
        case 'd':
            return fmt::format("{}", magnitude);
        case 'x':
            return fmt::format("{:x}", magnitude);
        case 'X':
            return fmt::format("{:X}", magnitude);
        case 'o':
            return fmt::format("{:o}", magnitude);
        case 'b':
            return fmt::format("{:b}", magnitude);
        default:
            return std::nullopt;
    }
}

/// `1234567` as `1,234,567`: the digits in front of the point.
std::string grouped(std::string digits, const Specification& spec, bool is_integer) {
    const size_t size = spec.type == 0 || is_in("dfF%gG", spec.type) ? 3 : 4;
    for (size_t at = is_integer ? digits.size() : digits.find_first_of(".e%"); at > size; at -= size)
        digits.insert(at - size, 1, spec.grouping);
    return digits;
}

std::optional<std::string> number_text(double magnitude, const Specification& spec) {
    if (spec.type == '%' && !spec.has_prefix)
        return fmt::format("{:.{}f}%", magnitude * 100, spec.precision < 0 ? 6 : spec.precision);
    if (!is_in("fFeEgG", spec.type) || spec.type == 0 || spec.has_prefix) return std::nullopt;
    const std::string format = fmt::format("{{:.{{}}{}}}", spec.type);  // whatever the program's locale is
    return fmt::format(fmt::runtime(format), magnitude, spec.precision < 0 ? 6 : spec.precision);
}

/// What Python's `repr` makes of a number or a text; nullopt: it is not followed.
std::optional<std::string> representation(const Const& value) {
    const auto* text = value.as<std::string>();
    if (!text) return value.as<Type>() ? std::nullopt : text_of(value);
    const bool is_plain = std::ranges::all_of(*text, [](char c) { return c >= ' ' && c < 127 && !is_in("'\\", c); });
    return is_plain ? std::optional(fmt::format("'{}'", *text)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<FormattedPart>> formatted_parts(std::string_view raw) { return PartsReader(raw).read(); }

std::vector<std::string_view> names_in(std::string_view expression) {
    const auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; };
    std::vector<std::string_view> names;
    for (size_t begin = 0, end = 0; begin < expression.size(); begin = end + 1) {
        for (end = begin; end < expression.size() && is_part(static_cast<unsigned char>(expression[end]));) ++end;
        if (end > begin) names.push_back(expression.substr(begin, end - begin));
    }
    return names;
}

std::optional<std::string> formatted_value(const Const& value, char conversion, std::string_view specification) {
    if (conversion != 0) {
        auto text = conversion == 's' ? text_of(value) : conversion == 'r' ? representation(value) : std::nullopt;
        return text ? formatted_value(Const{std::move(*text), {}}, 0, specification) : std::nullopt;
    }
    if (specification.empty()) return text_of(value);
    const auto spec = read_specification(specification);
    if (!spec) return std::nullopt;
    if (const auto* text = value.as<std::string>()) {
        const bool is_plain =
            (spec->type == 0 || spec->type == 's') && spec->precision < 0 && spec->align != '=' && !spec->grouping;
        return is_plain ? std::optional(padded("", *text, *spec, spec->align ? spec->align : '<')) : std::nullopt;
    }
    const auto integer = value.as<Const::Int>() ? to_int(value) : std::nullopt;
    const double* real = value.as<double>();
    if (!integer && !real) return std::nullopt;
    const bool as_integer = integer && spec->precision < 0 && (spec->type == 0 || is_in("dxXob", spec->type));
    const double number = real ? *real : static_cast<double>(*integer);
    const bool is_negative = as_integer ? *integer < 0 : std::signbit(number);
    const auto bits = static_cast<uint64_t>(integer.value_or(0));
    auto body = as_integer ? digits_of(is_negative ? 0 - bits : bits, *spec) : number_text(std::abs(number), *spec);
    if (body && spec->grouping) {
        if (spec->fill == '0' && spec->align == '=') return std::nullopt;  // the zeros would be grouped too
        body = grouped(std::move(*body), *spec, as_integer);
    }
    std::string sign = is_negative ? "-" : spec->sign == '-' ? "" : std::string(1, spec->sign);
    if (as_integer && spec->has_prefix && spec->type != 0 && spec->type != 'd') sign += {'0', spec->type};
    return body ? std::optional(padded(sign, *body, *spec, spec->align ? spec->align : '>')) : std::nullopt;
}

}  // namespace pyk
