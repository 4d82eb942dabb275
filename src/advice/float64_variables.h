// Variables that are float64 among float32 values, or hold numbers that meet them: told of where they get their values.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "advice/cast_suggestions.h"
#include "advice/widening.h"
#include "support/diagnostics.h"

namespace pyk {

/// A float32 value that something else makes a float64 of.
struct Meeting {
    const ir::Expr& whole;
    std::string_view what;     ///< the operator, or the function
    std::string narrow, wide;  ///< types
    bool is_unwanted;          ///< nobody wants the float64 for sure
};

class Float64Variables {
  public:
    /// `is_unwanted`: nobody wants a float64 in the function, as far as it says.
    Float64Variables(const Widening& widening, const CastSuggestions& casts, const Written& files, bool is_unwanted,
                     Diagnostics& diagnostics)
        : widening_(widening), casts_(casts), files_(files), is_unwanted_(is_unwanted), diagnostics_(diagnostics) {}

    /// Those that are float64 by a number or an integer beside float32 values.
    void report_widened();
    /// An operand that is computed with as a float64, though a float32 variable of numbers and float32 values holds it:
    /// `y = 0.0`, perhaps `y = x[i]`, then `y * x[i]`.
    void add_narrowed(const ir::Expr& operand);
    /// A variable of nothing but numbers meets a float32.
    void add_held(ir::LocalId variable, const Meeting& meeting);
    /// Those, each where it gets its number.
    void report_held() const;

  private:
    /// A number that a variable holds until it meets a float32.
    struct Held {
        Meeting first;
        size_t meetings = 0;
        bool is_unwanted = true;  ///< in all of them
    };

    void starts_otherwise(ir::LocalId id, const Sources& sources, Type wide) const;
    void sums(const ir::Local& local, const Sources& sources) const;
    const Assignment& as_integer(const Assignment& assignment) const;
    bool is_known(const Assignment& assignment) const;
    Span body_span() const;

    const Widening& widening_;
    const CastSuggestions& casts_;
    const Written& files_;
    const bool is_unwanted_;
    Diagnostics& diagnostics_;
    std::map<ir::LocalId, Held> held_;
    std::set<ir::LocalId> narrowed_;  ///< that were looked at
};

}  // namespace pyk
