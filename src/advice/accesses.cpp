#include "advice/accesses.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

using Pattern = MemoryAccess::Pattern;
using Kind = MemoryAccess::Kind;

/// What a value is as the lane goes up by one: it grows by `step` (0: the same for all), by an unknown amount that is
/// the same each time, by one each `step` lanes, by one for `step` lanes and then from the start, or anyhow.
struct Growth {
    enum class Form : uint8_t { known, scaled, grouped, repeated, unknown } form = Form::known;
    int64_t step = 0;
    bool operator==(const Growth&) const = default;

    bool is_uniform() const { return form == Form::known && step == 0; }
};
constexpr Growth kUniform{};
constexpr Growth kScaled{Growth::Form::scaled, 0};
constexpr Growth kUnknown{Growth::Form::unknown, 0};

constexpr int64_t kLanes = 32;

Growth known(int64_t step) { return {Growth::Form::known, step}; }

Growth sum(const Growth& a, const Growth& b, int sign) {
    if (a.is_uniform() && b.form != Growth::Form::known) return b;
    if (b.is_uniform()) return a;
    if (a.form != Growth::Form::known || b.form != Growth::Form::known) return kUnknown;
    return known(a.step + sign * b.step);
}

Growth times(const Growth& growth, std::optional<int64_t> factor) {
    if (growth.is_uniform() || growth.form == Growth::Form::unknown) return growth;
    const bool is_plain = growth.form == Growth::Form::known || growth.form == Growth::Form::scaled;
    if (!is_plain) return factor == 1 ? growth : kUnknown;
    if (!factor) return kScaled;
    return growth.form == Growth::Form::known ? known(growth.step * *factor) : kScaled;
}

// `i // divisor`, where `i` is a multiple of the warp's lanes in the first of them.
Growth quotient(const Growth& growth, std::optional<int64_t> divisor) {
    if (growth.is_uniform()) return growth;
    if (growth.form != Growth::Form::known || !divisor || *divisor < 1) return kUnknown;
    if (growth.step % *divisor == 0) return known(growth.step / *divisor);
    const bool is_grouped = growth.step > 0 && *divisor % growth.step == 0;
    const int64_t lanes = is_grouped ? *divisor / growth.step : 0;
    if (!is_grouped || (lanes < kLanes ? kLanes % lanes : lanes % kLanes) != 0) return kUnknown;
    return lanes < kLanes ? Growth{Growth::Form::grouped, lanes} : kUniform;
}

// `i % divisor`, likewise.
Growth remainder(const Growth& growth, std::optional<int64_t> divisor) {
    if (growth.is_uniform()) return growth;
    if (growth.form != Growth::Form::known || !divisor || *divisor < 1) return kUnknown;
    if (growth.step % *divisor == 0) return kUniform;
    if (growth.step != 1 || (*divisor < kLanes ? kLanes % *divisor : *divisor % kLanes) != 0) return kUnknown;
    return *divisor < kLanes ? Growth{Growth::Form::repeated, *divisor} : growth;
}

std::optional<int64_t> power_of_two(std::optional<int64_t> exponent) {
    return exponent && *exponent >= 0 && *exponent < 32 ? std::optional(int64_t(1) << *exponent) : std::nullopt;
}

/// What `i & mask` is the remainder of: the mask and one.
std::optional<int64_t> masked(std::optional<int64_t> mask) {
    return mask && *mask > 0 && (*mask & (*mask + 1)) == 0 ? std::optional(*mask + 1) : std::nullopt;
}

class KernelAccesses {
  public:
    KernelAccesses(const ir::Module& module, const ir::Function& kernel) : module_(module), kernel_(kernel) {}

    std::vector<MemoryAccess> run() {
        for (const ir::LocalId param : kernel_.params) growths_[param] = kUniform;
        // Each round lets what a loop carries reach its beginning; a growth changes twice at most.
        for (bool changed = true; changed;) {
            changed = false;
            ir::for_each_stmt(kernel_.body, [&](const ir::Stmt& stmt) { changed |= assign(stmt); });
        }
        ir::for_each_stmt(kernel_.body, [&](const ir::Stmt& stmt) { collect(stmt); });
        return std::move(found_);
    }

