#include "advice/barrier_intervals.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "advice/thread_places.h"
#include "builtins/comparisons.h"
#include "ir/build.h"
#include "ir/thread_spread.h"
#include "ir/walk.h"

namespace pyk {
namespace {

constexpr size_t kAxes = 3;

/// A thread's numbers along an axis of its block: from `first` to before `end`.
struct ThreadRange {
    static constexpr int64_t kNoEnd = std::numeric_limits<int32_t>::max();
    int64_t first = 0, end = kNoEnd;

    bool holds(int64_t thread) const { return first <= thread && thread < end; }
    bool is_one() const { return end == first + 1; }
};

/// The threads that come to a place.
struct Comers {
    struct Test {
        const ir::Expr* condition;
        bool holds;
        bool operator==(const Test&) const = default;
    };
    std::array<ThreadRange, kAxes> range;
    std::vector<Test> tests;  ///< that may keep others away, or all
    bool is_bounded = false;  ///< one of those is of a thread's number: `i < n`
    bool is_unknown = false;  ///< which of the threads, nothing says: `i % k == 0`

    bool passes_all_of(const Comers& other) const {
        return std::ranges::all_of(other.tests, [&](const Test& t) { return std::ranges::count(tests, t) != 0; });
    }
    bool is_one() const { return std::ranges::any_of(range, &ThreadRange::is_one); }
};

struct SharedAccess {
    ir::LocalId array;
    ThreadPlace place;
    Comers comers;
    Span span;
    bool is_store;
};

class IntervalWalk {
  public:
    IntervalWalk(const ir::Module& module, const ir::Function& kernel)
        : module_(module), kernel_(kernel), assigned_(assigned_once(kernel)) {
        ir::for_each_stmt(kernel.body, [&](const ir::Stmt& stmt) {
            if (const auto* loop = stmt.as<ir::ForRange>()) loops_.push_back(loop);
        });
        ir::for_each_expr_deep(kernel.body, [&](const ir::Expr& expr) { note_size(expr); });
    }

    std::vector<UnorderedRead> run() {
        block(kernel_.body, {});
        return std::move(found_);
    }

  private:
    /// A test of a thread's number by a constant, written `number op constant`.
    struct NumberTest {
        size_t axis;
        BinaryOp op;
        int64_t constant;
    };

    // Who comes to a place.

    std::optional<size_t> thread_axis(const ir::Expr& expr) const {
        const auto* call = resolved(expr, assigned_).as<ir::BuiltinCall>();
        if (!call || call->builtin->launch.value != LaunchValue::thread_index) return std::nullopt;
        return call->builtin->launch.axis;
    }

    std::optional<NumberTest> number_test(const ir::Expr& condition) const {
        const auto* test = condition.as<ir::Binary>();
        if (!test || !is_comparison(test->op)) return std::nullopt;
        const auto of = [&](const ir::Expr& number, BinaryOp op, const ir::Expr& other) -> std::optional<NumberTest> {
            const auto axis = thread_axis(number);
            const auto constant = ir::integer_value(module_, resolved(other, assigned_));
            if (!axis || !constant) return std::nullopt;
            return NumberTest{*axis, op, *constant};
        };
        const auto plain = of(*test->lhs, test->op, *test->rhs);
        return plain ? plain : of(*test->rhs, swapped(test->op), *test->lhs);
    }

    /// A block has the threads that its kernel asks for: `if t < 64`.
    void note_size(const ir::Expr& expr) {
        if (const auto test = number_test(expr)) {
            const bool is_before = test->op == BinaryOp::Lt || test->op == BinaryOp::Ge;
            sizes_[test->axis] = std::max(sizes_[test->axis], test->constant + (is_before ? 0 : 1));
        }
    }

    static void narrow(ThreadRange& range, BinaryOp op, int64_t constant) {
        if (op == BinaryOp::Lt || op == BinaryOp::Le || op == BinaryOp::Eq)
            range.end = std::min(range.end, constant + (op == BinaryOp::Lt ? 0 : 1));
        if (op == BinaryOp::Gt || op == BinaryOp::Ge || op == BinaryOp::Eq)
            range.first = std::max(range.first, constant + (op == BinaryOp::Gt ? 1 : 0));
    }

