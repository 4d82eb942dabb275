// Numbers and texts as bytes: little-endian, texts behind their length. Reading never leaves the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pyk::cache {

template <typename Unsigned>
void append_number(std::string& out, Unsigned value) {
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

inline void append_text(std::string& out, std::string_view text) {
    append_number(out, std::uint64_t{text.size()});
    out += text;
}

/// Once something was missing, all that follows is empty or zero, and `ok` says so.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    std::string_view take(std::uint64_t size) {
        if (size > rest_.size()) {
            ok_ = false;
            rest_ = {};
            return {};
        }
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    template <typename Unsigned>
    Unsigned number() {
        Unsigned value = 0;
        const std::string_view bytes = take(sizeof(Unsigned));
        for (std::size_t i = 0; i < bytes.size(); ++i)
            value |= static_cast<Unsigned>(Unsigned{static_cast<unsigned char>(bytes[i])} << (8 * i));
        return value;
    }

    std::string_view text() { return take(number<std::uint64_t>()); }

    bool ok() const { return ok_; }
    bool at_end() const { return rest_.empty(); }

  private:
    std::string_view rest_;
    bool ok_ = true;
};

}  // namespace pyk::cache
