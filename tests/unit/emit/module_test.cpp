// Whole files: head, prelude, functions, entries, lines.
#include "emit/lines.h"
#include "emit/long_line.h"
#include "emitted.h"
#include "ir/build.h"

namespace pyk::test {
namespace {

constexpr const char* kSaxpy = R"(module "saxpy.pyk"

constant TPB: int64 = 16
constant half: float32 = 0.5

device axpy = axpy_f4(a: float32, x: float32, y: float32) -> float32 inline {
  return ((a * x) + y)
}

kernel saxpy = pyk_saxpy_f4_a1f4c_a1f4c(a: float32, x: float32[::1], y: float32[::1]) noalias effects(reads, writes) {
  var i: int64

  i = @cuda.grid.x:int64
  if (i < shape(y, 0)) {
    store y[i] = call axpy_f4(a, x[i], y[i])
  }
}
)";

TEST(EmitModule, Cuda) {
    EXPECT_EQ(emit_text(kSaxpy), R"(// saxpy.pyk → CUDA C++ by pykc 0.1.
// saxpy(float32, float32[::1], float32[::1]) noalias

#include <pyk/array.h>
#include <pyk/thread.h>

namespace saxpy {

constexpr long long TPB = 16;
constexpr float half = 0.5f;

__device__ __forceinline__ float axpy(float a, float x, float y)
{
    return a * x + y;
}

extern "C" __global__ void pyk_saxpy_f4_a1f4c_a1f4c(float a, const float* __restrict__ x_data, long long x_shape0,
        float* __restrict__ y_data, long long y_shape0)
{
    const pyk::array<const float, 1> x{x_data, {x_shape0}};
    const pyk::array<float, 1> y{y_data, {y_shape0}};
    const long long i = pyk::grid_x();
    if (i < y.shape[0])
        y(i) = axpy(a, x(i), y(i));
}

}  // namespace saxpy
)");
}

/// The text for the CPU where all of the functions ask for fast mathematics, or all but the last.
std::string with_fastmath(bool of_all) {
    ir::Module module = read_ir(kSaxpy);
    for (ir::Function& function : module.functions) function.options.fastmath = true;
    module.functions.back().options.fastmath = of_all;
    EmitOptions options;
    options.include_prelude = true;
    Diagnostics diagnostics;
    const auto unit = emit(module, cpu_target(), options, diagnostics);
    EXPECT_TRUE(unit) << render(diagnostics);
    return unit ? unit->text : "";
}

TEST(EmitModule, FastMathematicsOfTheCpuAreForAllFunctionsOrNone) {
    EXPECT_NE(with_fastmath(true).find("#pragma GCC optimize(\"associative-math\""), std::string::npos);
    EXPECT_EQ(with_fastmath(false).find("#pragma GCC optimize"), std::string::npos);
    EXPECT_EQ(emit_text(kSaxpy, cpu_target()).find("#pragma GCC optimize"), std::string::npos);
}

TEST(EmitModule, Cpu) {
    const std::string text = emit_text(kSaxpy, cpu_target());
    EXPECT_EQ(
        text.substr(text.find("static inline void saxpy")),
        R"(static inline void saxpy(pyk::thread& pyk_t, float a, pyk::array<const float, 1> x, pyk::array<float, 1> y)
{
    const long long i = pyk::grid_x(pyk_t);
    if (i < y.shape[0])
        y(i) = axpy(a, x(i), y(i));
}

struct pyk_saxpy_f4_a1f4c_a1f4c_args {
    float a;
    pyk::array<const float, 1> x;
    pyk::array<float, 1> y;
};

extern "C" void pyk_saxpy_f4_a1f4c_a1f4c(const pyk::cpu_block* pyk_block, [[maybe_unused]] const void* pyk_args)
{
    [[maybe_unused]] const auto pyk_a = *static_cast<const pyk_saxpy_f4_a1f4c_a1f4c_args*>(pyk_args);  // a copy, or g++ vectorises nothing
    pyk::for_each_thread(*pyk_block, [&]([[maybe_unused]] pyk::thread& pyk_t) { saxpy(pyk_t, pyk_a.a, pyk_a.x, pyk_a.y); });
}

}  // namespace saxpy
)");
}

