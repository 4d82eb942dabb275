f2, f4, f8 = np.float16, np.float32, np.float64
inf, nan = float("inf"), float("nan")
A = np.array([1.0, 0.1, -2.75, 1000.0, 65504.0, 3e-7, -0.0, 2049.0], f2)
B = np.array([3.0, 0.3, 1.5, 0.0625, 2.0, 1e-7, 5.0, 1.0], f2)
N1 = np.array([1, -2, 3, 100, 7, 5, 1, 2], np.int8)
# NumPy computes each operation on float16 in float32 and rounds: what the GPU's instructions give.
case("arithmetic", [array(A, "float16"), array(B, "float16"), array(N1, "int8"), zeros((8, 11), "float16")], block=8, oracles="",
     expect={3: np.stack([A + B, A - B, A * B, A / B, -A, abs(A), A + N1.astype(f2), np.fmin(A, B), np.fmax(A, B), (A + B) / B,
                          A + B], axis=-1)})
I2, I4, U1 = N1.astype(np.int16) * 100 + 1, N1.astype(np.int32) * 1000 + 1, abs(N1).astype(np.uint8)
F4 = np.array([0.1, 0.7, 2.5, 3.3, 1e-3, 9.0, 7.25, 0.3], f4)
W = A.astype(f8)
case("result_types", [array(A, "float16"), array(N1, "int8"), array(I2, "int16"), array(I4, "int32"), array(U1, "uint8"),
                      array(F4, "float32"), zeros((8, 11))], block=8, oracles="",
     expect={6: np.stack([(A + N1.astype(f2)).astype(f8), A.astype(f4) + I2.astype(f4), W + I4, A.astype(f4) + U1.astype(f4),
                          A.astype(f4) + F4, W + 1.1, (A / N1.astype(f2)).astype(f8),
                          np.floor_divide(A.astype(f4), N1.astype(f4)), np.mod(A.astype(f4), F4), A.astype(f4) ** 2,
                          np.where(N1 > 2, F4, A.astype(f4)).astype(f8) / 3], axis=-1)})
X = np.array([1.0004883, 65519.9, 65520.0, -3e-8, 2.98e-8, 1 + 2.0**-11, 1 + 2.0**-11 + 2.0**-40, 0.1], f8)
N = np.array([2049, 2051, -70000, 65535, 0, 1, -3, 2**40], np.int64)
H = np.array([2.5, -0.75, 3.5, 0.0, -0.0, 1.0, -3.0, 100.25], f2)
X2, N2 = X.astype(f2), N.astype(f2)
case("convert", [array(X, "float64"), array(N, "int64"), array(H, "float16"), zeros((8, 5), "float16"), zeros((8, 8), "int64")],
     block=8, oracles="",
     expect={3: np.stack([X2, N2, X2 + f2(0.1), N2 - X2, X2 * H], axis=-1),
             4: np.stack([np.trunc(H), np.trunc(H), H < X2, H.astype(f8) >= X, H != 0, H.astype(f8) == N, H == 0, np.rint(H)],
                         axis=-1).astype(np.int64)})
P = np.array([0.5, 1.0, 2.25, 3.75, 0.125, 7.5, 1.125, 9.0], f2)
p = P.astype(f8)
case("math", [array(P, "float16"), zeros((8, 14))], block=8, rtol=1.1e-3, atol=1e-6, oracles="",
     expect={1: np.stack([np.sqrt(p), np.floor(p), np.ceil(p), np.trunc(p), p, np.sin(p), np.cos(p), np.exp(p), np.exp2(p), np.log(p),
                          np.log2(p), np.log10(p), np.tanh(p), np.arctan(p)], axis=-1)})
FA = np.array([1.5, -2.75, 0.1, 10.0, 3.5, -0.5, 100.0, 2.0], f2)
FB = np.array([1.5, 1.25, 0.3, -4.0, 0.5, 8.0, 0.01, -2.0], f2)
FC = np.array([0.5, -1.0, 2.0, 0.25, -0.125, 1.5, -3.0, 1.0], f2)
a, b, c = FA.astype(f8), FB.astype(f8), FC.astype(f8)
case("fp16", [array(FA, "float16"), array(FB, "float16"), array(FC, "float16"), zeros((8, 26), "float16"), zeros((8, 6), "bool")],
     block=8, rtol=2e-3, atol=1e-3, oracles="",
     expect={3: np.stack([a + b, a - b, a * b, a / b, a * b + c, -a, abs(a), np.fmax(a, b), np.fmin(a, b), np.floor(a), np.ceil(a),
                          np.rint(a), np.trunc(a), np.sqrt(abs(a)), 1 / b, 1 / np.sqrt(abs(b)), np.sin(a), np.cos(a),
                          np.log(abs(b)), np.log2(abs(b)), np.log10(abs(b)), np.exp(c), np.exp2(c), 10**c, np.tanh(c), np.tanh(c)],
                         axis=-1),
             4: np.stack([a == b, a != b, a < b, a <= b, a > b, a >= b], axis=-1)})


