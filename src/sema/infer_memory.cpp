// Memory: arrays in shared and local memory, and how atomics order other accesses.
#include <algorithm>
#include <array>
#include <functional>

#include "module/free_names.h"
#include "module/meant.h"
#include "sema/infer.h"

namespace pyk {

std::optional<Type> Inference::dtype_of(const ast::Expr& expr) {
    ir::Block unused;
    const auto* local = expr.as<ast::Name>();
    if (!local || !names_.index(local->id))
        if (const auto type = evaluate_type(scope_, expr); type && type->is_element()) return type;
    const Value value = lower(expr, unused);
    const auto* name = value.entity ? std::get_if<TypeName>(&*value.entity) : nullptr;
    return name && name->type.is_element() ? std::optional(name->type) : std::nullopt;
}

std::optional<std::vector<int64_t>> Inference::static_shape(const Value& value) {
    std::vector<int64_t> shape;
    const auto add = [&](const Const& constant) {
        const auto extent = to_int(constant);
        if (extent) shape.push_back(*extent);
        return extent.has_value();
    };
    if (!value.constant) return std::nullopt;
    if (const auto* tuple = value.constant->as<Const::Tuple>()) {
        for (const Const& extent : *tuple)
            if (!add(extent)) return std::nullopt;
    } else if (!add(*value.constant)) {
        return std::nullopt;
    }
    return shape;
}

// What calls, items and attributes of constants give, as the module would evaluate them: `max(N, 4)`, `TABLE[0].size`,
// `(n, math.ceil(M / 2))`.
std::optional<Const> Inference::known_call(const ast::Expr& expr) {
    Bindings locals;
    bool is_asked = false, is_known = true;
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& part) {
        is_asked = is_asked || part.as<ast::Call>() || part.as<ast::IfExp>() || part.as<ast::Subscript>() ||
                   part.as<ast::Attribute>();
        for_each_child(part, look);
        const auto entity = part.as<ast::Attribute>() ? scope_.evaluate(part) : std::nullopt;
        const auto* builtin = entity ? std::get_if<const Builtin*>(&*entity) : nullptr;
        is_known = is_known && !(builtin && is_value(**builtin));  // `cuda.warpsize`: the kernel's, not the module's
        const auto* name = part.as<ast::Name>();
        if (!name || !names_.index(name->id)) return;
        ir::Block unused;
        const Value value = lower(part, unused);
        is_known = is_known && value.constant;
        if (is_known) locals.insert_or_assign(std::string(name->id), Entity(*value.constant));
    };
    look(expr);
    return is_asked && is_known ? scope_.constant(expr, std::move(locals)) : std::nullopt;
}

namespace {

ast::ExprRef alignment_argument(const ast::Call& node) {
    for (const ast::Keyword& keyword : node.keywords)
        if (keyword.arg == "alignment") return keyword.value;
    return node.args.size() > 2 ? node.args[2] : nullptr;
}

/// A power of two.
std::optional<int64_t> alignment_of(const ModuleScope& scope, const ast::Expr& expr) {
    const auto constant = scope.constant(expr);
    const auto n = constant ? to_int(*constant) : std::nullopt;
    return n && *n >= 1 && (*n & (*n - 1)) == 0 && *n <= 1024 ? n : std::nullopt;
}

constexpr std::string_view kArrayParameters[] = {"shape", "dtype", "alignment"};

}  // namespace

// What the call says, each by its place or its name.
std::optional<Inference::ArrayArguments> Inference::array_arguments(const CallSite& site) {
    const ast::Call& node = site.node;
    ArrayArguments args{node.args.size() > 0 ? node.args[0] : nullptr, node.args.size() > 1 ? node.args[1] : nullptr};
    for (const ast::Keyword& keyword : node.keywords) {
        if (keyword.arg == "shape") {
            args.shape = keyword.value;
        } else if (keyword.arg == "dtype") {
            args.dtype = keyword.value;
        } else if (keyword.arg != "alignment") {
            unknown_parameter(site.builtin.name, keyword.arg, kArrayParameters, keyword.span);
            return std::nullopt;
        }
    }
    if (args.shape && args.dtype) return args;
    error(diag::wrong_argument_count, site.span, site.builtin.name, "2",
          static_cast<int>(node.args.size() + node.keywords.size()));
    diagnostics_.note(site.span, fmt::format("`{}` is missing", args.shape ? "dtype" : "shape"));
    return std::nullopt;
}

