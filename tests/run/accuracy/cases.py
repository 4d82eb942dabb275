# Values of math and cmath at the arguments of CPython's own tests: arguments.py. A value may be one unit off itself.
from accuracy import arguments as made

real = made.real_cases()
for group, (names, ulps) in made.groups().items():
    pairs = [real[name] for name in names]
    args = [a for p in pairs for a in (array([x for x, _ in p], "float64"), zeros(len(p)))]
    case(f"math_{group}", args, grid=(max(map(len, pairs)) + 63) // 64, block=64, oracles="", rtol=(ulps + 1) * made.UNIT if ulps else 0.0,
         atol=ulps * 5e-324, expect={2 * at + 1: [y for _, y in p] for at, p in enumerate(pairs)})

pairs = made.complex_cases()
args = [a for name in sorted(pairs) for a in (array([x for x, _ in pairs[name]], "complex128"), zeros(len(pairs[name]), "complex128"))]
case("cmath", args, grid=3, block=64, oracles="", rtol=1e-14, atol=5e-15, expect={2 * at + 1: [y for _, y in pairs[name]] for at, name in enumerate(sorted(pairs))})
