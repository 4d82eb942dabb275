// What the cache keeps of programs and instances. Two levels: a manifest, found by the main file's content, the options
// and the argument types, names the files that were imported and the tool, each with its identity, and the binary's
// key.
#pragma once

#include "jit/engine.h"

namespace pyk::jit {

/// The key of a file with options: everything that shapes what is compiled of it but the types and the device. Folders
/// are kept relative to the file's.
cache::KeyBuilder program_key(const Engine& engine);

/// Why what is compiled will be compiled again by the next process, though it was to be kept; empty: it is kept, or
/// nobody wants it.
std::string why_not_kept(const Engine& engine);
/// The kernels of a file that was parsed before and whose imports are what they were.
std::optional<ProgramInfo> find_program(const Engine& engine);
void keep_program(const Engine& engine, const ProgramInfo& info);

/// The types that a signature's text was found to name.
std::optional<std::vector<ArgumentType>> find_types(const Engine& engine, const std::string& signature);
void keep_types(const Engine& engine, const std::string& signature, const std::vector<ArgumentType>& types);

/// A kernel compiled before, with what it imports, its tool and its device being the same.
std::optional<Built> find_built(const Engine& engine, const BuildRequest& request);
void keep_built(const Engine& engine, const BuildRequest& request, const Built& built);
/// Its binary proved useless.
void forget_built(const Engine& engine, const BuildRequest& request);

}  // namespace pyk::jit