TEST(EmitModule, ACallOfTheHostIsNoLoopOverThreads) {
    const std::string head = "module \"t.pyk\"\n\nkernel f_call = pyk_f_call(n: int64)";
    const std::string body = " {\n  return\n}\n";
    EXPECT_NE(emit_text(head + " one_thread" + body, cpu_target()).find("pyk::for_the_thread(*pyk_block, "),
              std::string::npos);
    EXPECT_NE(emit_text(head + body, cpu_target()).find("pyk::for_each_thread(*pyk_block, "), std::string::npos);
    EXPECT_NE(emit_text(head + " one_thread effects(barrier)" + body, cpu_target()).find("pyk_block->run_threads("),
              std::string::npos);
}

TEST(EmitModule, TheEntryPoint) {
    const Unit unit = emit_unit(kSaxpy, cuda_target());
    ASSERT_EQ(unit.entries.size(), 1u);
    const EntryPoint& entry = unit.entries[0];
    EXPECT_EQ(entry.kernel, "saxpy");
    EXPECT_EQ(entry.symbol, "pyk_saxpy_f4_a1f4c_a1f4c");
    ASSERT_EQ(entry.params.size(), 3u);
    EXPECT_EQ(entry.params[1].name, "x");
    EXPECT_FALSE(entry.params[1].written);
    EXPECT_TRUE(entry.params[2].written);
    EXPECT_FALSE(entry.cooperative);
}

TEST(EmitModule, TheSameEveryTime) {
    EXPECT_EQ(emit_unit(kSaxpy, cuda_target()).text, emit_unit(kSaxpy, cuda_target()).text);
}

TEST(EmitModule, OnlyThePartsThatAreUsedArePasted) {
    const std::string text = emit_unit(kSaxpy, cuda_target()).text;
    EXPECT_NE(text.find("PYK_ARRAY_H"), std::string::npos);
    EXPECT_EQ(text.find("PYK_TUPLE_H"), std::string::npos);
    EXPECT_EQ(text.find("PYK_CPU_H"), std::string::npos);
    EXPECT_EQ(text.find("#include"), std::string::npos);
}

TEST(EmitModule, ATargetThatLacksABuiltin) {
    ir::Module module = read_ir(kSaxpy);
    Diagnostics diagnostics;
    static Builtin lacking = *find_builtin("math.sqrt");
    lacking.spelling = {};
    std::vector<ir::ExprPtr> args;
    args.push_back(ir::make(Scalar::float32, {}, ir::Constant{1.0}));
    auto& device = module.functions[0];
    device.body.insert(device.body.begin(),
                       {{}, ir::Evaluate{ir::make(Scalar::float32, {}, ir::BuiltinCall{&lacking, std::move(args)})}});
    EXPECT_FALSE(emit(module, cuda_target(), {}, diagnostics));
    ASSERT_EQ(diagnostics.error_count(), 1u);
    EXPECT_EQ(diagnostics.all()[0].text, "`math.sqrt` is not available on target `cuda`");
}

TEST(EmitModule, Header) {
    const ir::Module module = read_ir(kSaxpy);
    Diagnostics diagnostics;
    const std::string text = emit_header(module, {}, {.kernels = true}, diagnostics).value();
    EXPECT_EQ(text, R"(// saxpy.pyk → C++ functions that launch its kernels, by pykc 0.1.
#pragma once

#include <pyk/aot.h>

#ifndef PYK_HAS_2494b438  // or another file has the same
#define PYK_HAS_2494b438

namespace saxpy {
inline namespace pyk_f9addf23 __attribute__((visibility("default"))) {

/// saxpy(float32, float32[::1], float32[::1]) noalias at saxpy.pyk:0
pyk::Status saxpy(const pyk::Launch& launch, pyk::Scalar<float> a, pyk::View<const float, 1> x, pyk::View<float, 1> y);

#ifdef __CUDACC__
// For `kernel<<<grid, block>>>(…)`.
__global__ void pyk_saxpy_f4_a1f4c_a1f4c(float a, const float* __restrict__ x_data, long long x_shape0,
        float* __restrict__ y_data, long long y_shape0);

#endif  // __CUDACC__

// --- what the functions launch

int pyk_find(const char* name, void** address);

inline pyk::aot::File pyk_file{"saxpy.pyk", nullptr, &pyk_find, false};

inline constexpr pyk::aot::Instance pyk_saxpy_f4_a1f4c_a1f4c_code_instances[] = {
    {"pyk_saxpy_f4_a1f4c_a1f4c", nullptr, nullptr, ".cc", false, false},
};
inline constexpr pyk::aot::Kernel pyk_saxpy_f4_a1f4c_a1f4c_code{"saxpy", "a,x,y", pyk_saxpy_f4_a1f4c_a1f4c_code_instances, 1};

inline pyk::Status saxpy(const pyk::Launch& launch, pyk::Scalar<float> a, pyk::View<const float, 1> x,
        pyk::View<float, 1> y)
{
    return pyk::aot::launch(pyk_file, pyk_saxpy_f4_a1f4c_a1f4c_code, launch, a, x, y);
}
template <class T0, std::enable_if_t<pyk::aot::are_exactly<pyk::aot::Types<T0>, pyk::aot::Types<float>>, int> = 0>
pyk::Status saxpy(const pyk::Launch& launch, T0 a, pyk::View<const float, 1> x, pyk::View<float, 1> y)
{
    return pyk::aot::launch(pyk_file, pyk_saxpy_f4_a1f4c_a1f4c_code, launch, a, x, y);
}

}  // inline namespace pyk_f9addf23
}  // namespace saxpy

#endif
)");
}

