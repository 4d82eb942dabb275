// Memory, arrays, views, copies, streams, events and graphs: the same on the CPU as a device and on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <numeric>

#include "pyk/runtime.h"

namespace {

using pyk::Array;
using pyk::Device;
using pyk::MemoryKind;
using pyk::View;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// On the CPU always, on the first GPU where there is one.
class Memory : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (GetParam() == std::string("cpu")) return;
        const pyk::Result<Device> gpu = Device::get();
        if (!gpu) GTEST_SKIP() << "no GPU: " << gpu.message();
        device = *gpu;
    }
    Device device = Device::cpu();
};
INSTANTIATE_TEST_SUITE_P(On, Memory, testing::Values("cpu", "gpu"), [](const auto& info) { return info.param; });

std::vector<int> counted(long long n) {
    std::vector<int> values(static_cast<size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    return values;
}

TEST_P(Memory, BoolsComeAndGo) {
    const std::vector<bool> values = {true, false, false, true, true};
    EXPECT_EQ(Array<bool>::from_host(device, values).value().to_host().value(), values);
}

// NumPy's a[:] = a[::-1], a[1:] = a[:-1], m[:] = m.T
TEST_P(Memory, ACopyWithinAnArrayReadsWhatWasThere) {
    const auto numbers = Array<int>::from_host(device, counted(6)).value();
    ASSERT_TRUE(pyk::copy(numbers.view(), numbers.view().slice(0, 5, -9, -1)).ok());
    EXPECT_THAT(numbers.to_host().value(), ElementsAre(5, 4, 3, 2, 1, 0));
    ASSERT_TRUE(pyk::copy(numbers.view().slice(0, 1, 6), numbers.view().slice(0, 0, 5)).ok());
    EXPECT_THAT(numbers.to_host().value(), ElementsAre(5, 5, 4, 3, 2, 1));
    const auto matrix = Array<int, 2>::from_host(device, counted(9).data(), {3, 3}).value();
    ASSERT_TRUE(pyk::copy(matrix.view(), matrix.view().transposed()).ok());
    EXPECT_THAT(matrix.to_host().value(), ElementsAre(0, 3, 6, 1, 4, 7, 2, 5, 8));
    std::vector<int> host = counted(4);
    const View<int> in_host = pyk::host(host.data(), {4});
    ASSERT_TRUE(pyk::copy(in_host, in_host.slice(0, 3, -5, -1)).ok());
    EXPECT_THAT(host, ElementsAre(3, 2, 1, 0));
}

// As calls of the library have it: the graph needs it as long as it may be launched.
TEST_P(Memory, MemoryThatCapturedWorkTookStaysWithTheGraph) {
    const pyk::Stream stream = pyk::Stream::create(device).value();
    const auto from = Array<int>::from_host(device, counted(1000)).value();
    const auto to = Array<int>::allocate(device, {1000}).value();
    ASSERT_TRUE(stream.begin_capture().ok());
    {
        auto between = Array<int>::allocate(device, {1000}, MemoryKind::pooled, stream).value();
        ASSERT_TRUE(between.copy_from(from.view(), stream).ok());
        ASSERT_TRUE(between.copy_to(to.view(), stream).ok());
    }
    auto graph = stream.end_capture().value();
    std::vector<Array<int>> others;
    for (int i = 0; i < 20; ++i) others.push_back(Array<int>::from_host(device, std::vector<int>(1000, -1)).value());
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(graph.launch(stream).ok());
    ASSERT_TRUE(stream.synchronize().ok());
    EXPECT_EQ(to.to_host().value(), counted(1000));
    for (const Array<int>& other : others) EXPECT_THAT(other.to_host().value(), Each(-1));
}

TEST_P(Memory, PooledMemoryMayOutliveItsStream) {
    const auto array_of_a_stream = [&](long long size) {
        const pyk::Stream stream = pyk::Stream::create(device).value();
        auto array = Array<int>::allocate(device, {size}, MemoryKind::pooled, stream).value();
        array.fill(7, stream).or_throw();
        stream.synchronize().or_throw();
        return array;
    };
    for (const long long size : {100LL, 1LL << 20}) {
        const auto array = array_of_a_stream(size);
        EXPECT_THAT(array.to_host().value(), Each(7));
    }
    EXPECT_TRUE(device.synchronize().ok());
}

TEST_P(Memory, WhatWasNeverMadeIsSaid) {
    EXPECT_THAT(pyk::Kernel().launch({}, nullptr, 0).message(), HasSubstr("not taken from a module"));
    EXPECT_THAT(pyk::Kernel().best_block().message(), HasSubstr("not taken from a module"));
    EXPECT_THAT(pyk::Module().kernel("x").message(), HasSubstr("not loaded"));
    EXPECT_THAT(pyk::Module().take_check_report().message(), HasSubstr("not loaded"));
}

TEST_P(Memory, EveryKindHoldsWhatIsCopiedIn) {
    const std::vector<int> host = counted(1000);
    for (const MemoryKind kind :
         {MemoryKind::device, MemoryKind::pooled, MemoryKind::pinned, MemoryKind::mapped, MemoryKind::managed}) {
        const auto array = Array<int>::from_host(device, host.data(), {1000}, kind).value();
        EXPECT_EQ(array.to_host().value(), host);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 16, 0u);
        EXPECT_EQ(array.buffer().kind(), kind);
    }
}

