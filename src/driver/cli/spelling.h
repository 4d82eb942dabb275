// The small languages of option values. Each throws UsageError.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cli/options.h"

namespace pyk {

/// A spelling that compilers have and option parsers have not, and the option that it is. One that ends in `=` takes
/// its value behind that, one that ends in `*` directly behind its name.
struct Alias {
    std::string_view spelling, option;
};
std::span<const Alias> aliases();

/// A kind of output. `extensions`: those by which `-o` names it, the one that we write first.
struct EmitKindInfo {
    std::string_view name;
    EmitKind kind;
    std::string_view extensions;
    bool is_compiled, is_binary, holds_several;  ///< by a tool; not for a terminal; code for several architectures
};

/// What does here what an option of gcc or nvcc does there: `--emit=ptx` for `-ptx`. Empty: none that is known.
std::string_view what_to_write_for(std::string_view option);

/// Brings the spellings that compilers have and option parsers have not into `--long=value` form: `-arch=sm_90`,
/// `-Wno-x`, `-w`, `--check=bounds`; and in `run`, negative numbers, which are arguments and no options.
std::vector<std::string> normalise(std::vector<std::string> arguments, bool is_run);

/// `NAME=VALUE`, or `NAME` for 1.
void add_define(Defines& defines, const std::string& text);
/// What follows `-W`: see apply_warning.
void add_warning(WarningOptions& warnings, const std::string& text);
/// `X[,Y[,Z]]`
Dimensions parse_dimensions(const std::string& option, const std::string& text);
/// `PARAM=FILE`
std::pair<std::string, std::string> parse_save(const std::string& text);
/// `cu,header`, or `cu=FILE`.
std::vector<EmitRequest> parse_emit(const std::string& text);
/// The kinds that it knows.
std::vector<std::string> emit_names();
const EmitKindInfo& info(EmitKind kind);
/// By the extension of the output file; `cu` where there is none.
EmitKind emit_kind_of_file(const std::string& path);
/// `.cu`
std::string extension_of(EmitKind kind);
/// `a::b`
void check_namespace(const std::string& text);
DeviceChoice parse_device(const std::string& text);
std::vector<std::string> device_names();

}  // namespace pyk
