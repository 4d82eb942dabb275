// What a manifest says of the files that were read, and of its states: a file whose imports change and change back (a
// branch that is switched) has one alternative for each.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cache/store.h"
#include "jit/blob.h"

namespace pyk::jit {

/// As its path was given, and where relative paths begin: the working directory when it was loaded.
struct MainFile {
    std::string name;
    std::filesystem::path base;
};

/// A path as it is kept: below the main file's folder relative to that, since a project may move; else absolute.
std::string kept_path(const MainFile& main, const std::string& path);

/// The same for a folder where imports are looked for, however it is spelled.
std::string kept_folder(const MainFile& main, const std::string& folder);

struct Import {
    std::string path, digest;
};

/// Files that were read, each with its digest, but for the main file.
std::vector<Import> imports_of(const MainFile& main, const std::vector<std::string>& files);
void write_imports(BlobWriter& to, const std::vector<Import>& imports);
/// As a line of text.
std::string imports_text(const std::vector<Import>& imports);
/// Reads them; false: one is not what it was.
bool read_unchanged(BlobReader& from, const MainFile& main, std::vector<std::string>& files);

/// Places where an import was looked for in vain.
void write_missing(BlobWriter& to, const MainFile& main, const std::vector<std::string>& missing);
/// Reads them; false: there is a file now, which may be imported instead of another.
bool read_still_missing(BlobReader& from, const MainFile& main, std::vector<std::string>& missing);

/// Rendered findings, whose lines name files. Those of a file that lies elsewhere now name where it does.
void write_findings(BlobWriter& to, const MainFile& main, const std::string& text);
std::string read_findings(BlobReader& from, const MainFile& main);

/// The alternatives of a manifest, the newest first; none where there is no manifest.
std::vector<std::string> find_alternatives(const cache::Store& store, const cache::Digest& key);
/// Adds one; of many the oldest goes.
void keep_alternative(const cache::Store& store, const cache::KeyBuilder& key, std::string alternative,
                      cache::Fields notes);

}  // namespace pyk::jit