TEST_P(Memory, HostReadsManagedMemoryByItsAddress) {
    auto array = Array<int>::allocate(device, {4}, MemoryKind::managed).value();
    ASSERT_TRUE(array.fill(7).ok());
    ASSERT_TRUE(device.synchronize().ok());
    EXPECT_EQ(array.view()(3), 7);
}

TEST_P(Memory, FillsWithValuesOfEverySize) {
    auto bytes = Array<unsigned char>::allocate(device, {5}).value();
    auto halves = Array<short>::allocate(device, {5}).value();
    auto words = Array<float>::allocate(device, {5}).value();
    auto doubles = Array<double>::allocate(device, {5}).value();
    auto pairs = Array<std::complex<double>>::allocate(device, {5}).value();
    ASSERT_TRUE(bytes.fill(200).ok() && halves.fill(-2).ok() && words.fill(1.5f).ok() && doubles.fill(-0.1).ok() &&
                pairs.fill({1, -2}).ok());
    EXPECT_THAT(bytes.to_host().value(), Each(200));
    EXPECT_THAT(halves.to_host().value(), Each(-2));
    EXPECT_THAT(words.to_host().value(), Each(1.5f));
    EXPECT_THAT(doubles.to_host().value(), Each(-0.1));
    EXPECT_THAT(pairs.to_host().value(), Each(std::complex<double>(1, -2)));
}

TEST(View, SlicesAsPythonDoes) {
    std::vector<int> host = counted(10);
    const View<int> all(host);
    const auto elements = [](const View<int>& view) {
        std::vector<int> values;
        for (long long i = 0; i < view.shape[0]; ++i) values.push_back(view(i));
        return values;
    };
    EXPECT_THAT(elements(all.slice(0, 2, 8, 3)), ElementsAre(2, 5));
    EXPECT_THAT(elements(all.slice(0, -3, 100)), ElementsAre(7, 8, 9));
    EXPECT_THAT(elements(all.slice(0, 8, 2, -2)), ElementsAre(8, 6, 4));
    EXPECT_THAT(elements(all.slice(0, 9, -11, -4)), ElementsAre(9, 5, 1));
    EXPECT_THAT(elements(all.slice(0, 5, 5)), ElementsAre());
    EXPECT_THAT(elements(all.slice(0, 7, 3)), ElementsAre());
    constexpr long long kMost = std::numeric_limits<long long>::max();
    EXPECT_THAT(elements(all.slice(0, 0, 10, kMost)), ElementsAre(0));
    EXPECT_THAT(elements(all.slice(0, 9, -11, -kMost - 1)), ElementsAre(9));
    EXPECT_THAT(elements(all.slice(0, -kMost, kMost, 9)), ElementsAre(0, 9));
}

