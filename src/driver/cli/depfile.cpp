#include "driver/cli/depfile.h"

namespace pyk {
namespace {

std::string escaped(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (c == '$') text += '$';
        if (c == ' ' || c == '#') text += '\\';
        text += c;
    }
    return text;
}

}  // namespace

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites,
                    const std::string& input, bool phony) {
    std::string text;
    for (const std::string& target : targets) text += (text.empty() ? "" : " ") + escaped(target);
    text += ":";
    for (const std::string& path : prerequisites) text += " \\\n  " + escaped(path);
    text += "\n";
    for (const std::string& path : prerequisites)
        if (phony && path != input) text += escaped(path) + ":\n";
    return text;
}

}  // namespace pyk
