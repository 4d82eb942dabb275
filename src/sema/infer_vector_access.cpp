// Several adjacent elements by one load or store: `cuda.load_vector(a, i, n)`, `cuda.store_vector(a, i, values)`.
#include <algorithm>

#include "sema/infer.h"
#include "types/fp8.h"

namespace pyk {

Value Inference::special_vector_access(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    const bool stores = builtin.special == Special::store_vector;
    const size_t written = node.args.size();
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, builtin.name);
    if (stores ? written != 3 : written != 2 && written != 3)
        return error(diag::wrong_argument_count, span, builtin.name, stores ? "3" : "2 or 3",
                     static_cast<int>(written));
    std::vector<Value> values = arguments(site);
    for (const Value& value : values)
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
    Value &array = values[0], &index = values[1];
    if (!array.type.is_array()) return error(diag::not_an_array, array.span, builtin.name, array.type.name());
    const Type element = array.type.element();
    if (array.type.layout() != Layout::C || !array.type.aligned() || !(element.is_scalar() || is_fp8(element)))
        return error(diag::needs_contiguous, array.span, builtin.name, array.type.name());
    if (stores && array.type.readonly()) return cannot_store(array, span);

    const auto most = static_cast<int64_t>(16 / element.byte_size());
    std::optional<int64_t> n = most;
    if (stores)
        n = values[2].type.is_tuple() ? std::optional(static_cast<int64_t>(values[2].type.size())) : std::nullopt;
    else if (written == 3)
        n = values[2].constant ? to_int(*values[2].constant) : std::nullopt;
    if (!n || *n < 1 || *n > most || (*n & (*n - 1)) != 0)
        return error(diag::vector_width, written == 3 ? node.args[2]->span : span, builtin.name,
                     std::string_view(element.name()), static_cast<int>(most));

    // What is declared here lies as the access needs it; other arrays' authors see to that.
    if (const ir::LocalRef* root = ir::base_local(*array.expr)) {
        ir::Local& local = function_.local(root->id);
        const auto bytes = static_cast<uint32_t>(*n * static_cast<int64_t>(element.byte_size()));
        const bool is_declared = local.storage == ir::Storage::shared || local.storage == ir::Storage::local;
        if (is_declared) local.alignment = std::max(local.alignment, bytes);
    }

    // The CPU loads booleans as the bytes that they are.
    const bool is_boolean = !stores && element.is_boolean();
    if (is_boolean) {
        const Type bytes = Type::array(Scalar::uint8, array.type.ndim(), Layout::C, array.type.readonly());
        std::vector<ir::ExprPtr> whole;
        whole.push_back(std::move(array.expr));
        array = made_by("array.view", bytes, std::move(whole), array.effects, array.span);
    }

    // The index is written twice where it is checked.
    std::vector<ir::Subscript> subscripts;
    Effects effects = array.effects;
    if (!index.is_trivial() && !index.type.is_tuple()) index = spill(std::move(index), "index", out);
    if (!add_subscript(std::move(index), subscripts, effects, out)) return Value();
    if (static_cast<int>(subscripts.size()) != array.type.ndim())
        return error(diag::index_count, array.span, array.type.name(), static_cast<int>(subscripts.size()));
    if (!array.is_trivial()) array = spill(std::move(array), "array", out);
    ir::ElementRef ref{clone(*array.expr), {}};
    for (ir::Subscript& s : subscripts) ref.indices.push_back(std::move(std::get<ir::Index>(s)));
    ir::ExprPtr first = ir::convert(clone(*ref.indices.back().value), Scalar::int64);
    const auto last_axis = static_cast<uint32_t>(array.type.ndim() - 1);
    ir::ExprPtr extent = ir::make(Scalar::int64, span, ir::ShapeOf{std::move(array.expr), last_axis});

    const Type loaded = is_boolean ? Type(Scalar::uint8) : element;
    const Type vector = Type::tuple(std::vector<Type>(static_cast<size_t>(*n), loaded));
    std::vector<ir::ExprPtr> args;
    args.push_back(ir::make(loaded, span, std::move(ref)));
    if (stores) {
        const Value tuple = converted(std::move(values[2]), vector, values[2].span);
        if (!tuple.expr) return Value();
        args.push_back(clone(*tuple.expr));
        effects = effects | tuple.effects;
    } else {
        args.push_back(ir::integer(*n, Scalar::int32, span));
    }
    args.push_back(std::move(first));
    args.push_back(std::move(extent));
    Value result = made_by(builtin, stores ? Type::none() : vector, std::move(args), effects | builtin.effects, span);
    if (!is_boolean) return result;
    return converted(std::move(result), Type::tuple(std::vector<Type>(static_cast<size_t>(*n), element)), span);
}

}  // namespace pyk
