#include "advice/accesses.h"

#include <algorithm>
#include <set>

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
        frame.for_each_stmt([&](const ir::Stmt& stmt) { collect(function, frame, stmt); });
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
                if (const auto* call = part.as<ir::BuiltinCall>()) add_places(function, frame, *call, stmt.span);
                if (const auto* call = part.as<ir::Call>()) follow(frame, *call);
            });
        });
    }

    void follow(const WarpFrame& frame, const ir::Call& call) {
        std::vector<LaneValue> arguments;
        for (const ir::ExprPtr& argument : call.args) arguments.push_back(frame.value(*argument));
        // What a function asks of itself, with other numbers each time, is not followed.
        if (program_.is_open(call.callee) || !followed_.emplace(call.callee, arguments).second) return;
        program_.open.push_back(call.callee);
        collect(program_.module.function(call.callee), std::move(arguments));
        program_.open.pop_back();
    }

    void add_places(const ir::Function& function, const WarpFrame& frame, const ir::BuiltinCall& call, Span span) {
        const bool reads = any(call.builtin->effects & Effects::reads);
        const bool writes = any(call.builtin->effects & Effects::writes);
        for (const ir::ExprPtr& argument : call.args)
            if (const auto* element = argument->as<ir::ElementRef>())
                add_element(function, frame, *element->array, element->indices, span,
                            reads == writes ? Kind::atomic
                            : reads         ? Kind::load
                                            : Kind::store);
    }

    void add_element(const ir::Function& function, const WarpFrame& frame, const ir::Expr& array,
                     const std::vector<ir::Index>& indices, Span span, Kind kind) {
        const auto place = frame.value(array).place;
        if (place)
            add(name_of(function, array, *place), frame.element(*place, indices), array.type.element().byte_size(),
                span, kind, array.type.layout() == Layout::A);
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
                            .pattern = access_pattern(place.offset, bytes)};
        if (access.is_shared) access.bank_conflicts = bank_conflicts(place.offset, bytes);
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
    std::set<std::pair<ir::FunctionId, std::vector<LaneValue>>> followed_;
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
