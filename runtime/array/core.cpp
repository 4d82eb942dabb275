#include "array/core.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace pyk::arrays {
namespace {

constexpr long long kFewestCalls = 4, kCallsOfWarp = 32, kMostCalls = 128, kEnoughBlocks = 1024;
// Of a block: blocks of many calls have little, those of large parts leave room for two more.
constexpr std::size_t kSharedOfManyCalls = 32 * 1024, kSharedWithoutAsking = 48 * 1024;
// So many threads move the parts of a block, whatever calls it makes; of small parts a block of fewer has enough to
// move, and more blocks begin meanwhile.
constexpr long long kThreads = 128, kThreadsOfSmallCalls = 64;
constexpr std::size_t kSharedOfSmallCall = 160;
// Teams of array functions for parts: a warp, and blocks that are enough for the longest parts. Few sizes, as each is
// compiled.
constexpr int kTeams[] = {32, 256, 1024};
// From so many elements of a part a warp has something to share. Staged, threads that each make a call reach memory as
// well as a warp does, until each walks long; of matrices a call costs more than its elements. Measured on an H200.
constexpr long long kFewestOfTeam = 32, kFewestOfStagedMatrix = 64, kFewestOfStagedRow = 128;
// In bytes of all parts: what the lanes of a multiprocessor, 2,048, walk over a second time should still be in its
// cache of 256 KiB. Where there are too few calls for all lanes of the device, more of them share one.
constexpr long long kMostOfLane = 128, kMostOfLaneOfFewCalls = 8, kLanesOfMultiprocessor = 2048;
// What a lane holds in registers: elements, and bytes of all parts. Where no team is larger it holds more. A part
// begins at most 3 elements behind where 16 bytes do.
constexpr int kHoldingTeams[] = {32, 128, 512, 1024};
constexpr int kFewestItems = 4, kMostItems = 32;
constexpr long long kMostHeld = 128, kMostHeldOfLargest = 256, kMostShift = 3;
constexpr long long kTeamBlock = 256, kSmallestTeamBlock = 64;

long long divided_up(long long a, long long b) { return (a + b - 1) / b; }

// Elements from one part to the next in shared memory: an odd number of them, so that no two threads of a warp meet in
// a bank.
long long pitch_of(const Part& part) { return part.elements() | 1; }

std::size_t shared_bytes_of_call(const Iteration& it, const std::vector<Part>& parts) {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < parts.size(); ++k)
        if (parts[k].is_staged) bytes += static_cast<std::size_t>(pitch_of(parts[k]) * it.element_bytes[k]);
    return bytes;
}

bool is_staged(const std::vector<Part>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.is_staged; });
}

long long movers(std::size_t shared_bytes_of_call) {
    return shared_bytes_of_call <= kSharedOfSmallCall ? kThreadsOfSmallCalls : kThreads;
}

long long calls_of_block(const Iteration& it, const std::vector<Part>& parts) {
    const std::size_t bytes = shared_bytes_of_call(it, parts);
    long long calls = bytes ? movers(bytes) : kMostCalls;
    while (calls > kCallsOfWarp && (static_cast<std::size_t>(calls) * bytes > kSharedOfManyCalls ||
                                    divided_up(it.count(), calls) < kEnoughBlocks))
        calls /= 2;
    while (calls > kFewestCalls && static_cast<std::size_t>(calls) * bytes + 16 * parts.size() > kMostSharedOfBlock)
        calls /= 2;
    return calls;
}

core_loop<1>& begin(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                    PackedLoop& packed) {
    using Head = core_loop<1>;
    packed.size = offsetof(Head, operands) + parts.size() * sizeof(core_operand);
    std::memset(packed.bytes, 0, packed.size);
    Head& loop = *reinterpret_cast<Head*>(packed.bytes);
    loop.count = it.count();
    loop.rank = static_cast<int>(it.axes.size());
    for (std::size_t axis = 0; axis < it.axes.size(); ++axis) {
        loop.extents[axis] = it.axes[axis].extent;
        loop.by[axis] = divide_by(std::min<long long>(it.axes[axis].extent, 0x7FFFFFFF));
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
        core_operand& operand = (&loop.operands[0])[k];
        operand.data = it.data[k];
        if (!it.data[k]) std::memcpy(operand.value, numbers[k].bytes, sizeof operand.value);
        for (std::size_t axis = 0; axis < it.axes.size(); ++axis) operand.strides[axis] = it.axes[axis].strides[k];
        std::copy(parts[k].shape.begin(), parts[k].shape.end(), operand.shape);
        std::copy(parts[k].strides.begin(), parts[k].strides.end(), operand.part_strides);
    }
    return loop;
}

