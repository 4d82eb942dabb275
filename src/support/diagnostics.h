// Diagnostics: what the user reads when something is wrong. Each is declared once, in diagnostics.def, with its
// severity, its stable id, its text and the types of its arguments; a call with other arguments does not compile.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "support/source.h"

namespace pyk {

/// How many arguments something takes: `1 argument`, `1 to 3 arguments`.
struct Takes {
    std::string text;
    Takes(int count) : Takes(std::to_string(count)) {}  // NOLINT: an argument of `report`
    template <typename Text, typename = std::enable_if_t<std::is_convertible_v<const Text&, std::string_view>>>
    Takes(const Text& count) : text(count) {  // NOLINT
        text = text == "0" ? "no arguments" : text + (text == "1" ? " argument" : " arguments");
    }
};
/// How many there are: `1 is`, `2 are`.
struct Given {
    std::string text;
    Given(int count) : text(count == 1 ? "1 is" : count == 0 ? "none is" : std::to_string(count) + " are") {}  // NOLINT
};
/// How many an array has: `1 axis`, `2 axes`.
struct Axes {
    std::string text;
    Axes(int count) : text(std::to_string(count) + (count == 1 ? " axis" : " axes")) {}  // NOLINT
};

}  // namespace pyk

template <>
struct fmt::formatter<pyk::Takes> : fmt::formatter<std::string_view> {
    auto format(const pyk::Takes& count, fmt::format_context& out) const {
        return fmt::formatter<std::string_view>::format(count.text, out);
    }
};
template <>
struct fmt::formatter<pyk::Axes> : fmt::formatter<std::string_view> {
    auto format(const pyk::Axes& count, fmt::format_context& out) const {
        return fmt::formatter<std::string_view>::format(count.text, out);
    }
};
template <>
struct fmt::formatter<pyk::Given> : fmt::formatter<std::string_view> {
    auto format(const pyk::Given& count, fmt::format_context& out) const {
        return fmt::formatter<std::string_view>::format(count.text, out);
    }
};

namespace pyk {

enum class Severity : uint8_t { note, warning, error };
/// `note`, `warning`, `error`.
std::string_view name_of(Severity severity);

/// One row of diagnostics.def, without its argument types.
struct DiagnosticInfo {
    std::string_view id;          ///< kebab-case, stable: `-Wno-<id>`, `-Werror=<id>`
    Severity severity;            ///< as declared; options may raise or drop warnings
    std::string_view format;      ///< fmt's syntax
    std::string_view group = {};  ///< of warnings that are quiet until the group or the id is asked for
};

/// A row with its argument types: what `Diagnostics::report` takes.
template <typename... Args>
struct DiagnosticKind : DiagnosticInfo {};

namespace diag {
#define PYK_DIAGNOSTIC(name, severity, id, format, ...) \
    inline constexpr DiagnosticKind<__VA_ARGS__> name{{id, Severity::severity, format}};
#define PYK_QUIET_WARNING(group, name, id, format, ...) \
    inline constexpr DiagnosticKind<__VA_ARGS__> name{{id, Severity::warning, format, group}};
#include "support/diagnostics.def"
#undef PYK_DIAGNOSTIC
#undef PYK_QUIET_WARNING
}  // namespace diag

/// Every row, in the order of the table.
const std::vector<DiagnosticInfo>& all_diagnostics();

/// A remark that belongs to a diagnostic: where the cause is, or how the instance came to be.
struct Note {
    Span span;
    std::string text;
};

/// Whether a suggestion may be applied unseen.
enum class Applicability : uint8_t {
    machine_applicable,  ///< compiles, and does what the diagnostic asks for
    maybe_incorrect,     ///< compiles, but only a person knows whether it is meant
};
/// `machine-applicable`, `maybe-incorrect`.
std::string_view name_of(Applicability applicability);

/// The bytes of the span become the replacement. An empty span inserts before its place.
struct Edit {
    Span span;
    std::string replacement;
    bool operator==(const Edit&) const = default;
};

/// Changes of the source that settle a diagnostic: all of them together, or none. Spans are of one file of the user's
/// and do not overlap. Several suggestions may hold the same edit (an import that each needs): it is made once.
struct Suggestion {
    std::string text;  ///< what it does, in the style of a diagnostic
    Applicability applicability = Applicability::machine_applicable;
    std::vector<Edit> edits;
};

struct Diagnostic {
    Severity severity = Severity::error;
    std::string_view id;
    Span span;
    std::string text;
    std::vector<Note> notes;
    std::vector<Suggestion> suggestions;  ///< alternatives, the best first
};

/// What the user asked for with `-W…`, by id or group; what is said of an id goes before what is said of its group.
struct WarningOptions {
    std::set<std::string, std::less<>> enabled;    ///< of `-W<id>`
    std::set<std::string, std::less<>> disabled;   ///< of `-Wno-<id>`
    std::set<std::string, std::less<>> as_errors;  ///< of `-Werror=<id>`
    std::set<std::string, std::less<>> no_errors;  ///< of `-Wno-error=<id>`: warnings, whatever `-Werror` says
    bool all_as_errors = false;                    ///< `-Werror`
    bool none = false;                             ///< `-w`
};

/// Collects the diagnostics of one compilation. A stage reports all that it can, then fails. Not thread-safe.
class Diagnostics {
  public:
    Diagnostics() = default;
    explicit Diagnostics(WarningOptions options) : options_(std::move(options)) {}

