#include "support/diagnostics.h"

#include <algorithm>

#include "support/display_width.h"

namespace pyk {

const std::vector<DiagnosticInfo>& all_diagnostics() {
    static const std::vector<DiagnosticInfo> rows = {
#define PYK_DIAGNOSTIC(name, severity, id, format, ...) DiagnosticInfo{id, Severity::severity, format},
#define PYK_QUIET_WARNING(group, name, id, format, ...) DiagnosticInfo{id, Severity::warning, format, group},
#include "support/diagnostics.def"
#undef PYK_DIAGNOSTIC
#undef PYK_QUIET_WARNING
    };
    return rows;
}

bool Diagnostics::is_wanted(const DiagnosticInfo& warning) const {
    const auto asked = [&](std::string_view name) {
        return options_.enabled.contains(name) || options_.as_errors.contains(name);
    };
    if (options_.none || options_.disabled.contains(warning.id)) return false;
    if (warning.group.empty() || asked(warning.id)) return true;
    return !options_.disabled.contains(warning.group) && asked(warning.group);
}

bool Diagnostics::wants(std::string_view warning) const {
    return std::ranges::any_of(all_diagnostics(), [&](const DiagnosticInfo& row) {
        return (row.id == warning || row.group == warning) && is_wanted(row);
    });
}

// As with gcc: what is said of the id, else of its group, else of all.
bool Diagnostics::is_error(const DiagnosticInfo& warning) const {
    for (const std::string_view name : {warning.id, warning.group}) {
        if (options_.no_errors.contains(name)) return false;
        if (options_.as_errors.contains(name)) return true;
    }
    return options_.all_as_errors;
}

std::string_view name_of(Applicability applicability) {
    return applicability == Applicability::machine_applicable ? "machine-applicable" : "maybe-incorrect";
}

std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            return "error";
    }
    return "";
}

namespace {

struct Wording {
    std::string_view of_kernels, of_functions;
};
// The longer before what they contain.
constexpr Wording kWordings[] = {
    {"a tuple, or `cuda.local.array`",
     "a tuple, or an array that `np.empty` makes, as large as it gets, and count what is in it"},
    {"`cuda.local.array` has elements that can", "an array, `np.array([1, 2])`, has elements that can"},
    {"kernels cannot launch kernels", "functions cannot launch kernels"},
    {"a kernel has `cuda.shared.array` and `cuda.local.array`", "`np.empty` makes one here"},
    {"`numba.cuda.random` has generators for kernels",
     "pass random numbers in; `pyk/random.hpp` fills arrays with them"},
    {"kernel", "function"},
    {"launched", "called"},
};

/// Names in backquotes stay as they are, where no wording is of them.
std::string in_words_of_functions(std::string_view text) {
    std::string result;
    bool is_quoted = false;
    while (!text.empty()) {
        const auto* found = std::ranges::find_if(kWordings, [&](const Wording& wording) {
            const bool has_quotes = wording.of_kernels.find('`') != std::string_view::npos;
            return (has_quotes || !is_quoted) && text.starts_with(wording.of_kernels);
        });
        const bool is_known = found != std::end(kWordings);
        const std::string_view taken = is_known ? found->of_kernels : text.substr(0, 1);
        result += is_known ? found->of_functions : taken;
        is_quoted ^= taken == "`";
        text.remove_prefix(taken.size());
    }
    return result;
}

}  // namespace

Diagnostics& Diagnostics::add(const DiagnosticInfo& info, Span span, std::string text) {
    Severity severity = info.severity;
    if (of_functions_) text = in_words_of_functions(text);
    last_kept_ = false;
    if (severity == Severity::note && options_.none) return *this;
    if (severity == Severity::warning) {
        if (!is_wanted(info)) return *this;
        if (is_error(info)) severity = Severity::error;
    }
    // The same finding in several specialisations of one function is one finding.
    const auto [first, last] = starting_at_.equal_range(span.begin);
    for (auto known = first; known != last; ++known)
        if (const Diagnostic& d = all_[known->second]; d.id == info.id && d.span == span && d.text == text)
            return *this;
    last_kept_ = true;
    if (severity == Severity::error) ++error_count_;
    starting_at_.emplace(span.begin, all_.size());
    all_.push_back({severity, info.id, span, std::move(text), {}, {}});
    return *this;
}

void Diagnostics::rename(std::string_view text, std::string_view name) {
    const auto change = [&](std::string& said) {
        for (size_t at = 0; (at = said.find(text, at)) != std::string::npos; at += name.size())
            said.replace(at, text.size(), name);
    };
    for (Diagnostic& d : all_) {
        change(d.text);
        for (Note& one : d.notes) change(one.text);
    }
}

