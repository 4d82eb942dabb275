// libpyk: kernels from .pyk files, compiled while the program runs, launched on the GPU or the CPU.
//
//   pyk::jit::Module module = pyk::load_or_throw("saxpy.pyk");
//   pyk::jit::Kernel saxpy = module.kernel("saxpy").value();
//   saxpy(pyk::grid(blocks), pyk::block(256))(2.5f, x, y, out);
//
// The first launch with new argument types compiles; later ones look up. Every call here may come from any thread.
// A call returns a Result; `value()` of one that failed, and everything named `…_or_throw`, throws pyk::jit::Exception.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "pyk/argument.hpp"

namespace pyk::jit {

/// Where kernels run. `automatic`: on the first GPU where there is one and NVRTC to compile for it, else on the CPU.
enum class Backend : unsigned char { automatic, cuda, cpu };

struct Error {
    enum class Kind : unsigned char {
        diagnostics,   ///< the .pyk file is wrong; the message holds file, line and column
        arguments,     ///< a launch that does not fit the kernel
        input_output,  ///< a file, a tool or a device is missing
        execution,     ///< the launch failed, or an index was out of range
        fault,         ///< a fault of libpyk
    };
    Kind kind;
    std::string message;
};

struct Exception : std::runtime_error {
    explicit Exception(Error e) : std::runtime_error(e.message), error(std::move(e)) {}
    Error error;
};

/// A T, or why there is none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::move(value)) {}      // NOLINT: either is a result
    Result(Error error) : state_(std::move(error)) {}  // NOLINT

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    const Error& error() const { return std::get<1>(state_); }
    T& value() & {
        check();
        return std::get<0>(state_);
    }
    const T& value() const& {
        check();
        return std::get<0>(state_);
    }
    T value() && {
        check();
        return std::get<0>(std::move(state_));
    }

  private:
    void check() const {
        if (!ok()) throw Exception(error());
    }
    std::variant<T, Error> state_;
};

using Constant = std::variant<bool, std::int64_t, std::uint64_t, double>;
/// A type as signatures write it: `float32`.
struct TypeName {
    std::string text;
};
/// A value for a module-level name of the file, which wins over the file's own: a number, a type, or a tuple of
/// numbers.
using Define = std::variant<bool, std::int64_t, std::uint64_t, double, TypeName, std::vector<Constant>>;

/// How kernels are typed of which neither the file nor a decorator says it: as Numba does, or with 32 bits staying 32
/// bits, as PyTorch does (`# pyk: typing=narrow`).
enum class Typing { numba, narrow };

struct Options {
    std::map<std::string, Define> defines;
    Backend backend = Backend::automatic;
    Typing typing = Typing::numba;
    bool check_bounds = false;  ///< an index out of range is an error instead of undefined behaviour
    bool debug = false;         ///< what kernels raise is an error of the launch, instead of only ending their threads
    std::vector<std::string> import_folders;  ///< where to look for imported files, after the file's own folder
    std::vector<std::string> links;           ///< device code to link: `.cu`, `.ptx`, `.cubin`, …; `.cpp` for the CPU
};

struct Grid {
    unsigned x = 1, y = 1, z = 1;
};
struct Block {
    unsigned x = 1, y = 1, z = 1;
};

/// What a launch did.
struct Report {
    double milliseconds = 0;  ///< of the kernel alone
    double transpile_ms = 0;  ///< .pyk → C++; 0 when this instance was there already
    double compile_ms = 0;    ///< C++ → binary; likewise
    Backend backend = Backend::cpu;
    std::string device;         ///< `NVIDIA H200`, `CPU (16 threads)`
    std::vector<bool> written;  ///< per argument: an array that the kernel may have stored to
    std::string warnings;       ///< diagnostics of the translation, rendered
};

class Kernel;
struct Engine;  // private

/// A .pyk file, parsed. Copies share one.
class Module {
  public:
    explicit Module(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

    Result<Kernel> kernel(std::string_view name) const;
    std::vector<std::string> kernel_names() const;

  private:
    std::shared_ptr<Engine> engine_;
};

/// A kernel with its launch configuration: call it with the kernel's arguments (pyk/argument.hpp says which).
/// Host arrays are copied in and, where the kernel writes them, back; the call returns when that is done.
class Launcher {
  public:
    Launcher(const Kernel& kernel, Grid grid, Block block, std::size_t shared_bytes);

    template <class... Args>
    Report operator()(Args&&... args) const {
        return launch(std::forward<Args>(args)...).value();
    }
    template <class... Args>
    Result<Report> launch(Args&&... args) const {
        return launch_all({make_argument(args)...});
    }
    Result<Report> launch_all(const std::vector<Argument>& arguments) const;

  private:
    std::shared_ptr<Engine> engine_;
    std::string name_;
    Grid grid_;
    Block block_;
    std::size_t shared_bytes_;
};

/// One kernel of a module; its instances come into being with the types of its launches.
class Kernel {
  public:
    Kernel(std::shared_ptr<Engine> engine, std::string name) : engine_(std::move(engine)), name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    std::vector<std::string> params() const;
    Launcher operator()(Grid grid, Block block, std::size_t shared_bytes = 0) const {
        return {*this, grid, block, shared_bytes};
    }

    /// The C++ text that launches with these argument types run; translates, but compiles nothing.
    Result<std::string> text(Backend backend, const std::vector<Argument>& arguments) const;

  private:
    friend class Launcher;
    std::shared_ptr<Engine> engine_;
    std::string name_;
};

/// Reads and parses a file.
Result<Module> load(const std::string& path, const Options& options = {});
/// The same for text; `name` stands for the file in messages.
Result<Module> load_text(std::string name, std::string text, const Options& options = {});

inline Module load_or_throw(const std::string& path, const Options& options = {}) {
    return load(path, options).value();
}

/// Whether this machine can run kernels there; if not, why.
std::optional<std::string> why_unavailable(Backend backend);

}  // namespace pyk::jit

namespace pyk {

using jit::load;
using jit::load_or_throw;
using jit::load_text;

inline jit::Grid grid(unsigned x, unsigned y = 1, unsigned z = 1) { return {x, y, z}; }
inline jit::Block block(unsigned x, unsigned y = 1, unsigned z = 1) { return {x, y, z}; }

}  // namespace pyk
