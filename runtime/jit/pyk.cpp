// The public face: everything that the compiler throws or reports becomes a Result here.
#include "pyk/pyk.hpp"

#include <new>

#include "driver/load.h"
#include "driver/requests.h"
#include "jit/engine.h"

namespace pyk::jit {
namespace {

// Nothing of the compiler's own leaves the library.
template <typename Work>
auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return Error{Error::Kind::input_output, "out of memory"};
    } catch (const std::exception& error) {
        return Error{Error::Kind::fault, std::string("internal error: ") + error.what() + "\nthis is a fault of pyk"};
    }
}

ConstantValue constant(const Constant& value) {
    return std::visit([](auto v) { return ConstantValue(v); }, value);
}

// nullopt: a type that is none.
std::optional<DefineValue> define_value(const Define& define) {
    return std::visit(
        [](const auto& value) -> std::optional<DefineValue> {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, TypeName>) {
                SignatureError ignored{};
                const auto type = parse_type(value.text, ignored);
                return type ? std::optional<DefineValue>(*type) : std::nullopt;
            } else if constexpr (std::is_same_v<T, std::vector<Constant>>) {
                std::vector<ConstantValue> items;
                for (const Constant& item : value) items.push_back(constant(item));
                return items;
            } else {
                return ConstantValue(value);
            }
        },
        define);
}

Result<EngineOptions> engine_options(const Options& options) {
    EngineOptions result;
    for (const auto& [name, define] : options.defines) {
        const auto value = define_value(define);
        if (!value)
            return Error{Error::Kind::arguments,
                         "the definition of " + name + ": " + std::get<TypeName>(define).text + " is not a type"};
        result.defines[name] = *value;
    }
    result.backend = options.backend;
    result.check_bounds = options.check_bounds;
    result.debug = options.debug;
    result.import_folders = options.import_folders;
    result.links = options.links;
    result.typing = options.typing == Typing::narrow ? pyk::Typing::narrow : pyk::Typing::numba;
    return result;
}

Result<Module> module_of(SourceFilePtr source, const Options& options) {
    Result<EngineOptions> known = engine_options(options);
    if (!known) return known.error();
    Result<std::shared_ptr<Engine>> engine = make_engine(std::move(source), std::move(known).value());
    if (!engine) return engine.error();
    return Module(std::move(engine).value());
}

}  // namespace

Result<Module> load(const std::string& path, const Options& options) {
    return guarded([&]() -> Result<Module> {
        std::string error;
        SourceFilePtr source = pyk::load(path, error);
        if (!source) return Error{Error::Kind::input_output, error};
        return module_of(std::move(source), options);
    });
}

Result<Module> load_text(std::string name, std::string text, const Options& options) {
    return guarded([&]() -> Result<Module> {
        return module_of(std::make_shared<SourceFile>(std::move(name), std::move(text)), options);
    });
}

Result<Kernel> Module::kernel(std::string_view name) const {
    if (!find_kernel(engine_->program, name))
        return Error{Error::Kind::arguments,
                     "there is no kernel `" + std::string(name) + "`" + kernel_hint(engine_->program, name)};
    return Kernel(engine_, std::string(name));
}

std::vector<std::string> Module::kernel_names() const {
    std::vector<std::string> names;
    for (const KernelInfo& kernel : engine_->program.kernels) names.push_back(kernel.name);
    return names;
}

std::vector<std::string> Kernel::params() const { return find_kernel(engine_->program, name_)->params; }

Result<std::string> Kernel::text(Backend backend, const std::vector<Argument>& arguments) const {
    return guarded([&] { return text_of(*engine_, name_, backend, arguments); });
}

Launcher::Launcher(const Kernel& kernel, Grid grid, Block block, std::size_t shared_bytes)
    : engine_(kernel.engine_), name_(kernel.name_), grid_(grid), block_(block), shared_bytes_(shared_bytes) {}

Result<Report> Launcher::launch_all(const std::vector<Argument>& arguments) const {
    return guarded([&] { return jit::launch(*engine_, name_, {grid_, block_, shared_bytes_}, arguments); });
}

std::optional<std::string> why_unavailable(Backend backend) {
    if (backend != Backend::cuda) return std::nullopt;
    const std::string reason = why_no_cuda();
    return reason.empty() ? std::nullopt : std::optional(reason);
}

}  // namespace pyk::jit
