// Numbers and texts as bytes: little-endian, texts behind their length. Reading never leaves the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pyk::cache {

template <typename Unsigned>
void append_number(std::string& out, Unsigned value) {
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

inline void append_text(std::string& out, std::string_view text) {
    append_number(out, std::uint64_t{text.size()});
    out += text;
}

class Writer {
  public:
    void number(std::uint64_t value) { append_number(bytes_, value); }
    void text(std::string_view value) { append_text(bytes_, value); }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

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

    template <typename Unsigned = std::uint64_t>
    Unsigned number() {
        Unsigned value = 0;
        const std::string_view bytes = take(sizeof(Unsigned));
        for (std::size_t i = 0; i < bytes.size(); ++i)
            value |= static_cast<Unsigned>(Unsigned{static_cast<unsigned char>(bytes[i])} << (8 * i));
        return value;
    }

    std::string text() { return std::string(take(number())); }

    /// A count of items that each take at least a byte.
    std::uint64_t count() {
        const auto items = number();
        if (items <= rest_.size()) return items;
        ok_ = false;
        return 0;
    }

    bool ok() const { return ok_; }
    bool at_end() const { return ok_ && rest_.empty(); }

  private:
    std::string_view rest_;
    bool ok_ = true;
};

}  // namespace pyk::cache
