#include "jit/kept.h"

#include <cstdlib>
#include <filesystem>

#include "jit/blob.h"
#include "jit/compiler_library.h"
#include "jit/elements.h"
#include "jit/identity.h"
#include "jit/kept_summaries.h"

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

std::string text_of(const Constant& value) {
    return std::to_string(static_cast<int>(value.kind())) + ":" + std::to_string(value.bits());
}
std::string text_of(const Define& define) {
    std::string text = std::to_string(static_cast<int>(define.kind())) + ":";
    if (define.kind() == Define::Kind::number) return text + text_of(define.number());
    if (define.kind() == Define::Kind::type) return text + define.type().text;
    for (const Constant& item : define.tuple()) text += text_of(item) + ";";
    return text;
}

// A file that was read. Paths in the main file's folder are kept relative to it: a project may move.
struct Dependency {
    std::string path, digest;
};

fs::path folder_of(const Engine& engine) { return fs::path(engine.name).parent_path(); }

std::string kept_path(const Engine& engine, const std::string& file) {
    const fs::path relative = fs::path(file).lexically_relative(folder_of(engine));
    const bool is_below = !relative.empty() && *relative.begin() != "..";
    std::error_code ignored;
    return is_below ? relative.string() : fs::absolute(file, ignored).string();
}
fs::path whole_path(const Engine& engine, const fs::path& kept) {
    return kept.is_absolute() ? kept : folder_of(engine) / kept;
}

std::vector<Dependency> dependencies_of(const Engine& engine, const std::vector<std::string>& files) {
    std::vector<Dependency> found;
    for (const std::string& file : files) {
        if (file == engine.name) continue;
        const auto digest = cache::digest_of_file(file);
        found.push_back({kept_path(engine, file), digest ? digest->hex() : ""});
    }
    return found;
}

void write(BlobWriter& to, const std::vector<Dependency>& dependencies) {
    to.number(dependencies.size());
    for (const Dependency& d : dependencies) {
        to.text(d.path);
        to.text(d.digest);
    }
}

// Reads them; false: one is not what it was.
bool read_unchanged(BlobReader& from, const Engine& engine, std::vector<std::string>& files) {
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
        const fs::path whole = whole_path(engine, from.text());
        const std::string digest = from.text();
        const auto now = cache::digest_of_file(whole.string());
        if (!now || now->hex() != digest) return false;
        files.push_back(whole.string());
    }
    return from.ok();
}

// Places where an import was looked for in vain.
void write_missing(BlobWriter& to, const Engine& engine, const std::vector<std::string>& missing) {
    to.number(missing.size());
    for (const std::string& path : missing) to.text(kept_path(engine, path));
}

// Reads them; false: there is a file now, which may be imported instead of another.
bool read_still_missing(BlobReader& from, const Engine& engine, std::vector<std::string>& missing) {
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
        const fs::path whole = whole_path(engine, from.text());
        std::error_code ignored;
        if (fs::is_regular_file(whole, ignored)) return false;
        missing.push_back(whole.string());
    }
    return from.ok();
}

void write(BlobWriter& to, const ArgumentType& type) {
    to.number(code_of(type.element, type.ndim, type.order));
    if (!type.named) return;
    to.text(type.named->text);
    to.number(type.named->size);
    to.number(type.named->alignment);
}
ArgumentType read_type(BlobReader& from) {
    const std::uint64_t code = from.number();
    ArgumentType type{static_cast<Element>(code & 31), static_cast<unsigned char>(code >> 5 & 15),
                      static_cast<Order>(code >> 9 & 3)};
    if (type.element == Element::named) {
        NamedType named{from.text(), 0, 1};
        named.size = from.number();
        named.alignment = from.number();
        type.named = interned(std::move(named));
    }
    return type;
}

