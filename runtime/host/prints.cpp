#include "prints.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "pyk/python_text_cpu.h"

namespace pyk {
namespace driver {
namespace {

template <class T>
T value_of(unsigned long long word) {
    T value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

/// `%-+08.3lld`, taken apart.
struct Specifier {
    bool is_left = false, has_zeros = false;
    std::string plus;  ///< in front of what is not negative
    std::size_t width = 0;
    int precision = 6;
    std::string_view kind;
};

Specifier specifier_of(std::string_view text) {
    Specifier result;
    const auto number = [&] {
        std::size_t value = 0;
        for (; text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
            value = value * 10 + static_cast<std::size_t>(text[0] - '0');
        return value;
    };
    for (text.remove_prefix(1); std::string_view("-+ 0").find(text[0]) != std::string_view::npos;
         text.remove_prefix(1)) {
        result.is_left |= text[0] == '-';
        result.has_zeros |= text[0] == '0';
        if (text[0] == '+' || text[0] == ' ') result.plus = text[0];
    }
    result.width = number();
    if (text[0] == '.') {
        text.remove_prefix(1);
        result.precision = static_cast<int>(number());
    }
    result.kind = text;
    return result;
}

std::string in_capitals(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

// The largest double has 309 digits.
std::string magnitude_of(double value, char kind, int precision) {
    std::string digits(static_cast<std::size_t>(precision) + 330, '\0');
    const auto format = kind == 'f'   ? std::chars_format::fixed
                        : kind == 'e' ? std::chars_format::scientific
                                      : std::chars_format::general;
    const auto done = std::to_chars(digits.data(), digits.data() + digits.size(), std::fabs(value), format, precision);
    digits.resize(static_cast<std::size_t>(done.ptr - digits.data()));
    return digits;
}

std::string magnitude_of(unsigned long long value, int base) {
    char digits[64];
    return {digits, std::to_chars(digits, digits + sizeof digits, value, base).ptr};
}

/// As `printf` does, whatever the program's locale is.
std::string number_text(const Specifier& specifier, unsigned long long word) {
    const char kind = specifier.kind.back();
    const bool is_capital = kind >= 'A' && kind <= 'Z';
    const char small = static_cast<char>(kind | 0x20);
    const bool is_float = small == 'f' || small == 'e' || small == 'g';
    const bool is_negative = (is_float || kind == 'd') && word >> 63;
    std::string digits = is_float       ? magnitude_of(value_of<double>(word), small, specifier.precision)
                         : small == 'x' ? magnitude_of(word, 16)
                         : small == 'o' ? magnitude_of(word, 8)
                                        : magnitude_of(is_negative ? 0 - word : word, 10);
    if (is_capital) digits = in_capitals(std::move(digits));
    const std::string sign = is_negative ? "-" : specifier.plus;
    const std::size_t length = sign.size() + digits.size();
    const std::size_t room = specifier.width > length ? specifier.width - length : 0;
    if (specifier.is_left) return sign + digits + std::string(room, ' ');
    const bool is_finite = !is_float || std::isfinite(value_of<double>(word));
    if (specifier.has_zeros && is_finite) return sign + std::string(room, '0') + digits;
    return std::string(room, ' ') + sign + digits;
}

void add_value(std::string& text, std::string_view specifier, const unsigned long long*& words) {
    const unsigned long long word = *words++;
    if (specifier == "%s")
        text += word ? "True" : "False";
    else if (specifier == "%g")
        text += python_float(value_of<double>(word)).text;
    else if (specifier == "%c")
        text += python_complex(value_of<double>(word), value_of<double>(*words++)).text;
    else
        text += number_text(specifier_of(specifier), word);
}

std::string lost_line(unsigned long long count) {
    return "pyk: " + std::to_string(count) + (count == 1 ? " line is" : " lines are") +
           " missing here: the buffer for what kernels print was full\n";
}

}  // namespace

std::string rendered_line(const unsigned long long* words) {
    const std::size_t length = words[0] >> 32;
    const std::string_view format(reinterpret_cast<const char*>(words + 1), length);
    const unsigned long long* value = words + 1 + (length + 7) / 8;
    std::string text;
    for (std::size_t at = 0; at < length;) {
        const std::size_t percent = std::min(format.find('%', at), length);
        text += format.substr(at, percent - at);
        at = percent;
        if (at == length) break;
        if (format.substr(at, 2) == "%%") {
            text += '%';
            at += 2;
            continue;
        }
        const std::size_t end = format.find_first_of("dufsgcxXoeEG", at) + 1;
        add_value(text, format.substr(at, end - at), value);
        at = end;
    }
    return text;
}

bool LineRing::take(std::string& line) {
    const unsigned long long mask = capacity_ - 1;
    const unsigned long long first = __atomic_load_n(&words_[at_ & mask], __ATOMIC_ACQUIRE);
    if (first == 0) {
        const unsigned long long lost = __atomic_load_n(lost_, __ATOMIC_ACQUIRE);
        if (lost == lost_before_) return false;
        line = lost_line(lost - lost_before_);
        lost_before_ = lost;
        return true;
    }
    const auto count = static_cast<unsigned>(first);
    std::vector<unsigned long long> words(count);
    for (unsigned i = 0; i < count; ++i) words[i] = std::exchange(words_[(at_ + i) & mask], 0);
    at_ += count;
    __atomic_store_n(freed_, at_, __ATOMIC_RELEASE);
    line = rendered_line(words.data());
    return true;
}

void LineQueue::add(const unsigned long long* words, unsigned count) {
    const std::lock_guard lock(mutex_);
    try {
        words_.insert(words_.end(), words, words + count);
    } catch (const std::bad_alloc&) {
        ++lost_;
    }
}

bool LineQueue::take(std::string& line) {
    const std::lock_guard lock(mutex_);
    if (at_ == words_.size()) {
        words_.clear();
        at_ = 0;
        if (lost_ == 0) return false;
        line = lost_line(std::exchange(lost_, 0));
        return true;
    }
    line = rendered_line(&words_[at_]);
    at_ += static_cast<unsigned>(words_[at_]);
    return true;
}

}  // namespace driver

PrintSink::PrintSink() {
    static const PrintSink& standard = *new PrintSink([](std::string_view line) {
        std::fwrite(line.data(), 1, line.size(), stdout);
        std::fflush(stdout);
    });
    *this = standard;
}

PrintSink::PrintSink(Handler<std::string_view> write, std::size_t buffer_bytes)
    : state_(std::make_shared<driver::SinkState>()) {
    state_->write = write ? std::move(write) : PrintSink().state_->write;
    state_->buffer_bytes = buffer_bytes;
}

}  // namespace pyk
