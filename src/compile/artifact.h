// What a tool made of emitted text, or why it made nothing.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "emit/emit.h"

namespace pyk {

enum class ArtifactKind : uint8_t { ptx, cubin, ltoir, fatbin, object, shared_library };

struct Artifact {
    ArtifactKind kind;
    std::string bytes;
    std::vector<EntryPoint> entries;
    std::string log;   ///< what the tool said although it succeeded
    std::string tool;  ///< for people: `NVRTC 13.0 (/usr/…/libnvrtc.so.13)`
};

struct ToolError {
    enum class Kind : uint8_t {
        missing,   ///< the tool is not on this machine
        unusable,  ///< it is there and cannot do what was asked (an architecture it does not know, no host compiler for
                   ///< nvcc)
        rejected,  ///< it refused the text: a fault of ours, since emitted text compiles as it is
        linking,   ///< the user's own code is at fault, or does not define what is declared
    };
    Kind kind;
    std::string text;  ///< one sentence: what was looked for or asked, and the way out
    std::string log;   ///< the tool's own words
    Span span = {};    ///< of the declaration, when linking failed
};

/// A `T`, or why a tool gave none.
template <typename T>
class Tooled {
  public:
    Tooled(T value) : state_(std::move(value)) {}          // NOLINT: either is a result
    Tooled(ToolError error) : state_(std::move(error)) {}  // NOLINT

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() { return std::get<0>(state_); }
    const T& operator*() const { return std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    const ToolError& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, ToolError> state_;
};

}  // namespace pyk