TEST(View, RowsTransposesAndShapes) {
    std::vector<int> host = counted(12);
    const auto all = pyk::host(host.data(), {3, 4});
    EXPECT_EQ(all[1](2), 6);
    EXPECT_EQ(all[-1](0), 8);
    EXPECT_EQ(all.transposed()(3, 2), 11);
    EXPECT_FALSE(all.transposed().is_contiguous());
    EXPECT_TRUE(all[2].is_contiguous());
    EXPECT_EQ(all.reshape({2, 3, 2}).value()(1, 2, 1), 11);
    EXPECT_FALSE(all.reshape({5, 2}).ok());
    EXPECT_FALSE(all.reshape({-3, -4}).ok());
    // As many as all when counted modulo 2 to the 64.
    EXPECT_FALSE(all.slice(0, 0, 0).reshape({1ll << 32, 1ll << 32}).ok());
    EXPECT_TRUE(all.slice(0, 0, 0).reshape({1ll << 62, 0, 1ll << 62}).ok());
    EXPECT_FALSE(all.transposed().reshape({12}).ok());
}

// Against loops over the indices.
TEST_P(Memory, CopiesBetweenAnyStrides) {
    std::vector<int> from = counted(6 * 7 * 8);
    auto array = Array<int, 3>::from_host(device, from.data(), {6, 7, 8}).value();
    std::vector<int> got(from.size(), -1);
    const View<int, 3> target(got.data(), {8, 7, 6});
    ASSERT_TRUE(pyk::copy(target, View<const int, 3>(array.view().transposed())).ok());
    ASSERT_TRUE(device.synchronize().ok());
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 7; ++j)
            for (int k = 0; k < 6; ++k) ASSERT_EQ(target(i, j, k), (k * 7 + j) * 8 + i);

    const std::vector<int> patch(3 * 2, 1000);
    const View<const int, 2> source(patch.data(), {3, 2});
    ASSERT_TRUE(pyk::copy(array.view()[5].slice(0, 6, 0, -2).slice(1, 1, 5, 3), source).ok());
    const std::vector<int> after = array.to_host().value();
    for (int j = 0; j < 7; ++j)
        for (int k = 0; k < 8; ++k) {
            const bool is_set = j >= 2 && j % 2 == 0 && (k == 1 || k == 4);
            ASSERT_EQ(after[static_cast<size_t>((5 * 7 + j) * 8 + k)], is_set ? 1000 : (5 * 7 + j) * 8 + k);
        }
    EXPECT_THAT(pyk::copy(View<int, 2>(got.data(), {2, 3}), source).message(), HasSubstr("different shapes"));
}

TEST_P(Memory, WhatIsMovedFromIsEmpty) {
    auto first = Array<int>::from_host(device, counted(3)).value();
    const auto second = std::move(first);
    EXPECT_EQ(first.data(), nullptr);
    EXPECT_THAT(second.to_host().value(), ElementsAre(0, 1, 2));
    EXPECT_FALSE(first.fill(1).ok());
}

TEST_P(Memory, WhatIsAssignedFromIsEmpty) {
    auto small = Array<int>::from_host(device, counted(3)).value();
    auto large = Array<int>::from_host(device, counted(100)).value();
    small = std::move(large);
    EXPECT_EQ(large.data(), nullptr);
    EXPECT_EQ(large.buffer().size(), 0u);
    EXPECT_EQ(small.to_host().value(), counted(100));
}

TEST_P(Memory, ArraysOfTheCpuAreCopiedFromAndToADevices) {
    const auto there = Array<int>::from_host(device, counted(100)).value();
    auto here = Array<int>::allocate(Device::cpu(), {100}).value();
    ASSERT_TRUE(here.copy_from(there.view()).ok());
    ASSERT_TRUE(device.synchronize().ok());
    EXPECT_EQ(here.to_host().value(), counted(100));
    ASSERT_TRUE(here.fill(7).ok());
    ASSERT_TRUE(here.copy_to(there.view()).ok());
    EXPECT_THAT(there.to_host().value(), Each(7));
}

