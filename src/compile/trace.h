// What `-v` and `-###` show of the tools behind the compiler.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace pyk {

struct ToolTrace {
    std::function<void(const std::string& line)>
        show;             ///< of each tool that is used; may be empty; called by any thread
    bool execute = true;  ///< false: tools are shown, and what they make is empty
};

/// For the whole process: set before the first compilation.
void set_tool_trace(ToolTrace trace);

/// Shows a tool and its arguments, quoted as a shell takes them. False: it must not run.
bool may_run_tool(const std::string& tool, const std::vector<std::string>& arguments);

/// Words as a shell takes them.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace pyk
