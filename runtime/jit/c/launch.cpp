#include <algorithm>
#include <array>
#include <limits>

#include "jit/c/handles.h"
#include "jit/elements.h"

using pyk::Result;
using pyk::Status;
using pyk::c_api::guarded;
using pyk::c_api::wrong;
using pyk::jit::Argument;
using pyk::jit::Element;
using pyk::jit::ElementRow;
using pyk::jit::Order;

namespace {

constexpr std::size_t kFewArguments = 16;

static_assert(PYK_BOOL == static_cast<int>(Element::boolean) && PYK_UINT64 == static_cast<int>(Element::uint64) &&
              PYK_COMPLEX128 == static_cast<int>(Element::complex128) &&
              PYK_XOROSHIRO128P == static_cast<int>(Element::xoroshiro128p));
static_assert(PYK_NAMED == static_cast<int>(Element::named) && PYK_NONE == static_cast<int>(Element::none) &&
              PYK_ORDER_CELL == static_cast<int>(Order::cell));
static_assert(PYK_ORDER_FORTRAN == static_cast<int>(Order::fortran) && PYK_MAX_NDIM == pyk::max_ndim);

bool is_zero(const std::uint64_t* reserved, std::size_t count) {
    return std::all_of(reserved, reserved + count, [](std::uint64_t word) { return word == 0; });
}

Status scalar(const pyk_argument& from, const ElementRow& row, Argument& to) {
    const int bits = static_cast<int>(row.size) * 8;
    to.is_constant = from.flags & PYK_COMPILED_IN;
    if (to.is_constant &&
        (row.kind == ElementRow::Kind::complex || to.element == Element::float16 || to.element == Element::bfloat16))
        return wrong("argument", std::string("no ") + row.name + " can be compiled in");
    switch (row.kind) {
        case ElementRow::Kind::boolean:
            to.boolean = from.value.boolean != 0;
            return {};
        case ElementRow::Kind::integer:
            to.integer = from.value.integer;
            if (bits < 64 && (to.integer < -(std::int64_t{1} << (bits - 1)) || to.integer >> (bits - 1) > 0))
                return wrong("argument", std::to_string(to.integer) + " does not fit " + row.name);
            return {};
        case ElementRow::Kind::natural:
            to.natural = from.value.natural;
            if (bits < 64 && to.natural >> bits != 0)
                return wrong("argument", std::to_string(to.natural) + " does not fit " + row.name);
            return {};
        case ElementRow::Kind::real:
            to.real = from.value.real;
            return {};
        case ElementRow::Kind::complex:
            to.complex[0] = from.value.complex_parts[0];
            to.complex[1] = from.value.complex_parts[1];
            return {};
        case ElementRow::Kind::none:
            return {};
        case ElementRow::Kind::record:
            if (!to.named) break;
            if (!from.value.data) return wrong("argument", "`value.data` is NULL");
            to.data = from.value.data;
            return {};
    }
    return wrong("argument", std::string("there are no scalars of type ") + row.name);
}

Status array(const pyk_argument& from, Argument& to) {
    if (from.order < PYK_ORDER_C || from.order > PYK_ORDER_CELL) return wrong("argument", "no such order");
    if ((from.order == PYK_ORDER_CELL) != (from.ndim == 0)) return wrong("argument", "a cell has no axes");
    if (to.element == Element::none) return wrong("argument", "there are no arrays of None");
    if (from.flags & PYK_COMPILED_IN) return wrong("argument", "an array cannot be compiled in");
    to.data = from.value.data;
    to.device = pyk::c_api::context_of(from.device);
    to.readonly = from.flags & PYK_READONLY;
    to.copy_in = !(from.flags & PYK_NO_COPY_IN);
    to.copy_out = !(from.flags & PYK_NO_COPY_BACK);
    for (int axis = 0; axis < from.ndim; ++axis) {
        if (from.shape[axis] < 0) return wrong("argument", "an array with a negative extent");
        to.shape[axis] = from.shape[axis];
        to.strides[axis] = from.strides[axis];
    }
    to.order = static_cast<Order>(from.order);
    if (to.order == Order::strided)
        to.order =
            pyk::jit::order_of(to.shape, to.strides, from.ndim, static_cast<long long>(pyk::jit::element_bytes(to)));
    else if (from.ndim == 1)
        to.order = Order::c;
    return {};
}

Status convert(const pyk_argument& from, Argument& to) {
    if (from.element < PYK_BOOL || from.element > PYK_NONE) return wrong("argument", "no such element type");
    if ((from.element == PYK_NAMED) != (from.type != nullptr))
        return wrong("argument", "`type` is for PYK_NAMED, which needs it");
    if (!is_zero(from.reserved, std::size(from.reserved))) return wrong("argument", "`reserved` is not zero");
    if (from.ndim < 0 || from.ndim > PYK_MAX_NDIM) return wrong("argument", "an array has 1 to 32 axes");
    if (from.flags & ~static_cast<std::uint32_t>(PYK_FLAGS_ALL)) return wrong("argument", "no such flag");
    to.element = static_cast<Element>(from.element);
    to.ndim = static_cast<unsigned char>(from.ndim);
    to.named = reinterpret_cast<const pyk::jit::NamedType*>(from.type);
    const ElementRow& row = pyk::jit::row_of(to.element);
    return from.ndim || from.order == PYK_ORDER_CELL ? array(from, to) : scalar(from, row, to);
}

// The arguments, on the stack where they are few.
class Arguments {
  public:
    /// Whether there are as many as the kernel takes is asked first: a count may be anything.
    Status read(const pyk_kernel& kernel, const pyk_argument* from, std::size_t count) {
        if (Status s = pyk::jit::detail::check_count(*kernel.state, count); !s) return s;
        if (count > kFewArguments) many_.resize(count);
        data_ = count > kFewArguments ? many_.data() : few_.data();
        for (std::size_t i = 0; i < count; ++i)
            if (Status s = convert(from[i], data_[i]); !s)
                return Status::failure("argument " + std::to_string(i + 1) + s.message().substr(sizeof "argument" - 1),
                                       pyk::Error::Kind::arguments);
        return {};
    }
    const Argument* data() const { return data_; }

