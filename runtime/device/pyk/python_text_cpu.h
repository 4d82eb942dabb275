// Numbers as Python's `print` writes them, in functions that the host calls; the host's half of printing has it too.
//
// Defines: python_text, python_float, python_complex
#ifndef PYK_PYTHON_TEXT_CPU_H
#define PYK_PYTHON_TEXT_CPU_H

#include <charconv>
#include <cmath>
#include <cstring>

namespace pyk {

struct python_text {
    char text[64] = {};  // two numbers of up to 24 characters each
    std::size_t length = 0;

    void add(const char* more) {
        for (; *more; ++more) text[length++] = *more;
    }

    /// The fewest digits that are read back as this number. `whole`: what follows one without a point.
    void add(double value, const char* whole) {
        if (std::isnan(value)) return add("nan");
        if (std::isinf(value)) return add(value < 0 ? "-inf" : "inf");
        const double size = std::fabs(value);
        const bool is_fixed = size == 0 || (size >= 1e-4 && size < 1e16);
        char* const begin = text + length;
        const auto format = is_fixed ? std::chars_format::fixed : std::chars_format::scientific;
        length = static_cast<std::size_t>(std::to_chars(begin, text + sizeof text - 1, value, format).ptr - text);
        if (is_fixed && !std::strchr(begin, '.')) add(whole);
    }
};

inline python_text python_float(double value) {
    python_text result;
    result.add(value, ".0");
    return result;
}

inline python_text python_complex(double real, double imag) {
    python_text result;
    const bool has_real = real != 0 || std::signbit(real);
    if (has_real) {
        result.add("(");
        result.add(real, "");
        if (std::isnan(imag) || !std::signbit(imag)) result.add("+");
    }
    result.add(imag, "");
    result.add(has_real ? "j)" : "j");
    return result;
}

}  // namespace pyk

#endif  // PYK_PYTHON_TEXT_CPU_H
