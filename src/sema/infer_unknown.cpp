// What names mean nothing here, and what may have been meant.
#include <fmt/format.h>

#include <algorithm>

#include "module/meant.h"
#include "sema/infer.h"
#include "support/nearest.h"

namespace pyk {
namespace {

// What C, CUDA C++ and JSON call it, and its name here.
std::string_view meant_by(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"true", "True"},
        {"false", "False"},
        {"null", "None"},
        {"NULL", "None"},
        {"nullptr", "None"},
        {"printf", "print"},
        {"fabs", "abs"},
        {"fmin", "min"},
        {"fmax", "max"},
        {"fminf", "min"},
        {"fmaxf", "max"},
        {"warpSize", "cuda.warpsize"},
        {"__syncthreads", "cuda.syncthreads"},
        {"__syncwarp", "cuda.syncwarp"},
        {"__threadfence", "cuda.threadfence"},
        {"atomicAdd", "cuda.atomic.add"},
        {"atomicSub", "cuda.atomic.sub"},
        {"atomicMax", "cuda.atomic.max"},
        {"atomicMin", "cuda.atomic.min"},
        {"atomicExch", "cuda.atomic.exch"},
        {"atomicCAS", "cuda.atomic.cas"},
    };
    const auto* found = std::ranges::find(kNames, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kNames) ? std::string_view() : found->second;
}

// The same of a module that kernels have: `sqrt`, `sqrtf`, `threadIdx`; empty: of none.
std::string named_module(const ModuleScope& scope, std::string_view name) {
    for (const std::string_view module : {"cuda", "math"}) {
        const Entity entity = Path{std::string(module)};
        const auto member = scope.member(entity, name);
        if (member && !std::holds_alternative<TypeName>(*member)) return fmt::format("{}.{}", module, name);
    }
    // `__shfl_down_sync`, `__popc`.
    if (name.starts_with("__") && scope.member(Path{"cuda"}, name.substr(2)))
        return fmt::format("cuda.{}", name.substr(2));
    if (name.size() > 2 && name.ends_with('f') && scope.member(Path{"math"}, name.substr(0, name.size() - 1)))
        return fmt::format("math.{}", name.substr(0, name.size() - 1));
    return {};
}

bool names_module(const ModuleScope& scope, std::string_view name) {
    const auto entity = scope.lookup(name);
    const Path* path = entity ? std::get_if<Path>(&*entity) : nullptr;
    return path && path->name == name;
}

constexpr std::string_view kList = "; use a tuple, or `cuda.local.array`";

