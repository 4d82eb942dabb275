// Where entries lie below the cache's folder: `v1/ab/cdef…`, the key's digits, with `v1/lock` for who removes entries.
#pragma once

#include "cache/store.h"
#include "folder.h"

namespace pyk::cache {

/// Of the files' format: another format is another folder, so that versions of pyk do not disturb each other.
inline const std::string kFormatFolder = "v1";

struct Place {
    std::string shard, name;
    explicit Place(const Digest& key) {
        const std::string hex = key.hex();
        shard = hex.substr(0, 2);
        name = hex.substr(2);
    }
};

/// The cache's folder and that of the format in it: open, or empty handles, on which everything fails. With `create`,
/// what is missing is made.
Handle open_root(const std::string& root, bool create);
Handle open_format_folder(const std::string& root, bool create);

struct Found {
    int shard = -1;  ///< open
    Place place;
    Digest key;
    std::string path(const std::string& root) const {
        return root + "/" + kFormatFolder + "/" + place.shard + "/" + place.name;
    }
};

/// Calls for each file that has the name of an entry.
void each_entry(const std::string& root, const std::function<void(const Found&)>& visit);
/// Calls for each folder of entries that is not used, with its path: it is not private.
void each_refused(const std::string& root, const std::function<void(const std::string&)>& visit);
/// Calls for each file that is being written or was left behind, with its folder and name.
void each_temporary(const std::string& root, const std::function<void(int, const std::string&)>& visit);

}  // namespace pyk::cache
