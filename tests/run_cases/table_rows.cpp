// Which rows of the builtins table the cases of tests/run call: exits 1 where a row has none.
//   table_rows            says what is missing
//   table_rows --list     a line `name<tab>rule<tab>cuda<tab>cpu<tab>cases` for each row
// A row without a text of its own, or a constant, is found by its name in the source.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "builtins/builtins.h"
#include "case.h"

namespace pyk::run_cases {
namespace {

const std::map<std::string_view, std::string_view> kExempt = {
    {"breakpoint", "stops in a debugger; docs/language.md compiles it"},
    {"pyk.breakpoint", "stops in a debugger; docs/language.md compiles it"},
    {"pyk.shared_part.checked", "stands for pyk.shared_part where bounds are checked: tests/cli"},
    {"pyk.shared_part_aligned.checked", "stands for pyk.shared_part_aligned where bounds are checked: tests/cli"},
    {"cuda.load_vector.checked", "stands for cuda.load_vector where bounds are checked: tests/cli"},
    {"cuda.store_vector.checked", "stands for cuda.store_vector where bounds are checked: tests/cli"},
    {"array.item.checked", "stands for array.item where the host calls: tests/numpy"},
    {"array.reshape.checked", "the same"},
    {"array.view.checked", "the same"},
    {"pyk.cell.checked", "the same"},
    {"pyk.range_at.checked", "the same"},
    {"pyk.sliced", "a slice by a step that is computed is no call: tests/run/arrays"},
    {"pyk.sliced.checked", "the same"},
    {"pyk.some.checked", "the same"},
    {"pyk.text_code.checked", "stands for pyk.text_code where the host calls"},
    {"pyk.tuple_at", "an element of a tuple is no call: tests/run/functions/tuple_arguments.pyk"},
    {"pyk.tuple_at.checked", "the same"},
    {"pyk.broadcast.checked", "stands for pyk.broadcast where the host calls: tests/unit/jit/new_array_test.cpp"},
    {"pyk.broadcast_to", "a pass makes it in functions that the host calls: tests/numpy, share_array_loops_test.cpp"},
    {"pyk.broadcast_to.checked", "the same"},
    {"np.nanquantile", "np.nanpercentile of a hundredth, which tests/numpy calls"},
    {"np.row_stack", "np.vstack by its older name, which NumPy 2 lacks"},
    {"np.trapz", "np.trapezoid by its older name, which NumPy 2 lacks"},
    {"array.astype", "functions that the host calls make arrays: tests/unit/jit/new_array_test.cpp"},
    {"array.copy", "the same"},
    {"array.flatten", "the same"},
    {"pyk.apart", "the same: tests/numpy"},
    {"pyk.branched", "a pass makes it in functions that the host calls: tests/unit/jit/function_test.cpp"},
    {"pyk.chosen", "a pass makes it in functions that the host calls: tests/numpy"},
    {"pyk.clamped", "a pass makes it in functions that the host calls: tests/numpy"},
    {"pyk.disjoint", "a pass makes it in functions that the host calls: tests/numpy"},
    {"pyk.tail_at", "a pass makes it in functions that the host calls: tests/numpy"},
    {"pyk.in_turn", "a pass makes it in functions that the host calls: tests/numpy"},
    {"pyk.restrided", "np.lib.stride_tricks.as_strided, which tests/numpy calls"},
    {"get_num_threads", "functions that the host calls have threads: tests/numpy"},
    {"get_thread_id", "the same"},
    {"config.NUMBA_NUM_THREADS", "the same"},
    {"pyk.floor_divide", "`//` of what the host calls: tests/numpy"},
    {"pyk.remainder", "`%` of what the host calls: tests/numpy"},
    {"pyk.give", "functions that the host calls make arrays: tests/unit/jit/new_array_test.cpp"},
    {"pyk.new_array", "the same"},
    {"pyk.new_zeros", "the same"},
};

// Functions that the host calls have random numbers: tests/unit/jit/random_function_test.cpp.
bool is_random(std::string_view name) {
    return name.starts_with("random.") || name.starts_with("np.random.") || name.starts_with("pyk.random_");
}

// And NumPy's functions of whole arrays: tests/numpy has its own cases of these.
bool has_numpy_case(const Builtin& row) {
    static const std::string cases = [] {
        std::ifstream file(PYK_SOURCE_DIR "/tests/numpy/functions.pyk");
        return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    const bool is_method = row.name.starts_with("array.");
    const std::string call = std::string(row.name.substr(is_method ? row.name.find('.') : 0)) + "(";
    return row.special == Special::python && cases.find(call) != std::string::npos;
}

std::set<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.insert(it->str(1));
    return found;
}

std::set<std::string_view> rows_of(const Case& c) {
    Diagnostics diagnostics;
    const auto ir = translate_to_ir(*c.program, {c.request}, {}, diagnostics);
    if (!ir) return {};
    const std::string source(c.program->source->text());
    const auto called = matches(*ir, "@([A-Za-z_0-9.]+)");
    const auto words = matches(source, "([A-Za-z_][A-Za-z_0-9]*)");
    const auto dotted = matches(source, "([A-Za-z_][A-Za-z_0-9]*\\.[A-Za-z_0-9.]+)");
    std::set<std::string_view> rows;
    for (const Builtin& row : all_builtins()) {
        const std::string name(row.name);
        if (called.contains(name) || ((is_value(row) || row.special != Special::none) && dotted.contains(name)) ||
            (row.special != Special::none && row.spelling_for(TargetId::cpu).empty() &&
             words.contains(name.substr(name.rfind('.') + 1))))
            rows.insert(row.name);
    }
    return rows;
}

int report(bool list) {
    std::map<std::string_view, std::string> cases;
    for (const std::string& name : find_cases()) {
        const Case c = read_case(name);
        if (!c.runs) continue;
        for (const std::string_view row : rows_of(c)) cases[row] += " " + name;
    }
    size_t missing = 0;
    for (const Builtin& row : all_builtins()) {
        const std::string name(row.name);
        if (list)
            std::printf("%s\t%s\t%s\t%s\t%s\n", name.c_str(), std::string(row.rule).c_str(),
                        std::string(row.spelling_for(TargetId::cuda)).c_str(),
                        std::string(row.spelling_for(TargetId::cpu)).c_str(), cases[row.name].c_str());
        if (!cases[row.name].empty() || kExempt.contains(row.name) || is_random(row.name) || has_numpy_case(row))
            continue;
        ++missing;
        std::fprintf(stderr, "no case of tests/run calls %s\n", name.c_str());
    }
    std::fprintf(stderr, "%zu rows, %zu without a case, %zu exempt\n", all_builtins().size(), missing, kExempt.size());
    return missing ? 1 : 0;
}

}  // namespace
}  // namespace pyk::run_cases

int main(int argc, char** argv) { return pyk::run_cases::report(argc > 1 && std::string(argv[1]) == "--list"); }