def bf16(x, mode="n"):
    """x, rounded to a bfloat16: 8 binary digits."""
    x = np.asarray(x, f8)
    unit = np.exp2(np.floor(np.log2(np.where(x == 0, 1, abs(x)))) - 7)
    return {"n": np.rint, "z": np.trunc, "u": np.ceil, "d": np.floor}[mode](x / unit) * unit


G = np.array([1.0, 3.14159, -2.71828, 1e30, 1.00390625, 0.1, -300.5, 65537.0], f4)
K = np.array([2.0, 0.5, 1e10, -7.3, 1.01171875, 3.3, -300.5, 1e-5], f4)
M = np.array([257, -258, 259, 2**40 + 2**32, 2**63 - 1, 0, 3, -(2**20 + 2**12 + 1)], np.int64)
g, h = bf16(G), bf16(K)
case("bf16", [array(G, "float32"), array(K, "float32"), array(M, "int64"), zeros((8, 18), "float32"), zeros((8, 7), "int64")], block=8,
     oracles="", rtol=1e-6,
     expect={3: np.stack([g, bf16(g + h), bf16(g - h), bf16(g * h), bf16(g / h), -g, bf16(g * h + g), bf16(g + h), np.fmax(g, h),
                          bf16(np.sqrt(abs(g))), bf16(np.floor(g)), bf16(G, "z"), bf16(G, "u"), bf16(G, "d"), bf16(M), bf16(M),
                          g * G, g], axis=-1),
             4: np.stack([g < h, g == h, np.where(abs(g) > 2e9, 2**31 - 1, np.rint(g)), np.clip(np.floor(g), -2**15, 2**15 - 1),
                          (g.astype(f4).view(np.uint32) >> 16), np.isnan(g), np.trunc(h)], axis=-1).astype(np.int64)})


