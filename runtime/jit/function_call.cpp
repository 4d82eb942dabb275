#include "pyk/function.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "driver.h"
#include "jit/array_call.h"
#include "jit/elements.h"
#include "jit/guarded.h"
#include "jit/packing.h"
#include "pyk/given_cpu.h"
#include "report.h"

namespace pyk::jit {
namespace {

std::string which(const KernelState& function, std::size_t index) {
    return "argument " + std::to_string(index + 1) + " (`" + function.summary.param(index) + "`) of `" +
           function.summary.name + "`";
}

// Its memory must be the host's.
Status check_argument(const KernelState& function, const Argument& argument, std::size_t index) {
    if (!argument.is_array()) return {};
    if (argument.device && !argument.device->info.is_cpu)
        return refuse(which(function, index) + " is in a GPU's memory: functions run on the CPU");
    if (const char* fault = pyk::detail::fault_of(argument.data, argument.shape, argument.ndim))
        return refuse(which(function, index) + " " + fault);
    return {};
}

Result<const Instance*> instance_for(KernelState& function, const Argument* arguments, std::size_t count) {
    driver::Context& cpu = Device::cpu().context();
    BuildRequest request{function.summary.name, {}, false, arch_of(cpu), ElementAccess::call, {}, {}, {}};
    request.types.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (Status s = check_argument(function, arguments[i], i); !s) return s;
        request.types.push_back(type_of(arguments[i]));
    }
    return instance_of(function, request, cpu, {});
}

// What the names of places for results begin with (sema/host_call.cpp): where arrays are handed over; whether the
// result behind it is not None.
constexpr std::string_view kGivenName = "array", kSomeName = "some";

bool is_called(const Param& place, std::string_view name) { return place.name.compare(0, name.size(), name) == 0; }

// Behind the parameters of the arguments an entry has the places of the results. An argument that is compiled in, such
// as None, is none of its parameters.
const Param* places_of_results(const Instance& instance, std::size_t arguments) {
    const std::vector<Param>& params = instance.entry.params;
    return params.data() + params.size() - (instance.params.size() - arguments);
}

std::size_t result_count(const Instance& instance, std::size_t arguments) {
    const Param* const places = places_of_results(instance, arguments);
    return static_cast<std::size_t>(std::count_if(places, places + (instance.params.size() - arguments),
                                                  [](const Param& place) { return !is_called(place, kSomeName); }));
}

static_assert(given_array::max_ndim == max_ndim, "an array of the host's is one of a function's");

/// Lets go of the memory when the caller has its own.
struct Given {
    given_array array{};
    ~Given() { let_go(array.block); }
};

// In C order, element by element where it is not.
void copy_elements(const given_array& from, std::size_t bytes, int axis, const char* source, char*& to) {
    if (axis == from.ndim) {
        std::memcpy(to, source, bytes);
        to += bytes;
        return;
    }
    const bool is_row = axis == from.ndim - 1 && from.strides[axis] == static_cast<long long>(bytes);
    if (is_row && from.shape[axis] > 0) {
        std::memcpy(to, source, static_cast<std::size_t>(from.shape[axis]) * bytes);
        to += static_cast<std::size_t>(from.shape[axis]) * bytes;
        return;
    }
    for (long long i = 0; i < from.shape[axis]; ++i)
        copy_elements(from, bytes, axis + 1, source + i * from.strides[axis], to);
}

void let_go_of(void* block) { let_go(static_cast<memory_block*>(block)); }

Status take(given_array& given, detail::Returned& result) {
    const arrays::Shape shape(given.shape, given.shape + given.ndim);
    if (is_whole(given, static_cast<long long>(element_bytes(result)))) {
        memory_block* const block = std::exchange(given.block, nullptr);
        Buffer memory = Buffer::adopt(Device::cpu(), given.data, static_cast<std::size_t>(block->bytes),
                                      MemoryKind::device, block, let_go_of);
        result.array = AnyArray(result.element, shape, std::move(memory), result.named);
        return {};
    }
    Result<AnyArray> made = new_array({result.element, result.named}, shape, Device::cpu().context(), {});
    if (!made) return made.status();
    result.array = *std::move(made);
    char* to = static_cast<char*>(result.array.data());
    if (result.array.size() > 0)
        copy_elements(given, element_bytes(result), 0, static_cast<const char*>(given.data), to);
    return {};
}

Status run(const KernelState& function, const Instance& instance, const Argument* arguments, std::size_t count,
           detail::Returned* results) {
    const std::size_t returned = result_count(instance, count);
    const std::size_t units = instance.packed_bytes / sizeof(std::max_align_t) + 1;
    std::array<std::max_align_t, 32> of_most = {};  // calls allocate little
    std::vector<std::max_align_t> of_others(units > of_most.size() ? units : 0);
    auto* const packed = reinterpret_cast<unsigned char*>(of_others.empty() ? of_most.data() : of_others.data());
    for (std::size_t i = 0; i < count; ++i) {
        if (instance.params[i].written && arguments[i].readonly)
            return refuse("`" + function.summary.name + "` writes " + which(function, i) + ", which is const");
        void* const data = arguments[i].is_array() ? arguments[i].data : nullptr;
        const PackedParam& param = instance.params[i];
        const bool fits = param.kind == PackedParam::Kind::convert
                              ? write_argument(packed + param.offset, param.element, arguments[i])
                              : pack(param, arguments[i], data, packed);
        if (!fits) return refuse("the value of " + which(function, i) + " does not fit " + row_of(param.element).name);
    }
    const auto is_given = [](const Param& place) { return is_called(place, kGivenName); };
    const Param* const places = places_of_results(instance, count);
    const bool gives_arrays = std::any_of(places, places + (instance.params.size() - count), is_given);
    std::vector<Given> given(gives_arrays ? returned : 0);
    for (std::size_t i = count, k = 0; i < instance.params.size(); ++i) {
        const Param& place = places[i - count];
        const bool says_some = is_called(place, kSomeName);
        Argument out;
        out.ndim = 1;
        out.shape[0] = 1;
        out.data = &results[k].has_value;
        if (!says_some) {
            results[k].element = place.type.element;
            results[k].named = place.type.named;
            results[k].is_array = is_given(place);
            out.data = results[k].is_array ? static_cast<void*>(&given[k].array) : results[k].bytes;
            ++k;
        }
        pack(instance.params[i], out, out.data, packed);
    }
    if (Status s = instance.kernel.launch(LaunchConfig(), packed, instance.packed_bytes); !s) return s;
    const auto report = instance.code.take_check_report();
    if (!report) return report.status();
    if (!*report) {
        for (std::size_t k = 0; k < returned; ++k)
            if (Status s = results[k].is_array && results[k].has_value ? take(given[k].array, results[k]) : Status();
                !s)
                return s;
        return {};
    }
    return error_of_check(instance.engine->name, **report, false);
}

std::string name_of(Element element, const NamedType* named) { return named ? named->text : row_of(element).name; }

Status returned_none(const KernelState& function) {
    return refuse("`" + function.summary.name + "` returned None; take a std::optional");
}

// Of a real number of 32 or 64 bits, an integer or a boolean.
Argument argument_of(const detail::Returned& returned) {
    Argument argument;
    argument.element = returned.element;
    const unsigned char* const bytes = returned.bytes;
    const auto read = [bytes](auto value) {
        std::memcpy(&value, bytes, sizeof value);
        return value;
    };
    switch (returned.element) {
        case Element::boolean:
            argument.boolean = *bytes != 0;
            break;
        case Element::int8:
            argument.integer = read(std::int8_t());
            break;
        case Element::int16:
            argument.integer = read(std::int16_t());
            break;
        case Element::int32:
            argument.integer = read(std::int32_t());
            break;
        case Element::int64:
            argument.integer = read(std::int64_t());
            break;
        case Element::uint8:
            argument.natural = *bytes;
            break;
        case Element::uint16:
            argument.natural = read(std::uint16_t());
            break;
        case Element::uint32:
            argument.natural = read(std::uint32_t());
            break;
        case Element::uint64:
            argument.natural = read(std::uint64_t());
            break;
        case Element::float32:
            argument.real = static_cast<double>(read(float()));
            break;
        case Element::float64:
            argument.real = read(double());
            break;
        default:
            break;
    }
    return argument;
}

}  // namespace

