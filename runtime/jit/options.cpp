#include <algorithm>

#include "pyk/pyk.hpp"

namespace pyk::jit {

// Here, so that programs need not compile what they take.
Defines::Defines() = default;
Defines::Defines(const Defines&) = default;
Defines::Defines(Defines&&) noexcept = default;
Defines& Defines::operator=(const Defines&) = default;
Defines& Defines::operator=(Defines&&) noexcept = default;
Defines::~Defines() = default;

Options::Options() = default;
Options::Options(const Options&) = default;
Options::Options(Options&&) noexcept = default;
Options& Options::operator=(const Options&) = default;
Options& Options::operator=(Options&&) noexcept = default;
Options::~Options() = default;

Define& Defines::operator[](std::string_view name) {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), name,
                                     [](const Entry& entry, std::string_view other) { return entry.name < other; });
    if (at != entries_.end() && at->name == name) return at->value;
    return entries_.insert(at, {std::string(name), {}})->value;
}

}  // namespace pyk::jit
