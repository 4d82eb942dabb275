// Ownership that copies share: std::shared_ptr without its costly header.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace pyk {

/// What owns a value; counted.
struct SharedOwner {
    virtual ~SharedOwner() = default;
    void retain() { __atomic_add_fetch(&count_, 1, __ATOMIC_RELAXED); }
    void release() {
        if (__atomic_sub_fetch(&count_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
    }

  private:
    long count_ = 1;
};

/// A pointer that keeps what it points to. Made of a std::shared_ptr, or of a value by `shared`. Different copies may
/// be used from different threads at once. To move it is to copy it: a handle that was moved from is still one.
template <class T>
class Shared {
  public:
    Shared() = default;
    Shared(std::nullptr_t) {}  // NOLINT
    Shared(const Shared& other) noexcept : value_(other.value_), owner_(other.owner_) {
        if (owner_) owner_->retain();
    }
    ~Shared() {
        if (owner_) owner_->release();
    }
    Shared& operator=(Shared other) noexcept {
        std::swap(value_, other.value_);
        std::swap(owner_, other.owner_);
        return *this;
    }
    /// Takes over one count of the owner's.
    Shared(T* value, SharedOwner* owner) : value_(value), owner_(owner) {}
    template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
    Shared(Shared<U> other) : value_(other.value_), owner_(std::exchange(other.owner_, nullptr)) {}  // NOLINT
    /// A part of what another one keeps.
    template <class U>
    Shared(const Shared<U>& owner, T* part) : value_(part), owner_(owner.owner_) {
        if (owner_) owner_->retain();
    }
    /// Of a std::shared_ptr.
    template <class Pointer, class = decltype(std::declval<const Pointer&>().use_count()),
              class = std::enable_if_t<std::is_convertible_v<typename Pointer::element_type*, T*>>>
    Shared(Pointer pointer) {  // NOLINT
        struct Holder : SharedOwner {
            explicit Holder(Pointer p) : held(std::move(p)) {}
            Pointer held;
        };
        if (!pointer) return;
        value_ = pointer.get();
        owner_ = new Holder(std::move(pointer));
    }

    T* get() const { return value_; }
    template <class U = T>
    U& operator*() const {
        return *value_;
    }
    T* operator->() const { return value_; }
    explicit operator bool() const { return value_ != nullptr; }
    friend bool operator==(const Shared& a, const Shared& b) { return a.value_ == b.value_; }
    friend bool operator!=(const Shared& a, const Shared& b) { return !(a == b); }

  private:
    template <class U>
    friend class Shared;
    T* value_ = nullptr;
    SharedOwner* owner_ = nullptr;
};

/// A value that copies share.
template <class T, class From>
Shared<T> shared(From&& from) {
    struct Holder : SharedOwner {
        explicit Holder(From&& f) : held(std::forward<From>(f)) {}
        std::remove_const_t<T> held;
    };
    auto* const holder = new Holder(std::forward<From>(from));
    return {&holder->held, holder};
}

}  // namespace pyk
