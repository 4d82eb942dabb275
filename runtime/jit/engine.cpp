#include "jit/engine.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cache/file.h"
#include "driver.h"
#include "jit/check_options.h"
#include "jit/compiler_library.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "jit/kept.h"
#include "jit/packing.h"
#include "jit/pending.h"
#include "jit/workers.h"

namespace pyk::jit {
namespace {

/// The compiler has objects of its own.
void take(const NamedType*& named) {
    if (named) named = interned(*named);
}

std::string key_of(ElementType type) {
    if (!type.named) return "";
    return ":" + std::to_string(type.named->size) + "/" + std::to_string(type.named->alignment);
}

// Of the requests for one kernel, or operator; the device says the architecture. Each field by its name, so that none
// is forgotten: as in append_codes and, for the cache, in instance_key (kept.cpp).
std::string key_of(const BuildRequest& request, const driver::Context& device) {
    const auto& [kernel, types, disjoint, arch, access, elements, algorithm, output, core, wide, numbers, teams] =
        request;
    static_cast<void>(kernel);
    static_cast<void>(arch);
    std::string key =
        std::to_string(reinterpret_cast<std::uintptr_t>(&device)) + (disjoint ? "d" : "g") + (wide ? "w" : "");
    for (const ArgumentType& type : types) key += " " + name_of(type) + key_of(type.element_type());
    key += "/" + std::to_string(static_cast<int>(access));
    for (const ElementType& type : elements) key += " " + name_of(type) + key_of(type);
    if (output) key += " into " + name_of(*output);
    if (!algorithm.name.empty()) {
        key += " " + algorithm.name + " of " + algorithm.transform;
        if (algorithm.value) key += " value " + name_of(*algorithm.value);
        if (algorithm.result) key += " result " + name_of(*algorithm.result);
    }
    for (const bool is_number : numbers) key += is_number ? " number" : " array";
    for (const Team& team : teams) key += " team " + std::to_string(team.threads) + "x" + std::to_string(team.items);
    for (const CoreOperand& operand : core) {
        key += operand.is_staged ? " staged" : " part";
        for (const long long extent : operand.shape) key += "," + std::to_string(extent);
    }
    return key;
}

// Whether its arguments are those of a kernel, and no loop's.
bool has_parameters(ElementAccess access) {
    return access == ElementAccess::none || access == ElementAccess::call || access == ElementAccess::stencil;
}

std::shared_ptr<Slot> slot_of(KernelState& kernel, const std::string& key) {
    const std::lock_guard lock(kernel.mutex);
    std::shared_ptr<Slot>& slot = kernel.slots[key];
    if (!slot) slot = std::make_shared<Slot>();
    return slot;
}

Result<std::string> read_file(const std::string& path) {
    const cache::File file(std::fopen(path.c_str(), "rbe"));
    std::string text;
    char buffer[16384];
    while (const size_t got = file ? std::fread(buffer, 1, sizeof buffer, file.get()) : 0) text.append(buffer, got);
    if (file && std::ferror(file.get()) == 0) return text;
    const int why = errno;
    std::error_code ignored;
    const std::string where = std::filesystem::path(path).is_absolute()
                                  ? std::string()
                                  : " (in " + std::filesystem::current_path(ignored).string() + ")";
    return Error{Error::Kind::input_output, "cannot read " + path + where + ": " + std::strerror(why), nullptr};
}

Error ending() { return {Error::Kind::execution, "the program is ending", nullptr}; }

// Whether it would fail again. A device or a disk that is full, or a tool that is missing, may be otherwise next time.
bool is_lasting(const Error& error) {
    return error.kind == Error::Kind::diagnostics || error.kind == Error::Kind::arguments ||
           error.kind == Error::Kind::fault;
}

/// NVRTC takes as long to be opened as a file to be parsed: it is opened beside that, where it will be wanted.
void open_nvrtc_early(const Options& options) {
    if (options.backend == Backend::cpu || !driver::is_cuda_in_use()) return;
    run_in_background([] {
        const RunningCompile running;
        if (!running) return;
        const Result<const Compiler*> compiler = open_compiler();
        if (compiler) (void)(*compiler)->why_no_tool(false);  // a compile says why
        wait_at_exit();
    });
}

Result<Built> compile(Engine& engine, const BuildRequest& request) {
    const Result<const Compiler*> compiler = open_compiler();
    if (!compiler) return compiler.status();
    if (const std::string missing = (*compiler)->why_no_tool(request.arch.is_cpu); !missing.empty())
        return Error{Error::Kind::input_output, missing, nullptr};
    wait_at_exit();
    const RunningCompile running;
    if (!running) return ending();
    Result<std::shared_ptr<const CompilerProgram>> program = engine.program();
    if (!program) return program.status();
    Result<Built> built = (*program)->build(request);
    if (built) keep_built(engine, request, *built);
    return built;
}

Result<std::unique_ptr<Instance>> load(Engine& engine, driver::Context& device, const BuildRequest& request,
                                       Built built) {
    Result<pyk::Module> code = pyk::Module::load(Device(device), built.binary, engine.sink);
    if (!code) return code.status();
    Result<pyk::Kernel> kernel = code->kernel(built.entry.symbol);
    if (!kernel) return kernel.status();
    auto instance = std::make_unique<Instance>();
    instance->engine = &engine;
    instance->entry = std::move(built.entry);
    for (Param& param : instance->entry.params) take(param.type.named);
    instance->request = request;
    append_codes(request, instance->codes);
    instance->device = &device;
    instance->binary = std::move(built.binary);
    instance->emitted = std::move(built.emitted);
    instance->warnings = std::move(built.warnings);
    instance->transpile_ms = built.transpile_ms;
    instance->compile_ms = built.compile_ms;
    instance->code = *std::move(code);
    instance->kernel = *std::move(kernel);
    if (has_parameters(request.access)) lay_out(*instance);
    return instance;
}

Result<std::unique_ptr<Instance>> make_instance(Engine& engine, const BuildRequest& request, driver::Context& device,
                                                std::optional<Built> kept) {
    if (!kept) kept = find_built(engine, request);
    if (kept) {
        Result<std::unique_ptr<Instance>> instance = load(engine, device, request, std::move(*kept));
        if (instance) {
            (*instance)->is_from_cache = true;
            return instance;
        }
        // Right by its checksum and no use to the driver: compiled once more.
        forget_built(engine, request);
    }
    Result<Built> built = compile(engine, request);
    if (!built) return built.status();
    return load(engine, device, request, *std::move(built));
}

}  // namespace

[[gnu::hot]] const Instance* InstanceTable::find(std::uint64_t hash, const std::uint16_t* codes, std::size_t count,
                                                 const driver::Context* device, bool only_general) const {
    const Rows* rows = rows_.load(std::memory_order_acquire);
    if (!rows) return nullptr;
    const Instance* general = nullptr;
    for (const Row& row : *rows) {
        const Instance& instance = *row.instance;
        if (row.hash != hash || instance.device != device || row.codes.size() != count ||
            !std::equal(row.codes.begin(), row.codes.end(), codes))
            continue;
        if (instance.is_apart && !only_general) return &instance;
        if (!instance.is_apart) general = &instance;
    }
    return general;
}

std::vector<const Instance*> InstanceTable::all() const {
    std::vector<const Instance*> instances;
    if (const Rows* rows = rows_.load(std::memory_order_acquire))
        for (const Row& row : *rows) instances.push_back(row.instance);
    return instances;
}

void InstanceTable::add(std::vector<std::uint16_t> codes, const Instance* instance) {
    const Rows* old = rows_.load(std::memory_order_relaxed);
    auto rows = std::make_unique<Rows>(old ? *old : Rows());
    const std::uint64_t hash = hash_of_codes(codes.data(), codes.size());
    rows->push_back({hash, std::move(codes), instance});
    all_.push_back(std::move(rows));
    rows_.store(all_.back().get(), std::memory_order_release);
}

Result<std::shared_ptr<const CompilerProgram>> Engine::program() {
    const std::lock_guard lock(program_mutex);
    if (!parsed) {
        const Result<const Compiler*> compiler = open_compiler();
        const RunningCompile running;
        if (!running) return ending();
        if (!compiler) return compiler.status();
        Result<std::shared_ptr<const CompilerProgram>> opened = (*compiler)->open(name, text, options, base.string());
        if (!opened && !is_lasting(opened.status().error())) return opened;
        parsed = std::move(opened);
    }
    return *parsed;
}

Result<Device> Engine::default_device() const {
    const bool is_watched = options.backend == Backend::automatic && options.check_races;
    if (options.backend == Backend::cpu || is_watched) return Device::cpu();
    const Device current = Device::current();
    if (!current.is_cpu()) return current;
    if (options.backend == Backend::automatic) return current;
    return Device::get(0);
}

Result<std::shared_ptr<Engine>> make_engine(std::string name, std::string text, const Options& options) {
    if (Status s = check_not_forked(); !s) return s;
    if (Status s = check_options(options); !s) return s;
    auto engine = std::make_shared<Engine>();
    engine->name = std::move(name);
    std::error_code ignored;
    engine->base = std::filesystem::current_path(ignored);
    engine->text = std::move(text);
    engine->options = options;
    for (std::string& link : engine->options.links) link = (engine->base / link).string();
    if (options.on_print) engine->sink = PrintSink(options.on_print, options.print_buffer_bytes);
    engine->key = program_key(*engine);
    std::optional<ProgramInfo> info = find_program(*engine);
    if (!info) {
        open_nvrtc_early(options);
        Result<std::shared_ptr<const CompilerProgram>> program = engine->program();
        if (!program) return program.status();
        info = (*program)->info();
        keep_program(*engine, *info);
    }
    engine->warn("compile", info->warnings);
    if (const std::string why = why_not_kept(*engine); !why.empty())
        engine->warn("cache", "compiled kernels are not kept on the disk: " + why);
    for (KernelSummary& kernel : info->kernels) {
        auto state = std::make_unique<KernelState>();
        state->engine = engine.get();
        state->summary = std::move(kernel);
        engine->kernel_order.push_back(state->summary.name);
        engine->kernels[state->summary.name] = std::move(state);
    }
    engine->operators = std::move(info->operators);
    for (ArraySummary& summary : info->array_functions) {
        for (std::vector<ElementType>& loop : summary.loops)
            for (ElementType& type : loop) take(type.named);
        auto function = std::make_unique<ArrayFunction>();
        function->instances.engine = engine.get();
        function->instances.summary = {summary.name, summary.params};
        function->summary = std::move(summary);
        engine->array_functions.push_back(std::move(function));
    }
    for (KernelSummary& summary : info->functions) {
        auto function = std::make_unique<KernelState>();
        function->engine = engine.get();
        function->summary = std::move(summary);
        engine->functions.push_back(std::move(function));
    }
    return engine;
}

Result<std::shared_ptr<Engine>> load_engine(const std::string& path, const Options& options) {
    Result<std::string> text = read_file(path);
    if (!text) return text.status();
    return make_engine(path, *std::move(text), options);
}

TargetArch arch_of(const driver::Context& device) {
    return {device.info.is_cpu, device.info.major * 10 + device.info.minor, device.info.name};
}

Result<std::vector<ArgumentType>> types_of(Engine& engine, const std::string& signature) {
    if (auto kept = find_types(engine, signature)) return *std::move(kept);
    const Result<std::shared_ptr<const CompilerProgram>> program = engine.program();
    if (!program) return program.status();
    Result<std::vector<ArgumentType>> types = (*program)->types_of(signature);
    if (!types) return types;
    for (ArgumentType& type : *types) take(type.named);
    keep_types(engine, signature, *types);
    return types;
}

bool may_index32(const std::vector<ArgumentType>& types) {
    return std::any_of(types.begin(), types.end(),
                       [](const ArgumentType& type) { return type.ndim > 1 && type.order == Order::c; });
}

bool has_variants(const std::vector<ArgumentType>& types, const driver::Context& device) {
    const auto is_array = [](const ArgumentType& type) { return type.is_array(); };
    return !device.info.is_cpu && (std::count_if(types.begin(), types.end(), is_array) > 1 || may_index32(types));
}

namespace {

void append_code(const ArgumentType& type, std::vector<std::uint16_t>& codes) {
    codes.push_back(code_of(type.element, type.ndim, type.order));
}

/// What the code does not say.
void append_rest(const ArgumentType& type, std::size_t place, std::vector<std::uint16_t>& codes) {
    if (!type.constant && !type.named) return;
    auto bits = reinterpret_cast<std::uint64_t>(type.named);
    if (type.constant) bits = type.constant->bits();
    const auto kind = static_cast<std::uint16_t>(type.constant ? static_cast<int>(type.constant->kind()) : 0x7F);
    codes.push_back(static_cast<std::uint16_t>(0x8000 | kind << 8 | place));
    for (int part = 0; part < 4; ++part) codes.push_back(static_cast<std::uint16_t>(bits >> 16 * part));
}

}  // namespace

void append_codes(const std::vector<ArgumentType>& types, std::vector<std::uint16_t>& codes) {
    for (const ArgumentType& type : types) append_code(type, codes);
    for (std::size_t i = 0; i < types.size(); ++i) append_rest(types[i], i, codes);
}

constexpr std::uint16_t kWideCode = 0x4000;  // no access

// Of the calls of one function on one device, which all have their arrays apart or not; algorithms have no codes.
void append_codes(const BuildRequest& request, std::vector<std::uint16_t>& codes) {
    const auto& [kernel, types, disjoint, arch, access, elements, algorithm, output, core, wide, numbers, teams] =
        request;
    static_cast<void>(kernel);
    static_cast<void>(disjoint);
    static_cast<void>(arch);
    static_cast<void>(algorithm);
    append_codes(types, codes);
    if (wide) codes.push_back(kWideCode);
    if (access == ElementAccess::none) return;
    codes.push_back(static_cast<std::uint16_t>(0x4000 | static_cast<unsigned>(access)));
    std::size_t place = 0;
    const auto append = [&](const ArgumentType& type) {
        append_code(type, codes);
        append_rest(type, place++, codes);
    };
    for (const ElementType& type : elements) append(scalar_of(type));
    if (output) append(*output);
    for (const bool is_number : numbers) codes.push_back(static_cast<std::uint16_t>(0x5000 | (is_number ? 1 : 0)));
    for (const Team& team : teams) {
        codes.push_back(static_cast<std::uint16_t>(0x6000 | team.threads));
        codes.push_back(static_cast<std::uint16_t>(team.items));
    }
    for (const CoreOperand& operand : core) {
        codes.push_back(static_cast<std::uint16_t>(0x2000 | (operand.is_staged ? 1 : 0)));
        for (const long long extent : operand.shape)
            for (int part = 0; part < 2; ++part) codes.push_back(static_cast<std::uint16_t>(extent >> 16 * part));
    }
}

bool is_begun(KernelState& kernel, const std::vector<ArgumentType>& types, driver::Context& device, bool disjoint) {
    const std::lock_guard lock(kernel.mutex);
    return kernel.slots.count(key_of({kernel.summary.name, types, disjoint, arch_of(device)}, device)) != 0;
}

Result<Found> instance_for(KernelState& kernel, const std::vector<ArgumentType>& types, driver::Context& device,
                           bool disjoint, std::optional<Built> kept) {
    return instance_for(kernel, {kernel.summary.name, types, disjoint, arch_of(device)}, device, std::move(kept));
}

Result<Found> instance_for(KernelState& kernel, const BuildRequest& request, driver::Context& device,
                           std::optional<Built> kept) {
    if (Status s = check_not_forked(); !s) return s;
    const std::shared_ptr<Slot> slot = slot_of(kernel, key_of(request, device));
    std::unique_lock lock(slot->mutex);
    if (slot->failure) return *slot->failure;
    if (slot->instance) return Found{slot->instance.get(), false};
    Engine& engine = *kernel.engine;
    Result<std::unique_ptr<Instance>> made = make_instance(engine, request, device, std::move(kept));
    if (!made) {
        if (is_lasting(made.status().error())) slot->failure = made.status();
        return made.status();
    }
    (*made)->of = &kernel;
    slot->instance = *std::move(made);
    const Instance& instance = *slot->instance;
    {
        const std::lock_guard table_lock(kernel.mutex);
        kernel.table.add(&instance);
    }
    lock.unlock();  // the program may ask for the same again when it is told
    if (!request.wide) engine.warn("compile", instance.warnings);
    return Found{&instance, true};
}

namespace {

// Arrays that a map writes must not overlap others: that instance is for these, or there is one array. Those of an
// array function never do.
bool may_be_wide(const Instance& instance) {
    if (instance.request.wide || instance.device->info.is_cpu || instance.entry.has_checks) return false;
    if (instance.request.access == ElementAccess::flat) return instance.entry.elements_per_thread > 1;
    return instance.engine->options.coarsen && instance.entry.elements_per_thread > 0 &&
           (instance.request.disjoint || !has_variants(instance.request.types, *instance.device));
}

BuildRequest wide_request_of(const Instance& instance) {
    BuildRequest request = instance.request;
    request.wide = true;
    request.numbers.clear();
    return request;
}

Status make_wide(const Instance& instance) {
    const Result<Found> wide = instance_for(*instance.of, wide_request_of(instance), *instance.device);
    if (!wide) return wide.status();
    instance.wide.store(wide->instance, std::memory_order_release);
    return {};
}

}  // namespace

Status widen(const Instance& instance) {
    instance.wide_is_begun = true;
    return may_be_wide(instance) ? make_wide(instance) : Status();
}

void widen_later(const Instance& instance) {
    // Asked by every launch that would profit.
    if (instance.wide_is_begun.load(std::memory_order_relaxed) || instance.wide_is_begun.exchange(true)) return;
    if (!may_be_wide(instance)) return;
    open_for(*instance.engine, wide_request_of(instance), *instance.device);
    run_in_background([engine = instance.engine->shared_from_this(), &instance] {
        (void)guarded([&] { return make_wide(instance); });
    });
}

const Instance& form_for(const Instance& instance, long long count) {
    if (count < kManyThreads) return instance;
    if (const Instance* wide = instance.wide.load(std::memory_order_acquire)) return *wide;
    widen_later(instance);
    return instance;
}

int elements_of_thread(const Instance& instance) {
    const bool is_single = instance.request.access == ElementAccess::flat && !instance.request.wide;
    return is_single ? 1 : instance.entry.elements_per_thread;
}

}  // namespace pyk::jit
