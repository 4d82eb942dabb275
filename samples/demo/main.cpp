// Runs every sample: transpiles it, compiles it for CUDA where there is a compiler for that, runs it on the GPU or the
// CPU, checks the result against plain C++, and prints a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "demo/samples.h"

namespace demo {
namespace {

using pyk::jit::Backend;

struct Options {
    std::string out = "demo";
    std::string device = "auto";
    std::vector<std::string> only;
};

Backend choose_backend(const std::string& device) {
    if (device == "cuda") return Backend::cuda;
    if (device == "cpu") return Backend::cpu;
    const auto why = pyk::jit::why_unavailable(Backend::cuda);
    if (!why) return Backend::cuda;
    fmt::print("Running on the CPU: {}\n\n", *why);
    return Backend::cpu;
}

Outcome run(const Sample& sample, const std::string& folder, Backend backend) {
    const std::string file = fmt::format("{0}/{1}/{1}.pyk", PYK_SAMPLES, sample.folder);
    Outcome outcome;
    try {
        Session session(file, folder, backend);
        try {
            sample.run(session);
        } catch (const std::exception& error) {
            session.fail(error.what());
        }
        return session.outcome();
    } catch (const std::exception& error) {
        outcome.faults.push_back(error.what());
    }
    return outcome;
}

std::string milliseconds(double ms) { return ms < 0 ? "–" : fmt::format("{:.1f}", ms); }

// Pads by characters, not bytes: the dash is three bytes.
std::string right(const std::string& text, size_t width) {
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    const auto length = static_cast<size_t>(std::count_if(text.begin(), text.end(), is_start));
    return std::string(length < width ? width - length : 0, ' ') + text;
}

void print_head() {
    fmt::print("{:18} {:22} {:32} {:>12} {:>9} {:>9} {:>9}  {}\n", "sample", "target", "emitted file", "transpile ms",
               "CUDA ms", "host ms", "run ms", "ok");
}

void print_row(const Sample& sample, const Outcome& outcome) {
    fmt::print("{:18} {:22} {:32} {} {} {} {}  {}\n", sample.title, outcome.device, outcome.emitted,
               right(milliseconds(outcome.transpile_ms), 12), right(milliseconds(outcome.cuda_compile_ms), 9),
               right(milliseconds(outcome.host_compile_ms), 9), right(milliseconds(outcome.run_ms), 9),
               outcome.faults.empty() ? "ok" : "WRONG");
    for (const std::string& fault : outcome.faults) fmt::print("    {}\n", fault);
    std::fflush(stdout);
}

bool is_wanted(const Sample& sample, const std::vector<std::string>& only) {
    return only.empty() || std::find(only.begin(), only.end(), sample.folder) != only.end();
}

int run_all(const Options& options) {
    const Backend backend = choose_backend(options.device);
    std::filesystem::create_directories(options.out);
    std::vector<std::string> pictures;
    int wrong = 0;
    print_head();
    for (const Sample& sample : all_samples()) {
        if (!is_wanted(sample, options.only)) continue;
        const Outcome outcome = run(sample, options.out, backend);
        print_row(sample, outcome);
        wrong += !outcome.faults.empty();
        pictures.insert(pictures.end(), outcome.pictures.begin(), outcome.pictures.end());
    }
    fmt::print("\nCUDA ms, host ms: compiling the emitted text for a GPU, and for this machine's CPU.\n");
    for (const std::string& picture : pictures) fmt::print("Picture: {}\n", picture);
    if (wrong) fmt::print("{} of the samples went wrong.\n", wrong);
    return wrong ? 1 : 0;
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
    demo::Options options;
    CLI::App app("Runs and checks every sample of pyk.");
    app.add_option("--out", options.out, "Folder for emitted files and pictures")->capture_default_str();
    app.add_option("--device", options.device, "auto, cuda or cpu")->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    app.add_option("samples", options.only, "Only these, by their folders' names");
    CLI11_PARSE(app, argc, argv);
    try {
        return demo::run_all(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "demo: {}\n", error.what());
        return 1;
    }
}
