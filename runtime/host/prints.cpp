#include "prints.h"

#include <algorithm>
#include <charconv>
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

// The digits of a large double, a sign and six decimals.
constexpr std::size_t kMostDigits = 330;

void add_value(std::string& text, std::string_view specifier, const unsigned long long*& words) {
    const unsigned long long word = *words++;
    char digits[kMostDigits];
    char* const end = digits + sizeof digits;
    std::to_chars_result done{digits, {}};
    if (specifier == "%s") {
        text += word ? "True" : "False";
        return;
    }
    if (specifier == "%g") {
        text += python_float(value_of<double>(word)).text;
        return;
    }
    if (specifier == "%c") {
        text += python_complex(value_of<double>(word), value_of<double>(*words++)).text;
        return;
    }
    if (specifier == "%f")
        done = std::to_chars(digits, end, value_of<double>(word), std::chars_format::fixed, 6);
    else if (specifier == "%llu")
        done = std::to_chars(digits, end, word);
    else
        done = std::to_chars(digits, end, value_of<long long>(word));
    text.append(digits, done.ptr);
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
        const std::size_t end = format.find_first_of("dufsgc", at) + 1;
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