namespace detail {

Status call_function(KernelState& function, const Argument* arguments, std::size_t count, Returned* results,
                     std::size_t wanted) {
    return guarded([&]() -> Status {
        const Result<const Instance*> instance = instance_for(function, arguments, count);
        if (!instance) return instance.status();
        const std::size_t returned = result_count(**instance, count);
        if (returned != wanted)
            return refuse("`" + function.summary.name + "` returns " + std::to_string(returned) +
                          (returned == 1 ? " value" : " values") + ", not " + std::to_string(wanted));
        return run(function, **instance, arguments, count, results);
    });
}

Status read_returned(const KernelState& function, const Returned& returned, Element as, const NamedType* named,
                     void* to) {
    if (returned.is_array) return refuse("`" + function.summary.name + "` returns an array, not " + name_of(as, named));
    if (!returned.has_value) return returned_none(function);
    if (returned.element == as && returned.named == named) {
        std::memcpy(to, returned.bytes, element_bytes(returned));
        return {};
    }
    const bool is_known = returned.element <= Element::uint64 || returned.element == Element::float32 ||
                          returned.element == Element::float64;
    if (is_known && arrays::can_cast_safely(returned.element, as) &&
        write_scalar(static_cast<unsigned char*>(to), as, argument_of(returned)))
        return {};
    return refuse("`" + function.summary.name + "` returns " + name_of(returned.element, returned.named) + ", not " +
                  name_of(as, named));
}

Status check_returned_array(const KernelState& function, const Returned& returned) {
    if (!returned.has_value) return returned_none(function);
    if (returned.is_array) return {};
    return refuse("`" + function.summary.name + "` returns " + name_of(returned.element, returned.named) +
                  ", no array");
}

Result<Shared<KernelState>> find_function(const Module& module, std::string_view name, std::size_t arguments) {
    const Shared<Engine> engine = engine_of(module);
    for (const auto& function : engine->functions) {
        const KernelSummary& summary = function->summary;
        if (summary.name != name) continue;
        const std::size_t most = summary.params.size() - summary.has_rest(), least = most - summary.defaults;
        if (arguments < least || (arguments > most && !summary.has_rest()))
            return refuse("`" + summary.name + "` takes " + (least == most ? "" : std::to_string(least) + " to ") +
                          std::to_string(most) + (summary.has_rest() ? " or more" : "") +
                          (most == 1 && !summary.has_rest() ? " argument" : " arguments") + ", not " +
                          std::to_string(arguments));
        return Shared<KernelState>(engine, function.get());
    }
    std::string there;
    for (const auto& function : engine->functions)
        there += (there.empty() ? "; there is `" : "`, `") + function->summary.name;
    return refuse("there is no function `" + std::string(name) + "`" +
                  (there.empty() ? "; the file has none with @njit or @jit" : there + "`"));
}

}  // namespace detail

