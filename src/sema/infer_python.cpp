// Functions that are made of others, and are written in Python themselves: the files *.pyk here, carried inside the
// compiler. A file is parsed when one of its functions is called first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "pyk_library.h"
#include "sema/infer.h"
#include "support/fault.h"
#include "syntax/parse.h"

namespace pyk {
namespace {

constexpr size_t kMostFiles = 16;
constexpr std::string_view kPrefix = "<pyk.";

// By its place among the files; the same one for all compilations.
const ast::Module& parsed(size_t place) {
    static std::array<std::once_flag, kMostFiles> once;
    static std::array<std::optional<ast::Module>, kMostFiles> modules;
    std::call_once(once.at(place), [&] {
        const LibraryFile& file = library_files()[place];
        Diagnostics findings;
        modules[place] = parse(
            std::make_shared<SourceFile>(fmt::format("{}{}>", kPrefix, file.name), std::string(file.text)), findings);
        if (!modules[place]) internal_error(render(findings));
    });
    return *modules[place];
}

// Whether the file has this name at its top: `def name(` or `name = other`.
bool defines(std::string_view text, std::string_view name) {
    return text.find(fmt::format("\ndef {}(", name)) != text.npos ||
           text.find(fmt::format("\n{} = ", name)) != text.npos;
}

// What a file of the library imports from another one: `from shapes import with_extent`.
class LibraryImporter : public Importer {
  public:
    const ast::Module* find(const SourceFile&, std::string_view module, int) override {
        const size_t place = place_of(module);
        return place < library_files().size() ? &parsed(place) : nullptr;
    }
    bool exists(const SourceFile&, std::string_view module, int) override {
        return place_of(module) < library_files().size();
    }
    std::vector<std::string> folders(const SourceFile&) const override { return {}; }

  private:
    static size_t place_of(std::string_view module) {
        const auto files = library_files();
        return static_cast<size_t>(std::ranges::find(files, module, &LibraryFile::name) - files.begin());
    }
};

// Whether it draws by the generators that threads have where the host calls.
bool draws(const Builtin& row) { return row.name.starts_with("random.") || row.name.starts_with("np.random."); }

}  // namespace

const FunctionInfo* Specializer::library_function(std::string_view name) {
    static LibraryImporter importer;
    const auto files = library_files();
    library_.resize(files.size());
    for (size_t i = 0; i < files.size(); ++i) {
        if (!defines(files[i].text, name)) continue;
        if (!library_[i]) library_[i] = std::make_unique<ModuleScope>(parsed(i), Defines(), &importer);
        const auto entity = library_[i]->lookup(name);
        const auto* info = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
        if (info) return *info;
    }
    return nullptr;
}

bool Specializer::is_library(const FunctionInfo& info) const {
    return info.span.file && info.span.file->name().starts_with(kPrefix);
}

const FunctionInfo& Inference::library_function(std::string_view name) {
    const FunctionInfo* info = specializer_.library_function(name);
    if (!info) internal_error("the library lacks " + std::string(name));
    return *info;
}

// `np.sum(a)`, `a.sum()` and others call the function of the library that has the row's name. Their lists are tuples.
Value Inference::special_python(const CallSite& site) {
    std::string name(site.builtin.name);
    if (draws(site.builtin) && !specializer_.can_allocate()) {
        if (name.starts_with("np.")) name.replace(0, 2, "numpy");
        return unknown_path(name, site.node.func->span);
    }
    std::ranges::replace(name, '.', '_');
    const bool took_lists = std::exchange(takes_lists_, true);
    Value result = call_function(library_function(name), nullptr, site.receiver, site.node, site.span, site.out);
    takes_lists_ = took_lists;
    return kept_result(std::move(result), site.out);
}

}  // namespace pyk
