// What the parts of the device prelude say that they define.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace pyk::prelude {

/// The names after `Defines:` in a part's head comment, which the include guard ends.
inline std::set<std::string> defined_by(const std::string& part) {
    std::ifstream file(PYK_SOURCE_DIR "/runtime/device/pyk/" + part + ".h");
    EXPECT_TRUE(file) << "the prelude has no part " << part;
    std::string head;
    for (std::string line; std::getline(file, line) && line.starts_with("//");) head += line.substr(2);
    std::set<std::string> names;
    const std::regex word("[A-Za-z_0-9]+");
    const std::string list = head.substr(std::min(head.find("Defines:"), head.size()));
    for (std::sregex_iterator it(list.begin(), list.end(), word), end; it != end; ++it) names.insert(it->str());
    return names;
}

/// The part that defines each name.
inline const std::map<std::string, std::string>& parts_by_name() {
    static const std::map<std::string, std::string> parts = [] {
        std::map<std::string, std::string> made;
        for (const auto& file : std::filesystem::directory_iterator(PYK_SOURCE_DIR "/runtime/device/pyk")) {
            const std::string part = file.path().stem().string();
            for (const std::string& name : defined_by(part)) made.emplace(name, part);
        }
        return made;
    }();
    return parts;
}

/// The names of the prelude that a text uses.
inline std::set<std::string> used_by(const std::string& text) {
    std::set<std::string> names;
    static const std::regex used("pyk::([A-Za-z_0-9]+)");
    for (std::sregex_iterator it(text.begin(), text.end(), used), end; it != end; ++it) names.insert((*it)[1]);
    return names;
}

}  // namespace pyk::prelude
