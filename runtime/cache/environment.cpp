// The environment variables of the cache.
#include <sys/auxv.h>

#include <charconv>
#include <cstdlib>
#include <limits>

#include "cache/environment.h"
#include "cache/store.h"

namespace pyk::cache {
namespace {

std::string variable(const char* name) { return environment(name).value_or(""); }

StoreOptions off(std::string why) {
    StoreOptions options;
    options.off = true;
    options.why_off = std::move(why);
    return options;
}

std::string folder_from_environment() {
    if (std::string folder = variable("PYK_CACHE_DIR"); !folder.empty()) return folder;
    // XDG: relative paths are to be ignored.
    if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/pyk";
    if (const std::string home = variable("HOME"); home.starts_with('/')) return home + "/.cache/pyk";
    return "";
}

struct Unit {
    char letter;
    std::uint64_t size;
};

constexpr std::uint64_t kKibi = 1024;
constexpr Unit kSizes[] = {
    {'K', kKibi}, {'M', kKibi* kKibi}, {'G', kKibi* kKibi* kKibi}, {'T', kKibi* kKibi* kKibi* kKibi}};
constexpr std::uint64_t kDay = 86400;
constexpr Unit kTimes[] = {{'d', kDay}, {'h', 3600}, {'m', 60}, {'s', 1}};

/// `500`, `500M`: a whole number with one of the units, or without a unit in terms of `plain`.
template <std::size_t N>
std::optional<std::uint64_t> quantity(const std::string& text, const Unit (&units)[N], std::uint64_t plain) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc()) return std::nullopt;
    std::uint64_t unit = plain;
    if (rest != end) {
        unit = 0;
        for (const Unit& known : units)
            if (rest + 1 == end && *rest == known.letter) unit = known.size;
    }
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (unit == 0 || number > kMost / unit) return std::nullopt;
    return number * unit;
}

}  // namespace

StoreOptions options_from_environment() {
    if (getauxval(AT_SECURE) != 0) return off("the program runs with the rights of another user");
    StoreOptions options;
    if (const std::string mode = variable("PYK_CACHE"); mode == "0") {
        options = off("PYK_CACHE=0");
        options.is_wanted_off = true;
        return options;
    } else if (mode == "ro")
        options.read_only = true;
    else if (!mode.empty() && mode != "1")
        return off("PYK_CACHE=" + mode + " is none of 0, 1 and ro");

    if (const std::string text = variable("PYK_CACHE_MAX_SIZE"); !text.empty()) {
        const auto size = quantity(text, kSizes, 1);
        if (!size) return off("PYK_CACHE_MAX_SIZE=" + text + " is no size, such as 500M or 2G");
        options.max_bytes = *size;
    }
    if (const std::string text = variable("PYK_CACHE_MAX_AGE"); !text.empty()) {
        const auto age = quantity(text, kTimes, kDay);
        if (!age) return off("PYK_CACHE_MAX_AGE=" + text + " is no time, such as 30d or 12h");
        options.max_age = std::chrono::seconds(*age);
    }
    options.folder = folder_from_environment();
    if (options.folder.empty()) return off("none of PYK_CACHE_DIR, XDG_CACHE_HOME and HOME names a folder");
    return options;
}

}  // namespace pyk::cache
