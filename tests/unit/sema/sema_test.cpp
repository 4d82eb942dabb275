#include "sema_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "ir/print.h"
#include "ir/verify.h"
#include "module/scope.h"
#include "syntax/parse.h"

namespace pyk::sema_test {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// `statement  # 12` → `statement`.
std::string without_line_comment(const std::string& line) {
    const size_t at = line.rfind("  # ");
    const bool comment = at != std::string::npos && line.find_first_not_of("0123456789", at + 4) == std::string::npos;
    return comment ? line.substr(0, line.find_last_not_of(' ', at) + 1) : line;
}

std::string indented(std::string_view body) {
    std::string text;
    for (const std::string& line : lines_of(sema_test::text(body))) text += line.empty() ? "\n" : "    " + line + "\n";
    return text;
}

std::string_view severity_name(Severity severity) {
    return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// Where the text of a test begins in what is analyzed.
struct Origin {
    uint32_t line = 1, column = 1;
};

std::string where(Span span, Origin origin) {
    const Position at = span.file->position(span.begin);
    return fmt::format("{}:{}", at.line - origin.line + 1, at.column - origin.column + 1);
}

std::vector<std::string> listed(const Diagnostics& diagnostics, Origin origin) {
    std::vector<std::string> all;
    for (const Diagnostic& d : diagnostics.all()) {
        all.push_back(fmt::format("{}: {}: {} [{}]", where(d.span, origin), severity_name(d.severity), d.text, d.id));
        for (const Note& note : d.notes)  // without the types that the test itself asked for
            if (!note.text.starts_with("compiled as"))
                all.push_back(fmt::format("  {}: {}", where(note.span, origin), note.text));
    }
    return all;
}

Analysis analyze_at(std::string_view source, const std::vector<std::string>& signatures, const Defines& defines,
                    Origin origin) {
    Analysis result;
    Diagnostics diagnostics;
    auto file = std::make_shared<SourceFile>("test.pyk", std::string(kImports) + std::string(source));
    const auto module = parse(file, diagnostics);
    std::optional<ir::Module> ir;
    if (module) {
        std::vector<Request> requests;
        const auto scope = std::make_shared<const ModuleScope>(*module, defines);
        const TypeNames names = names_of(scope);
        for (const std::string& text : signatures) {
            SignatureError error{};
            auto signature = parse_signature(text, error, names);
            EXPECT_TRUE(signature) << text << ": " << error.message;
            if (signature) requests.push_back({signature->name, *signature, {}});
        }
        const std::vector<KernelInfo> kernels = find_callables(*scope, diagnostics).kernels;
        if (signatures.empty())
            for (const KernelInfo& kernel : kernels)
                for (const Signature& signature : kernel.signatures)
                    if (signature.params.size() == kernel.params.size())
                        requests.push_back({kernel.name, signature, {}});
        EXPECT_FALSE(requests.empty()) << "no kernel is asked for:\n" << source;
        ir = analyze(*scope, requests, diagnostics);
    }
    result.findings = listed(diagnostics, origin);
    if (!ir) return result;
    result.faults = ir::verify(*ir);
    std::vector<std::string> lines = lines_of(ir::print(*ir));
    std::ranges::transform(lines, lines.begin(), without_line_comment);
    lines.erase(lines.begin(), lines.begin() + 2);
    result.ir = joined(lines);
    return result;
}

struct KernelText {
    std::string source, signature;
    Origin origin;  ///< of the body, in the source with its imports
};

// Line 1: the imports; the module's lines; the decorator; the `def`; the body.
KernelText kernel_text(std::string_view params, std::string_view body, std::string_view module) {
    KernelText kernel;
    std::string names, types;
    // Only commas outside of brackets part the parameters.
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i <= params.size(); ++i) {
        if (i < params.size()) depth += (params[i] == '(' || params[i] == '[') - (params[i] == ')' || params[i] == ']');
        if (i < params.size() && (params[i] != ',' || depth != 0)) continue;
        const std::string_view param = params.substr(begin, i - begin);
        const size_t colon = param.find(": ");
        if (colon != std::string_view::npos) {
            const size_t name = param.find_first_not_of(' ');
            names += (names.empty() ? "" : ", ") + std::string(param.substr(name, colon - name));
            types += (types.empty() ? "" : ", ") + std::string(param.substr(colon + 2));
        }
        begin = i + 1;
    }
    const std::string head = sema_test::text(module);
    kernel.source = fmt::format("{}@cuda.jit\ndef k({}):\n{}", head, names, indented(body));
    kernel.signature = fmt::format("k({})", types);
    kernel.origin = {static_cast<uint32_t>(1 + std::ranges::count(head, '\n') + 2 + 1), 5};
    return kernel;
}

Analysis analyze_kernel(std::string_view params, std::string_view body, std::string_view module) {
    const KernelText kernel = kernel_text(params, body, module);
    return analyze_at(kernel.source, {kernel.signature}, {}, kernel.origin);
}

void expect_clean(const Analysis& analysis, std::string_view source) {
    EXPECT_TRUE(analysis.findings.empty() && analysis.faults.empty())
        << source << "\n"
        << joined(analysis.findings) << joined(analysis.faults) << analysis.ir;
}

// The last function of the printed module: the kernel.
std::vector<std::string> last_function(const std::string& ir) {
    std::vector<std::string> lines = lines_of(ir);
    const auto head =
        std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) { return line.starts_with("kernel "); });
    lines.erase(lines.begin(), head.base());
    if (!lines.empty()) lines.pop_back();
    for (std::string& line : lines) line.erase(0, std::min<size_t>(2, line.find_first_not_of(' ')));
    return lines;
}

}  // namespace

