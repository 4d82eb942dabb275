def dates(text, unit):
    return array(np.array(text.split(), f"datetime64[{unit}]"), f"datetime64[{unit}]")


def deltas(values, unit):
    return array(np.array(values, f"timedelta64[{unit}]"), f"timedelta64[{unit}]")


def times(shape, dtype):
    return array(np.zeros(shape, dtype), dtype)


some = "2024-02-29 1969-12-31 NaT 0001-01-01"
case("arithmetic", [dates(some, "D"), deltas([5, -100, 3, "NaT"], "h"), times((4, 3), "datetime64[h]"),
                    times((4, 3), "timedelta64[h]"), times((4, 3), "timedelta64[h]")], block=4)
case("calendar", [dates("2024 1900 2000 1600 NaT", "Y"), dates("2024-02 1900-03 1969-12 1600-01 1970-01", "M"),
                  dates("2024-02-29 1900-03-05 1969-12-20 1600-01-01 1970-01-01", "W"),
                  dates("2024-02-29 1900-03-05 1969-12-20 1600-01-01 1970-01-01", "D"),
                  times(5, "timedelta64[D]"), times(5, "timedelta64[D]"), times(5, "timedelta64[D]"),
                  zeros((5, 4), "bool")], block=5)
case("comparison", [dates("2024-02-29 2024-02-28 NaT NaT", "D"), dates("2024-02-29 2024-02-28T12 1970-01-01 NaT", "h"),
                    deltas([1, 2, -1, "NaT"], "D"), deltas([24, 47, 24, "NaT"], "h"), zeros((4, 20), "bool")], block=4)
case("scaling", [deltas([7, -7, 5, "NaT"], "D"), deltas([24, -5, 100, 3], "h"), array([2, -3, 0, 4], "int32"),
                 array([0.5, -1.75, 0.0, 2.0], "float64"), times((4, 8), "timedelta64[D]"), zeros(4),
                 zeros(4, "int64")], block=4)
case("constants", [dates("2024-02-29 1969-12-31 NaT 1990-01-01", "D"), times((4, 7), "timedelta64[D]"),
                   times((4, 3), "timedelta64[m]"), times(4, "timedelta64[ns]")], block=4)
