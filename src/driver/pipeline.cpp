#include "driver/pipeline.h"

#include <algorithm>

#include "advice/advice.h"
#include "driver/links.h"
#include "driver/notebook.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "module/scope.h"
#include "passes/passes.h"
#include "support/fault.h"
#include "support/large_stack.h"
#include "syntax/dump.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

// What one stage promises to the next.
void check_promises(const ir::Module& module, std::string_view stage, const EmitOptions& options) {
    if (!options.verify) return;
    const std::vector<std::string> problems = ir::verify(module);
    if (!problems.empty()) internal_error(fmt::format("{}: {}", stage, problems.front()));
}

// The middle: what the tree means, in forms that every target can spell.
std::optional<ir::Module> raised(const Program& program, const std::vector<Request>& requests,
                                 const EmitOptions& options, Diagnostics& diagnostics) {
    // The tree is Python: nothing in it has a type, and it may hold what kernels cannot use.
    Diagnostics found;
    std::optional<ir::Module> module = analyze(*program.scope, requests, found, program.typing);
    Diagnostics of_imports;
    program.library->report(of_imports);
    program.library->report(diagnostics);
    if (!of_imports.has_errors()) diagnostics.merge(found);  // else they may be why names are not known
    if (!module || diagnostics.has_errors()) return std::nullopt;
    load_links(*module, program.links, program.base, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;

    // Closed and monomorphic: every callee is there, every expression has one type, every conversion is a node.
    std::vector<const ast::Module*> trees = program.library->trees();
    trees.push_back(program.tree.get());
    const Written written(std::move(trees));
    check_promises(*module, "analyze", options);
    advise_on_meaning(*module, written, diagnostics);
    // What a header declares, other code may call.
    const bool closed = !options.has_header && !options.is_linked;
    raise(*module, {.check_bounds = options.check_bounds, .debug = options.debug, .closed = closed});
    check_promises(*module, "raise", options);
    advise_on_cost(*module, written, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;

    // Only forms that C++ has, meaning what they mean in C++.
    return module;
}

std::optional<Unit> emitted(const ir::Module& module, const Target& target, const EmitOptions& options,
                            Diagnostics& diagnostics) {
    std::optional<Unit> unit = emit(module, target, options, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    // Text that compiles as it is, and how to call what it defines.
    return unit;
}

// Whether there are errors, and none that others could follow from.
bool are_of_signatures(const Diagnostics& diagnostics) {
    return diagnostics.has_errors() && std::ranges::all_of(diagnostics.all(), [](const Diagnostic& d) {
               return d.severity != Severity::error || d.id == diag::signature_arity.id ||
                      d.id == diag::bad_signature.id || d.id == diag::signature_result.id;
           });
}

// What a file's kernels say of themselves, as far as that is right.
std::vector<Request> declared_requests(const std::vector<KernelInfo>& kernels) {
    std::vector<Request> requests;
    for (const KernelInfo& kernel : kernels)
        for (const Signature& signature : kernel.signatures)
            if (signature.params.size() == kernel.params.size() && kernel.open_names.empty())
                requests.push_back({kernel.name, signature, kernel.span});
    return requests;
}

}  // namespace

std::optional<Program> read_program(SourceFilePtr source, Defines defines, Diagnostics& diagnostics,
                                    std::vector<std::string> import_folders, const std::filesystem::path& base) {
    return on_large_stack([&]() -> std::optional<Program> {
        // Any bytes.
        source = without_broken_cells(std::move(source), diagnostics);
        std::optional<ast::Module> parsed = parse(source, diagnostics);
        if (!parsed) return std::nullopt;
        const auto tree = std::make_shared<const ast::Module>(std::move(*parsed));

        auto library = std::make_shared<Library>(source->name(), std::move(import_folders), base);

        // Python that CPython's parser accepts. What is not a kernel, nor called by one, stays unread from here on.
        auto scope = std::make_shared<const ModuleScope>(*tree, defines, library.get());
        Callables found = find_callables(*scope, diagnostics);
        // Faulty signatures of one kernel hide nothing of the others.
        library->report(diagnostics);
        if (are_of_signatures(diagnostics)) analyze(*scope, declared_requests(found.kernels), diagnostics);
        diagnostics.keep(library);
        if (diagnostics.has_errors()) return std::nullopt;
        return Program{std::move(source),
                       tree,
                       std::move(defines),
                       std::move(found.kernels),
                       std::move(found.array_functions),
                       std::move(found.operators),
                       std::move(found.host_functions),
                       std::move(library),
                       Typing::numba,
                       {},
                       base,
                       std::move(scope)};
    });
}

std::optional<Unit> translate(const Program& program, const std::vector<Request>& requests, const Target& target,
                              const EmitOptions& options, Diagnostics& diagnostics) {
    return on_large_stack([&]() -> std::optional<Unit> {
        const std::optional<ir::Module> module = raised(program, requests, options, diagnostics);
        EmitOptions in_files = options;
        in_files.source_path = program.source->name();
        return module ? emitted(*module, target, in_files, diagnostics) : std::nullopt;
    });
}

std::optional<std::string> translate_to_header(const Program& program, const std::vector<Request>& requests,
                                               const EmitOptions& options, Diagnostics& diagnostics,
                                               const HeaderParts& parts) {
    return on_large_stack([&]() -> std::optional<std::string> {
        const std::optional<ir::Module> module = raised(program, requests, options, diagnostics);
        if (!module) return std::nullopt;
        return emit_header(*module, options, parts, diagnostics);
    });
}

std::optional<std::string> translate_to_ir(const Program& program, const std::vector<Request>& requests,
                                           const EmitOptions& options, Diagnostics& diagnostics) {
    return on_large_stack([&]() -> std::optional<std::string> {
        const std::optional<ir::Module> module = raised(program, requests, options, diagnostics);
        if (!module) return std::nullopt;
        return ir::print(*module);
    });
}

std::vector<MemoryAccess> find_accesses(const Program& program, const std::vector<Request>& requests,
                                        const EmitOptions& options, BlockShape block, Diagnostics& diagnostics) {
    return on_large_stack([&] {
        const std::optional<ir::Module> module = raised(program, requests, options, diagnostics);
        return module ? memory_accesses(*module, block) : std::vector<MemoryAccess>();
    });
}

std::vector<std::string> files_read(const Program& program) {
    std::vector<std::string> paths = {program.source->name()};
    for (cache::FileRead& file : program.library->files()) paths.push_back(std::move(file.path));
    return paths;
}

std::string dump_tree(const Program& program) {
    return on_large_stack([&] { return dump(*program.tree); });
}

}  // namespace pyk
