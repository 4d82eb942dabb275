#include "jit/c/handles.h"

using pyk::Error;
using pyk::Result;
using pyk::Status;
using pyk::c_api::device_of;
using pyk::c_api::give;
using pyk::c_api::guarded;
using pyk::jit::Engine;
using pyk::jit::Kernel;

namespace {

pyk::jit::Options options_of(const pyk_options* options) { return options ? options->options : pyk::jit::Options(); }

}  // namespace

extern "C" {

pyk_error* pyk_load_file(const char* path, const pyk_options* options, pyk_module** out) {
    PYK_NEED(path);
    PYK_NEED(out);
    return guarded([&] { return give(pyk::jit::load_engine(path, options_of(options)), out); });
}

pyk_error* pyk_load_text(const char* name, const char* text, const pyk_options* options, pyk_module** out) {
    PYK_NEED(name);
    PYK_NEED(text);
    PYK_NEED(out);
    return guarded([&] { return give(pyk::jit::make_engine(name, text, options_of(options)), out); });
}

void pyk_module_free(pyk_module* module) { delete module; }

size_t pyk_module_kernel_count(const pyk_module* module) { return module ? module->engine->kernel_order.size() : 0; }

const char* pyk_module_kernel_name(const pyk_module* module, size_t index) {
    return index < pyk_module_kernel_count(module) ? module->engine->kernel_order[index].c_str() : nullptr;
}

pyk_error* pyk_module_kernel(const pyk_module* module, const char* name, pyk_kernel** out) {
    PYK_NEED(module);
    PYK_NEED(name);
    PYK_NEED(out);
    return guarded([&]() -> Status {
        // For its message.
        const Result<Kernel> kernel = pyk::jit::Module(module->engine).kernel(name);
        if (!kernel) return kernel.status();
        *out = new pyk_kernel{{module->engine, module->engine->kernels.find(std::string_view(name))->second.get()}};
        return {};
    });
}

void pyk_kernel_free(pyk_kernel* kernel) { delete kernel; }

const char* pyk_kernel_name(const pyk_kernel* kernel) { return kernel ? kernel->state->summary.name.c_str() : nullptr; }

size_t pyk_kernel_param_count(const pyk_kernel* kernel) { return kernel ? kernel->state->summary.params.size() : 0; }

const char* pyk_kernel_param_name(const pyk_kernel* kernel, size_t index) {
    return index < pyk_kernel_param_count(kernel) ? kernel->state->summary.params[index].c_str() : nullptr;
}

pyk_error* pyk_kernel_preload(const pyk_kernel* kernel, const char* signature, const pyk_device* device,
                              pyk_preload** out) {
    PYK_NEED(kernel);
    PYK_NEED(signature);
    PYK_NEED(out);
    return guarded([&] {
        const Kernel known(kernel->state);
        *out = new pyk_preload{device ? known.preload(signature, device_of(device)) : known.preload(signature)};
        return Status();
    });
}

int32_t pyk_preload_is_done(const pyk_preload* preload) { return preload && preload->preload.is_done() ? 1 : 0; }

pyk_error* pyk_preload_wait(const pyk_preload* preload) {
    PYK_NEED(preload);
    return guarded([&] { return preload->preload.wait(); });
}

void pyk_preload_free(pyk_preload* preload) { delete preload; }

}  // extern "C"
