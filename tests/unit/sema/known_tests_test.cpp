// An `if` and a `while` whose first test is known when compiling: the types that Numba gives (numba-cuda 0.30.4,
// `cuda.compile`).
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::IsEmpty;
using testing::Not;

namespace {

constexpr std::string_view kParams = "a: float32, u: uint8, n: int32, c: boolean";

/// `function`: a device function's body, of these parameters.
std::string module_of(std::string_view function) {
    std::string text =
        "SIZE = 4\nOFF = False\nN = 3\nMODE = 2\nTUP = (2, 3)\n@cuda.jit(device=True)\ndef f(a, u, n, c):\n    ";
    for (const char c : function) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
    return text + "\n";
}

TEST(KnownTests, TypesAreThoseOfNumba) {
    struct Row {
        std::string_view function, type;
    };
    const Row rows[] = {
        {"i = 0\nacc = 0\nwhile i < 4:\n    acc = a\n    i += 1\nreturn acc", "float32"},
        {"n = 8\ns = 0\nwhile n > 1:\n    n //= 2\n    s = a\nreturn s", "float32"},
        {"i = 0\nacc = None\nwhile i < 4:\n    acc = a\n    i += 1\nreturn acc", "float32"},
        {"i = 1\nwhile i != 0:\n    r = a * i\n    i -= 1\nreturn r", "float64"},
        {"w = 0\nwhile w > 0:\n    w -= 1\n    u *= u\nreturn u", "uint8"},
        {"n = 8\nm = n\nk = m\ns = 0\nwhile k > 1:\n    k //= 2\n    s = a\nreturn s", "float32"},
        {"n = 8\nm = n + 1\ns = 0\nwhile m > 1:\n    m //= 2\n    s = a\nreturn s", "float64"},
        {"n = 8\ns = 0\nwhile n + 1 > 2:\n    n //= 2\n    s = a\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < n:\n    i += 1\n    s = a\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    i += 1\n    if c:\n        continue\n    s = a\nreturn s", "float64"},
        {"run = True\ns = 0\nwhile run:\n    if c:\n        continue\n    s = a\n    break\nreturn s", "float32"},
        {"i = 0\ns = 0\nwhile i < 4:\n    i += 1\n    if c:\n        break\n    s = a\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    i += 1\n    s = a\n    if c:\n        break\nreturn s", "float64"},
        {"s = 0\nwhile True:\n    s = a\n    if c:\n        break\nreturn s", "float32"},
        {"s = 0\nwhile True:\n    if c:\n        break\n    s = a\nreturn s", "float64"},
        {"s = 0\ndone = False\nwhile not done:\n    s = a\n    if c:\n        done = True\nreturn s", "float32"},
        {"s = 0\nt = 0\ndone = False\nwhile not done:\n    t = s\n    s = a\n    done = True\nreturn t", "int64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    j = 0\n    while j < 4:\n        s = a\n        j += 1\n    i += 1\nreturn s",
         "float32"},
        {"i = 0\ns = 0\nwhile i < n:\n    j = 0\n    while j < 4:\n        s = a\n        j += 1\n    i += 1\nreturn s",
         "float64"},
        {"s = 0\nfor k in range(4):\n    j = 0\n    while j < 4:\n        s = a\n        j += 1\nreturn s", "float64"},
        {"s = 0\nj = 0\nfor k in range(4):\n    while j < 4:\n        s = a\n        j += 1\nreturn s", "float64"},
        {"r = 0\nfor k in range(n):\n    j = 0\n    s = 0\n    while j < 4:\n        s = a\n        j += 1\n    r = "
         "s\nreturn r",
         "float64"},
        {"j = 0\ns = 0\nwhile j < 4:\n    s = a\n    j += 1\nr = s\nreturn r", "float32"},
        {"s = 0\nfor i in range(4):\n    s = a\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4 and c:\n    s = a\n    i += 1\nreturn s", "float64"},
        {"i = 0\nj = 5\ns = 0\nwhile i < 4 and j > 2:\n    s = a\n    i += 1\n    j -= 1\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4 or c:\n    s = a\n    i += 1\nreturn s", "float32"},
        {"i = 0\ns = 0\nwhile c or i < 4:\n    s = a\n    i += 1\nreturn s", "float32"},
        {"i = 1\ns = 0\nwhile 0 < i < 4:\n    s = a\n    i += 1\nreturn s", "float64"},
        {"i = 1\ns = 0\nwhile 0 < i < n:\n    s = a\n    i += 1\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < SIZE:\n    s = a\n    i += 1\nreturn s", "float32"},
        {"while OFF:\n    u *= a\nreturn u", "uint8"},
        {"i = 0\ns = 0\nwhile i < 4:\n    s = a\n    i += 1\nelse:\n    s = s * 2\nreturn s", "float64"},
        {"i = 9\nwhile i < 4:\n    u = a\n    i += 1\nelse:\n    u = u * 2\nreturn u", "int64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    s = a\n    i += 1\n    if c:\n        break\nelse:\n    s = 1\nreturn s",
         "float64"},
        {"x = 0\nwhile x < 4:\n    x = a * a\nreturn x", "float32"},
        {"x = 0\ni = 0\nwhile i < 4:\n    x = x + a\n    i += 1\nreturn x", "float64"},
        {"x = u\ni = 0\nwhile i < 4:\n    x = x + u\n    i += 1\nreturn x", "uint64"},
        {"i = 0\np = u\nq = u\nwhile i < 4:\n    p = q\n    q = a\n    i += 1\nreturn q", "float32"},
        {"i = 0\np = u\nq = u\nwhile i < 4:\n    p = q\n    q = a\n    i += 1\nreturn p", "float32"},
        {"i = 0\ns = 0\nwhile i < 4:\n    if c:\n        s = a\n    i += 1\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    if c:\n        s = a\n    else:\n        s = -a\n    i += 1\nreturn s",
         "float32"},
        {"i = 0\nif c:\n    i = 1\ns = 0\nwhile i < 4:\n    s = a\n    i += 1\nreturn s", "float64"},
        {"if c:\n    i = 1\nelse:\n    i = 1\ns = 0\nwhile i < 4:\n    s = a\n    i += 1\nreturn s", "float64"},
        {"h = 0.5\ns = 0\nwhile h > 0.1:\n    s = a\n    h *= 0.5\nreturn s", "float32"},
        {"h = -3\ns = 0\nwhile h < 0:\n    s = a\n    h += 1\nreturn s", "float32"},
        {"h = 3\ns = 0\nwhile h:\n    s = a\n    h -= 1\nreturn s", "float32"},
        {"h = 3\ns = 0\nwhile h:\n    s = a\n    if c:\n        return s\n    h -= 1\nreturn s", "float32"},
        {"run = True\nwhile run:\n    if c:\n        return a", "float32"},
        {"run = True\nwhile run:\n    if c:\n        return a\n    run = True", "float32"},
        {"i = 0\nt = 0\nwhile i < 4:\n    t = 5\n    i += 1\ns = 0\nif t > 3:\n    s = a\nreturn s", "float64"},
        {"i = 0\nt = 0\nwhile i < 4:\n    t = a\n    i += 1\ni = 0\nwhile i < 4:\n    t = t + a\n    i += 1\nreturn t",
         "float32"},
        {"i = 0\nt = 0\nwhile i < 4:\n    t = a\n    i += 1\nwhile i < 8:\n    t = 1\n    i += 1\nreturn t", "float64"},
        {"i, j = 0, 4\ns = 0\nwhile i < j:\n    s = a\n    i += 1\n    j -= 1\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    i += 1\n    if c:\n        s = a\n    else:\n        s = 2\nreturn s",
         "float64"},
        {"i = 0\ns = 0\nwhile i == 0:\n    s = a\n    i = 1\nreturn s", "float32"},
        {"i = 0\ns = 0\nwhile i < 4:\n    j = 0\n    while True:\n        j += 1\n        if j > 3:\n            "
         "break\n        s = a\n    i += 1\nreturn s",
         "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    i += 1\n    s = a\n    if c:\n        break\nq = s\ni = i + 2 * i - "
         "3\nreturn q",
         "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    s = a\n    if c:\n        break\n    i += 1\nreturn s", "float64"},
        {"i = 0\ns = 0\nwhile i < 4:\n    s = a\n    if c:\n        break\n    i += 1\nelse:\n    s = s\nreturn s",
         "float32"},
        {"if c:\n    i = 0\n    s = 0\n    while i < 4:\n        s = a\n        i += 1\nelse:\n    s = a\nreturn s",
         "float32"},
        {"if c:\n    return a\nelse:\n    i = 0\n    s = 0\n    while i < 4:\n        s = a\n        i += 1\nreturn s",
         "float32"},
        {"s = a\nfor k in range(3):\n    i = 0\n    s = 0\n    while i < 4:\n        s = a\n        i += 1\nreturn s",
         "float32"},
        {"k = 0\ns = a\nwhile k < 3:\n    k += 1\n    i = 0\n    s = 0\n    while i < 4:\n        s = a\n        i += "
         "1\nreturn s",
         "float32"},
        {"k = 0\ns = a\nwhile True:\n    if c: break\n    k += 1\n    i = 0\n    s = 0\n    while i < 4:\n        s = "
         "a\n        i += 1\nreturn s",
         "float32"},
        {"run = True\ns = 0\nwhile run:\n    s = a\n    if c:\n        break\n    if not c:\n        break\nreturn s",
         "float32"},
        {"run = True\ns = 0\nwhile run:\n    s = a\n    if c:\n        break\nreturn s", "float32"},
        {"i = 0\ns = 0\nwhile i < 3:\n    s = a\n    break\nreturn s", "float32"},
        {"i = 0\ns = 0\nwhile i < 3:\n    s = a\n    if c: return s\n    break\nreturn s", "float32"},
        {"i = 0\ns = 0\nwhile i < 3:\n    i += 1\n    j = 0\n    while True:\n        s = a\n        j += 1\n        "
         "if j > 3: break\nreturn s",
         "float32"},
    };
    for (const Row& row : rows)
        EXPECT_EQ(type_of(kParams, "f(a, u, n, c)", module_of(row.function)), row.type) << row.function;
}

// Numba chooses a way by a number that is written out or is the module's, and by a comparison of two such; of all else
// it types both ways.
TEST(KnownTests, BothWaysAreTypedWhereNumbaComputesTheTest) {
    const std::pair<std::string_view, std::string_view> rows[] = {
        {"return 1 if N in (1, 2, 3) else 2.5", "float64"},
        {"return 1 if N * 2 > 5 else 2.5", "float64"},
        {"return 1 if -N else 2.5", "float64"},
        {"return 1 if TUP[0] else 2.5", "float64"},
        {"return 1 if TUP == (1, 2) else 2.5", "float64"},
        {"return 1 if math.pi > 3 else 2.5", "float64"},
        {"return 1 if uint8(3) else 2.5", "float64"},
        {"return 1 if N > 2 else 2.5", "int64"},
        {"return 1 if N else 2.5", "int64"},
        {"return 1 if not OFF else 2.5", "int64"},
        {"return TUP[0] or 2.5", "float64"},
        {"return +N or 2.5", "float64"},
        {"return N or 2.5", "int64"},
        {"return uint8(2) and a", "float32"},
        {"return 0 if MODE in (3, 4) else a", "float64"},
        {"m = N + 1\nx = 2\nif m > 5:\n    x = 2.5\nreturn x", "float64"},
        {"if N in (1, 2):\n    x = a\nelse:\n    x = 0\nreturn x", "float64"},
        {"if N > 2:\n    x = a\nelse:\n    x = 0\nreturn x", "float32"},
        {"x = 1\nif TUP[0] == 5:\n    x = a\n    if c:\n        x = 2.5\nreturn x", "float64"},
        {"return uint8(200) if len(TUP) == 2 else -1", "int64"},
        {"t = (3, 4)\nx = 1\nif t[0] == 5:\n    x = 2.5\nreturn x", "float64"},
        {"x = 1\nif N in (1, 2):\n    x = a\nreturn x * u", "float64"},
    };
    for (const auto& [function, type] : rows)
        EXPECT_EQ(type_of(kParams, "f(a, u, n, c)", module_of(function)), type) << function;
}

// What only Numba would run is never refused here.
TEST(KnownTests, TheOtherWayMayBeWrong) {
    for (const std::string_view function : {
             "x = 1\nif N in (1, 2):\n    x = a[0]\nreturn x",
             "return 1 if N in (2, 3) else a[0]",
             "return N * 1 or a[0]",
         }) {
        EXPECT_EQ(type_of(kParams, "f(a, u, n, c)", module_of(function)), "int64") << function;
        EXPECT_THAT(findings(kParams, "f(a, u, n, c)\n", module_of(function)), IsEmpty()) << function;
    }
}

TEST(KnownTests, WhatEachIterationAssignsIsAssigned) {
    for (const std::string_view function : {
             "i = 1\nwhile i != 0:\n    r = a * i\n    i -= 1\nreturn r",
             "i = 0\nwhile i < 4:\n    r = a\n    i += 1\n    if c: break\nreturn r",
             "i = 0\nwhile i < 4:\n    r = a\n    i += 1\n    if c: continue\n    n += 1\nreturn r",
             "i = 0\nwhile i < 4:\n    i += 1\n    r = a\n    if c: continue\n    if n > 2: break\nreturn r",
             "i = 0\nwhile i < 4:\n    i += 1\n    j = 0\n    while j < 2:\n        r = a\n        j += 1\n"
             "        if c: continue\n        if n > j: break\nreturn r",
             "i = 0\nwhile i < 4 and n < SIZE:\n    r = a\n    i += 1\nelse:\n    r = a\nreturn r",
         })
        EXPECT_THAT(findings(kParams, "f(a, u, n, c)\n", module_of(function)), IsEmpty()) << function;
}

TEST(KnownTests, WhatSomeIterationsLeaveOutMayBeUnassigned) {
    for (const std::string_view function : {
             "i = 0\nwhile i < 4:\n    i += 1\n    if c: continue\n    r = a\nreturn r",
             "i = 0\nwhile i < 4:\n    i += 1\n    if c: break\n    r = a\nreturn r",
             "i = 0\nwhile i < 4:\n    i += 1\n    if c: r = a\n    if n > 2: continue\nreturn r",
             "i = 0\nwhile i < n:\n    i += 1\n    r = a\n    if c: continue\nreturn r",
         })
        EXPECT_THAT(findings(kParams, "f(a, u, n, c)\n", module_of(function)), Not(IsEmpty())) << function;
}

TEST(KnownTests, LoopsOverSomethingRun) {
    const std::string_view array = "l = cuda.local.array(4, 'f4')\n";
    for (const std::string_view items :
         {"zip((1, 2), (3, 4))", "enumerate(zip((1, 2), (3, 4)))", "reversed(range(3))", "reversed((1, 2))",
          "range(3, 0, -1)", "np.ndindex(2, 3)", "l", "reversed(l)", "zip(l, (a, a))", "np.ndenumerate(l)", "TABLE",
          "zip(TABLE, l)", "map(float, l)", "enumerate(l, 1)"})
        EXPECT_THAT(
            findings(kParams, "f(a, u, n, c)\n",
                     "TABLE = np.array([1.0, 2.0])\n" + module_of(std::string(array) + "for r in " +
                                                                  std::string(items) + ": n += 1\nq = r\nreturn n")),
            IsEmpty())
            << items;
    for (const std::string_view items : {"zip((1, 2), range(n))", "reversed(range(0))", "reversed(range(n))", "l[n:]",
                                         "zip((1, 2), ())", "filter(None, l)", "range(3, 0)", "np.ndindex(2, n)"})
        EXPECT_THAT(
            findings(kParams, "f(a, u, n, c)\n",
                     module_of(std::string(array) + "for r in " + std::string(items) + ": n += 1\nq = r\nreturn n")),
            Not(IsEmpty()))
            << items;
}

}  // namespace
