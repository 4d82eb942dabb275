// Histograms.
#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <vector>

#include "driver.h"
#include "jit/algorithm_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "pyk/half.h"
#include "pyk/histogram_args.h"

namespace pyk::jit {
namespace {

constexpr long long kChunkUnit = 16384, kBlocksOfMultiprocessor = 16;
constexpr long long kMostCopies = 8;

/// More would take longer to fill with zeros than anyone waits.
constexpr long long kMostBins = 1ll << 32;

Status check_bins(long long bins) {
    if (bins < 1) return refuse("a histogram of " + std::to_string(bins) + " bins");
    if (bins <= kMostBins) return {};
    return Status::failure(
        "a histogram of " + std::to_string(bins) + " bins; there can be " + std::to_string(kMostBins),
        Error::Kind::memory);
}

/// As a float of arrays of that type, beside which numbers are weak.
double as_element(double value, Element element) {
    switch (element) {
        case Element::float16:
            return static_cast<double>(static_cast<float>(pyk::float16(value)));
        case Element::bfloat16:
            return static_cast<double>(static_cast<float>(pyk::bfloat16(value)));
        case Element::float32:
            return static_cast<double>(static_cast<float>(value));
        default:
            return value;
    }
}

/// NumPy's linspace.
std::vector<double> edges_of(long long bins, double low, double high, Element element) {
    std::vector<double> edges;
    edges.reserve(static_cast<std::size_t>(bins) + 1);
    const double step = (high - low) / static_cast<double>(bins);
    for (long long i = 0; i <= bins; ++i) {
        // A variable: the product is rounded before the sum.
        const volatile double offset = static_cast<double>(i) * step;
        const double edge = i == bins ? high : offset + low;
        edges.push_back(as_element(edge, element));
    }
    return edges;
}

/// A graph reads them whenever it is launched: they stay to the end of the process.
const double* kept_for_graphs(std::vector<double> edges) {
    static std::mutex mutex;
    static std::deque<std::vector<double>>& kept = *new std::deque<std::vector<double>>;
    const std::lock_guard lock(mutex);
    return kept.emplace_back(std::move(edges)).data();
}

Result<AnyArray> counted(const Operator& bin, const Inputs& array, long long bins, std::vector<double> edges,
                         StreamRef stream) {
    if (Status s = check_bins(bins); !s) return s;
    if (array.arguments().size() != 1) return refuse("a histogram takes one array");
    const ElementType element = array.arguments()[0].element_type();
    AlgorithmCall call({"histogram", &bin, nullptr, element, Element::int64}, array, stream);
    if (Status s = call.prepare(1); !s) return s;
    if (Status s = call.in_any_order(); !s) return s;
    driver::Context& device = call.device();
    const bool is_cpu = device.info.is_cpu;
    histogram_args args{};
    args.count = call.count();
    args.bins = bins;
    args.is_aligned = call.is_aligned();
    const long long most = device.info.multiprocessors * (is_cpu ? 1 : kBlocksOfMultiprocessor);
    const long long units = (args.count + kChunkUnit - 1) / kChunkUnit;
    args.chunk = std::max<long long>((units + most - 1) / most, 1) * kChunkUnit;
    args.blocks = std::max<long long>((args.count + args.chunk - 1) / args.chunk, 1);
    Result<AnyArray> result = new_array(Element::int64, {bins}, device, stream);
    if (!result) return result;
    const auto row = static_cast<std::size_t>(bins) * sizeof(long long);
    void* rows = result->data();
    if (is_cpu) {
        const Result<void*> made = call.scratch(row * static_cast<std::size_t>(args.blocks));
        if (!made) return made.status();
        rows = *made;
    }
    const long long zero = 0;
    const long long cells = is_cpu ? bins * args.blocks : bins;
    if (Status s = fill_elements(rows, &zero, sizeof zero, cells, &device, stream); !s) return s;
    args.out = static_cast<long long*>(rows);
    if (!edges.empty()) {
        const Result<void*> there = call.scratch(edges.size() * sizeof(double));
        if (!there) return there.status();
        const double* from = device.is_capturing(stream.handle) ? kept_for_graphs(std::move(edges)) : edges.data();
        const std::size_t bytes = static_cast<std::size_t>(bins + 1) * sizeof(double);
        if (Status s = device.copy(*there, from, bytes, stream.handle); !s) return s;
        args.edges = static_cast<const double*>(*there);
    }
    args.copies = static_cast<int>(std::min(kMostCopies, histogram_shared_bytes / 4 / bins));
    if (args.count != 0) {
        args.inputs[0] = call.inputs()[0];
        const auto shared = static_cast<std::size_t>(args.copies) * static_cast<std::size_t>(bins) * 4;
        if (Status s = call.launch(args, args.blocks, shared); !s) return s;
    }
    if (is_cpu) {
        args.stage = histogram_stage::sum;
        if (Status s = call.launch(args, 1); !s) return s;
        if (Status s = device.copy(result->data(), rows, row, stream.handle); !s) return s;
    }
    if (Status s = call.finish(); !s) return s;
    return call.where_it_belongs(std::move(result));
}

}  // namespace

Result<AnyArray> histogram(const Inputs& array, long long bins, double low, double high, StreamRef stream) {
    return guarded([&]() -> Result<AnyArray> {
        if (!(std::isfinite(low) && std::isfinite(high) && low <= high))
            return refuse("a histogram from " + std::to_string(low) + " to " + std::to_string(high));
        if (Status s = check_bins(bins); !s) return s;
        if (array.arguments().size() == 1 && array.arguments()[0].element >= Element::complex64)
            return refuse("a histogram of " + name_of(array.arguments()[0].element_type()));
        if (low == high) {
            low -= 0.5;
            high += 0.5;
        }
        const Element element = array.arguments().empty() ? Element::float64 : array.arguments()[0].element;
        return counted(OwnOperator{"pyk.no_bin", 1}, array, bins, edges_of(bins, low, high, element), stream);
    });
}

Result<AnyArray> histogram(const Operator& bin, const Inputs& array, long long bins, StreamRef stream) {
    return guarded([&] { return counted(bin, array, bins, {}, stream); });
}

}  // namespace pyk::jit
