#include "jit/kept.h"

#include <filesystem>

#include "cache/bytes.h"
#include "cache/environment.h"
#include "jit/compiler_library.h"
#include "jit/elements.h"
#include "jit/identity.h"
#include "jit/kept_imports.h"
#include "jit/kept_summaries.h"
#include "real_text.h"

namespace pyk::jit {
namespace {

namespace fs = std::filesystem;

const cache::Store& store() {
    // Never destroyed: compiles in the background may end late.
    static const cache::Store& opened = *new cache::Store(cache::options_from_environment());
    return opened;
}

bool is_kept(const Engine& engine) {
    return engine.options.disk_cache && store().why_off().empty() && !compiler_identity().empty();
}

std::string number_text(const Constant& value) {
    if (value.kind() == Constant::Kind::real)
        return real_text(value.visit([](auto number) { return static_cast<double>(number); }));
    return value.visit([](auto number) { return std::to_string(number); });
}

// Keys are read by people too (`pykc cache why`).
std::string text_of(const Constant& value) {
    constexpr const char* kKinds[] = {"bool", "int64", "uint64", "float64"};
    const std::string bits = std::to_string(value.bits());
    const std::string text = value.kind() == Constant::Kind::boolean ? (value.bits() ? "True" : "False")
                             : value.kind() == Constant::Kind::real  ? number_text(value) + ", bits " + bits
                                                                     : number_text(value);
    return text + " (" + kKinds[static_cast<int>(value.kind())] + ")";
}
std::string text_of(const Define& define) {
    if (define.kind() == Define::Kind::number) return text_of(define.number());
    if (define.kind() == Define::Kind::type) return "the type " + define.type().text;
    std::string text;
    for (const Constant& item : define.tuple()) text += (text.empty() ? "(" : ", ") + text_of(item);
    return text.empty() ? "()" : text + ")";
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

void write(cache::Writer& to, const ArgumentType& type) {
    write_type(to, type.element_type());
    to.number(type.ndim);
    to.number(static_cast<std::uint64_t>(type.order));
}
ArgumentType read_type(cache::Reader& from) {
    const ElementType element = read_element_type(from);
    ArgumentType type{element.element, static_cast<unsigned char>(from.number()), Order::c, {}, element.named};
    type.order = static_cast<Order>(from.number() & 3);
    return type;
}

void write(cache::Writer& to, const Entry& entry) {
    to.text(entry.kernel);
    to.text(entry.symbol);
    to.text(entry.signature);
    to.number(entry.cooperative);
    to.number(entry.has_checks);
    to.number(static_cast<std::uint64_t>(entry.min_sm));
    to.number(static_cast<std::uint64_t>(entry.elements_per_thread));
    to.number(static_cast<std::uint64_t>(entry.team.threads));
    to.number(static_cast<std::uint64_t>(entry.team.items));
    to.number(entry.params.size());
    for (const Param& param : entry.params) {
        to.text(param.name);
        write(to, param.type);
        to.number(param.written);
        to.number(param.overwritten);
    }
}
Entry read_entry(cache::Reader& from) {
    Entry entry;
    entry.kernel = from.text();
    entry.symbol = from.text();
    entry.signature = from.text();
    entry.cooperative = from.number() != 0;
    entry.has_checks = from.number() != 0;
    entry.min_sm = static_cast<int>(from.number());
    entry.elements_per_thread = static_cast<int>(from.number());
    entry.team.threads = static_cast<int>(from.number());
    entry.team.items = static_cast<int>(from.number());
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
        Param param;
        param.name = from.text();
        param.type = read_type(from);
        param.written = from.number() != 0;
        param.overwritten = from.number() != 0;
        entry.params.push_back(std::move(param));
    }
    return entry;
}

cache::KeyBuilder instance_key(const Engine& engine, const BuildRequest& request) {
    const auto& [kernel, types, disjoint, arch, access, elements, algorithm, output, core, wide, numbers, teams] =
        request;
    cache::KeyBuilder key = engine.key;
    key.add("kernel", kernel);
    for (const ArgumentType& type : types) key.add("argument", name_of(type));
    key.add("arrays apart", yes_or_no(disjoint));
    key.add("form", wide ? "wide" : "single");
    if (access != ElementAccess::none) {
        key.add("access", static_cast<std::uint64_t>(access));
        for (const ElementType& type : elements) key.add("element", name_of(type));
        if (output) key.add("output", name_of(*output));
        for (const bool is_number : numbers) key.add("number", yes_or_no(is_number));
        for (const Team& team : teams)
            key.add("team", static_cast<std::uint64_t>(team.threads))
                .add("items", static_cast<std::uint64_t>(team.items));
        for (const CoreOperand& operand : core) {
            key.add("part", static_cast<std::uint64_t>(operand.is_staged));
            for (const long long extent : operand.shape) key.add("extent", static_cast<std::uint64_t>(extent));
        }
    }
    if (!algorithm.name.empty()) {
        key.add("algorithm", algorithm.name).add("transform", algorithm.transform);
        if (algorithm.value) key.add("value", name_of(*algorithm.value));
        if (algorithm.result) key.add("result", name_of(*algorithm.result));
    }
    key.add("target", arch.is_cpu ? "cpu" : "cuda");
    if (arch.is_cpu) {
        key.add("cpu", identity_of_cpu());
        key.add("CXX", environment("CXX").value_or(""));
    } else {
        key.add("compute capability", static_cast<std::uint64_t>(arch.compute_capability));
        for (const char* name : {"PYK_NVRTC", "PYK_NVJITLINK", "CUDA_HOME", "CUDA_PATH"})
            key.add(name, environment(name).value_or(""));
    }
    return key;
}

cache::KeyBuilder signature_key(const Engine& engine, const std::string& signature) {
    cache::KeyBuilder key = engine.key;
    return key.add("signature", signature);
}

cache::Fields notes_of(const Engine& engine, const std::string& kernel) {
    cache::Fields notes = {{"file", (engine.base / engine.name).string()}};
    if (!kernel.empty()) notes.emplace_back("kernel", kernel);
    return notes;
}

cache::KeyBuilder binary_key(const cache::KeyBuilder& manifest, const std::string& imports, const std::string& tool) {
    cache::KeyBuilder key = manifest;
    return key.add("imports", imports).add("tool", tool);
}

std::string identity_of(const std::vector<std::string>& tools) {
    std::string text;
    for (const std::string& tool : tools) text += (text.empty() ? "" : " ") + identity_of_file(tool);
    return text;
}

// Imports, what was looked for in vain, tools, entry point and what was said about it, then the binary's key.
struct Manifest {
    Built built;  ///< but for the binary and the emitted text
    cache::Digest binary;
};

std::optional<Manifest> read_manifest(const Engine& engine, const std::string& alternative) {
    cache::Reader from(alternative);
    Manifest manifest;
    Built& built = manifest.built;
    if (!read_unchanged(from, engine.main_file(), built.files) ||
        !read_still_missing(from, engine.main_file(), built.missing))
        return std::nullopt;
    built.tool = from.text();
    built.tools = read_texts(from);
    if (from.text() != identity_of(built.tools)) return std::nullopt;
    built.warnings = read_findings(from, engine.main_file());
    built.entry = read_entry(from);
    const auto key = cache::Digest::from_hex(from.text());
    if (!from.at_end() || !key) return std::nullopt;
    manifest.binary = *key;
    return manifest;
}

std::optional<Manifest> find_manifest(const Engine& engine, const BuildRequest& request) {
    for (const std::string& alternative : find_alternatives(store(), instance_key(engine, request).digest()))
        if (auto manifest = read_manifest(engine, alternative)) return manifest;
    return std::nullopt;
}

std::optional<ProgramInfo> read_program(const Engine& engine, const std::string& alternative) {
    cache::Reader from(alternative);
    ProgramInfo info;
    if (!read_unchanged(from, engine.main_file(), info.files) ||
        !read_still_missing(from, engine.main_file(), info.missing))
        return std::nullopt;
    info.warnings = read_findings(from, engine.main_file());
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
        std::string name = from.text();
        info.kernels.push_back({std::move(name), read_texts(from)});
    }
    const std::uint64_t functions = from.count();
    for (std::uint64_t i = 0; i < functions && from.ok(); ++i) info.array_functions.push_back(read_summary(from));
    const std::uint64_t operators = from.count();
    for (std::uint64_t i = 0; i < operators && from.ok(); ++i) {
        OperatorSummary& summary = info.operators.emplace_back();
        summary.name = from.text();
        summary.params = read_texts(from);
        summary.is_reduction = from.number() != 0;
    }
    const std::uint64_t for_host = from.count();
    for (std::uint64_t i = 0; i < for_host && from.ok(); ++i) {
        std::string name = from.text();
        std::vector<std::string> params = read_texts(from);
        info.functions.push_back({std::move(name), std::move(params), from.number()});
    }
    return from.at_end() ? std::optional(std::move(info)) : std::nullopt;
}
}  // namespace

