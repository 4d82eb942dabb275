#include "builtins/builtins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <regex>
#include <set>
#include <sstream>

#include "builtins/known.h"
#include "prelude.h"
#include "support/fault.h"
#include "support/nearest.h"

namespace pyk {
namespace {

using testing::IsNull;
using testing::NotNull;

/// Rows that one target lacks on purpose.
const std::set<std::string_view> kOneTarget = {
    "pyk.apart",       "pyk.give",          "pyk.new_array",     "pyk.new_zeros",   "pyk.random_below",
    "pyk.random_bits", "pyk.random_double", "pyk.random_normal", "pyk.random_seed", "config.NUMBA_NUM_THREADS",
    "get_num_threads", "get_thread_id",     "pyk.disjoint",      "pyk.tail_at",
};

/// The tests of this suite look at every row.
class BuiltinRow : public testing::Test {
  protected:
    template <typename Check>
    static void each(const Check& check) {
        for (const Builtin& row : all_builtins()) {
            SCOPED_TRACE(row.name);
            check(row);
        }
    }
};

TEST_F(BuiltinRow, IsFoundByItsName) {
    each([](const Builtin& row) {
        const Builtin* found = find_builtin(row.name);
        ASSERT_THAT(found, NotNull());
        EXPECT_EQ(found->index, row.index);
        EXPECT_EQ(&all_builtins()[found->index], found);
    });
}

TEST_F(BuiltinRow, HasALineOfDoc) {
    each([](const Builtin& row) {
        EXPECT_FALSE(row.doc.empty());
        EXPECT_EQ(row.doc.find('\n'), std::string_view::npos);
        EXPECT_NE(row.doc.back(), '.');
    });
}

TEST_F(BuiltinRow, IsSpelledForBothTargetsOrForNone) {
    each([](const Builtin& row) {
        const bool cuda = !row.spelling_for(TargetId::cuda).empty(), cpu = !row.spelling_for(TargetId::cpu).empty();
        if (kOneTarget.contains(row.name)) {
            EXPECT_NE(cuda, cpu);
        } else {
            EXPECT_EQ(cuda, cpu);
        }
        EXPECT_TRUE(cuda || cpu || row.special != Special::none) << "neither spelled nor sema's";
    });
}

TEST_F(BuiltinRow, SpellsEveryArgumentThatItTakes) {
    each([](const Builtin& row) {
        const int most = arity(row).second;
        if (most == INT_MAX) {
            // Sema knows what it takes; runtime/prelude_uses.cu compiles what it becomes.
            EXPECT_TRUE(row.spelling_for(TargetId::cuda).empty() || row.special != Special::none)
                << "spelled, but without cases";
            return;
        }
        std::vector<std::string> args;
        for (int i = 0; i < most; ++i) args.push_back("<" + std::to_string(i) + ">");
        for (TargetId target : {TargetId::cuda, TargetId::cpu}) {
            const std::string_view spelling = row.spelling_for(target);
            if (spelling.empty()) continue;
            const std::string text =
                spell(spelling, args, {.first = Scalar::float64});  // faults on a placeholder without an argument
            for (const std::string& arg : args) {
                const size_t at = text.find(arg);
                ASSERT_NE(at, std::string::npos) << text << " lacks " << arg;
                EXPECT_TRUE(text[at - 1] == '(' || text[at - 1] == ' ') << text << ": not a whole argument";
                EXPECT_TRUE(text[at + arg.size()] == ')' || text[at + arg.size()] == ',') << text;
            }
            EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << text;
        }
    });
}

TEST_F(BuiltinRow, IsSpelledByWhatThePreludeDefines) {
    each([](const Builtin& row) {
        for (TargetId target : {TargetId::cuda, TargetId::cpu})
            for (const std::string& name : prelude::used_by(std::string(row.spelling_for(target))))
                EXPECT_TRUE(prelude::parts_by_name().contains(name)) << "no part defines pyk::" << name;
    });
}

TEST_F(BuiltinRow, HasTheEffectsOfItsKind) {
    each([](const Builtin& row) {
        if (is_value(row)) {
            EXPECT_FALSE(is_action(row.effects));
            EXPECT_EQ(arity(row), std::pair(0, 0));
            EXPECT_TRUE(resolve(row, {}));
        }
        const bool works_on_memory = row.name.starts_with("cuda.atomic.") ||
                                     (row.name.starts_with("cuda.random.") && row.rule.starts_with("(rng"));
        EXPECT_TRUE(is_action(row.effects) || !works_on_memory);
        const bool is_of_block = row.name.starts_with("cuda.syncthreads") || row.name == "block_group.sync";
        EXPECT_EQ(any(row.effects & Effects::block), is_of_block || row.name == "grid_group.sync");
        EXPECT_EQ(any(row.effects & Effects::grid), row.name == "grid_group.sync");
        const bool moves = row.name.find("shfl") != std::string_view::npos ||
                           row.name.find("_group.reduce_") != std::string_view::npos;
        EXPECT_EQ(any(row.effects & Effects::exchanges), moves);
        const Effects waits = row.effects & (Effects::block | Effects::grid | Effects::exchanges);
        EXPECT_TRUE(any(row.effects & Effects::barrier) || !any(waits));
    });
}

TEST(BuiltinName, IsTheRowOfTheName) {
    EXPECT_EQ(builtin("abs").name, "abs");
    EXPECT_EQ(builtin("cuda.fp16.hmax").name, "cuda.fp16.hmax");
    EXPECT_EQ(builtin("pyk.broadcast_to").name, "pyk.broadcast_to");
    const Builtin& popc = *find_builtin("cuda.popc");
    EXPECT_TRUE(popc == "cuda.popc");
    EXPECT_TRUE(popc != "cuda.clz");
    static constexpr BuiltinName kBits[] = {"cuda.clz", "cuda.popc"};
    EXPECT_TRUE(is_one_of(popc, kBits));
    EXPECT_FALSE(is_one_of(*find_builtin("cuda.ffs"), kBits));
}

TEST(Builtins, NamesAreDistinct) {
    std::set<std::string_view> names;
    for (const Builtin& row : all_builtins()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(Builtins, WhatIsNotThere) {
    EXPECT_THAT(find_builtin("math.comb"), IsNull());
    EXPECT_THAT(find_builtin("cuda.atomic"), IsNull());
    EXPECT_THAT(find_builtin(""), IsNull());
}

TEST(Builtins, Namespaces) {
    for (const char* name : {"math", "cuda", "cuda.atomic", "cuda.threadIdx", "cuda.random", "cuda.shared"}) {
        EXPECT_TRUE(is_builtin_namespace(name)) << name;
    }
    for (const char* name : {"", "mat", "abs", "cuda.popc", "cuda.a", "math."})
        EXPECT_FALSE(is_builtin_namespace(name)) << name;
}

TEST(Builtins, Arity) {
    const auto of = [](const char* name) { return arity(*find_builtin(name)); };
    EXPECT_EQ(of("math.sqrt"), std::pair(1, 1));
    EXPECT_EQ(of("math.atan2"), std::pair(2, 2));
    EXPECT_EQ(of("round"), std::pair(1, 2));
    EXPECT_EQ(of("cuda.syncwarp"), std::pair(0, 1));
    EXPECT_EQ(of("cuda.syncthreads"), std::pair(0, 0));
    EXPECT_EQ(of("cuda.atomic.cas"), std::pair(3, 3));
    EXPECT_EQ(of("cuda.atomic.compare_and_swap"), std::pair(3, 3));
    EXPECT_EQ(of("zip"), std::pair(0, INT_MAX));
}

TEST(Builtins, Refs) {
    const Builtin& add = *find_builtin("cuda.atomic.add");
    EXPECT_TRUE(is_ref(add, 0));
    EXPECT_FALSE(is_ref(add, 1));
    EXPECT_FALSE(is_ref(add, 2));
    EXPECT_EQ(default_of(add, 0), "");
    EXPECT_EQ(default_of(*find_builtin("cuda.atomic.compare_and_swap"), 0), "0");
    EXPECT_EQ(default_of(*find_builtin("cuda.syncwarp"), 0), "0xffffffff");
    EXPECT_EQ(default_of(add, 9), "");
}

/// Reference §1.9.
TEST(Builtins, AtomicsTakeNumbasTypes) {
    const std::vector<Type> none = {}, ints = {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::uint64};
    const std::vector<Type> reals = {Scalar::float32, Scalar::float64}, unsigneds = {Scalar::uint32, Scalar::uint64};
    const std::vector<Type> small = {Scalar::int8, Scalar::uint8, Scalar::int16, Scalar::uint16};  // ours
    const std::vector<Type> halves = {Scalar::float16, Scalar::bfloat16};                          // ours
    const auto expect_types = [](const char* name, std::vector<std::vector<Type>> groups) {
        std::set<std::string> expected, accepted;
        for (const auto& group : groups) {
            for (Type t : group) expected.insert(t.name());
        }
        const Builtin& row = *find_builtin(name);
        for (const ScalarInfo& scalar : all_scalars()) {
            const std::vector<Type> args(static_cast<size_t>(arity(row).second), Type(scalar.scalar));
            if (resolve(row, args)) accepted.insert(Type(scalar.scalar).name());
        }
        EXPECT_EQ(accepted, expected) << name;
    };
    for (const char* name : {"add", "sub"})
        expect_types(("cuda.atomic." + std::string(name)).c_str(),
                     {ints, reals, small, halves, {Scalar::complex64, Scalar::complex128}});
    for (const char* name :
         {"max", "min", "nanmax", "nanmin", "exch", "cas", "compare_and_swap"}) {  // the last of floats: ours
        expect_types(("cuda.atomic." + std::string(name)).c_str(), {ints, reals, small, halves});
    }
    for (const char* name : {"and_", "or_", "xor"}) {
        expect_types(("cuda.atomic." + std::string(name)).c_str(), {ints, small});
    }
    for (const char* name : {"inc", "dec"}) expect_types(("cuda.atomic." + std::string(name)).c_str(), {unsigneds});
}

TEST(Builtins, ThreadIndicesAreUnsignedInCpp) {
    const Builtin& row = *find_builtin("cuda.threadIdx.x");
    EXPECT_EQ(resolve(row, {})->result, Type(Scalar::int32));
    EXPECT_EQ(row.spelled_type, Type(Scalar::uint32));
    EXPECT_FALSE(find_builtin("math.sqrt")->spelled_type);
}

TEST(Spell, Placeholders) {
    const std::vector<std::string> two = {"x + 1", "y"};
    EXPECT_EQ(spell("sqrt{f}({0})", two, {.first = Scalar::float32}), "sqrtf(x + 1)");
    EXPECT_EQ(spell("sqrt{f}({0})", two, {.first = Scalar::float64}), "sqrt(x + 1)");
    EXPECT_EQ(spell("f({1}, {0})", two, {}), "f(y, x + 1)");
    EXPECT_EQ(spell("f({args})", two, {}), "f(x + 1, y)");
    EXPECT_EQ(spell("f({args})", {}, {}), "f()");
    EXPECT_EQ(spell("threadIdx.x", {}, {}), "threadIdx.x");
    EXPECT_EQ(spell("f({line}, {0})", two, {.first = {}, .line = 12}), "f(12, x + 1)");
    EXPECT_EQ(spell("f{width}({1})", two, {.first = Scalar::uint8}), "f_small(y)");
    EXPECT_EQ(spell("f{width}({1})", two, {.first = Scalar::int32}), "f(y)");
    const std::vector<std::string> memory = {"4", "1"};
    EXPECT_EQ(spell("f({0:order}, {1:scope})", memory, {}), "f(pyk::acq_rel, pyk::block_scope)");
    EXPECT_THROW(spell("f({2})", two, {}), InternalError);
    EXPECT_THROW(spell("f({what})", two, {}), InternalError);
}

TEST(NearestName, WhatIsMeant) {
    const std::vector<std::string_view> names = {"syncthreads", "shared", "grid", "gridsize", "sin", "sqrt"};
    EXPECT_EQ(nearest_name("syncthread", names), "syncthreads");
    EXPECT_EQ(nearest_name("synchthreads", names), "syncthreads");
    EXPECT_EQ(nearest_name("grdi", names), "grid");
    EXPECT_EQ(nearest_name("sqr", names), "sqrt");
    EXPECT_EQ(nearest_name("grid", names), "grid");
    EXPECT_EQ(nearest_name("elephant", names), "");
    EXPECT_EQ(nearest_name("x", {}), "");
    // Short words are other words soon.
    const std::string_view others[] = {"bool", "chr", "k", "grid"};
    for (const char* word : {"foo", "bar", "b"}) EXPECT_EQ(nearest_name(word, others), "") << word;
    EXPECT_EQ(nearest_name("gird", others), "grid");
}

}  // namespace
}  // namespace pyk
