// Calls functions of whole arrays, in every way in which elements may lie.
#include <kernels/arrays.h>

#include <vector>

namespace {

constexpr long long kRows = 70, kColumns = 90;

template <class T>
T value(long long index) {
    return static_cast<T>(index * 7 % 101) / 4;
}

template <class T>
pyk::Array<T, 2> matrix(const pyk::Device& device, long long rows, long long columns) {
    std::vector<T> values;
    for (long long i = 0; i < rows * columns; ++i) values.push_back(value<T>(i));
    return pyk::Array<T, 2>::from_host(device, values.data(), {rows, columns}).value();
}

/// `x` and `y`: the values of an element by its row and column.
template <class T, class X, class Y>
bool is_difference(const pyk::Array<T, 2>& array, X x, Y y) {
    const std::vector<T> found = array.to_host().value();
    for (long long row = 0; row < kRows; ++row)
        for (long long column = 0; column < kColumns; ++column)
            if (found[static_cast<std::size_t>(row * kColumns + column)] != x(row, column) - y(row, column))
                return false;
    return true;
}

template <class T>
const char* wrong_elements(const pyk::Device& device) {
    const auto x = matrix<T>(device, kRows, kColumns), turned = matrix<T>(device, kColumns, kRows),
               row = matrix<T>(device, 1, kColumns), column = matrix<T>(device, kRows, 1),
               wide = matrix<T>(device, kRows, 2 * kColumns);
    auto out = matrix<T>(device, kRows, kColumns);
    const auto flat = [](long long r, long long c) { return value<T>(r * kColumns + c); };
    const auto number = [](T n) { return [n](long long, long long) { return n; }; };

    arrays::subtract(x, 3, out, device).or_throw();
    if (!is_difference(out, flat, number(3))) return "elements side by side";
    arrays::subtract(2.5, x, out).or_throw();
    if (!is_difference(out, number(T(2.5)), flat)) return "without a stream";
    arrays::subtract(x, row, out).or_throw();
    if (!is_difference(out, flat, [](long long, long long c) { return value<T>(c); })) return "a row";
    arrays::subtract(column, x, out).or_throw();
    if (!is_difference(
            out, [](long long r, long long) { return value<T>(r); }, flat))
        return "a column";
    arrays::subtract(x, turned.view().transposed(), out).or_throw();
    if (!is_difference(out, flat, [](long long r, long long c) { return value<T>(c * kRows + r); }))
        return "transposed";
    arrays::subtract(wide.view().slice(1, 2 * kColumns - 1, -2 * kColumns - 1, -2), x, out).or_throw();
    if (!is_difference(
            out, [](long long r, long long c) { return value<T>((2 * r + 2) * kColumns - 1 - 2 * c); }, flat))
        return "every other one, backwards";
    // Above each row the one before it: read as they were before the call.
    auto moved = matrix<T>(device, kRows, kColumns);
    arrays::subtract(moved.view().slice(0, 0, kRows - 1), 1, moved.view().slice(0, 1, kRows)).or_throw();
    if (!is_difference(
            moved, [](long long r, long long c) { return value<T>((r ? r - 1 : 0) * kColumns + c) + (r ? 0 : 1); },
            number(1)))
        return "arrays that overlap";
    return arrays::subtract(x, turned, out).ok() ? "shapes that do not fit" : nullptr;
}

/// Parts that one thread walks, and that several share: in rows and in columns.
template <class T>
const char* wrong_parts(const pyk::Device& device, long long rows, long long columns) {
    const std::vector<T> ones(static_cast<std::size_t>(rows * columns), T(1));
    auto in = pyk::Array<T, 2>::from_host(device, ones.data(), {rows, columns}).value();
    auto out = pyk::Array<T, 2>::from_host(device, ones.data(), {rows, columns}).value();
    arrays::normalize(in, out, device).or_throw();
    if (out.to_host().value() != std::vector<T>(ones.size(), T(1) / static_cast<T>(columns))) return "parts of rows";
    arrays::normalize(in.view().transposed(), in.view().transposed()).or_throw();
    if (in.to_host().value() != std::vector<T>(ones.size(), T(1) / static_cast<T>(rows))) return "parts of columns";
    return arrays::normalize(in, out.view().slice(1, 1, columns)).ok() ? "extents that do not fit" : nullptr;
}

const char* wrong_parts(const pyk::Device& device) {
    auto values = matrix<double>(device, kRows, kColumns);
    auto taken = pyk::Array<double>::allocate(device, {kRows}).value();
    arrays::element(values, 5, taken).or_throw();
    if (taken.to_host().value()[3] != value<double>(3 * kColumns + 5)) return "an element of each row";
    if (arrays::element(values.view().slice(1, 0, kColumns, 2), 5, taken).ok()) return "parts with gaps";
    for (const long long columns : {4, 128, 4096}) {
        if (const char* wrong = wrong_parts<float>(device, 64, columns)) return wrong;
        if (const char* wrong = wrong_parts<double>(device, 16, columns)) return wrong;
    }
    return nullptr;
}

const char* wrong_stencil(const pyk::Device& device) {
    const auto in = matrix<float>(device, kRows, kColumns), turned = matrix<float>(device, kColumns, kRows);
    auto out = pyk::Array<float, 2>::allocate(device, {kRows, kColumns}).value();
    out.fill(-1).or_throw();
    arrays::around(in, out).or_throw();
    const std::vector<float> found = out.to_host().value();
    for (long long row = 0; row < kRows; ++row)
        for (long long column = 0; column < kColumns; ++column) {
            const long long at = row * kColumns + column;
            const bool is_inner = row > 0 && column + 1 < kColumns;
            const float right = is_inner ? value<float>(at - kColumns) + value<float>(at + 1) : -1;
            if (found[static_cast<std::size_t>(at)] != right) return "elements around others";
        }
    arrays::around(turned.view().transposed(), out, device).or_throw();
    if (out.to_host().value()[kColumns] != value<float>(0) + value<float>(kRows + 1))
        return "elements around others in columns";
    return arrays::around(turned, out).ok() ? "an output of another shape" : nullptr;
}

const char* wrong_reduction(const pyk::Device& device) {
    std::vector<float> values(100003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % values.size());
    const auto x = pyk::Array<float>::from_host(device, values).value();
    auto out = pyk::Array<float>::allocate(device, {1}).value();
    arrays::greatest(x, out).or_throw();
    if (out.to_host().value()[0] != 100002) return "a reduction";
    arrays::greatest(x.view().slice(0, 2, 0, -1), out, 2e5).or_throw();
    if (out.to_host().value()[0] != 2e5f) return "a reduction that starts with something";
    return arrays::greatest(matrix<float>(device, 2, 2), out).ok() ? "a reduction of two axes" : nullptr;
}

const char* wrong_functions() {
    std::vector<double> values(100000, 0.5);
    const auto [sum, count] = arrays::total(values).value();
    if (sum != 50000 || count != 100000) return "a tuple";
    const auto half = arrays::total(pyk::View<double>(values).slice(0, 99999, -100001, -2));
    if (std::get<0>(*half) != 25000) return "a strided array";
    if (*arrays::shared(pyk::host(values.data(), {10, 10}), -1) != -1.0) return "a number";
    const auto [some, step] = arrays::every(std::vector<double>{0, 1, 2, 3, 4}, 2).value();
    if (step != 2 || some.to_host().value() != std::vector<double>{0, 2, 4}) return "an array";
    const pyk::Result<double> raised = arrays::shared(pyk::host(values.data(), {10, 10}), 0);
    return !raised && raised.message().find("ZeroDivisionError") != std::string::npos ? nullptr : "what is raised";
}

}  // namespace

const char* wrong_arrays(const pyk::Device& device) {
    if (const char* wrong = wrong_elements<float>(device)) return wrong;
    if (const char* wrong = wrong_parts(device)) return wrong;
    if (const char* wrong = wrong_stencil(device)) return wrong;
    if (const char* wrong = wrong_reduction(device)) return wrong;
    if (const char* wrong = wrong_functions()) return wrong;
    return wrong_elements<double>(device);
}
