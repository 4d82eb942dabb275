#include "jit/identity.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "cache/digest.h"

namespace pyk::jit {
namespace {

class File {
  public:
    explicit File(const std::string& path) : handle_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~File() {
        if (handle_ >= 0) close(handle_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    bool ok() const { return handle_ >= 0; }
    bool read_at(std::uint64_t offset, void* to, std::size_t size) const {
        return pread(handle_, to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
    }

  private:
    int handle_;
};

constexpr std::size_t kMostNotes = 1 << 16;

std::string hex(const unsigned char* bytes, std::size_t size) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += digits[bytes[i] >> 4];
        text += digits[bytes[i] & 15];
    }
    return text;
}

// The build id among the notes of one segment.
std::optional<std::string> build_id_in(const std::vector<unsigned char>& notes) {
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
        Elf64_Nhdr note;
        std::memcpy(&note, notes.data() + at, sizeof note);
        const std::size_t name = at + sizeof note, value = name + (note.n_namesz + 3u) / 4 * 4;
        const std::size_t end = value + (note.n_descsz + 3u) / 4 * 4;
        if (end > notes.size() || end <= at) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0)
            return hex(notes.data() + value, note.n_descsz);
        at = end;
    }
    return std::nullopt;
}

std::optional<std::string> build_id(const File& file) {
    Elf64_Ehdr header;
    if (!file.read_at(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
        return std::nullopt;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!file.read_at(header.e_phoff + i * sizeof segment, &segment, sizeof segment)) break;
        if (segment.p_type != PT_NOTE || segment.p_filesz > kMostNotes) continue;
        std::vector<unsigned char> notes(segment.p_filesz);
        if (!file.read_at(segment.p_offset, notes.data(), notes.size())) break;
        if (auto id = build_id_in(notes)) return id;
    }
    return std::nullopt;
}

}  // namespace

std::string identity_of_file(const std::string& path) {
    const File file(path);
    if (!file.ok()) return {};
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
