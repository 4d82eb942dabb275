"""The roofline picture of elementwise.py's numbers, as SVG: operations a second over operations for a byte of memory."""
import math
from html import escape

WIDTH, HEIGHT = 860, 540
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 40, 60
ARMS = {"pyk": "#1f77b4", "naive": "#7f7f7f", "numba": "#ff7f0e", "cupy": "#2ca02c"}


def floor_of(value):
    return 10 ** math.floor(math.log10(value))


class Scale:
    """Logarithmic, from whole powers of ten to whole powers of ten."""

    def __init__(self, values, begin, end):
        self.low, self.high = floor_of(min(values)), 10 * floor_of(max(values))
        self.begin, self.end = begin, end

    def __call__(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        value = self.low
        while value <= self.high * 1.01:
            yield value
            value *= 10


def number(value):
    return f"{value:g}" if 1e-3 <= value < 1e6 else f"{value:.0e}"


def points_of(rows):
    """Of each case: name, operations for a byte, and of each arm 10^9 operations a second."""
    for row in rows:
        if "intensity" in row:
            yield row["case"], row["intensity"], {arm: row["gb_s"][arm] * row["intensity"] for arm in ARMS if arm in row["gb_s"]}


def picture(results):
    points = list(points_of(results["rows"]))
    roof = max(row["gb_s"]["copy"] for row in results["rows"] if "gb_s" in row)
    x = Scale([p[1] for p in points], LEFT, WIDTH - RIGHT)
    y = Scale([rate for p in points for rate in p[2].values()], HEIGHT - BOTTOM, TOP)
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{LEFT}" y="22" font-size="15">Array functions on {escape(results["device"])}</text>']
    for at in x.ticks():
        text.append(f'<path d="M{x(at):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/><text x="{x(at):.1f}" y="{HEIGHT - BOTTOM + 18}" '
                    f'text-anchor="middle">{number(at)}</text>')
    for at in y.ticks():
        text.append(f'<path d="M{LEFT} {y(at):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y(at) + 4:.1f}" '
                    f'text-anchor="end">{number(at)}</text>')
    text.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 15}" text-anchor="middle">operations for a byte that is moved</text>')
    text.append(f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">10⁹ operations a second</text>')
    # The roof: as far as it is in the picture.
    first, last = max(x.low, y.low / roof), min(x.high, y.high / roof)
    text.append(f'<path d="M{x(first):.1f} {y(first * roof):.1f}L{x(last):.1f} {y(last * roof):.1f}" stroke="black" stroke-width="1.5"/>')
    middle = math.sqrt(first * last)
    text.append(f'<text x="{x(middle):.1f}" y="{y(middle * roof) - 8:.1f}" text-anchor="end">a copy: {roof:.0f} GB/s</text>')
    for name, intensity, rates in points:
        for arm, rate in reversed(rates.items()):
            text.append(f'<circle cx="{x(intensity):.1f}" cy="{y(rate):.1f}" r="4" fill="{ARMS[arm]}" fill-opacity="0.7">'
                        f'<title>{escape(name)}: {arm}, {rate:.0f}</title></circle>')
    for i, (arm, colour) in enumerate(ARMS.items()):
        at = TOP + 12 + 20 * i
        text.append(f'<circle cx="{WIDTH - RIGHT + 24}" cy="{at}" r="4" fill="{colour}"/><text x="{WIDTH - RIGHT + 36}" y="{at + 4}">{arm}</text>')
    for i, (name, intensity, rates) in enumerate(sorted(points, key=lambda p: p[1])):
        at = TOP + 110 + 15 * i
        text.append(f'<text x="{WIDTH - RIGHT + 20}" y="{at}" font-size="10">{number(round(intensity, 3))}: {escape(name)}, {rates["pyk"]:.0f}</text>')
    return "\n".join([*text, "</svg>", ""])
