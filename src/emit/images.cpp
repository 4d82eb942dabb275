// Compiled code as a C++ source.
#include <fmt/format.h>

#include "emit/beside.h"
#include "emit/emit.h"
#include "emit/names.h"

namespace pyk {
namespace emitter {
namespace {

/// Bytes as a C++ string literal, a line of it per 32. Octal escapes end by themselves, hexadecimal ones do not.
std::string literal_of(std::string_view bytes) {
    constexpr size_t kPerLine = 32;
    std::string text;
    text.reserve(bytes.size() * 4 + bytes.size() / 4);
    for (size_t begin = 0; begin < bytes.size(); begin += kPerLine) {
        text += begin ? "\n    \"" : "    \"";
        for (const char c : bytes.substr(begin, kPerLine)) {
            const auto byte = static_cast<unsigned char>(c);
            const char digits[] = {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                                   static_cast<char>('0' + byte % 8)};
            const bool plain = byte >= ' ' && byte < 127 && c != '"' && c != '\\' && c != '?';
            text.append(plain ? std::string_view(&c, 1) : std::string_view(digits, 4));
        }
        text += '"';
    }
    return text.empty() ? "    \"\"" : text;
}

}  // namespace

std::string images_name(std::string_view source_name) { return file_identifier(source_name) + "_images"; }

}  // namespace emitter

std::optional<std::string> emit_images(const std::string& source_name, const Unit& unit,
                                       const std::vector<CompiledImage>& images, const EmitOptions& options,
                                       Diagnostics& diagnostics) {
    using emitter::Values;
    std::vector<Values> rows;
    for (const CompiledImage& image : images)
        rows.push_back({{"name", image.name},
                        {"number", std::to_string(image.number)},
                        {"suffix", image.suffix ? fmt::format("'{}'", image.suffix) : "0"},
                        {"is_ptx", std::string(image.is_ptx ? "true" : "false")},
                        {"literal", emitter::literal_of(image.bytes)}});
    std::vector<Values> inner_space;
    if (!unit.inner_space.empty()) inner_space.push_back({{"name", unit.inner_space}});
    return emitter::rendered("images", "namespace variable images",
                             {{"source", source_name},
                              {"version", PYK_SHORT_VERSION},
                              {"namespace", emitter::namespace_of(source_name, options)},
                              {"inner_space", std::move(inner_space)},
                              {"variable", emitter::images_name(source_name)},
                              {"count", std::to_string(images.size())},
                              {"images", std::move(rows)}},
                             options, diagnostics);
}

}  // namespace pyk