    void narrow(Comers& comers, const ir::Expr& condition, bool holds) const {
        const ir::Expr& bare = ir::without_conversions(condition);
        if (const auto* n = bare.as<ir::Unary>(); n && n->op == UnaryOp::Not)
            return narrow(comers, *n->operand, !holds);
        if (const auto* n = bare.as<ir::Logical>(); n && n->is_and == holds) {
            narrow(comers, *n->lhs, holds);
            return narrow(comers, *n->rhs, holds);
        }
        if (const auto test = number_test(bare)) {
            const BinaryOp op = holds ? test->op : negated(test->op);
            if (op != BinaryOp::Ne) return narrow(comers.range[test->axis], op, test->constant);
        }
        comers.tests.push_back({&condition, holds});
        if (is_uniform(bare)) return;
        const auto* test = bare.as<ir::Binary>();
        const bool is_of_bounds =
            test && is_comparison(test->op) && test->op != BinaryOp::Eq && test->op != BinaryOp::Ne;
        (is_of_bounds ? comers.is_bounded : comers.is_unknown) = true;
    }

    /// Whether all threads of the block have the same.
    bool is_uniform(const ir::Expr& expr) const {
        bool uniform = true;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
            if (const auto* local = part.as<ir::LocalRef>()) uniform = uniform && is_uniform(local->id);
            if (const auto* call = part.as<ir::BuiltinCall>())
                uniform = uniform && !any(call->builtin->effects) && !(axes_of(*call->builtin) & kBlockAxes);
            if (part.as<ir::Element>() || part.as<ir::Call>()) uniform = false;
        });
        return uniform;
    }
    bool is_uniform(ir::LocalId local) const {
        if (const ir::Expr* const value = value_of(local, assigned_)) {
            if (looked_through_ == kMostNames) return false;
            ++looked_through_;
            const bool uniform = is_uniform(*value);
            --looked_through_;
            return uniform;
        }
        if (assigned_.contains(local)) return false;
        return std::ranges::all_of(loops_, [&](const ir::ForRange* loop) {
            return loop->counter != local ||
                   (is_uniform(*loop->start) && is_uniform(*loop->stop) && is_uniform(*loop->step));
        });
    }

    // The walk: what was accessed since the last barrier.

    bool waits(const ir::Expr& expr) const { return any(ir::effects_of(module_, expr) & kMeeting); }
    bool waits(const ir::Block& body) const { return any(ir::effects_of(module_, body) & kMeeting); }

    void block(const ir::Block& body, Comers comers) {
        for (const ir::Stmt& stmt : body) {
            const auto* branch = stmt.as<ir::If>();
            const auto* loop = stmt.as<ir::ForRange>();
            ir::for_each_expr(stmt, [&](const ir::Expr& expr) { reads(expr, comers); });
            if (branch)
                branches(*branch, comers);
            else if (ir::is_loop(stmt))
                rounds(stmt, comers, loop && is_uniform(*loop->start) && is_uniform(*loop->stop));
            else
                ir::for_each_block(stmt, [&](const ir::Block& inner) { block(inner, comers); });
            if (const auto* store = stmt.as<ir::Store>())
                access(*store->array, store->indices, comers, stmt.span, true);
            if (const auto* assign = stmt.as<ir::Assign>()) forget({assign->target});
            if (branch && ir::ends_in_jump(branch->then)) narrow(comers, *branch->condition, false);
            if (branch && ir::ends_in_jump(branch->otherwise)) narrow(comers, *branch->condition, true);
        }
    }