cache::KeyBuilder program_key(const Engine& engine) {
    const Options& options = engine.options;
    cache::KeyBuilder key;
    key.add("libpyk", compiler_identity());
    key.add("source", cache::digest_of(engine.text).hex());
    for (const auto& [define, value] : options.defines) key.add("define " + define, text_of(value));
    key.add("typing", options.typing == Typing::narrow ? "narrow" : "numba");
    key.add("check bounds", yes_or_no(options.check_bounds));
    key.add("check races", yes_or_no(options.check_races));
    key.add("debug", yes_or_no(options.debug));
    key.add("print to a sink", yes_or_no(static_cast<bool>(options.on_print)));
    const CodeOptions& code = options.code;
    key.add("fastmath", yes_or_no(code.fastmath));
    key.add("fmad", yes_or_no(code.fmad));
    key.add("lineinfo", yes_or_no(code.lineinfo));
    key.add("device debug", yes_or_no(code.device_debug));
    key.add("optimization", static_cast<std::uint64_t>(code.optimization));
    key.add("registers", static_cast<std::uint64_t>(code.max_registers));
    for (const std::string& warning : options.warnings) key.add("warning", warning);
    for (const std::string& folder : options.import_folders)
        key.add("import folder", kept_folder(engine.main_file(), folder));
    for (const std::string& link : options.links) {
        const auto digest = cache::digest_of_file(link);
        key.add("link", digest ? digest->hex() : "missing " + link);
    }
    return key;
}

