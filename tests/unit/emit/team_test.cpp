// Array functions for parts of arrays whose calls several threads make: which loops are shared and how, and the text.
// What the text computes is tested on a GPU (tests/unit/jit/gufunc_test.cpp); the prelude's team on threads of the CPU
// (tests/unit/array/team_test.cpp).
#include <gmock/gmock.h>

#include "emitted.h"

namespace pyk::test {
namespace {

using ::testing::HasSubstr;

EmitOptions team_of(int threads) {
    EmitOptions options;
    options.teams = {{threads}};
    return options;
}

std::string function_ir(std::string_view locals, std::string_view statements, std::string_view extents = "0") {
    return "module \"t.pyk\"\n\n"
           "device twice = twice_f4(v: float32) -> float32 {\n  return (v + v)\n}\n\n"
           "device total = total_a1f4(v: readonly float32[::1]) -> float32 effects(reads) {\n  var t: float32\n  var "
           "k: int64\n"
           "  t = 0.0:float32\n  for k in range(0, shape(v, 0), 1) {\n    t = (t + v[k])\n  }\n  return t\n}\n\n"
           "device f = f(x: readonly float32[::1], m: readonly float32[:, ::1], y: float32[::1], z: float32[:, ::1], "
           "s: float32[::1], c: int64) effects(reads, writes) {\n  var i: int64\n  var j: int64\n" +
           std::string(locals) + std::string(statements) + "}\n\narray f = pyk_f of f(core) with [" +
           std::string(extents) + "], [0, 0], [0], [0, 0], [1], []\n";
}

Unit unit_of(std::string_view locals, std::string_view statements, std::string_view extents = "0") {
    EmitOptions options = team_of(32);
    options.include_prelude = true;
    return emit_unit(function_ir(locals, statements, extents), cuda_target(), options);
}

/// The function's statements, without those that make arrays of its parameters.
std::string text_of(std::string_view locals, std::string_view statements, std::string_view extents = "0") {
    const std::string text = unit_of(locals, statements, extents).text;
    const size_t name = text.find(" f(pyk::team<32> pyk_team"), begin = text.find("\n{\n", name) + 3;
    EXPECT_NE(name, std::string::npos) << text;
    std::string body = text.substr(begin, text.find("\n}\n", begin) + 1 - begin), result;
    // Without the trail of lines.
    for (size_t at = 0; at < body.size();) {
        const size_t end = body.find('\n', at);
        std::string line = body.substr(at, end - at);
        line = line.substr(0, line.find("  //"));
        line = line.substr(0, line.find_last_not_of(' ') + 1);
        if (line.find("_data, {") == std::string::npos) result += line + "\n";
        at = end + 1;
    }
    return result;
}

TEST(Team, SharesLoopsWhoseIterationsAreIndependent) {
    EXPECT_EQ(text_of("", "  for i in range(0, shape(x, 0), 1) {\n    store y[i] = x[i]\n  }\n"),
              "    for (long long i = pyk_team.lane; i < x.shape[0]; i += pyk_team.size)\n"
              "        y(i) = x(i);\n");
    EXPECT_EQ(text_of("", "  for i in range(1, c, 1) {\n    store y[i] = x[(i - 1)]\n  }\n"),
              "    for (long long i = 1 + pyk_team.lane; i < c; i += pyk_team.size)\n"
              "        y(i) = x(i - 1);\n");
    EXPECT_EQ(text_of("", "  for i in range((c - 1), -1, -2) {\n    store y[i] = x[0]\n  }\n"),
              "    for (long long i = c - 1 - pyk_team.lane * 2; i >= 0; i -= pyk_team.size * 2)\n"
              "        y(i) = x(0);\n");
}

TEST(Team, JoinsWhatLanesBuiltUp) {
    EXPECT_EQ(text_of("  var t: float32\n  var g: float32\n  var p: int64\n",
                      "  t = x[0]\n  g = x[0]\n  p = 1\n"
                      "  for i in range(0, c, 1) {\n    t = (t + x[i])\n    p = (p * i)\n"
                      "    if (x[i] > g) {\n      g = x[i]\n    }\n  }\n"
                      "  store s[0] = ((t + g) + float32(p))\n"),
              "    float t = x(0);\n"
              "    float g = x(0);\n"
              "    long long p = 1;\n"
              "    if (pyk_team.lane != 0) t = 0.0f;\n"
              "    if (pyk_team.lane != 0) p = 1;\n"
              "    for (long long i = pyk_team.lane; i < c; i += pyk_team.size) {\n"
              "        t += x(i);\n"
              "        p *= i;\n"
              "        if (x(i) > g)\n"
              "            g = x(i);\n"
              "    }\n"
              "    t = pyk_team.sum(t);\n"
              "    g = pyk_team.greatest(g);\n"
              "    p = pyk_team.product(p);\n"
              "    if (pyk_team.lane == 0) s(0) = t + g + p;\n");
    const auto extreme = [](const char* condition) {
        return text_of("  var g: float32\n", std::string("  g = x[0]\n  for i in range(0, c, 1) {\n    if ") +
                                                 condition + " {\n      g = x[i]\n    }\n  }\n  store s[0] = g\n");
    };
    EXPECT_THAT(extreme("(x[i] < g)"), HasSubstr("pyk_team.least(g)"));
    EXPECT_THAT(extreme("(g >= x[i])"), HasSubstr("pyk_team.least(g)"));
    EXPECT_THAT(extreme("(g < x[i])"), HasSubstr("pyk_team.greatest(g)"));
}

TEST(Team, SharesPairsOfTwoLoops) {
    EXPECT_EQ(text_of("  var t: float32\n  var k: int64\n",
                      "  for i in range(0, shape(z, 0), 1) {\n    for j in range(0, shape(z, 1), 1) {\n"
                      "      t = 0.0:float32\n      for k in range(0, c, 1) {\n        t = (t + (m[i, k] * m[k, j]))\n"
                      "      }\n      store z[i, j] = t\n    }\n  }\n"),
              "    for (const auto [i, j] : pyk_team.pairs(z.shape[0], z.shape[1])) {\n"
              "        float t = 0.0f;\n"
              "        for (long long k = 0; k < c; ++k)\n"
              "            t += m(i, k) * m(k, j);\n"
              "        z(i, j) = t;\n"
              "    }\n");
    // A triangle is no rectangle, and here a row is one lane's.
    EXPECT_THAT(
        text_of("",
                "  for i in range(0, c, 1) {\n    for j in range(0, i, 1) {\n      store z[i, j] = x[j]\n    }\n"
                "  }\n"),
        HasSubstr("for (long long i = pyk_team.lane;"));
    EXPECT_THAT(text_of("",
                        "  for i in range(0, c, 1) {\n    for j in range(0, c, 1) {\n      store y[i] = x[j]\n    }\n"
                        "  }\n"),
                HasSubstr("for (long long i = pyk_team.lane;"));
}

TEST(Team, OfAFewIterationsThoseWithinAreShared) {
    const char* const rows =
        "  for i in range(0, shape(x, 0), 1) {\n    t = 0.0:float32\n    for j in range(0, c, 1) {\n      t = (t + "
        "m[i, j])\n"
        "    }\n    store y[i] = t\n  }\n";
    EXPECT_THAT(text_of("  var t: float32\n", rows), HasSubstr("for (long long i = pyk_team.lane;"));
    const std::string few = text_of("  var t: float32\n", rows, "4");
    EXPECT_THAT(few, HasSubstr("for (long long j = pyk_team.lane;"));
    EXPECT_THAT(few, HasSubstr("if (pyk_team.lane == 0) y(i) = t;"));
}

TEST(Team, MeetsWhereLanesReadWhatOthersStored) {
    const std::string store = "  for i in range(0, c, 1) {\n    store y[i] = x[i]\n  }\n";
    const std::string head = "(long long i = pyk_team.lane; i < c; i += pyk_team.size)\n";
    const auto syncs = [](const std::string& text) {
        int count = 0;
        for (size_t at = text.find("sync()"); at != std::string::npos; at = text.find("sync()", at + 1)) ++count;
        return count;
    };
    // Each element is one lane's from the first to the last.
    EXPECT_EQ(syncs(text_of("", store + "  for i in range(0, c, 1) {\n    store y[i] = (y[i] + x[0])\n  }\n")), 0);
    // Not of another's element, not in loops that begin elsewhere, not where one lane stores, or all load.
    EXPECT_EQ(syncs(text_of("", store + "  for i in range(1, c, 1) {\n    store y[i] = (y[i] + x[0])\n  }\n")), 4);
    EXPECT_EQ(syncs(text_of("", store + "  store s[0] = x[0]\n")), 0);
    EXPECT_EQ(syncs(text_of("", store + "  store y[0] = x[1]\n")), 4);
    EXPECT_EQ(syncs(text_of("  var t: float32\n", store + "  t = y[0]\n  store s[0] = t\n")), 2);
    EXPECT_EQ(syncs(text_of("", store + "  for i in range(0, c, 1) {\n    store z[i, 0] = y[(c - i)]\n  }\n")), 2);
    // A loop that begins elsewhere each time.
    const char* const moving =
        "  for j in range(0, c, 1) {\n    for i in range((j + 1), c, 1) {\n      store y[i] = (y[i] - x[j])\n    }\n  "
        "}\n";
    EXPECT_EQ(syncs(text_of("", moving)), 2);
    EXPECT_EQ(syncs(text_of("", "  for i in range(1, c, 1) {\n    store y[i] = (y[i] - x[0])\n  }\n")), 0);
    EXPECT_EQ(text_of("", store + "  store y[0] = (y[0] + 1.0:float32)\n"),
              "    pyk_team.sync();\n    for " + head +
                  "        y(i) = x(i);\n    pyk_team.sync();\n    pyk_team.sync();\n"
                  "    if (pyk_team.lane == 0) y(0) += 1.0f;\n    pyk_team.sync();\n");
}

struct Refusal {
    const char* locals;
    const char* statements;
    const char* why;
};
class TeamRefusals : public testing::TestWithParam<Refusal> {};
TEST_P(TeamRefusals, SayWhy) {
    const Unit unit = unit_of(GetParam().locals, GetParam().statements);
    EXPECT_THAT(unit.entries.at(0).not_team, HasSubstr(GetParam().why)) << unit.text;
    EXPECT_EQ(unit.entries[0].team.threads, 1);
    EXPECT_EQ(unit.entries[0].symbol, "pyk_f_core");
    EXPECT_THAT(unit.text, HasSubstr("pyk::for_each_core("));
    EXPECT_EQ(unit.text.find("pyk_team"), std::string::npos);
}

#define LOOP(body) "  for i in range(0, c, 1) {\n" body "  }\n"
constexpr const char* kNeed = "need one another";
INSTANTIATE_TEST_SUITE_P(
    Each, TeamRefusals,
    testing::Values(
        Refusal{"", "  store s[0] = x[0]\n", "it has no loop whose iterations are independent"},
        Refusal{"", LOOP("    store y[(i + 1)] = x[i]\n"), kNeed}, Refusal{"", LOOP("    store y[0] = x[i]\n"), kNeed},
        Refusal{"", LOOP("    store y[i] = y[(i - 1)]\n"), kNeed},
        Refusal{"", LOOP("    store y[wrap i] = x[i]\n"), kNeed},
        Refusal{"", LOOP("    store z[0, j] = x[i]\n"), kNeed},
        Refusal{"", LOOP("    store s[0] = (s[0] + x[i])\n"), kNeed},
        Refusal{"", LOOP("    if (x[i] > 0.0:float32) {\n      break\n    }\n    store y[i] = x[i]\n"), kNeed},
        Refusal{"", LOOP("    if (x[i] > 0.0:float32) {\n      return\n    }\n    store y[i] = x[i]\n"), kNeed},
        // Carried from one iteration to the next, or behind the loop.
        Refusal{"  var t: float32\n", "  t = 0.0:float32\n" LOOP("    store y[i] = t\n    t = x[i]\n"), kNeed},
        Refusal{"  var t: float32\n", "  t = 0.0:float32\n" LOOP("    t = (t + x[i])\n    store y[i] = t\n"), kNeed},
        Refusal{"  var t: float32\n", "  t = 0.0:float32\n" LOOP("    t = x[i]\n") "  store s[0] = t\n", kNeed},
        Refusal{"  var t: float32\n",
                "  t = 0.0:float32\n" LOOP("    t = ((t * 0.5:float32) + x[i])\n") "  store s[0] = t\n", kNeed},
        // What truncates each time is no sum; parts of a product may overflow.
        Refusal{"  var t: int64\n",
                "  t = 0\n" LOOP("    t = int64((float64(t) + float64(x[i])))\n") "  store s[0] = float32(t)\n", kNeed},
        Refusal{"  var t: float32\n", "  t = 1.0:float32\n" LOOP("    t = (t * x[i])\n") "  store s[0] = t\n", kNeed},
        Refusal{"  var t: float32\n  var k: int64\n",
                "  t = x[0]\n  k = 0\n" LOOP(
                    "    if (x[i] > t) {\n      t = x[i]\n      k = i\n    }\n") "  store s[k] = t\n",
                kNeed},
        Refusal{"  var t: float32\n",
                "  t = 0.0:float32\n" LOOP("    if (x[i] > t) {\n      t = x[(i + 1)]\n    }\n") "  store s[0] = t\n",
                kNeed},
        // Every lane would walk it.
        Refusal{"  var t: float32\n",
                LOOP("    store y[i] = x[i]\n") "  t = 0.0:float32\n" LOOP("    t = (x[i] - t)\n") "  store s[0] = t\n",
                kNeed},
        Refusal{"", LOOP("    store y[i] = x[i]\n") "  store s[0] = call total_a1f4(x)\n",
                "calls a function with a loop"},
        Refusal{"", LOOP("    store y[i] = x[i]\n") "  raise \"ValueError\"\n", "it may raise an exception"},
        Refusal{"", LOOP("    store y[i] = float32(@pyk.range_at(0, 9, 1, i):int64)\n"), "it may raise an exception"},
        Refusal{"", LOOP("    store y[i] = x[i]\n") "  print(\"x\")\n", "it does more than to load, compute and store"},
        Refusal{"  local w: float32[::1] shape(4)\n", LOOP("    store w[i] = x[i]\n"),
                "it has the array `w` of its own"},
        Refusal{"  var v: float32[:]\n", "  v = view<float32[:]>(z, 0)\n" LOOP("    store z[i, 0] = x[i]\n"),
                "it has another name for `z`"},
        Refusal{"  var v: float32[:]\n", "  v = view<float32[:]>(z, 0)\n" LOOP("    store v[i] = x[i]\n"),
                "it stores to a view of an array"}));

TEST(Team, IsForGpusAndNotForCodeThatReportsErrors) {
    const std::string text = function_ir("", LOOP("    store y[i] = x[i]\n"));
    EXPECT_EQ(emit_unit(text, cuda_target(), team_of(256)).entries[0].symbol, "pyk_f_team256");
    EXPECT_EQ(emit_unit(text, cuda_target(), team_of(256)).entries[0].team.threads, 256);
    EXPECT_EQ(emit_unit(text, cuda_target(), {}).entries[0].team.threads, 1);
    EXPECT_EQ(emit_unit(text, cpu_target(), team_of(256)).entries[0].team.threads, 1);
    EmitOptions checked = team_of(32);
    checked.check_bounds = true;
    EXPECT_EQ(emit_unit(text, cuda_target(), checked).entries[0].not_team, "it reports errors");
}

TEST(Team, TheEntryHasTeams) {
    EmitOptions options = team_of(1024);
    options.include_prelude = true;
    const std::string text = emit_text(function_ir("", LOOP("    store y[i] = x[i]\n")), cuda_target(), options);
    EXPECT_THAT(text, HasSubstr("__launch_bounds__(1024) pyk_f_team1024("));
    EXPECT_THAT(text,
                HasSubstr("pyk::for_each_core_by<pyk::team<1024>>(pyk_loop, [](const pyk::core_place<6>& pyk_at, "
                          "pyk::team<1024> pyk_team) { f(pyk_team, pyk_at.at<const float>(0), pyk_at.extent(0, 0), "));
}

}  // namespace
}  // namespace pyk::test
