#include "driver/cli/diagnostics_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "support/explain.h"

namespace pyk {
namespace {

using Json = nlohmann::ordered_json;

// Names and source lines may hold bytes that are no UTF-8.
std::string dumped(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json span_json(Span span, bool is_primary) {
    const Position begin = span.file->position(span.begin), end = span.file->position(span.end);
    return {{"file_name", span.file->name()},
            {"byte_start", span.begin},
            {"byte_end", span.end},
            {"line_start", begin.line},
            {"line_end", end.line},
            {"column_start", begin.column},
            {"column_end", end.column},
            {"is_primary", is_primary},
            {"text", std::string(span.file->line_text(begin.line))}};
}

Json spans_json(Span span) { return span ? Json::array({span_json(span, true)}) : Json::array(); }

Json child_json(const Note& note) {
    return {{"severity", "note"}, {"message", note.text}, {"spans", spans_json(note.span)}};
}

Json suggestion_json(const Suggestion& suggestion) {
    Json edits = Json::array();
    for (const Edit& edit : suggestion.edits) {
        edits.push_back(span_json(edit.span, false));
        edits.back()["replacement"] = edit.replacement;
    }
    return {{"message", suggestion.text},
            {"applicability", name_of(suggestion.applicability)},
            {"edits", std::move(edits)}};
}

Json region_json(Span span) {
    const Position begin = span.file->position(span.begin), end = span.file->position(span.end);
    return {{"startLine", begin.line}, {"startColumn", begin.column}, {"endLine", end.line}, {"endColumn", end.column}};
}

/// A reference of RFC 3986: what a path may not be there is its bytes in hexadecimal digits.
std::string uri_of(std::string_view path) {
    std::string uri;
    for (const char c : path) {
        const bool is_plain =
            std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

Json fix_json(const Suggestion& suggestion) {
    Json replacements = Json::array();
    for (const Edit& edit : suggestion.edits)
        replacements.push_back(
            {{"deletedRegion", region_json(edit.span)}, {"insertedContent", {{"text", edit.replacement}}}});
    const Json change = {{"artifactLocation", {{"uri", uri_of(suggestion.edits.at(0).span.file->name())}}},
                         {"replacements", std::move(replacements)}};
    return {{"description", {{"text", suggestion.text}}}, {"artifactChanges", Json::array({change})}};
}

Json location_json(Span span) {
    return {{"physicalLocation",
             {{"artifactLocation", {{"uri", uri_of(span.file->name())}}}, {"region", region_json(span)}}}};
}

Json result_json(const Diagnostic& diagnostic) {
    Json result = {{"level", name_of(diagnostic.severity)}, {"message", {{"text", diagnostic.text}}}};
    if (!diagnostic.id.empty()) result["ruleId"] = diagnostic.id;
    if (diagnostic.span) result["locations"] = Json::array({location_json(diagnostic.span)});
    for (const Note& note : diagnostic.notes) {
        if (!note.span) continue;
        Json related = location_json(note.span);
        related["message"] = {{"text", note.text}};
        Json& all = result["relatedLocations"];  // a set: calls of one place may look alike
        if (std::ranges::find(all, related) == all.end()) all.push_back(std::move(related));
    }
    // SARIF's fixes are for tools to make: those that a person must judge are left out.
    for (const Suggestion& suggestion : diagnostic.suggestions)
        if (suggestion.applicability == Applicability::machine_applicable && !suggestion.edits.empty())
            result["fixes"].push_back(fix_json(suggestion));
    return result;
}

}  // namespace

std::string render_brief(const Diagnostic& diagnostic) {
    const std::string id = diagnostic.id.empty() ? "" : fmt::format(" [{}]", diagnostic.id);
    if (!diagnostic.span) return fmt::format("pykc: {}: {}{}\n", name_of(diagnostic.severity), diagnostic.text, id);
    const Position at = diagnostic.span.file->position(diagnostic.span.begin);
    return fmt::format("{}:{}:{}: {}: {}{}\n", diagnostic.span.file->name(), at.line, at.column,
                       name_of(diagnostic.severity), diagnostic.text, id);
}

std::string render_json(const Diagnostic& diagnostic) {
    Json json = {{"severity", name_of(diagnostic.severity)},
                 {"code", diagnostic.id.empty() ? Json() : Json(diagnostic.id)},
                 {"message", diagnostic.text},
                 {"spans", spans_json(diagnostic.span)},
                 {"children", Json::array()},
                 {"suggestions", Json::array()},
                 {"rendered", render(diagnostic)}};
    for (const Note& note : diagnostic.notes) json["children"].push_back(child_json(note));
    for (const Suggestion& suggestion : diagnostic.suggestions)
        json["suggestions"].push_back(suggestion_json(suggestion));
    return dumped(json);
}

struct SarifLog::State {
    Json results = Json::array();
    std::set<std::string, std::less<>> rules;
};

SarifLog::SarifLog() : state_(std::make_unique<State>()) {}
SarifLog::~SarifLog() = default;

void SarifLog::add(const Diagnostic& diagnostic) {
    state_->results.push_back(result_json(diagnostic));
    if (!diagnostic.id.empty()) state_->rules.emplace(diagnostic.id);
}

std::string SarifLog::text() const {
    Json rules = Json::array();
    for (const std::string& id : state_->rules)
        rules.push_back({{"id", id}, {"fullDescription", {{"text", explain(id).value_or(id)}}}});
    const Json driver = {{"name", "pykc"}, {"version", PYK_VERSION}, {"rules", std::move(rules)}};
    const Json run = {
        {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", state_->results}};
    return dumped({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({run})}},
                  2);
}

}  // namespace pyk
