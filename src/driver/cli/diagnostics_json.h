// Diagnostics for machines: one JSON object each, in the form of rustc's, or a SARIF 2.1.0 log. Readers ignore fields
// that they do not know; we add some, and change none.
#pragma once

#include <memory>
#include <string>

#include "support/diagnostics.h"

namespace pyk {

/// `file:line:column: severity: text [id]`, and nothing else.
std::string render_brief(const Diagnostic& diagnostic);

/// One object on one line, without a line end: severity, code, message, spans, children, suggestions, rendered.
std::string render_json(const Diagnostic& diagnostic);

/// What a run reported, as a SARIF log.
class SarifLog {
  public:
    SarifLog();
    ~SarifLog();
    void add(const Diagnostic& diagnostic);
    std::string text() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace pyk
