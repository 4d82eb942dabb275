#include "jit/compiler/array_request.h"

#include <algorithm>

#include "driver/requests.h"
#include "jit/compiler/types.h"
#include "support/fault.h"

namespace pyk::jit {
namespace {

constexpr std::pair<ElementAccess, ir::ElementAccess> kAccesses[] = {
    {ElementAccess::flat, ir::ElementAccess::flat},       {ElementAccess::rows, ir::ElementAccess::rows},
    {ElementAccess::strided, ir::ElementAccess::strided}, {ElementAccess::tiled, ir::ElementAccess::tiled},
    {ElementAccess::fold, ir::ElementAccess::fold},       {ElementAccess::scan, ir::ElementAccess::scan},
    {ElementAccess::core, ir::ElementAccess::core},       {ElementAccess::staged, ir::ElementAccess::staged}};

// A signature of what no argument can be (numbers of 8 bits) is none of them.
std::optional<std::vector<ElementType>> loop_of(const Signature& signature) {
    std::vector<ElementType> loop;
    for (const Type param : signature.params) {
        const Type type = param.is_array() ? param.element() : param;
        const auto known = argument_type(type);
        if (!known) return std::nullopt;
        loop.push_back(known->element_type());
    }
    return loop;
}

Status append_types(const std::vector<ArgumentType>& given, std::vector<Type>& types) {
    for (const ArgumentType& type : given) {
        const auto known = type_of(type);
        if (!known)
            return Status::failure("`" + (type.named ? type.named->text : "a record without its type") +
                                       "` is no type that an array function can take",
                                   Error::Kind::arguments);
        types.push_back(*known);
    }
    return {};
}

std::vector<ArgumentType> element_arguments(const std::vector<ElementType>& elements) {
    std::vector<ArgumentType> types;
    for (const ElementType& element : elements) types.push_back(scalar_of(element));
    return types;
}

CoreSummary summary_of(const ArrayFunctionInfo& function) {
    const CoreLayout& core = *function.core;
    CoreSummary summary{core.text(), core.inputs, {}, {}, core.operands, function.writable, {}};
    for (const CoreExtent& extent : core.extents) {
        summary.extents.push_back(extent.name);
        summary.fixed.push_back(extent.fixed);
    }
    return summary;
}

LoopChoice choice_of(ArrayTarget target) {
    switch (target) {
        case ArrayTarget::cpu:
            return LoopChoice::first_safe;
        case ArrayTarget::parallel:
            return LoopChoice::exact_or_safe;
        case ArrayTarget::cuda:
            return LoopChoice::exact;
    }
    return LoopChoice::first_safe;
}

Identity identity_of(pyk::Identity identity) {
    switch (identity) {
        case pyk::Identity::none:
            return Identity::none;
        case pyk::Identity::zero:
            return Identity::zero;
        case pyk::Identity::one:
            return Identity::one;
        case pyk::Identity::reorderable:
            return Identity::reorderable;
    }
    return Identity::none;
}

}  // namespace

std::vector<ArraySummary> array_summaries(const Program& program) {
    std::vector<ArraySummary> summaries;
    for (const ArrayFunctionInfo& function : program.array_functions) {
        ArraySummary summary{function.name, function.params, {}, {}, identity_of(function.identity)};
        summary.choice = choice_of(function.target);
        if (function.core) summary.core = summary_of(function);
        summary.is_stencil = function.is_stencil;
        for (const std::string& param : function.params)
            summary.standard.push_back(std::ranges::find(function.standard, param) != function.standard.end());
        for (const Signature& signature : function.signatures) {
            auto loop = loop_of(signature);
            if (!loop) continue;
            summary.loops.push_back(*std::move(loop));
            if (!function.core) continue;
            auto& numbers = summary.core->numbers.emplace_back();
            for (const Type type : signature.params) numbers.push_back(!type.is_array());
        }
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

std::vector<OperatorSummary> operator_summaries(const Program& program) {
    std::vector<OperatorSummary> summaries;
    for (const OperatorInfo& info : program.operators) summaries.push_back({info.name, info.params, info.is_reduction});
    return summaries;
}

namespace {

Result<Request> algorithm_request_of(const BuildRequest& request) {
    pyk::AlgorithmRequest wanted{request.algorithm.name, request.algorithm.transform};
    if (Status s = append_types(element_arguments(request.elements), wanted.elements); !s) return s;
    for (const auto& [given, type] :
         {std::pair(request.algorithm.value, &wanted.value), std::pair(request.algorithm.result, &wanted.result)}) {
        if (!given) continue;
        std::vector<Type> one;
        if (Status s = append_types(element_arguments({*given}), one); !s) return s;
        *type = one.front();
    }
    Request all{request.kernel, {}, {}};
    all.algorithm = std::move(wanted);
    return all;
}

}  // namespace

Result<Request> array_request_of(const Program& program, const BuildRequest& request) {
    if (request.access == ElementAccess::algorithm) return algorithm_request_of(request);
    const auto found = std::ranges::find(program.array_functions, request.kernel, &ArrayFunctionInfo::name);
    if (found == program.array_functions.end()) internal_error("a call of an array function that is not there");
    Request wanted{request.kernel, {}, found->span};
    wanted.cpu_only = request.arch.is_cpu && may_make_arrays(*found);
    if (Status s = append_types(request.types, wanted.signature.params); !s) return s;
    for (const Signature& signature : found->signatures)
        if (signature.params == wanted.signature.params) {
            wanted.signature = signature;
            break;
        }
    if (Status s = append_types(element_arguments(request.elements), wanted.elements); !s) return s;
    for (const CoreOperand& operand : request.core)
        wanted.core.push_back({{operand.shape.begin(), operand.shape.end()}, operand.is_staged});
    if (request.access == ElementAccess::stencil) {
        wanted.accesses = {ir::ElementAccess::strided};
        if (request.output)
            if (Status s = append_types({*request.output}, wanted.elements); !s) return s;
    }
    for (const auto& [access, known] : kAccesses)
        if (access == request.access) wanted.accesses = {known};
    return wanted;
}

}  // namespace pyk::jit
