// The 32 threads of a warp, and what those that wait for each other wait for.
#pragma once

#include <array>
#include <vector>

#include "fiber.h"
#include "pyk/cpu.h"

namespace pyk::cpu {

class Warp {
  public:
    /// `count` lanes exist.
    void start(int count) {
        alive_ = count >= 32 ? ~0u : (1u << count) - 1;
        waiting_ = 0;
    }

    /// A lane comes to a place. True: all that it waits for are there, it has its result, and the others' fibers stand
    /// in `released`. False: its fiber must suspend.
    bool arrive(int lane, Fiber* fiber, const meeting_place& place, unsigned long long value, meeting* result,
                std::vector<Fiber*>& released);
    /// A lane's thread ended: others may have waited for it only.
    void leave(int lane, std::vector<Fiber*>& released);
    /// Releases those that wait for whoever comes (a mask of 0). True if there were any.
    bool release_active(std::vector<Fiber*>& released);

    unsigned alive() const { return alive_; }
    unsigned waiting() const { return waiting_; }
    /// How often lanes met in a way that orders what they do in memory.
    unsigned rounds() const { return rounds_; }
    const meeting_place& place(int lane) const { return lanes_[static_cast<unsigned>(lane)].place; }
    /// Takes the fibers of all that wait.
    void give_up(std::vector<Fiber*>& released);

  private:
    struct Lane {
        Fiber* fiber;
        meeting_place place;
        unsigned long long value;
        meeting* result;
    };

    unsigned group_of(int lane) const;
    bool is_complete(int lane, unsigned group) const;
    void release(unsigned group, std::vector<Fiber*>& released);

    unsigned rounds_ = 0;
    unsigned alive_ = 0, waiting_ = 0;
    std::array<Lane, 32> lanes_;
};

}  // namespace pyk::cpu
