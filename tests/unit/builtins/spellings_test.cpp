// Every case of every row (and of the operators' prelude functions) becomes a C++ function that returns the spelled
// text, and the target's compiler judges it: the text is there, takes those operands and has the type that the table
// says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "builtins/builtins.h"
#include "builtins/operators.h"
#include "prelude.h"

namespace pyk {
namespace {

const std::string kStates = "pyk::array<pyk::xoroshiro128p_state, 1>";

// CUDA's: `ushort1` of `unsigned short`.
std::string vector_name(Type type) {
    std::string name(info(type.elements()[0].scalar()).cpp);
    if (name.starts_with("signed ")) name.erase(0, 7);
    if (name.starts_with("unsigned ")) name.replace(0, 9, "u");
    std::erase(name, ' ');
    const size_t count = type.elements().size();
    return name + std::to_string(count) + (count == 4 && type.elements()[0].bits() == 64 ? "_16a" : "");
}

std::string cpp(Type type) {
    if (type.is_none()) return "void";
    if (type.is_scalar()) return std::string(info(type.scalar()).cpp);
    if (type.is_vector()) return vector_name(type);
    std::string text;
    for (Type element : type.elements()) text += (text.empty() ? "" : ", ") + cpp(element);
    return "pyk::tuple<" + text + ">";
}

/// The text of one translation unit that uses everything that a target has.
class Generator {
  public:
    explicit Generator(TargetId target) : target_(target) {}

    std::string text();

  private:
    void add_row(const Builtin& row);
    void add_case(const Builtin& row, const Rule& rule, const Case& c);
    void add_operator(const BinaryOperator& row);
    void add_function(std::vector<std::string> params, const std::string& expression, Type result,
                      const std::string& what);

    bool is_cpu() const { return target_ == TargetId::cpu; }

    void add_parts_of(std::string_view spelling) {
        for (const std::string& name : prelude::used_by(std::string(spelling)))
            parts_.insert(prelude::parts_by_name().at(name));
    }

    TargetId target_;
    std::set<std::string> parts_ = {"array"};
    std::string functions_;
    int count_ = 0;
};

void Generator::add_function(std::vector<std::string> params, const std::string& expression, Type result,
                             const std::string& what) {
    add_parts_of(expression);
    std::string list = is_cpu() ? "[[maybe_unused]] pyk::thread& pyk_t" : "";
    for (size_t i = 0; i < params.size(); ++i) {
        list += (list.empty() ? "[[maybe_unused]] " : ", [[maybe_unused]] ") + params[i] + " a" + std::to_string(i);
    }
    functions_ +=
        (is_cpu() ? "inline " : "__device__ ") + cpp(result) + " f" + std::to_string(count_++) + "(" + list + ") {\n";
    if (!result.is_none()) {
        functions_ +=
            "    static_assert(same<decltype(" + expression + "), " + what + ">::value, \"type\");\n    return ";
    }
    functions_ += expression + ";\n}\n";
}

void Generator::add_case(const Builtin& row, const Rule& rule, const Case& c) {
    // Sema makes a call of cuda.fp16's of it.
    if (c.result.is(Scalar::float16) && row.name.starts_with("math.")) return;
    std::vector<std::string> params, args;
    for (size_t i = 0; i < c.operands.size(); ++i) {
        const auto kind = rule.params[i].kind;
        params.push_back(kind == RuleParam::Kind::rng ? kStates : cpp(c.operands[i]));
        if (kind == RuleParam::Kind::ref) params.back() += "&";
        // An order or a scope is a number that becomes a name of the prelude.
        const std::string_view spelling = row.spelling_for(target_);
        const bool is_order = spelling.find(std::to_string(i) + ":order") != std::string_view::npos;
        const bool is_scope = spelling.find(std::to_string(i) + ":scope") != std::string_view::npos;
        args.push_back(is_order ? "4" : is_scope ? "1" : "a" + std::to_string(i));
    }
    const Type first = c.operands.empty() ? Type() : c.operands[0];
    const bool differs = row.spelled_type && !is_cpu();
    const std::string result = cpp(c.result);
    // `isnan` and its like are of int for NVRTC and of bool for nvcc, which has the host's: promoted they are the same.
    const std::string promoted = differs && c.result.is_boolean() ? "+" : "";
    functions_ += "// " + std::string(row.name) + "\n";
    add_function(params, promoted + spell(row.spelling_for(target_), args, {.first = first, .result_element = result}),
                 c.result, cpp(differs ? row.spelled_type : c.result));
}

void Generator::add_row(const Builtin& row) {
    if (row.spelling_for(target_).empty()) return;
    const Rule rule = parse_rule(row.rule);
    for (const Case& c : rule.cases) add_case(row, rule, c);
}

void Generator::add_operator(const BinaryOperator& row) {
    if (row.function.empty()) return;
    std::set<std::vector<Type>, bool (*)(const std::vector<Type>&, const std::vector<Type>&)> seen(
        [](const auto& a, const auto& b) { return cpp(a[0]) + "," + cpp(a[1]) < cpp(b[0]) + "," + cpp(b[1]); });
    functions_ += "// " + std::string(row.name) + "\n";
    for (const Case& c : parse_rule(row.rule).cases) {
        if (!seen.insert(c.operands).second) continue;
        add_function({cpp(c.operands[0]), cpp(c.operands[1])}, std::string(row.function) + "(a0, a1)", c.result,
                     cpp(c.result));
    }
}

std::string Generator::text() {
    for (const Builtin& row : all_builtins()) add_row(row);
    for (int op = 0; op <= static_cast<int>(BinaryOp::Ge); ++op) add_operator(info(static_cast<BinaryOp>(op)));
    std::string head =
        is_cpu() ? "#include <cmath>\n\n#include \"pyk/cpu.h\"\n#include \"pyk/vector.h\"\nusing namespace pyk;\n" : "";
    for (const std::string& part : parts_) head += "#include \"pyk/" + part + ".h\"\n";
    head += "template <class A, class B> struct same { static constexpr bool value = false; };\n";
    head += "template <class A> struct same<A, A> { static constexpr bool value = true; };\n";
    head += "template <class A> struct same<const A, A> { static constexpr bool value = true; };\n";
    return head + functions_;
}

void expect_compiles(const std::string& compiler, const std::string& name, const std::string& text) {
    const std::string path = PYK_BINARY_DIR "/" + name;
    std::ofstream(path) << text;
    const std::string command = compiler + " -std=c++17 -I" PYK_SOURCE_DIR "/runtime/device -c " + path + " -o " +
                                path + ".o > " + path + ".log 2>&1";
    const int status = std::system(command.c_str());
    std::ostringstream log;
    log << std::ifstream(path + ".log").rdbuf();
    EXPECT_EQ(status, 0) << command << "\n" << log.str();
}

TEST(Spellings, CompileForTheCpu) {
    expect_compiles(PYK_CXX " -Wall -Wextra -Werror -Wno-unused-function", "spellings.cpp",
                    Generator(TargetId::cpu).text());
}

TEST(Spellings, CompileForCuda) {
    if (std::string_view(PYK_NVCC).find("NOTFOUND") != std::string_view::npos) GTEST_SKIP() << "nvcc is not here";
    expect_compiles(PYK_NVCC " -arch=sm_90 -Werror all-warnings", "spellings.cu", Generator(TargetId::cuda).text());
}

}  // namespace
}  // namespace pyk
