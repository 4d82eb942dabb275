#include "emit/greek_letters.h"

#include "support/words.h"

namespace pyk::emitter {
namespace {

/// In Unicode's order, from U+03B1 and U+0391 on; of the capitals the second sigma is none.
constexpr std::string_view kNames[] = {
    "alpha", "beta",    "gamma", "delta", "epsilon", "zeta",  "eta", "theta",   "iota", "kappa", "lambda", "mu",   "nu",
    "xi",    "omicron", "pi",    "rho",   "sigma",   "sigma", "tau", "upsilon", "phi",  "chi",   "psi",    "omega"};
constexpr unsigned kFirst = 0x3b1, kFirstCapital = 0x391, kNoLetter = 0x3a2;

unsigned two_byte_code(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    return text.size() < 2 || byte(0) >> 5 != 6 ? 0 : (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
}

/// Of the letter that the text begins with; empty: it is not Greek.
std::string greek_name(std::string_view text) {
    const unsigned code = two_byte_code(text);
    const bool is_capital = code < kFirst;
    const unsigned place = code - (is_capital ? kFirstCapital : kFirst);
    if (code < kFirstCapital || code == kNoLetter || place >= std::size(kNames)) return "";
    std::string name(kNames[place]);
    if (is_capital) name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

}  // namespace

std::string with_named_greek(std::string_view name) {
    std::string result;
    bool is_behind_greek = false;
    for (size_t at = 0; at < name.size();) {
        const std::string greek = greek_name(name.substr(at));
        const bool is_letter = !greek.empty() || !(is_digit(name[at]) || name[at] == '_');
        const bool follows_letter = at > 0 && !is_digit(name[at - 1]) && name[at - 1] != '_';
        if ((is_behind_greek && is_letter) || (!greek.empty() && follows_letter && !is_behind_greek)) result += '_';
        result += greek.empty() ? std::string(1, name[at]) : greek;
        at += greek.empty() ? 1 : 2;
        is_behind_greek = !greek.empty();
    }
    return result;
}

}  // namespace pyk::emitter
