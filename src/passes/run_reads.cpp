#include "passes/run_reads.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "ir/walk.h"

namespace pyk {

class RunReadsBuilder {
  public:
    RunReadsBuilder(const ir::Function& function, const Usage& usage, RunReads& result)
        : function_(function), usage_(usage), result_(result), seen_(function.locals.size()) {}

    void run() {
        if (!find_candidates() || ir::has_handler(function_.body)) return;
        block(function_.body);
        std::erase_if(result_.reads_, [&](const auto& entry) {
            const auto target = static_cast<size_t>(targets_.at(entry.first));
            return usage_.reads[target] != seen_[target];
        });
    }

  private:
    /// A name with another type, of a variable that is assigned several times: once is understood without us.
    bool find_candidates() {
        std::vector<std::string_view> names;
        for (const ir::Local& local : function_.locals) names.push_back(local.name);
        std::ranges::sort(names);
        // All variables have one type in most functions.
        if (std::ranges::adjacent_find(names) == names.end()) return false;
        bool result = false;
        for (size_t id = 0; id < function_.locals.size(); ++id) {
            const ir::Local& local = function_.locals[id];
            const bool may_be = local.storage == ir::Storage::variable && !local.maybe_unassigned &&
                                local.type.is_scalar() && usage_.writes[id] > 1;
            const bool is = may_be && std::ranges::equal_range(names, std::string_view(local.name)).size() > 1;
            is_candidate_.push_back(is);
            result = result || is;
        }
        return result;
    }

    bool is_candidate(ir::LocalId id) const { return is_candidate_[static_cast<size_t>(id)]; }

    using Given = std::unordered_map<ir::LocalId, const ir::Expr*>;  ///< what a local has been assigned in a block

    /// Gives the candidates that it assigns.
    std::vector<ir::LocalId> block(const ir::Block& block) {
        std::vector<ir::LocalId> assigned;
        Given given;
        for (const ir::Stmt& stmt : block) {
            if (!ir::is_loop(stmt)) count(stmt, given);
            if (const auto target = assigned_by(stmt); target && is_candidate(*target)) {
                assigned.push_back(*target);
                given.erase(*target);
                if (const auto* assign = stmt.as<ir::Assign>()) give(*assign, given);
            }
            ir::for_each_block(stmt, [&](const ir::Block& inner) {
                for (const ir::LocalId id : this->block(inner)) {
                    given.erase(id);
                    assigned.push_back(id);
                }
            });
        }
        return assigned;
    }

    void give(const ir::Assign& assign, Given& given) {
        const ir::Expr* value = assign.value.get();
        given[assign.target] = value;
        targets_[value] = assign.target;
        result_.reads_[value] = 0;
    }

    void count(const ir::Stmt& stmt, const Given& given) {
        if (given.empty()) return;
        ir::for_each_expr(stmt, [&](const ir::Expr& of) {
            ir::for_each_expr_deep(of, [&](const ir::Expr& expr) {
                const auto* ref = expr.as<ir::LocalRef>();
                const auto found = ref ? given.find(ref->id) : given.end();
                if (found == given.end()) return;
                ++result_.reads_[found->second];
                ++seen_[static_cast<size_t>(ref->id)];
            });
        });
    }

    const ir::Function& function_;
    const Usage& usage_;
    RunReads& result_;
    std::vector<bool> is_candidate_;
    std::vector<uint32_t> seen_;  ///< reads of values that are known, by LocalId
    std::unordered_map<const ir::Expr*, ir::LocalId> targets_;
};

RunReads::RunReads(const ir::Function& function, const Usage& usage) { RunReadsBuilder(function, usage, *this).run(); }

std::optional<uint32_t> RunReads::of(const ir::Assign& assign) const {
    const auto found = reads_.find(assign.value.get());
    return found == reads_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace pyk
