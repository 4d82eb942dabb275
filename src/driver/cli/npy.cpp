#include "driver/cli/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "driver/cli/npy_dtype.h"

namespace pyk {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

// The header is a Python dict of literals, written by NumPy or by hand.
class HeaderReader {
  public:
    explicit HeaderReader(std::string_view text) : text_(text) {}

    std::optional<std::string> error;
    std::string descr;
    bool fortran_order = false;
    std::vector<int64_t> shape;

    void read() {
        expect('{');
        bool seen_descr = false, seen_order = false, seen_shape = false;
        while (!error && !accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr")
                descr = literal(), seen_descr = true;
            else if (key == "fortran_order")
                fortran_order = boolean(), seen_order = true;
            else if (key == "shape")
                tuple(), seen_shape = true;
            else
                fail("an unknown key in the header");
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (!error && !(seen_descr && seen_order && seen_shape))
            fail("the header lacks `descr`, `fortran_order` or `shape`");
    }

  private:
    void fail(std::string text) {
        if (!error) error = std::move(text);
        at_ = text_.size();
    }
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    bool accept(char c) {
        blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail("the header is not the dict that NumPy writes");
    }
    std::string quoted() {
        blanks();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            fail("the header is not the dict that NumPy writes");
            return {};
        }
        std::string text(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return text;
    }
    // A string's content, or the text of a bracketed literal as it stands.
    std::string literal() {
        blanks();
        if (at_ < text_.size() && text_[at_] != '[' && text_[at_] != '{') return quoted();
        const size_t begin = at_;
        int depth = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '[' || c == '{' || c == '(') ++depth;
            if ((c == ']' || c == '}' || c == ')') && --depth == 0)
                return std::string(text_.substr(begin, ++at_ - begin));
        }
        fail("the header is not the dict that NumPy writes");
        return {};
    }
    bool boolean() {
        blanks();
        for (const auto& [word, value] :
             {std::pair{std::string_view("True"), true}, std::pair{std::string_view("False"), false}})
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        fail("`fortran_order` is neither True nor False");
        return false;
    }
    int64_t number() {
        blanks();
        const size_t begin = at_;
        int64_t value = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9')
            if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
                __builtin_add_overflow(value, text_[at_++] - '0', &value)) {
                fail("`shape` is too large");
                return 0;
            }
        if (at_ == begin) fail("`shape` is not a tuple of integers");
        return value;
    }
    void tuple() {
        expect('(');
        while (!error && !accept(')')) {
            shape.push_back(number());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
    }

    std::string_view text_;
    size_t at_ = 0;
};

std::string why_not(std::string_view descr) {
    if (descr.starts_with('>'))
        return fmt::format("the elements are big-endian (`{}`); convert them with .astype('<{}')", descr,
                           descr.substr(1));
    return fmt::format("kernels have no element type for NumPy's `{}`", descr);
}

std::string shape_text(const std::vector<int64_t>& shape) {
    if (shape.size() == 1) return fmt::format("({},)", shape[0]);
    return fmt::format("({})", fmt::join(shape, ", "));
}

constexpr int kFirstOfUtf8 = 3;  // of the format's versions

bool is_latin1(std::string_view file) { return static_cast<unsigned char>(file[6]) < kFirstOfUtf8; }

std::string from_latin1(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            result += c;
        } else {
            result += static_cast<char>(0xC0 | byte >> 6);
            result += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return result;
}

// Splits the file at the end of its header.
std::optional<std::string> split(std::string_view file, std::string_view& header, std::string_view& data) {
    if (!file.starts_with(kMagic)) return "not a .npy file";
    if (file.size() < 10) return "the file is cut off in its header";
    const int major = static_cast<unsigned char>(file[6]);
    if (major < 1 || major > 3) return fmt::format("version {} of the format is not known", major);
    const size_t length_bytes = major == 1 ? 2 : 4;
    const size_t start = 8 + length_bytes;
    if (file.size() < start) return "the file is cut off in its header";
    size_t length = 0;
    for (size_t i = 0; i < length_bytes; ++i)
        length |= static_cast<size_t>(static_cast<unsigned char>(file[8 + i])) << (8 * i);
    if (file.size() - start < length) return "the file is cut off in its header";
    header = file.substr(start, length);
    data = file.substr(start + length);
    return std::nullopt;
}

}  // namespace

int64_t NpyArray::size() const {
    int64_t count = 1;
    for (const int64_t extent : shape) count *= extent;
    return count;
}

bool checked_size(const std::vector<int64_t>& shape, size_t element_bytes, size_t& bytes) {
    int64_t total = static_cast<int64_t>(element_bytes);
    for (const int64_t extent : shape)
        if (extent < 0 || __builtin_mul_overflow(total, std::max<int64_t>(extent, 1), &total)) return false;
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    bytes = empty ? 0 : static_cast<size_t>(total);
    return true;
}

std::variant<NpyArray, std::string> parse_npy(std::string_view file) {
    std::string_view header, data;
    if (auto error = split(file, header, data)) return *error;
    const std::string utf8 = is_latin1(file) ? from_latin1(header) : std::string(header);
    HeaderReader reader(utf8);
    reader.read();
    if (reader.error) return *reader.error;
    const std::optional<Type> element = element_of(reader.descr);
    if (!element) return why_not(reader.descr);

    NpyArray array{*element, reader.fortran_order, std::move(reader.shape), {}};
    size_t bytes = 0;
    if (!checked_size(array.shape, element->byte_size(), bytes)) return "`shape` is too large";
    if (data.size() < bytes) return fmt::format("the file is cut off: {} of {} bytes of elements", data.size(), bytes);
    array.bytes = data.substr(0, bytes);
    return array;
}

std::string format_npy(const NpyArray& array) {
    std::string header = fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", descr_of(array.element),
                                     array.layout() == Layout::F ? "True" : "False", shape_text(array.shape));
    // The elements start at a multiple of 64; NumPy also leaves room for the first axis to grow to 21 digits.
    if (!array.shape.empty()) {
        const int64_t growing = array.layout() == Layout::F ? array.shape.back() : array.shape.front();
        header.append(21 - std::to_string(growing).size(), ' ');
    }
    // Version 2.0 has four bytes for the length, version 3.0 has UTF-8 too.
    const bool is_ascii = std::ranges::all_of(header, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    const int version = !is_ascii ? kFirstOfUtf8 : header.size() > 0xffff - 64 ? 2 : 1;
    const size_t length_bytes = version == 1 ? 2 : 4;
    const size_t unpadded = kMagic.size() + 2 + length_bytes + header.size() + 1;
    header.append(64 - unpadded % 64, ' ');
    header += '\n';

    std::string file(kMagic);
    file += {static_cast<char>(version), '\0'};
    for (size_t i = 0; i < length_bytes; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return file + header + array.bytes;
}

}  // namespace pyk
