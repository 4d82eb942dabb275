// The skeletons of emitted files: Mustache templates in templates/<target>/, carried inside pykc. A hole that nothing
// fills and a needed value that no hole takes are errors: of ours in our own templates, diagnostics in the user's.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/diagnostics.h"

namespace pyk::emitter {

/// What fills the holes: texts, conditions, and lists whose sections repeat.
struct Values;
using Value = std::variant<std::string, bool, std::vector<Values>>;
struct Values : std::map<std::string, Value, std::less<>> {
    /// `mutable`: elements of an initializer list are const, and texts are long.
    struct Entry {
        std::string_view name;
        mutable Value value;
    };
    Values() = default;
    Values(std::initializer_list<Entry> entries) {
        for (const Entry& entry : entries) emplace(entry.name, std::move(entry.value));
    }
};

class Templates {
  public:
    /// `user_folder`: laid out as templates/, files that it lacks are the built-in ones; empty: all built-in.
    Templates(std::string_view target_folder, std::string user_folder, Diagnostics& diagnostics);
    ~Templates();

    /// Without HTML escapes. `needed`: the values, separated by blanks, that a template must not leave out. nullopt
    /// when the user's template is at fault: reported.
    std::optional<std::string> render(std::string_view name, std::string_view needed, const Values& values) const;

  private:
    struct Source {
        std::string path, text;
        bool is_users;
    };
    struct Prepared;
    Source find(std::string_view name) const;
    Prepared& prepared(std::string_view name) const;
    std::nullopt_t fail(const Source& source, const std::string& what) const;

    std::string target_folder_;
    std::string user_folder_;
    Diagnostics& diagnostics_;
    mutable std::map<std::string, std::unique_ptr<Prepared>, std::less<>> prepared_;  ///< by name
};

}  // namespace pyk::emitter
