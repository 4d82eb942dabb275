#include "jit/compiler_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "jit/identity.h"
#include "jit/workers.h"

namespace pyk::jit {
namespace {

constexpr const char* kFileName = "libpyk_compiler.so";

std::atomic<const Compiler*> own_compiler{nullptr};

// The file that this code is in: a program, or a shared object.
std::string own_file() {
    Dl_info info{};
    if (!dladdr(reinterpret_cast<const void*>(&compiler_identity), &info) || !info.dli_fname) return {};
    // A program's name is what its caller said.
    char path[4096];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    void* const program = dlopen(nullptr, RTLD_NOW | RTLD_NOLOAD);
    const bool is_program = program && info.dli_fname == std::string(program_invocation_name);
    if (program) dlclose(program);
    return is_program && size > 0 ? std::string(path, static_cast<std::size_t>(size)) : info.dli_fname;
}

// Where the loader looks for the program's libraries: $LD_LIBRARY_PATH, its runpath, the system's folders.
std::vector<std::string> loader_folders() {
    void* const program = dlopen(nullptr, RTLD_NOW | RTLD_NOLOAD);
    if (!program) return {};
    std::vector<std::string> folders;
    Dl_serinfo size{};
    if (dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0) {
        std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
        auto* const info = reinterpret_cast<Dl_serinfo*>(memory.data());
        *info = size;
        if (dlinfo(program, RTLD_DI_SERINFO, info) == 0)
            for (unsigned i = 0; i < info->dls_cnt; ++i) folders.emplace_back(info->dls_serpath[i].dls_name);
    }
    dlclose(program);
    return folders;
}

std::vector<std::string> candidates() {
    if (const char* named = std::getenv("PYK_COMPILER")) return {named};
    std::vector<std::string> paths;
    const std::string file = own_file();
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    std::vector<std::string> folders = {folder, folder + "../lib/", folder + "../" PYK_INSTALL_LIBDIR "/"};
    for (const std::string& from_loader : loader_folders()) folders.push_back(from_loader + "/");
    for (const std::string& looked_in : folders)
        for (const char* inside : {"", "pyk/"}) paths.push_back(looked_in + inside + kFileName);
    return paths;
}

std::string found_path() {
    for (const std::string& path : candidates())
        if (access(path.c_str(), R_OK) == 0) return path;
    return {};
}

// What is kept is never destroyed: threads may ask while the process ends.
const std::string& compiler_path() {
    static const std::string& path = *new std::string(found_path());
    return path;
}

// Whether two functions, as the program finds them, are of one file.
bool are_of_one_file(const char* a, const char* b) {
    Dl_info of_a{}, of_b{};
    return dladdr(dlsym(RTLD_DEFAULT, a), &of_a) && dladdr(dlsym(RTLD_DEFAULT, b), &of_b) &&
           of_a.dli_fbase == of_b.dli_fbase;
}

// The compiler's libraries find their own functions first, not those of another ANTLR in the program. Not where the
// program has an allocator of its own (or a sanitizer's): memory goes from one to the other.
int isolation() {
    const bool allocates_as_usual =
        are_of_one_file("malloc", "gnu_get_libc_version") && are_of_one_file("_Znwm", "__cxa_throw");
    return allocates_as_usual ? RTLD_DEEPBIND : 0;
}

Result<const Compiler*> open_library() {
    // The loader's own path is the last to be tried.
    const std::string path = compiler_path().empty() ? kFileName : compiler_path();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | isolation());
    if (!library)
        return Error{Error::Kind::input_output,
                     "a kernel has to be compiled, and pyk's compiler cannot be opened (set $PYK_COMPILER to "
                     "libpyk_compiler.so): " +
                         std::string(dlerror()),
                     nullptr};
    wait_at_exit();
    const auto function = reinterpret_cast<CompilerFunction>(dlsym(library, kCompilerFunction));
    const Compiler* compiler = function ? function(kCompilerInterface) : nullptr;
    if (!compiler)
        return Error{Error::Kind::input_output, path + " is the compiler of another version of libpyk", nullptr};
    return compiler;
}

}  // namespace

void use_compiler(const Compiler& compiler) { own_compiler = &compiler; }

// Opened once and never closed: NVRTC, behind it, keeps threads of its own.
Result<const Compiler*> open_compiler() {
    if (const Compiler* own = own_compiler) return own;
    static const Result<const Compiler*>& opened = *new Result<const Compiler*>(open_library());
    return opened;
}

std::string compiler_identity() {
    if (own_compiler.load()) {
        static const std::string& own = *new std::string(identity_of_file("/proc/self/exe"));
        return own;
    }
    static const std::string& identity =
        *new std::string(compiler_path().empty() ? std::string() : identity_of_file(compiler_path()));
    return identity;
}

}  // namespace pyk::jit
