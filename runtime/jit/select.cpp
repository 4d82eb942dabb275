// Selections: the elements of which a function says true.
#include "driver.h"
#include "jit/algorithm_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk/select_args.h"

namespace pyk::jit {
namespace {

Result<AnyArray> selected(const Operator& predicate, const Inputs& array, StreamRef stream) {
    if (array.arguments().size() != 1) return refuse("a selection takes one array");
    const ElementType element = array.arguments()[0].element_type();
    AlgorithmCall call({"select", &predicate, nullptr, element, Element::boolean}, array, stream);
    if (Status s = call.prepare(1); !s) return s;
    if (Status s = call.in_order(nullptr); !s) return s;
    Result<AnyArray> all = new_array(element, {call.count()}, call.device(), stream);
    if (!all || call.count() == 0) return call.where_it_belongs(std::move(all));
    const bool is_cpu = call.device().info.is_cpu;
    select_args args{};
    args.count = call.count();
    args.tiles = (args.count + select_tile - 1) / select_tile;
    if (args.tiles >= 1ll << 31) return refuse("a selection of more than 2^31 tiles");
    args.out = static_cast<char*>(all->data());
    args.state_bytes = is_cpu ? args.tiles * 8 : (args.tiles + 32) * 32 + 1024;
    const Result<void*> state = call.scratch(static_cast<std::size_t>(args.state_bytes));
    if (!state) return state.status();
    args.state = static_cast<char*>(*state);
    if (call.device().is_capturing(stream.handle))
        return refuse("a selection cannot be captured: it waits to know how many elements there are");
    Result<Buffer> chosen = Buffer::allocate(Device(call.device()), sizeof(long long), MemoryKind::pooled, stream);
    if (!chosen) return chosen.status();
    args.chosen = static_cast<long long*>(chosen->address());
    args.inputs[0] = call.inputs()[0];
    const auto launch = [&](select_stage stage, long long blocks) {
        args.stage = stage;
        return call.launch(args, blocks);
    };
    if (is_cpu) {
        if (Status s = launch(select_stage::count, args.tiles); !s) return s;
        if (Status s = launch(select_stage::places, 1); !s) return s;
    } else if (Status s = launch(select_stage::prepare, (args.tiles + 255) / 256); !s) {
        return s;
    }
    if (Status s = launch(select_stage::write, args.tiles); !s) return s;
    if (Status s = call.finish(); !s) return s;
    long long count = 0;
    if (Status s = chosen->download(&count, sizeof count, 0, stream); !s) return s;
    if (Status s = Stream::borrow(Device(call.device()), stream.handle).synchronize(); !s) return s;
    return call.where_it_belongs(AnyArray(all->element(), {count}, std::move(*all).buffer(), all->named()));
}

}  // namespace

Result<AnyArray> select(const Operator& predicate, const Inputs& array, StreamRef stream) {
    return guarded([&] { return selected(predicate, array, stream); });
}

}  // namespace pyk::jit