Result<FunctionReport> call_function(const Module& module, std::string_view name,
                                     const std::vector<Argument>& arguments) {
    return guarded([&]() -> Result<FunctionReport> {
        const auto function = detail::find_function(module, name, arguments.size());
        if (!function) return function.status();
        const Result<const Instance*> instance = instance_for(**function, arguments.data(), arguments.size());
        if (!instance) return instance.status();
        FunctionReport report;
        report.results.resize(result_count(**instance, arguments.size()));
        for (std::size_t i = 0; i < arguments.size(); ++i) report.written.push_back((*instance)->params[i].written);
        report.warnings = (*instance)->warnings;
        Status s = run(**function, **instance, arguments.data(), arguments.size(), report.results.data());
        if (!s) return s;
        return report;
    });
}

std::size_t function_defaults(const Module& module, std::string_view name) {
    for (const auto& function : engine_of(module)->functions)
        if (function->summary.name == name) return function->summary.defaults;
    return 0;
}

std::vector<std::string> function_params(const Module& module, std::string_view name) {
    for (const auto& function : engine_of(module)->functions)
        if (function->summary.name == name) return function->summary.params;
    return {};
}

std::vector<std::string> function_names(const Module& module) {
    std::vector<std::string> names;
    for (const auto& function : engine_of(module)->functions) names.push_back(function->summary.name);
    return names;
}

}  // namespace pyk::jit
