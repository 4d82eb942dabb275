// Subscripts, views, attributes, loops over arrays: the types that Numba gives them; shared and local arrays.
#include "../types/oracle.h"
#include "ir/text.h"
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr std::string_view kIndices =
    "i8: int8, i32: int32, i64: int64, u32: uint32, u64: uint64, b: boolean, f: float32, c: ";

// The text of an index for a row of index.tsv.
std::string subscript_text(std::string_view index) {
    static const std::map<std::string_view, std::string> texts = {
        {"int8", "i8"},   {"int32", "i32"}, {"int64", "i64"},  {"uint32", "u32"},         {"uint64", "u64"},
        {"boolean", "b"}, {"float32", "f"}, {"slice2", "1:3"}, {"slice3", "i64:i32:i64"}, {"...", "..."},
        {"none", "None"}};
    if (const auto found = texts.find(index); found != texts.end()) return found->second;
    if (!index.starts_with("Tuple(")) return "";
    std::string all;
    const auto parts = pyk::oracle::split(index.substr(6, index.size() - 7));
    for (const std::string& part : parts) {
        const std::string text = subscript_text(part);
        if (text.empty()) return "";
        all += text + ", ";
    }
    return all.empty() ? "" : all.substr(0, all.size() - (parts.size() == 1 ? 1 : 2));
}

// Every subscript that Numba types in one way has that type here, and what it refuses is refused.
TEST(Oracle, SubscriptsOfArraysAndTuples) {
    int checked = 0;
    for (const auto& row : pyk::oracle::rows("index")) {
        const std::string &container = row[0], &index = row[1], &result = row[2];
        std::string expression;
        if (index.starts_with('='))
            expression = "c[" + index.substr(1) + "]";
        else if (index.starts_with('.') && index != "...")
            expression = "c" + index;
        else if (const std::string text = subscript_text(index); !text.empty())
            expression = "c[" + text + "]";
        if (expression.empty()) continue;
        const std::string expected = result == "-" ? "error" : pyk::ir::type_text(pyk::oracle::type(result));
        if (container.find("readonly") != std::string::npos) continue;
        const std::string params = std::string(kIndices) + pyk::ir::type_text(pyk::oracle::type(container));
        EXPECT_EQ(type_of(params, expression), expected) << container << "\t" << index << "\t" << expression;
        ++checked;
    }
    EXPECT_GT(checked, 580);
}

TEST(Oracle, LoopVariables) {
    for (const auto& row : pyk::oracle::rows("index")) {
        if (row[1] != "for-in") continue;
        const pyk::Type container = pyk::oracle::type(row[0]);
        const Analysis result = analyze_text("@cuda.jit\ndef k(c):\n    for x in c:\n        __it = x\n",
                                             {"k(" + pyk::ir::type_text(container) + ")"});
        if (row[2] == "-") {
            EXPECT_EQ(result.findings.size(), 1u) << row[0];
            continue;
        }
        EXPECT_THAT(result.findings, IsEmpty()) << row[0];
        // Rows of a C array stay C here; Numba's iterator makes them strided.
        const pyk::Type item = pyk::oracle::type(row[2]);
        const pyk::Type ours =
            item.is_array() ? pyk::Type::array(item.element(), item.ndim(),
                                               container.layout() == pyk::Layout::C ? pyk::Layout::C : pyk::Layout::A)
                            : item;
        EXPECT_THAT(result.ir, HasSubstr("var __it: " + pyk::ir::type_text(ours) + "\n")) << row[0];
    }
}

TEST(Oracle, Ranges) {
    int checked = 0;
    for (const auto& row : pyk::oracle::rows("range")) {
        // Numba lets floats through and truncates them; Python and pykc do not.
        if (row[0].find("float") != std::string::npos) continue;
        std::string params, names;
        for (const std::string& type : pyk::oracle::split(row[0])) {
            const std::string name = "p" + std::to_string(params.size());
            params += (params.empty() ? "" : ", ") + name + ": " + type;
            names += (names.empty() ? "" : ", ") + name;
        }
        EXPECT_THAT(locals_and_body(params, "for x in range(" + names + "):\n    __it = x\n"),
                    HasSubstr("var __it: " + row[1] + "\n"))
            << row[0];
        ++checked;
    }
    EXPECT_GT(checked, 300);
}