TEST_P(Memory, EventsOfOtherDevicesAreWaitedFor) {
    const auto stream = pyk::Stream::create(device).value(), of_cpu = pyk::Stream::create(Device::cpu()).value();
    const auto event = pyk::Event::create(device).value();
    auto array = Array<int>::allocate(device, {1000}).value();
    ASSERT_TRUE(array.fill(5, stream).ok());
    ASSERT_TRUE(event.record(stream).ok());
    ASSERT_TRUE(of_cpu.wait(event).ok());
    EXPECT_TRUE(event.is_done().value());
    const auto of_the_cpu = pyk::Event::create(Device::cpu()).value();
    ASSERT_TRUE(of_the_cpu.record(of_cpu).ok());
    EXPECT_TRUE(stream.wait(of_the_cpu).ok());
    if (device.is_cpu()) return;
    EXPECT_THAT(pyk::Event::elapsed_ms(event, of_the_cpu).message(), HasSubstr("two devices"));
}

TEST_P(Memory, TooMuchIsAnErrorAndNotTheEnd) {
    const auto huge = Array<double>::allocate(device, {1ll << 50});
    ASSERT_FALSE(huge.ok());
    EXPECT_EQ(huge.error().kind, pyk::Error::Kind::memory);
    // More bytes than a number has.
    const auto beyond = Array<double, 2>::allocate(device, {1ll << 40, 1ll << 40});
    ASSERT_FALSE(beyond.ok());
    EXPECT_EQ(beyond.error().kind, pyk::Error::Kind::memory);
    EXPECT_FALSE(Array<int>::allocate(device, {-1}).ok());
    const auto buffer = [&] { return pyk::Buffer::allocate(device, 400).value(); };
    EXPECT_TRUE(Array<int>::adopt(buffer(), {100}).ok());
    EXPECT_FALSE(Array<int>::adopt(buffer(), {101}).ok());
    EXPECT_FALSE(Array<int>::adopt(buffer(), {1ll << 62}).ok());
    EXPECT_FALSE((Array<int, 2>::adopt(buffer(), {-2, -50}).ok()));
    EXPECT_THAT(Array<int>::from_host(device, nullptr, {5}).message(), HasSubstr("the pointer is null"));
    EXPECT_FALSE(buffer().download(nullptr, 4).ok());
    EXPECT_TRUE(buffer().download(nullptr, 0).ok());
    EXPECT_TRUE(Array<int>::allocate(device, {16}).ok());
    EXPECT_EQ((Array<int, 2>::allocate(device, {0, 5}).value().size()), 0);
}

TEST(Event, ThatWasNotCreatedIsAnError) {
    const pyk::Event none;
    EXPECT_FALSE(none.record().ok());
    EXPECT_FALSE(none.wait().ok());
    EXPECT_FALSE(none.is_done().ok());
    EXPECT_FALSE(pyk::Event::elapsed_ms(none, none).ok());
    EXPECT_FALSE(pyk::Stream::create(Device::cpu()).value().wait(none).ok());
}

TEST_P(Memory, EventsAreInOrder) {
    const auto stream = pyk::Stream::create(device).value();
    const auto start = pyk::Event::create(device).value(), end = pyk::Event::create(device).value();
    auto array = Array<int>::allocate(device, {1 << 20}).value();
    ASSERT_TRUE(start.record(stream).ok());
    ASSERT_TRUE(array.fill(3, stream).ok());
    ASSERT_TRUE(end.record(stream).ok());
    ASSERT_TRUE(end.wait().ok());
    EXPECT_TRUE(end.is_done().value());
    EXPECT_GE(pyk::Event::elapsed_ms(start, end).value(), 0.0);
    const auto other = pyk::Stream::create(device).value();
    EXPECT_TRUE(other.wait(end).ok());
    EXPECT_TRUE(other.synchronize().ok());
}