def fp8():
    """With NVIDIA's own numbers: ml_dtypes rounds the same, and what is too large is cut here."""
    import ml_dtypes

    e5, e4, e8 = ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu
    x = np.array([0, -0.0, 1, 1.0625, 1.1875, 1.125, -3.3, 0.0019, 2.0**-9, 2.0**-10, 2.0**-10 * 1.01, 2.0**-17, 1.5 * 2.0**-17, 448, 464, 464.01, -465, 61439,
                  61440, 1e9, -inf, inf, nan, 2.0**-130, 3.0, 5e-3, 100, 1 / 3])
    f, n = x.astype(f4), np.array([0, 1, -1, 3, 17, 19, -21, 300, 463, 464, 465, 1000, -10**6, 2**40, 5, 7, 9, 11, 13, 15, 25, 27, 29, 31, 33, 35, 37, 49])
    codes = np.arange(256, dtype=np.uint8)
    finite = lambda v, most: np.where(np.isnan(v), v, np.clip(v, -most, most))
    to = lambda v, dtype, most: finite(v, most).astype(dtype)
    up = lambda v: np.where(np.isnan(v), nan, 2.0 ** np.clip(np.ceil(np.log2(np.maximum(np.abs(v), 2.0**-127))), -127, 127))
    exact = lambda v, dtype: v.astype(f4).astype(dtype)        # one rounding: the float32 holds what is written here
    made = np.stack([exact(to(x, f8, 57344), e5).view(np.uint8), exact(to(x, f8, 448), e4).view(np.uint8), up(x).astype(e8).view(np.uint8)])
    raw = np.stack([exact(x, e4).view(np.uint8), made[0], exact(f, e5).view(np.uint8)])
    nans = np.isnan(x)
    for row, code in [(made[0], 0x7E), (made[1], 0x7F), (made[2], 0xFF), (raw[0], 0x7F), (raw[1], 0x7E), (raw[2], 0x7F)]:
        row[nans] = code
    raw[0][np.abs(x) > 464] = np.where(x[np.abs(x) > 464] < 0, 0xFF, 0x7F)
    floats = np.zeros((7, 256), f4)
    floats[0], floats[1], floats[2] = codes.view(e5), codes.view(e4), codes.view(e8)
    m = len(x)
    floats[3, :m] = to(f, e5, 57344)
    floats[4, :m], floats[5, :m] = to(n.astype(f4), e4, 448), up(n)
    brain = to(f, ml_dtypes.bfloat16, 3.4e38).astype(f4)
    floats[6, :m] = to(brain, e4, 448).astype(f4) + to(f.astype(f2), e5, 57344).astype(f4)
    ints = np.zeros((6, 256), np.int64)
    for row, source, low, high in [(0, 0, -128, 127), (1, 1, 0, 255), (2, 2, -2**31, 2**31 - 1), (3, 1, -2**63, 2**63), (4, 0, 0, 2**64)]:
        v = floats[source].astype(f8)
        ints[row] = [(0 if row < 3 else -2**63 if row == 3 else 2**62) if np.isnan(y) else int(min(max(y, low), high)) if row < 4 else min(int(min(max(y, 0), 2.0**64)), 2**64 - 1) // 2 for y in v]
    ints[5] = (codes & 0x7F) != 0
    return x, f, n, codes, made, raw, floats, ints


X8, F8, N8, CODES, MADE, RAW, FLOATS, INTS = fp8()
case("fp8", [array(X8, "float64"), array(F8, "float32"), array(N8, "int64"), array(CODES, "uint8"), zeros(MADE.shape, "uint8"), zeros(RAW.shape, "uint8"), zeros(FLOATS.shape, "float32"),
             zeros(INTS.shape, "int64")], block=256, oracles="", numba="numba-cuda has no views of bytes as these types", expect={4: MADE, 5: RAW, 6: FLOATS, 7: INTS})


# What the host functions of CUDA 13.0's cuda_fp8.h give, a row for each pair.
FP8_PAIRS = """
17408,16896,17408,0,128,33024,32768,64,0,0,16896,3225175040,33024,17408,3225305600,2155905280
11136,13696,11136,0,125,32256,32000,2176,0,17,13696,3225168768,32256,11136,3225302400,2155904512
56,60,56,127,0,127,127,4352,0,34,60,3225157688,127,56,3225288764,2155872383
32568,32572,32568,128,255,65408,65407,6528,0,51,32572,3225190200,65408,32568,3225321276,2155937664
32453,31939,32709,129,254,65153,65408,8704,0,68,31683,3225190085,65153,32453,3225320387,2155937409
32257,31768,32513,118,156,40310,40053,10880,0,85,31512,3225189889,40310,32257,3225320216,2155912566
32382,31839,32638,136,142,36744,36487,13056,0,102,31583,3225190014,36744,32382,3225320287,2155909000
65150,57183,65407,136,135,34952,34695,15232,2,119,57183,3225222782,34952,65150,3225345887,2155907208
32510,24543,32767,136,135,34952,34695,17408,126,136,24543,3225190142,34952,32510,3225313247,2155907208
32382,24444,32383,143,135,34959,34702,19584,126,153,24443,3225190014,34959,32382,3225313147,2155907215
382,6268,383,157,117,30365,30108,21760,126,170,6267,3225158014,30365,382,3225294971,2155902621
50558,50044,50559,255,128,33278,33023,23936,126,187,50043,3225208190,33278,50558,3225338747,2155905534
14719,15487,14719,255,127,33023,32767,26112,126,204,15487,3225172351,33023,14719,3225304191,2155905279
14336,15360,14336,0,127,32768,32512,28288,126,221,15360,3225171968,32768,14336,3225304064,2155905024
32811,32821,32811,126,0,126,125,30464,126,238,32821,3225190443,126,32811,3225321525,2155872382
68,66,68,129,0,129,128,32767,127,255,66,3225157700,129,68,3225288770,2155872385
"""


def fp8_pairs():
    import ml_dtypes

    x = np.array([0, -0.0, 1, 1.0625, -3.3, 0.0019, 448, 465, -465, 61440, 1e9, inf, nan, 7.34684e-40, 0.333333343, 3], f4)
    y = x[::-1].astype(f8) * 1.0000001
    rows = np.array([[int(v) for v in line.split(",")] for line in FP8_PAIRS.split()], np.int64)
    back = np.zeros((16, 3), f4)
    back[:, 0] = rows[:, 11].astype(np.uint8).view(ml_dtypes.float8_e4m3fn)
    back[:, 2] = -0.5
    back[np.isnan(y), 1] = nan
    out = np.concatenate([rows[:, :10], np.full((16, 1), 3)], axis=1)      # cudaRoundMinInf is 3, cudaRoundNearest 0
    twos, fours = rows[:, [10, 13]].T.astype(np.uint16), rows[:, [11, 14, 15]].T.astype(np.uint32)
    case("fp8_pairs", [array(x, "float32"), array(y, "float64"), zeros((16, 11), "int64"), zeros((2, 16), "uint16"), zeros((3, 16), "uint32"), zeros(16, "uint16"),
                       zeros((16, 3), "float32")],
         block=16, oracles="", expect={2: out, 3: twos, 4: fours, 5: rows[:, 12].astype(np.uint16), 6: back})


fp8_pairs()
