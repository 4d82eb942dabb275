#include "driver/cli/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string_view>

#include "driver/cli/failure.h"

namespace pyk {
namespace {

void end_with_message(int) {
    constexpr std::string_view kMessage =
        "pykc: error: memory outside of the arrays was read or written, which ended the program; with `--check-bounds` "
        "the access is named\n";
    end_in_handler(kMessage);
}

constexpr size_t rounded_up(size_t size, size_t to) { return (size + to - 1) / to * to; }

}  // namespace

void* GuardedMemory::add(std::string& bytes) {
    constexpr size_t kAlignment = 64;
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t inner = rounded_up(std::max<size_t>(bytes.size(), 1), page);
    void* const pages = mmap(nullptr, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    char* const begin = static_cast<char*>(pages) + page;
    if (mprotect(begin, inner, PROT_READ | PROT_WRITE) != 0) {
        munmap(pages, inner + 2 * page);
        return nullptr;
    }
    char* const copy = begin + inner - rounded_up(bytes.size(), kAlignment);
    std::memcpy(copy, bytes.data(), bytes.size());
    regions_.push_back({pages, inner + 2 * page, copy, &bytes});
    return copy;
}

void GuardedMemory::take_back() const {
    for (const Region& region : regions_) std::memcpy(region.bytes->data(), region.copy, region.bytes->size());
}

GuardedMemory::~GuardedMemory() {
    for (const Region& region : regions_) munmap(region.pages, region.size);
}

void explain_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, end_with_message);
}

}  // namespace pyk
