// A map from the addresses of objects, which stay where they are, to values: entries in the order in which
// they came, and a table of indices into it. Nothing is taken out again.
#pragma once

#include <cstdint>
#include <vector>

namespace pyk {

template <typename Key, typename Value>
class AddressMap {
  public:
    /// Null where there is none; good until the next one is added.
    const Value* find(const Key* key) const {
        if (entries_.empty()) return nullptr;
        const uint32_t found = slots_[slot_of(key)];
        return found == kFree ? nullptr : &entries_[found].value;
    }
    void set(const Key* key, const Value& value) {
        if (2 * entries_.size() >= slots_.size()) grow();
        uint32_t& slot = slots_[slot_of(key)];
        if (slot != kFree) {
            entries_[slot].value = value;
            return;
        }
        slot = static_cast<uint32_t>(entries_.size());
        entries_.push_back({key, value});
    }

  private:
    static constexpr uint32_t kFree = ~uint32_t{0};
    struct Entry {
        const Key* key;
        Value value;
    };

    /// The slot that has the key, or the free one where it belongs.
    size_t slot_of(const Key* key) const {
        constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
        size_t slot = (reinterpret_cast<uintptr_t>(key) * kGoldenRatio) >> shift_;
        while (slots_[slot] != kFree && entries_[slots_[slot]].key != key) slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }
    void grow() {
        --shift_;
        slots_.assign(size_t{1} << (64 - shift_), kFree);
        for (uint32_t i = 0; i < entries_.size(); ++i) slots_[slot_of(entries_[i].key)] = i;
    }

    std::vector<Entry> entries_;
    std::vector<uint32_t> slots_;  ///< at least twice as many as entries
    int shift_ = 59;               ///< there are 2^(64 - shift_) slots
};

}  // namespace pyk
