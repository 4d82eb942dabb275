#include "layout.h"

#include <fcntl.h>

#include <cerrno>

namespace pyk::cache {
namespace {

/// Calls for each shard, with its name; with an empty handle where it is not private.
void each_shard(const std::string& root, const std::function<void(const Handle&, const std::string&)>& visit) {
    const Handle folder = open_format_folder(root, false);
    if (!folder) return;
    each_name(folder.get(), [&](const std::string& name) {
        if (name.size() == 2) visit(open_folder(folder.get(), name, false), name);
    });
}

/// Calls for each name in each shard, with the open shard and the shard's name.
void each_file(const std::string& root, const std::function<void(int, const std::string&, const std::string&)>& visit) {
    each_shard(root, [&](const Handle& shard, const std::string& shard_name) {
        if (!shard) return;
        each_name(shard.get(), [&](const std::string& name) { visit(shard.get(), shard_name, name); });
    });
}

}  // namespace

Handle open_root(const std::string& root, bool create) {
    Handle folder = open_folder(AT_FDCWD, root, false);
    if (!folder && create && errno == ENOENT) {
        make_folders(root);
        folder = open_folder(AT_FDCWD, root, false);
    }
    return folder;
}

Handle open_format_folder(const std::string& root, bool create) {
    const Handle folder = open_root(root, create);
    return folder ? open_folder(folder.get(), kFormatFolder, create) : Handle();
}

void each_entry(const std::string& root, const std::function<void(const Found&)>& visit) {
    each_file(root, [&](int shard, const std::string& shard_name, const std::string& name) {
        if (const auto key = Digest::from_hex(shard_name + name)) visit({shard, Place(*key), *key});
    });
}

void each_refused(const std::string& root, const std::function<void(const std::string&)>& visit) {
    each_shard(root, [&](const Handle& shard, const std::string& name) {
        if (!shard) visit(root + "/" + kFormatFolder + "/" + name);
    });
}

void each_temporary(const std::string& root, const std::function<void(int, const std::string&)>& visit) {
    each_file(root, [&](int shard, const std::string&, const std::string& name) {
        if (is_temporary(name)) visit(shard, name);
    });
}

}  // namespace pyk::cache