std::string text(std::string_view raw) {
    std::vector<std::string> lines = lines_of(raw);
    if (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
    if (!lines.empty() && lines.back().find_first_not_of(' ') == std::string::npos) lines.pop_back();
    size_t indent = std::string::npos;
    for (const std::string& line : lines) indent = std::min(indent, line.find_first_not_of(' '));
    for (std::string& line : lines)
        line.erase(0, line.find_first_not_of(' ') == std::string::npos ? line.size() : indent);
    return joined(lines);
}

Analysis analyze_text(std::string_view source, const std::vector<std::string>& signatures, const Defines& defines) {
    return analyze_at(text(source), signatures, defines, {});
}

std::string module_ir(std::string_view source, const std::vector<std::string>& signatures, const Defines& defines) {
    const Analysis analysis = analyze_text(source, signatures, defines);
    expect_clean(analysis, source);
    return analysis.ir;
}

std::string locals_and_body(std::string_view params, std::string_view body, std::string_view module) {
    const Analysis analysis = analyze_kernel(params, body, module);
    expect_clean(analysis, body);
    return joined(last_function(analysis.ir));
}

std::string body(std::string_view params, std::string_view body, std::string_view module) {
    const Analysis analysis = analyze_kernel(params, body, module);
    expect_clean(analysis, body);
    std::vector<std::string> lines = last_function(analysis.ir);
    const auto blank = std::ranges::find(lines, "");
    if (blank != lines.end()) lines.erase(lines.begin(), blank + 1);
    return joined(lines);
}

std::vector<std::string> findings(std::string_view params, std::string_view body, std::string_view module) {
    const Analysis analysis = analyze_kernel(params, body, module);
    EXPECT_TRUE(analysis.faults.empty()) << joined(analysis.faults);
    return analysis.findings;
}

std::string type_of(std::string_view params, std::string_view expression, std::string_view module) {
    const KernelText kernel = kernel_text(params, fmt::format("__it = {}\n", expression), module);
    const Analysis analysis = analyze_at(kernel.source, {kernel.signature}, {}, kernel.origin);
    EXPECT_TRUE(analysis.faults.empty()) << expression << "\n" << joined(analysis.faults);
    for (const std::string& line : last_function(analysis.ir))
        for (const std::string_view prefix : {"var __it: ", "shared __it: ", "local __it: "})
            if (line.starts_with(prefix)) return line.substr(prefix.size());
    return "error";
}

}  // namespace pyk::sema_test
