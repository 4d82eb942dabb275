#include "warp.h"

#include <cstring>
#include <string_view>

namespace pyk::cpu {
namespace {

template <typename Use>
void for_each_lane(unsigned lanes, Use use) {
    for (; lanes; lanes &= lanes - 1) use(__builtin_ctz(lanes));
}

/// Shuffles, votes and matches exchange values; what their lanes did in memory they leave without an order, as in CUDA.
bool orders_memory(const meeting_place& place) {
    const std::string_view call = place.call;
    return call == "syncwarp" || call == "sync";
}

}  // namespace

/// The lanes that wait where this one does: at the same call with the same mask. Lanes of different lines meet too, as
/// they do on a GPU, unless they wait for whoever comes.
unsigned Warp::group_of(int lane) const {
    const meeting_place& own = place(lane);
    unsigned group = 0;
    for_each_lane(waiting_, [&](int other) {
        const meeting_place& p = place(other);
        const bool same_line = own.mask != 0 || p.line == own.line;
        if (p.mask == own.mask && same_line && std::strcmp(p.call, own.call) == 0) group |= 1u << other;
    });
    return group;
}

bool Warp::is_complete(int lane, unsigned group) const {
    const unsigned mask = place(lane).mask;
    return mask != 0 && (mask & alive_ & ~group) == 0;
}

bool Warp::arrive(int lane, Fiber* fiber, const meeting_place& place, unsigned long long value, meeting* result,
                  std::vector<Fiber*>& released) {
    lanes_[static_cast<unsigned>(lane)] = {fiber, place, value, result};
    waiting_ |= 1u << lane;
    const unsigned group = group_of(lane);
    if (!is_complete(lane, group)) return false;
    release(group, released);
    // The last one goes on at once.
    std::erase(released, fiber);
    return true;
}

void Warp::leave(int lane, std::vector<Fiber*>& released) {
    alive_ &= ~(1u << lane);
    unsigned unseen = waiting_;
    while (unseen) {
        const int other = __builtin_ctz(unseen);
        const unsigned group = group_of(other);
        unseen &= ~group;
        if (is_complete(other, group)) release(group, released);
    }
}

bool Warp::release_active(std::vector<Fiber*>& released) {
    bool any = false;
    unsigned unseen = waiting_;
    while (unseen) {
        const int lane = __builtin_ctz(unseen);
        const unsigned group = group_of(lane);
        unseen &= ~group;
        if (place(lane).mask != 0) continue;
        release(group, released);
        any = true;
    }
    return any;
}

void Warp::release(unsigned group, std::vector<Fiber*>& released) {
    if (orders_memory(place(__builtin_ctz(group)))) ++rounds_;
    meeting met;
    met.lanes = group;
    for_each_lane(group, [&](int lane) { met.values[lane] = lanes_[static_cast<unsigned>(lane)].value; });
    for_each_lane(group, [&](int lane) {
        *lanes_[static_cast<unsigned>(lane)].result = met;
        released.push_back(lanes_[static_cast<unsigned>(lane)].fiber);
    });
    waiting_ &= ~group;
}

void Warp::give_up(std::vector<Fiber*>& released) {
    for_each_lane(waiting_, [&](int lane) { released.push_back(lanes_[static_cast<unsigned>(lane)].fiber); });
    waiting_ = 0;
}

}  // namespace pyk::cpu