// What to write in place of what the host has.
std::string_view in_place_of(std::string_view path) {
    struct Row {
        std::string_view name, hint;
    };
    static constexpr Row kNamespaces[] = {{"cuda.shared", "; `cuda.shared.array(shape, dtype)` makes an array"},
                                          {"cuda.local", "; `cuda.local.array(shape, dtype)` makes an array"},
                                          {"cuda.const", "; `cuda.const.array_like(table)` makes an array"},
                                          {"cuda.atomic", "; `cuda.atomic.add(array, index, value)` is one of them"}};
    for (const auto& [name, hint] : kNamespaces)
        if (path == name) return hint;
    static constexpr std::string_view kNewArray =
        ", which cannot make arrays; `cuda.local.array(shape, dtype)` is one of each thread, or pass one in";
    static constexpr std::string_view kTable = "; write a loop, or index a table that the module makes";
    // A name that ends with a dot is that of all in it.
    static constexpr Row kRows[] = {
        {"cuda.synchronize",
         "; `cuda.syncthreads()` waits for the threads of the block, the host waits for the kernel"},
        {"cuda.to_device", "; the host makes arrays of the device, and passes them to the kernel"},
        {"cuda.device_array",
         "; the host makes arrays of the device; a kernel has `cuda.shared.array` and `cuda.local.array`"},
        {"cuda.device_array_like",
         "; the host makes arrays of the device; a kernel has `cuda.shared.array` and `cuda.local.array`"},
        {"numpy.zeros", kNewArray},
        {"numpy.zeros_like", kNewArray},
        {"numpy.ones", kNewArray},
        {"numpy.ones_like", kNewArray},
        {"numpy.empty", kNewArray},
        {"numpy.empty_like", kNewArray},
        {"numpy.full", kNewArray},
        {"numpy.full_like", kNewArray},
        {"numpy.arange", kNewArray},
        {"numpy.linspace", kNewArray},
        {"numpy.copy", kNewArray},
        {"numpy.copyto", "; write a loop that stores"},
        {"random.", "; `numba.cuda.random` has generators for kernels"},
        {"numpy.random.", "; `numba.cuda.random` has generators for kernels"},
        {"typed.Dict", "; use arrays or tuples"},
        {"typed.Dict.", "; use arrays or tuples"},
        {"typed.List", kList},
        {"typed.List.", kList},
        {"collections.", "; use arrays or tuples"},
        {"heapq.", "; use arrays or tuples"},
        {"math.factorial", kTable},
        {"math.comb", kTable},
        {"math.cbrt", "; write `cuda.cbrt(x)`"},
        {"math.clamp", "; write `min(max(x, low), high)`"},
        {"math.sign", "; write `np.sign(x)`"},
        {"math.perm", kTable},
        {"math.dist", "; write `math.hypot` of the differences"},
        {"math.fsum", "; write `sum(…)`"},
        {"math.isclose", "; write `abs(a - b) <= tolerance`"},
        {"math.isqrt", "; write `int(math.sqrt(n))`"},
        {"math.lcm", "; write `a // math.gcd(a, b) * b`"},
        {"math.prod", "; write a loop"},
        {"numpy.math.", "; `import math` has it"},
        {"numpy.matmul", "; write the product as loops"},
        {"numpy.einsum", "; write the sums as loops"},
        {"numpy.apply_along_axis", "; write a loop over the rows"},
        {"numpy.array_equiv", "; write `np.all(a == b)`"},
        {"numpy.asanyarray", "; write `np.asarray(a)`"},
        {"numpy.bitwise_count", "; `cuda.popc(x)` counts the bits of an integer"},
        {"numpy.diag_indices", "; `np.arange(n)` is the index of each axis"},
        {"numpy.histogram2d", "; write a loop that counts"},
        {"numpy.histogramdd", "; write a loop that counts"},
        {"numpy.mask_indices", "; write a loop over the rows and columns"},
        {"numpy.modf", "; write `np.trunc(x)` and `x - np.trunc(x)`"},
        {"numpy.put_along_axis", "; write a loop that stores"},
        {"numpy.unstack", "; write a loop, or index the first axis"},
        {"numpy.vecdot", "; write `np.sum(a * b, axis=-1)`"},
        {"scipy.special.",
         "; `numba.cuda.libdevice` has `j0`, `erfinv`, `erfcx` and others, `math` has `gamma` and `erf`"},
        {"time.", "; the host measures time, with events of the stream"},
    };
    const auto* found = std::ranges::find_if(
        kRows, [&](const Row& row) { return row.name.ends_with('.') ? path.starts_with(row.name) : path == row.name; });
    return found == std::end(kRows) ? std::string_view() : found->hint;
}

// The same of what Python has without a module; empty: nothing is known of it.
std::string_view in_place_of_python(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"list", kList},
        {"dict", "; use arrays or tuples"},
        {"set", "; use arrays or tuples"},
        {"frozenset", "; use arrays or tuples"},
        {"object", "; the elements of arrays are numbers, dates and records"},
        {"all", "; write a loop with `and`"},
        {"any", "; write a loop with `or`"},
        {"str", "; `print` takes its values one by one"},
        {"repr", "; `print` takes its values one by one"},
        {"format", "; `print` takes its values one by one"},
        {"open", "; the host reads and writes files"},
        {"input", "; the host reads what is typed"},
        {"eval", "; what runs is known when the kernel is compiled"},
        {"exec", "; what runs is known when the kernel is compiled"},
        {"compile", "; what runs is known when the kernel is compiled"},
        {"globals", "; a kernel sees the names of its module by themselves"},
        {"locals", "; a kernel sees the names of its module by themselves"},
        {"vars", "; a kernel sees attributes by their names"},
        {"dir", "; a kernel sees attributes by their names"},
        {"id", "; `is` compares what kernels know of objects"},
        {"super", "; it is for methods of classes that are derived from others"},
        {"exit", "; `return` ends a thread"},
        {"quit", "; `return` ends a thread"},
    };
    const auto* found = std::ranges::find(kNames, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kNames) ? std::string_view() : found->second;
}

