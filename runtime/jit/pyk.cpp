// The public face. Everything behind it gives Results; what the standard library throws becomes one here.
#include "pyk/pyk.hpp"

#include "driver.h"
#include "jit/compiler_library.h"
#include "jit/elements.h"
#include "jit/engine.h"
#include "jit/guarded.h"
#include "jit/kept.h"
#include "jit/packing.h"
#include "jit/pending.h"
#include "jit/workers.h"

namespace pyk::jit {
namespace {

// A handle that keeps the engine, and so what it points to.
template <class T>
std::shared_ptr<T> owned_by(Engine& engine, T* part) {
    return {engine.shared_from_this(), part};
}

// What a compile in the background starts from: what the disk has, read once.
struct Ahead {
    struct Variant {
        bool disjoint;
        std::optional<Built> kept;
    };
    std::optional<std::vector<ArgumentType>> types;
    std::vector<Variant> variants;
};

// Both variants, so that no launch has to compile.
std::vector<Ahead::Variant> variants_of(const std::vector<ArgumentType>& types, const driver::Context& device) {
    std::vector<Ahead::Variant> variants;
    if (has_variants(types, device)) variants.push_back({true, {}});
    variants.push_back({false, {}});
    return variants;
}

/// A signature may begin with the kernel's name, and with no other's.
Status check_name(const KernelState& kernel, const std::string& signature) {
    const std::string name = signature.substr(0, signature.find('('));
    if (name.size() == signature.size() || name == kernel.summary.name || !kernel.engine->kernels.count(name))
        return {};
    return Error{Error::Kind::arguments,
                 "`" + signature + "` is a signature of kernel `" + name + "`, not of `" + kernel.summary.name + "`",
                 nullptr};
}

Ahead look_ahead(KernelState& kernel, const std::string& signature, driver::Context& device) {
    const TargetArch arch = arch_of(device);
    Ahead ahead{find_types(*kernel.engine, signature), {}};
    bool is_missing = !ahead.types;
    if (ahead.types) {
        ahead.variants = variants_of(*ahead.types, device);
        for (Ahead::Variant& variant : ahead.variants) {
            if (is_begun(kernel, *ahead.types, device, variant.disjoint)) continue;
            variant.kept = find_built(*kernel.engine, {kernel.summary.name, *ahead.types, variant.disjoint, arch});
            is_missing |= !variant.kept;
        }
    }
    if (!is_missing) return ahead;
    open_for(device);
    return ahead;
}

Status compile_ahead(KernelState& kernel, const std::string& signature, driver::Context& device, Ahead ahead) {
    if (!ahead.types) {
        Result<std::vector<ArgumentType>> types = types_of(*kernel.engine, signature);
        if (!types) return types.status();
        ahead.types = *std::move(types);
        ahead.variants = variants_of(*ahead.types, device);
    }
    for (Ahead::Variant& variant : ahead.variants) {
        const Result<Found> found =
            instance_for(kernel, *ahead.types, device, variant.disjoint, std::move(variant.kept));
        if (!found) return found.status();
        if (Status s = widen(*found->instance); !s) return s;
    }
    return {};
}

// "; there are `a`, `b`"
std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "`" : "`, `") + name;
    return text.empty() ? text : text + "`";
}

std::string names_in(const Engine& engine) {
    std::vector<std::string> others;
    for (const auto& function : engine.array_functions) others.push_back(function->summary.name);
    for (const auto& function : engine.functions) others.push_back(function->summary.name);
    for (const auto& function : engine.operators)
        if (function.is_reduction) others.push_back(function.name);
    if (engine.kernel_order.empty() && others.empty())
        return "; the file has none: `@cuda.jit` makes one, `@njit` a function that runs on the CPU";
    const std::string kernels =
        engine.kernel_order.empty() ? "; the file has none" : "; there is " + listed(engine.kernel_order);
    const std::string but = engine.kernel_order.empty() ? ", but other functions: " : ", and of other functions ";
    return others.empty() ? kernels : kernels + but + listed(others);
}

std::vector<ArgumentType> types_of(const std::vector<Argument>& arguments) {
    std::vector<ArgumentType> types;
    for (const Argument& argument : arguments) types.push_back(type_of(argument));
    return types;
}

