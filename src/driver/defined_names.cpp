#include "driver/defined_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "module/free_names.h"
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

}  // namespace

std::optional<std::string> wrong_define(const Program& program) {
    if (program.defines.empty()) return std::nullopt;
    Words words;
    std::string text(program.source->text());
    add_words(text, words);
    Words reached;
    take_out_functions(program.tree.body, text, reached);
    add_words(text, reached);
    for (const std::string& path : files_read(program)) {
        if (path == program.source->name()) continue;
        std::ifstream file(path, std::ios::binary);
        const std::string imported(std::istreambuf_iterator<char>(file), {});
        add_words(imported, words);
        add_words(imported, reached);
    }
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
