// Values as bytes, for entries of the cache. In the order of this machine, lengths before texts; what is read is
// checked against the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pyk::jit {

class BlobWriter {
  public:
    void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(std::string_view value) {
        number(value.size());
        bytes_.append(value);
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// Whatever is read past the end is 0 or empty, and `ok` says so.
class BlobReader {
  public:
    explicit BlobReader(std::string_view bytes) : bytes_(bytes) {}
    std::uint64_t number() {
        std::uint64_t value = 0;
        if (!take(sizeof value)) return 0;
        std::memcpy(&value, bytes_.data() + at_ - sizeof value, sizeof value);
        return value;
    }
    std::string text() {
        const std::uint64_t size = number();
        return take(size) ? std::string(bytes_.substr(at_ - size, size)) : std::string();
    }
    /// A count of items that each take at least a byte.
    std::uint64_t count() {
        const std::uint64_t n = number();
        if (n <= bytes_.size() - at_) return n;
        ok_ = false;
        return 0;
    }
    bool ok() const { return ok_; }
    bool at_end() const { return ok_ && at_ == bytes_.size(); }

  private:
    bool take(std::uint64_t size) {
        if (!ok_ || size > bytes_.size() - at_) {
            ok_ = false;
            return false;
        }
        at_ += size;
        return true;
    }
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

}  // namespace pyk::jit
