#include "golden.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace pyk::golden {
namespace fs = std::filesystem;
namespace {

std::string first_difference(const std::string& got, const std::string& want) {
    const auto [g, w] = std::mismatch(got.begin(), got.end(), want.begin(), want.end());
    const auto line = [](const std::string& text, std::string::const_iterator at) {
        const auto from = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
        return std::string(from, std::find(at, text.end(), '\n'));
    };
    const auto number = 1 + std::count(got.begin(), g, '\n');
    return "line " + std::to_string(number) + "\n  is:   " + line(got, g) + "\n  want: " + line(want, w);
}

}  // namespace

std::vector<fs::path> find_sources(const std::string& folder, const std::string& extension) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PYK_SOURCE_DIR) / folder))
        if (entry.path().extension() == extension) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::string test_name(const fs::path& file) {
    std::string name = fs::path(file).lexically_relative(PYK_SOURCE_DIR).replace_extension().string();
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

testing::AssertionResult matches(const fs::path& file, const std::string& text) {
    if (std::getenv("PYK_UPDATE_GOLDENS")) {
        std::ofstream(file, std::ios::binary) << text;
        return testing::AssertionSuccess();
    }
    if (!fs::exists(file))
        return testing::AssertionFailure() << file << " is missing; PYK_UPDATE_GOLDENS=1 writes it:\n" << text;
    const std::string want = read(file);
    if (text == want) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "differs from " << file << " at " << first_difference(text, want);
}

}  // namespace pyk::golden
