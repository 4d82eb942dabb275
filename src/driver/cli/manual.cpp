#include <fmt/format.h>

#include <algorithm>

#include "driver/cli/describe.h"

namespace pyk {
namespace {

// Text as roff takes it: `-` and `\` mean something there, and so does a dot or a quote that begins a line.
std::string roff(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
    return result;
}

std::string value_text(const OptionDescription& option) {
    if (!option.takes_value) return "";
    return option.choices.empty() ? option.value : fmt::format("{}", fmt::join(option.choices, "|"));
}

std::string option_text(const OptionDescription& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    const std::string value = value_text(option);
    if (!value.empty()) names += fmt::format(" \\fI{}\\fR", roff(value));
    return fmt::format(".TP\n{}\n{}\n", names, roff(option.help));
}

std::string options_text(const CommandDescription& command) {
    std::vector<std::string> groups;
    for (const OptionDescription& option : command.options)
        if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
    std::string text;
    for (const std::string& group : groups) {
        if (groups.size() > 1) text += fmt::format(".SS {}\n", roff(group));
        for (const OptionDescription& option : command.options)
            if (option.group == group) text += option_text(option);
    }
    return text;
}

std::string synopsis(const CommandDescription& command) {
    std::string line = "\\fBpykc\\fR";
    if (!command.name.empty()) line += " \\fB" + command.name + "\\fR";
    if (!command.actions.empty()) line += fmt::format(" \\fB{}\\fR", fmt::join(command.actions, "|"));
    line += " [\\fIoptions\\fR]";
    for (const std::string& argument : command.arguments) line += fmt::format(" \\fI{}\\fR", roff(argument));
    return line + "\n";
}

}  // namespace

std::string manual_page() {
    const std::vector<CommandDescription> commands = describe_commands();
    std::string text = fmt::format(".TH PYKC 1 \"\" \"pykc {}\" \"pykc\"\n.SH NAME\npykc \\- {}\n.SH SYNOPSIS\n",
                                   PYK_VERSION, "compile kernels in Python syntax to CUDA C++ and C++");
    for (const CommandDescription& command : commands)
        text += (command.name.empty() ? "" : ".br\n") + synopsis(command);
    text +=
        ".SH DESCRIPTION\n"
        "Compiles kernels in Python syntax, the language of numba.cuda, to CUDA C++,\n"
        "to machine code for GPUs and to C++ for the CPU; runs them, and reports how they\n"
        "use the GPU. Output goes to standard output unless an option says otherwise.\n";
    for (const CommandDescription& command : commands) {
        const bool is_main = command.name.empty();
        text += is_main ? ".SH OPTIONS\n" : fmt::format(".SH \"pykc {}\"\n{}\n", command.name, roff(command.help));
        text += options_text(command);
    }
    return text +
           ".SH EXIT STATUS\n"
           ".TP\n0\nfine\n.TP\n1\ndiagnostics with errors\n.TP\n2\nusage\n"
           ".TP\n3\ninput, output, or a missing tool\n.TP\n70\na fault of pykc\n"
           ".SH ENVIRONMENT\n"
           "A variable that is empty counts as one that is not set.\n"
           ".TP\n\\fBNO_COLOR\\fR, \\fBTERM\\fR\n"
           "no colours, where \\-\\-color says nothing: set to anything; `dumb'\n"
           ".TP\n\\fBCUDA_HOME\\fR, \\fBCUDA_PATH\\fR\nwhere CUDA's toolkit is; the first goes before the second\n"
           ".TP\n\\fBPYK_NVCC\\fR, \\fBPYK_NVRTC\\fR, \\fBPYK_NVJITLINK\\fR\n"
           "the nvcc, the NVRTC library and the nvJitLink library to use\n"
           ".TP\n\\fBCXX\\fR\nthe C++ compiler of kernels on the CPU, with options\n"
           ".TP\n\\fBPATH\\fR\nwhere these programs are looked for\n"
           ".TP\n\\fBTMPDIR\\fR\nwhere files of tools lie while they run\n"
           ".TP\n\\fBPYK_COMPILER\\fR\nof programs that embed libpyk: its libpyk_compiler.so\n"
           ".TP\n\\fBPYK_CACHE_DIR\\fR, \\fBXDG_CACHE_HOME\\fR, \\fBHOME\\fR\nwhere compiled kernels are kept\n"
           ".TP\n\\fBPYK_CACHE\\fR, \\fBPYK_CACHE_MAX_SIZE\\fR, \\fBPYK_CACHE_MAX_AGE\\fR\n"
           "whether they are, and how many for how long\n";
}

}  // namespace pyk
