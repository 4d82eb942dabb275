#include "jit/compiler/array_request.h"

#include <algorithm>

#include "jit/compiler/types.h"
#include "support/fault.h"

namespace pyk::jit {
namespace {

constexpr std::pair<ElementAccess, ir::ElementAccess> kAccesses[] = {
    {ElementAccess::flat, ir::ElementAccess::flat},       {ElementAccess::rows, ir::ElementAccess::rows},
    {ElementAccess::strided, ir::ElementAccess::strided}, {ElementAccess::tiled, ir::ElementAccess::tiled},
    {ElementAccess::fold, ir::ElementAccess::fold},       {ElementAccess::scan, ir::ElementAccess::scan}};

// A signature of numbers that no argument can be (a date) is none of them.
std::optional<std::vector<Element>> loop_of(const Signature& signature) {
    std::vector<Element> loop;
    for (const Type type : signature.params) {
        const auto known = argument_type(type);
        if (!known) return std::nullopt;
        loop.push_back(known->element);
    }
    return loop;
}

}  // namespace

std::vector<ArraySummary> array_summaries(const Program& program) {
    std::vector<ArraySummary> summaries;
    for (const ArrayFunctionInfo& function : program.array_functions) {
        ArraySummary summary{function.name, function.params, {}, {}, static_cast<Identity>(function.identity)};
        summary.choice = function.target == ArrayTarget::cuda ? LoopChoice::exact : LoopChoice::first_safe;
        for (const Signature& signature : function.signatures)
            if (auto loop = loop_of(signature)) summary.loops.push_back(*std::move(loop));
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

Result<Request> array_request_of(const Program& program, const BuildRequest& request) {
    const auto found = std::ranges::find(program.array_functions, request.kernel, &ArrayFunctionInfo::name);
    if (found == program.array_functions.end()) internal_error("a call of an array function that is not there");
    Request wanted{request.kernel, {}, found->span};
    for (const ArgumentType& type : request.types) wanted.signature.params.push_back(type_of(type).value());
    for (const Signature& signature : found->signatures)
        if (signature.params == wanted.signature.params) {
            wanted.signature = signature;
            break;
        }
    for (const Element element : request.elements) wanted.elements.push_back(type_of(ArgumentType{element}).value());
    for (const auto& [access, known] : kAccesses)
        if (access == request.access) wanted.accesses = {known};
    return wanted;
}

}  // namespace pyk::jit
