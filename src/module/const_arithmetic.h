// Arithmetic of Python's own numbers, as CPython has it.
#pragma once

#include <complex>
#include <optional>

#include "module/constant.h"

namespace pyk {

/// Nullopt: what CPython refuses, or integers that have too many digits for a constant.
std::optional<Const> integer_op(ast::BinaryOp op, Const::Int a, Const::Int b);
std::optional<double> float_op(ast::BinaryOp op, double a, double b);
std::optional<std::complex<double>> complex_op(ast::BinaryOp op, std::complex<double> a, std::complex<double> b);

/// Without C++'s repairs of products that are no number.
std::complex<double> product(std::complex<double> a, std::complex<double> b);

}  // namespace pyk
