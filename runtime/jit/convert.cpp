#include "jit/convert.h"

#include "pyk/ufunc.hpp"

namespace pyk::jit {
namespace {

/// The function that converts elements, one engine for all of a module's array functions.
Result<ArrayFunction*> converter_of(Engine& engine) {
    const std::lock_guard lock(engine.program_mutex);
    if (!engine.converter) {
        Options options;
        options.backend = engine.options.backend;
        options.disk_cache = engine.options.disk_cache;
        Result<std::shared_ptr<Engine>> made = make_engine(
            "convert.pyk", "from numba import vectorize\n\n@vectorize\ndef convert(x):\n    return x\n", options);
        if (!made) return made.status();
        engine.converter = *std::move(made);
    }
    return engine.converter->array_functions.front().get();
}

}  // namespace

Status convert(Engine& engine, const Argument& from, const Argument& to, StreamRef stream) {
    const Result<ArrayFunction*> converter = converter_of(engine);
    if (!converter) return converter.status();
    return detail::call(**converter, {&from, 1, &to, stream}, nullptr);
}

}  // namespace pyk::jit
