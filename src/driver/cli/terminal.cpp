#include "driver/cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <span>
#include <string>

#include "cache/environment.h"
#include "driver/cli/diagnostics_json.h"

namespace pyk {
namespace {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

bool stderr_has_color(ColorChoice choice) {
    if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
    if (environment("NO_COLOR")) return false;
    return isatty(STDERR_FILENO) && environment("TERM") != "dumb";
}

// What was shown so far, and how to show the next.
class Messages {
  public:
    void configure(const MessageOptions& options) {
        options_ = options;
        has_color_ = stderr_has_color(options.color);
    }

    /// All in one write: compilers that run side by side do not mix theirs.
    void show(std::span<const Diagnostic> diagnostics) {
        std::string text;
        for (const Diagnostic& diagnostic : diagnostics) text += take(diagnostic);
        print(text);
    }

    void remark(std::string_view text) const {
        if (options_.format == DiagnosticsFormat::text || options_.format == DiagnosticsFormat::brief) print(text);
    }

    void finish() {
        if (options_.format == DiagnosticsFormat::sarif) return print(log_.text() + "\n");
        if (!options_.error_limit || errors_ <= options_.error_limit) return;
        const size_t hidden = errors_ - options_.error_limit;
        if (options_.format == DiagnosticsFormat::text || options_.format == DiagnosticsFormat::brief)
            print("pykc: " + std::to_string(hidden) + (hidden == 1 ? " more error is" : " more errors are") +
                  " not shown (--error-limit=0 shows all)\n");
    }

  private:
    /// What is to be shown of it now.
    std::string take(const Diagnostic& diagnostic) {
        if (diagnostic.severity == Severity::error && options_.error_limit && ++errors_ > options_.error_limit)
            return {};
        switch (options_.format) {
            case DiagnosticsFormat::text:
                return render(diagnostic, has_color_);
            case DiagnosticsFormat::brief:
                return render_brief(diagnostic);
            case DiagnosticsFormat::json:
                return render_json(diagnostic) + "\n";
            case DiagnosticsFormat::sarif:
                log_.add(diagnostic);
                return {};
        }
        return {};
    }

    MessageOptions options_;
    bool has_color_ = stderr_has_color(ColorChoice::automatic);
    size_t errors_ = 0;
    SarifLog log_;
};

Messages& messages() {
    static Messages the_messages;
    return the_messages;
}

}  // namespace

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

void configure_messages(const MessageOptions& options) { messages().configure(options); }

void show(const Diagnostics& diagnostics) { messages().show(diagnostics.all()); }

void show_rendered(std::string_view text) { print(text); }

void show_remark(std::string_view text) { messages().remark(text); }

void show_error(std::string_view text) {
    Diagnostic error;
    error.text = text;
    messages().show({&error, 1});
}

void finish_messages() { messages().finish(); }

}  // namespace pyk
