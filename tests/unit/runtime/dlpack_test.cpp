// DLPack where the program has a dlpack.h of its own, of before 1.0: its structs are taken, and what it lacks is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#define DLPACK_DLPACK_H_
#define DLPACK_VERSION 60
extern "C" {
typedef enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLCUDAManaged = 13 } DLDeviceType;
typedef enum { kDLInt = 0U, kDLUInt = 1U, kDLFloat = 2U, kDLBfloat = 4U, kDLComplex = 5U } DLDataTypeCode;
typedef struct {
    DLDeviceType device_type;
    int device_id;
} DLDevice;
typedef struct {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} DLDataType;
typedef struct {
    void* data;
    DLDevice device;
    int ndim;
    DLDataType dtype;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;
}

#include "pyk/half.h"
#include "pyk/interop.h"

namespace {

using pyk::Array;
using pyk::Device;
using testing::HasSubstr;

template <class T>
DLDataType dtype_of_dlpack() {
    DLManagedTensorVersioned* const tensor = pyk::to_dlpack(Array<T>::allocate(Device::cpu(), {4}).value());
    const DLDataType type = tensor->dl_tensor.dtype;
    EXPECT_TRUE((pyk::from_dlpack<T, 1>(tensor).ok()));
    return type;
}

TEST(Dlpack, HasBoth16BitFloats) {
    const DLDataType half = dtype_of_dlpack<pyk::float16>(), brain = dtype_of_dlpack<pyk::bfloat16>();
    EXPECT_EQ(half.code, kDLFloat);
    EXPECT_EQ(half.bits, 16);
    EXPECT_EQ(brain.code, kDLBfloat);
    EXPECT_EQ(brain.bits, 16);
}

TEST(Dlpack, TellsThe16BitFloatsApart) {
    DLManagedTensor* const tensor = pyk::to_legacy_dlpack(Array<pyk::float16>::allocate(Device::cpu(), {4}).value());
    EXPECT_THAT((pyk::from_dlpack<pyk::bfloat16, 1>(tensor).message()), HasSubstr("other elements than bfloat16"));
    tensor->deleter(tensor);
}

TEST(CudaArrayInterface, HasFloat16) {
    const auto array = Array<pyk::float16>::allocate(Device::cpu(), {4}).value();
    const pyk::View<const pyk::float16, 1> view = array.view();
    EXPECT_EQ(pyk::cuda_array_interface(view).typestr, "<f2");
}

}  // namespace
