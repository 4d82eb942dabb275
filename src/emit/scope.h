// What is known about a function while its text is written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "emit/placement.h"
#include "emit/structs.h"
#include "emit/team_form.h"
#include "emit/type_names.h"
#include "ir/ir.h"
#include "passes/constness.h"
#include "passes/ranges.h"
#include "targets/target.h"

namespace pyk::emitter {

/// What is known about a function before it is written.
struct FunctionFacts {
    ir::Mentions mentions;
    std::string name = {};          ///< in C++
    bool needs_thread = false;      ///< takes the thread's context
    bool needs_site = false;        ///< of the library, and told where it is called, for what it reports
    bool checks_recursion = false;  ///< calls itself, on a stack whose end is to be seen before
    bool waits = false;             ///< it or what it calls has a waiting loop, on a target whose threads run in turns
    size_t shared_begin = 0;        ///< where its shared arrays start, on targets that place them
    size_t local_bytes = 0;         ///< of its local arrays and those of what it calls
    /// The second variant of a kernel that header functions choose from; null: there is none.
    std::unique_ptr<const ir::Function> disjoint = {};
};

/// What is known about the module: names of its functions and constants, and what its functions need.
struct ModuleScope {
    const ir::Module& module;
    const Target& target;
    const EmitOptions& options;
    std::string source_path;  ///< of the main file
    bool debug;               ///< errors are reported to the host
    bool has_line_directives;
    std::string space;            ///< the namespace
    std::string inner_space;      ///< the inline one within; empty: none
    std::vector<Struct> structs;  ///< each behind those that it is made of
    TypeNames types;              ///< what C++ calls types
    Constness constness;
    bool makes_arrays = false;                  ///< some function does: see emit/kept.h
    bool has_exports = false;                   ///< functions that other device code calls
    std::vector<std::string> constants = {};    ///< by ConstantId
    std::vector<FunctionFacts> functions = {};  ///< by FunctionId

    const FunctionFacts& function(ir::FunctionId id) const { return functions[static_cast<size_t>(id)]; }
};

struct FunctionScope {
    const ModuleScope& module;
    size_t index;  ///< of the function in its module
    const ir::Function& function;
    bool takes_thread;
    Placement placement;
    Ranges ranges;                               ///< known where a loop's step is not a number
    std::vector<std::string> names;              ///< C++ names, by LocalId
    bool wide;                                   ///< a kernel whose threads each have the elements of several
    std::optional<TeamForm> team;                ///< an array function whose calls several threads make
    std::vector<bool> keeps = {};                ///< by LocalId: an array with what holds its memory; see emit/kept.h
    std::vector<const ir::Stmt*> hands_on = {};  ///< by LocalId: where such an array is handed on
    std::vector<bool> columns = {};              ///< by LocalId: see emit/columns.h

    const FunctionFacts& facts() const { return module.functions[index]; }

    // Nothing of functions that make no arrays.
    bool is_kept(ir::LocalId id) const { return !keeps.empty() && keeps[static_cast<size_t>(id)]; }
    bool is_column(ir::LocalId id) const { return !columns.empty() && columns[static_cast<size_t>(id)]; }
    const ir::Stmt* handed_on_by(ir::LocalId id) const {
        return hands_on.empty() ? nullptr : hands_on[static_cast<size_t>(id)];
    }

    /// What is known of a loop's step.
    Interval step_of(const ir::ForRange& loop) const;
    /// In ASCII; a variant's own.
    std::string symbol() const;
    /// The path of the file that the function is in; empty: the module's own.
    std::string imported_from() const;
    /// A line as checks report it: `12`, or `12, "helpers.pyk"`; in the library its caller's.
    std::string site_line(uint32_t line) const;
    /// The two apart: the line, and the file or nothing.
    std::string line_text(uint32_t line) const;
    std::string file_text() const;
    const std::string& name(ir::LocalId id) const { return names[static_cast<size_t>(id)]; }
    /// An array through which the function never writes.
    bool reads_only(ir::LocalId id) const;
    /// An array whose extents are `int`s in C++, and whose places are found in 32 bits.
    bool is_index32(ir::LocalId id) const;
    /// A parameter that is a record itself; every other local of a record's type points to one.
    bool takes_copy(ir::LocalId id) const;
    /// The C++ type of a local that is no plain array.
    std::string type_name(ir::LocalId id) const;
};

/// What functions of the library take that are told where they are called, and the parameters' text.
inline constexpr std::string_view kSiteLine = "pyk_line", kSiteFile = "pyk_in_file";
inline constexpr std::string_view kSiteParams = "int pyk_line, [[maybe_unused]] const char* pyk_in_file";

/// Whether the code reports a division by zero, with its line.
bool checks_divisor(const ModuleScope& scope, const ir::Binary& division);

/// Where an array of constant shape starts behind `offset` in shared memory, and where it ends.
size_t shared_offset(const ir::Local& local, size_t offset);
size_t plain_bytes(const ir::Local& local);

/// The row that is spelled for one: where bounds are checked, the one that does.
const Builtin& row_for(const ModuleScope& scope, const Builtin& builtin);

/// Whether kernels have no more shared arrays than the target; reports.
bool check_shared(const ModuleScope& scope, Diagnostics& diagnostics);
/// Whether the threads of array functions and parallel loops have room for their local arrays; reports.
bool check_local(const ModuleScope& scope, Diagnostics& diagnostics);
/// Of a kernel whose local arrays are more than usual stacks have: what its threads need; else 0.
size_t stack_bytes(const FunctionScope& scope);

ModuleScope module_scope(const ir::Module& module, std::vector<ir::Mentions> mentions, const Target& target,
                         const EmitOptions& options);
FunctionScope function_scope(const ModuleScope& module, size_t function);
/// The same for a given form.
FunctionScope function_scope(const ModuleScope& module, size_t function, std::optional<TeamForm> team);
/// Of FunctionFacts::disjoint.
FunctionScope disjoint_scope(const ModuleScope& module, size_t function);

/// A shared or local array of constant shape: a plain C++ array.
inline bool is_plain_array(const ir::Local& local) { return !local.shape.empty() && local.shape[0] != 0; }
/// Shared memory that the launch sizes.
inline bool is_dynamic_shared(const ir::Local& local) {
    return local.storage == ir::Storage::shared && !is_plain_array(local);
}

}  // namespace pyk::emitter
