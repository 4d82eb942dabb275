// The files that a program imports: beside the file that imports them, or in the folders of `-I`.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cache/digest.h"
#include "sema/sema.h"
#include "support/diagnostics.h"

namespace pyk {

class Library final : public Importer {
  public:
    /// `main`: the path of the file that is compiled; its folder is searched for every absolute import. `base`: where
    /// relative paths begin; empty: in the working directory.
    Library(std::string main, std::vector<std::string> folders, std::filesystem::path base);

    const ast::Module* find(const SourceFile& from, std::string_view module, int level) override;
    bool exists(const SourceFile& from, std::string_view module, int level) override;
    std::vector<std::string> folders(const SourceFile& from) const override;

    /// What was wrong with the files read so far.
    void report(Diagnostics& diagnostics) const;
    /// The files read so far, sorted by their paths.
    std::vector<cache::FileRead> files() const;
    /// The paths where an import was looked for and no file was, sorted: one that comes to be there may change the
    /// program.
    std::vector<std::string> missing() const;
    /// The trees of those that could be parsed; they live as long as this.
    std::vector<const ast::Module*> trees() const;

  private:
    std::optional<std::filesystem::path> above_package(const std::string& file) const;
    std::optional<std::string> path_of(const SourceFile& from, std::string_view module, int level);
    std::optional<std::string> look_for(const SourceFile& from, std::string_view module, int level);
    std::optional<std::string> module_in(const std::filesystem::path& folder, const std::string& module,
                                         const SourceFile& from);

    std::string main_;
    std::vector<std::string> folders_;
    std::filesystem::path base_;
    mutable std::mutex mutex_;
    struct File {
        std::string digest;               ///< of its bytes; empty: it could not be read
        std::optional<ast::Module> tree;  ///< nullopt: it could not be parsed either
    };
    std::map<std::string, File> read_;                                                       ///< by path
    std::map<std::tuple<std::string, std::string, int>, std::optional<std::string>> paths_;  ///< what was looked for
    std::set<std::string> missing_;
    std::vector<SourceFilePtr> sources_;  ///< of all of them: findings point into the text
    Diagnostics findings_;
};

}  // namespace pyk
