"""What the functions are called with, by their parameters' names."""
import numpy as np

INPUTS = {
    "a": np.array([3.0, -1.25, 0.5, 2.0, -0.75, 0.0]),
    "b": np.array([[1.0, 2.5, 3.0, 0.0], [4.0, 5.5, -6.0, 1.0], [2.0, 2.0, 8.25, 7.0]]),
    "c": np.arange(24, dtype=np.float64).reshape(2, 3, 4) - 5,
    "f": np.array([1.5, -2.25, 0.1, 3.0], np.float32),
    "i": np.array([3, 1, 2, 3, 0, 7]),
    "m": np.array([True, False, True]),
    "n": np.array([1.0, np.nan, -2.0, 0.5, -np.inf, 4.0]),
    "s": np.array([5, 1, 2], np.int8),
    "k": np.array([1.5 + 1j, -2.25, complex(1, np.nan), complex(np.nan, 2), 3 - 2j, complex(np.nan, np.nan), 1.5 - 1j, 1.5 + 1j]),
    "z": np.array(2.5),
}
