// NumPy's functions of the host's code for small matrices: inverses, determinants, systems of equations.
#include <cmath>

#include "module/const_array.h"
#include "module/host_numpy.h"
#include "module/host_values.h"

namespace pyk {
namespace {

using Result = std::optional<Const>;
using Args = HostArguments;

struct Matrix {
    int64_t rows = 0, columns = 0;
    std::vector<double> values = {};

    double& at(int64_t i, int64_t j) { return values[static_cast<size_t>(i * columns + j)]; }
};

/// Of real numbers; a vector is a column.
std::optional<Matrix> matrix_of(const Const& value) {
    const Const::Array array = array_of(value);
    if (!array || array->table.shape.empty() || array->table.shape.size() > 2) return std::nullopt;
    if (array->type.element().is_complex()) return std::nullopt;
    const auto& shape = array->table.shape;
    Matrix result{shape[0], shape.size() == 2 ? shape[1] : 1};
    const auto all = elements(*array);
    if (!all) return std::nullopt;
    for (const Const& one : *all) result.values.push_back(to_complex(one).real());
    return result;
}

Result value_of(const Matrix& matrix, bool is_vector) {
    std::vector<Const> values;
    for (const double v : matrix.values) values.push_back({v, Scalar::float64});
    return array_with(Scalar::float64, is_vector ? std::vector{matrix.rows} : std::vector{matrix.rows, matrix.columns},
                      values);
}

/// Gauss's elimination with pivots: `right` becomes the solution. The determinant; nullopt: not square.
std::optional<double> eliminate(Matrix a, Matrix& right) {
    if (a.rows != a.columns || a.rows != right.rows) return std::nullopt;
    double determinant = 1;
    for (int64_t k = 0; k < a.rows; ++k) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < a.rows; ++i)
            if (std::fabs(a.at(i, k)) > std::fabs(a.at(pivot, k))) pivot = i;
        if (a.at(pivot, k) == 0) return 0.0;
        for (int64_t j = 0; j < a.columns; ++j) std::swap(a.at(k, j), a.at(pivot, j));
        for (int64_t j = 0; j < right.columns; ++j) std::swap(right.at(k, j), right.at(pivot, j));
        determinant *= pivot == k ? a.at(k, k) : -a.at(k, k);
        for (int64_t i = k + 1; i < a.rows; ++i) {
            const double factor = a.at(i, k) / a.at(k, k);
            for (int64_t j = k; j < a.columns; ++j) a.at(i, j) -= factor * a.at(k, j);
            for (int64_t j = 0; j < right.columns; ++j) right.at(i, j) -= factor * right.at(k, j);
        }
    }
    for (int64_t k = a.rows; k-- > 0;)
        for (int64_t j = 0; j < right.columns; ++j) {
            for (int64_t i = k + 1; i < a.rows; ++i) right.at(k, j) -= a.at(k, i) * right.at(i, j);
            right.at(k, j) /= a.at(k, k);
        }
    return determinant;
}

Matrix unit(int64_t n) {
    Matrix one{n, n, std::vector<double>(static_cast<size_t>(n * n))};
    for (int64_t i = 0; i < n; ++i) one.at(i, i) = 1;
    return one;
}

/// NumPy raises where the matrix is singular.
Result inverse(const Args& a) {
    const auto matrix = matrix_of(a[0]);
    if (!matrix) return std::nullopt;
    Matrix result = unit(matrix->rows);
    return eliminate(*matrix, result).value_or(0) != 0 ? value_of(result, false) : std::nullopt;
}

Result solution(const Args& a) {
    const auto matrix = matrix_of(a[0]);
    auto right = matrix_of(a[1]);
    if (!matrix || !right || eliminate(*matrix, *right).value_or(0) == 0) return std::nullopt;
    return value_of(*right, array_of(a[1])->table.shape.size() == 1);
}

Result determinant(const Args& a) {
    const auto matrix = matrix_of(a[0]);
    if (!matrix) return std::nullopt;
    Matrix right = unit(matrix->rows);
    const auto value = eliminate(*matrix, right);
    return value ? Result(Const{*value, Scalar::float64}) : std::nullopt;
}

Result trace(const Args& a) {
    const HostFunction* diagonal = find_numpy_function("diag");
    const Const::Array array = array_of(a[0]);
    if (!array || array->table.shape.size() != 2) return std::nullopt;
    HostCall call;
    call.args = {a[0]};
    const Result along = call_host_function(*diagonal, call);
    return along ? sum(**along->as<Const::Array>()) : std::nullopt;
}

Result matrix_power(const Args& a) {
    const auto times = to_int(a[1]);
    if (!times || *times < 1 || *times > 64 || !array_of(a[0])) return std::nullopt;
    Result result = Const{array_of(a[0]), {}};
    for (int64_t i = 1; result && i < *times; ++i) result = apply_arrays(ast::BinaryOp::MatMult, *result, a[0]);
    return result;
}

constexpr HostFunction kFunctions[] = {
    {"linalg.det", "a", 1, determinant},
    {"linalg.inv", "a", 1, inverse},
    {"linalg.matrix_power", "a n", 2, matrix_power},
    {"linalg.solve", "a b", 2, solution},
    {"trace", "a", 1, trace},
};

}  // namespace

std::span<const HostFunction> numpy_matrix_functions() { return kFunctions; }

}  // namespace pyk
