// Arrays shared with other libraries without a copy: DLPack (PyTorch, CuPy, JAX, TensorFlow …) and
// __cuda_array_interface__ (Numba, CuPy, PyTorch).
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "pyk/dlpack.h"
#include "pyk/half_format.h"
#include "pyk/ndarray.h"

namespace pyk {

/// An array as `__cuda_array_interface__` describes it, up to version 3. What it points to belongs to who made it.
struct CudaArrayInterface {
    std::string typestr;  ///< "<f4"
    int ndim = 0;
    const long long* shape = nullptr;
    const long long* strides = nullptr;  ///< in bytes; null: C order
    void* data = nullptr;
    bool is_readonly = false;
    int version = 3;
    /// A CUstream that is still at work on it, of version 3's `stream` (1: the default one): whoever takes the array
    /// waits for it, as Numba does. Null: none.
    void* stream = nullptr;
    bool has_mask = false;  ///< which is refused
};

namespace interop {

enum class Kind : unsigned char { boolean, integer, natural, real, complex, brain };
struct ElementInfo {
    Kind kind;
    int bits;
};

template <class T>
constexpr ElementInfo element_info() {
    using U = std::remove_cv_t<T>;
    constexpr int bits = sizeof(U) * 8;
    if constexpr (std::is_same_v<U, bool>)
        return {Kind::boolean, 8};
    else if constexpr (std::is_floating_point_v<U>)
        return {Kind::real, bits};
    else if constexpr (half_format_of<U> != HalfFormat::none)
        return {half_format_of<U> == HalfFormat::ieee ? Kind::real : Kind::brain, 16};
    else if constexpr (std::is_integral_v<U>)
        return {std::is_signed_v<U> ? Kind::integer : Kind::natural, bits};
    else {
        static_assert(sizeof(U) == 2 * sizeof(typename U::value_type), "DLPack has no such element type");
        return {Kind::complex, bits};
    }
}

template <class T>
constexpr void check_has_typestr() {
    static_assert(half_format_of<T> != HalfFormat::brain, "__cuda_array_interface__ has no bfloat16; DLPack has");
}

/// Of DLDataTypeCode.
int dlpack_code(Kind kind);
/// `<f4`; `bfloat16`, which `__cuda_array_interface__` does not know.
std::string typestr(ElementInfo element);
MemoryKind memory_kind(const DLTensor& tensor);
/// Checked against what the caller expects; a View of `ndim` axes is filled.
Status read_tensor(const DLTensor& tensor, ElementInfo element, std::size_t element_bytes, int ndim, void** data,
                   long long* shape, long long* strides, driver::Context** device);
Status read_interface(const CudaArrayInterface& array, ElementInfo element, std::size_t element_bytes, int ndim,
                      bool will_write, long long* shape, long long* strides, driver::Context** device);
/// Takes over `owner`, which `free` gives back.
DLManagedTensorVersioned* make_tensor(const Buffer& buffer, ElementInfo element, int ndim, const long long* shape,
                                      void* owner, void (*free)(void*));
DLManagedTensor* make_legacy_tensor(const Buffer& buffer, ElementInfo element, int ndim, const long long* shape,
                                    void* owner, void (*free)(void*));

template <class Tensor>
void delete_tensor(void* tensor) {
    auto* t = static_cast<Tensor*>(tensor);
    if (t->deleter) t->deleter(t);
}

}  // namespace interop

/// The tensor's elements, where they are: device memory, or the host's. The tensor must stay as long as the view. Fails
/// where type or rank are others.
template <class T, int N>
Result<View<T, N>> view_of(const DLTensor& tensor) {
    View<T, N> view;
    void* data = nullptr;
    Status s = interop::read_tensor(tensor, interop::element_info<T>(), sizeof(T), N, &data, view.shape.data(),
                                    view.strides.data(), &view.device);
    if (!s) return s;
    view.data = static_cast<T*>(data);
    return view;
}
template <class T, int N>
Result<View<T, N>> view_of(const CudaArrayInterface& array) {
    interop::check_has_typestr<T>();
    View<T, N> view;
    Status s = interop::read_interface(array, interop::element_info<T>(), sizeof(T), N, !std::is_const_v<T>,
                                       view.shape.data(), view.strides.data(), &view.device);
    if (!s) return s;
    view.data = static_cast<T*>(array.data);
    return view;
}

/// The view as others take it. Its shape and strides are the view's own, which must stay as long.
template <class T, int N>
CudaArrayInterface cuda_array_interface(const View<T, N>& view) {
    interop::check_has_typestr<T>();
    return {interop::typestr(interop::element_info<T>()),
            N,
            view.shape.data(),
            view.strides.data(),
            const_cast<std::remove_cv_t<T>*>(view.data),
            std::is_const_v<T>};
}
template <class T, int N>
CudaArrayInterface cuda_array_interface(const View<T, N>&& view) = delete;

/// What `__dlpack__` gives: a tensor that owns the array; who takes it calls its deleter.
template <class T, int N>
DLManagedTensorVersioned* to_dlpack(Array<T, N> array) {
    auto* owner = new Array<T, N>(std::move(array));
    return interop::make_tensor(owner->buffer(), interop::element_info<T>(), N, owner->shape().data(), owner,
                                [](void* p) { delete static_cast<Array<T, N>*>(p); });
}
/// The same for those that know DLPack before 1.0 only.
template <class T, int N>
DLManagedTensor* to_legacy_dlpack(Array<T, N> array) {
    auto* owner = new Array<T, N>(std::move(array));
    return interop::make_legacy_tensor(owner->buffer(), interop::element_info<T>(), N, owner->shape().data(), owner,
                                       [](void* p) { delete static_cast<Array<T, N>*>(p); });
}

/// Takes a C-contiguous tensor over, with its memory. On failure the tensor is the caller's still.
template <class T, int N, class Tensor>
Result<Array<T, N>> from_dlpack(Tensor* tensor) {
    if constexpr (std::is_same_v<Tensor, DLManagedTensorVersioned>) {
        if (tensor->version.major != 1)
            return Status::failure("DLPack of version " + std::to_string(tensor->version.major) + ", not 1",
                                   Error::Kind::arguments);
        if ((tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0)
            return Status::failure("the DLPack tensor is read-only", Error::Kind::arguments);
    }
    Result<View<T, N>> view = view_of<T, N>(tensor->dl_tensor);
    if (!view) return view.status();
    if (!view->is_contiguous())
        return Status::failure("the DLPack tensor is not C-contiguous: take a view of it", Error::Kind::arguments);
    const Device device = view->device ? Device(*view->device) : Device::cpu();
    return Array<T, N>::adopt(
        Buffer::adopt(device, view->data, static_cast<std::size_t>(view->size()) * sizeof(T),
                      interop::memory_kind(tensor->dl_tensor), tensor, interop::delete_tensor<Tensor>),
        view->shape);
}

}  // namespace pyk
