#include "jit/identity.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string_view>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "cache/digest.h"
#include "cache/file.h"

namespace pyk::jit {
namespace {

bool read_at(const cache::Handle& file, std::uint64_t offset, void* to, std::size_t size) {
    return pread(file.get(), to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

constexpr std::size_t kMostNotes = 1 << 16;

// The build id among the notes of one segment.
std::optional<std::string> build_id_in(std::string_view notes) {
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
        Elf64_Nhdr note;
        std::memcpy(&note, notes.data() + at, sizeof note);
        const std::size_t name = at + sizeof note, value = name + (note.n_namesz + 3u) / 4 * 4;
        const std::size_t end = value + (note.n_descsz + 3u) / 4 * 4;
        if (end > notes.size() || end <= at) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0)
            return cache::hex(notes.substr(value, note.n_descsz));
        at = end;
    }
    return std::nullopt;
}

std::optional<std::string> build_id(const cache::Handle& file) {
    Elf64_Ehdr header;
    if (!read_at(file, 0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
        return std::nullopt;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!read_at(file, header.e_phoff + i * sizeof segment, &segment, sizeof segment)) break;
        if (segment.p_type != PT_NOTE || segment.p_filesz > kMostNotes) continue;
        std::string notes(segment.p_filesz, '\0');
        if (!read_at(file, segment.p_offset, notes.data(), notes.size())) break;
        if (auto id = build_id_in(notes)) return id;
    }
    return std::nullopt;
}

}  // namespace

std::string identity_of_file(const std::string& path) {
    const cache::Handle file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return {};
    if (auto id = build_id(file)) return *id;
    const auto digest = cache::digest_of_file(path);
    return digest ? digest->hex() : std::string();
}

std::string identity_of_cpu() {
    std::string text = std::to_string(getauxval(AT_HWCAP)) + "." + std::to_string(getauxval(AT_HWCAP2));
#if defined(__x86_64__)
    for (const unsigned leaf : {1u, 7u, 0x80000001u}) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        __get_cpuid_count(leaf, 0, &a, &b, &c, &d);
        // Which core answers stands in b of leaf 1, and is no matter.
        text += "." + std::to_string(a) + "." + std::to_string(leaf == 1 ? 0 : b) + "." + std::to_string(c) + "." +
                std::to_string(d);
    }
#endif
    return text;
}

}  // namespace pyk::jit