std::string why_not_kept(const Engine& engine) {
    return engine.options.disk_cache && !store().is_wanted_off() ? store().why_off() : std::string();
}

std::optional<ProgramInfo> find_program(const Engine& engine) {
    if (!is_kept(engine)) return std::nullopt;
    for (const std::string& alternative : find_alternatives(store(), engine.key.digest()))
        if (auto info = read_program(engine, alternative)) return info;
    return std::nullopt;
}

void keep_program(const Engine& engine, const ProgramInfo& info) {
    if (!is_kept(engine)) return;
    cache::Writer to;
    write_imports(to, imports_of(engine.main_file(), info.files));
    write_missing(to, engine.main_file(), info.missing);
    write_findings(to, engine.main_file(), info.warnings);
    to.number(info.kernels.size());
    for (const KernelSummary& kernel : info.kernels) {
        to.text(kernel.name);
        write_texts(to, kernel.params);
    }
    to.number(info.array_functions.size());
    for (const ArraySummary& function : info.array_functions) write_summary(to, function);
    to.number(info.operators.size());
    for (const OperatorSummary& summary : info.operators) {
        to.text(summary.name);
        write_texts(to, summary.params);
        to.number(static_cast<std::uint64_t>(summary.is_reduction));
    }
    to.number(info.functions.size());
    for (const KernelSummary& function : info.functions) {
        to.text(function.name);
        write_texts(to, function.params);
        to.number(function.defaults);
    }
    keep_alternative(store(), engine.key, to.take(), notes_of(engine, {}));
}

std::optional<std::vector<ArgumentType>> find_types(const Engine& engine, const std::string& signature) {
    if (!is_kept(engine)) return std::nullopt;
    const auto entry = store().find(signature_key(engine, signature).digest());
    if (!entry || entry->kind != "manifest") return std::nullopt;
    cache::Reader from(entry->payload);
    std::vector<ArgumentType> types;
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) types.push_back(read_type(from));
    return from.at_end() ? std::optional(std::move(types)) : std::nullopt;
}

void keep_types(const Engine& engine, const std::string& signature, const std::vector<ArgumentType>& types) {
    if (!is_kept(engine)) return;
    cache::Writer to;
    to.number(types.size());
    for (const ArgumentType& type : types) write(to, type);
    const cache::KeyBuilder key = signature_key(engine, signature);
    store().put(key.digest(), {"manifest", key.fields(), to.take(), notes_of(engine, {})});
}

std::optional<Built> find_built(const Engine& engine, const BuildRequest& request) {
    if (!is_kept(engine)) return std::nullopt;
    std::optional<Manifest> manifest = find_manifest(engine, request);
    if (!manifest) return std::nullopt;
    const auto binary = store().find(manifest->binary);
    if (!binary || binary->kind != (request.arch.is_cpu ? "cpu" : "cuda")) return std::nullopt;
    Built built = std::move(manifest->built);
    cache::Reader payload(binary->payload);
    built.emitted = payload.text();
    built.binary = payload.text();
    return payload.at_end() ? std::optional(std::move(built)) : std::nullopt;
}

void keep_built(const Engine& engine, const BuildRequest& request, const Built& built) {
    if (!is_kept(engine)) return;
    const cache::KeyBuilder key = instance_key(engine, request);
    const Imports imports = imports_of(engine.main_file(), built.files);
    const std::string tool = identity_of(built.tools);
    const cache::KeyBuilder binary = binary_key(key, imports_text(imports), tool);

    cache::Writer payload;
    payload.text(built.emitted);
    payload.text(built.binary);
    const cache::Fields notes = notes_of(engine, request.kernel);
    const char* const kind = request.arch.is_cpu ? "cpu" : "cuda";
    if (!store().put(binary.digest(), {kind, binary.fields(), payload.take(), notes})) return;

    cache::Writer manifest;
    write_imports(manifest, imports);
    write_missing(manifest, engine.main_file(), built.missing);
    manifest.text(built.tool);
    write_texts(manifest, built.tools);
    manifest.text(tool);
    write_findings(manifest, engine.main_file(), built.warnings);
    write(manifest, built.entry);
    manifest.text(binary.digest().hex());
    keep_alternative(store(), key, manifest.take(), notes);
}

void forget_built(const Engine& engine, const BuildRequest& request) {
    if (!is_kept(engine)) return;
    if (const auto manifest = find_manifest(engine, request)) store().erase(manifest->binary);
    store().erase(instance_key(engine, request).digest());
}

}  // namespace pyk::jit