  private:
    std::array<Argument, kFewArguments> few_;
    std::vector<Argument> many_;
    Argument* data_ = nullptr;
};

Result<pyk::LaunchConfig> config_of(const pyk_launch_config& from) {
    if (from.reserved0 || !is_zero(from.reserved, std::size(from.reserved)))
        return wrong("pyk_launch_config", "`reserved` is not zero");
    const auto extents = [](const std::uint32_t* e) { return pyk::Dim3{e[0], e[1] ? e[1] : 1, e[2] ? e[2] : 1}; };
    pyk::LaunchConfig config;
    config.grid = extents(from.grid);
    config.block = extents(from.block);
    if (from.cluster[0]) config.cluster = extents(from.cluster);
    config.shared_bytes = from.shared_bytes;
    config.stream = pyk::c_api::stream_of(from.stream);
    return config;
}

Result<pyk_report> report_of(const Result<pyk::jit::Report>& report) {
    if (!report) return report.status();
    pyk_report plain = {};
    plain.milliseconds = report->milliseconds;
    plain.transpile_ms = report->transpile_ms;
    plain.compile_ms = report->compile_ms;
    plain.backend = static_cast<pyk_backend>(report->backend);
    for (std::size_t i = 0; i < std::min<std::size_t>(report->written.size(), 64); ++i)
        if (report->written[i]) plain.written |= std::uint64_t{1} << i;
    return plain;
}

}  // namespace

extern "C" {

pyk_error* pyk_type_record(const pyk_field* fields, size_t count, uint64_t size, uint64_t alignment,
                           const pyk_type** out) {
    PYK_NEED_ITEMS(fields, count);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        std::vector<pyk::jit::Field> all;
        for (size_t i = 0; i < count; ++i) {
            const pyk_field& field = fields[i];
            if (!field.name || !field.type) return wrong("pyk_type_record", "a field without a name or a type");
            if (field.ndim < 0 || field.ndim > PYK_MAX_NDIM)
                return wrong("pyk_type_record", "a field has 0 to 32 axes");
            all.push_back({field.name, field.type, field.offset, {field.shape, field.shape + field.ndim}});
        }
        *out = reinterpret_cast<const pyk_type*>(
            pyk::jit::record_type(all, size, alignment != 0, alignment ? alignment : 1));
        return {};
    });
}

pyk_error* pyk_type_named(const char* text, uint64_t size, uint64_t alignment, const pyk_type** out) {
    PYK_NEED(text);
    PYK_NEED(out);
    return guarded([&] {
        *out = reinterpret_cast<const pyk_type*>(pyk::jit::interned({text, size, alignment}));
        return Status();
    });
}

const char* pyk_type_text(const pyk_type* type) {
    return type ? reinterpret_cast<const pyk::jit::NamedType*>(type)->text.c_str() : nullptr;
}

pyk_error* pyk_launch(const pyk_kernel* kernel, const pyk_launch_config* config, const pyk_argument* arguments,
                      size_t count) {
    PYK_NEED(kernel);
    PYK_NEED(config);
    PYK_NEED_ITEMS(arguments, count);
    return guarded([&]() -> Status {
        Arguments read;
        if (Status s = read.read(*kernel, arguments, count); !s) return s;
        const Result<pyk::LaunchConfig> known = config_of(*config);
        return known ? pyk::jit::detail::launch(*kernel->state, *known, read.data(), count) : known.status();
    });
}

pyk_error* pyk_launch_timed(const pyk_kernel* kernel, const pyk_launch_config* config, const pyk_argument* arguments,
                            size_t count, pyk_report* out) {
    PYK_NEED(kernel);
    PYK_NEED(config);
    PYK_NEED_ITEMS(arguments, count);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        Arguments read;
        if (Status s = read.read(*kernel, arguments, count); !s) return s;
        const Result<pyk::LaunchConfig> known = config_of(*config);
        if (!known) return known.status();
        const Result<pyk_report> report =
            report_of(pyk::jit::detail::timed_launch(*kernel->state, *known, read.data(), count));
        if (report) *out = *report;
        return report.status();
    });
}

pyk_error* pyk_forall(const pyk_kernel* kernel, int64_t elements, const pyk_stream* stream, uint64_t shared_bytes,
                      const pyk_argument* arguments, size_t count) {
    PYK_NEED(kernel);
    PYK_NEED_ITEMS(arguments, count);
    return guarded([&]() -> Status {
        Arguments read;
        if (Status s = read.read(*kernel, arguments, count); !s) return s;
        return pyk::jit::detail::launch_over(*kernel->state, elements, pyk::c_api::stream_of(stream), shared_bytes,
                                             read.data(), count);
    });
}

}  // extern "C"
