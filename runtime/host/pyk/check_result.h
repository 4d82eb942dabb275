// What a launch of code compiled with `--check=bounds` found.
#pragma once

#include <string>

namespace pyk {

/// The launch's first index out of range, or the first error that debug code raised. The thread that met it ended
/// there; the others went on.
struct CheckReport {
    std::string array;     ///< the array's name in the kernel
    int axis = 0;          ///< from 0
    long long index = 0;   ///< as in Python: negative ones count from the end
    long long extent = 0;  ///< of the axis
    std::string error;     ///< what was raised, "ValueError: too far"; empty: an index out of range
    std::string file;      ///< that the line is in; empty: the kernel's own
    int line = 0;
    int block[3] = {0, 0, 0}, thread[3] = {0, 0, 0};
    long long threads = 1;  ///< that ended with one of these, this one included

    /// "line 12: index 10 is out of range for axis 0 of 'a', which has 10 elements (block (0, 0, 0), thread (3, 0, 0)),
    /// and 28 other threads".
    /// `has_thread` false: of a function, which no grid of threads runs; without block and thread.
    std::string message(bool has_thread = true) const;
};

}  // namespace pyk