TEST(Elements, SignedIndicesMayWrap) {
    EXPECT_EQ(body("a: float32[:, :], i: int32, u: uint32", "a[i, u] = a[u, -1]"),
              "store a[wrap i, u] = a[u, wrap -1]\n");
    EXPECT_EQ(body("a: float32[:, ::1], t: UniTuple(int64, 2)", "a[t] = 1"),
              "store a[wrap item(t, 0), wrap item(t, 1)] = 1.0:float32\n");
    EXPECT_EQ(body("a: float32[:, ::1]", "a[cuda.grid(2)] = 1"),
              "store a[wrap @cuda.grid.x:int64, wrap @cuda.grid.y:int64] = 1.0:float32\n");
}

TEST(Elements, StoresConvert) {
    EXPECT_EQ(body("a: int8[::1], x: float64", "a[0] = x"), "store a[wrap 0] = int8(x)\n");
    EXPECT_EQ(body("a: float32[::1]", "a[0] += 0.5"), "store a[wrap 0] = float32((float64(a[wrap 0]) + 0.5))\n");
    EXPECT_EQ(body("a: boolean[::1]", "a[0] = 2"), "store a[wrap 0] = True\n");
}

TEST(Views, Kept) {
    EXPECT_EQ(locals_and_body("a: float32[:, ::1], i: int64", "r = a[i]\nr[0] = 1\nc = a[:, i]\nc[0] = 2\n"), text(R"py(
        var r: float32[::1]
        var c: float32[:]

        r = view<float32[::1]>(a, wrap i)
        store r[wrap 0] = 1.0:float32
        c = view<float32[:]>(a, slice(_, _, _), wrap i)
        store c[wrap 0] = 2.0:float32
    )py"));
    EXPECT_EQ(body("a: float32[:, ::1]", "a[0][1] = 2"), "store a[wrap 0, wrap 1] = 2.0:float32\n");
    EXPECT_EQ(body("a: float32[:, ::1], n: int32", "a[1:n, ::2][0, 0] = 2"),
              "store view<float32[:, :]>(a, slice(1, int64(n), _), slice(_, _, 2))[wrap 0, wrap 0] = 2.0:float32\n");
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a.T"), "float32[::1, :]");
    EXPECT_EQ(type_of("a: float32[::1, :]", "a.T"), "float32[:, ::1]");
    EXPECT_EQ(type_of("a: float32[:, :]", "a.T"), "float32[:, :]");
    EXPECT_EQ(type_of("a: float32[::1]", "a.T"), "float32[::1]");
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a.T[0]"), "float32[:]");
}

TEST(Views, Attributes) {
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a.shape"), "(int64, int64)");
    EXPECT_EQ(body("a: float32[:, ::1]", "h, w = a.shape\na[h - 1, w - 1] = a.ndim + a.itemsize"), text(R"py(
        h = shape(a, 0)
        w = shape(a, 1)
        store a[wrap (h - 1), wrap (w - 1)] = float32((2 + 4))
    )py"));
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a.dtype.type(2)"), "float32");
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a.dtype(2)"), "float32");
    EXPECT_EQ(type_of("a: float32[:, ::1]", "len(a)"), "int64");
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a.nbytes"), "int64");
}

TEST(Storage, IsAlignedForVectorAccesses) {
    using ::testing::HasSubstr;
    const auto locals_of = [](const std::string& body) { return locals_and_body("n: int32", body); };
    EXPECT_THAT(locals_of("s = cuda.shared.array(16, float32)\nv = cuda.load_vector(s, 4)"),
                HasSubstr("shared s: float32[::1] shape(16) align(16)\n"));
    EXPECT_THAT(locals_of("s = cuda.local.array(5, float32)\ncuda.store_vector(s, 2, (1, 2))"),
                HasSubstr("local s: float32[::1] shape(5) align(8)\n"));
    EXPECT_THAT(locals_of("s = cuda.shared.array(16, float32, alignment=32)\nv = cuda.load_vector(s, 4)"),
                HasSubstr("shape(16) align(32)\n"));
    EXPECT_THAT(locals_of("s = cuda.shared.array(16, float32)\ns[0] = n"), HasSubstr("shape(16)\n"));
}

TEST(Storage, ShapesOfConstants) {
    EXPECT_EQ(locals_and_body("n: int32", "s = cuda.shared.array((T, T + 1), float32)", "T = 16"),
              "shared s: float32[:, ::1] shape(16, 17)\n\n");
    EXPECT_EQ(locals_and_body("n: int32", "s = cuda.shared.array(T * T, dtype=np.float64)", "T = 16"),
              "shared s: float64[::1] shape(256)\n\n");
    EXPECT_EQ(locals_and_body("n: int32", "s = cuda.local.array(shape=(2, 3), dtype='int8')"),
              "local s: int8[:, ::1] shape(2, 3)\n\n");
    EXPECT_EQ(locals_and_body("n: int32", "m = 4\ns = cuda.local.array(m, boolean)"),
              "var m: int64\nlocal s: boolean[::1] shape(4)\n\nm = 4\n");
    EXPECT_EQ(locals_and_body("a: float32[::1]", "s = cuda.local.array(4, a.dtype)"),
              "local s: float32[::1] shape(4)\n\n");
    EXPECT_EQ(locals_and_body("n: int32", "s = cuda.shared.array(SHAPE, int32, alignment=16)", "SHAPE = (4, 4)"),
              "shared s: int32[:, ::1] shape(4, 4) align(16)\n\n");
    EXPECT_EQ(locals_and_body("n: int32", "s = cuda.shared.array(4, int32)\nt = cuda.shared.array(s.shape[0], int32)"),
              "shared s: int32[::1] shape(4)\nshared t: int32[::1] shape(4)\n\n");
}

TEST(Storage, Dynamic) {
    EXPECT_EQ(locals_and_body("n: int32", "s = cuda.shared.array(0, float32)\ns[n] = s.size"), text(R"py(
        shared s: float32[::1] shape(0)

        store s[wrap n] = float32(size(s))
    )py"));
}

TEST(Storage, OneNameTwoArrays) {
    EXPECT_EQ(
        locals_and_body(
            "n: int32",
            "if n > 0:\n    s = cuda.shared.array(4, int32)\nelse:\n    s = cuda.shared.array(8, int32)\ns[0] = 1"),
        text(R"py(
        shared s_storage.1: int32[::1] shape(4)
        var s: int32[::1]
        shared s_storage.3: int32[::1] shape(8)

        if (int64(n) > 0) {
          s = s_storage.1
        } else {
          s = s_storage.3
        }
        store s[wrap 0] = 1:int32
    )py"));
}

TEST(Storage, Findings) {
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(n, float32)"),
                ElementsAre(HasSubstr("1:22: error: the shape in `cuda.local.array` must be known")));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array((4, n), float32)"),
                ElementsAre(HasSubstr("1:22: error: the shape in")));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(0, float32)"),
                ElementsAre("1:22: error: an array cannot have an axis of 0 elements here [bad-extent]"));
    EXPECT_THAT(findings("n: int32", "s = cuda.shared.array((0, 4), float32)"),
                ElementsAre("1:23: error: an array cannot have an axis of 0 elements here [bad-extent]"));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(-1, float32)"),
                ElementsAre("1:22: error: an array cannot have an axis of -1 elements here [bad-extent]"));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(4, n)"),
                ElementsAre(HasSubstr("1:25: error: this is not a type of array elements")));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(4, float32, alignment=3)"),
                ElementsAre("1:44: error: an alignment is a constant power of two [bad-alignment]"));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(4)"),
                ElementsAre(HasSubstr("1:5: error: `cuda.local.array` takes 2 arguments, but 1 is given"),
                            "  1:5: `dtype` is missing"));
    EXPECT_THAT(findings("n: int32", "s = cuda.local.array(4, float32, order=3)"),
                ElementsAre(HasSubstr("1:34: error: `cuda.local.array` has no parameter `order`")));
}