    /// Reports a row of the table. The result is good for `.note(…)` until the next report.
    template <typename... Args, typename... Values>
    Diagnostics& report(const DiagnosticKind<Args...>& kind, Span span, const Values&... values) {
        static_assert(sizeof...(Args) == sizeof...(Values), "a diagnostic takes the arguments of its row");
        static_assert((std::is_convertible_v<Values, Args> && ...), "a diagnostic takes the arguments of its row");
        return add(kind, span,
                   [&](const Args&... args) { return fmt::format(fmt::runtime(kind.format), args...); }(values...));
    }

    /// Attaches a note to the diagnostic reported last (nowhere if that one was dropped by an option or as a
    /// repetition).
    Diagnostics& note(Span span, std::string text);

    /// Attaches a suggestion to the diagnostic reported last, as `note` does.
    Diagnostics& suggest(Suggestion suggestion);

    /// Takes over the findings of another collection (made with default options), each error with the notes of `trail`
    /// behind it.
    void merge(const Diagnostics& other, const std::vector<std::pair<Span, std::string>>& trail = {});

    /// From now on what is reported or merged is of plain functions: texts say `functions` and `called` where they are
    /// written of kernels.
    void speak_of_functions(bool on) { of_functions_ = on; }

    /// What was reported says `name` from now on where it says `text`.
    void rename(std::string_view text, std::string_view name);

    /// Keeps what owns the text that spans point into, for as long as the findings.
    void keep(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }

    /// Whether a warning of this id or group would be kept.
    bool wants(std::string_view warning) const;

    const std::vector<Diagnostic>& all() const { return all_; }
    bool has_errors() const { return error_count_ != 0; }
    size_t error_count() const { return error_count_; }

  private:
    Diagnostics& add(const DiagnosticInfo& info, Span span, std::string text);
    bool is_wanted(const DiagnosticInfo& warning) const;
    bool is_error(const DiagnosticInfo& warning) const;

    WarningOptions options_;
    std::vector<Diagnostic> all_;
    std::unordered_multimap<uint32_t, size_t> starting_at_;  ///< the findings by the begin of their span
    std::vector<std::shared_ptr<const void>> owners_;
    size_t error_count_ = 0;
    bool last_kept_ = false;
    bool of_functions_ = false;
};

/// `file:line:column: severity: text [id]`, the source line, a caret under the span; notes after it in the same form.
std::string render(const Diagnostic& diagnostic, bool color = false);
std::string render(const Diagnostics& diagnostics, bool color = false);

}  // namespace pyk
