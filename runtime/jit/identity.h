// Which compiler and which tools there are, without loading them.
#pragma once

#include <string>

namespace pyk::jit {

/// What tells a program or a shared object from all others: its linker's build id, else the digest of its content.
/// Empty: there is no such file. Reads a few hundred bytes.
std::string identity_of_file(const std::string& path);

/// Of the CPU that runs this: code for the CPU target is compiled for its instruction set.
std::string identity_of_cpu();

}  // namespace pyk::jit
