// A map from the addresses of objects, which stay where they are, to values: entries in the order in which
// they came, and a table of indices into it. Nothing is taken out again.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace pyk {

template <typename Key, typename Value>
class AddressMap {
  public:
    /// Null where there is none; good while the map is.
    const Value* find(const Key* key) const {
        if (count_ == 0) return nullptr;
        const uint32_t found = slots_[slot_of(key)];
        return found == kFree ? nullptr : &entry(found).value;
    }
    void set(const Key* key, const Value& value) {
        if (2 * count_ >= slots_.size()) grow();
        uint32_t& slot = slots_[slot_of(key)];
        if (slot != kFree) {
            entry(slot).value = value;
            return;
        }
        slot = count_++;
        if (const size_t chunk = chunk_of(slot); chunk == chunks_.size())
            chunks_.emplace_back().reserve(kFirstChunk << chunk);
        chunks_.back().push_back({key, value});
    }

  private:
    static constexpr uint32_t kFree = ~uint32_t{0};
    static constexpr size_t kFirstChunk = 16;  ///< entries; each further chunk has twice as many
    struct Entry {
        const Key* key;
        Value value;
    };

    static size_t chunk_of(uint32_t entry) { return static_cast<size_t>(std::bit_width(entry / kFirstChunk + 1)) - 1; }
    const Entry& entry(uint32_t number) const {
        const size_t chunk = chunk_of(number);
        return chunks_[chunk][number - kFirstChunk * ((size_t{1} << chunk) - 1)];
    }
    Entry& entry(uint32_t number) { return const_cast<Entry&>(std::as_const(*this).entry(number)); }

    /// The slot that has the key, or the free one where it belongs.
    size_t slot_of(const Key* key) const {
        constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
        size_t slot = (reinterpret_cast<uintptr_t>(key) * kGoldenRatio) >> shift_;
        while (slots_[slot] != kFree && entry(slots_[slot]).key != key) slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }
    void grow() {
        --shift_;
        slots_.assign(size_t{1} << (64 - shift_), kFree);
        for (uint32_t i = 0; i < count_; ++i) slots_[slot_of(entry(i).key)] = i;
    }

    std::vector<std::vector<Entry>> chunks_;  ///< none is copied when there are more
    uint32_t count_ = 0;
    std::vector<uint32_t> slots_;  ///< at least twice as many as entries
    int shift_ = 59;               ///< there are 2^(64 - shift_) slots
};

}  // namespace pyk
