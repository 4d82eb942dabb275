// Greek letters in names, which NVRTC and nvcc do not take: `mu_Q` for `μ_Q`.
#pragma once

#include <string>
#include <string_view>

namespace pyk::emitter {

/// Each Greek letter by its name, apart from other letters: `delta_t` for `δt`, `Sigma2` for `Σ2`.
std::string with_named_greek(std::string_view name);

}  // namespace pyk::emitter
