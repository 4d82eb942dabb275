#include "jit/kept_imports.h"

#include <algorithm>
#include <filesystem>

#include "jit/kept_summaries.h"

namespace pyk::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostAlternatives = 8;

/// As messages have it.
fs::path shown_path(const MainFile& main, const fs::path& kept) { return fs::path(main.name).parent_path() / kept; }

/// With the slash behind it.
std::string_view folder_of(std::string_view file) { return file.substr(0, file.rfind('/') + 1); }

}  // namespace

std::string kept_path(const MainFile& main, const std::string& path) {
    const fs::path whole = (main.base / path).lexically_normal();
    const fs::path relative = whole.lexically_relative((main.base / main.name).lexically_normal().parent_path());
    const bool is_below = !relative.empty() && *relative.begin() != "..";
    return is_below ? relative.string() : whole.string();
}

std::string kept_folder(const MainFile& main, const std::string& folder) {
    std::error_code ignored;
    const auto whole = [&](const fs::path& path) { return fs::weakly_canonical(main.base / path, ignored); };
    // Without the slash at its end.
    const std::string path = (whole(folder) / "").parent_path().string();
    return kept_path({whole(main.name).string(), main.base}, path);
}

Imports imports_of(const MainFile& main, Imports files) {
    for (cache::FileRead& file : files) file.path = kept_path(main, file.path);
    return files;
}

void write_imports(cache::Writer& to, const Imports& imports) {
    to.number(imports.size());
    for (const cache::FileRead& import : imports) {
        to.text(import.path);
        to.text(import.digest);
    }
}

std::string imports_text(const Imports& imports) {
    std::string text;
    for (const cache::FileRead& import : imports)
        text += (text.empty() ? "" : "; ") + import.path + " " + import.digest;
    return text;
}

bool read_unchanged(cache::Reader& from, const MainFile& main, Imports& files) {
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
        const fs::path path = shown_path(main, from.text());
        const std::string digest = from.text();
        const auto now = cache::digest_of_file((main.base / path).string());
        if (!now || now->hex() != digest) return false;
        files.push_back({path.string(), digest});
    }
    return from.ok();
}

void write_missing(cache::Writer& to, const MainFile& main, const std::vector<std::string>& missing) {
    to.number(missing.size());
    for (const std::string& path : missing) to.text(kept_path(main, path));
}

bool read_still_missing(cache::Reader& from, const MainFile& main, std::vector<std::string>& missing) {
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
        const fs::path path = shown_path(main, from.text());
        std::error_code ignored;
        if (fs::is_regular_file(main.base / path, ignored)) return false;
        missing.push_back(path.string());
    }
    return from.ok();
}

void write_findings(cache::Writer& to, const MainFile& main, const std::string& text) {
    to.text(main.name);
    to.text(text);
}

std::string read_findings(cache::Reader& from, const MainFile& main) {
    const std::string before = from.text(), text = from.text();
    if (before == main.name) return text;
    const std::string_view folder = folder_of(before);
    std::string moved;
    for (std::string_view rest = text; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n') + 1);
        if (line.empty()) line = rest;
        rest.remove_prefix(line.size());
        const bool is_main = line.starts_with(before + ":");
        if (is_main || (!folder.empty() && line.starts_with(folder))) {
            moved += is_main ? main.name : std::string(folder_of(main.name));
            line.remove_prefix(is_main ? before.size() : folder.size());
        }
        moved += line;
    }
    return moved;
}

std::vector<std::string> find_alternatives(const cache::Store& store, const cache::Digest& key) {
    const auto entry = store.find(key);
    if (!entry || entry->kind != "manifest") return {};
    cache::Reader from(entry->payload);
    std::vector<std::string> alternatives = read_texts(from);
    return from.at_end() ? alternatives : std::vector<std::string>();
}

void keep_alternative(const cache::Store& store, const cache::KeyBuilder& key, std::string alternative,
                      cache::Fields notes) {
    std::vector<std::string> all = find_alternatives(store, key.digest());
    all.erase(std::remove(all.begin(), all.end(), alternative), all.end());
    all.insert(all.begin(), std::move(alternative));
    if (all.size() > kMostAlternatives) all.resize(kMostAlternatives);
    cache::Writer to;
    write_texts(to, all);
    store.put(key.digest(), {"manifest", key.fields(), to.take(), std::move(notes)});
}

}  // namespace pyk::jit
