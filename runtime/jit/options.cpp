#include "pyk/pyk.hpp"

namespace pyk::jit {

// Here, so that programs need not compile what a map of variants takes.
Options::Options() = default;
Options::Options(const Options&) = default;
Options::Options(Options&&) noexcept = default;
Options& Options::operator=(const Options&) = default;
Options& Options::operator=(Options&&) noexcept = default;
Options::~Options() = default;

}  // namespace pyk::jit