/// The smallest that holds the parts along one axis, all of one extent; where there are too few calls for the device's
/// lanes, larger ones whose lanes still have neighbours to move. Without items: they are too long, or of several
/// extents.
template <class IsFull>
Team holding_team(const Iteration& it, const std::vector<Part>& parts, IsFull is_full) {
    long long extent = 0, bytes = 0;
    bool is_aligned = true;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].shape.size() != 1 || parts[k].is_known) continue;
        if (extent && parts[k].shape[0] != extent) return {};
        extent = parts[k].shape[0];
        bytes += it.element_bytes[k];
        is_aligned &= reinterpret_cast<std::uintptr_t>(it.data[k]) % 16 == 0;
        for (const Axis& axis : it.axes) is_aligned &= axis.extent == 1 || axis.strides[k] % 16 == 0;
    }
    const long long held = extent + (is_aligned ? 0 : kMostShift);
    Team chosen;
    for (const int threads : kHoldingTeams) {
        if (chosen.items && (is_full(chosen.threads) || held <= static_cast<long long>(chosen.threads) * kFewestItems))
            break;
        const long long most = threads == *std::rbegin(kHoldingTeams) ? kMostHeldOfLargest : kMostHeld;
        int items = kFewestItems;
        while (items < kMostItems && static_cast<long long>(items) * threads < held) items *= 2;
        if (extent && static_cast<long long>(items) * threads >= held && items * bytes <= most)
            chosen = {threads, items};
    }
    return chosen;
}

}  // namespace

long long Part::elements() const {
    long long count = 1;
    for (const long long extent : shape) count *= extent;
    return count;
}

bool Part::is_dense(long long element_bytes) const {
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (shape[axis] != 1 && strides[axis] != element_bytes) return false;
        element_bytes *= shape[axis];
    }
    return true;
}

Part split(Layout& operand, std::size_t axes) {
    Part part;
    const auto first = static_cast<std::ptrdiff_t>(operand.shape.size() - axes);
    part.shape.assign(operand.shape.begin() + first, operand.shape.end());
    operand.shape.resize(operand.shape.size() - axes);
    if (operand.strides.empty()) return part;
    part.strides.assign(operand.strides.begin() + first, operand.strides.end());
    operand.strides.resize(operand.shape.size());
    return part;
}

void choose_staged(const Iteration& it, std::vector<Part>& parts) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
        Part& part = parts[k];
        const long long bytes = part.elements() * it.element_bytes[k];
        part.is_staged = it.data[k] && 16 % it.element_bytes[k] == 0 && it.axes.size() == 1 && part.elements() > 1 &&
                         part.is_dense(it.element_bytes[k]) && it.axes[0].strides[k] == bytes;
    }
    // And what aligns the next part to 16 bytes.
    const std::size_t bytes = shared_bytes_of_call(it, parts) * kFewestCalls + 16 * parts.size();
    if (bytes <= kMostSharedOfBlock) return;
    for (Part& part : parts) part.is_staged = false;
}

void pack_core(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
               PackedLoop& packed) {
    core_loop<1>& loop = begin(it, numbers, parts, packed);
    const bool staged = is_staged(parts);
    const long long calls = calls_of_block(it, parts);
    loop.calls_of_block = static_cast<unsigned>(calls);
    std::size_t offset = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (!parts[k].is_staged) continue;
        core_operand& operand = (&loop.operands[0])[k];
        const long long wide = std::max<long long>(1, 16 / it.element_bytes[k]);
        operand.by_part = divide_by(parts[k].elements());
        operand.pitch = static_cast<unsigned>(pitch_of(parts[k]));
        operand.shared_offset = static_cast<unsigned>(offset);
        operand.is_loaded = parts[k].is_loaded;
        operand.is_stored = parts[k].is_stored;
        operand.is_aligned = parts[k].elements() % wide == 0 && reinterpret_cast<std::uintptr_t>(it.data[k]) % 16 == 0;
        const auto bytes = static_cast<std::size_t>(calls * pitch_of(parts[k]) * it.element_bytes[k]);
        offset += (bytes + 15) / 16 * 16;
    }
    packed.blocks = static_cast<unsigned>(divided_up(loop.count, calls));
    packed.block_x = static_cast<unsigned>(staged ? std::max(calls, movers(shared_bytes_of_call(it, parts))) : calls);
    packed.block_y = 1;
    // What has to be asked for is always as much: another thread's launch of the function must not ask for less.
    packed.shared_bytes = offset > kSharedWithoutAsking ? kMostSharedOfBlock : offset;
}