  private:
    // --- values
    bool assign(const ir::Stmt& stmt) {
        if (const auto* assigned = stmt.as<ir::Assign>()) return merge(assigned->target, growth(*assigned->value));
        if (const auto* loop = stmt.as<ir::ForRange>()) {
            const auto start = loop->start ? growth(*loop->start) : std::optional(kUniform);
            const auto step = loop->step ? growth(*loop->step) : std::optional(kUniform);
            return merge(loop->counter, step && !step->is_uniform() ? std::optional(kUnknown) : start);
        }
        return false;
    }

    // nullopt: not known yet.
    bool merge(ir::LocalId local, const std::optional<Growth>& growth) {
        if (!growth) return false;
        const auto [at, is_new] = growths_.try_emplace(local, *growth);
        if (is_new || at->second == *growth || at->second == kUnknown) return is_new;
        at->second = kUnknown;
        return true;
    }

    std::optional<Growth> growth(const ir::Expr& expr) {
        if (expr.as<ir::Constant>() || expr.as<ir::ConstantRef>() || expr.as<ir::ShapeOf>() || expr.as<ir::SizeOf>())
            return kUniform;
        if (const auto* local = expr.as<ir::LocalRef>()) {
            const auto at = growths_.find(local->id);
            return at == growths_.end() ? std::nullopt : std::optional(at->second);
        }
        if (const auto* convert = expr.as<ir::Convert>())
            return expr.type.is_integer() ? growth(*convert->operand) : of_uniform_parts(expr);
        if (const auto* binary = expr.as<ir::Binary>()) return of_binary(*binary, expr);
        if (const auto* call = expr.as<ir::BuiltinCall>())
            if (const auto growth = of_builtin(call->builtin->name)) return growth;
        return of_uniform_parts(expr);
    }

    std::optional<Growth> of_binary(const ir::Binary& binary, const ir::Expr& expr) {
        const auto a = growth(*binary.lhs), b = growth(*binary.rhs);
        if (!a || !b) return std::nullopt;
        switch (binary.op) {
            case BinaryOp::Add:
                return sum(*a, *b, 1);
            case BinaryOp::Sub:
                return sum(*a, times(*b, -1), 1);
            case BinaryOp::Mul:
                if (b->is_uniform()) return times(*a, ir::integer_value(module_, *binary.rhs));
                if (a->is_uniform()) return times(*b, ir::integer_value(module_, *binary.lhs));
                return kUnknown;
            case BinaryOp::FloorDiv:
            case BinaryOp::TruncDiv:
                return b->is_uniform() ? quotient(*a, ir::integer_value(module_, *binary.rhs)) : kUnknown;
            case BinaryOp::Mod:
            case BinaryOp::TruncMod:
                return b->is_uniform() ? remainder(*a, ir::integer_value(module_, *binary.rhs)) : kUnknown;
            case BinaryOp::Shr:
            case BinaryOp::CShr:
                return b->is_uniform() ? quotient(*a, power_of_two(ir::integer_value(module_, *binary.rhs))) : kUnknown;
            case BinaryOp::BitAnd:
                return b->is_uniform() ? remainder(*a, masked(ir::integer_value(module_, *binary.rhs))) : kUnknown;
            default:
                return of_uniform_parts(expr);
        }
    }

    static std::optional<Growth> of_builtin(std::string_view name) {
        const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
        if (begins("cuda.threadIdx.x") || begins("cuda.grid.x") || name == "cuda.laneid") return known(1);
        if (begins("cuda.threadIdx.") || begins("cuda.grid.") || begins("cuda.gridsize.") || begins("cuda.blockIdx.") ||
            begins("cuda.blockDim.") || begins("cuda.gridDim."))
            return kUniform;
        return std::nullopt;
    }

    // What is made of the same values is the same, unless it is a call that may be about the thread.
    std::optional<Growth> of_uniform_parts(const ir::Expr& expr) {
        const auto* builtin = expr.as<ir::BuiltinCall>();
        if (expr.as<ir::Call>() || (builtin && builtin->args.empty())) return kUnknown;
        bool all_known = true, all_uniform = true;
        ir::for_each_child(expr, [&](const ir::Expr& child) {
            if (child.type && child.type.is_array()) return;
            const auto part = growth(child);
            all_known &= part.has_value();
            all_uniform &= part && part->is_uniform();
        });
        if (!all_known) return std::nullopt;
        return all_uniform ? kUniform : kUnknown;
    }

