#include "advice/accesses.h"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "ir/walk.h"

namespace pyk {
namespace {

using Kind = MemoryAccess::Kind;

class KernelAccesses {
  public:
    KernelAccesses(const ir::Module& module, const ir::Function& kernel, BlockShape block)
        : program_{module, block}, kernel_(kernel) {}

    std::vector<MemoryAccess> run() {
        collect(kernel_, {});
        std::ranges::stable_sort(found_, {}, [&](const MemoryAccess& access) {
            return std::tuple(access.span.file != kernel_.span.file, access.span.begin);
        });
        return std::move(found_);
    }

  private:
    void collect(const ir::Function& function, std::vector<LaneValue> arguments) {
        if (function.foreign || function.ptx) return;
        const WarpFrame frame(program_, function, std::move(arguments));
        const bool is_all_alone = is_alone_;
        std::set<const ir::Stmt*> alone;
        find_alone(function.body, frame, alone);
        frame.for_each_stmt([&](const ir::Stmt& stmt) {
            is_alone_ = is_all_alone || alone.contains(&stmt);
            collect(function, frame, stmt);
        });
        is_alone_ = is_all_alone;
    }

    /// What one lane at most comes to: `if cuda.threadIdx.x == 0: …`, or `if cuda.threadIdx.x != 0: return` and the
    /// rest.
    static void find_alone(const ir::Block& block, const WarpFrame& frame, std::set<const ir::Stmt*>& alone) {
        const auto add = [&](std::span<const ir::Stmt> stmts) {
            for (const ir::Stmt& stmt : stmts) {
                alone.insert(&stmt);
                ir::for_each_block(stmt, [&](const ir::Block& inner) {
                    ir::for_each_stmt(inner, [&](const ir::Stmt& one) { alone.insert(&one); });
                });
            }
        };
        for (size_t i = 0; i < block.size(); ++i) {
            ir::for_each_block(block[i], [&](const ir::Block& inner) { find_alone(inner, frame, alone); });
            const auto* branch = block[i].as<ir::If>();
            if (!branch) continue;
            const bool is_then = frame.is_of_one_lane(*branch->condition, true);
            const bool is_otherwise = frame.is_of_one_lane(*branch->condition, false);
            if (is_then) add(branch->then);
            if (is_otherwise) add(branch->otherwise);
            const auto returns = [](const ir::Block& of) { return !of.empty() && of.back().as<ir::Return>(); };
            if ((is_then && returns(branch->otherwise)) || (is_otherwise && returns(branch->then)))
                add(std::span(block).subspan(i + 1));
        }
    }