TEST(EmitModule, SharedArraysOfTheCpuHaveAnEnd) {
    const auto fits = [](int elements) {
        const std::string count = std::to_string(elements);
        const ir::Module module = read_ir(
            "module \"t.pyk\"\n\ndevice f = f(v: float32) -> float32 effects(reads, writes) {\n  shared a: "
            "float32[::1] "
            "shape(" +
            count +
            ")\n  store a[0] = v\n  return a[0]\n}\n\nkernel k = pyk_k(x: float32[::1]) effects(reads, writes"
            ") {\n  shared b: float32[::1] shape(16)\n  store b[0] = x[0]\n  store x[0] = (call f(b[0]) + "
            "b[0])\n}\n");
        Diagnostics diagnostics;
        const bool has_text = emit(module, cpu_target(), {}, diagnostics).has_value();
        EXPECT_TRUE(emit(module, cuda_target(), {}, diagnostics)) << "ptxas says it";
        EXPECT_EQ(diagnostics.has_errors(), !has_text);
        return has_text;
    };
    EXPECT_TRUE(fits(65536 - 16));
    EXPECT_FALSE(fits(65536 - 15));
}

TEST(EmitModule, ThreadsOfArrayFunctionsOnTheCpuHaveStacksOfTheirOwn) {
    const auto fits = [](int elements, const char* array) {
        const ir::Module module = read_ir(
            "module \"t.pyk\"\n\ndevice f = f_f8(v: float64) -> float64 effects(reads, writes) {\n  local a: "
            "float64[::1] shape(" +
            std::to_string(elements) + ")\n  store a[0] = v\n  return a[0]\n}\n" + array);
        Diagnostics diagnostics;
        const bool has_text = emit(module, cpu_target(), {}, diagnostics).has_value();
        EXPECT_EQ(diagnostics.has_errors(), !has_text);
        return has_text;
    };
    const char* const kArray = "\narray f = pyk_f of f_f8(flat)\n";
    EXPECT_TRUE(fits(1 << 19, kArray));
    EXPECT_FALSE(fits((1 << 19) + 1, kArray));
    EXPECT_TRUE(fits((1 << 19) + 1, "")) << "others have as much as they need";
}

// Where an array's words are passed one by one their names are not the author's.
TEST(EmitModule, AnAuthorsNamesGiveWayToAnArraysWords) {
    const std::string text = emit_text(
        "module \"t.pyk\"\n\nkernel k = pyk_k(x: readonly float32[::1], y: float32[::1], x_data: float32) noalias "
        "effects(reads, writes) {\n  var y_shape0: float32\n  y_shape0 = x[0]\n  store y[0] = (y_shape0 + x_data)\n}\n",
        cuda_target(), {});
    EXPECT_NE(text.find("const float* __restrict__ x_data, long long x_shape0"), std::string::npos) << text;
    EXPECT_NE(text.find("float x_data_1)"), std::string::npos) << text;
    EXPECT_NE(text.find("y(0) = y_shape0_1 + x_data_1;"), std::string::npos) << text;
}

