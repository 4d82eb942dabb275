#include <algorithm>
#include <limits>

#include "jit/c/handles.h"
#include "jit/elements.h"
#include "pyk/interop.h"

using pyk::Result;
using pyk::Status;
using pyk::c_api::guarded;
using pyk::c_api::wrong;
using pyk::interop::ElementInfo;
using pyk::jit::Element;

namespace {

constexpr const char* kToDlpack = "pyk_buffer_to_dlpack";

// nullopt: DLPack has no such elements.
std::optional<ElementInfo> info_of(pyk_element element) {
    using Kind = pyk::interop::Kind;
    if (element < PYK_BOOL || element > PYK_COMPLEX128) return std::nullopt;
    if (element == PYK_BFLOAT16) return ElementInfo{Kind::brain, 16};
    const pyk::jit::ElementRow& row = pyk::jit::row_of(static_cast<Element>(element));
    static constexpr Kind kKinds[] = {Kind::boolean, Kind::integer, Kind::natural, Kind::real, Kind::complex};
    return ElementInfo{kKinds[static_cast<int>(row.kind)], static_cast<int>(row.size) * 8};
}

bool is_read_only(const DLManagedTensorVersioned& tensor) {
    return (tensor.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
}
bool is_read_only(const DLManagedTensor&) { return false; }

Status check_version(const DLManagedTensorVersioned& tensor) {
    if (tensor.version.major == 1) return {};
    return Status::failure("DLPack of version " + std::to_string(tensor.version.major) + ", not 1",
                           pyk::Error::Kind::arguments);
}
Status check_version(const DLManagedTensor&) { return {}; }

// Of the tensor's elements; nullopt: no kernel takes them.
std::optional<pyk_element> element_of(DLDataType type) {
    for (pyk_element element = PYK_BOOL; element <= PYK_COMPLEX128; ++element) {
        const std::optional<ElementInfo> info = info_of(element);
        if (info && type.lanes == 1 && type.bits == info->bits && type.code == pyk::interop::dlpack_code(info->kind))
            return element;
    }
    return std::nullopt;
}

Status read(const DLTensor& tensor, pyk_argument& argument) {
    if (tensor.ndim < 0 || tensor.ndim > PYK_MAX_NDIM) return wrong("DLPack", "an array has at most 32 axes");
    const std::optional<pyk_element> element = element_of(tensor.dtype);
    if (!element)
        return wrong("DLPack", "no kernel takes elements of code " + std::to_string(tensor.dtype.code) + " and " +
                                   std::to_string(tensor.dtype.bits) + " bits");
    const ElementInfo info = *info_of(*element);
    long long shape[PYK_MAX_NDIM], strides[PYK_MAX_NDIM];
    pyk::driver::Context* device = nullptr;
    Status s = pyk::interop::read_tensor(tensor, info, static_cast<std::size_t>(info.bits) / 8, tensor.ndim,
                                         &argument.value.data, shape, strides, &device);
    if (!s) return s;
    argument.element = *element;
    argument.device = device ? pyk::c_api::handle_of(pyk::Device(*device)) : nullptr;
    argument.ndim = tensor.ndim;
    argument.order = tensor.ndim ? PYK_ORDER_STRIDED : PYK_ORDER_CELL;
    std::copy_n(shape, tensor.ndim, argument.shape);
    std::copy_n(strides, tensor.ndim, argument.strides);
    return {};
}

template <class Tensor>
pyk_error* argument_from(const Tensor* tensor, pyk_argument* out) {
    return guarded([&]() -> Status {
        if (Status s = check_version(*tensor); !s) return s;
        pyk_argument argument = {};
        if (Status s = read(tensor->dl_tensor, argument); !s) return s;
        if (is_read_only(*tensor)) argument.flags = PYK_READONLY;
        *out = argument;
        return {};
    });
}

struct Described {
    pyk_element element;
    std::int32_t ndim;
    const std::int64_t* shape;
};

template <class Make, class Tensor>
pyk_error* tensor_of(pyk_buffer** buffer, const Described& array, Make make, Tensor** out) {
    return guarded([&]() -> Status {
        const std::optional<ElementInfo> info = info_of(array.element);
        if (!info) return wrong(kToDlpack, "DLPack has no such element type");
        if (array.ndim < 0 || array.ndim > PYK_MAX_NDIM) return wrong(kToDlpack, "an array has at most 32 axes");
        const std::uint64_t size = (*buffer)->buffer.size();
        std::uint64_t bytes = static_cast<std::uint64_t>(info->bits) / 8;
        long long extents[PYK_MAX_NDIM];
        for (int axis = 0; axis < array.ndim; ++axis) {
            if (array.shape[axis] < 0) return wrong(kToDlpack, "an array with a negative extent");
            extents[axis] = array.shape[axis];
            if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(array.shape[axis]), &bytes))
                bytes = std::numeric_limits<std::uint64_t>::max();
        }
        if (bytes > size) return wrong(kToDlpack, "an array beyond the end of its buffer");
        *out = make((*buffer)->buffer, *info, array.ndim, extents, *buffer,
                    [](void* owner) { delete static_cast<pyk_buffer*>(owner); });
        *buffer = nullptr;
        return {};
    });
}

}  // namespace

extern "C" {

pyk_error* pyk_argument_from_dlpack(const DLManagedTensorVersioned* tensor, pyk_argument* out) {
    PYK_NEED(tensor);
    PYK_NEED(out);
    return argument_from(tensor, out);
}

pyk_error* pyk_argument_from_legacy_dlpack(const DLManagedTensor* tensor, pyk_argument* out) {
    PYK_NEED(tensor);
    PYK_NEED(out);
    return argument_from(tensor, out);
}

pyk_error* pyk_buffer_to_dlpack(pyk_buffer** buffer, pyk_element element, int32_t ndim, const int64_t* shape,
                                DLManagedTensorVersioned** out) {
    PYK_NEED(buffer);
    PYK_NEED(*buffer);
    PYK_NEED_ITEMS(shape, ndim);
    PYK_NEED(out);
    return tensor_of(buffer, {element, ndim, shape}, pyk::interop::make_tensor, out);
}

pyk_error* pyk_buffer_to_legacy_dlpack(pyk_buffer** buffer, pyk_element element, int32_t ndim, const int64_t* shape,
                                       DLManagedTensor** out) {
    PYK_NEED(buffer);
    PYK_NEED(*buffer);
    PYK_NEED_ITEMS(shape, ndim);
    PYK_NEED(out);
    return tensor_of(buffer, {element, ndim, shape}, pyk::interop::make_legacy_tensor, out);
}

pyk_error* pyk_buffer_adopt(const pyk_device* device, void* address, uint64_t bytes, void* context,
                            void (*release)(void* context), pyk_buffer** out) {
    const char* const missing = !out ? "out" : !address && bytes ? "address" : nullptr;
    if (missing) {
        if (release) release(context);
        return pyk::c_api::null_argument(__func__, missing);
    }
    return guarded([&]() -> Status {
        // The buffer releases, whatever comes.
        pyk::Buffer buffer = pyk::Buffer::adopt(pyk::c_api::device_of(device), address, bytes, pyk::MemoryKind::device,
                                                context, release);
        *out = new pyk_buffer{std::move(buffer)};
        return {};
    });
}

}  // extern "C"