void write(BlobWriter& to, const Entry& entry) {
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
Entry read_entry(BlobReader& from) {
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

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

cache::KeyBuilder instance_key(const Engine& engine, const BuildRequest& request) {
    cache::KeyBuilder key = engine.key;
    key.add("kernel", request.kernel);
    for (const ArgumentType& type : request.types) key.add("argument", name_of(type));
    key.add("disjoint", static_cast<std::uint64_t>(request.disjoint));
    key.add("wide", static_cast<std::uint64_t>(request.wide));
    if (request.access != ElementAccess::none) {
        key.add("access", static_cast<std::uint64_t>(request.access));
        for (const Element element : request.elements) key.add("element", row_of(element).name);
        if (request.output) key.add("output", name_of(*request.output));
        for (const Team& team : request.teams)
            key.add("team", static_cast<std::uint64_t>(team.threads))
                .add("items", static_cast<std::uint64_t>(team.items));
        for (const CoreOperand& operand : request.core) {
            key.add("part", static_cast<std::uint64_t>(operand.is_staged));
            for (const long long extent : operand.shape) key.add("extent", static_cast<std::uint64_t>(extent));
        }
    }
    if (const AlgorithmRequest& algorithm = request.algorithm; !algorithm.name.empty()) {
        key.add("algorithm", algorithm.name).add("transform", algorithm.transform);
        if (algorithm.value) key.add("value", row_of(*algorithm.value).name);
        if (algorithm.result) key.add("result", row_of(*algorithm.result).name);
    }
    key.add("target", request.arch.is_cpu ? "cpu" : "cuda");
    if (request.arch.is_cpu) {
        key.add("cpu", identity_of_cpu());
        key.add("CXX", environment("CXX"));
    } else {
        key.add("compute capability", static_cast<std::uint64_t>(request.arch.compute_capability));
        for (const char* name : {"PYK_NVRTC", "CUDA_HOME", "CUDA_PATH"}) key.add(name, environment(name));
    }
    return key;
}

cache::KeyBuilder signature_key(const Engine& engine, const std::string& signature) {
    cache::KeyBuilder key = engine.key;
    return key.add("signature", signature);
}

cache::Fields notes_of(const Engine& engine, const std::string& kernel) {
    std::error_code ignored;
    cache::Fields notes = {{"file", fs::absolute(engine.name, ignored).string()}};
    if (!kernel.empty()) notes.emplace_back("kernel", kernel);
    return notes;
}

cache::KeyBuilder binary_key(const cache::KeyBuilder& manifest, std::string_view dependencies,
                             const std::string& tool) {
    cache::KeyBuilder key = manifest;
    return key.add("imports", dependencies).add("tool", tool);
}

// Imports, what was looked for in vain, tool, entry point and what was said about it, then the binary's key.
struct Manifest {
    Built built;  ///< but for the binary and the emitted text
    cache::Digest binary;
};

std::optional<Manifest> find_manifest(const Engine& engine, const BuildRequest& request) {
    const auto entry = store().find(instance_key(engine, request).digest());
    if (!entry || entry->kind != "manifest") return std::nullopt;
    BlobReader from(entry->payload);
    Manifest manifest;
    Built& built = manifest.built;
    built.files.push_back(engine.name);
    if (!read_unchanged(from, engine, built.files) || !read_still_missing(from, engine, built.missing))
        return std::nullopt;
    built.tool = from.text();
    built.tool_library = from.text();
    if (from.text() != identity_of_file(built.tool_library)) return std::nullopt;
    built.warnings = from.text();
    built.entry = read_entry(from);
    const auto key = cache::Digest::from_hex(from.text());
    if (!from.at_end() || !key) return std::nullopt;
    manifest.binary = *key;
    return manifest;
}

}  // namespace

cache::KeyBuilder program_key(const std::string& text, const Options& options) {
    cache::KeyBuilder key;
    key.add("libpyk", compiler_identity());
    key.add("source", cache::digest_of(text).hex());
    for (const auto& [name, define] : options.defines) key.add("define " + name, text_of(define));
    key.add("typing", static_cast<std::uint64_t>(options.typing));
    key.add("check bounds", static_cast<std::uint64_t>(options.check_bounds));
    key.add("debug", static_cast<std::uint64_t>(options.debug));
    key.add("print to a sink", static_cast<std::uint64_t>(static_cast<bool>(options.on_print)));
    const CodeOptions& code = options.code;
    key.add("fastmath", static_cast<std::uint64_t>(code.fastmath));
    key.add("fmad", static_cast<std::uint64_t>(code.fmad));
    key.add("lineinfo", static_cast<std::uint64_t>(code.lineinfo));
    key.add("device debug", static_cast<std::uint64_t>(code.device_debug));
    key.add("optimization", static_cast<std::uint64_t>(code.optimization));
    key.add("registers", static_cast<std::uint64_t>(code.max_registers));
    for (const std::string& warning : options.warnings) key.add("warning", warning);
    for (const std::string& folder : options.import_folders) key.add("import folder", folder);
    for (const std::string& link : options.links) {
        const auto digest = cache::digest_of_file(link);
        key.add("link", digest ? digest->hex() : "missing " + link);
    }
    return key;
}

std::optional<ProgramInfo> find_program(const Engine& engine) {
    if (!is_kept(engine)) return std::nullopt;
    const auto entry = store().find(engine.key.digest());
    if (!entry || entry->kind != "manifest") return std::nullopt;
    BlobReader from(entry->payload);
    ProgramInfo info;
    info.files.push_back(engine.name);
    if (!read_unchanged(from, engine, info.files) || !read_still_missing(from, engine, info.missing))
        return std::nullopt;
    info.warnings = from.text();
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

void keep_program(const Engine& engine, const ProgramInfo& info) {
    if (!is_kept(engine)) return;
    BlobWriter to;
    write(to, dependencies_of(engine, info.files));
    write_missing(to, engine, info.missing);
    to.text(info.warnings);
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
    store().put(engine.key.digest(), {"manifest", engine.key.fields(), to.take(), notes_of(engine, {})});
}

std::optional<std::vector<ArgumentType>> find_types(const Engine& engine, const std::string& signature) {
    if (!is_kept(engine)) return std::nullopt;
    const auto entry = store().find(signature_key(engine, signature).digest());
    if (!entry || entry->kind != "manifest") return std::nullopt;
    BlobReader from(entry->payload);
    std::vector<ArgumentType> types;
    const std::uint64_t count = from.count();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) types.push_back(read_type(from));
    return from.at_end() ? std::optional(std::move(types)) : std::nullopt;
}

void keep_types(const Engine& engine, const std::string& signature, const std::vector<ArgumentType>& types) {
    if (!is_kept(engine)) return;
    BlobWriter to;
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
    BlobReader payload(binary->payload);
    built.emitted = payload.text();
    built.binary = payload.text();
    return payload.at_end() ? std::optional(std::move(built)) : std::nullopt;
}

void keep_built(const Engine& engine, const BuildRequest& request, const Built& built) {
    if (!is_kept(engine)) return;
    const cache::KeyBuilder key = instance_key(engine, request);
    BlobWriter imports;
    write(imports, dependencies_of(engine, built.files));
    const std::string imported = imports.take();
    const std::string tool = identity_of_file(built.tool_library);
    const cache::KeyBuilder binary = binary_key(key, imported, tool);

    BlobWriter payload;
    payload.text(built.emitted);
    payload.text(built.binary);
    const cache::Fields notes = notes_of(engine, request.kernel);
    const char* const kind = request.arch.is_cpu ? "cpu" : "cuda";
    if (!store().put(binary.digest(), {kind, binary.fields(), payload.take(), notes})) return;

    BlobWriter rest;
    write_missing(rest, engine, built.missing);
    rest.text(built.tool);
    rest.text(built.tool_library);
    rest.text(tool);
    rest.text(built.warnings);
    write(rest, built.entry);
    rest.text(binary.digest().hex());
    store().put(key.digest(), {"manifest", key.fields(), imported + rest.take(), notes});
}

void forget_built(const Engine& engine, const BuildRequest& request) {
    if (!is_kept(engine)) return;
    if (const auto manifest = find_manifest(engine, request)) store().erase(manifest->binary);
    store().erase(instance_key(engine, request).digest());
}

}  // namespace pyk::jit
