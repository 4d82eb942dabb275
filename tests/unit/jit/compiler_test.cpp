// The half of libpyk that compiles, for a GPU that need not be there.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "../compile/environment.h"
#include "compile/nvjitlink.h"
#include "compile/nvrtc.h"
#include "compile/temp_folder.h"
#include "jit/compiler/program.h"
#include "support/files.h"

namespace {

using pyk::jit::ArgumentType;
using pyk::jit::Element;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kText = R"py(from numba import cuda, vectorize


@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += a


@cuda.jit
def huge(a, x):
    s = cuda.shared.array(100000, 'float64')
    s[cuda.threadIdx.x] = a
    cuda.syncthreads()
    x[0] = s[cuda.threadIdx.x ^ 1]


@cuda.jit
def spilling(a, x):
    t = cuda.local.array(64, 'float32')
    for i in range(64):
        t[i] = x[i] * a
    for k in range(8):
        for i in range(64):
            t[i] = t[i] * t[63 - i] + a
    for i in range(64):
        x[i] = t[i]


@cuda.jit
def say(a, x):
    print("a =", a, cuda.grid(1), a > 0)


@vectorize
def half(x):
    return x * 0.5
)py";

class Compiled : public ::testing::Test {
  protected:
    void SetUp() override {
        if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    }
    std::shared_ptr<const pyk::jit::CompilerProgram> program() const {
        return pyk::jit::compiler().open("folder/kernels.pyk", kText, options, "").value();
    }
    static pyk::jit::BuildRequest request(const char* kernel) {
        return {kernel,
                {ArgumentType{Element::float32}, ArgumentType{Element::float32, 1, pyk::jit::Order::c}},
                false,
                {false, 90, "a GPU"}};
    }
    pyk::jit::Options options;
};

// By vectors of 16 bytes, and one by one at the end.
TEST_F(Compiled, TheWideFormOfAPureMap) {
    pyk::jit::BuildRequest wanted = request("add");
    const auto plain = program()->build(wanted);
    ASSERT_TRUE(plain) << plain.message();
    EXPECT_EQ(plain->entry.elements_per_thread, 4);
    wanted.wide = true;
    for (const int arch : {75, 80, 90, 100}) {
        wanted.arch.compute_capability = arch;
        const auto wide = program()->build(wanted);
        ASSERT_TRUE(wide) << wide.message();
        EXPECT_EQ(wide->entry.symbol, plain->entry.symbol + "_wide");
        EXPECT_EQ(wide->warnings, "");
    }
    EXPECT_EQ(program()->build(request("say"))->entry.elements_per_thread, 0);
}

// The first form of an array function has one element a thread, and knows which operands are numbers: NVRTC needs less
// time for it. The wide one has vectors, and an element for what lies before and behind them.
TEST_F(Compiled, TheFormsOfAnArrayFunction) {
    pyk::jit::BuildRequest wanted = request("half");
    wanted.types = {ArgumentType{Element::float64}};
    wanted.access = pyk::jit::ElementAccess::flat;
    const auto loads_of = [&](std::vector<bool> numbers) {
        wanted.wide = numbers.empty();
        wanted.numbers = std::move(numbers);
        const auto ptx = program()->ptx(wanted);
        EXPECT_TRUE(ptx) << ptx.message();
        const auto count = [&](const std::string& what) {
            int found = 0;
            for (size_t at = ptx->find(what); at != std::string::npos; at = ptx->find(what, at + 1)) ++found;
            return found;
        };
        return std::pair(count("ld.global.v4"), count("ld.global"));
    };
    EXPECT_EQ(loads_of({}), std::pair(1, 2));
    EXPECT_EQ(loads_of({true}), std::pair(0, 0));
    EXPECT_EQ(loads_of({false}), std::pair(0, 1));
    EXPECT_EQ(program()->build(wanted)->entry.elements_per_thread, 2);
}

// Of what has a loop the first form is the only one, whose code counts more than NVRTC's time for it.
TEST_F(Compiled, AFunctionWithALoopHasOneForm) {
    const char* const text =
        "from numba import vectorize\n\n\n@vectorize\ndef power(x, y):\n    r = x\n    while r < y:\n        r = r * "
        "x\n    return r\n";
    const auto looping = pyk::jit::compiler().open("looping.pyk", text, {}, "").value();
    pyk::jit::BuildRequest wanted = request("power");
    wanted.types = {ArgumentType{Element::float64}, ArgumentType{Element::float64}};
    wanted.access = pyk::jit::ElementAccess::flat;
    wanted.numbers = {false, true};
    EXPECT_EQ(looping->build(wanted)->entry.elements_per_thread, 1);
    EXPECT_THAT(looping->emitted(wanted).value(), HasSubstr("pyk::flat_input<double>(pyk_loop.operands[1], pyk_i)"));
}

