#include "emit/emit.h"

#include "emit/foreign.h"
#include "emit/lines.h"
#include "emit/module.h"
#include "emit/options.h"
#include "emit/scope.h"
#include "emit/templates.h"
#include "pyk_prelude.h"
#include "targets/check.h"

namespace pyk {

std::optional<Unit> emit(const ir::Module& module, const Target& target, const EmitOptions& options,
                         Diagnostics& diagnostics) {
    std::vector<ir::Mentions> mentions = ir::mentions_of(module);
    if (!check_target(module, mentions, target, diagnostics)) return std::nullopt;
    if (options.check_races && target.watched_read.empty()) {
        diagnostics.report(diag::target_lacks, {}, "--check=race", target.name);
        return std::nullopt;
    }
    if (!emitter::check_foreign_names(module, diagnostics)) return std::nullopt;
    // The target can spell every builtin.
    const emitter::ModuleScope scope = emitter::module_scope(module, std::move(mentions), target, options);
    if (!emitter::check_shared(scope, diagnostics) || !emitter::check_local(scope, diagnostics)) return std::nullopt;
    const emitter::Templates templates(target.templates, options.template_folder, diagnostics);
    const std::optional<std::string> text = emitter::module_text(scope, templates);
    if (!text) return std::nullopt;

    emitter::Unmarked lines = emitter::unmarked(*text);
    if (scope.has_line_directives) lines = emitter::with_line_directives(lines, scope.source_path);
    Unit unit{std::move(lines.text),
              emitter::entry_points(scope),
              emitter::compiler_flags(module, target, options.code, diagnostics),
              module.links,
              {},
              false,
              emitter::has_checks(scope),
              scope.has_exports,
              scope.inner_space,
              {},
              {}};
    unit.source_lines = std::move(lines.source_lines);
    unit.source_files = std::move(lines.source_files);
    unit.lto = emitter::inlines_linked_code(module, options.code);
    for (const ir::Function& function : module.functions) {
        if (function.foreign) unit.foreign.emplace_back(function.foreign->name, function.span);
        if (function.ptx) unit.inline_ptx.emplace_back(function.ptx->text, function.span);
    }
    return unit;
}

std::string_view prelude_part(std::string_view name) {
    for (const PreludePart& part : prelude_parts())
        if (part.name == name) return part.text;
    return {};
}

}  // namespace pyk
