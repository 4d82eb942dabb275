// How the front end stops: the first error of lexing and layout ends the parse, as in CPython; one of parsing or
// building a statement goes on at the next definition. Thrown and caught inside this folder only; parse() turns it into
// a diagnostic.
#pragma once

#include <string>
#include <utility>

#include "support/source.h"

namespace pyk::syntax {

struct Failure {
    Span span;
    std::string text;
    Span note_span = {};  ///< null: no note
    std::string note_text = {};
};

[[noreturn]] inline void fail(Span span, std::string text) { throw Failure{span, std::move(text)}; }

}  // namespace pyk::syntax