TEST_F(Compiled, ARecordThatIsNoTypeIsWrong) {
    const pyk::jit::NamedType named{"Record(tag[type=byte of mine;offset=0];1;False)", 1, 1};
    for (const char* function : {"half", "add"}) {
        pyk::jit::BuildRequest wanted = request(function);
        wanted.types.resize(function[0] == 'h' ? 1 : 2);
        if (function[0] == 'h') {
            wanted.access = pyk::jit::ElementAccess::flat;
            wanted.numbers = {false};
        }
        wanted.types.front() = ArgumentType{Element::named};
        wanted.types.front().named = &named;
        const auto built = program()->build(wanted);
        ASSERT_FALSE(built) << function;
        EXPECT_EQ(built.error().kind, pyk::Error::Kind::arguments) << built.message();
        EXPECT_THAT(built.message(), HasSubstr("byte of mine"));
    }
}

TEST_F(Compiled, ForAGpu) {
    const auto built = program()->build(request("add")).value();
    EXPECT_EQ(built.entry.symbol, "pyk_add_f4_a1f4c");
    EXPECT_EQ(built.binary.substr(1, 3), "ELF");
    EXPECT_THAT(program()->ptx(request("add")).value(), HasSubstr(".entry pyk_add_f4_a1f4c"));
    EXPECT_THAT(program()->typed_ir(request("add")).value(), HasSubstr("float32"));
    const auto sass = pyk::jit::compiler().disassemble(built.binary);
    if (sass)
        EXPECT_THAT(*sass, HasSubstr("EXIT"));
    else
        EXPECT_THAT(sass.message(), HasSubstr("nvdisasm"));
}

TEST(Disassembly, IsThatOfTheToolkitThatIsNamed) {
    const pyk::TempFolder toolkit;
    std::filesystem::create_directory(toolkit.file("bin"));
    const std::string tool = toolkit.file("bin/nvdisasm");
    const pyk::ScopedVariable home("CUDA_HOME", toolkit.path().c_str()), nvcc("PYK_NVCC", nullptr);
    for (const auto& [script, says] :
         {std::pair("cat $1", "a cubin"), std::pair("echo no use >&2; exit 1", "no use")}) {
        ASSERT_TRUE(pyk::write_file(tool, std::string("#!/bin/sh\n") + script + "\n"));
        ASSERT_EQ(chmod(tool.c_str(), 0755), 0);
        const auto sass = pyk::jit::compiler().disassemble("a cubin");
        EXPECT_THAT(sass ? *sass : sass.message(), HasSubstr(says));
        EXPECT_EQ(static_cast<bool>(sass), says == std::string("a cubin"));
    }
}

TEST_F(Compiled, LinkedCodeIsMadeByTwoTools) {
    const std::string nvrtc = pyk::nvrtc_info()->path;
    const auto plain = program()->build(request("add")).value();
    EXPECT_THAT(plain.tools, ElementsAre(nvrtc));
    EXPECT_THAT(plain.tool, StartsWith("NVRTC "));

    const auto linker = pyk::nvjitlink_info();
    if (!linker) GTEST_SKIP() << linker.error().text;
    const char* const text = R"py(from numba import cuda

TWICE = """extern "C" __device__ int twice(float* result, float x) { *result = 2 * x; return 0; }"""
twice = cuda.declare_device("twice", "float32(float32)", link=cuda.CUSource(TWICE))


@cuda.jit
def add(a, x):
    x[0] += twice(a)
)py";
    const auto linked = pyk::jit::compiler().open("linked.pyk", text, {}, "").value()->build(request("add"));
    ASSERT_TRUE(linked) << linked.message();
    EXPECT_THAT(linked->tools, ElementsAre(nvrtc, linker->path));
    EXPECT_THAT(linked->tool, StartsWith("nvJitLink " + std::to_string(linker->major) + "."));
    EXPECT_EQ(linked->binary.substr(1, 3), "ELF");
}

TEST_F(Compiled, Spills) {
    EXPECT_EQ(program()->spills(request("add")).value().stored, 0u);
    options.code.max_registers = 24;
    const auto spills = program()->spills(request("spilling")).value();
    EXPECT_GT(spills.stored, 0u);
    EXPECT_GT(spills.loaded, 0u);
}

TEST_F(Compiled, WhatPtxasRefusesIsToldOfTheKernel) {
    const auto refused = program()->build(request("huge"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, pyk::Error::Kind::diagnostics);
    EXPECT_THAT(refused.message(),
                HasSubstr("kernels.pyk:12:5: error: kernel `huge` has 800000 bytes of shared arrays"));
    ASSERT_EQ(refused.error().details->findings.size(), 1u);
    EXPECT_EQ(refused.error().details->findings[0].id, "shared-too-large");
    EXPECT_EQ(refused.error().details->findings[0].line, 12);
}

TEST_F(Compiled, PrintsToASink) {
    EXPECT_THAT(program()->emitted(request("say")).value(), HasSubstr("printf(\"a = %f"));
    options.on_print = [](std::string_view) {};
    EXPECT_THAT(program()->emitted(request("say")).value(), HasSubstr("pyk::print(\"a = %f"));
    EXPECT_THAT(program()->build(request("say")).value().binary, HasSubstr("pyk_prints"));
}

}  // namespace
