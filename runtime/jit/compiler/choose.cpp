#include "jit/compiler/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "builtins/rule.h"
#include "support/diagnostics.h"
#include "support/fault.h"
#include "types/convert.h"

namespace pyk::jit {
namespace {

std::string names_of(const std::vector<Type>& types) {
    std::string text;
    for (const Type type : types) text += (text.empty() ? "" : ", ") + type.signature();
    return text;
}

// "(int32) or (float32)"
std::string all_signatures(const KernelInfo& kernel) {
    std::string takes;
    for (const Signature& signature : kernel.signatures)
        takes += fmt::format("{}({})", takes.empty() ? "" : " or ", names_of(signature.params));
    return takes;
}

// How many arguments convert so, the worst way first; nullopt: some do not.
std::optional<std::array<int, 3>> rating_of(const std::vector<Type>& from, const std::vector<Type>& to) {
    if (from.size() != to.size()) return std::nullopt;
    std::array<int, 3> counts{};
    for (size_t i = 0; i < from.size(); ++i) {
        const auto found = conversion(from[i], to[i]);
        if (!found) return std::nullopt;
        if (*found != Conversion::exact)
            ++counts[static_cast<size_t>(Conversion::unsafe) - static_cast<size_t>(*found)];
    }
    return counts;
}

// Python dispatches no float to an integer, nor an array to another.
bool can_pass(const Type from, const Type to) { return conversion(from, to) && !(from.is_float() && to.is_integer()); }
bool can_pass(const std::vector<Type>& from, const std::vector<Type>& to) {
    return std::ranges::equal(from, to, [](const Type one, const Type other) { return can_pass(one, other); });
}

std::string axes_text(const Type array) {
    return fmt::format("{} {}", array.ndim(), array.ndim() == 1 ? "axis" : "axes");
}

// Why an argument is not what a parameter takes, and what to do.
std::string why_not(const Type from, const Type to) {
    if (from.is_array() != to.is_array())
        return to.is_array() ? "is no array, as the signature says" : "is an array, where the signature has none";
    if (!from.is_array()) return fmt::format("is {}, which does not become {} by itself", from.name(), to.name());
    if (from.ndim() != to.ndim())
        return fmt::format("has {}, where the signature says {}", axes_text(from), axes_text(to));
    if (from.element() != to.element())
        return fmt::format("has elements of {}, where the signature says {}", from.element().name(),
                           to.element().name());
    if (from.layout() != to.layout())
        return fmt::format(
            "does not lie in {} order without gaps, as the signature says; a signature with `:` in place of `::1` "
            "takes any strides",
            to.layout() == Layout::F ? "Fortran" : "C");
    return "can only be read";
}

// "`k` takes (int32), but is launched with (float32[::1])", with all that it takes, and of a single signature where it
// does not fit.
Status no_signature_fits(const KernelInfo& kernel, const std::vector<Type>& types) {
    std::string text = fmt::format("kernel `{}` takes {}, but is launched with ({})", kernel.name,
                                   all_signatures(kernel), names_of(types));
    if (kernel.signatures.size() != 1) return refuse(std::move(text));
    const std::vector<Type>& params = kernel.signatures[0].params;
    for (size_t i = 0; i < std::min(types.size(), params.size()); ++i)
        if (!can_pass(types[i], params[i]))
            return refuse(fmt::format("{}: argument {} (`{}`) {}", text, i + 1,
                                      kernel.params[std::min(i, kernel.params.size() - 1)],
                                      why_not(types[i], params[i])));
    return refuse(std::move(text));
}

}  // namespace

Result<Signature> choose_signature(const KernelInfo& kernel, const std::vector<Type>& types) {
    if (!kernel.takes(types.size()))
        return refuse(fmt::format("kernel `{}` takes {} arguments, not {}", kernel.name, kernel.count(), types.size()));
    const Signature as_given{.name = {}, .result = {}, .params = types};
    if (kernel.signatures.empty()) return as_given;

    std::vector<Case> cases;
    for (const Signature& signature : kernel.signatures)
        if (can_pass(types, signature.params)) cases.push_back({signature.params, Type::none()});
    const std::optional<Resolution> best = choose(cases, types);
    if (!best && kernel.is_annotated) return as_given;
    if (!best) return no_signature_fits(kernel, types);
    for (const Signature& signature : kernel.signatures)
        if (signature.params == best->operands) return signature;
    internal_error("overload resolution gave a signature that was not asked about");
}

Result<Signature> choose_for_call(const KernelInfo& function, const std::vector<Type>& types) {
    if (!function.takes(types.size()))
        return refuse(fmt::format("`{}` takes {} arguments, not {}", function.name, function.count(), types.size()));
    if (function.signatures.empty()) return Signature{.name = {}, .result = {}, .params = types};
    const Signature* best = nullptr;
    std::array<int, 3> best_rating{};
    bool is_ambiguous = false;
    for (const Signature& signature : function.signatures) {
        const auto rating = rating_of(types, signature.params);
        if (!rating || (best && *rating > best_rating)) continue;
        is_ambiguous = best && *rating == best_rating;
        best = &signature;
        best_rating = *rating;
    }
    const std::string takes = all_signatures(function);
    if (!best)
        return refuse(fmt::format("`{}` takes {}, but is called with ({})", function.name, takes, names_of(types)));
    if (is_ambiguous)
        return refuse(fmt::format("`{}` is called with ({}), to which several of its signatures fit equally: {}",
                                  function.name, names_of(types), takes));
    return *best;
}

}  // namespace pyk::jit