TEST_P(Memory, GraphsRepeatWhatWasCaptured) {
    const auto stream = pyk::Stream::create(device).value();
    auto a = Array<int>::from_host(device, counted(4)).value();
    auto b = Array<int>::allocate(device, {4}).value();
    ASSERT_TRUE(b.fill(-1, stream).ok());
    ASSERT_TRUE(stream.begin_capture().ok());
    ASSERT_TRUE(b.copy_from(View<const int>(a.view()), stream).ok());
    ASSERT_TRUE(a.fill(9, stream).ok());
    const auto graph = stream.end_capture();
    ASSERT_TRUE(graph.ok()) << graph.message();
    EXPECT_THAT(b.to_host(stream).value(), Each(-1)) << "captured, not done";
    ASSERT_TRUE(graph->launch(stream).ok());
    EXPECT_THAT(b.to_host(stream).value(), ElementsAre(0, 1, 2, 3));
    ASSERT_TRUE(graph->launch(stream).ok());
    EXPECT_THAT(b.to_host(stream).value(), Each(9));
    EXPECT_FALSE(stream.end_capture().ok());
}

// A graph has what was captured, whatever becomes of the objects that it was captured of.
TEST_P(Memory, GraphsKeepGraphsAndEvents) {
    const auto stream = pyk::Stream::create(device).value();
    auto a = Array<int>::from_host(device, counted(4)).value();
    ASSERT_TRUE(stream.begin_capture().ok());
    ASSERT_TRUE(a.fill(9, stream).ok());
    std::optional<pyk::Graph> inner = stream.end_capture().value();
    std::optional<pyk::Event> event = pyk::Event::create(device).value();
    ASSERT_TRUE(stream.begin_capture().ok());
    if (device.is_cpu())  // CUDA has no launches of graphs in what is captured
        ASSERT_TRUE(inner->launch(stream).ok());
    else
        ASSERT_TRUE(a.fill(9, stream).ok());
    ASSERT_TRUE(event->record(stream).ok());
    const auto outer = stream.end_capture();
    ASSERT_TRUE(outer.ok()) << outer.message();
    inner.reset();
    event.reset();
    ASSERT_TRUE(outer->launch(stream).ok());
    EXPECT_THAT(a.to_host(stream).value(), Each(9));
}

TEST_P(Memory, DlpackGoesOutAndComesBack) {
    auto array = Array<float, 2>::allocate(device, {2, 3}).value();
    ASSERT_TRUE(array.fill(2.5f).ok());
    float* const data = array.data();
    DLManagedTensorVersioned* const tensor = pyk::to_dlpack(std::move(array));
    EXPECT_EQ(tensor->version.major, 1u);
    EXPECT_EQ(tensor->dl_tensor.data, data);
    EXPECT_EQ(tensor->dl_tensor.ndim, 2);
    EXPECT_EQ(tensor->dl_tensor.shape[1], 3);
    EXPECT_EQ(tensor->dl_tensor.strides[0], 3);
    EXPECT_EQ(tensor->dl_tensor.dtype.code, kDLFloat);
    EXPECT_EQ(tensor->dl_tensor.dtype.bits, 32);
    EXPECT_EQ(tensor->dl_tensor.device.device_type, device.is_cpu() ? kDLCPU : kDLCUDA);

    EXPECT_THAT((pyk::from_dlpack<double, 2>(tensor).message()), HasSubstr("other elements"));
    EXPECT_THAT((pyk::from_dlpack<float, 1>(tensor).message()), HasSubstr("2 axes, not 1"));
    auto back = pyk::from_dlpack<float, 2>(tensor);
    ASSERT_TRUE(back.ok()) << back.message();
    EXPECT_EQ(back->data(), data);
    EXPECT_THAT(back->to_host().value(), Each(2.5f));

    DLManagedTensor* const legacy = pyk::to_legacy_dlpack(*std::move(back));
    auto again = pyk::from_dlpack<float, 2>(legacy).value();
    EXPECT_THAT(again.to_host().value(), Each(2.5f));
}

TEST(Dlpack, AForeignTensorIsFreedOnce) {
    static int freed = 0;
    freed = 0;
    std::vector<double> memory = {1, 2, 3, 4};
    std::int64_t shape[] = {2, 2};
    DLManagedTensor tensor{};
    tensor.dl_tensor = {memory.data(), {kDLCPU, 0}, 2, {kDLFloat, 64, 1}, shape, nullptr, 0};
    tensor.deleter = [](DLManagedTensor*) { ++freed; };
    {
        auto array = pyk::from_dlpack<double, 2>(&tensor).value();
        EXPECT_EQ(array.data(), memory.data());
        const auto moved = std::move(array);
        EXPECT_EQ(freed, 0);
    }
    EXPECT_EQ(freed, 1);
    std::int64_t strides[] = {1, 2};
    tensor.dl_tensor.strides = strides;
    EXPECT_THAT((pyk::from_dlpack<double, 2>(&tensor).message()), HasSubstr("not C-contiguous"));
    EXPECT_EQ((pyk::view_of<double, 2>(tensor.dl_tensor).value()(1, 0)), 2);
}

