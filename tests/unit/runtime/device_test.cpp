// The CUDA side: on a machine without a driver a clear error, on one with a GPU a kernel.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "pyk/runtime.h"

namespace {

bool has_driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library) dlclose(library);
    return library != nullptr;
}

#define NEEDS_GPU()                                            \
    const pyk::Result<pyk::Device> found = pyk::Device::get(); \
    if (!found) GTEST_SKIP() << "no GPU: " << found.message(); \
    const pyk::Device& device = *found

TEST(Device, AMissingDriverIsAClearError) {
    if (has_driver()) GTEST_SKIP() << "this machine has a CUDA driver";
    const pyk::Result<int> count = pyk::Device::count();
    ASSERT_FALSE(count.ok());
    EXPECT_EQ(count.message().rfind("no CUDA driver: libcuda.so.1 could not be opened: ", 0), 0u) << count.message();
    EXPECT_FALSE(pyk::Device::get().ok());
    EXPECT_FALSE(pyk::Device::get().ok());  // and stays one
}

constexpr const char* kPtx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 8 .b8 pyk_check_report[448];
.visible .entry scale(.param .align 8 .b8 args[24])
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .b64 %d<6>;
    .reg .f32 %f<3>;
    ld.param.u64 %d1, [args];
    ld.param.u64 %d2, [args+8];
    ld.param.f32 %f1, [args+16];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    cvt.u64.u32 %d3, %r4;
    setp.ge.s64 %p, %d3, %d2;
    @%p bra done;
    shl.b64 %d4, %d3, 2;
    add.s64 %d5, %d1, %d4;
    ld.global.f32 %f2, [%d5];
    mul.f32 %f2, %f2, %f1;
    st.global.f32 [%d5], %f2;
done:
    ret;
}
)";

TEST(Device, DescribesItself) {
    NEEDS_GPU();
    EXPECT_FALSE(device.info().name.empty());
    EXPECT_GE(device.info().major * 10 + device.info().minor, 50);
    EXPECT_GE(device.info().max_threads_per_block, 1024);
    const auto free = device.free_memory();
    ASSERT_TRUE(free.ok()) << free.message();
    EXPECT_LE(*free, device.info().memory);
    EXPECT_FALSE(pyk::Device::get(1000).ok());
}

TEST(Device, RunsAKernel) {
    NEEDS_GPU();
    auto module = pyk::Module::load(device, kPtx);
    ASSERT_TRUE(module.ok()) << module.message();
    auto kernel = module->kernel("scale");
    ASSERT_TRUE(kernel.ok()) << kernel.message();
    EXPECT_GT(kernel->resources().registers, 0);
    EXPECT_FALSE(module->kernel("other").ok());

    std::vector<float> host(1000);
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
    auto array = pyk::Array<float>::from_host(device, host);
    ASSERT_TRUE(array.ok()) << array.message();
    auto stream = pyk::Stream::create(device);
    auto start = pyk::Event::create(device), end = pyk::Event::create(device);
    ASSERT_TRUE(stream.ok() && start.ok() && end.ok());

    pyk::ArgBuffer args;
    args.push_array(array->data(), array->shape().data(), 1);
    args.push(2.5f);
    pyk::LaunchConfig config;
    config.grid.x = 4;
    config.block.x = 256;
    config.shared_bytes = 64 * 1024;  // more than a kernel has without asking
    config.stream = *stream;
    ASSERT_TRUE(start->record(*stream).ok());
    const pyk::Status launched = kernel->launch(config, args);
    ASSERT_TRUE(launched.ok()) << launched.message();
    ASSERT_TRUE(end->record(*stream).ok() && end->wait().ok());
    const auto ms = pyk::Event::elapsed_ms(*start, *end);
    ASSERT_TRUE(ms.ok()) << ms.message();
    EXPECT_GT(*ms, 0.0);

    const auto scaled = array->to_host(*stream);
    ASSERT_TRUE(scaled.ok()) << scaled.message();
    for (size_t i = 0; i < host.size(); ++i) ASSERT_EQ((*scaled)[i], host[i] * 2.5f);
    const auto report = module->take_check_report();
    ASSERT_TRUE(report.ok()) << report.message();
    EXPECT_FALSE(report->has_value());

    config.block.x = 4096;
    EXPECT_FALSE(kernel->launch(config, args).ok());
}

TEST(Device, RefusesBadModulesAndCopies) {
    NEEDS_GPU();
    EXPECT_FALSE(pyk::Module::load(device, "no code").ok());
    auto buffer = pyk::Buffer::allocate(device, 16);
    ASSERT_TRUE(buffer.ok());
    char bytes[16] = {};
    EXPECT_TRUE(buffer->fill(7).ok());
    EXPECT_TRUE(buffer->download(bytes, 8, 8).ok());
    EXPECT_TRUE(device.synchronize().ok());
    EXPECT_EQ(bytes[0], 7);
    EXPECT_FALSE(buffer->download(bytes, 16, 1).ok());
    EXPECT_FALSE(pyk::Buffer::allocate(device, size_t{1} << 60).ok());
}

}  // namespace
