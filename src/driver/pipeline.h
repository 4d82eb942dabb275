// The stages in their order: the table of contents of pykc.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "advice/accesses.h"
#include "driver/library.h"
#include "emit/emit.h"
#include "sema/sema.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"

namespace pyk {

/// A file that was read, parsed and looked through for kernels: what each translation starts from. Keeps the text
/// alive.
/// For one thread at a time: what its names mean is found when it is asked for.
struct Program {
    SourceFilePtr source;
    std::shared_ptr<const ast::Module> tree;
    Defines defines;
    std::vector<KernelInfo> kernels;
    std::vector<ArrayFunctionInfo> array_functions;
    std::vector<OperatorInfo> operators;
    std::vector<KernelInfo> functions;         ///< that the host may call
    std::shared_ptr<Library> library;          ///< the files that it imports
    Typing typing = Typing::numba;             ///< of functions of which neither the file nor a decorator says it
    std::vector<std::string> links;            ///< files of the user's own code, beside those that the file names
    std::filesystem::path base;                ///< where relative paths begin; empty: in the working directory
    std::shared_ptr<const ModuleScope> scope;  ///< what its names mean, of the tree with the defines and the library
};

/// The paths of the files that a translation of the program has read: the program's own, then those that it imports.
std::vector<std::string> files_read(const Program& program);

/// Text → Program. Fails on syntax errors; a file without kernels is fine here. Diagnostics point into `source`, which
/// the caller keeps until they are shown.
std::optional<Program> read_program(SourceFilePtr source, Defines defines, Diagnostics& diagnostics,
                                    std::vector<std::string> import_folders = {},
                                    const std::filesystem::path& base = {});

/// Program → emitted text for a target: everything that AOT and JIT share.
std::optional<Unit> translate(const Program& program, const std::vector<Request>& requests, const Target& target,
                              const EmitOptions& options, Diagnostics& diagnostics);

/// Program → the C++ header that declares its kernels.
std::optional<std::string> translate_to_header(const Program& program, const std::vector<Request>& requests,
                                               const EmitOptions& options, Diagnostics& diagnostics,
                                               const HeaderParts& parts);

/// Program → the raised IR as text.
std::optional<std::string> translate_to_ir(const Program& program, const std::vector<Request>& requests,
                                           const EmitOptions& options, Diagnostics& diagnostics);

/// How the kernels reach memory when they are launched with such blocks, for reports.
std::vector<MemoryAccess> find_accesses(const Program& program, const std::vector<Request>& requests,
                                        const EmitOptions& options, BlockShape block, Diagnostics& diagnostics);

/// The tree as text.
std::string dump_tree(const Program& program);

}  // namespace pyk
