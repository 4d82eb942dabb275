#include "library/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "pyk_library.h"
#include "support/fault.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

constexpr size_t kMostFiles = 32;

bool defines(std::string_view text, std::string_view name) {
    return text.find(fmt::format("\ndef {}(", name)) != text.npos ||
           text.find(fmt::format("\nclass {}:", name)) != text.npos ||
           text.find(fmt::format("\n{} = ", name)) != text.npos;
}

class LibraryImporter : public Importer {
  public:
    const ast::Module* find(const SourceFile&, std::string_view module, int) override {
        const size_t place = place_of(module);
        return place < library_size() ? &library_file(place) : nullptr;
    }
    bool exists(const SourceFile&, std::string_view module, int) override { return place_of(module) < library_size(); }
    std::vector<std::string> folders(const SourceFile&) const override { return {}; }

  private:
    static size_t place_of(std::string_view module) {
        const auto files = library_files();
        return static_cast<size_t>(std::ranges::find(files, module, &LibraryFile::name) - files.begin());
    }
};

}  // namespace

size_t library_size() { return library_files().size(); }

const ast::Module& library_file(size_t place) {
    static std::array<std::once_flag, kMostFiles> once;
    static std::array<std::optional<ast::Module>, kMostFiles> modules;
    std::call_once(once.at(place), [&] {
        const LibraryFile& file = library_files()[place];
        Diagnostics findings;
        modules[place] =
            parse(std::make_shared<SourceFile>(fmt::format("{}{}>", kLibraryPrefix, file.name), std::string(file.text)),
                  findings);
        if (!modules[place]) internal_error(render(findings));
    });
    return *modules[place];
}

size_t library_place_of(std::string_view name, size_t from) {
    while (from < library_size() && !defines(library_files()[from].text, name)) ++from;
    return from;
}

Importer& library_importer() {
    static LibraryImporter importer;
    return importer;
}

}  // namespace pyk
