#include "jit/compiler_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "cache/environment.h"
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

// Where the loader looks for the libraries of a loaded file (null: the program): $LD_LIBRARY_PATH, its runpath, the
// system's folders.
void add_loader_folders(const char* file, std::vector<std::string>& folders) {
    void* const object = dlopen(file, RTLD_NOW | RTLD_NOLOAD);
    if (!object) return;
    Dl_serinfo size{};
    if (dlinfo(object, RTLD_DI_SERINFOSIZE, &size) == 0) {
        std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
        auto* const info = reinterpret_cast<Dl_serinfo*>(memory.data());
        *info = size;
        if (dlinfo(object, RTLD_DI_SERINFO, info) == 0)
            for (unsigned i = 0; i < info->dls_cnt; ++i)
                folders.push_back(std::string(info->dls_serpath[i].dls_name) + "/");
    }
    dlclose(object);
}

// Beside the file that this code is in, which may be a plugin that a program knows nothing of, and where the loader
// looks for that file's libraries and the program's.
std::vector<std::string> folders() {
    const std::string file = own_file();
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    std::vector<std::string> all = {folder, folder + "../lib/", folder + "../" PYK_INSTALL_LIBDIR "/"};
    add_loader_folders(file.c_str(), all);
    add_loader_folders(nullptr, all);
    return all;
}

std::string found_path() {
    if (auto named = environment("PYK_COMPILER")) return *std::move(named);
    for (const std::string& folder : folders())
        for (const char* inside : {"", "pyk/"})
            if (std::string path = folder + inside + kFileName; access(path.c_str(), R_OK) == 0) return path;
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
    if (!library) {
        std::string text =
            "a kernel has to be compiled, and pyk's compiler cannot be opened (set $PYK_COMPILER to "
            "libpyk_compiler.so): " +
            std::string(dlerror());
        if (compiler_path().empty()) {
            text += "; it is in none of these folders, nor in pyk/ inside them:";
            for (const std::string& folder : folders()) text += " " + folder;
        }
        return Error{Error::Kind::input_output, text, nullptr};
    }
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
