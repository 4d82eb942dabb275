#include "driver/cli/arch_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/nvrtc.h"
#include "compile/occupancy.h"
#include "driver/archs.h"
#include "driver/cli/failure.h"
#include "pyk/device.h"

namespace pyk {
namespace {

using Word = ArchSelection::Word;

constexpr std::pair<std::string_view, Word> kWords[] = {
    {"native", Word::native}, {"all", Word::all}, {"all-major", Word::all_major}};

std::optional<Word> word_of(std::string_view text) {
    for (const auto& [name, word] : kWords)
        if (name == text) return word;
    return std::nullopt;
}

bool drop_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

void add(std::vector<Arch>& archs, const Arch& arch) {
    if (std::ranges::find(archs, arch) == archs.end()) archs.push_back(arch);
}

// One name; false: it is none.
bool add_name(ArchSelection& selection, std::string_view name) {
    const bool is_real = drop_suffix(name, "-real");
    const bool is_virtual = !is_real && drop_suffix(name, "-virtual");
    const bool is_bare = !name.empty() && name[0] >= '0' && name[0] <= '9';
    std::optional<Arch> arch = parse_arch(name);
    if (!arch || ((is_real || is_virtual) && !is_bare)) return false;
    arch->is_virtual |= is_virtual;
    add(selection.archs, *arch);
    add(selection.images, *arch);
    if (is_bare && !is_real && !is_virtual) add(selection.images, {arch->number, arch->suffix, true});
    return true;
}

std::vector<int> supported() {
    const Tooled<NvrtcInfo> nvrtc = nvrtc_info();
    if (!nvrtc) throw InputOutputError(nvrtc.error().text);
    return nvrtc->archs;
}

int native_arch() {
    const Result<Device> device = Device::get(0);
    if (!device) throw InputOutputError("-arch=native needs a GPU: " + device.message());
    return device->info().major * 10 + device->info().minor;
}

// CMake's meaning: machine code for each, PTX of the last.
std::vector<Arch> archs_of(Word word, bool several) {
    if (word == Word::native) return {{native_arch(), 0, false}};
    std::vector<int> numbers = supported();
    if (word == Word::all_major) {
        std::vector<int> majors;
        for (const int number : numbers)
            if (majors.empty() || majors.back() / 10 != number / 10) majors.push_back(number);
        numbers = majors;
    }
    std::vector<Arch> archs;
    for (const int number : numbers) archs.push_back({number, 0, false});
    if (several && !archs.empty()) archs.push_back({archs.back().number, 0, true});
    return archs;
}

}  // namespace

ArchSelection parse_archs(const std::string& text) {
    ArchSelection selection;
    if (const auto word = word_of(text)) {
        selection.word = *word;
        return selection;
    }
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find_first_of(",;", begin), text.size());
        const std::string name = text.substr(begin, end - begin);
        if (!add_name(selection, name))
            throw UsageError(fmt::format("`-arch={}`: `{}` is not an architecture such as sm_90", text, name));
        begin = end + 1;
    }
    return selection;
}

std::vector<std::string> arch_names() {
    std::vector<std::string> names;
    for (const auto& [name, word] : kWords) names.emplace_back(name);
    for (const SmLimits& limits : all_sm_limits()) names.push_back(fmt::format("sm_{}", limits.number));
    return names;
}

std::vector<Arch> archs_for(const ArchSelection& selection, const Unit& unit, bool several, bool is_virtual) {
    if (selection.word != Word::none) return archs_of(selection.word, several);
    if (!selection.archs.empty()) return several ? selection.images : selection.archs;
    std::vector<Arch> archs = {default_arch(unit, is_virtual)};
    if (several) archs.push_back({archs[0].number, archs[0].suffix, true});
    return archs;
}

std::string list_archs() {
    std::string text;
    for (const int number : supported()) text += fmt::format("sm_{}\n", number);
    return text;
}

}  // namespace pyk