    void collect(const ir::Function& function, const WarpFrame& frame, const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) {
            if (store->value->type.is_record()) add_record(function, frame, *store->value, stmt.span);
            add_element(function, frame, *store->array, store->indices, stmt.span, Kind::store);
        }
        if (const auto* store = stmt.as<ir::StoreField>())
            add_field(function, frame, *store->record, store->field, stmt.span, Kind::store);
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
            ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
                const Span span = part.span ? part.span : stmt.span;
                if (const auto* element = part.as<ir::Element>(); element && !part.type.is_record())
                    add_element(function, frame, *element->array, element->indices, span, Kind::load);
                if (const auto* of = part.as<ir::RecordField>(); of && !part.type.is_record() && !part.type.is_array())
                    add_field(function, frame, *of->record, of->field, span, Kind::load);
                if (const auto* call = part.as<ir::BuiltinCall>())
                    add_places(function, frame, *call, elements_of(part, *call), stmt.span);
                if (const auto* call = part.as<ir::Call>()) follow(frame, *call);
            });
        });
    }

    void follow(const WarpFrame& frame, const ir::Call& call) {
        std::vector<LaneValue> arguments;
        for (const ir::ExprPtr& argument : call.args) arguments.push_back(frame.value(*argument));
        // What a function asks of itself, with other numbers each time, is not followed.
        if (program_.is_open(call.callee) || !followed_.emplace(call.callee, arguments, is_alone_).second) return;
        program_.open.push_back(call.callee);
        collect(program_.module.function(call.callee), std::move(arguments));
        program_.open.pop_back();
    }

    /// That an access is of: `cuda.load_vector` gives, and `cuda.store_vector` takes, a tuple of them.
    static size_t elements_of(const ir::Expr& expr, const ir::BuiltinCall& call) {
        const Type stored = call.args.size() > 1 ? call.args[1]->type : Type();
        for (const Type type : {expr.type, stored})
            if (type && type.is_tuple()) return type.elements().size();
        return 1;
    }

    void add_places(const ir::Function& function, const WarpFrame& frame, const ir::BuiltinCall& call, size_t elements,
                    Span span) {
        const bool reads = any(call.builtin->effects & Effects::reads);
        const bool writes = any(call.builtin->effects & Effects::writes);
        for (const ir::ExprPtr& argument : call.args)
            if (const auto* element = argument->as<ir::ElementRef>())
                add_element(function, frame, *element->array, element->indices, span,
                            reads == writes ? Kind::atomic
                            : reads         ? Kind::load
                                            : Kind::store,
                            elements);
    }

    void add_element(const ir::Function& function, const WarpFrame& frame, const ir::Expr& array,
                     const std::vector<ir::Index>& indices, Span span, Kind kind, size_t elements = 1) {
        const auto place = frame.value(array).place;
        if (place)
            add(name_of(function, array, *place), frame.element(*place, indices),
                elements * array.type.element().byte_size(), span, kind, array.type.layout() == Layout::A);
    }

    void add_field(const ir::Function& function, const WarpFrame& frame, const ir::Expr& record, uint32_t field,
                   Span span, Kind kind) {
        const auto place = frame.value(record).place;
        if (place)
            add(name_of(function, record, *place), frame.field(*place, record.type, field),
                record.type.fields()[field].byte_size(), span, kind);
    }

    void add_record(const ir::Function& function, const WarpFrame& frame, const ir::Expr& record, Span span) {
        if (const auto place = frame.value(record).place)
            add(name_of(function, record, *place), *place, record.type.byte_size(), span, Kind::load);
    }

    void add(std::string name, const Place& place, size_t bytes, Span span, Kind kind, bool of_any_strides = false) {
        if (place.storage == ir::Storage::local) return;
        MemoryAccess access{.kernel = kernel_.symbol,
                            .array = std::move(name),
                            .span = span,
                            .kind = kind,
                            .is_shared = place.storage == ir::Storage::shared,
                            .of_any_strides = of_any_strides,
                            .pattern = is_alone_ ? AccessPattern{AccessPattern::Form::alone, bytes}
                                                 : access_pattern(place.offset, bytes)};
        if (access.is_shared) access.bank_conflicts = is_alone_ ? 1 : bank_conflicts(place.offset, bytes);
        if (std::ranges::find(found_, access) == found_.end()) found_.push_back(std::move(access));
    }

    static std::string name_of(const ir::Function& function, const ir::Expr& array, const Place& place) {
        if (const auto* local = array.as<ir::LocalRef>())
            if (const ir::Local& of = function.local(local->id); of.storage != ir::Storage::temporary) return of.name;
        if (const auto* element = array.as<ir::Element>()) return name_of(function, *element->array, place);
        return place.name;
    }

    WarpProgram program_;
    const ir::Function& kernel_;
    std::set<std::tuple<ir::FunctionId, std::vector<LaneValue>, bool>> followed_;
    bool is_alone_ = false;  ///< one lane at most comes to the statement
    std::vector<MemoryAccess> found_;
};

}  // namespace

std::vector<MemoryAccess> memory_accesses(const ir::Module& module, const ir::Function& kernel, BlockShape block) {
    return KernelAccesses(module, kernel, block).run();
}

std::vector<MemoryAccess> memory_accesses(const ir::Module& module, BlockShape block) {
    std::vector<MemoryAccess> all;
    for (const ir::Function& function : module.functions) {
        if (!function.is_kernel) continue;
        std::vector<MemoryAccess> found = memory_accesses(module, function, block);
        all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    return all;
}

}  // namespace pyk
