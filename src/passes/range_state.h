// What the range analysis knows at one point of a function: an interval for each local.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "passes/interval.h"

namespace pyk {

/// An object that its copies share. One thread has all of them, so that counting is cheap, unlike std::shared_ptr's.
template <typename T>
class Shared {
  public:
    Shared() : object_(new Object{{}, 1}) {}
    explicit Shared(const T& value) : object_(new Object{value, 1}) {}
    Shared(const Shared& other) : object_(other.object_) { ++object_->owners; }
    Shared(Shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Shared& operator=(Shared other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Shared() {
        if (object_ && --object_->owners == 0) delete object_;
    }

    const T& operator*() const { return object_->value; }
    const T* operator->() const { return &object_->value; }
    bool operator==(const Shared& other) const { return object_ == other.object_; }
    /// To write to: nobody else's.
    T& own() {
        if (object_->owners > 1) *this = Shared(object_->value);
        return object_->value;
    }

  private:
    struct Object {
        T value;
        size_t owners;
    };
    Object* object_;
};

/// A copy shares the list of parts with the original until one of them is written, and then all parts but that one:
/// what a branch costs depends on what it writes, not on how many locals there are.
class RangeState {
  public:
    bool reachable = true;

    void add(const Interval& interval);
    size_t size() const { return size_; }
    const Interval& operator[](ir::LocalId id) const { return (*(*parts_)[part_of(id)])[place_of(id)]; }
    void set(ir::LocalId id, const Interval& interval);
    bool has_same_locals(const RangeState& other) const;

    /// Control comes from there as well.
    void join(const RangeState& other);
    /// As a loop's head that was `before`: bounds that moved are let go, so that the analysis ends.
    void widen(const RangeState& before, const ir::Function& function);

  private:
    static constexpr size_t kPart = 16;
    using Part = std::array<Interval, kPart>;
    using Parts = std::vector<Shared<Part>>;
    static size_t part_of(ir::LocalId id) { return static_cast<size_t>(id) / kPart; }
    static size_t place_of(ir::LocalId id) { return static_cast<size_t>(id) % kPart; }

    Shared<Parts> parts_;
    size_t size_ = 0;
};

}  // namespace pyk
