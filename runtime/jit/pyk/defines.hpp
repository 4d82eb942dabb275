// What a file is compiled with: values for its names. (<variant> and <map> are costly headers.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyk::jit {

/// A number of Python's: a bool, an integer, a float.
class Constant {
  public:
    enum class Kind : unsigned char { boolean, integer, natural, real };

    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    Constant(T value) {  // NOLINT: a number is a constant
        if constexpr (std::is_same_v<T, bool>) {
            kind_ = Kind::boolean;
            boolean_ = value;
        } else if constexpr (std::is_floating_point_v<T>) {
            kind_ = Kind::real;
            real_ = static_cast<double>(value);
        } else if constexpr (std::is_signed_v<T>) {
            kind_ = Kind::integer;
            integer_ = value;
        } else {
            kind_ = Kind::natural;
            natural_ = value;
        }
    }

    Kind kind() const { return kind_; }
    /// Calls it with a bool, a std::int64_t, a std::uint64_t or a double.
    template <class Visitor>
    auto visit(Visitor visitor) const {
        switch (kind_) {
            case Kind::boolean:
                return visitor(boolean_);
            case Kind::integer:
                return visitor(integer_);
            case Kind::natural:
                return visitor(natural_);
            case Kind::real:
                break;
        }
        return visitor(real_);
    }
    /// Of one kind, and of the same bits.
    friend bool operator==(const Constant& a, const Constant& b) { return a.kind_ == b.kind_ && a.bits() == b.bits(); }
    friend bool operator!=(const Constant& a, const Constant& b) { return !(a == b); }
    std::uint64_t bits() const {
        std::uint64_t bits = boolean_;
        if (kind_ != Kind::boolean) __builtin_memcpy(&bits, &natural_, sizeof bits);
        return bits;
    }

  private:
    Kind kind_ = Kind::integer;
    union {
        bool boolean_;
        std::int64_t integer_;
        std::uint64_t natural_;
        double real_;
    };
};

/// A type as signatures write it: `float32`.
struct TypeName {
    std::string text;
};

/// A value for a module-level name of the file, or one that a kernel captures, which wins over the file's own: a
/// number, a type, or a tuple of numbers.
class Define {
  public:
    enum class Kind : unsigned char { number, type, tuple };

    Define() : number_(0) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    Define(T number) : number_(number) {}                                                              // NOLINT
    Define(Constant number) : number_(number) {}                                                       // NOLINT
    Define(TypeName type) : kind_(Kind::type), number_(0), type_(std::move(type)) {}                   // NOLINT
    Define(std::vector<Constant> tuple) : kind_(Kind::tuple), number_(0), tuple_(std::move(tuple)) {}  // NOLINT

    Kind kind() const { return kind_; }
    /// Precondition of each: it is of that kind.
    const Constant& number() const { return number_; }
    const TypeName& type() const { return type_; }
    const std::vector<Constant>& tuple() const { return tuple_; }

  private:
    Kind kind_ = Kind::number;
    Constant number_;
    TypeName type_;
    std::vector<Constant> tuple_;
};

/// Values by their names, in the names' order.
class Defines {
  public:
    struct Entry {
        std::string name;
        Define value;
    };
    Defines();
    Defines(const Defines&);
    Defines(Defines&&) noexcept;
    Defines& operator=(const Defines&);
    Defines& operator=(Defines&&) noexcept;
    ~Defines();

    /// The name's; 0 where it was not there.
    Define& operator[](std::string_view name);
    const Entry* begin() const { return entries_.data(); }
    const Entry* end() const { return entries_.data() + entries_.size(); }

  private:
    std::vector<Entry> entries_;
};

}  // namespace pyk::jit
