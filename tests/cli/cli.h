// Running pykc in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compile/process.h"
#include "compile/temp_folder.h"

namespace pyk {

class Cli : public ::testing::Test {
  protected:
    void SetUp() override;

    /// Runs pykc with these arguments, in the folder.
    ProcessResult pykc(std::vector<std::string> arguments) const;
    /// Runs a shell line in the folder, where $PYKC is pykc.
    ProcessResult shell(const std::string& line) const;

    void write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const;
    bool exists(const std::string& name) const;
    std::vector<std::string> files() const;

    TempFolder folder_;
};

/// Kernels with types of their own.
extern const char* const kSaxpy;
/// A kernel without, and a device function.
extern const char* const kScale;

}  // namespace pyk
