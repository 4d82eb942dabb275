#include "pyk/interop.h"

#include <vector>

#include "driver.h"

namespace pyk::interop {
namespace {

DLDeviceType device_type(const Buffer& buffer) {
    if (!buffer.device() || buffer.device()->info.is_cpu) return kDLCPU;
    if (buffer.kind() == MemoryKind::managed) return kDLCUDAManaged;
    return is_host_accessible(buffer.kind()) ? kDLCUDAHost : kDLCUDA;
}

Status check_extents(const char* what, int ndim, const long long* shape, const void* data) {
    bool is_empty = false;
    for (int axis = 0; axis < ndim; ++axis) {
        if (shape[axis] < 0)
            return refuse(std::string(what) + " has " + std::to_string(shape[axis]) + " elements along axis " +
                          std::to_string(axis));
        is_empty |= shape[axis] == 0;
    }
    if (!data && !is_empty) return refuse(std::string(what) + " has no memory");
    return {};
}

/// Null for the host.
Result<driver::Context*> device_of(const DLTensor& tensor) {
    const DLDevice& device = tensor.device;
    switch (device.device_type) {
        case kDLCPU:
            return static_cast<driver::Context*>(nullptr);
        case kDLCUDA:
        case kDLCUDAManaged:
            return driver::cuda_context(device.device_id);
        case kDLCUDAHost:
            return driver::cuda_context_of(tensor.data);
        default:
            return refuse("the DLPack tensor is on a device that is neither the CPU nor a CUDA GPU");
    }
}

void strides_in_c_order(const long long* shape, int ndim, std::size_t element_bytes, long long* strides) {
    auto step = static_cast<long long>(element_bytes);
    for (int axis = ndim - 1; axis >= 0; --axis) {
        strides[axis] = step;
        step *= shape[axis];
    }
}

/// A tensor with what it points to.
template <class Tensor>
struct Owned {
    Tensor tensor{};
    std::vector<std::int64_t> shape, strides;
    void* owner = nullptr;
    void (*free)(void*) = nullptr;
};

template <class Tensor>
Tensor* make(const Buffer& buffer, ElementInfo element, int ndim, const long long* shape, void* owner,
             void (*free)(void*)) {
    auto* own = new Owned<Tensor>;
    own->shape.assign(shape, shape + ndim);
    own->strides.resize(static_cast<std::size_t>(ndim));
    std::int64_t step = 1;
    for (auto axis = own->shape.size(); axis-- > 0;) {
        own->strides[axis] = step;
        step *= own->shape[axis];
    }
    own->owner = owner;
    own->free = free;
    DLTensor& t = own->tensor.dl_tensor;
    t.data = buffer.address();
    const DLDeviceType type = device_type(buffer);
    t.device = {type, type == kDLCUDA || type == kDLCUDAManaged ? buffer.device()->info.index : 0};
    t.ndim = ndim;
    t.dtype = {static_cast<std::uint8_t>(dlpack_code(element.kind)), static_cast<std::uint8_t>(element.bits), 1};
    t.shape = own->shape.data();
    t.strides = own->strides.data();
    own->tensor.manager_ctx = own;
    own->tensor.deleter = [](Tensor* self) {
        auto* mine = static_cast<Owned<Tensor>*>(self->manager_ctx);
        mine->free(mine->owner);
        delete mine;
    };
    return &own->tensor;
}

}  // namespace

int dlpack_code(Kind kind) {
    switch (kind) {
        case Kind::boolean:
            return kDLBool;
        case Kind::integer:
            return kDLInt;
        case Kind::natural:
            return kDLUInt;
        case Kind::real:
            return kDLFloat;
        case Kind::complex:
            return kDLComplex;
        case Kind::brain:
            return kDLBfloat;
    }
    return -1;
}

std::string typestr(ElementInfo element) {
    if (element.kind == Kind::brain) return "bfloat16";
    const std::string letters[] = {"b", "i", "u", "f", "c"};
    const int bytes = element.bits / 8;
    return (bytes == 1 ? "|" : "<") + letters[static_cast<int>(element.kind)] + std::to_string(bytes);
}

MemoryKind memory_kind(const DLTensor& tensor) {
    const DLDeviceType type = tensor.device.device_type;
    return type == kDLCUDAHost ? MemoryKind::pinned : type == kDLCUDAManaged ? MemoryKind::managed : MemoryKind::device;
}

Status read_tensor(const DLTensor& tensor, ElementInfo element, std::size_t element_bytes, int ndim, void** data,
                   long long* shape, long long* strides, driver::Context** device) {
    if (tensor.dtype.code != dlpack_code(element.kind) || tensor.dtype.bits != element.bits || tensor.dtype.lanes != 1)
        return refuse("the DLPack tensor has other elements than " + typestr(element) + ": code " +
                      std::to_string(tensor.dtype.code) + " of " + std::to_string(tensor.dtype.bits) + " bits");
    if (tensor.ndim != ndim)
        return refuse("the DLPack tensor has " + std::to_string(tensor.ndim) + " axes, not " + std::to_string(ndim));
    Result<driver::Context*> found = device_of(tensor);
    if (!found) return found.status();
    *device = *found;
    *data = static_cast<char*>(tensor.data) + tensor.byte_offset;
    if (ndim > 0 && !tensor.shape) return refuse("the DLPack tensor has no shape");
    for (int axis = 0; axis < ndim; ++axis) shape[axis] = tensor.shape[axis];
    if (Status s = check_extents("the DLPack tensor", ndim, shape, tensor.data); !s) return s;
    strides_in_c_order(shape, ndim, element_bytes, strides);
    if (tensor.strides)
        for (int axis = 0; axis < ndim; ++axis)
            strides[axis] = tensor.strides[axis] * static_cast<long long>(element_bytes);
    return {};
}

Status read_interface(const CudaArrayInterface& array, ElementInfo element, std::size_t element_bytes, int ndim,
                      bool will_write, long long* shape, long long* strides, driver::Context** device) {
    if (array.version < 0 || array.version > 3)
        return refuse("__cuda_array_interface__ of version " + std::to_string(array.version) + ", of at most 3");
    if (array.typestr != typestr(element))
        return refuse("the array has elements of " + array.typestr + ", not " + typestr(element));
    if (array.ndim != ndim)
        return refuse("the array has " + std::to_string(array.ndim) + " axes, not " + std::to_string(ndim));
    if (array.is_readonly && will_write) return refuse("the array is read-only: take a view of const elements");
    if (array.has_mask) return refuse("the array has a mask: some of its elements are not valid");
    for (int axis = 0; axis < ndim; ++axis) shape[axis] = array.shape[axis];
    if (Status s = check_extents("the array", ndim, shape, array.data); !s) return s;
    const Result<driver::Context*> found = driver::cuda_context_of(array.data);
    if (!found) return found.status();
    *device = *found;
    if (array.stream && *device)
        if (Status s = (*device)->synchronize_stream(array.stream); !s) return s;
    strides_in_c_order(shape, ndim, element_bytes, strides);
    if (array.strides)
        for (int axis = 0; axis < ndim; ++axis) strides[axis] = array.strides[axis];
    return {};
}

DLManagedTensorVersioned* make_tensor(const Buffer& buffer, ElementInfo element, int ndim, const long long* shape,
                                      void* owner, void (*free)(void*)) {
    auto* tensor = make<DLManagedTensorVersioned>(buffer, element, ndim, shape, owner, free);
    tensor->version = {1, 0};
    return tensor;
}

DLManagedTensor* make_legacy_tensor(const Buffer& buffer, ElementInfo element, int ndim, const long long* shape,
                                    void* owner, void (*free)(void*)) {
    return make<DLManagedTensor>(buffer, element, ndim, shape, owner, free);
}

}  // namespace pyk::interop
