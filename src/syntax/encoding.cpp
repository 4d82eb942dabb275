#include "syntax/encoding.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "syntax/characters.h"

namespace pyk {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Takes one line from the front of `rest`.
std::string_view next_line(std::string_view& rest) {
    const size_t end = rest.find_first_of("\r\n");
    const std::string_view line = rest.substr(0, end);
    const bool crlf = end != std::string_view::npos && rest.substr(end, 2) == "\r\n";
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + (crlf ? 2 : 1));
    return line;
}

/// The name in `^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`, or nothing.
std::string_view declared_in(std::string_view line) {
    const size_t hash = line.find_first_not_of(" \t\f");
    if (hash == std::string_view::npos || line[hash] != '#') return {};
    for (size_t at = line.find("coding", hash); at != std::string_view::npos; at = line.find("coding", at + 1)) {
        const size_t sign = at + 6;
        if (sign >= line.size() || (line[sign] != ':' && line[sign] != '=')) continue;
        const size_t begin = std::min(line.find_first_not_of(" \t", sign + 1), line.size());
        size_t end = begin;
        while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '-' ||
                                     line[end] == '_' || line[end] == '.'))
            ++end;
        if (end > begin) return line.substr(begin, end - begin);
    }
    return {};
}

std::string_view declaration(std::string_view text) {
    const std::string_view first = next_line(text);
    if (const std::string_view name = declared_in(first); !name.empty()) return name;
    const size_t start = first.find_first_not_of(" \t\f");
    const bool blank = start == std::string_view::npos || first[start] == '#';
    return blank ? declared_in(next_line(text)) : std::string_view();
}

enum class Encoding { utf8, latin1, other };

/// CPython's own aliases; the rest of the names are iconv's business.
Encoding encoding_of(std::string_view declared) {
    std::string name(declared);
    for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto is = [&](std::string_view known) { return name == known || name.starts_with(std::string(known) + "-"); };
    if (name.empty() || is("utf-8")) return Encoding::utf8;
    if (is("latin-1") || is("iso-8859-1") || is("iso-latin-1")) return Encoding::latin1;
    return Encoding::other;
}

/// The text in UTF-8, or nothing if iconv does not know the encoding or the bytes are not in it.
std::optional<std::string> converted(std::string bytes, const std::string& encoding) {
    const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
    if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
    std::string text(bytes.size() * 4, '\0');
    char *in = bytes.data(), *out = text.data();
    size_t in_left = bytes.size(), out_left = text.size();
    const bool failed = iconv(converter, &in, &in_left, &out, &out_left) == static_cast<size_t>(-1);
    iconv_close(converter);
    if (failed) return std::nullopt;
    text.resize(text.size() - out_left);
    return text;
}

std::string from_latin1(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (const char c : bytes) syntax::append_utf8(text, static_cast<unsigned char>(c));
    return text;
}

}  // namespace

SourceFilePtr decode_source(std::string name, std::string bytes, Diagnostics& diagnostics) {
    const bool marked = bytes.starts_with(kByteOrderMark);
    const std::string declared(declaration(std::string_view(bytes).substr(marked ? kByteOrderMark.size() : 0)));
    const Encoding encoding = encoding_of(declared);
    if (encoding == Encoding::latin1 && !marked)
        return std::make_shared<SourceFile>(std::move(name), from_latin1(bytes));
    if (encoding == Encoding::other && !marked)
        if (std::optional<std::string> text = converted(bytes, declared))
            return std::make_shared<SourceFile>(std::move(name), std::move(*text));
    auto source = std::make_shared<SourceFile>(std::move(name), std::move(bytes));
    if (encoding == Encoding::utf8) return source;
    const std::string text =
        marked
            ? fmt::format("the encoding `{}` is declared in a file that starts with UTF-8's byte-order mark", declared)
            : fmt::format(
                  "this file is not in the encoding `{}` that it declares, or that is unknown; save it as UTF-8",
                  declared);
    diagnostics.report(diag::syntax_error, Span{source.get(), 0, 0}, std::string_view(text));
    return source;
}

}  // namespace pyk
