// A target is data: what differs between CUDA and the CPU, read by the one emitter.
#pragma once

#include <string_view>

#include "builtins/builtins.h"

namespace pyk {

/// Formats are fmt's, with the named fields that stand behind each.
struct Target {
    TargetId id;
    std::string_view name;            ///< `cuda`, `cpu`: as on the command line
    std::string_view description;     ///< in the head comment: `CUDA C++`, `C++ for the CPU`
    std::string_view templates;       ///< folder under templates/
    bool is_cudacc;                   ///< its compiler defines __CUDACC__ and takes nvcc's flags
    std::string_view vector_space;    ///< of the names of vectors and Dim3: CUDA has them, others get ours
    std::string_view loop_suffix;     ///< of the prelude's loops of algorithms
    bool entry_per_access;            ///< array functions have an entry for each way to reach elements; else one asks
    bool has_wide_forms;              ///< threads of pure maps may have several elements
    std::string_view always_used;     ///< names of the prelude that the templates use
    std::string_view thread_param;    ///< first parameter of every function that needs the thread's context, or empty
    std::string_view thread_arg;      ///< the same, passed on; a spelling with this word needs the context
    std::string_view alignment;       ///< before a declaration: {bytes}
    std::string_view shared_array;    ///< declares a shared array: {name} {type} {extents} {align} {offset}
    std::string_view own_memory;      ///< first in a function that has arrays of its own; empty: nothing need be said
    std::string_view dynamic_shared;  ///< declares an array over the memory that the launch sizes: {name} {type}
    std::string_view constant_table;  ///< before the type of a constant array, in constant memory
    std::string_view global_table;    ///< the same in global memory
    size_t constant_memory;           ///< in bytes; 0: there is no such memory
    size_t shared_memory;             ///< in bytes, for a kernel's arrays of constant shape
    bool places_shared;               ///< the text says where shared arrays lie, callees' included; else the compiler
    bool limits_locals;               ///< the compiler says what local arrays a thread cannot have
    bool checks_shared_parts;         ///< a launch that gives too little shared memory must not be the program's end
    std::string_view
        checked_index;  ///< an index that is reported when out of range: {index} {extent} {array} {axis} {line}
    /// Accesses that are watched for races: {place} {first} {array} {line}, a store's {value}, a place's {kind}, the
    /// {call} of an atomic, which gets the place by a name of its own; empty: they cannot be.
    std::string_view watched_read, watched_store, watched_place, watched_atomic;
    std::string_view fail;   ///< reports an error and ends the thread: {line} {error}
    bool has_ptx;            ///< takes inline PTX
    bool spelled_types;      ///< spellings have the types that builtins.def says; else the rule's results
    bool divides_by_call;    ///< the prelude divides 64 bits in less time than C++'s operators, where both would do
    bool restrict_pointers;  ///< kernels without aliasing take `T* __restrict__` and shapes, as that is what the
                             ///< compiler profits from; else arrays
};

const Target& cuda_target();
const Target& cpu_target();

}  // namespace pyk
