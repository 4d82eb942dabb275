// What stands behind a jit::Module: the parsed file and its compiled instances.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "driver/pipeline.h"
#include "jit/loaded.h"
#include "pyk/pyk.hpp"

namespace pyk::jit {

struct EngineOptions {
    Defines defines;
    WarningOptions warnings;
    Backend backend = Backend::automatic;
    bool check_bounds = false;
    bool debug = false;
    std::vector<std::string> import_folders;
    pyk::Typing typing = pyk::Typing::numba;
    std::vector<std::string> links;
    CodeOptions code;
};

/// A kernel for one tuple of argument types on one backend, ready to launch.
struct Instance {
    std::string text;
    std::string warnings;
    EntryPoint entry;
    double transpile_ms = 0, compile_ms = 0;
    std::unique_ptr<Loaded> code;
};

/// A place for an instance: whoever comes first fills it, under its own lock, while others wait for that one only.
/// A failure stays, with its message.
struct InstanceSlot {
    std::mutex mutex;
    std::optional<Result<std::shared_ptr<Instance>>> result;
};

/// Immutable but for the slots.
struct Engine {
    Program program;
    EngineOptions options;
    double parse_ms = 0;
    std::mutex mutex;  ///< of `slots`, never held while compiling
    std::map<std::string, std::shared_ptr<InstanceSlot>> slots;
};

Result<std::shared_ptr<Engine>> make_engine(SourceFilePtr source, EngineOptions options);

Result<Report> launch(Engine& engine, const std::string& kernel, const LaunchShape& shape,
                      const std::vector<Argument>& arguments);

Result<std::string> text_of(Engine& engine, const std::string& kernel, Backend backend,
                            const std::vector<Argument>& arguments);

}  // namespace pyk::jit