// Whether extents that are not known before run time will do: of shared memory, which the launch gives.
bool Inference::takes_extents(const CallSite& site, const ArrayArguments& args, const Value& extents) {
    if (extents.is_unknown()) return false;
    const auto& [builtin, node, span, out, receiver, given] = site;
    const Span at = args.shape->span;
    if (extents.entity && std::holds_alternative<Path>(*extents.entity)) {
        no_value(extents, at);
        return false;
    }
    const auto is_extent = [](Type type) { return type.is_integer() || type.is_boolean(); };
    const bool are_extents =
        !extents.is_runtime() ||
        (is_sequence(extents.type) ? std::ranges::all_of(extents.type.elements(), is_extent) : is_extent(extents.type));
    if (are_extents && builtin.special == Special::shared_array && extents.is_runtime()) return true;
    if (!are_extents) {
        error(diag::new_array_shape, at, builtin.name);
        return false;
    }
    error(diag::shape_not_constant, at, builtin.name);
    if (extents.entity && std::holds_alternative<TypeName>(*extents.entity))
        diagnostics_.note(at, fmt::format("the shape comes first, then the type: `{}({}, {})`", builtin.name,
                                          args.dtype->span.text(), at.text()));
    return false;
}

std::optional<Type> Inference::array_dtype(const ast::Expr& expr) {
    const size_t errors = diagnostics_.error_count();
    const auto dtype = dtype_of(expr);
    if (dtype || diagnostics_.error_count() != errors) return dtype;
    const auto* constant = expr.as<ast::Constant>();
    const auto* text = constant ? std::get_if<ast::StrValue>(&constant->value) : nullptr;
    if (const auto known = scope_.constant(expr); known && to_int(*known)) {
        error(diag::not_a_dtype, expr.span);
        diagnostics_.note(expr.span, "a shape of several axes is a tuple: `(3, 4)`");
        return std::nullopt;
    }
    const std::string_view name = text ? std::string_view(text->text) : last_name(expr);
    const std::string near = nearest_scalar(name);
    error(diag::not_a_dtype, expr.span);
    if (!near.empty() && near != name) diagnostics_.note(expr.span, fmt::format("did you mean `{}`?", near));
    return std::nullopt;
}

// An array in shared or local memory is a local of its own; the value is its name.
Value Inference::special_array(const CallSite& site) {
    const auto args = array_arguments(site);
    if (!args) return Value();
    const Span at = args->shape->span;
    const auto known = known_call(*args->shape);
    Value extents = known ? of_const(*known, at) : lower(*args->shape, site.out);
    const auto shape = static_shape(extents);
    if (!shape && !takes_extents(site, *args, extents)) return Value();
    const auto dtype = array_dtype(*args->dtype);
    if (!dtype) return Value();
    if (!shape) return shared_part(site, *dtype, std::move(extents), at);
    if (shape->empty()) return error(diag::shape_not_constant, at, site.builtin.name);
    const bool is_shared = site.builtin.special == Special::shared_array;
    const bool dynamic = is_shared && shape->size() == 1 && (*shape)[0] == 0;
    int64_t bytes = static_cast<int64_t>(dtype->byte_size());
    for (const int64_t extent : *shape)
        if ((extent < 1 && !dynamic) || __builtin_mul_overflow(bytes, extent, &bytes) || bytes > (int64_t(1) << 40))
            return error(diag::bad_extent, at, static_cast<long long>(extent));
    ir::Local local;
    local.type = Type::array(*dtype, static_cast<int>(shape->size()), Layout::C);
    local.storage = is_shared ? ir::Storage::shared : ir::Storage::local;
    local.span = site.span;
    local.shape = *shape;
    if (const ast::ExprRef written = alignment_argument(site.node)) {
        const auto alignment = alignment_of(scope_, *written);
        if (!alignment) return error(diag::bad_alignment, written->span);
        local.alignment = static_cast<uint32_t>(*alignment);
    }
    Value value;
    value.type = local.type;
    value.span = site.span;
    value.expr = ir::make(value.type, site.span, ir::LocalRef{add_local(function_, std::move(local))});
    return value;
}

