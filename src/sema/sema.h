// What the names mean and what the types are: syntax tree → closed, monomorphic, typed IR.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "builtins/narrow.h"
#include "ir/ir.h"
#include "support/diagnostics.h"
#include "syntax/ast.h"
#include "types/signature.h"

namespace pyk {

/// A value for a module-level name, from `-D NAME=VALUE`: wins over the file's own.
using ConstantValue = std::variant<bool, int64_t, uint64_t, double>;
using Defines = std::map<std::string, ConstantValue, std::less<>>;

/// One kernel as the file declares it.
struct KernelInfo {
    std::string name;
    Span span;  ///< of the name after `def`
    std::vector<std::string> params;
    std::vector<Signature> signatures;  ///< from the decorator, else from annotations of every parameter; may be empty
    std::string docstring;
};

/// The kernels of a file, in order (`@cuda.jit` in any form that is not a device function).
std::vector<KernelInfo> find_kernels(const ast::Module& module, const Defines& defines, Diagnostics& diagnostics);

/// The types that a file's names stand for, for signatures that come from elsewhere. Refers to the module.
TypeNames type_names(const ast::Module& module, const Defines& defines);

/// Which kernel to specialise for which argument types.
struct Request {
    std::string kernel;
    Signature signature;
    Span span;  ///< of the signature's text, where it stands in the file
};

/// Resolves, prunes, infers and specialises: every function that the requested kernels reach, once per tuple of
/// argument types. Reports all that it can, then fails. `typing`: where neither the file nor a decorator says it.
std::optional<ir::Module> analyze(const ast::Module& module, const std::vector<Request>& requests,
                                  const Defines& defines, Diagnostics& diagnostics, Typing typing = Typing::numba);

}  // namespace pyk