// Whether it is of a module that comes with Python, or of one that hosts of kernels use: no file is missing.
bool is_of_python(std::string_view path) {
    static constexpr std::string_view kModules[] = {"argparse",   "array",
                                                    "asyncio",    "collections",
                                                    "concurrent", "contextlib",
                                                    "copy",       "csv",
                                                    "ctypes",     "datetime",
                                                    "decimal",    "enum",
                                                    "fractions",  "functools",
                                                    "gc",         "glob",
                                                    "io",         "itertools",
                                                    "json",       "logging",
                                                    "matplotlib", "multiprocessing",
                                                    "os",         "pandas",
                                                    "pathlib",    "pickle",
                                                    "PIL",        "platform",
                                                    "random",     "re",
                                                    "scipy",      "shutil",
                                                    "statistics", "string",
                                                    "struct",     "subprocess",
                                                    "sys",        "tempfile",
                                                    "threading",  "time",
                                                    "timeit",     "torch",
                                                    "tqdm",       "types",
                                                    "typing",     "unittest",
                                                    "warnings"};
    return std::ranges::find(kModules, path.substr(0, path.find('.'))) != std::end(kModules);
}

// Whether the function imports it, which was refused.
bool has_import_of(const Diagnostics& diagnostics, std::string_view name) {
    return std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& d) {
        const std::string_view text = d.id == diag::unsupported_syntax.id ? d.span.text() : std::string_view();
        return (text.starts_with("import ") || text.starts_with("from ")) && text.find(name) != std::string_view::npos;
    });
}

void add_fields(std::vector<std::string_view>& names, Type type) {
    const Type record = type.is_array() ? type.element() : type;
    if (record.is_record())
        for (const Field& field : record.fields()) names.push_back(field.name);
}

std::string joined(const std::vector<std::string>& folders) { return fmt::format("`{}`", fmt::join(folders, "`, `")); }

}  // namespace

// What is missing is said once in a function.
bool Inference::is_told(std::string_view name) const {
    const std::string said = fmt::format("`{}` is ", name);
    return std::ranges::any_of(diagnostics_.all(), [&](const Diagnostic& d) {
        return d.severity == Severity::error && d.text.starts_with(said);
    });
}

