#include <deque>
#include <map>
#include <mutex>

#include "jit/c/handles.h"

using pyk::Result;
using pyk::Status;
using pyk::c_api::guarded;
using pyk::c_api::wrong;
using pyk::jit::Kernel;
using pyk::jit::Specialization;

namespace {

// With the strings that the list's readers point to.
struct Entry {
    explicit Entry(const Specialization& specialization)
        : instance(specialization),
          signature(specialization.signature()),
          symbol(specialization.symbol()),
          emitted(specialization.emitted()),
          warnings(specialization.warnings()) {}
    Specialization instance;
    std::string signature, symbol, emitted, warnings;
    std::mutex mutex;
    std::map<pyk_text, std::string> texts;  // that were asked for
};

Result<std::string> text_of(const Specialization& instance, pyk_text kind) {
    switch (kind) {
        case PYK_TEXT_TYPED_IR:
            return instance.typed_ir();
        case PYK_TEXT_PTX:
            return instance.ptx();
        case PYK_TEXT_SASS:
            return instance.sass();
        default:
            return wrong("pyk_specializations_text", "no such kind of text: " + std::to_string(kind));
    }
}

}  // namespace

struct pyk_specializations {
    std::deque<Entry> entries;
};

namespace {

template <class List>
auto entry_of(List* list, size_t index, const char* function) -> Result<decltype(&list->entries[0])> {
    if (index < list->entries.size()) return &list->entries[index];
    return wrong(function, "there are " + std::to_string(list->entries.size()));
}

}  // namespace

extern "C" {

pyk_error* pyk_kernel_specializations(const pyk_kernel* kernel, pyk_specializations** out) {
    PYK_NEED(kernel);
    PYK_NEED(out);
    return guarded([&] {
        auto list = std::make_unique<pyk_specializations>();
        for (const Specialization& one : Kernel(kernel->state).specializations()) list->entries.emplace_back(one);
        *out = list.release();
        return Status();
    });
}

void pyk_specializations_free(pyk_specializations* list) { delete list; }

size_t pyk_specializations_count(const pyk_specializations* list) { return list ? list->entries.size() : 0; }

pyk_error* pyk_specializations_get(const pyk_specializations* list, size_t index, pyk_specialization* out) {
    PYK_NEED(list);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<const Entry*> found = entry_of(list, index, "pyk_specializations_get");
        if (!found) return found.status();
        const Entry& entry = **found;
        const pyk::KernelResources& resources = entry.instance.resources();
        *out = {};
        out->signature = entry.signature.c_str();
        out->symbol = entry.symbol.c_str();
        out->emitted = entry.emitted.c_str();
        out->warnings = entry.warnings.c_str();
        out->device = pyk::c_api::handle_of(entry.instance.device());
        out->registers = resources.registers;
        out->max_threads_per_block = resources.max_threads_per_block;
        out->shared_bytes = resources.shared_bytes;
        out->local_bytes = resources.local_bytes;
        out->transpile_ms = entry.instance.transpile_ms();
        out->compile_ms = entry.instance.compile_ms();
        out->is_from_cache = entry.instance.is_from_cache() ? 1 : 0;
        return {};
    });
}

pyk_error* pyk_specializations_text(pyk_specializations* list, size_t index, pyk_text kind, const char** out) {
    PYK_NEED(list);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<Entry*> entry = entry_of(list, index, "pyk_specializations_text");
        if (!entry) return entry.status();
        const std::lock_guard lock((*entry)->mutex);
        if (const auto known = (*entry)->texts.find(kind); known != (*entry)->texts.end()) {
            *out = known->second.c_str();
            return {};
        }
        Result<std::string> text = text_of((*entry)->instance, kind);
        if (text) *out = ((*entry)->texts[kind] = *std::move(text)).c_str();
        return text.status();
    });
}

pyk_error* pyk_specializations_occupancy(const pyk_specializations* list, size_t index, int32_t threads,
                                         uint64_t shared_bytes, double* out) {
    PYK_NEED(list);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<const Entry*> entry = entry_of(list, index, "pyk_specializations_occupancy");
        if (!entry) return entry.status();
        if (threads < 1) return wrong("pyk_specializations_occupancy", "a block has threads");
        const Result<double> share = (*entry)->instance.occupancy(threads, shared_bytes);
        if (share) *out = *share;
        return share.status();
    });
}

pyk_error* pyk_specializations_best_block(const pyk_specializations* list, size_t index, uint64_t shared_bytes,
                                          int32_t* out) {
    PYK_NEED(list);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        const Result<const Entry*> entry = entry_of(list, index, "pyk_specializations_best_block");
        if (!entry) return entry.status();
        const Result<int> threads = (*entry)->instance.best_block(shared_bytes);
        if (threads) *out = *threads;
        return threads.status();
    });
}

pyk_error* pyk_specializations_spills(const pyk_specializations* list, size_t index, uint64_t* stored,
                                      uint64_t* loaded) {
    PYK_NEED(list);
    PYK_NEED(stored);
    PYK_NEED(loaded);
    return guarded([&]() -> Status {
        const Result<const Entry*> entry = entry_of(list, index, "pyk_specializations_spills");
        if (!entry) return entry.status();
        const Result<pyk::jit::Spills> spills = (*entry)->instance.spills();
        if (!spills) return spills.status();
        *stored = spills->stored;
        *loaded = spills->loaded;
        return {};
    });
}

}  // extern "C"
