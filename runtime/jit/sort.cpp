// Stable sorts.
#include <algorithm>

#include "driver.h"
#include "jit/algorithm_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk/sort_args.h"

namespace pyk::jit {
namespace {

class SortCall {
  public:
    SortCall(const Operator& before, const Inputs& keys, StreamRef stream)
        : stream_(stream), call_({"sort", &before, nullptr, element_of(keys), Element::boolean}, keys, stream) {}

    Status sort() {
        if (Status s = call_.prepare(2); !s) return s;
        if (Status s = call_.in_order(nullptr); !s) return s;
        args_.count = call_.count();
        blocks_ = (args_.count + sort_tile - 1) / sort_tile;
        if (blocks_ >= 1ll << 31) return refuse("a sort of more elements than a grid has blocks for");
        if (args_.count == 0) return {};
        args_.inputs[0] = call_.inputs()[0];
        const std::size_t entry = entry_bytes(call_.value());
        const std::size_t bytes = static_cast<std::size_t>(args_.count) * entry;
        const Result<void*> one = call_.scratch(bytes);
        if (!one) return one.status();
        args_.to = static_cast<char*>(*one);
        if (Status s = launch(sort_stage::tiles); !s) return s;
        const Result<void*> two = blocks_ > 1 ? call_.scratch(bytes) : Result<void*>(nullptr);
        if (!two) return two.status();
        char* other = static_cast<char*>(*two);
        for (args_.run = sort_tile; args_.run < args_.count; args_.run *= 2) {
            args_.from = args_.to;
            args_.to = other;
            if (Status s = launch(sort_stage::merge); !s) return s;
            other = const_cast<char*>(args_.from);
        }
        args_.from = args_.to;
        return call_.finish();
    }

    Result<AnyArray> keys() { return call_.where_it_belongs(of(sort_stage::keys, call_.value())); }
    Result<AnyArray> places() { return call_.where_it_belongs(places_here()); }
    /// On the device that sorts.
    Result<AnyArray> places_here() { return of(sort_stage::places, Element::int64); }
    driver::Context& device() { return call_.device(); }

  private:
    static std::optional<ElementType> element_of(const Inputs& keys) {
        return keys.arguments().empty() ? std::nullopt : std::optional(keys.arguments()[0].element_type());
    }

    /// Of a key and its place, which lie as in a C struct.
    static std::size_t entry_bytes(ElementType key) {
        const std::size_t bytes = element_bytes(key), place = sizeof(long long);
        if (bytes > 16) return sizeof(void*) + place;  // where the key is
        const std::size_t alignment = std::max(element_alignment(key), place);
        return (((bytes + place - 1) / place + 1) * place + alignment - 1) / alignment * alignment;
    }

    Result<AnyArray> of(sort_stage stage, ElementType element) {
        Result<AnyArray> result = new_array(element, {args_.count}, call_.device(), stream_);
        if (!result || args_.count == 0) return result;
        args_.to = static_cast<char*>(result->data());
        if (Status s = launch(stage); !s) return s;
        return result;
    }

    Status launch(sort_stage stage) {
        args_.stage = stage;
        return call_.launch(args_, blocks_);
    }

    StreamRef stream_;
    AlgorithmCall call_;
    sort_args args_{};
    long long blocks_ = 0;
};

/// `out[i] = values[places[i]]`
Status take(const AnyArray& out, const Argument& values, const AnyArray& places, StreamRef stream) {
    const Result<Shared<Engine>> own = own_engine();
    if (!own) return own.status();
    const Result<Kernel> kernel = Module(*own).kernel("take");
    if (!kernel) return kernel.status();
    constexpr unsigned threads = 256;
    const auto blocks = static_cast<unsigned>((out.size() + threads - 1) / threads);
    return (*kernel)(Grid{blocks}, Block{threads}, stream)
        .launch_all({make_argument(out), values, make_argument(places)});
}

}  // namespace

Result<AnyArray> sort(const Inputs& array, const Operator& before, StreamRef stream) {
    return guarded([&]() -> Result<AnyArray> {
        SortCall call(before, array, stream);
        if (Status s = call.sort(); !s) return s;
        return call.keys();
    });
}

Result<AnyArray> argsort(const Inputs& array, const Operator& before, StreamRef stream) {
    return guarded([&]() -> Result<AnyArray> {
        SortCall call(before, array, stream);
        if (Status s = call.sort(); !s) return s;
        return call.places();
    });
}

Result<SortedPairs> sort_by_key(const Inputs& keys, const Inputs& values, const Operator& before, StreamRef stream) {
    return guarded([&]() -> Result<SortedPairs> {
        if (values.arguments().size() != 1 || values.arguments()[0].ndim != 1)
            return refuse("a sort by key takes one array of values, of one axis");
        const Argument& given = values.arguments()[0];
        SortCall call(before, keys, stream);
        if (Status s = call.sort(); !s) return s;
        Result<AnyArray> sorted = call.keys();
        if (!sorted) return sorted.status();
        if (sorted->size() != given.shape[0])
            return refuse("there are " + std::to_string(sorted->size()) + " keys and " +
                          std::to_string(given.shape[0]) + " values");
        Result<AnyArray> places = call.places_here();
        if (!places) return places.status();
        Result<AnyArray> taken = new_array(given.element_type(), {sorted->size()}, call.device(), stream);
        if (!taken) return taken.status();
        if (sorted->size() != 0)
            if (Status s = take(*taken, given, *places, stream); !s) return s;
        const Argument both[] = {keys.arguments()[0], given};
        taken = where_it_belongs(std::move(taken), {both, 2, nullptr, stream});
        if (!taken) return taken.status();
        return SortedPairs{*std::move(sorted), *std::move(taken)};
    });
}

}  // namespace pyk::jit
