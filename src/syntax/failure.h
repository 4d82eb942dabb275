// How the front end stops: the first error ends the parse, as in CPython, wherever in lexing, layout, parsing or
// building it is found. Thrown and caught inside this folder only; parse() turns it into a diagnostic.
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
