// Code of the user's own: functions that `cuda.declare_device` declares, and what is linked.
#pragma once

#include <optional>
#include <vector>

#include "module/scope.h"

namespace pyk {

/// `cuda.declare_device(name, sig, link=, use_cooperative=, abi=)`
struct Declaration {
    std::string name;
    Signature signature;
    bool c_abi = false;
    bool cooperative = false;
    std::vector<ir::LinkedCode> links;
};

/// nullopt: it is faulty, and reported.
std::optional<Declaration> read_declaration(const FunctionInfo& info, Diagnostics& diagnostics);

/// By a file's extension.
std::optional<ir::LinkedCode::Kind> kind_of_file(const std::string& path);
inline constexpr std::string_view kLinkedFiles = "files end in .cu, .ptx, .cubin, .fatbin, .o, .a, .ltoir or .cpp";

/// Whether it is `cuda.CUSource(…)` or its like, or a list with one: no value of the module, but what is written
/// counts.
bool is_linked_code(const ModuleScope& scope, const ast::Expr& expr);
/// What `link=` names: paths, `cuda.CUSource(…)` and its like, or a list of these. Files are not read yet.
std::vector<ir::LinkedCode> read_links(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics);

}  // namespace pyk
