// The prelude as the emitter carries it.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "prelude_names.h"
#include "pyk_prelude.h"

namespace {

TEST(PreludeParts, AreTheFilesByteForByte) {
    ASSERT_GT(pyk::prelude_parts().size(), 20u);
    for (const pyk::PreludePart& part : pyk::prelude_parts()) {
        std::ifstream file(std::string(PYK_SOURCE_DIR "/runtime/device/pyk/").append(part.name) + ".h");
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_EQ(part.text, text.str()) << part.name;
    }
}

TEST(PreludeParts, AreFoundByWhatTheyDefine) {
    EXPECT_EQ(pyk::prelude_part_of("floor_div"), "floor");
    EXPECT_EQ(pyk::prelude_part_of("mod"), "floor");
    EXPECT_EQ(pyk::prelude_part_of("array"), "array");
    EXPECT_EQ(pyk::prelude_part_of("A"), "strided");
    EXPECT_EQ(pyk::prelude_part_of("xoroshiro128p_normal_float64"), "random");
    EXPECT_EQ(pyk::prelude_part_of("no_such_thing"), "");
}

TEST(PreludeParts, DefineEachNameOnceAndInFact) {
    std::set<std::string> seen;
    for (const pyk::PreludePart& part : pyk::prelude_parts()) {
        const std::string head(part.text.substr(0, part.text.find("\n#ifndef")));
        const size_t at = head.find("Defines: ");
        if (at == std::string::npos) continue;
        std::istringstream names(head.substr(at + 9));
        for (std::string name; names >> name;) {
            if (name == "//") continue;
            if (name.back() == ',') name.pop_back();
            EXPECT_TRUE(seen.insert(name).second) << name;
            // A macro may put a name together: then the compilers' tests of the prelude find it.
            const bool pastes = part.text.find("##") != std::string_view::npos;
            EXPECT_TRUE(pastes || part.text.find(name, head.size()) != std::string_view::npos) << name;
            EXPECT_EQ(pyk::prelude_part_of(name), part.name);
        }
    }
    EXPECT_GT(seen.size(), 80u);
}

TEST(PreludeParts, HaveOneGuardEach) {
    for (const pyk::PreludePart& part : pyk::prelude_parts()) {
        std::string guard = "PYK_";
        for (char c : part.name) guard += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        guard += "_H";
        EXPECT_NE(part.text.find("#ifndef " + guard + "\n#define " + guard + "\n"), std::string_view::npos)
            << part.name;
    }
}

}  // namespace