std::vector<Team> choose_teams(const Iteration& it, const std::vector<Part>& parts, int multiprocessors) {
    long long elements = 0, bytes = 0;
    bool has_matrix = false;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        elements = std::max(elements, parts[k].elements());
        bytes += parts[k].elements() * it.element_bytes[k];
        has_matrix |= parts[k].shape.size() > 1;
    }
    const long long fewest = !is_staged(parts) ? kFewestOfTeam
                             : has_matrix      ? kFewestOfStagedMatrix
                                               : kFewestOfStagedRow;
    if (elements < fewest) return {};
    Team chosen{kTeams[0]};
    const auto is_full = [&](int threads) { return it.count() >= multiprocessors * kLanesOfMultiprocessor / threads; };
    for (const int threads : kTeams)
        if (bytes / chosen.threads > (is_full(chosen.threads) ? kMostOfLane : kMostOfLaneOfFewCalls))
            chosen.threads = threads;
    const Team holding = holding_team(it, parts, is_full);
    return holding.items ? std::vector<Team>{holding, chosen} : std::vector<Team>{chosen};
}

void pack_core_for_team(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                        int team, PackedLoop& packed) {
    core_loop<1>& loop = begin(it, numbers, parts, packed);
    // Of several warps a team is a block.
    long long threads = team > kTeams[0] ? team : kTeamBlock;
    while (threads > std::max<long long>(team, kSmallestTeamBlock) &&
           divided_up(loop.count, threads / team) < kEnoughBlocks)
        threads /= 2;
    packed.blocks = static_cast<unsigned>(divided_up(loop.count, threads / team));
    packed.block_x = static_cast<unsigned>(threads);
    packed.block_y = 1;
}

void pack_core_for_cpu(const Iteration& it, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                       int workers, PackedLoop& packed) {
    constexpr long long kSmallestChunk = 4096, kChunksOfWorker = 8;
    core_loop<1>& loop = begin(it, numbers, parts, packed);
    long long elements = 1;
    for (const Part& part : parts) elements += part.elements();
    loop.chunk = std::max(divided_up(kSmallestChunk, elements), divided_up(loop.count, workers * kChunksOfWorker));
    packed.blocks = static_cast<unsigned>(divided_up(loop.count, loop.chunk));
    packed.block_x = packed.block_y = 1;
}

void repeat_last(std::vector<Layout>& outer, const Shape& calls) {
    Layout& last = outer.back();
    const std::size_t missing = calls.size() - last.shape.size();
    Shape strides(calls.size());
    for (std::size_t axis = missing; axis < calls.size(); ++axis)
        if (last.shape[axis - missing] == calls[axis]) strides[axis] = last.strides[axis - missing];
    last.shape = calls;
    last.strides = std::move(strides);
}

bool have_overlaps(const std::vector<Layout>& operands, const std::vector<bool>& writable) {
    bool found = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (!writable[k]) continue;
        found |= repeats(operands[k]);
        for (std::size_t other = 0; other < operands.size(); ++other)
            found |= other != k && may_overlap(operands[k], operands[other]);
    }
    return found;
}

Status launch_core_loops(Iteration whole, const std::vector<Number>& numbers, const std::vector<Part>& parts,
                         const CoreCode& code, const std::function<Status(const PackedLoop&)>& launch) {
    return for_each_part(std::move(whole), code.is_cpu ? kAnyCount : kCountedIn32Bits, [&](const Iteration& it) {
        PackedLoop packed;
        if (code.is_cpu)
            pack_core_for_cpu(it, numbers, parts, code.multiprocessors, packed);
        else if (code.team > 1)
            pack_core_for_team(it, numbers, parts, code.team, packed);
        else
            pack_core(it, numbers, parts, packed);
        return launch(packed);
    });
}

}  // namespace pyk::arrays
