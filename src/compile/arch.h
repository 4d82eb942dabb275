// GPU architectures as tools name them: `sm_90`, `sm_100a`, `compute_75`.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace pyk {

struct Arch {
    int number = 0;           ///< compute capability × 10: 75, 90, 120
    char suffix = 0;          ///< `a` or `f` of `sm_90a`, `sm_100f`; 0: none
    bool is_virtual = false;  ///< `compute_…`: PTX only
    bool operator==(const Arch&) const = default;

    std::string real_name() const;     ///< `sm_90a`
    std::string virtual_name() const;  ///< `compute_90a`
};

/// `sm_90`, `sm_90a`, `compute_90` or just `90`.
std::optional<Arch> parse_arch(std::string_view text);

}  // namespace pyk