// A store to a slice is a loop of the calling thread; axes of one element serve all.
TEST(Slices, Stores) {
    EXPECT_EQ(body("a: float32[::1]", "a[1:] = 2"), text(R"py(
        a.1 = view<float32[::1]>(a.0, slice(1, _, _))
        for i in range(0, shape(a.1, 0), 1) {
          store a.1[i] = 2.0:float32
        }
    )py"));
}

// No view is made of what is all of an array: `a[:]`, and `a[i, :]`, whose last axis is.
TEST(Slices, OfWholeAxes) {
    const std::string stored = text(R"py(
        for i in range(0, shape(a, 0), 1) {
          for j in range(0, shape(a, 1), 1) {
            store a[i, j] = 2.0:float32
          }
        }
    )py");
    EXPECT_EQ(body("a: float32[:, ::1]", "a[:, :] = 2"), stored);
    EXPECT_EQ(body("a: float32[:, ::1]", "a[...] = 2"), stored);
    EXPECT_EQ(body("a: float32[::1], n: int64", "b = a[:]\nb[n] = 2"),
              body("a: float32[::1], n: int64", "b = a\nb[n] = 2"));
    EXPECT_EQ(body("a: float32[:, ::1], n: int64", "a[n, :][n] = 2"),
              body("a: float32[:, ::1], n: int64", "a[n][n] = 2"));
    EXPECT_EQ(type_of("a: float32[:, ::1]", "a[:, :]"), "float32[:, :]");
    EXPECT_EQ(type_of("a: float32[:, :, ::1], n: int64", "a[n, :, :]"), "float32[:, :]");
}

// The types that Numba's `resolve_getattr` gives the methods (numba-cuda 0.30.4).
TEST(Methods, TypesAreNumbas) {
    const std::string c = "c: float32[:, ::1], f: float32[::1, :], a: float32[:, :], v: float32[::1], n: int64";
    EXPECT_EQ(type_of(c, "c.reshape(n)"), "float32[::1]");
    EXPECT_EQ(type_of(c, "c.reshape((n, 2, -1))"), "float32[:, :, ::1]");
    EXPECT_EQ(type_of(c, "f.reshape(n, 2)"), "float32[::1, :]");
    EXPECT_EQ(type_of(c, "a.reshape(n)"), "error");
    EXPECT_EQ(type_of(c, "c.transpose()"), "float32[::1, :]");
    EXPECT_EQ(type_of(c, "c.transpose(1, 0)"), "float32[:, :]");
    EXPECT_EQ(type_of(c, "c.ravel()"), "float32[::1]");
    EXPECT_EQ(type_of(c, "c.view(np.int32)"), "int32[:, ::1]");
    EXPECT_EQ(type_of(c, "f.view(np.int8)"), "int8[::1, :]");
    EXPECT_EQ(type_of(c, "a.view(np.int32)"), "int32[:, :]");
    EXPECT_EQ(type_of(c, "c.item()"), "float32");
    EXPECT_EQ(type_of(c, "c.ctypes.data"), "uint64");
    EXPECT_EQ(type_of(c, "c.flags.contiguous"), "boolean");
    EXPECT_EQ(type_of(c, "c.dtype.itemsize"), "int64");
    EXPECT_EQ(type_of(c, "c.dtype.type(n)"), "float32");
}

// Result types of numba 0.68.1.
TEST(Reductions, TypesAreNumbas) {
    const std::string params =
        "f: float32[:, :], n: int32[::1], u: uint8[::1], b: boolean[::1], c: complex64[::1], x: float32";
    EXPECT_EQ(type_of(params, "np.sum(f)"), "float32");
    EXPECT_EQ(type_of(params, "n.sum()"), "int64");
    EXPECT_EQ(type_of(params, "np.sum(u)"), "uint64");
    EXPECT_EQ(type_of(params, "b.sum()"), "int64");
    EXPECT_EQ(type_of(params, "np.sum(c)"), "complex64");
    EXPECT_EQ(type_of(params, "np.prod(n)"), "int64");
    EXPECT_EQ(type_of(params, "n.mean()"), "float64");
    EXPECT_EQ(type_of(params, "np.var(f)"), "float64");
    EXPECT_EQ(type_of(params, "c.std()"), "float64");
    EXPECT_EQ(type_of(params, "u.max()"), "uint8");
    EXPECT_EQ(type_of(params, "np.argmin(f)"), "int64");
    EXPECT_EQ(type_of(params, "n.any()"), "boolean");
    EXPECT_EQ(type_of(params, "np.round(x)"), "float32");
    EXPECT_EQ(type_of(params, "np.round(n[0])"), "int32");
    EXPECT_EQ(type_of(params, "x.view(np.int32)"), "int32");
    EXPECT_EQ(type_of(params, "c.real"), "float32[:]");
}

TEST(Reductions, OfWhatIsNoArrayAreRefusedWhereTheyAreCalled) {
    EXPECT_THAT(findings("n: int64", "n = np.sum(n)"),
                ElementsAre("1:5: error: `np.sum` does not take (int64) [no-overload]"));
    EXPECT_THAT(findings("a: complex64[::1]", "n = np.argmax(a)"),
                ElementsAre("1:5: error: `np.argmax` does not take (array(complex64, 1d, C)) [no-overload]"));
}

TEST(Sums, TypesAreNumbas) {
    EXPECT_EQ(type_of("a: float32[::1]", "sum(a)"), "float64");
    EXPECT_EQ(type_of("a: float32[::1]", "sum(a, np.float32(0))"), "float32");
    EXPECT_EQ(type_of("x: float32", "sum((x, x))"), "float64");
    EXPECT_EQ(type_of("x: float32", "sum((x, x), x)"), "float32");
    EXPECT_EQ(type_of("n: int32", "sum((n, n, n))"), "int64");
}

}  // namespace