Value Inference::unknown_name(std::string_view name, Span span) {
    if (is_told(name)) return Value();
    if (scope_.is_opaque(name)) {
        // Of a function that nobody called all names are missing: what gives them is said once.
        const std::string way_out = scope_.way_to_define(*instance_.info);
        const auto says_so = [&](const Diagnostic& d) {
            return d.id == diag::not_a_constant.id &&
                   std::ranges::any_of(d.notes, [&](const Note& note) { return note.text == way_out; });
        };
        if (std::ranges::any_of(diagnostics_.all(), says_so)) return Value();
        if (!way_out.empty()) {
            Value unknown = error(diag::not_a_constant, span, name);
            diagnostics_.note(def_.name_span, way_out);
            return unknown;
        }
        const bool is_drawn = is_random(name);
        Value unknown = error(is_drawn ? diag::random_constant : diag::not_a_constant, span, name);
        if (const auto at = scope_.assigned_at(name)) diagnostics_.note(at->span, at->text);
        if (const auto part = is_drawn ? std::nullopt : scope_.not_computed(name))
            diagnostics_.note(part->span, part->text);
        return unknown;
    }
    const auto held = scope_.lookup(name);
    const auto captured = held ? to_const(*held) : std::nullopt;
    if (captured && captured->as<Const::List>()) {
        Value unknown = error(diag::not_a_constant, span, name);
        diagnostics_.note(def_.name_span,
                          fmt::format("`{}` is a list here; a tuple is a constant, a list may change", name));
        return unknown;
    }
    if (const std::string import = missing_import(name); !import.empty()) {
        const std::string hint = fmt::format("the file needs `{}`", import);
        return error(diag::unknown_name_hint, span, name, std::string_view(hint));
    }
    if (has_import_of(diagnostics_, name)) return Value();
    if (const std::string_view hint = in_place_of_python(name); !hint.empty())
        return error(diag::not_in_kernels, span, name, hint);
    const auto missing = scope_.missing_module(name);
    if (missing && missing->name.starts_with('.')) {
        const std::string hint = fmt::format("there is no file `{}`, which it is imported from", missing->name);
        Value unknown = error(diag::unknown_name_hint, span, name, std::string_view(hint));
        diagnostics_.note(missing->span, fmt::format("the import is here{}", meant_module(missing->name)));
        return unknown;
    }
    std::string known(meant_by(name));
    if (known.empty()) known = named_module(scope_, name);
    const std::string module = known.substr(0, known.find('.'));
    if (module != known && !names_module(scope_, module)) {
        const std::string hint = fmt::format("`{}` is, once the file has `{}`", known, missing_import(module));
        return error(diag::unknown_name_hint, span, name, std::string_view(hint));
    }
    std::vector<std::string_view> candidates = scope_.names();
    for (uint32_t i = 0; i < names_.count(); ++i) candidates.push_back(names_.name(i));
    if (statement_ == span)
        for (const std::string_view keyword : {"return", "break", "continue", "pass"}) candidates.push_back(keyword);
    std::erase(candidates, name);  // imported from a file that has no such name
    const std::string near = known.empty() ? nearest_name(name, candidates) : known;
    Value unknown = near.empty() ? error(diag::unknown_name, span, name)
                                 : error(diag::unknown_name_near, span, name, std::string_view(near));
    if (missing)
        diagnostics_.note(missing->span, fmt::format("`{}`, which may have it, is not in {}", missing->name,
                                                     joined(missing->folders)));
    if (const Span computed = scope_.set_by_text(name); computed)
        diagnostics_.note(computed, fmt::format("what this does is not followed; write `{} = …`", name));
    if (!near.empty()) diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

namespace {

/// The names that a module's builtins begin with.
std::vector<std::string_view> members_of(std::string_view module) {
    std::vector<std::string_view> members;
    const std::string prefix = module == "numpy" ? "np." : fmt::format("{}.", module);
    for (const Builtin& b : all_builtins()) {
        if (!b.name.starts_with(prefix)) continue;
        const std::string_view member = b.name.substr(prefix.size());
        members.push_back(member.substr(0, member.find('.')));
        members.push_back(member);
    }
    if (module == "numpy") {
        members.insert(members.end(), {"pi", "e", "inf", "nan", "euler_gamma"});
        for (const ScalarInfo& scalar : all_scalars()) members.push_back(scalar.name);
    }
    if (module == "numba") {
        members.push_back("cuda");
        for (const ScalarInfo& scalar : all_scalars())
            if (scalar.bits != 16 || scalar.kind != ScalarKind::floating) members.push_back(scalar.name);
    }
    return members;
}

}  // namespace

Value Inference::unknown_path(const std::string& path, Span span) {
    if (is_told(path)) return Value();
    if (path == "numpy.int") {
        Value unknown = error(diag::unknown_name_hint, span, std::string_view(path),
                              "NumPy 1.24 took it away: write `int`, or `np.int64`");
        diagnostics_.suggest(did_you_mean(span, "int"));
        return unknown;
    }
    const std::string_view hint = in_place_of(path);
    const std::string_view last = std::string_view(path).substr(path.rfind('.') + 1);
    const std::string_view module = path == last ? "numba" : "numpy";  // `numba.x` is called `x` here
    if (hint.empty() && (path == last || path == fmt::format("numpy.{}", last))) {
        const std::string near = nearest_name(last, members_of(module));
        const std::string_view written = span.text();
        if (!near.empty() && written.ends_with(last)) {
            Value unknown = error(diag::unknown_name_near, span, std::string_view(fmt::format("{}.{}", module, last)),
                                  std::string_view(fmt::format("{}.{}", module, near)));
            diagnostics_.suggest(
                did_you_mean(span, std::string(written.substr(0, written.size() - last.size())) + near));
            return unknown;
        }
    }
    const auto missing = hint.empty() && !is_of_python(path) ? scope_.missing_module(path) : std::nullopt;
    if (!missing) return error(diag::not_in_kernels, span, std::string_view(path), hint);
    if (is_told(last)) return Value();
    std::string file = missing->name;
    std::ranges::replace(file, '.', '/');
    Value unknown =
        error(diag::module_not_found, span, last, std::string_view(fmt::format("{0}.pyk` or `{0}.py", file)),
              std::string_view(joined(missing->folders)));
    diagnostics_.note(missing->span, fmt::format("the import is here{}", meant_module(missing->name)));
    return unknown;
}

Value Inference::unknown_member(const Path& path, std::string_view attr, Span span) {
    const std::vector<std::string_view> members = members_of(path.name);
    const std::string wrong = fmt::format("{}.{}", path.name, attr);
    if (is_told(wrong)) return Value();
    // What the host has, and what Python has without a module, is not misspelt.
    if (!in_place_of(wrong).empty()) return unknown_path(wrong, span);
    if (const Builtin* builtin = find_builtin(attr); builtin && path.name == "math") {
        const std::string hint = fmt::format("write `{}`", attr);
        return error(diag::unknown_name_hint, span, std::string_view(wrong), std::string_view(hint));
    }
    const std::string with_mask = fmt::format("{}_sync", attr);
    const bool has_mask = std::ranges::find(members, with_mask) != members.end();
    const std::string near = has_mask ? with_mask : nearest_name(attr, members);
    if (near.empty()) return unknown_path(wrong, span);
    Value unknown = error(diag::unknown_name_near, span, std::string_view(wrong),
                          std::string_view(fmt::format("{}.{}", path.name, near)));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

Value Inference::changing_list(Span span) {
    return error(diag::unsupported_syntax, span, "lists that change", "use a tuple, or `cuda.local.array`");
}

Value Inference::unknown_attribute(Type type, std::string_view attr, Span span) {
    static constexpr std::string_view kChanges[] = {"append", "clear",  "copy",    "extend", "insert",
                                                    "pop",    "remove", "reverse", "sort"};
    if (type.is_scalar() && attr == "astype")
        return error(diag::unsupported_syntax, span, "conversions by `astype` of numbers",
                     "call the type: `float32(x)`");
    if (type.is_integer() && attr == "bit_length")
        return error(diag::unsupported_syntax, span, "methods of Python's integers",
                     "of an int64, `64 - cuda.clz(n)` is the length");
    if (type.is_array() && attr == "flags")
        return error(diag::unsupported_syntax, span, "objects such as `a.flags`",
                     "ask for one of `flags.c_contiguous`, `flags.f_contiguous` and `flags.contiguous`");
    if (type.is_array() && attr == "ctypes")
        return error(diag::unsupported_syntax, span, "objects such as `a.ctypes`", "`a.ctypes.data` is the address");
    if (type.is_array() && attr == "append")
        return error(diag::unsupported_syntax, span, "arrays that grow", "store to the next index and count them");
    if (is_sequence(type) && std::ranges::find(kChanges, attr) != std::end(kChanges)) return changing_list(span);
    std::vector<std::string_view> known;
    const std::string prefix = fmt::format("{}.", method_family(type));
    for (const Builtin& b : all_builtins())
        if (b.name.starts_with(prefix)) known.push_back(b.name.substr(prefix.size()));
    if (type.is_array())
        for (const std::string_view name :
             {"shape", "strides", "ndim", "itemsize", "size", "nbytes", "dtype", "T", "flat"})
            known.push_back(name);
    if (type.is_scalar() || type.is_array())
        for (const std::string_view name : {"real", "imag"}) known.push_back(name);
    add_fields(known, type);
    const bool is_count = type.is_array() && (attr == "length" || attr == "len");
    const std::string near = is_count ? "size" : nearest_name(attr, known);
    if (near.empty() || near == attr)  // other types have it
        return error(diag::unknown_attribute, span, type.name(), attr);
    Value unknown = error(diag::unknown_attribute_near, span, type.name(), attr, std::string_view(near));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

Value Inference::unknown_parameter(std::string_view function, std::string_view given,
                                   std::span<const std::string_view> known, Span span) {
    const std::string near = nearest_name(given, known);
    if (near.empty()) return error(diag::unknown_parameter, span, function, given);
    return error(diag::unknown_parameter_near, span, function, given, std::string_view(near));
}

Value Inference::unknown_field(Type type, std::string_view name, Span span) {
    std::vector<std::string_view> known;
    add_fields(known, type);
    const std::string near = nearest_name(name, known);
    if (near.empty()) return error(diag::unknown_attribute, span, type.name(), name);
    Value unknown = error(diag::unknown_attribute_near, span, type.name(), name, std::string_view(near));
    const size_t at = span.text().find(name);  // in quotation marks, or alone
    const uint32_t begin = span.begin + static_cast<uint32_t>(at);
    if (at != std::string_view::npos)
        diagnostics_.suggest(did_you_mean({span.file, begin, begin + static_cast<uint32_t>(name.size())}, near));
    return unknown;
}

Value Inference::unknown_class_member(const ClassInfo& info, std::string_view name, Span span) {
    std::vector<std::string_view> known;
    for (const ClassField& field : info.fields) known.push_back(field.name);
    for (const auto& member : info.members) known.push_back(member.first);
    const std::string near = nearest_name(name, known);
    if (near.empty()) return error(diag::unknown_attribute, span, info.name, name);
    Value unknown = error(diag::unknown_attribute_near, span, info.name, name, std::string_view(near));
    diagnostics_.suggest(did_you_mean(span, near));
    return unknown;
}

void Inference::no_value(const Value& value, Span span) {
    const Entity* entity = value.entity ? &*value.entity : nullptr;
    const Path* path = entity ? std::get_if<Path>(entity) : nullptr;
    const Builtin* const* builtin = entity ? std::get_if<const Builtin*>(entity) : nullptr;
    const FunctionInfo* const* function = entity ? std::get_if<const FunctionInfo*>(entity) : nullptr;
    if (is_dim3(value.entity)) {
        // Of a variable that holds it: once.
        const std::string said = fmt::format("`{}` is three numbers", path->name);
        const auto says = [&](const Diagnostic& d) { return d.text.starts_with(said); };
        if (span.text() != path->name && std::ranges::any_of(diagnostics_.all(), says)) return;
        error(diag::dim3_value, span, std::string_view(path->name));
    } else if (path && !is_builtin_namespace(path->name) && path->name.find('.') != std::string::npos)
        unknown_path(path->name, span);
    else if (is_range(value) || iterator_of(value) || (builtin && (*builtin)->special == Special::iterator))
        error(diag::unsupported_syntax, span, "ranges and iterators in place of numbers",
              "write a `for` loop over them");
    else if (builtin && !value.receiver)
        error(diag::function_value, span, (*builtin)->name);
    else if (function && !value.receiver)
        error(diag::function_value, span, std::string_view((*function)->name));
    else if (builtin || function)
        error(diag::function_value, span, span.text());
    else if (is_none(value.entity)) {
        error(diag::none_value, span);
        const auto name = names_.index(span.text());
        const VersionId id = name && reachable() ? (*env_)[*name] : kUnassigned;
        if (id != kUnassigned) diagnostics_.note(versions_[id].span, fmt::format("`{}` became None here", span.text()));
    } else
        error(diag::not_a_value, span);
}

}  // namespace pyk
