#include "compile/arch.h"

#include <charconv>

namespace pyk {
namespace {

std::string digits(const Arch& arch) {
    std::string text = std::to_string(arch.number);
    if (arch.suffix) text += arch.suffix;
    return text;
}

bool drop_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

std::string Arch::real_name() const { return "sm_" + digits(*this); }
std::string Arch::virtual_name() const { return "compute_" + digits(*this); }

std::optional<Arch> parse_arch(std::string_view text) {
    Arch arch;
    if (!drop_prefix(text, "sm_")) arch.is_virtual = drop_prefix(text, "compute_");
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), arch.number);
    if (error != std::errc() || arch.number < 10 || arch.number > 999) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(rest - text.data()));
    if (text == "a" || text == "f")
        arch.suffix = text[0];
    else if (!text.empty())
        return std::nullopt;
    return arch;
}

}  // namespace pyk