// Whether what the header packs is what the kernel takes, and nothing has to be looked at after a launch.
Status check_binding(const Instance& instance, const std::vector<Argument>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Param& param = instance.entry.params[i];
        const ArgumentType type = type_of(arguments[i]);
        if (!(param.type == type))
            return detail::wrong_argument(instance, i,
                                          ("is " + name_of(param.type) + ", not " + name_of(type)).c_str());
        if (param.written && arguments[i].readonly)
            return detail::wrong_argument(instance, i, "is written by the kernel, and const");
    }
    if (!instance.entry.has_checks) return {};
    return Error{Error::Kind::arguments, "a kernel with checks cannot be bound: launch it by its arguments", nullptr};
}

}  // namespace

Result<Module> load(const std::string& path, const Options& options) {
    return guarded([&]() -> Result<Module> {
        Result<std::shared_ptr<Engine>> engine = load_engine(path, options);
        if (!engine) return engine.status();
        return Module(*std::move(engine));
    });
}

Result<Module> load_text(std::string name, std::string text, const Options& options) {
    return guarded([&]() -> Result<Module> {
        Result<std::shared_ptr<Engine>> engine = make_engine(std::move(name), std::move(text), options);
        if (!engine) return engine.status();
        return Module(*std::move(engine));
    });
}

Result<Kernel> Module::kernel(std::string_view name) const {
    const auto found = engine_->kernels.find(name);
    if (found != engine_->kernels.end()) return Kernel(owned_by(*engine_, found->second.get()));
    const auto is_named = [&](const auto& function) { return function.name == name && !function.is_reduction; };
    const bool is_function = std::any_of(engine_->operators.begin(), engine_->operators.end(), is_named);
    const std::string quoted = "`" + std::string(name) + "`";
    const std::string why =
        is_function ? quoted + " is a function, and no kernel without `@cuda.jit`" : "there is no kernel " + quoted;
    return Error{Error::Kind::arguments, why + names_in(*engine_), nullptr};
}

std::vector<std::string> Module::kernel_names() const { return engine_->kernel_order; }

const std::string& Kernel::name() const { return state_->summary.name; }
std::vector<std::string> Kernel::params() const { return state_->summary.params; }

Result<Device> Kernel::default_device() const { return state_->engine->default_device(); }

Preload Kernel::preload(std::string signature, const Device& device) const {
    if (Status s = check_name(*state_, signature); !s) return failed_preload(std::move(s));
    auto pending = std::make_shared<PendingCompile>();
    pending->engine = state_->engine->shared_from_this();
    auto ahead = std::make_shared<Ahead>(look_ahead(*state_, signature, device.context()));
    run_in_background([pending, ahead, state = state_, signature = std::move(signature), device] {
        pending->run([&] { return compile_ahead(*state, signature, device.context(), std::move(*ahead)); });
    });
    return Preload(std::move(pending));
}
Preload Kernel::preload(std::string signature) const {
    const Result<Device> device = default_device();
    return device ? preload(std::move(signature), *device) : failed_preload(device.status());
}

Result<detail::BoundInstances> Kernel::instances_to_bind(const std::vector<Argument>& arguments,
                                                         const Device& device) const {
    return guarded([&]() -> Result<detail::BoundInstances> {
        if (Status s = detail::check_count(*state_, arguments.size()); !s) return s;
        const std::vector<ArgumentType> types = types_of(arguments);
        const bool has_two = has_variants(types, device.context());
        const Result<Found> first = instance_for(*state_, types, device.context(), has_two);
        if (!first) return first.status();
        if (Status s = check_binding(*first->instance, arguments); !s) return s;
        detail::BoundInstances instances{owned_by(*state_->engine, first->instance), &device.context()};
        if (!has_two) return instances;
        const Result<Found> general = instance_for(*state_, types, device.context(), false);
        if (!general) return general.status();
        instances.general = general->instance;
        return instances;
    });
}

std::vector<Specialization> Kernel::specializations() const {
    std::vector<Specialization> all;
    for (const Instance* instance : state_->table.all()) all.emplace_back(owned_by(*state_->engine, instance));
    return all;
}

