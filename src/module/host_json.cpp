// `json.loads` of the host's code.
#include <cctype>
#include <charconv>

#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;

constexpr int kDeepest = 64;

class Json {
  public:
    explicit Json(std::string_view text) : rest_(text) {}

    Result whole() {
        Result result = value(0);
        skip();
        return rest_.empty() ? result : std::nullopt;
    }

  private:
    void skip() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0]))) rest_.remove_prefix(1);
    }
    bool take(std::string_view text) {
        skip();
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }

    Result value(int depth) {
        if (depth > kDeepest) return std::nullopt;
        if (take("true")) return Const{true, {}};
        if (take("false")) return Const{false, {}};
        if (take("null")) return Const{Const::None{}, {}};
        if (take("[")) return items(depth);
        if (take("{")) return members(depth);
        if (take("\"")) return text();
        return number();
    }

    Result items(int depth) {
        std::vector<Const> all;
        if (take("]")) return list_of({});
        do {
            const Result one = value(depth + 1);
            if (!one) return std::nullopt;
            all.push_back(*one);
        } while (take(","));
        return take("]") ? Result(list_of(std::move(all))) : std::nullopt;
    }

    Result members(int depth) {
        Result all = Const{Const::Dict(), {}};
        if (take("}")) return all;
        do {
            const Result key = take("\"") ? text() : std::nullopt;
            const Result one = key && take(":") ? value(depth + 1) : std::nullopt;
            all = one && all ? with_item(*all, *key, *one) : std::nullopt;
            if (!all) return std::nullopt;
        } while (take(","));
        return take("}") ? all : std::nullopt;
    }

    /// Escapes of letters by their number are not read.
    Result text() {
        static constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        std::string all;
        while (!rest_.empty() && rest_[0] != '"') {
            const bool escaped = rest_[0] == '\\' && rest_.size() > 1;
            const size_t at = escaped ? kEscapes.find(rest_[1]) : 0;
            if (at == kEscapes.npos) return std::nullopt;
            all += escaped ? kMeant[at] : rest_[0];
            rest_.remove_prefix(escaped ? 2 : 1);
        }
        if (rest_.empty()) return std::nullopt;
        rest_.remove_prefix(1);
        return Const{std::move(all), {}};
    }

    Result number() {
        skip();
        const size_t end = std::min(rest_.find_first_not_of("+-0123456789.eE"), rest_.size());
        const std::string_view digits = rest_.substr(0, end);
        rest_.remove_prefix(end);
        const char* const last = digits.data() + digits.size();
        int64_t whole = 0;
        double real = 0;
        if (digits.empty()) return std::nullopt;
        if (const auto [to, error] = std::from_chars(digits.data(), last, whole); to == last && error == std::errc())
            return Const{Const::Int(whole), {}};
        const auto [to, error] = std::from_chars(digits.data(), last, real);
        return to == last && error == std::errc() ? Result(Const{real, {}}) : std::nullopt;
    }

    std::string_view rest_;
};

constexpr HostFunction kFunctions[] = {
    {"json.loads", "s", 1,
     [](const HostArguments& a) {
         const auto* text = a[0].as<std::string>();
         return text ? Json(*text).whole() : std::nullopt;
     }},
};

}  // namespace

std::span<const HostFunction> json_functions() { return kFunctions; }

}  // namespace pyk
