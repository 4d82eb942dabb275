// Files as NumPy 2.4.6 writes them (numpy.lib.format.write_array).
#pragma once

#include <string>

namespace pyk::npy_files {

// array([ 1.5, -2. ], dtype=float32)
const std::string kFloats(
    "\223NUMPY\001\000v\000{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }                      "
    "                                      \012\000\000\300\077\000\000\000\300",
    136);
// array([[0, 1, 2], [3, 4, 5]], dtype=int32)
const std::string kFortran(
    "\223NUMPY\001\000v\000{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }                     "
    "                                      \012\000\000\000\000\003\000\000\000\001\000\000\000\004\000\000"
    "\000\002\000\000\000\005\000\000\000",
    152);
// array([ True, False])
const std::string kVersion2(
    "\223NUMPY\002\000t\000\000\000{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }              "
    "                                            \012\001\000",
    130);
// array([[1], [2]], dtype=uint16)
const std::string kVersion3(
    "\223NUMPY\003\000t\000\000\000{'descr': '<u2', 'fortran_order': False, 'shape': (2, 1), }            "
    "                                            \012\001\000\002\000",
    132);
// array(7)
const std::string kZeroDimensional(
    "\223NUMPY\001\000v\000{'descr': '<i8', 'fortran_order': False, 'shape': (), }                        "
    "                                      \012\007\000\000\000\000\000\000\000",
    136);
// array([], shape=(0, 3), dtype=float64)
const std::string kEmpty(
    "\223NUMPY\001\000v\000{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }                    "
    "                                      \012",
    128);
// array([1., 2.], dtype='>f4')
const std::string kBigEndian(
    "\223NUMPY\001\000v\000{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }                      "
    "                                      \012\077\200\000\000@\000\000\000",
    136);
// array([0.+1.j])
const std::string kComplex(
    "\223NUMPY\001\000v\000{'descr': '<c32', 'fortran_order': False, 'shape': (1,), }                     "
    "                                      \012\000\000\000\000\000\000\000\000\000\000\000\000\000\000\360"
    "\077",
    144);
// array([(1, 2)], dtype={'names': ['s0', 's1'], 'formats': ['<u8', '<u8'], 'offsets': [0, 8], 'itemsize': 16,
// 'aligned': True})
const std::string kStates(
    "\223NUMPY\001\000v\000{'descr': [('s0', '<u8'), ('s1', '<u8')], 'fortran_order': False, 'shape': (1,)"
    ", }                                   \012\001\000\000\000\000\000\000\000\002\000\000\000\000\000\000"
    "\000",
    144);

}  // namespace pyk::npy_files
