// Emitted text of IR that is written as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "emit/emit.h"
#include "ir/read.h"
#include "ir/verify.h"

namespace pyk::test {

inline ir::Module read_ir(std::string_view text) {
    std::string error;
    auto module = ir::read(text, error);
    EXPECT_TRUE(module) << error << "\nin\n" << text;
    if (!module) return {};
    for (const std::string& problem : ir::verify(*module)) ADD_FAILURE() << problem << "\nin\n" << text;
    return std::move(*module);
}

inline Unit emit_unit(std::string_view ir_text, const Target& target, EmitOptions options = {}) {
    Diagnostics diagnostics;
    auto unit = emit(read_ir(ir_text), target, options, diagnostics);
    EXPECT_TRUE(unit) << render(diagnostics);
    return unit ? std::move(*unit) : Unit{};
}

/// Without the prelude.
inline std::string emit_text(std::string_view ir_text, const Target& target = cuda_target(), EmitOptions options = {}) {
    options.include_prelude = true;
    return emit_unit(ir_text, target, options).text;
}

/// The lines between the braces of the last function in text for CUDA.
inline std::string body_of(std::string_view text) {
    const size_t begin = text.rfind("\n{\n") + 3, end = text.rfind("\n}\n\n}  //");
    return std::string(text.substr(begin, end + 1 - begin));
}

/// The body of a kernel `k` with the parameters that most tests need, made of local declarations and statements.
inline std::string kernel_ir(std::string_view locals, std::string_view statements) {
    return "module \"t.pyk\"\n\nconstant N: int64 = 16\n\n"
           "kernel k = pyk_k(a: float32[::1], m: float64[:, ::1], s: int32[:], n: int64, ii: int32, uu: uint32, uw: "
           "uint64, "
           "bb: int8, flag: boolean, x: float32, d: float64) {\n" +
           std::string(locals) + "\n" + std::string(statements) + "}\n";
}

inline std::string body(std::string_view locals, std::string_view statements) {
    return body_of(emit_text(kernel_ir(locals, statements)));
}

/// What is stored by `store a[0] = …` (float32), or by another statement's text up to `=`.
inline std::string stored(std::string_view place, std::string_view value) {
    const std::string text = body("", "  store " + std::string(place) + " = " + std::string(value) + "\n");
    const size_t begin = text.find(" = ");
    return begin == std::string::npos ? text : text.substr(begin + 3, text.rfind(';') - begin - 3);
}

}  // namespace pyk::test
