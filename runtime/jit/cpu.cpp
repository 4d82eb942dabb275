#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "compile/host_compiler.h"
#include "compile/temp_folder.h"
#include "jit/loaded.h"
#include "jit/pack.h"
#include "pyk/cpu_module.h"

namespace pyk::jit {
namespace {

Error failure(Error::Kind kind, const std::string& message) { return {kind, message}; }

class CpuCode : public Loaded {
  public:
    CpuCode(CpuModule module, cpu::Entry entry) : module_(std::move(module)), entry_(entry) {}

    Result<double> launch(const EntryPoint& entry, const LaunchShape& shape,
                          const std::vector<Argument>& arguments) override {
        std::vector<void*> data;
        for (const Argument& argument : arguments) {
            if (argument.on_device)
                return failure(Error::Kind::arguments, "an array in a GPU's memory cannot be passed to the CPU");
            data.push_back(argument.ndim ? argument.data : nullptr);
        }
        const ArgBuffer packed = pack_arguments(entry, arguments, data);
        cpu::LaunchConfig config;
        config.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
        config.block = {shape.block.x, shape.block.y, shape.block.z};
        config.shared_bytes = shape.shared_bytes;
        config.cooperative = entry.cooperative;

        const auto start = std::chrono::steady_clock::now();
        const auto done = cpu::launch(entry_, config, packed.data());
        const auto stop = std::chrono::steady_clock::now();
        if (!done) return failure(Error::Kind::execution, done.message());
        if (*done) return failure(Error::Kind::execution, (*done)->message());
        return std::chrono::duration<double, std::milli>(stop - start).count();
    }

    std::string device_name() const override { return fmt::format("the CPU ({} threads)", cpu::worker_count()); }

  private:
    CpuModule module_;
    cpu::Entry entry_;
};

}  // namespace

Result<std::unique_ptr<Loaded>> load_on_cpu(const Unit& unit) {
    const Result<Artifact> artifact = artifact_of(compile_with_host_compiler(unit));
    if (!artifact) return artifact.error();
    // The loader maps the file: it may go once it is open.
    const TempFolder folder;
    if (!folder.ok() || !write_file(folder.file("module.so"), artifact.value().bytes))
        return failure(Error::Kind::input_output,
                       std::string("cannot write a temporary file: ") + std::strerror(errno));
    pyk::Result<CpuModule> module = CpuModule::load(folder.file("module.so"));
    if (!module) return failure(Error::Kind::input_output, module.message());
    const pyk::Result<cpu::Entry> entry = module->entry(unit.entries.at(0).symbol);
    if (!entry) return failure(Error::Kind::fault, entry.message());
    return std::unique_ptr<Loaded>(new CpuCode(*std::move(module), *entry));
}

}  // namespace pyk::jit
