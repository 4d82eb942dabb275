#include "emit/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <kainjow/mustache.hpp>
#include <set>
#include <sstream>

#include "emit/emit.h"
#include "pyk_templates.h"
#include "support/fault.h"
#include "support/files.h"
#include "support/nearest.h"

namespace pyk::emitter {
namespace {

namespace mustache = kainjow::mustache;
using NameSet = std::set<std::string, std::less<>>;

void fill(mustache::data& object, const Values& values, const NameSet& wanted);

mustache::data to_data(const Value& value, const NameSet& wanted) {
    if (const auto* text = std::get_if<std::string>(&value)) return mustache::data(*text);
    if (const auto* flag = std::get_if<bool>(&value)) return mustache::data(*flag);
    mustache::data list(mustache::data::type::list);
    for (const Values& item : std::get<std::vector<Values>>(value)) {
        list.push_back(mustache::data());
        fill(const_cast<mustache::data&>(list.list_value().back()), item, wanted);
    }
    return list;
}

/// As the engine wants them, those that the template names. Each is a copy; what is put into another one later would be
/// a second one.
void fill(mustache::data& object, const Values& values, const NameSet& wanted) {
    for (const auto& [name, value] : values) {
        if (!wanted.contains(name)) continue;
        object.set(name, mustache::data());
        *const_cast<mustache::data*>(object.get(name)) = to_data(value, wanted);
    }
}

/// What the engine writes to: a stream copies its text.
struct Rendered {
    std::string text;
    Rendered& operator<<(const std::string& part) {
        text += part;
        return *this;
    }
};

/// Remembers which holes nothing fills.
class Context : public mustache::context<std::string> {
  public:
    using mustache::context<std::string>::context;

    const mustache::data* get(const std::string& name) const override {
        const mustache::data* found = mustache::context<std::string>::get(name);
        if (!found) missing.insert(name);
        return found;
    }

    mutable NameSet missing;
};

/// Every name in `{{…}}`.
NameSet holes(std::string_view text) {
    NameSet result;
    for (size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
        at = text.find_first_not_of("{#^/& ", at);
        const size_t end = std::min(text.find_first_of("} ", std::min(at, text.size())), text.size());
        if (at < end && text[at] != '!') result.emplace(text.substr(at, end - at));
        at = end;
    }
    return result;
}

/// The words that are not in the set.
std::string left_out(std::string_view words, const NameSet& holes) {
    std::string result;
    for (size_t at = 0; at < words.size();) {
        const std::string_view word = words.substr(at, words.find(' ', at) - at);
        if (!holes.contains(word)) result += fmt::format("{}{}", result.empty() ? "" : ", ", word);
        at += word.size() + 1;
    }
    return result;
}

/// A line that is nothing but the start or the end of a section.
bool is_section_tag(std::string_view line) {
    const bool single = line.find("}}") == line.size() - 2;
    return line.size() > 4 && single && (line.starts_with("{{#") || line.starts_with("{{/") || line.starts_with("{{^"));
}

constexpr char kBlankLine = '\x02';

/// Mustache's rule of lines that are nothing but a section's tag, applied here: kainjow leaves a blank line for a
/// section that is off, and takes blank lines beside tags away. The last line end goes too.
std::string joined(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) line = kBlankLine;
        result += is_section_tag(line) ? line : line + "\n";
    }
    if (result.ends_with('\n')) result.pop_back();
    return result;
}

}  // namespace

/// A template as it was read, once for all functions that it is rendered for.
struct Templates::Prepared {
    explicit Prepared(Source from) : source(std::move(from)), filled(holes(source.text)) {
        const std::string text = joined(source.text);
        engine = mustache::mustache(text);
        engine.set_custom_escape([](const std::string& part) { return part; });
        has_blank_lines = text.find(kBlankLine) != std::string::npos;
    }

    Source source;
    NameSet filled;
    mustache::mustache engine{""};
    bool has_blank_lines = false;
    bool is_checked = false;  ///< it has holes for what it needs
};

Templates::Templates(std::string_view target_folder, std::string user_folder, Diagnostics& diagnostics)
    : target_folder_(target_folder), user_folder_(std::move(user_folder)), diagnostics_(diagnostics) {}
Templates::~Templates() = default;

Templates::Prepared& Templates::prepared(std::string_view name) const {
    if (const auto found = prepared_.find(name); found != prepared_.end()) return *found->second;
    return *prepared_.emplace(name, std::make_unique<Prepared>(find(name))).first->second;
}

Templates::Source Templates::find(std::string_view name) const {
    const std::string path = fmt::format("{}/{}.mustache", target_folder_, name);
    std::string text;
    if (!user_folder_.empty() && read_file(user_folder_ + "/" + path, text)) return {path, std::move(text), true};
    for (const TemplateFile& file : template_files())
        if (file.name == path) return {path, std::string(file.text), false};
    internal_error("no template " + path);
}

std::nullopt_t Templates::fail(const Source& source, const std::string& what) const {
    if (!source.is_users) internal_error(fmt::format("template {}: {}", source.path, what));
    diagnostics_.report(diag::bad_template, {}, std::string_view(source.path), std::string_view(what));
    return std::nullopt;
}

std::optional<std::string> Templates::render(std::string_view name, std::string_view needed,
                                             const Values& values) const {
    Prepared& skeleton = prepared(name);
    if (!skeleton.engine.is_valid()) return fail(skeleton.source, skeleton.engine.error_message());
    if (!std::exchange(skeleton.is_checked, true))
        if (const std::string unused = left_out(needed, skeleton.filled); !unused.empty())
            return fail(skeleton.source, "has no hole for: " + unused);
    mustache::data data;
    fill(data, values, skeleton.filled);
    Context context(&data);
    Rendered rendered;
    skeleton.engine.render(context, rendered);
    if (!context.missing.empty())
        return fail(skeleton.source, fmt::format("nothing fills `{}`", *context.missing.begin()));
    if (skeleton.has_blank_lines) std::erase(rendered.text, kBlankLine);
    return std::move(rendered.text);
}

}  // namespace pyk::emitter

namespace pyk {

bool check_templates(const std::string& folder, Diagnostics& diagnostics) {
    namespace fs = std::filesystem;
    std::vector<std::string_view> known;
    std::set<std::string_view> targets;
    for (const TemplateFile& file : template_files()) {
        known.push_back(file.name);
        targets.insert(file.name.substr(0, file.name.find('/')));
    }
    bool has_any = false;
    const auto refuse = [&](std::string_view name, const std::string& what) {
        diagnostics.report(diag::bad_template, {}, name, std::string_view(what));
        return false;
    };
    std::error_code ignored;
    for (const std::string_view target : targets)
        for (const auto& entry : fs::directory_iterator(fs::path(folder) / target, ignored)) {
            const std::string name = fmt::format("{}/{}", target, entry.path().filename().string());
            if (!name.ends_with(".mustache")) continue;
            has_any = true;
            if (std::ranges::find(known, name) != known.end()) continue;
            const std::string near = nearest_name(name, known);
            return refuse(name, "there is no template of this name" +
                                    (near.empty() ? std::string() : fmt::format("; did you mean `{}`?", near)));
        }
    return has_any || refuse(folder, "no template is in this folder; their names are as `cuda/kernel.mustache`");
}

}  // namespace pyk
