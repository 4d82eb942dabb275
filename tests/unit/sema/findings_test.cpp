// What the subset does not have: each construct, at its place, with its text.
#include "sema_test.h"

using namespace pyk::sema_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr std::string_view kParams =
    "a: float32[::1], m: float32[:, ::1], t: Tuple((int32, float32)), n: int32, x: float64";

struct Row {
    const char *body, *finding;
};

class Subset : public testing::TestWithParam<Row> {};

TEST_P(Subset, SaysWhatAndWhere) {
    std::vector<std::string> found = findings(kParams, GetParam().body);
    std::erase_if(found, [](const std::string& line) { return line.starts_with("  "); });  // notes
    EXPECT_THAT(found, ElementsAre(GetParam().finding));
}

INSTANTIATE_TEST_SUITE_P(
    Statements, Subset,
    testing::Values(
        Row{"try:\n    n = 1\nfinally:\n    pass",
            "1:1: error: `try` statements are not available in kernels; test for the condition beforehand "
            "[unsupported-syntax]"},
        Row{"with a:\n    pass",
            "1:1: error: `with` statements are not available in kernels; call the functions directly "
            "[unsupported-syntax]"},
        Row{"import math",
            "1:1: error: `import` statements inside functions are not available in kernels; import at module level "
            "[unsupported-syntax]"},
        Row{"from math import sin",
            "1:1: error: `import` statements inside functions are not available in kernels; import at module level "
            "[unsupported-syntax]"},
        Row{"global q\nq = q + 1",
            "1:1: error: stores to variables around the function are not available in kernels; pass an array to write "
            "to [unsupported-syntax]"},
        Row{"del a[0]",
            "1:5: error: `del` statements of anything but names are not available in kernels; leave the element as it "
            "is [unsupported-syntax]"},
        Row{"raise 3", "1:7: error: `raise` needs an exception, such as `ValueError(\"why\")` [not-an-exception]"},
        Row{"match n:\n    case {}: pass",
            "2:10: error: mapping patterns are not available in kernels; use tuples, or `if`/`elif` "
            "[unsupported-syntax]"},
        Row{"class C: pass",
            "1:1: error: classes are not available in kernels; use arrays, tuples and functions [unsupported-syntax]"},
        Row{"def f(): f()\nf()",
            "1:5: error: nested functions that call themselves are not available in kernels; define the function at "
            "module level [unsupported-syntax]"},
        Row{"@cuda.jit\ndef f(): pass",
            "1:2: error: decorators of functions inside of functions are not available in kernels; leave the "
            "decorator; what a kernel calls is compiled [unsupported-syntax]"},
        Row{"a.x = 1",
            "1:1: error: assignments to attributes are not available in kernels; only names, array elements and fields "
            "of records can be "
            "assigned [unsupported-syntax]"},
        Row{"a.x += 1",
            "1:1: error: assignments to attributes are not available in kernels; only names, array elements and fields "
            "of records can be "
            "assigned [unsupported-syntax]"},
        Row{"p, *q = 1, 2",
            "1:4: error: starred assignments are not available in kernels; name each element [unsupported-syntax]"},
        Row{"n @= n",
            "1:1: error: matrix products with `@=` are not available in kernels; write the product as loops "
            "[unsupported-syntax]"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions, Subset,
    testing::Values(
        Row{"q = [1, 2]",
            "1:5: error: lists are not available in kernels; use a tuple, or `cuda.local.array` [unsupported-syntax]"},
        Row{"q = {1: 2}",
            "1:5: error: dictionaries are not available in kernels; use arrays or tuples [unsupported-syntax]"},
        Row{"q = {1, 2}", "1:5: error: sets are not available in kernels; use arrays or tuples [unsupported-syntax]"},
        Row{"q = [i for i in a]",
            "1:5: error: list comprehensions are not available in kernels; write a loop over `range` "
            "[unsupported-syntax]"},
        Row{"q = {i for i in a}",
            "1:5: error: sets are not available in kernels; use arrays or tuples [unsupported-syntax]"},
        Row{"q = {i: i for i in a}",
            "1:5: error: dictionaries are not available in kernels; use arrays or tuples [unsupported-syntax]"},
        Row{"q = max(i for i in a)",
            "1:8: error: generator expressions are not available in kernels; write a loop over `range` "
            "[unsupported-syntax]"},
        Row{"q = f'{n}'",
            "1:5: error: f-strings of what the run knows, outside of `print`, are not available in kernels; `print` "
            "them, or give `print` the values [unsupported-syntax]"},
        Row{"q = n @ n",
            "1:5: error: matrix products with `@` are not available in kernels; write the product as loops "
            "[unsupported-syntax]"},
        Row{"q = yield n",
            "1:5: error: generators (functions with `yield`) are not available in kernels; write their loop where the "
            "items are used, or the items to an array [unsupported-syntax]"},
        Row{"q = print is n",
            "1:5: error: comparisons of such values with `is` are not available in kernels; compare with `==` "
            "[unsupported-syntax]"},
        Row{"q = t[0:n]",
            "1:5: error: `t[0:n]` is not a compile-time constant; kernels see numbers, arrays of up to 1 MiB, "
            "tuples "
            "of these, types and functions of the module, or what `-D` gives [not-a-constant]"}));

INSTANTIATE_TEST_SUITE_P(
    Types, Subset,
    testing::Values(
        Row{"q = a + 1",
            "1:5: error: `+` of arrays would need a new array, which kernels cannot make; write `np.add(a, b, out)` "
            "with an "
            "array for the result, or a loop over the elements [array-result]"},
        Row{"q = x << 1", "1:5: error: `<<` is not defined between float64 and int64 [no-operator]"},
        Row{"q = ~x", "1:5: error: `~` is not defined for float64 [no-operator]"},
        Row{"q = -a", "1:5: error: `-` is not defined for array(float32, 1d, C) [no-operator]"},
        Row{"if a: pass", "1:4: error: array(float32, 1d, C) is neither true nor false [no-truth]"},
        Row{"a[0] = t", "1:8: error: Tuple(int32, float32) cannot be converted to float32 [cannot-convert]"},
        Row{"q = 1 if n else a",
            "1:5: error: this expression is int64 on one path and array(float32, 1d, C) on another, which have no "
            "common type [cannot-unify]"},
        Row{"return 1",
            "1:8: error: kernel `k` returns a value; kernels write their results to arrays [kernel-returns-value]"},
        Row{"p, q = n", "1:8: error: int32 cannot be unpacked; tuples can, and in assignments arrays [cannot-unpack]"},
        Row{"p, q = 1, 2, 3", "1:1: error: a tuple of 3 is unpacked into 2 targets [unpack-count]"},
        Row{"q = t[n]",
            "1:5: error: Tuple(int32, float32) has elements of several types: index it with constants [mixed-tuple]"},
        Row{"q = t[2]", "1:7: error: index 2 is out of range for a tuple of 2 [tuple-index]"},
        Row{"q = t[-3]", "1:7: error: index -3 is out of range for a tuple of 2 [tuple-index]"},
        Row{"q = n[0]", "1:5: error: int32 cannot be subscripted [not-subscriptable]"},
        Row{"n[0] = 1", "1:1: error: int32 cannot be subscripted [not-subscriptable]"},
        Row{"q = a[x]",
            "1:7: error: float64 cannot index an array; indices are integers, as `//` gives them and `int(…)` "
            "[index-type]"},
        Row{"q = a[1j:]", "1:7: error: complex128 cannot index an array; indices are integers [index-type]"},
        Row{"q = a[n > 0]", "1:7: error: boolean cannot index an array; indices are integers [index-type]"},
        Row{"q = a[0, 1]", "1:7: error: array(float32, 1d, C) has fewer axes than the 2 indices given [index-count]"},
        Row{"for i in n: pass",
            "1:10: error: int32 cannot be looped over; loops run over `range`, arrays, tuples, `enumerate` and `zip` "
            "[not-iterable]"},
        Row{"for i in range(1j): pass", "1:16: error: `range` needs integers, not complex128 [not-an-integer]"},
        Row{"for i in np.ndindex(x): pass", "1:21: error: `np.ndindex` needs integers, not float64 [not-an-integer]"},
        Row{"for i in range(): pass",
            "1:10: error: `range` takes 1 to 3 arguments, but none is given [argument-count]"},
        Row{"for i in enumerate(a, begin=1): pass",
            "1:23: error: `enumerate` has no parameter `begin` [unknown-parameter]"},
        Row{"q = a[0](1)", "1:5: error: float32 cannot be called [not-callable]"},
        Row{"a[0] = math",
            "1:8: error: this is a name of a module, type or function, or None; a number, tuple or array is needed "
            "here [not-a-value]"},
        Row{"a[0] = 'text'",
            "1:8: error: strings as values are not available in kernels; they can be printed, or name a field or a "
            "type [unsupported-syntax]"}));

TEST(Subset, KernelsOfSignatures) {
    const auto said = [](std::string_view decorator) {
        return analyze_text(std::string(decorator) +
                            "\ndef k(a, n): a[0] = n\n@cuda.jit('void(int64[::1])')\ndef j(a): a[0] = 1\n")
            .findings;
    };
    EXPECT_THAT(
        said("@cuda.jit('void(float32[::1])')"),
        ElementsAre(HasSubstr("2:11: error: `k` takes 2 arguments, but this signature gives 1 [signature-arity]")));
    EXPECT_THAT(said("@cuda.jit('void(float33[::1], int32)')"), ElementsAre(HasSubstr("[bad-signature]")));
    EXPECT_THAT(said("@cuda.jit(['void(float32[::1], int32)', 3])"),
                ElementsAre(HasSubstr("2:41: error: not a signature: a signature is `void(float32[::1], int32)`, or a "
                                      "text of it [bad-signature]")));
}

TEST(Subset, ParametersWithStars) {
    const auto said = findings("a: float64[::1]", "a[0] = f()", "@cuda.jit(device=True)\ndef f(**v): return 1\n");
    ASSERT_FALSE(said.empty());
    EXPECT_THAT(said[0], HasSubstr("parameters are not available in kernels; name each parameter"));
    EXPECT_THAT(analyze_text("@cuda.jit\ndef k(a, *v): a[0] = 1\n", {"k(float64[::1])"}).findings, IsEmpty());
}

}  // namespace
