#include <memory>

#include "jit/c/handles.h"
#include "jit/check_options.h"

using pyk::Status;
using pyk::c_api::guarded;
using pyk::c_api::wrong;

namespace {

constexpr const char* kSet = "pyk_options_set";

bool is_between(int64_t value, int64_t least, int64_t most) { return value >= least && value <= most; }

// The caller's context; released with the last copy of the options that have it.
class Context {
  public:
    Context(void* context, void (*release)(void*)) : context_(context), release_(release) {}
    ~Context() {
        if (release_) release_(context_);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    void* get() const { return context_; }

  private:
    void* context_;
    void (*release_)(void*);
};

// Gives the context to `set`, or releases it.
template <class Set>
pyk_error* set_callback(const char* function, const char* missing, void* context, void (*release)(void*), Set set) {
    if (missing) {
        if (release) release(context);
        return pyk::c_api::null_argument(function, missing);
    }
    return guarded([&] {
        std::shared_ptr<Context> shared;
        try {
            shared = std::make_shared<Context>(context, release);
        } catch (const std::bad_alloc&) {
            if (release) release(context);
            throw;
        }
        set(std::move(shared));
        return Status();
    });
}

Status set(pyk::jit::Options& options, pyk_option option, int64_t value) {
    const auto number = static_cast<int>(value);
    const bool is_flag = is_between(value, 0, 1);
    const auto flag = [&](bool& to) {
        if (!is_flag) return wrong(kSet, "the option is 0 or 1, not " + std::to_string(value));
        to = value != 0;
        return Status();
    };
    switch (option) {
        case PYK_OPTION_BACKEND:
            if (!is_between(value, PYK_BACKEND_AUTOMATIC, PYK_BACKEND_CPU)) return wrong(kSet, "no such backend");
            options.backend = static_cast<pyk::jit::Backend>(number);
            return {};
        case PYK_OPTION_TYPING:
            if (!is_flag) return wrong(kSet, "no such typing");
            options.typing = value ? pyk::jit::Typing::narrow : pyk::jit::Typing::numba;
            return {};
        case PYK_OPTION_CHECK_BOUNDS:
            return flag(options.check_bounds);
        case PYK_OPTION_CHECK_RACES:
            return flag(options.check_races);
        case PYK_OPTION_DEBUG:
            return flag(options.debug);
        case PYK_OPTION_COARSEN:
            return flag(options.coarsen);
        case PYK_OPTION_FASTMATH:
            return flag(options.code.fastmath);
        case PYK_OPTION_FMAD:
            return flag(options.code.fmad);
        case PYK_OPTION_LINEINFO:
            return flag(options.code.lineinfo);
        case PYK_OPTION_DEVICE_DEBUG:
            return flag(options.code.device_debug);
        case PYK_OPTION_OPTIMIZATION:
            if (!is_between(value, 0, 3)) return wrong(kSet, "an optimization level is 0 to 3");
            options.code.optimization = number;
            return {};
        case PYK_OPTION_REGISTERS:
            if (!is_between(value, 0, 255)) return wrong(kSet, "a thread has at most 255 registers");
            options.code.max_registers = number;
            return {};
        case PYK_OPTION_DISK_CACHE:
            return flag(options.disk_cache);
        case PYK_OPTION_PRINT_BUFFER:
            if (!is_between(value, 0, static_cast<std::int64_t>(pyk::jit::kMostPrintBuffer)))
                return wrong(kSet, "a buffer has at most 1 GiB");
            options.print_buffer_bytes = static_cast<std::size_t>(value);
            return {};
        default:
            return wrong(kSet, "no such option: " + std::to_string(option));
    }
}

pyk_error* define(pyk_options& options, const char* name, pyk::jit::Define value) {
    return guarded([&] {
        options.options.defines[name] = std::move(value);
        return Status();
    });
}

pyk_error* append(std::vector<std::string>& to, const char* text) {
    return guarded([&] {
        to.emplace_back(text);
        return Status();
    });
}

}  // namespace

extern "C" {

pyk_error* pyk_backend_check(pyk_backend backend) {
    return guarded([&]() -> Status {
        if (!is_between(backend, PYK_BACKEND_AUTOMATIC, PYK_BACKEND_CPU))
            return wrong("pyk_backend_check", "no such backend");
        auto reason = pyk::jit::why_unavailable(static_cast<pyk::jit::Backend>(backend));
        if (reason && backend == PYK_BACKEND_AUTOMATIC) reason = pyk::jit::why_unavailable(pyk::jit::Backend::cpu);
        return reason ? Status::failure(*reason, pyk::Error::Kind::input_output) : Status();
    });
}

pyk_error* pyk_options_create(pyk_options** out) {
    PYK_NEED(out);
    return guarded([&] {
        *out = new pyk_options;
        return Status();
    });
}

void pyk_options_free(pyk_options* options) { delete options; }

pyk_error* pyk_options_set(pyk_options* options, pyk_option option, int64_t value) {
    PYK_NEED(options);
    return guarded([&] { return set(options->options, option, value); });
}

pyk_error* pyk_options_define_int(pyk_options* options, const char* name, int64_t value) {
    PYK_NEED(options);
    PYK_NEED(name);
    return define(*options, name, std::int64_t{value});
}

pyk_error* pyk_options_define_float(pyk_options* options, const char* name, double value) {
    PYK_NEED(options);
    PYK_NEED(name);
    return define(*options, name, value);
}

pyk_error* pyk_options_define_bool(pyk_options* options, const char* name, int32_t value) {
    PYK_NEED(options);
    PYK_NEED(name);
    return define(*options, name, value != 0);
}

pyk_error* pyk_options_define_type(pyk_options* options, const char* name, const char* type) {
    PYK_NEED(options);
    PYK_NEED(name);
    PYK_NEED(type);
    return guarded([&] {
        options->options.defines[name] = pyk::jit::TypeName{type};
        return Status();
    });
}

pyk_error* pyk_options_define_tuple(pyk_options* options, const char* name, const pyk_constant* items, size_t count) {
    PYK_NEED(options);
    PYK_NEED(name);
    PYK_NEED_ITEMS(items, count);
    return guarded([&]() -> Status {
        std::vector<pyk::jit::Constant> constants;
        for (size_t i = 0; i < count; ++i) switch (items[i].kind) {
                case PYK_CONSTANT_BOOL:
                    constants.emplace_back(items[i].value.boolean != 0);
                    break;
                case PYK_CONSTANT_INT:
                    constants.emplace_back(std::int64_t{items[i].value.integer});
                    break;
                case PYK_CONSTANT_UINT:
                    constants.emplace_back(std::uint64_t{items[i].value.natural});
                    break;
                case PYK_CONSTANT_FLOAT:
                    constants.emplace_back(items[i].value.real);
                    break;
                default:
                    return wrong("pyk_options_define_tuple", "no such kind of constant");
            }
        options->options.defines[name] = std::move(constants);
        return {};
    });
}

pyk_error* pyk_options_add_import_folder(pyk_options* options, const char* path) {
    PYK_NEED(options);
    PYK_NEED(path);
    return append(options->options.import_folders, path);
}

pyk_error* pyk_options_add_link(pyk_options* options, const char* path) {
    PYK_NEED(options);
    PYK_NEED(path);
    return append(options->options.links, path);
}

pyk_error* pyk_options_add_warning(pyk_options* options, const char* warning) {
    PYK_NEED(options);
    PYK_NEED(warning);
    return append(options->options.warnings, warning);
}

pyk_error* pyk_options_on_warning(pyk_options* options, pyk_warning_callback callback, void* context,
                                  void (*release)(void* context)) {
    const char* const missing = !options ? "options" : !callback ? "callback" : nullptr;
    return set_callback(__func__, missing, context, release, [&](std::shared_ptr<Context> shared) {
        options->options.on_warning = [callback, shared](std::string_view category, std::string_view text) {
            callback(shared->get(), std::string(category).c_str(), std::string(text).c_str());
        };
    });
}

pyk_error* pyk_options_on_print(pyk_options* options, pyk_print_callback callback, void* context,
                                void (*release)(void* context)) {
    const char* const missing = !options ? "options" : !callback ? "callback" : nullptr;
    return set_callback(__func__, missing, context, release, [&](std::shared_ptr<Context> shared) {
        options->options.on_print = [callback, shared](std::string_view line) {
            callback(shared->get(), line.data(), line.size());
        };
    });
}

}  // extern "C"
