#include "module_test.h"

#include <fmt/format.h>

#include "module/scope.h"
#include "syntax/parse.h"

namespace pyk::module_test {
namespace {

class Files : public Importer {
  public:
    explicit Files(const Texts& texts) {
        for (const auto& [name, text] : texts) {
            Diagnostics diagnostics;
            modules_.emplace(name, parse(std::make_shared<const SourceFile>(name + ".py", text), diagnostics));
            EXPECT_TRUE(modules_.at(name)) << name;
        }
    }
    const ast::Module* find(const SourceFile&, std::string_view module, int) override {
        const auto found = modules_.find(std::string(module));
        return found != modules_.end() && found->second ? &*found->second : nullptr;
    }
    bool exists(const SourceFile&, std::string_view module, int) override {
        return modules_.contains(std::string(module));
    }
    std::vector<std::string> folders(const SourceFile&) const override { return {}; }

  private:
    std::map<std::string, std::optional<ast::Module>> modules_;
};

std::string written(const Const& value) {
    const auto all = [](const std::vector<Const>& items) {
        std::string text;
        for (const Const& item : items) text += (text.empty() ? "" : ", ") + written(item);
        return text;
    };
    if (value.as<Const::None>()) return "None";
    if (const auto* b = value.as<bool>()) return *b ? "True" : "False";
    if (const auto* n = value.as<Const::Int>()) return fmt::format("{}", static_cast<int64_t>(*n));
    if (const auto* x = value.as<double>()) return fmt::format("{}", *x);
    if (const auto* text = value.as<std::string>()) return fmt::format("'{}'", *text);
    if (const auto* items = value.as<Const::Tuple>()) return fmt::format("({})", all(*items));
    if (const auto* list = value.as<Const::List>()) return fmt::format("[{}]", all((*list)->items));
    if (const auto* info = value.as<const FunctionInfo*>()) return (*info)->name;
    if (const auto* dict = value.as<Const::Dict>()) {
        std::string text;
        for (size_t i = 0; i < dict->keys.size(); ++i)
            text += fmt::format("{}{}: {}", i ? ", " : "", written(dict->keys[i]), written(dict->values[i]));
        return fmt::format("{{{}}}", text);
    }
    return "a value";
}

/// A module, and what it imports.
class Read {
  public:
    Read(std::string_view source, const Texts& texts) : files_(texts) {
        Diagnostics diagnostics;
        auto file = std::make_shared<SourceFile>("test.pyk", std::string(kImports) + std::string(source));
        module_ = parse(file, diagnostics);
        EXPECT_TRUE(module_) << source;
        if (module_) scope_.emplace(*module_, Defines(), &files_);
    }
    const ModuleScope* scope() const { return scope_ ? &*scope_ : nullptr; }

  private:
    Files files_;
    std::optional<ast::Module> module_;
    std::optional<ModuleScope> scope_;
};

}  // namespace

std::string value_of(std::string_view name, std::string_view source, const Texts& files) {
    const Read read(source, files);
    const auto value = read.scope() ? read.scope()->lookup(name) : std::nullopt;
    const auto constant = value ? to_const(*value) : std::nullopt;
    return constant ? written(*constant) : "?";
}

std::vector<std::string> kernels_of(std::string_view source, const Texts& files) {
    const Read read(source, files);
    std::vector<std::string> names;
    if (read.scope())
        for (const FunctionInfo* info : read.scope()->kernels()) names.push_back(info->name);
    return names;
}

}  // namespace pyk::module_test
