// Processes that are forked off one that has threads: what the threads held stays held, and nobody gives it back.
#pragma once

namespace pyk::driver {

/// How many forks lie between the process that asked first and this one.
unsigned forks();

}  // namespace pyk::driver