Diagnostics& Diagnostics::note(Span span, std::string text) {
    if (last_kept_) all_.back().notes.push_back({span, std::move(text)});
    return *this;
}

Diagnostics& Diagnostics::suggest(Suggestion suggestion) {
    if (last_kept_) all_.back().suggestions.push_back(std::move(suggestion));
    return *this;
}

void Diagnostics::merge(const Diagnostics& other, const std::vector<std::pair<Span, std::string>>& trail) {
    // What is wrong in one specialisation at a place is told once, though another says it with other types; a note
    // once, though it holds of many functions (`cache=True`).
    const auto is_known = [this](const Diagnostic& d) {
        return std::ranges::any_of(all_, [&](const Diagnostic& known) {
            if (known.id != d.id) return false;
            if (known.severity == Severity::note) return known.text == d.text;
            return known.severity == Severity::error && known.span == d.span && d.span.file;
        });
    };
    std::vector<const Diagnostic*> fresh;
    for (const Diagnostic& d : other.all_)
        if (!is_known(d)) fresh.push_back(&d);
    for (const Diagnostic* one : fresh) {
        const Diagnostic& d = *one;
        add({d.id, d.severity, {}}, d.span, d.text);
        for (const Note& n : d.notes) note(n.span, n.text);
        for (const auto& [span, text] : trail) note(span, text);
        for (const Suggestion& s : d.suggestions) suggest(s);
    }
    owners_.insert(owners_.end(), other.owners_.begin(), other.owners_.end());
}

namespace {

struct Style {
    std::string_view bold = "", red = "", magenta = "", cyan = "", green = "", reset = "";
};

constexpr Style kPlain;
constexpr Style kColor{"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[0m"};

std::string_view tint(Severity severity, const Style& style) {
    switch (severity) {
        case Severity::note:
            return style.cyan;
        case Severity::warning:
            return style.magenta;
        case Severity::error:
            return style.red;
    }
    return "";
}

// Longer lines are shown as a window around the caret.
constexpr size_t kWindow = 160;

// The line under the span and a caret below it, as wide as a terminal shows it; tabs stay tabs in the caret's line.
std::string excerpt(Span span, const Style& style) {
    const std::string_view line = span.file->line_text(span.line());
    const size_t start = static_cast<size_t>(line.data() - span.file->text().data());
    const size_t begin = std::min(span.begin - std::min<size_t>(span.begin, start), line.size());
    const size_t end = std::min<size_t>(begin + (span.end - span.begin), line.size());
    const auto is_inside = [&](size_t at) { return at < line.size() && (line[at] & 0xC0) == 0x80; };
    size_t cut = begin > kWindow / 2 && line.size() > kWindow ? begin - kWindow / 2 : 0;
    size_t last = std::min(cut + kWindow, line.size());
    while (is_inside(cut)) ++cut;
    while (is_inside(last)) ++last;
    std::string padding;
    for (size_t at = cut, next = at; at < begin; at = next) {
        do ++next;
        while (is_inside(next));
        padding += line[at] == '\t' ? "\t" : std::string(display_width(line.substr(at, next - at)), ' ');
    }
    const std::string_view marked = line.substr(begin, end - begin);
    const size_t tabs = static_cast<size_t>(std::ranges::count(marked, '\t'));
    const size_t width = std::clamp<size_t>(display_width(marked) + tabs, 1, kWindow / 2);
    return fmt::format("    {}\n    {}{}^{}{}\n", displayed(line.substr(cut, last - cut)), padding, style.green,
                       std::string(width - 1, '~'), style.reset);
}

std::string block(Severity severity, Span span, std::string_view text, std::string_view id, const Style& style) {
    std::string out;
    if (span) {
        const Position at = span.file->position(span.begin);
        out += fmt::format("{}{}:{}:{}:{} ", style.bold, span.file->name(), at.line, at.column, style.reset);
    } else {
        out += fmt::format("{}pykc:{} ", style.bold, style.reset);
    }
    out += fmt::format("{}{}:{} {}", tint(severity, style), name_of(severity), style.reset, text);
    if (!id.empty()) out += fmt::format(" [{}]", id);
    out += '\n';
    if (span) out += excerpt(span, style);
    return out;
}

}  // namespace

std::string render(const Diagnostic& d, bool color) {
    const Style& style = color ? kColor : kPlain;
    std::string out = block(d.severity, d.span, d.text, d.id, style);
    for (const Note& n : d.notes) out += block(Severity::note, n.span, n.text, "", style);
    return out;
}

std::string render(const Diagnostics& diagnostics, bool color) {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += render(d, color);
    return out;
}

}  // namespace pyk
