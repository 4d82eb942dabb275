#include "fiber.h"

namespace pyk::cpu {

void Fiber::enter(boost::context::detail::transfer_t from) {
    Fiber& fiber = *static_cast<Fiber*>(from.data);
    fiber.outside_ = from.fctx;
    fiber.caller_ = StackSwitch::arrived();
    for (;;) {
        fiber.job_.function(fiber.job_.data);
        fiber.job_ = {};
        fiber.suspend();
    }
}

}  // namespace pyk::cpu
