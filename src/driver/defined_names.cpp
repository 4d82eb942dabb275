#include "driver/defined_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "module/free_names.h"
#include "module/known_modules.h"
#include "support/large_stack.h"
#include "support/nearest.h"
#include "support/words.h"

namespace pyk {
namespace {

using Words = std::set<std::string, std::less<>>;

void add_words(std::string_view text, Words& words) {
    for_each_word(text, is_of_name, [&](std::string_view name, size_t) { words.emplace(name); });
}

// Takes out of the text what functions without functions in them have of their own, parameters and variables: no
// definition reaches it. What they use of others goes to the words.
void take_out_functions(const ast::Block& body, std::string& text, Words& words) {
    for (const ast::Stmt* stmt : body) {
        for_each_block(*stmt, [&](const ast::Block& block) { take_out_functions(block, text, words); });
        if (const auto* node = stmt->as<ast::ClassDef>()) take_out_functions(node->body, text, words);
        const auto* def = stmt->as<ast::FunctionDef>();
        if (!def || stmt->span.file->text().size() != text.size()) continue;
        const size_t begin = def->name_span.end, size = stmt->span.end - begin;
        Words own;
        add_words(std::string_view(text).substr(begin, size), own);
        if (own.contains("def") || own.contains("lambda") || own.contains("class")) continue;
        for (const ast::ExprList& defaults : {def->args->defaults, def->args->kw_defaults})
            for (const ast::Expr* value : defaults)
                if (value) add_words(value->span.text(), words);
        for (const std::string_view name : free_names(*def)) words.emplace(name);
        text.replace(begin, size, size, ' ');
    }
}

// Has all files read that a file's statements import, and those that these import: a translation reads one when it
// comes to a name of it.
class ReadImports {
  public:
    explicit ReadImports(Library& library) : library_(library) {}

    void of(const ast::Module& module) { of(module.body, *module.source); }

  private:
    void of(const ast::Block& body, const SourceFile& file) {
        for_each_stmt(body, [&](const ast::Stmt& stmt) {
            if (const auto* node = stmt.as<ast::FunctionDef>()) of(node->body, file);
            if (const auto* node = stmt.as<ast::ClassDef>()) of(node->body, file);
            if (const auto* node = stmt.as<ast::Import>())
                for (const ast::Alias& alias : node->names) with_packages(file, alias.name);
            if (const auto* node = stmt.as<ast::ImportFrom>()) {
                read(file, node->module, node->level);
                const std::string package = node->module.empty() ? "" : std::string(node->module) + ".";
                for (const ast::Alias& alias : node->names)
                    if (alias.name != "*") read(file, package + std::string(alias.name), node->level);
            }
        });
    }

    // `package`, then `package.module`.
    void with_packages(const SourceFile& file, std::string_view module) {
        for (size_t end = 0; end != std::string_view::npos;) {
            end = module.find('.', end + 1);
            read(file, module.substr(0, end), 0);
        }
    }

    void read(const SourceFile& file, std::string_view module, int level) {
        if (level == 0 && is_known_module(module)) return;
        const ast::Module* found = library_.find(file, module, level);
        if (found && read_.insert(found).second) of(*found);
    }

    Library& library_;
    std::set<const ast::Module*> read_;
};

}  // namespace

std::optional<std::string> wrong_define(const Program& program) {
    if (program.defines.empty()) return std::nullopt;
    Words words;
    std::string text(program.source->text());
    add_words(text, words);
    Words reached;
    take_out_functions(program.tree->body, text, reached);
    add_words(text, reached);
    const auto is_reached = [&](const auto& define) { return reached.contains(define.first); };
    if (std::ranges::all_of(program.defines, is_reached)) return std::nullopt;
    run_on_large_stack([&] { ReadImports(*program.library).of(*program.tree); });
    for (const ast::Module* imported : program.library->trees()) add_words(imported->source->text(), reached);
    for (const auto& [name, value] : program.defines) {
        if (reached.contains(name)) continue;
        if (words.contains(name))
            return fmt::format("the definition of {}: in {} that is only a parameter or a variable of a function's own",
                               name, program.source->name());
        const std::vector<std::string_view> known(reached.begin(), reached.end());
        const std::string near = nearest_name(name, known);
        return fmt::format("the definition of {}: {} has no such name{}", name, program.source->name(),
                           near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
    }
    return std::nullopt;
}

}  // namespace pyk
