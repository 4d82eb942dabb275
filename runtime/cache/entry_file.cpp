#include "entry_file.h"

#include <algorithm>

#include "cache/bytes.h"

namespace pyk::cache {
namespace {

constexpr std::string_view kMagic = "pykcache";
constexpr std::size_t kDigestBytes = sizeof(Digest::bytes);

std::string_view as_text(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()};
}

void append_fields(std::string& out, const Fields& fields) {
    append_number(out, static_cast<std::uint32_t>(fields.size()));
    for (const auto& [name, value] : fields) {
        append_text(out, name);
        append_text(out, value);
    }
}

Fields read_fields(Reader& reader) {
    Fields fields;
    const auto count = reader.number<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
        std::string name = reader.text();
        fields.emplace_back(std::move(name), reader.text());
    }
    return fields;
}

}  // namespace

std::string encode(const Digest& key, const Entry& entry) {
    std::string out;
    out.reserve(entry.payload.size() + 4096);
    out += kMagic;
    append_number(out, kFormat);
    out += as_text(key);
    append_text(out, entry.kind);
    append_fields(out, entry.fields);
    append_fields(out, entry.notes);
    append_text(out, entry.payload);
    out += as_text(digest_of(out));
    return out;
}

std::optional<KeyedEntry> decode(std::string_view bytes) {
    if (bytes.size() < kMagic.size() + kDigestBytes || !bytes.starts_with(kMagic)) return std::nullopt;
    const std::string_view content = bytes.substr(0, bytes.size() - kDigestBytes);
    if (as_text(digest_of(content)) != bytes.substr(content.size())) return std::nullopt;

    Reader reader(content.substr(kMagic.size()));
    if (reader.number<std::uint32_t>() != kFormat) return std::nullopt;
    KeyedEntry result;
    const std::string_view key = reader.take(kDigestBytes);
    std::copy(key.begin(), key.end(), reinterpret_cast<char*>(result.key.bytes.data()));
    result.entry.kind = reader.text();
    result.entry.fields = read_fields(reader);
    result.entry.notes = read_fields(reader);
    result.entry.payload = reader.text();
    if (!reader.at_end()) return std::nullopt;
    return result;
}

}  // namespace pyk::cache
