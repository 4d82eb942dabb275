// IR → text. The one walk; what the text looks like is decided here and in templates/, what it means was decided
// before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "support/diagnostics.h"
#include "targets/target.h"

namespace pyk {

/// What the command line asks of the compiler behind us, beside what the decorators say.
struct CodeOptions {
    bool fastmath = false;
    bool no_fmad = false;
    bool device_debug = false;
    bool lineinfo = false;
    int max_registers = 0;            ///< 0: not said
    std::optional<int> optimization;  ///< 0 to 3
};

/// Threads that make a call of an array function for parts of arrays together.
struct Team {
    int threads = 1;  ///< 32 or a power of two times it
    int items = 0;    ///< each holds so many elements of a part's in registers, as the whole part is at most; 0: they
                      ///< stay in memory. A multiple of 4
};

/// `#line` instead of `// file.pyk:12` comments: what is compiled with line numbers has the source's. Only `none`, a
/// text for people, has the author's comments.
enum class LineDirectives : uint8_t { none, with_line_numbers, all };

/// Of an array function for parts of arrays: which of an operand's last axes are a part, `(m,n),(n)->(m)`.
struct PartsLayout {
    std::string text;
    std::vector<std::string> extents;           ///< names; of a fixed one its number
    std::vector<std::vector<size_t>> operands;  ///< per axis its extent; the inputs come first
    size_t inputs = 0;
    std::vector<bool> writable;  ///< per operand: the function may store to it
};

struct EmitOptions {
    bool include_prelude = false;  ///< `#include <pyk/…>` instead of pasting the parts used
    LineDirectives line_directives = LineDirectives::none;
    bool debug = false;  ///< report errors (`raise`, `assert`, a division by zero) instead of only ending the thread
    bool print_to_sink = false;  ///< `print` goes to a sink of the host's instead of the standard output
    bool check_bounds = false;   ///< report an index out of range instead of undefined behaviour
    bool check_races = false;    ///< report what threads race for, where the target can; comes with check_bounds
    bool verify = false;  ///< look whether the IR is as it promises (ir/verify.h): where not, it is a fault of ours
    std::string template_folder;  ///< the user's own templates; empty: the built-in ones
    CodeOptions code = {};
    std::string name_space = {};  ///< of what the file defines, `a::b`; empty: the file's name
    bool wide = false;  ///< threads of kernels that are pure maps (docs/embedding.md) each have the elements of
                        ///< several, and a last argument, an int64: how many threads there would be. Arrays
                        ///< must not overlap
    std::optional<std::vector<bool>> single = {};  ///< threads of an array function over elements side by side each
                                                   ///< have one; per input: it is a number, no array
    std::vector<Team> teams;  ///< of array functions for parts of arrays: the first for which there is a form is taken
                              ///< (EntryPoint::team). Its launch must be one for which that is right
                              ///< (emit/team_form.h); where lanes hold elements, all parts along one axis of which
                              ///< the extent is not known have the same
    bool has_header = false;  ///< emit_header's functions call it: its names are the file's own, and a kernel with
                              ///< several arrays has a second variant, for arrays that do not overlap
    std::map<std::string, PartsLayout> layouts = {};  ///< with a header: of all array functions for parts of arrays
    std::string part = {};  ///< behind another part of the file in one text: the namespace that tells their names apart
    bool is_linked = false;        ///< of a text that a linker sees: its kernels are C++ functions, not `extern "C"`
    std::string source_path = {};  ///< of the main file, for `#line`; empty: its name
    std::string build = {};  ///< with a header: how it is built, in any words. Texts that differ in it have other names
};

/// One argument of an entry point, in order. Arguments travel in one packed buffer, each at its natural alignment:
/// scalars as themselves (bool one byte), arrays as `{pointer, int64 shape[ndim]}` for layouts C and F and
/// `{pointer, int64 shape[ndim], int64 stride_in_bytes[ndim]}` for A, tuples as their elements in order.
struct EntryParam {
    std::string name;
    Type type;
    bool written = false;      ///< an array that the kernel may store to
    bool overwritten = false;  ///< of an array function for parts: all of it is stored to, and before any of it is read
};

/// A kernel that the text defines.
struct EntryPoint {
    std::string kernel;  ///< the author's name
    std::string symbol;  ///< `extern "C"`
    std::vector<EntryParam> params;
    uint32_t line = 0;         ///< of the `def` in the source
    bool cooperative = false;  ///< waits for its whole grid: the launch must be cooperative
    int min_sm = 0;            ///< lowest compute capability ×10 that can run it
    /// Of an array function: how many elements a thread computes; `params` are the elements of the operands, the
    /// result's last. Its one argument is the loop of runtime/device/pyk/flat_loop.h or elementwise_loop.h. Of a kernel
    /// that is a pure map: in its wide form; 0: it is none.
    int elements_per_thread = 0;
    std::string not_pure = {};         ///< why it is none: `it has a loop`
    Team team = {};                    ///< of an array function for parts of arrays: who makes a call
    std::string not_team = {};         ///< why it is one, where more were asked for
    std::string disjoint_symbol = {};  ///< of the variant for arrays that do not overlap; empty: there is none
    bool index32 = false;              ///< that one asks for small arrays and grids too
};

/// Emitted text and what is in it. Deterministic to the byte, free of machine paths and dates.
struct Unit {
    std::string text;
    std::vector<EntryPoint> entries;
    std::vector<std::string> flags;  ///< that it asks of its compiler: `--use_fast_math`
    std::vector<ir::LinkedCode> links;
    std::vector<std::pair<std::string, Span>>
        foreign;                  ///< the functions that `links` define, and where they are declared
    bool lto = false;             ///< what is linked is inlined
    bool has_checks = false;      ///< launches report errors to the host
    bool is_relocatable = false;  ///< it has functions that other device code calls: what is compiled is linked with it
    std::string inner_space;      ///< the inline namespace that tells it from other files; empty: there is none
    std::vector<uint32_t>
        source_lines;  ///< per line of `text` (from 0): the line of the source it stems from, 0 where none
    std::vector<std::string> source_files;  ///< of the same: the file that is imported; empty: the main one
    std::vector<std::pair<std::string, Span>> inline_ptx = {};  ///< the author's PTX, and where it is written
};

/// Emits every function of a raised module. Reports what the target cannot spell (then nothing is emitted).
std::optional<Unit> emit(const ir::Module& module, const Target& target, const EmitOptions& options,
                         Diagnostics& diagnostics);

/// The forms in which a program has the kernels that a header declares.
struct HeaderParts {
    bool kernels = false;  ///< CUDA C++ that nvcc compiles
    bool entries = false;  ///< C++ for the CPU
    bool images = false;   ///< the compiled code of `emit_images`
    /// Of a text of functions for the CPU, which the host calls: these. It has nothing else.
    std::set<std::string> functions = {};
    bool is_continued = false;  ///< goes behind the text of another header, in one file
};

/// The header of a module that was emitted with `has_header`: for each kernel and its signatures a C++ function that
/// launches it, and what the forms define.
std::optional<std::string> emit_header(const ir::Module& module, const EmitOptions& options, const HeaderParts& parts,
                                       Diagnostics& diagnostics);

/// Code for one architecture.
struct CompiledImage {
    std::string name;  ///< `sm_90a`, `compute_75`
    int number = 0;
    char suffix = 0;
    bool is_ptx = false;
    std::string bytes;
};

/// A C++ source that carries compiled code of a unit's kernels: it defines `pyk::Images <namespace>::<file>_images`.
/// nullopt, as of emit_header: a template of the user's is at fault, which is reported.
std::optional<std::string> emit_images(const std::string& source_name, const Unit& unit,
                                       const std::vector<CompiledImage>& images, const EmitOptions& options,
                                       Diagnostics& diagnostics);

/// Whether a folder of the user's own templates has some, each of the name of a built-in one; reports.
bool check_templates(const std::string& folder, Diagnostics& diagnostics);

/// Text of one part of the device prelude (`array`, `math` …), for tests and `--list-builtins`; empty if there is none.
std::string_view prelude_part(std::string_view name);

}  // namespace pyk