    void branches(const ir::If& branch, const Comers& comers) {
        Comers then = comers, otherwise = comers;
        narrow(then, *branch.condition, true);
        narrow(otherwise, *branch.condition, false);
        const std::vector<SharedAccess> before = pending_;
        block(branch.then, std::move(then));
        std::vector<SharedAccess> of_then = std::exchange(pending_, before);
        block(branch.otherwise, std::move(otherwise));
        if (ir::ends_in_jump(branch.then)) return;
        if (ir::ends_in_jump(branch.otherwise))
            pending_ = std::move(of_then);
        else if (waits(branch.then) || waits(branch.otherwise))
            pending_.clear();
        else if (of_then.size() > before.size())
            pending_.insert(pending_.end(), of_then.begin() + static_cast<ptrdiff_t>(before.size()), of_then.end());
    }

    /// One round: what the next one finds, others ask. `even`: all threads make as many.
    void rounds(const ir::Stmt& loop, Comers comers, bool even) {
        std::set<ir::LocalId> changed;
        ir::for_each_block(loop, [&](const ir::Block& body) {
            ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
                if (const auto* assign = stmt.as<ir::Assign>()) changed.insert(assign->target);
                if (const auto* inner = stmt.as<ir::ForRange>()) changed.insert(inner->counter);
            });
        });
        if (const auto* counting = loop.as<ir::ForRange>()) changed.insert(counting->counter);
        if (const auto* other = loop.as<ir::While>()) even = is_uniform(*other->condition);
        comers.is_unknown |= !even;
        forget(changed);
        ir::for_each_block(loop, [&](const ir::Block& body) { block(body, comers); });
        forget(changed);
    }

    /// Places by what is no longer the same are not compared with those that follow.
    void forget(const std::set<ir::LocalId>& changed) {
        std::erase_if(pending_, [&](const SharedAccess& access) {
            bool found = false;
            for (const Linear& axis : access.place)
                for (const auto& [term, _] : axis.terms)
                    ir::for_each_expr_deep(*term, [&](const ir::Expr& part) {
                        const auto* local = part.as<ir::LocalRef>();
                        found |= local && changed.contains(local->id);
                    });
            return found;
        });
    }

    void reads(const ir::Expr& root, const Comers& comers) {
        ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
            if (const auto* element = expr.as<ir::Element>())
                access(*element->array, element->indices, comers, expr.span, false);
        });
        if (waits(root)) pending_.clear();
    }

    void access(const ir::Expr& array, const std::vector<ir::Index>& indices, const Comers& comers, Span span,
                bool is_store) {
        constexpr size_t kMost = 64;  ///< so that time grows with the text
        const auto* local = array.as<ir::LocalRef>();
        if (!local || kernel_.local(local->id).storage != ir::Storage::shared || comers.is_unknown) return;
        SharedAccess made{local->id, thread_place(indices, assigned_), comers, span, is_store};
        for (size_t axis = 0; axis < kAxes; ++axis)
            made.comers.range[axis].end = std::min(made.comers.range[axis].end, sizes_[axis]);
        compare(made);
        if (pending_.size() < kMost) pending_.push_back(std::move(made));
    }

    // Whether two accesses meet.

    /// A place as it follows the threads of a block: by how much along each axis of the array, for each of the block.
    struct Course {
        std::array<std::vector<int64_t>, kAxes> strides;
        std::vector<int64_t> number;
        size_t moving = 0;  ///< of the block's axes
        size_t along = 0;   ///< the last of them

        bool runs_like(const Course& other) const { return strides == other.strides; }
    };

    /// Nothing, where terms differ between threads otherwise. `rest`: what is the same for all.
    std::optional<Course> course(const ThreadPlace& place, ThreadPlace& rest) const {
        Course made;
        for (std::vector<int64_t>& strides : made.strides) strides.resize(place.size());
        for (size_t i = 0; i < place.size(); ++i) {
            made.number.push_back(place[i].number);
            Linear same;
            for (const auto& [term, times] : place[i].terms) {
                if (const auto axis = thread_axis(*term))
                    made.strides[*axis][i] += times;
                else if (is_uniform(*term))
                    same.add(*term, times);
                else
                    return std::nullopt;
            }
            rest.push_back(std::move(same));
        }
        for (size_t axis = 0; axis < kAxes; ++axis) {
            if (std::ranges::all_of(made.strides[axis], [](int64_t stride) { return stride == 0; })) continue;
            ++made.moving;
            made.along = axis;
        }
        return made;
    }

    void compare(const SharedAccess& now) {
        for (const SharedAccess& before : pending_) {
            if (before.array != now.array || before.place.size() != now.place.size()) continue;
            const SharedAccess &store = now.is_store ? now : before, &read = now.is_store ? before : now;
            if (!store.is_store || read.is_store || !meet(store, read)) continue;
            if (told_.insert(now.array).second)
                found_.push_back({now.array, read.span, store.span, store.comers.is_one()});
            return;
        }
    }

    bool meet(const SharedAccess& store, const SharedAccess& read) const {
        const Comers &writers = store.comers, &readers = read.comers;
        if (!writers.passes_all_of(readers) && !readers.passes_all_of(writers)) return false;
        ThreadPlace store_rest, read_rest;
        const auto to = course(store.place, store_rest), from = course(read.place, read_rest);
        if (!to || !from || !are_alike(store_rest, read_rest)) return false;
        if (to->runs_like(*from))
            return to->moving ? is_of_another(*to, *from, writers, readers) : is_of_all(*to, *from, store, read);
        if (to->moving == 1 && from->moving == 0) return is_told_to_all(*to, *from, writers, readers);
        return false;
    }

    /// `s[t]` and `s[t + 1]`: a thread reads what one that is some numbers away stores.
    static bool is_of_another(const Course& to, const Course& from, const Comers& writers, const Comers& readers) {
        constexpr int64_t kNear = 2;  // further away, a bound may part those that read from those that store
        for (size_t axis = 0; axis < kAxes; ++axis) {
            const auto away = steps(to.strides[axis], from.number, to.number);
            if (!away || *away == 0) continue;
            if ((writers.is_bounded || readers.is_bounded) && std::abs(*away) > kNear) continue;
            const ThreadRange &reading = readers.range[axis], &storing = writers.range[axis];
            if (std::max(reading.first + *away, storing.first) < std::min(reading.end + *away, storing.end))
                return true;
        }
        return false;
    }

    /// `s[t]` and `s[0]`, which others than its owner read.
    static bool is_told_to_all(const Course& to, const Course& from, const Comers& writers, const Comers& readers) {
        const auto owner = steps(to.strides[to.along], from.number, to.number);
        if (!owner || !writers.range[to.along].holds(*owner) || writers.is_bounded || readers.is_bounded) return false;
        const ThreadRange& reading = readers.range[to.along];
        return reading.end > reading.first && !(reading.is_one() && reading.first == *owner);
    }

    /// `if t == 0: s[0] = …` and `s[0]`.
    static bool is_of_all(const Course& to, const Course& from, const SharedAccess& store, const SharedAccess& read) {
        return to.number == from.number && store.comers.is_one() && !read.comers.is_one() && !read.comers.is_bounded;
    }

    /// How often `stride` leads from one place to the other.
    static std::optional<int64_t> steps(const std::vector<int64_t>& stride, const std::vector<int64_t>& place,
                                        const std::vector<int64_t>& start) {
        std::optional<int64_t> count;
        for (size_t i = 0; i < stride.size(); ++i) {
            const int64_t away = place[i] - start[i];
            if (stride[i] == 0 ? away != 0 : away % stride[i] != 0) return std::nullopt;
            if (stride[i] == 0) continue;
            if (count && *count != away / stride[i]) return std::nullopt;
            count = away / stride[i];
        }
        return count;
    }

    const ir::Module& module_;
    const ir::Function& kernel_;
    const AssignedOnce assigned_;
    std::vector<const ir::ForRange*> loops_;
    std::array<int64_t, kAxes> sizes_{32, 2, 2};  ///< what a block has at least of threads, where it has an axis
    std::vector<SharedAccess> pending_;
    std::vector<UnorderedRead> found_;
    std::set<ir::LocalId> told_;
    mutable int looked_through_ = 0;  ///< variables on the way to the one that is asked for
};

}  // namespace

std::vector<UnorderedRead> unordered_reads(const ir::Module& module, const ir::Function& kernel) {
    return IntervalWalk(module, kernel).run();
}

}  // namespace pyk
