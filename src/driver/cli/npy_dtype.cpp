#include "driver/cli/npy_dtype.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "types/time.h"

namespace pyk {
namespace {

constexpr std::string_view kStates = "[('s0', '<u8'), ('s1', '<u8')]";
constexpr std::string_view kAlignedStates =
    "{'names': ['s0', 's1'], 'formats': ['<u8', '<u8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}";
constexpr int kDeepest = 20;
constexpr size_t kLongest = size_t(1) << 20;  ///< of texts, in characters

std::optional<Type> number_of(std::string_view descr) {
    for (const ScalarInfo& scalar : all_scalars()) {
        if (descr == scalar.numpy) return Type(scalar.scalar);
        // `=` is this machine's order, and one byte has none.
        if (descr.size() > 1 && descr.substr(1) == scalar.numpy.substr(1) &&
            (descr[0] == '=' || (scalar.bits == 8 && descr[0] != '|')))
            return Type(scalar.scalar);
    }
    if (descr.starts_with("|S") || descr.starts_with("<U")) {
        size_t count = 0;
        const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), count);
        if (error != std::errc() || end != descr.data() + descr.size() || count == 0 || count > kLongest)
            return std::nullopt;
        return Type::text(descr[1] == 'S' ? Scalar::uint8 : Scalar::uint32, count);
    }
    const bool is_time = descr.starts_with("<M8") || descr.starts_with("<m8");
    return is_time ? time_from_name(descr.substr(1)) : std::nullopt;
}

/// `[('x', '<f8'), ('', '|V4'), ('p', [('a', '<i4')], (2, 3))]`: fields one behind the other; those without a name are
/// gaps.
class RecordReader {
  public:
    explicit RecordReader(std::string_view text) : text_(text) {}

    std::optional<Type> read() {
        auto type = record();
        blanks();
        return at_ == text_.size() ? type : std::nullopt;
    }

  private:
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool accept(char c) {
        blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::optional<std::string> quoted() {
        blanks();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
        if (end == std::string_view::npos) return std::nullopt;
        std::string text(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return text;
    }
    std::optional<size_t> number(std::string_view text) {
        size_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || value > size_t(1) << 40) return std::nullopt;
        return value;
    }

    std::optional<Type> record() {
        if (++depth_ > kDeepest || !accept('[')) return std::nullopt;
        std::vector<Field> fields;
        size_t size = 0;
        while (!accept(']')) {
            if (!field(fields, size)) return std::nullopt;
            accept(',');
        }
        --depth_;
        return fields.empty() ? std::nullopt : std::optional(Type::record(std::move(fields), size));
    }

    bool field(std::vector<Field>& fields, size_t& size) {
        if (!accept('(')) return false;
        std::optional<std::string> name = quoted();
        if (!name && accept('(')) {  // ('title', 'name')
            if (!quoted() || !accept(',')) return false;
            name = quoted();
            if (!accept(')')) return false;
        }
        if (!name || !accept(',')) return false;
        Field one{.name = *name, .type = {}, .offset = size};
        blanks();
        const bool nests = at_ < text_.size() && text_[at_] == '[';
        const auto text = nests ? std::nullopt : quoted();
        const bool is_gap = text && text->starts_with("|V") && name->empty();
        if (is_gap) {
            const auto bytes = number(std::string_view(*text).substr(2));
            size += bytes.value_or(0);
            return bytes && accept(')');
        }
        const auto type = nests ? record() : text ? number_of(*text) : std::nullopt;
        if (!type) return false;
        one.type = *type;
        if (accept(',') && accept('(')) {
            while (!accept(')')) {
                blanks();
                const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
                const auto extent = number(text_.substr(at_, end - at_));
                if (!extent) return false;
                one.shape.push_back(static_cast<int64_t>(*extent));
                at_ = end;
                accept(',');
            }
        }
        size_t bytes = one.type.byte_size();
        for (const int64_t extent : one.shape)
            if (__builtin_mul_overflow(bytes, static_cast<size_t>(extent), &bytes) || bytes > size_t(1) << 40)
                return false;
        size += bytes;
        fields.push_back(std::move(one));
        return accept(')');
    }

    std::string_view text_;
    size_t at_ = 0;
    int depth_ = 0;
};

std::string record_descr(Type record) {
    std::vector<std::string> parts;
    size_t at = 0;
    const auto gap = [&](size_t to) {
        if (to > at) parts.push_back(fmt::format("('', '|V{}')", to - at));
        at = to;
    };
    for (const Field& field : record.fields()) {
        gap(field.offset);
        std::string shape;
        if (field.shape.size() == 1) shape = fmt::format(", ({},)", field.shape[0]);
        if (field.shape.size() > 1) shape = fmt::format(", ({})", fmt::join(field.shape, ", "));
        parts.push_back(fmt::format("('{}', {}{})", field.name, descr_of(field.type), shape));
        at += field.byte_size();
    }
    gap(record.byte_size());
    return fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

std::optional<Type> element_of(std::string_view descr) {
    if (descr == kStates || descr == kAlignedStates) return Type::xoroshiro128p_state();
    return descr.starts_with('[') ? RecordReader(descr).read() : number_of(descr);
}

std::string descr_of(Type element) {
    if (element.is_record()) return record_descr(element);
    if (element.is_text()) return fmt::format("'{}{}'", element.element().bits() == 8 ? "|S" : "<U", element.count());
    return fmt::format("'{}'", element.is_distinct() ? time_descr(element) : std::string(info(element.scalar()).numpy));
}

}  // namespace pyk