TEST(Dlpack, WhatIsNoArrayIsRefused) {
    double memory[4] = {};
    std::int64_t shape[] = {2, -2}, empty[] = {0, 4};
    DLManagedTensorVersioned tensor{};
    tensor.version = {1, 0};
    tensor.dl_tensor = {memory, {kDLCPU, 0}, 2, {kDLFloat, 64, 1}, shape, nullptr, 0};
    EXPECT_THAT((pyk::view_of<double, 2>(tensor.dl_tensor).message()), HasSubstr("has -2 elements along axis 1"));
    EXPECT_THAT((pyk::from_dlpack<double, 2>(&tensor).message()), HasSubstr("has -2 elements along axis 1"));
    shape[1] = 2;
    tensor.dl_tensor.data = nullptr;
    EXPECT_THAT((pyk::view_of<double, 2>(tensor.dl_tensor).message()), HasSubstr("has no memory"));
    tensor.dl_tensor.shape = empty;
    EXPECT_EQ((pyk::view_of<double, 2>(tensor.dl_tensor).value().size()), 0);
    tensor.dl_tensor.shape = nullptr;
    EXPECT_THAT((pyk::view_of<double, 2>(tensor.dl_tensor).message()), HasSubstr("has no shape"));
    tensor.version.major = 2;
    EXPECT_THAT((pyk::from_dlpack<double, 2>(&tensor).message()), HasSubstr("version 2, not 1"));
}

TEST_P(Memory, DlpackSaysWhatMemoryItIs) {
    const std::pair<MemoryKind, DLDeviceType> kinds[] = {{MemoryKind::device, kDLCUDA},
                                                         {MemoryKind::pinned, kDLCUDAHost},
                                                         {MemoryKind::mapped, kDLCUDAHost},
                                                         {MemoryKind::managed, kDLCUDAManaged}};
    for (const auto& [kind, type] : kinds) {
        auto array = Array<int, 1>::allocate(device, {4}, kind).value();
        ASSERT_TRUE(array.fill(7).ok());
        DLManagedTensorVersioned* const tensor = pyk::to_dlpack(std::move(array));
        EXPECT_EQ(tensor->dl_tensor.device.device_type, device.is_cpu() ? kDLCPU : type);
        const auto back = pyk::from_dlpack<int, 1>(tensor).value();
        EXPECT_EQ(is_host_accessible(back.buffer().kind()), !device.is_cpu() && is_host_accessible(kind));
        EXPECT_THAT(back.to_host().value(), Each(7));
    }
}

TEST(CudaArrayInterface, GoesOutAndComesBack) {
    std::vector<float> memory = {0, 1, 2, 3, 4, 5};
    const auto view = pyk::host(memory.data(), {2, 3}).transposed();
    const pyk::CudaArrayInterface array = pyk::cuda_array_interface(view);
    EXPECT_EQ(array.typestr, "<f4");
    EXPECT_EQ(array.ndim, 2);
    EXPECT_FALSE(array.is_readonly);
    EXPECT_EQ((pyk::view_of<float, 2>(array).value()(2, 1)), 5);
    const pyk::View<const float, 2> fixed = view;
    EXPECT_TRUE(pyk::cuda_array_interface(fixed).is_readonly);
}

