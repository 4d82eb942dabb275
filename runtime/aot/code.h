// Code of a file that is compiled ahead of time: found for a device, and loaded at the first call.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <string>

#include "driver.h"
#include "pyk/aot.h"

namespace pyk::aot {

/// An entry point on a device. Kept to the end of the program, in a list that only grows: reading it takes no lock.
struct Loaded {
    const driver::Context* device;
    const char* symbol;
    std::shared_ptr<driver::LoadedModule> module;
    void* function;
    std::size_t static_shared;
    Loaded* next;
};

/// What a call needs.
struct EntryCode {
    const char* symbol;  ///< on GPUs; which entry it is, on every device
    cpu::Entry entry;    ///< on the CPU; null: there is none
    const char* kind;    ///< in messages: `kernel`
    const char* name;
};

/// Thread-safe. A stream that is being captured cannot wait for code: then it must be loaded.
Result<const Loaded*> loaded_code(File& file, driver::Context& device, void* stream, const EntryCode& code);

/// What a call gives; a failure where the host's memory does not suffice.
template <class Call>
Status guarded(const Call& call) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return Status::failure("out of memory", Error::Kind::memory);
    }
}

/// Whether the device's code may use the memory of another; null: of the host.
bool reaches(const driver::Context& device, const driver::Context* memory);
/// What to say where it does not. `which` names the argument.
Status unreachable(const std::string& which, const driver::Context& device, const driver::Context* memory);

/// Of a file with checks: waits for what was launched, and says what it found. `has_thread`: as of error_of.
Status finish(const File& file, const Loaded& code, void* stream, bool has_thread);

/// The name behind so many commas.
std::string name_at(const char* names, std::size_t index);

}  // namespace pyk::aot
