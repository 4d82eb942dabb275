// Random numbers in arrays, made where the arrays are.
//
//   pyk::Philox generator{42};                          // the seed
//   pyk::fill_uniform(x, generator).or_throw();         // in [0, 1)
//   pyk::fill_normal(y, generator, 0.0, 2.5).or_throw();
//   auto states = pyk::create_xoroshiro128p_states(device, 1024, 42).value();  // what kernels draw from
//
// Arrays are pyk::Array, pyk::View and AnyArray, whose elements lie side by side in C order, or host memory, which is
// copied for a GPU. Work is queued on the stream. Equal seeds give equal numbers, on every device: bits and integers
// exactly, what goes through logarithm, sine and cosine as far as those of the devices agree.
#pragma once

#include <cstdint>

#include "pyk/algorithms.hpp"

namespace pyk {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"): a counter is hashed
/// under a key, so that any number of any sequence can be had by itself. Each fill takes the counters from `position`
/// on, of 128 bits each, and advances it behind the last that it used.
struct Philox {
    std::uint64_t seed = 0;         ///< the key
    std::uint64_t subsequence = 0;  ///< the counter's upper half: sequences of one seed that have nothing in common
    std::uint64_t position = 0;     ///< the counter's lower half
};

/// `numba.cuda.random.create_xoroshiro128p_states`, bit for bit and in parallel: each state is 2**64 steps ahead of the
/// one before it, the first `subsequence_start` times so many ahead of the seed's.
Result<Array<XoroshiroState>> create_xoroshiro128p_states(const Device& device, long long count, std::uint64_t seed,
                                                          std::uint64_t subsequence_start = 0, StreamRef stream = {});

namespace detail {

enum class Fill : unsigned char { bits, uniform, normal, integers };
/// `states`: null where the generator is `philox`. `low` and `high`: the mean and the deviation of normal numbers.
Status fill(const jit::Argument& out, Fill what, Philox* philox, const jit::Argument* states, const jit::Number& low,
            const jit::Number& high, StreamRef stream);

template <class Out>
Status fill(Out&& out, Fill what, Philox& generator, const jit::Number& low, const jit::Number& high,
            StreamRef stream) {
    return fill(jit::make_argument(out), what, &generator, nullptr, low, high, stream);
}
template <class Out>
Status fill(Out&& out, Fill what, Array<XoroshiroState>& states, const jit::Number& low, const jit::Number& high,
            StreamRef stream) {
    const jit::Argument of_states = jit::make_argument(states);
    return fill(jit::make_argument(out), what, nullptr, &of_states, low, high, stream);
}

}  // namespace detail

/// uint32 as the generator gives them, four of each counter.
template <class Out>
Status fill_bits(Out&& out, Philox& generator, StreamRef stream = {}) {
    return detail::fill(out, detail::Fill::bits, generator, 0, 0, stream);
}

/// float32 or float64 in [low, high). Of 24 and 53 bits: a step below `high` may round to it.
/// `generator`: a Philox, or an array of xoroshiro128p states, of which the i-th gives every n-th number from the i-th
/// on, n being how many there are: what Numba's kernels give that draw so, whose float32 may be 1.
template <class Out, class Generator>
Status fill_uniform(Out&& out, Generator& generator, double low = 0, double high = 1, StreamRef stream = {}) {
    return detail::fill(out, detail::Fill::uniform, generator, low, high, stream);
}

/// float32 or float64 of that mean and standard deviation, by Box and Muller's transform.
template <class Out, class Generator>
Status fill_normal(Out&& out, Generator& generator, double mean = 0, double deviation = 1, StreamRef stream = {}) {
    return detail::fill(out, detail::Fill::normal, generator, mean, deviation, stream);
}

/// Integers of any type in [low, high), of 64 random bits each: of n numbers none is likelier than another by more than
/// n in 2**64. Fails where there is none, or where the type does not have them all.
template <class Out, class Generator>
Status fill_integers(Out&& out, Generator& generator, std::int64_t low, std::int64_t high, StreamRef stream = {}) {
    return detail::fill(out, detail::Fill::integers, generator, low, high, stream);
}

}  // namespace pyk