TEST(CudaArrayInterface, IsCheckedAndRead) {
    const long long shape[] = {3}, strides[] = {8};
    float memory[6] = {0, 1, 2, 3, 4, 5};
    pyk::CudaArrayInterface array{"<f4", 1, shape, strides, memory, true, 3};
    EXPECT_THAT((pyk::view_of<float, 1>(array).message()), HasSubstr("read-only"));
    EXPECT_EQ((pyk::view_of<const float, 1>(array).value()(2)), 4);
    EXPECT_THAT((pyk::view_of<const int, 1>(array).message()), HasSubstr("elements of <f4, not <i4"));
    array.has_mask = true;
    EXPECT_THAT((pyk::view_of<const float, 1>(array).message()), HasSubstr("has a mask"));
    array.has_mask = false;
    array.version = 99;
    EXPECT_THAT((pyk::view_of<const float, 1>(array).message()), HasSubstr("version 99, of at most 3"));
    array.version = 2;
    EXPECT_TRUE((pyk::view_of<const float, 1>(array)));
    const long long negative[] = {-1};
    array.shape = negative;
    EXPECT_THAT((pyk::view_of<const float, 1>(array).message()), HasSubstr("has -1 elements along axis 0"));
}

TEST_P(Memory, CudaArrayInterfaceIsOfTheDeviceThatHasItsMemory) {
    const auto stream = pyk::Stream::create(device).value();
    auto array = Array<int>::allocate(device, {1 << 20}, MemoryKind::device, stream).value();
    ASSERT_TRUE(array.fill(7, stream).ok());
    pyk::View<int> view = array.view();
    pyk::CudaArrayInterface described = pyk::cuda_array_interface(view);
    described.stream = stream.handle();
    const auto back = pyk::view_of<int, 1>(described).value();
    std::vector<int> host(5);
    if (device.is_cpu()) {
        EXPECT_EQ(back.device, nullptr);
        return;
    }
    EXPECT_EQ(back.device, &device.context());
    EXPECT_THAT((pyk::copy(pyk::host(host.data(), {5}), back.slice(0, 0, 5))).message(), "");
    EXPECT_THAT(host, Each(7));
    auto pinned = Array<int>::allocate(device, {4}, MemoryKind::pinned).value();
    const pyk::View<int> of_pinned = pinned.view();
    EXPECT_EQ((pyk::view_of<int, 1>(pyk::cuda_array_interface(of_pinned)).value().device), &device.context());
}

TEST(Device, TheCpuIsOne) {
    const Device cpu = Device::cpu();
    EXPECT_TRUE(cpu.is_cpu());
    EXPECT_EQ(cpu, Device::cpu());
    EXPECT_GT(cpu.free_memory().value(), 0u);
    cpu.make_current();
    EXPECT_EQ(Device(), cpu);
}

TEST(Device, TheCpuKnowsItsStreams) {
    int foreign = 0;
    const auto borrowed = pyk::Stream::borrow(Device::cpu(), &foreign);
    EXPECT_THAT(borrowed.synchronize().message(), HasSubstr("none of the CPU's"));
    EXPECT_FALSE(borrowed.begin_capture().ok());
    EXPECT_FALSE(borrowed.end_capture().ok());
    EXPECT_FALSE(Array<int>::from_host(Device::cpu(), counted(3)).value().to_host(borrowed).ok());
    void* handle = nullptr;
    {
        const auto own = pyk::Stream::create(Device::cpu()).value();
        handle = own.handle();
        EXPECT_TRUE(pyk::Stream::borrow(Device::cpu(), handle).synchronize().ok());
    }
    EXPECT_FALSE(pyk::Stream::borrow(Device::cpu(), handle).synchronize().ok()) << "it was destroyed";
}

TEST_P(Memory, StreamsOfOthersDevicesAreRefused) {
    if (device.is_cpu()) GTEST_SKIP() << "needs a second device";
    const auto stream = pyk::Stream::create(Device::cpu()).value();
    EXPECT_THAT(Array<int>::allocate(device, {4}, MemoryKind::pooled, stream).message(), HasSubstr("another device"));
    auto array = Array<int>::from_host(device, counted(4)).value();
    EXPECT_THAT(array.to_host(stream).message(), HasSubstr("the stream is of the CPU"));
    EXPECT_THAT(array.fill(1, stream).message(), HasSubstr("the stream is of the CPU"));
    EXPECT_THAT(array.copy_from(array.view(), stream).message(), HasSubstr("the stream is of the CPU"));
}

}  // namespace
