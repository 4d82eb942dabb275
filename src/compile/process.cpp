#include "compile/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace pyk {
namespace {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const { return fd_; }
    void close() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

  private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor read, write;
};

std::optional<Pipe> make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// The redirections of the child, freed with the scope.
class FileActions {
  public:
    FileActions() { posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    void redirect(const Descriptor& from, int to) { posix_spawn_file_actions_adddup2(&actions_, from.get(), to); }
    void empty_stdin() { posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0); }
    void run_in(const std::string& folder) { posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()); }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

// The child handles signals as if the program did not: a compiler waits for its own parts, which it cannot where
// SIGCHLD is ignored.
class Attributes {
  public:
    Attributes() {
        posix_spawnattr_init(&attributes_);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes_, &signals);
        for (const int signal : {SIGCHLD, SIGPIPE}) sigaddset(&signals, signal);
        posix_spawnattr_setsigdefault(&attributes_, &signals);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

// Reads both pipes until the child has closed them, whichever it fills first.
void drain(Descriptor& first, std::string& first_text, Descriptor& second, std::string& second_text) {
    const std::array<std::pair<Descriptor*, std::string*>, 2> streams = {
        {{&first, &first_text}, {&second, &second_text}}};
    std::array<char, 65536> buffer;
    while (first.get() >= 0 || second.get() >= 0) {
        pollfd waits[2] = {{first.get(), POLLIN, 0}, {second.get(), POLLIN, 0}};
        if (poll(waits, 2, -1) < 0 && errno != EINTR) return;
        for (size_t i = 0; i < streams.size(); ++i) {
            if (waits[i].revents == 0) continue;
            const ssize_t got = read(waits[i].fd, buffer.data(), buffer.size());
            if (got > 0)
                streams[i].second->append(buffer.data(), static_cast<size_t>(got));
            else if (got == 0 || errno != EINTR)
                streams[i].first->close();
        }
    }
}

// A program that ignores SIGCHLD, or waits for all children itself, is told of the end before us: how the child ended
// is not known then, and what it wrote has to say.
int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno == ECHILD ? 0 : 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_executable_file(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<ProcessResult> run_process(const std::vector<std::string>& argv, const std::string& folder) {
    std::optional<Pipe> out = make_pipe(), err = make_pipe();
    if (!out || !err) return std::nullopt;

    FileActions actions;
    actions.empty_stdin();
    actions.redirect(out->write, STDOUT_FILENO);
    actions.redirect(err->write, STDERR_FILENO);
    if (!folder.empty()) actions.run_in(folder);

    const Attributes attributes;
    std::vector<char*> arguments;
    for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);

    pid_t child = 0;
    if (const int error =
            posix_spawnp(&child, arguments[0], actions.get(), attributes.get(), arguments.data(), environ)) {
        errno = error;
        return std::nullopt;
    }
    out->write.close();
    err->write.close();

    ProcessResult result;
    drain(out->read, result.output, err->read, result.messages);
    result.exit_code = wait_for(child);
    return result;
}

std::optional<std::string> find_program(const std::string& name) {
    namespace fs = std::filesystem;
    const auto found = [](const fs::path& path) -> std::optional<std::string> {
        std::error_code ignored;
        return is_executable_file(path) ? std::optional(fs::absolute(path, ignored).string()) : std::nullopt;
    };
    if (name.empty()) return std::nullopt;
    if (name.find('/') != std::string::npos) return found(name);
    const char* path = secure_getenv("PATH");
    const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (size_t begin = 0; begin <= folders.size();) {
        const size_t end = std::min(folders.find(':', begin), folders.size());
        if (auto program = found(fs::path(folders.substr(begin, end - begin)) / name)) return program;
        begin = end + 1;
    }
    return std::nullopt;
}

}  // namespace pyk
