// create_xoroshiro128p_states, bit for bit, from the published algorithms.
#pragma once

#include <cstdint>
#include <string>

namespace pyk::run_cases {

/// The bytes of `count` states: s0 and s1 of each.
std::string xoroshiro_states(size_t count, uint64_t seed, uint64_t subsequence_start);

}  // namespace pyk::run_cases
