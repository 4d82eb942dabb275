case("functions", [scalar(-7, "int64"), scalar(3, "int64"), scalar(2.5, "float64"), array([1, 2, 3], "float64"), zeros(24)])