// A header's functions choose between two variants; a text without a header has one.
TEST(EmitModule, VariantsForAHeader) {
    std::string general = kSaxpy;
    general.replace(general.find(" noalias"), 8, "");
    const ir::Module module = read_ir(general);
    const auto text = [&](bool has_header, bool is_linked) {
        EmitOptions options;
        options.has_header = has_header;
        options.is_linked = is_linked;
        Diagnostics diagnostics;
        return emit(module, cuda_target(), options, diagnostics).value();
    };
    EXPECT_EQ(text(false, false).entries[0].disjoint_symbol, "");
    EXPECT_EQ(text(false, false).text.find("__restrict__"), std::string::npos);
    const Unit both = text(true, true);
    EXPECT_EQ(both.entries[0].disjoint_symbol, "pyk_saxpy_f4_a1f4c_a1f4c_noalias");
    EXPECT_NE(both.text.find("\nPYK_LINKED __global__ void pyk_saxpy_f4_a1f4c_a1f4c_noalias(float a, const float* "
                             "__restrict__ x_data"),
              std::string::npos);
    EXPECT_NE(both.text.find("int pyk_find(const char* name, void** address)"), std::string::npos);
    const Unit for_driver = text(true, false);
    EXPECT_NE(for_driver.text.find("extern \"C\" __global__ void pyk_saxpy_f4_a1f4c_a1f4c_noalias("),
              std::string::npos);
    EXPECT_EQ(for_driver.text.find("pyk_find"), std::string::npos);
    // Whatever the kernels differ in, their names do.
    const ir::Module other = read_ir(std::string(general).replace(general.find("(a * x)"), 7, "(x * a)"));
    const auto head = [](const ir::Module& of) {
        Diagnostics diagnostics;
        return emit_header(of, {}, {.kernels = true}, diagnostics).value().substr(0, 300);
    };
    EXPECT_NE(head(module), head(other));
}

TEST(EmitLines, TheTrail) {
    std::vector<Line> lines{{"    a;", 3},     {"    b;", 4}, {"    for (;;)", 5, true},
                            {"        c;", 6}, {"    d;", 9}, {"    }", 0}};
    emitter::add_trail(lines, "t.pyk", {});
    EXPECT_EQ(lines[0].text, "    a;        // t.pyk:3");
    EXPECT_EQ(lines[1].text, "    b;");
    EXPECT_EQ(lines[2].text, "    for (;;)  // :5");
    EXPECT_EQ(lines[3].text, "        c;");
    EXPECT_EQ(lines[4].text, "    d;        // :9");
}

