// What a sample sees of the demo: arrays, launches, and a place for pictures and complaints.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pyk/pyk.hpp"

namespace demo {

/// An array in host memory. Copies are the same array, as in Python.
template <typename T>
struct Array {
    std::shared_ptr<std::vector<T>> elements;
    std::vector<long long> shape;
};

struct Rgb {
    uint8_t red, green, blue;
};

/// How one sample went.
struct Outcome {
    std::string kernel, device, emitted;
    double transpile_ms = 0, run_ms = 0;
    double cuda_compile_ms = -1, host_compile_ms = -1;  ///< negative: not done
    std::vector<std::string> faults, pictures;
};

class Session {
  public:
    Session(const std::string& file, std::string folder, pyk::jit::Backend backend);

    /// A 1-D array unless a shape is given.
    template <typename T>
    Array<T> array(const std::vector<T>& elements, std::vector<long long> shape = {}) {
        if (shape.empty()) shape = {static_cast<long long>(elements.size())};
        return {std::make_shared<std::vector<T>>(elements), std::move(shape)};
    }
    template <typename T>
    Array<T> zeros(std::vector<long long> shape) {
        size_t size = 1;
        for (const long long extent : shape) size *= static_cast<size_t>(extent);
        return array(std::vector<T>(size), std::move(shape));
    }
    template <typename T>
    const std::vector<T>& read(const Array<T>& array) const {
        return *array.elements;
    }

    struct Dims {
        int x, y = 1, z = 1;
    };

    /// Launches a kernel of the sample's file. Arguments: numbers and arrays.
    template <typename... Args>
    void launch(const std::string& kernel, Dims grid, Dims block, const Args&... args) {
        launch_all(kernel, grid, block, {argument(args)...});
    }

    /// Notes that the sample's result is wrong.
    void fail(std::string what) { outcome_.faults.push_back(std::move(what)); }
    /// Writes a PNG; `color` gives each pixel, row by row from the top.
    void picture(const std::string& name, int width, int height, const std::function<Rgb(size_t)>& color);

    const Outcome& outcome() const { return outcome_; }

  private:
    template <typename T>
    static pyk::jit::Argument argument(const Array<T>& array) {
        return pyk::jit::array_argument(array.elements->data(), static_cast<int>(array.shape.size()),
                                        array.shape.data(), nullptr);
    }
    template <typename T>
    static std::enable_if_t<std::is_arithmetic_v<T>, pyk::jit::Argument> argument(const T& number) {
        return pyk::jit::make_argument(number);
    }

    void launch_all(const std::string& kernel, Dims grid, Dims block, const std::vector<pyk::jit::Argument>& args);
    void emit(const std::string& kernel, const std::vector<pyk::jit::Argument>& args);
    void compile_for_cuda(const std::string& text);

    std::string folder_;
    pyk::jit::Backend backend_;
    pyk::jit::Module module_;
    Outcome outcome_;
};

/// Writes pixels of three bytes as a PNG. False: it could not be written.
bool write_png(const std::string& file, int width, int height, const std::vector<Rgb>& pixels);

}  // namespace demo
