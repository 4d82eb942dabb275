// Values of module code that are no numbers: bytes and dicts (host_values, host_defaults).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

TEST(HostValues, BytesAreSequences) {
    EXPECT_EQ(value_of("n", "n = list(b'ab' + b'c')\n"), "[97, 98, 99]");
    EXPECT_EQ(value_of("n", "n = list(b'ab' * 2)\n"), "[97, 98, 97, 98]");
    EXPECT_EQ(value_of("n", "n = list(b'abc'[1:] + b'd')\n"), "[98, 99, 100]");
    EXPECT_EQ(
        value_of(
            "n",
            "import numpy as np\nn = (np.frombuffer(b'ab', np.uint8) + np.frombuffer(b'ab', np.uint8)).tolist()\n"),
        "[194, 196]");
    EXPECT_EQ(value_of("n", "b = b'ab'\nn = b[0] * 256 + sum(x * 256 for x in b)\n"), "74752");
    EXPECT_EQ(value_of("n", "n = b'ab' - b'c'\n"), "?");
}

TEST(HostValues, BytesOfNumbers) {
    EXPECT_EQ(value_of("n",
                       "n = (int.from_bytes(b'\\x01\\x02', 'big'), int.from_bytes(b'\\x01\\x02', byteorder='little'),\n"
                       "     int.from_bytes(b'\\xff\\xfe', 'little', signed=True))\n"),
              "(258, 513, -257)");
    EXPECT_EQ(value_of("n", "n = (list((1000).to_bytes(4, 'little')), list((258).to_bytes(2, 'big')))\n"),
              "([232, 3, 0, 0], [1, 2])");
    const std::string header = "import struct\nimport numpy as np\n";
    EXPECT_EQ(
        value_of("n", header + "n = [struct.calcsize(f) for f in ('<ifd', 'ifd', 'xi', '=l', 'l', '3h2d', '>2B q')]\n"),
        "[16, 16, 8, 4, 8, 24, 10]");
    EXPECT_EQ(
        value_of("n",
                 header + "n = (struct.unpack('<I', struct.pack('<f', 1.0))[0], list(struct.pack('>Hb', 258, -1)))\n"),
        "(1065353216, [1, 2, 255])");
    EXPECT_EQ(value_of("n", header + "n = struct.unpack('<3h', b'\\x01\\x00\\x02\\x00\\xff\\xff')\n"), "(1, 2, -1)");
    EXPECT_EQ(
        value_of("n", header + "n = (int(np.float32(1.5).view(np.int32)), int(np.array([1.0]).view(np.int64)[0]),\n"
                               "     np.array([1, 258], np.uint16).view(np.uint8).tolist(),\n"
                               "     list(np.array([258], np.uint16).tobytes()))\n"),
        "(1069547520, 4607182418800017408, [1, 0, 2, 1], [2, 1])");
}

TEST(HostValues, KeysThatAreEqual) {
    EXPECT_EQ(value_of("D", "D = {1: 5, True: 6}\n"), "{1: 6}");
    EXPECT_EQ(value_of("N", "D = {1: 5, True: 6}\nN = D[1]\n"), "6");
    EXPECT_EQ(value_of("N", "D = {1: 5}\nN = D[1.0]\n"), "5");
}

TEST(HostValues, DictsWithDefaults) {
    const std::string header = "from collections import defaultdict, Counter\n";
    EXPECT_EQ(value_of("n", header + "n = defaultdict(int)\nfor i in [1, 2, 2, 3]: n[i] += 1\n"), "{1: 1, 2: 2, 3: 1}");
    EXPECT_EQ(value_of("n", header + "n = defaultdict(list)\nfor i in range(5): n[i % 2].append(i)\n"),
              "{0: [0, 2, 4], 1: [1, 3]}");
    EXPECT_EQ(
        value_of("n",
                 header + "d = defaultdict(set)\nd[1].add(2)\nd[1].add(2)\nn = (len(d[1]), d.get(5, 7), 5 in d)\n"),
        "(1, 7, False)");
    EXPECT_EQ(value_of("n", header + "n = defaultdict(float, {1: 2.5})\nn[1] += 1\nn[2] += 0.25\n"),
              "{1: 3.5, 2: 0.25}");
    EXPECT_EQ(value_of("n", header + "n = defaultdict(dict)\nn['a']['b'] = 1\n"), "?");
    // A read leaves the key behind.
    EXPECT_EQ(value_of("n", header + "d = defaultdict(int)\nx = d[5]\nn = len(d)\n"), "?");
    EXPECT_EQ(value_of("n", header + "def f():\n d = defaultdict(int)\n x = d[5]\n return len(d)\nn = f()\n"), "?");
    EXPECT_EQ(value_of("n", header + "def f():\n d = defaultdict(int)\n for i in range(4): d[i % 2] += i\n"
                                     " return [d[i] for i in range(2)] + [d[1], len(d)]\nn = f()\n"),
              "[2, 4, 4, 2]");
    EXPECT_EQ(value_of("n", header + "d = defaultdict(lambda: 7)\nd[1] += 1\nn = d[1]\n"), "?");
    EXPECT_EQ(
        value_of("n",
                 header + "c = Counter('abracadabra')\nn = (c['a'], c['z'], len(c), c.most_common(2), c.total())\n"),
        "(5, 0, 5, [('a', 5), ('b', 2)], 11)");
    EXPECT_EQ(value_of("n", header + "c = Counter({'a': 2})\nc.update('ab')\nc.update({'a': 5})\nc['q'] += 1\nn = "
                                     "(c['a'], c['b'], c['q'])\n"),
              "(8, 1, 1)");
    EXPECT_EQ(value_of("n", header + "n = Counter('ab') | Counter('b')\n"), "?");
    EXPECT_EQ(value_of("n", header + "import copy\na = Counter('aab')\nb = copy.deepcopy(a)\nc = a.copy()\nb.pop('b')\n"
                                     "c.clear()\nc['q'] += 2\nn = (b['z'], c['z'], b.most_common(), c.total())\n"),
              "(0, 0, [('a', 2)], 2)");
    EXPECT_EQ(value_of("n", header + "c = Counter('ab')\nd = dict(c)\nd.update({'a': 5})\nn = d['a']\n"), "5");
}

}  // namespace