TEST(EmitLines, MarksAndDirectives) {
    const std::vector<Line> lines{{"a", 3}, {"b", 4}, {"}", 0}, {"c", 5}};
    const auto unit = emitter::unmarked("head\n" + emitter::marked(lines) + "\n");
    EXPECT_EQ(unit.text, "head\na\nb\n}\nc\n");
    EXPECT_EQ(unit.source_lines, (std::vector<uint32_t>{0, 3, 4, 0, 5}));
    const auto directed = emitter::with_line_directives(unit, "t.pyk");
    EXPECT_EQ(directed.text, "head\n#line 3 \"t.pyk\"\na\nb\n}\n#line 5 \"t.pyk\"\nc\n");
    EXPECT_THAT(emitter::with_line_directives(unit, "a\"b\\c.pyk").text,
                testing::HasSubstr(R"(#line 3 "a\"b\\c.pyk")"));
    EXPECT_EQ(directed.source_lines, (std::vector<uint32_t>{0, 0, 3, 4, 0, 0, 5}));
}

// Wide vectors are for integers of several sizes: see emit/options.cpp.
TEST(EmitModule, AsksTheCpusCompilerForVectors) {
    const auto flags = [](std::string_view statement, const Target& target, std::string_view more = {}) {
        return emit_unit("module \"t.pyk\"\n\nkernel k = pyk_k(a: uint8[::1], n: int64, x: float64" +
                             std::string(more) + ") {\n  " + std::string(statement) + "\n}\n",
                         target)
            .flags;
    };
    const std::vector<std::string> wide{"-mprefer-vector-width=512"}, short_rows{"-mprefer-vector-width=256"}, none;
    EXPECT_EQ(flags("store a[(n + 1)] = @max(a[1], a[(n - 1)]):uint8", cpu_target()), short_rows);
    EXPECT_EQ(flags("store a[0] = uint8((int64(a[1]) + n))", cpu_target()), wide);
    EXPECT_EQ(flags("store b[0] = (b[1] + n)", cpu_target(), ", b: int64[::1]"), wide);
    EXPECT_EQ(flags("store a[0] = uint8((float64(a[1]) * x))", cpu_target()), wide);
    EXPECT_EQ(flags("store a[0] = uint8((x * 2.0))", cpu_target()), none) << "nothing small is loaded";
    EXPECT_EQ(flags("store a[0] = uint8((float64(a[1]) * b[1]))", cpu_target(), ", b: float64[::1]"), none);
    EXPECT_EQ(flags("store a[0] = uint8((int64(a[1]) + n))", cuda_target()), none);
}

TEST(EmitModule, AListGoesOnTwoStepsFurtherInThanItsLineBegan) {
    const std::string list = emitter::joined(std::vector<std::string>(11, "0123456789"));
    const auto lines = [&](const std::string& head) { return emitter::unmarked(head + list + ");").text; };
    EXPECT_THAT(lines("f("), testing::HasSubstr(",\n        0123456789, 0123456789);\n"));
    EXPECT_THAT(lines(std::string(12, ' ') + "f("), testing::HasSubstr("\n" + std::string(20, ' ') + "0123456789"));
}

/// A statement in lines as it was in one.
std::string in_one(std::string line) {
    const std::string next = "\n        ";
    for (size_t at; (at = line.find(next)) != std::string::npos;)
        line.replace(at, next.size(), at && line[at - 1] == '(' ? "" : " ");
    return line;
}

// Of as few parentheses as can be, what binds least; the last that fits.
TEST(EmitLongLine, BreaksWhereItHangsTogetherLeast) {
    const std::string a(50, 'a'), b(50, 'b'), c(50, 'c'), in(8, ' ');
    const auto expect = [&](const std::string& line) { EXPECT_EQ(emitter::broken(in_one(line)), line); };
    expect("x = " + a + " + " + b + "\n" + in + "+ " + c + ";");
    expect("x = " + a + "\n" + in + "+ " + b + " * " + c + ";");
    expect("x = f(" + a + " + " + b + ")\n" + in + "* (" + c + " + 1);");
    expect("if (" + a + " == 1\n" + in + "&& " + b + " < " + c + ") {");
    expect("x = f(" + a + ", " + b + ",\n" + in + "g(" + c + " + 1));");
    expect("x = " + a + " ? " + b + "\n" + in + ": " + c + ";");
    expect("x = f(\"" + a + " + \\\" + " + b + "\",\n" + in + c + ");");
    expect("x = " + a + " + " + b + "\n" + in + "+ " + c + " + " + a + "\n" + in + "+ " + b + ";");
}

TEST(EmitLongLine, BreaksBehindAnAssignmentWhereThatIsEnough) {
    const std::string a(50, 'a'), b(50, 'b'), c(50, 'c'), in(8, ' ');
    for (const std::string& line :
         {a + " =\n" + in + "f(g(h(" + b + " + 1000000)));", a + "(i, " + c + ") =\n" + in + a + " + f(i, " + b + ");",
          a + "[f(i, " + c + ")] +=\n" + in + "f(" + a + ",\n" + in + b + " + " + c + ");",
          a + "[f(i)] =\n" + in + "f(" + b + ", g(" + c + "))\n" + in + "+ " + a + ";",
          "int x[40] = {" + a + ", " + b + ",\n" + in + c + "};"})
        EXPECT_EQ(emitter::broken(in_one(line)), line);
}

// What takes the parameters' types apart is no list of its own.
TEST(EmitLongLine, HeadsBreakBetweenParametersOrInFrontOfThem) {
    const std::string a(40, 'a'), b(64, 'b'), in(8, ' ');
    for (const std::string& line :
         {"void k(pyk::array<float, 1> " + a + ", pyk::array<int, 1> b, int c,\n" + in + "pyk::array<float, 2> d)",
          "__global__ void " + b + "(\n" + in + "pyk::array<float, 1> " + a + ")"})
        EXPECT_EQ(emitter::broken(in_one(line)), line);
}

TEST(EmitLongLine, StaysWholeWhereItCannotBreakOrIsShort) {
    const std::string a(150, 'a');
    for (const std::string& line : {a + ";", "y = 1 + 2;  // " + a + " + 1"}) EXPECT_EQ(emitter::broken(line), line);
}

}  // namespace
}  // namespace pyk::test