    // --- accesses
    void collect(const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) add(*store->array, store->indices, stmt.span, Kind::store);
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
            ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
                if (const auto* element = part.as<ir::Element>())
                    add(*element->array, element->indices, part.span ? part.span : stmt.span, Kind::load);
                if (const auto* element = part.as<ir::ElementRef>())
                    add(*element->array, element->indices, stmt.span, Kind::atomic);
            });
        });
    }

    void add(const ir::Expr& array, const std::vector<ir::Index>& indices, Span span, Kind kind) {
        const auto* base = array.as<ir::LocalRef>();
        if (!base) return;
        const ir::Local& local = kernel_.local(base->id);
        const bool is_shared = local.storage == ir::Storage::shared;
        if (local.storage == ir::Storage::local || !array.type.is_array()) return;
        MemoryAccess access{kernel_.symbol, local.name, span, kind, is_shared};
        const Growth whole = place_of(local, array.type, indices);
        access.pattern = whole.is_uniform()                     ? Pattern::uniform
                         : whole.form == Growth::Form::known    ? Pattern::strided
                         : whole.form == Growth::Form::scaled   ? Pattern::scaled
                         : whole.form == Growth::Form::grouped  ? Pattern::grouped
                         : whole.form == Growth::Form::repeated ? Pattern::repeated
                                                                : Pattern::gathered;
        access.stride = whole.step;
        if (is_shared && whole.form == Growth::Form::known)
            access.bank_conflicts = bank_conflicts(whole.step, array.type.element().byte_size());
        else if (is_shared && (access.pattern == Pattern::grouped || access.pattern == Pattern::repeated))
            access.bank_conflicts = bank_conflicts(1, array.type.element().byte_size());
        found_.push_back(std::move(access));
    }

    // How the element's place in memory grows, in elements.
    Growth place_of(const ir::Local& local, const Type& type, const std::vector<ir::Index>& indices) {
        Growth whole = kUniform;
        std::optional<int64_t> step = 1;  // of the axis, in elements
        if (type.layout() == Layout::A) step = std::nullopt;
        for (size_t i = 0; i < indices.size(); ++i) {
            const size_t axis = type.layout() == Layout::F ? i : indices.size() - 1 - i;
            whole = sum(whole, times(growth(*indices[axis].value).value_or(kUnknown), step), 1);
            const bool has_extent = step && axis < local.shape.size() && local.shape[axis] > 0;
            step = has_extent ? std::optional(*step * local.shape[axis]) : std::nullopt;
        }
        return whole;
    }

    const ir::Module& module_;
    const ir::Function& kernel_;
    std::map<ir::LocalId, Growth> growths_;
    std::vector<MemoryAccess> found_;
};

}  // namespace

int bank_conflicts(int64_t stride, size_t element_bytes) {
    constexpr size_t kBanks = 32, kWord = 4;
    // Wide elements are moved by half and quarter warps.
    const size_t lanes = 32 / std::max<size_t>(1, element_bytes / kWord);
    const size_t words = std::max<size_t>(1, element_bytes / kWord);
    const auto distance = static_cast<size_t>(std::abs(stride)) * element_bytes;
    std::map<size_t, std::set<size_t>> asked;
    for (size_t lane = 0; lane < lanes; ++lane)
        for (size_t word = 0; word < words; ++word) {
            const size_t address = lane * distance / kWord + word;
            asked[address % kBanks].insert(address);
        }
    size_t worst = 1;
    for (const auto& [bank, addresses] : asked) worst = std::max(worst, addresses.size());
    return static_cast<int>(worst);
}

std::vector<MemoryAccess> memory_accesses(const ir::Module& module) {
    std::vector<MemoryAccess> all;
    for (const ir::Function& function : module.functions) {
        if (!function.is_kernel) continue;
        std::vector<MemoryAccess> found = KernelAccesses(module, function).run();
        std::ranges::stable_sort(found, {}, [](const MemoryAccess& access) { return access.span.begin; });
        all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    return all;
}

}  // namespace pyk
