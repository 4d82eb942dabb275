// Arrays of any strides in signatures where packed ones would do.
#include <fmt/format.h>

#include "advice/advice.h"

namespace pyk {

void advise_on_layouts(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    for (const ir::Function& kernel : module.functions) {
        if (!kernel.is_kernel || !files.has(kernel.span.file)) continue;
        for (const ir::LocalId param : kernel.params) {
            const ir::Local& local = kernel.local(param);
            if (!local.type.is_array() || local.type.layout() != Layout::A) continue;
            const Type packed = Type::array(local.type.element(), local.type.ndim(), Layout::C, local.type.readonly());
            diagnostics.report(diag::strided_array, local.span, std::string_view(local.name), local.type.signature(),
                               packed.signature());
            if (const Span written = files.type_in_signature(kernel.span, local.type.signature()))
                diagnostics.suggest({fmt::format("write `{}`", packed.signature()),
                                     Applicability::maybe_incorrect,
                                     {{written, packed.signature()}}});
        }
    }
}

}  // namespace pyk
