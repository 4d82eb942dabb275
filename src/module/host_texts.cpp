#include "module/host_texts.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "module/const_text.h"
#include "module/host_values.h"

namespace pyk {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f\v";
constexpr int64_t kWidest = 1000;  ///< of what a method fills up

Const as_list(const std::vector<std::string>& parts) {
    std::vector<Const> items;
    for (const std::string& part : parts) items.push_back({part, {}});
    return list_of(std::move(items));
}

std::string stripped(std::string text, std::string_view method, std::string_view characters) {
    if (method != "lstrip") text.erase(text.find_last_not_of(characters) + 1);
    if (method != "rstrip") text.erase(0, text.find_first_not_of(characters));
    return text;
}

// `at_most` splits, of a negative number all.
std::vector<std::string> split_at(const std::string& text, const std::string& by, int64_t at_most) {
    std::vector<std::string> parts;
    size_t from = 0;
    for (size_t at = 0; at_most-- != 0 && (at = text.find(by, from)) != text.npos; from = at + by.size())
        parts.push_back(text.substr(from, at - from));
    parts.push_back(text.substr(from));
    return parts;
}

// The same from behind.
std::vector<std::string> split_from_behind(std::string text, const std::string& by, int64_t at_most) {
    std::vector<std::string> parts;
    for (size_t at = 0; at_most-- != 0 && (at = text.rfind(by)) != text.npos; text.erase(at))
        parts.push_back(text.substr(at + by.size()));
    parts.push_back(text);
    std::ranges::reverse(parts);
    return parts;
}

// At spaces, however many stand there.
std::vector<std::string> words(const std::string& text, int64_t at_most) {
    std::vector<std::string> parts;
    for (size_t at = 0; (at = text.find_first_not_of(kSpaces, at)) != text.npos;) {
        const bool is_rest = at_most-- == 0;
        const size_t end = is_rest ? text.size() : std::min(text.find_first_of(kSpaces, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> parts;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of("\n\r\f\v\x1c\x1d\x1e", at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return parts;
}

std::optional<Const> splitted(const std::string& text, std::string_view method, std::span<const Const> args) {
    const bool at_spaces = args.empty() || args[0].as<Const::None>();
    const auto* by = at_spaces ? nullptr : args[0].as<std::string>();
    const auto at_most = args.size() == 2 ? to_int(args[1]) : std::optional<int64_t>(-1);
    if (args.size() > 2 || !at_most || (!at_spaces && (!by || by->empty()))) return std::nullopt;
    if (by) return as_list(method == "split" ? split_at(text, *by, *at_most) : split_from_behind(text, *by, *at_most));
    return method == "split" || *at_most < 0 ? std::optional(as_list(words(text, *at_most))) : std::nullopt;
}

// `s.partition("=")`: what stands before it, it, what stands behind it.
Const parted(const std::string& text, bool from_behind, const std::string& by) {
    const size_t at = from_behind ? text.rfind(by) : text.find(by);
    std::vector<std::string> parts = {text, "", ""};
    if (at == text.npos && from_behind) parts = {"", "", text};
    if (at != text.npos) parts = {text.substr(0, at), by, text.substr(at + by.size())};
    return Const{Const::Tuple{{parts[0], {}}, {parts[1], {}}, {parts[2], {}}}, {}};
}

std::optional<Const> replaced(const std::string& text, std::span<const Const> args) {
    const auto *before = args[0].as<std::string>(), *after = args[1].as<std::string>();
    const auto at_most = args.size() == 3 ? to_int(args[2]) : std::optional<int64_t>(-1);
    if (!before || before->empty() || !after || !at_most) return std::nullopt;
    std::string result;
    for (const std::string& part : split_at(text, *before, *at_most)) result.append(part).append(*after);
    result.erase(result.size() - after->size());
    return Const{result, {}};
}

// `s.find("a")`, `s.count("a")`: places count characters.
std::optional<Const> searched(const std::string& text, std::string_view method, const std::string& wanted) {
    if (method == "count") return Const{Const::Int(split_at(text, wanted, -1).size() - 1), {}};
    const size_t at = method.starts_with('r') ? text.rfind(wanted) : text.find(wanted);
    const bool is_there = at != text.npos;
    if (!is_there && method.ends_with("index")) return std::nullopt;
    return Const{is_there ? Const::Int(characters_in(std::string_view(text).substr(0, at))) : Const::Int(-1), {}};
}

std::optional<Const> begins_or_ends(const std::string& text, bool begins, const Const& with) {
    const auto* many = with.as<Const::Tuple>();
    bool result = false;
    for (const Const& one : many ? std::span<const Const>(*many) : std::span(&with, 1)) {
        const auto* part = one.as<std::string>();
        if (!part) return std::nullopt;
        result = result || (begins ? text.starts_with(*part) : text.ends_with(*part));
    }
    return Const{result, {}};
}

std::optional<Const> filled_up(const std::string& text, std::string_view method, std::span<const Const> args) {
    const auto width = to_int(args[0]);
    const auto* given = args.size() == 2 ? args[1].as<std::string>() : nullptr;
    if (!width || *width > kWidest || (args.size() == 2 && (!given || given->size() != 1))) return std::nullopt;
    const char with = method == "zfill" ? '0' : given ? (*given)[0] : ' ';
    const auto missing = static_cast<size_t>(std::max<int64_t>(*width - static_cast<int64_t>(characters_in(text)), 0));
    const size_t sign = method == "zfill" && (text.starts_with('-') || text.starts_with('+')) ? 1 : 0;
    std::string result = text;
    return Const{result.insert(method == "ljust" ? text.size() : sign, missing, with), {}};
}

// Of other letters than those of ASCII nobody here knows the case.
std::optional<Const> of_letters(std::string text, std::string_view method) {
    using Test = int (*)(int);
    if (std::ranges::any_of(text, [](unsigned char c) { return c >= 0x80; })) return std::nullopt;
    const auto are_all = [&](Test is) {
        return Const{!text.empty() && std::ranges::all_of(text, [&](unsigned char c) { return is(c) != 0; }), {}};
    };
    if (method == "isdigit" || method == "isdecimal" || method == "isnumeric") return are_all(std::isdigit);
    if (method == "isalpha") return are_all(std::isalpha);
    if (method == "isalnum") return are_all(std::isalnum);
    if (method == "isspace") return are_all(std::isspace);
    if (method == "isupper" || method == "islower") {
        const Test upper = std::isupper, lower = std::islower, is = method == "isupper" ? upper : lower;
        const auto is_cased = [](unsigned char c) { return std::isalpha(c) != 0; };
        const bool holds = std::ranges::all_of(text, [&](unsigned char c) { return !is_cased(c) || is(c) != 0; });
        return Const{holds && std::ranges::any_of(text, is_cased), {}};
    }
    bool begins = true;
    for (char& c : text) {
        const auto letter = static_cast<unsigned char>(c);
        const bool is_upper = method == "upper" || (begins && method != "lower" && method != "swapcase") ||
                              (method == "swapcase" && std::islower(letter));
        c = static_cast<char>(is_upper ? std::toupper(letter) : std::tolower(letter));
        begins = method == "title" && !std::isalpha(letter);
    }
    return Const{text, {}};
}

bool is_of_letters(std::string_view method) {
    static constexpr std::string_view kMethods[] = {"upper",     "lower",   "title",    "capitalize", "swapcase",
                                                    "isalpha",   "isalnum", "isdigit",  "isspace",    "isupper",
                                                    "isdecimal", "islower", "isnumeric"};
    return std::ranges::find(kMethods, method) != std::end(kMethods);
}

std::optional<Const> joined(const std::string& by, const Const& texts) {
    const auto items = items_of(texts);
    if (!items) return std::nullopt;
    std::string result;
    for (const Const& item : *items) {
        if (!item.as<std::string>()) return std::nullopt;
        result += (&item == items->data() ? "" : by) + *item.as<std::string>();
    }
    return Const{result, {}};
}

}  // namespace

std::optional<Const> text_method(const std::string& text, std::string_view method, std::span<const Const> args) {
    const auto* argument = args.size() == 1 ? args[0].as<std::string>() : nullptr;
    const auto is = [&](auto... names) { return ((method == names) || ...); };
    if (is("split", "rsplit")) return splitted(text, method, args);
    if (is("replace") && (args.size() == 2 || args.size() == 3)) return replaced(text, args);
    if (is("ljust", "rjust") && (args.size() == 1 || args.size() == 2)) return filled_up(text, method, args);
    if (is("encode") && (args.empty() || (argument && argument->find("16") == argument->npos &&
                                          argument->find("32") == argument->npos)))
        return bytes_of(text);
    if (is("strip", "lstrip", "rstrip") && (args.empty() || argument))
        return Const{stripped(text, method, argument ? std::string_view(*argument) : kSpaces), {}};
    if (args.empty() && is("splitlines")) return as_list(lines(text));
    if (args.empty() && is_of_letters(method)) return of_letters(text, method);
    if (args.size() != 1) return std::nullopt;
    if (is("startswith", "endswith")) return begins_or_ends(text, method == "startswith", args[0]);
    if (is("zfill")) return filled_up(text, method, args);
    if (is("join")) return joined(text, args[0]);
    if (!argument || argument->empty()) return std::nullopt;
    if (is("find", "rfind", "index", "rindex", "count")) return searched(text, method, *argument);
    if (is("partition", "rpartition")) return parted(text, method == "rpartition", *argument);
    if (is("removeprefix")) return Const{text.starts_with(*argument) ? text.substr(argument->size()) : text, {}};
    if (is("removesuffix"))
        return Const{text.ends_with(*argument) ? text.substr(0, text.size() - argument->size()) : text, {}};
    return std::nullopt;
}

}  // namespace pyk