// A shared array whose shape is known at run time: the next part of the memory that the launch gives. Each such line
// takes its part once, and its parts follow each other in the order of the text, aligned to 16 bytes or more.
Value Inference::shared_part(const CallSite& site, Type dtype, Value extents, Span shape_span) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (!function_.is_kernel || &out != &function_.body) return error(diag::shared_part_place, span);
    std::vector<Value> axes;
    if (extents.type.is_tuple())
        axes = elements(std::move(extents), out);
    else
        axes.push_back(std::move(extents));
    if (axes.empty() || axes.size() > 5) return error(diag::shape_not_constant, shape_span, builtin.name);
    const ast::ExprRef alignment_expr = alignment_argument(node);
    const auto alignment = alignment_expr ? alignment_of(scope_, *alignment_expr) : std::optional<int64_t>(1);
    if (!alignment) return error(diag::bad_alignment, alignment_expr->span);
    std::vector<ir::ExprPtr> args;
    if (*alignment > 16) args.push_back(ir::integer(*alignment, Scalar::int64, span));
    if (shared_parts_.empty()) {
        args.push_back(ir::integer(0, Scalar::int64, span));
    } else {
        std::vector<ir::ExprPtr> before;
        before.push_back(ir::local(function_, shared_parts_.back(), span));
        args.push_back(made_by("pyk.shared_end", Scalar::int64, std::move(before), Effects::none, span).expr);
    }
    for (Value& axis : axes) {
        if (axis.is_unknown() || !needs_value(axis, shape_span)) return Value();
        if (!axis.type.is_integer()) return error(diag::index_type, shape_span, axis.type.name());
        args.push_back(in_type(axis, Scalar::int64));
    }
    const Type type = Type::array(dtype, static_cast<int>(axes.size()), Layout::C);
    const BuiltinName row = *alignment > 16 ? BuiltinName("pyk.shared_part_aligned") : "pyk.shared_part";
    Value part = made_by(row, type, std::move(args), Effects::none, span);
    ir::Local local;
    local.type = type;
    local.span = span;
    shared_parts_.push_back(add_local(function_, std::move(local)));
    out.push_back({statement_, ir::Assign{shared_parts_.back(), std::move(part.expr)}});
    part.expr = ir::local(function_, shared_parts_.back(), span);
    return part;
}

// `cuda.const.array_like(TABLE)`: the array itself, in constant memory where the module makes it.
Value Inference::special_array_like(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, builtin.name, "1", static_cast<int>(node.args.size()));
    const auto* local = node.args[0]->as<ast::Name>();
    const auto made = local ? std::nullopt : scope_.constant(*node.args[0]);
    Value array = made && made->as<Const::Array>() ? of_const(*made, span) : lower(*node.args[0], out);
    if (array.is_unknown() && !array.entity) return array;
    const auto* ref = array.expr ? array.expr->as<ir::ConstantRef>() : nullptr;
    if (!array.type.is_array()) return error(diag::not_a_constant_array, node.args[0]->span, builtin.name);
    if (!ref) return array;  // of run time, as in Numba: what it was
    specializer_.require_constant_memory(ref->id);
    return array;
}

namespace {

/// A keyword of an atomic, and the numbers that its words have in C++'s and CUDA's interfaces.
struct MemoryWord {
    std::string_view keyword, word;
    int number;
};
constexpr MemoryWord kMemoryWords[] = {
    {"order", "relaxed", 0}, {"order", "acquire", 2}, {"order", "release", 3}, {"order", "acq_rel", 4},
    {"order", "seq_cst", 5}, {"scope", "block", 1},   {"scope", "device", 3},  {"scope", "system", 4},
};

std::string words_of(std::string_view keyword) {
    std::string words;
    for (const MemoryWord& row : kMemoryWords)
        if (row.keyword == keyword) words += fmt::format("{}'{}'", words.empty() ? "" : ", ", row.word);
    return words;
}

}  // namespace

// `order=` and `scope=` of an atomic, as its last two operands.
bool Inference::memory_order(const CallSite& site, std::vector<Value>& operands) {
    int order = 0, scope = 3;
    for (const ast::Keyword& keyword : site.node.keywords) {
        const std::string words = words_of(keyword.arg);
        if (words.empty()) {
            error(diag::unknown_parameter, keyword.span, site.builtin.name, keyword.arg);
            return false;
        }
        const Value word = lower(*keyword.value, site.out);
        if (word.is_unknown()) return false;
        const auto* text = word.constant ? word.constant->as<std::string>() : nullptr;
        const auto* row = std::ranges::find_if(
            kMemoryWords, [&](const MemoryWord& r) { return text && r.keyword == keyword.arg && r.word == *text; });
        if (row == std::end(kMemoryWords)) {
            error(diag::bad_memory_word, keyword.value->span, keyword.arg, std::string_view(words));
            return false;
        }
        (keyword.arg == "order" ? order : scope) = row->number;
    }
    for (const int number : {order, scope}) operands.push_back(of_const(Const{Const::Int(number), {}}, site.span));
    return true;
}

}  // namespace pyk
