// The generators of random numbers that functions of the host have: see pyk/twister_cpu.h.
#include <random>

#include "block_runner.h"
#include "forks.h"
#include "pyk/twister_cpu.h"

namespace pyk::cpu {
namespace {

struct State {
    twister generator;
    bool is_seeded = false;
    unsigned forks = 0;  ///< a child process has other numbers than its parent
};

void seed_from_system(State& state) {
    std::random_device system;
    for (unsigned int& word : state.generator.words) word = system();
    state.generator.words[0] |= 0x80000000u;  // not all of them may be zero
    state.generator.next = twister::length;
    state.generator.has_normal = false;
    state.forks = driver::forks();
    state.is_seeded = true;
}

}  // namespace

twister* generator(int module) {
    thread_local State states[2];
    State& state = states[module];
    if (!state.is_seeded || state.forks != driver::forks()) seed_from_system(state);
    return &state.generator;
}

}  // namespace pyk::cpu
