// What a manifest says of the files that were read, and of its states: a file whose imports change and change back (a
// branch that is switched) has one alternative for each.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cache/bytes.h"
#include "cache/store.h"

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

using Imports = std::vector<cache::FileRead>;

/// The same files by the paths that are kept.
Imports imports_of(const MainFile& main, Imports files);
void write_imports(cache::Writer& to, const Imports& imports);
/// As a line of text.
std::string imports_text(const Imports& imports);
/// Reads them; false: one is not what it was.
bool read_unchanged(cache::Reader& from, const MainFile& main, Imports& files);

/// Places where an import was looked for in vain.
void write_missing(cache::Writer& to, const MainFile& main, const std::vector<std::string>& missing);
/// Reads them; false: there is a file now, which may be imported instead of another.
bool read_still_missing(cache::Reader& from, const MainFile& main, std::vector<std::string>& missing);

/// Rendered findings, whose lines name files. Those of a file that lies elsewhere now name where it does.
void write_findings(cache::Writer& to, const MainFile& main, const std::string& text);
std::string read_findings(cache::Reader& from, const MainFile& main);

/// The alternatives of a manifest, the newest first; none where there is no manifest.
std::vector<std::string> find_alternatives(const cache::Store& store, const cache::Digest& key);
/// Adds one; of many the oldest goes.
void keep_alternative(const cache::Store& store, const cache::KeyBuilder& key, std::string alternative,
                      cache::Fields notes);

}  // namespace pyk::jit
