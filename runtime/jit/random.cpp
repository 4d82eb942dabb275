#include "pyk/random.hpp"

#include <array>
#include <vector>

#include "driver.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk_random.h"

namespace pyk {
namespace {

using jit::Argument;
using jit::Element;

constexpr unsigned kThreads = 256;

// --- jumps ----------------------------------------------------------------------------------------------------------
using State = std::array<std::uint64_t, 2>;
/// A linear map of states: what each bit becomes.
using Matrix = std::array<State, 128>;

std::uint64_t rotated_left(std::uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

State step(const State& state) {
    const std::uint64_t mixed = state[0] ^ state[1];
    return {rotated_left(state[0], 55) ^ mixed ^ mixed << 14, rotated_left(mixed, 36)};
}

/// 2**64 steps, by the polynomial of the generator's authors.
State jump(State state) {
    constexpr std::uint64_t kPolynomial[] = {0xbeac0467eba5facb, 0xd86b048b86aa9922};
    State sum{};
    for (int bit = 0; bit < 128; ++bit) {
        if (kPolynomial[bit / 64] >> bit % 64 & 1) sum = {sum[0] ^ state[0], sum[1] ^ state[1]};
        state = step(state);
    }
    return sum;
}

State applied(const Matrix& matrix, const State& state) {
    State sum{};
    for (std::size_t bit = 0; bit < 128; ++bit)
        if (state[bit / 64] >> bit % 64 & 1) sum = {sum[0] ^ matrix[bit][0], sum[1] ^ matrix[bit][1]};
    return sum;
}

/// 1, 2, 4 … 2**63 jumps.
const std::vector<Matrix>& jumps() {
    static const auto& all = *new std::vector<Matrix>([] {
        std::vector<Matrix> made(64);
        for (std::size_t bit = 0; bit < 128; ++bit) {
            State state{};
            state[bit / 64] = std::uint64_t{1} << bit % 64;
            made[0][bit] = jump(state);
        }
        for (std::size_t k = 1; k < made.size(); ++k)
            for (std::size_t bit = 0; bit < 128; ++bit) made[k][bit] = applied(made[k - 1], made[k - 1][bit]);
        return made;
    }());
    return all;
}

// --- launches -------------------------------------------------------------------------------------------------------
Result<jit::Kernel> kernel(const std::string& name) {
    static const auto& module =
        *new Result<jit::Module>(jit::load_text("random.pyk", std::string(random_files()[0].text), jit::Options()));
    if (!module) return module.status();
    return module->kernel(name);
}

Status launch(const std::string& name, long long threads, std::vector<Argument> arguments, StreamRef stream) {
    const Result<jit::Kernel> found = kernel(name);
    if (!found) return found.status();
    const long long blocks = (threads + kThreads - 1) / kThreads;
    if (blocks > 0x7FFFFFFF) return refuse("more random numbers than a grid has threads");
    return (*found)(jit::Grid{static_cast<unsigned>(blocks)}, jit::Block{kThreads}, stream).launch_all(arguments);
}

template <class T>
Argument number(T value) {
    return jit::make_argument(value);
}

/// All elements along one axis.
Result<Argument> flat(const Argument& out) {
    if (!out.is_array() || out.readonly) return refuse("random numbers need an array that can be written");
    long long count = 1, next = static_cast<long long>(jit::row_of(out.element).size);
    bool is_dense = out.order != jit::Order::fortran || out.ndim < 2;
    for (int axis = out.ndim - 1; axis >= 0; --axis) {
        if (out.order == jit::Order::strided && out.shape[axis] != 1 && out.strides[axis] != next) is_dense = false;
        next *= out.shape[axis];
        count *= out.shape[axis];
    }
    if (!is_dense && count != 0) return refuse("the array's elements do not lie side by side in C order");
    Argument all = out;
    all.order = jit::Order::c;
    all.ndim = 1;
    all.shape[0] = count;
    return all;
}

bool is_real(Element element) { return element == Element::float32 || element == Element::float64; }
bool is_integer(Element element) {
    using Kind = jit::ElementRow::Kind;
    return jit::row_of(element).kind == Kind::integer || jit::row_of(element).kind == Kind::natural;
}

bool fits(std::int64_t value, Element element) {
    unsigned char bytes[16];
    return jit::write_scalar(bytes, element, number(value));
}

}  // namespace

Result<Array<XoroshiroState>> create_xoroshiro128p_states(const Device& device, long long count, std::uint64_t seed,
                                                          std::uint64_t subsequence_start, StreamRef stream) {
    return jit::guarded([&]() -> Result<Array<XoroshiroState>> {
        if (count < 0) return refuse("create_xoroshiro128p_states of " + std::to_string(count) + " states");
        auto states = Array<XoroshiroState>::allocate(device, {count}, MemoryKind::device, stream);
        if (!states || count == 0) return states;
        const auto* const first = jumps()[0][0].data();
        auto table = Array<std::uint64_t, 3>::from_host(device, first, {64, 128, 2}, MemoryKind::pooled, stream);
        if (!table) return table.status();
        Status s = launch(
            "make_states", count,
            {jit::make_argument(*states), jit::make_argument(*table), number(seed), number(subsequence_start)}, stream);
        if (!s) return s;
        return states;
    });
}

namespace detail {

Status fill(const Argument& out, Fill what, Philox* philox, const Argument* states, const jit::Number& low,
            const jit::Number& high, StreamRef stream) {
    return jit::guarded([&]() -> Status {
        const Result<Argument> all = flat(out);
        if (!all) return all.status();
        const std::string type = jit::row_of(out.element).name;
        std::string name = philox ? "philox_" : "states_";
        std::vector<Argument> arguments = {*all};
        if (philox)
            for (const std::uint64_t word : {philox->position, philox->subsequence, philox->seed})
                arguments.push_back(number(word));
        else
            arguments.push_back(*states);
        if (what == Fill::bits) {
            if (out.element != Element::uint32) return refuse("random bits are uint32, not " + type);
            name += "bits";
        } else if (what == Fill::integers) {
            const std::int64_t from = low.argument().integer, to = high.argument().integer;
            if (!is_integer(out.element)) return refuse("random integers in an array of " + type);
            if (to <= from)
                return refuse("no integer is in [" + std::to_string(from) + ", " + std::to_string(to) + ")");
            if (!fits(from, out.element) || !fits(to - 1, out.element))
                return refuse("integers in [" + std::to_string(from) + ", " + std::to_string(to) + ") do not fit " +
                              type);
            arguments.push_back(number(from));
            arguments.push_back(number(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)));
            name += "integers";
        } else {
            if (!is_real(out.element)) return refuse("random numbers are float32 or float64, not " + type);
            const double from = low.argument().real, to = high.argument().real;
            arguments.push_back(number(from));
            arguments.push_back(number(what == Fill::uniform ? to - from : to));
            name += what == Fill::uniform ? "uniform_" : "normal_";
            name += type;
        }
        const long long count = all->shape[0];
        if (count == 0) return {};
        if (states && states->shape[0] == 0) return refuse("random numbers of no states");
        const long long of_counter = what == Fill::bits || out.element == Element::float32 ? 4 : 2;
        const long long threads = philox ? (count + of_counter - 1) / of_counter : states->shape[0];
        if (Status s = launch(name, threads, std::move(arguments), stream); !s) return s;
        if (philox) philox->position += static_cast<std::uint64_t>(threads);
        return {};
    });
}

}  // namespace detail
}  // namespace pyk