Result<Specialization> Kernel::specialization(const std::vector<Argument>& arguments) const {
    return guarded([&]() -> Result<Specialization> {
        if (Status s = detail::check_count(*state_, arguments.size()); !s) return s;
        const Result<Device> device = default_device();
        if (!device) return device.status();
        const Result<Found> found = instance_for(*state_, types_of(arguments), device->context(), false);
        if (!found) return found.status();
        return Specialization(owned_by(*state_->engine, found->instance));
    });
}

Result<std::string> Kernel::text(Backend backend, const std::vector<Argument>& arguments) const {
    return guarded([&]() -> Result<std::string> {
        const auto program = state_->engine->program();
        if (!program) return program.status();
        BuildRequest request{name(), {}, false, {backend == Backend::cpu, 0, {}}};
        if (backend == Backend::automatic) {
            const Result<Device> device = default_device();
            if (!device) return device.status();
            request.arch.is_cpu = device->is_cpu();
        }
        request.types = types_of(arguments);
        return (*program)->emitted(request);
    });
}

std::string Specialization::signature() const { return instance_->entry.signature; }
Device Specialization::device() const { return Device(*instance_->device); }
const KernelResources& Specialization::resources() const { return instance_->kernel.resources(); }
std::string Specialization::symbol() const { return instance_->entry.symbol; }
std::string Specialization::emitted() const { return instance_->emitted; }
std::string Specialization::warnings() const { return instance_->warnings; }
bool Specialization::is_from_cache() const { return instance_->is_from_cache; }
double Specialization::transpile_ms() const { return instance_->transpile_ms; }
double Specialization::compile_ms() const { return instance_->compile_ms; }

Result<int> Specialization::best_block(std::size_t shared_bytes) const {
    return instance_->kernel.best_block(shared_bytes);
}

Result<double> Specialization::occupancy(int threads, std::size_t shared_bytes) const {
    const int most = instance_->device->info.max_threads_per_block;
    if (threads < 1 || threads > most)
        return Error{Error::Kind::arguments,
                     "a block of " + std::to_string(threads) + " threads, of 1 to " + std::to_string(most), nullptr};
    const Result<int> blocks = instance_->kernel.blocks_per_multiprocessor(threads, shared_bytes);
    if (!blocks) return blocks.status();
    return static_cast<double>(*blocks) * threads / instance_->device->info.max_threads_per_multiprocessor;
}

Result<std::string> Specialization::typed_ir() const {
    return guarded([&]() -> Result<std::string> {
        const auto program = instance_->engine->program();
        if (!program) return program.status();
        return (*program)->typed_ir(instance_->request);
    });
}

Result<std::string> Specialization::ptx() const {
    return guarded([&]() -> Result<std::string> {
        if (instance_->device->info.is_cpu) return Error{Error::Kind::arguments, "the CPU has no PTX", nullptr};
        const auto program = instance_->engine->program();
        if (!program) return program.status();
        return (*program)->ptx(instance_->request);
    });
}

Result<Spills> Specialization::spills() const {
    return guarded([&]() -> Result<Spills> {
        if (instance_->device->info.is_cpu)
            return Error{Error::Kind::arguments, "of the CPU's registers nothing is known", nullptr};
        const auto program = instance_->engine->program();
        if (!program) return program.status();
        return (*program)->spills(instance_->request);
    });
}

Result<std::string> Specialization::sass() const {
    return guarded([&]() -> Result<std::string> {
        if (instance_->device->info.is_cpu) return Error{Error::Kind::arguments, "the CPU has no SASS", nullptr};
        const Result<const Compiler*> compiler = open_compiler();
        if (!compiler) return compiler.status();
        return (*compiler)->disassemble(instance_->binary);
    });
}

std::optional<std::string> why_unavailable(Backend backend) {
    const bool for_cpu = backend == Backend::cpu;
    if (!for_cpu) {
        const Result<int> count = Device::count();
        if (!count) return count.message();
        if (*count == 0) return "there is no CUDA device";
    }
    const Result<const Compiler*> compiler = open_compiler();
    if (!compiler) return compiler.message();
    const std::string reason = (*compiler)->why_no_tool(for_cpu);
    return reason.empty() ? std::nullopt : std::optional(reason);
}

}  // namespace pyk::jit
