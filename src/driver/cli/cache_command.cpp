// `pykc cache stats|list|verify|clear|why`
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/cli/cache_why.h"
#include "driver/cli/commands.h"
#include "driver/cli/output.h"

namespace pyk {
namespace {

using nlohmann::ordered_json;

std::string size_text(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} bytes", bytes);
    double size = static_cast<double>(bytes);
    std::size_t unit = 0;
    constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
    return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string age_text(std::chrono::seconds age) {
    constexpr std::int64_t kDay = 86400;
    if (age.count() % kDay == 0) return fmt::format("{} days", age.count() / kDay);
    return fmt::format("{} seconds", age.count());
}

std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string row(std::string_view what, std::string_view value) { return fmt::format("{:<10} {}\n", what, value); }

std::string stats_text(const cache::Store& store) {
    if (!store.why_off().empty()) return "the cache is off: " + store.why_off() + "\n";
    const cache::StoreOptions& options = store.options();
    const cache::Stats stats = store.stats();
    std::string text = row("folder", options.folder + (options.read_only ? " (only read)" : ""));
    text += row("entries", std::to_string(stats.entries));
    text += row("size", size_text(stats.bytes) + (options.max_bytes ? " of " + size_text(options.max_bytes) : ""));
    text += row("kept for", options.max_age.count() ? age_text(options.max_age) + " after the last use" : "ever");
    if (stats.temporaries)
        text += row("left over", count_text(stats.temporaries, "unfinished file", "unfinished files"));
    for (const std::string& why : stats.refused) text += row("not used", printable(why));
    return text;
}

std::string json_text(const ordered_json& json) {
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string stats_json(const cache::Store& store) {
    if (!store.why_off().empty()) return json_text({{"off", store.why_off()}});
    const cache::StoreOptions& options = store.options();
    const cache::Stats stats = store.stats();
    return json_text({{"folder", options.folder},
                      {"read_only", options.read_only},
                      {"entries", stats.entries},
                      {"bytes", stats.bytes},
                      {"max_bytes", options.max_bytes},
                      {"max_age_seconds", options.max_age.count()},
                      {"temporaries", stats.temporaries},
                      {"not_used", stats.refused}});
}

std::string time_text(const cache::EntryInfo& entry) { return fmt::format("{:%FT%TZ}", fmt::gmtime(entry.last_used)); }

std::string list_text(const std::vector<cache::EntryInfo>& entries) {
    std::string text;
    for (const cache::EntryInfo& entry : entries)
        text += fmt::format("{}  {:<8}  {}  {:>10}  {}\n", short_key(entry), printable(entry.kind), day_text(entry),
                            size_text(entry.file_bytes), printable(about(entry)));
    return text;
}

std::string list_json(const std::vector<cache::EntryInfo>& entries) {
    ordered_json list = ordered_json::array();
    for (const cache::EntryInfo& entry : entries)
        list.push_back({{"key", entry.key.hex()},
                        {"kind", entry.kind},
                        {"bytes", entry.file_bytes},
                        {"payload_bytes", entry.payload_bytes},
                        {"last_used", time_text(entry)},
                        {"fields", entry.fields},
                        {"notes", entry.notes}});
    return json_text(list);
}

ExitCode verify(const cache::Store& store) {
    const cache::Verified verified = store.verify();
    std::string text;
    for (const std::string& path : verified.bad) text += "bad: " + path + "\n";
    text += count_text(verified.good, "entry is", "entries are") + " right\n";
    write_output("-", text);
    if (verified.bad.empty()) return ExitCode::fine;
    if (!verified.left.empty())
        throw InputOutputError(verified.left.front() + " is no entry, and could not be removed");
    throw InputOutputError(count_text(verified.bad.size(), "entry was", "entries were") + " damaged" +
                           (store.options().read_only ? "" : ", and removed"));
}

ExitCode clear(const cache::Store& store) {
    if (store.options().read_only) throw InputOutputError("the cache is only read: PYK_CACHE=ro");
    const cache::Removed removed = store.clear();
    write_output("-", fmt::format("removed {}, {}\n", count_text(removed.entries, "entry", "entries"),
                                  size_text(removed.bytes)));
    if (store.stats().entries != 0)
        throw InputOutputError("some entries could not be removed from " + store.options().folder);
    return ExitCode::fine;
}

}  // namespace

ExitCode run_cache(const CacheOptions& options) {
    const cache::Store store(cache::options_from_environment());
    if (options.action == CacheAction::stats) {
        write_output("-", options.json ? stats_json(store) : stats_text(store));
        return ExitCode::fine;
    }
    if (!store.why_off().empty()) throw InputOutputError("the cache is off: " + store.why_off());
    switch (options.action) {
        case CacheAction::verify:
            return verify(store);
        case CacheAction::clear:
            return clear(store);
        case CacheAction::why:
            write_output("-", why_text(store.list(), options.file));
            return ExitCode::fine;
        default:
            write_output("-", options.json ? list_json(store.list()) : list_text(store.list()));
            return ExitCode::fine;
    }
}

}  // namespace pyk
