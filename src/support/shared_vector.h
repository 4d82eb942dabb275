// A vector that is copied often and changed little: copies share what neither changes, part by part.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace pyk {

/// An object that its copies share. One thread has all of them, so that counting is cheap, unlike std::shared_ptr's.
template <typename T>
class Shared {
  public:
    Shared() = default;
    Shared(const Shared& other) : object_(other.object_) {
        if (object_) ++object_->owners;
    }
    Shared(Shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Shared& operator=(Shared other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Shared() {
        if (object_ && --object_->owners == 0) delete object_;
    }

    explicit operator bool() const { return object_; }  ///< whether anyone wrote to it
    const T& operator*() const { return object_->value; }
    const T* operator->() const { return &object_->value; }
    bool operator==(const Shared& other) const { return object_ == other.object_; }
    /// To write to: nobody else's.
    T& own() {
        if (!object_ || object_->owners > 1) *this = Shared(new Object{object_ ? object_->value : T{}, 1});
        return object_->value;
    }

  private:
    struct Object {
        T value;
        size_t owners;
    };
    explicit Shared(Object* object) : object_(object) {}
    Object* object_ = nullptr;
};

template <typename T, size_t kPartSize>
class SharedVector {
  public:
    static constexpr size_t kPart = kPartSize;

    SharedVector() = default;
    SharedVector(size_t size, const T& value) {
        for (size_t i = 0; i < size; ++i) push_back(value);
    }

    size_t size() const { return size_; }
    const T& operator[](size_t i) const { return (*(*parts_)[i / kPart])[i % kPart]; }
    void set(size_t i, const T& value) { parts_.own()[i / kPart].own()[i % kPart] = value; }
    void push_back(const T& value) {
        if (size_ % kPart == 0) parts_.own().emplace_back();
        parts_.own().back().own()[size_++ % kPart] = value;
    }

    /// Whether nothing was changed since one was a copy of the other; whether nothing was in the part that begins
    /// there.
    bool shares_all(const SharedVector& other) const { return parts_ == other.parts_; }
    bool shares_part(const SharedVector& other, size_t begin) const {
        return (*parts_)[begin / kPart] == (*other.parts_)[begin / kPart];
    }
    bool operator==(const SharedVector& other) const {
        if (size_ != other.size_) return false;
        return shares_all(other) || std::ranges::equal(*parts_, *other.parts_,
                                                       [](const auto& a, const auto& b) { return a == b || *a == *b; });
    }

  private:
    Shared<std::vector<Shared<std::array<T, kPart>>>> parts_;
    size_t size_ = 0;
};

}  // namespace pyk
