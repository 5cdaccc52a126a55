"""Reads the runs of growth.sh, prints them as tables, and draws each value over the pods and the informers as an SVG."""

import math
import os
import sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 560, 340, 70, 40, 30, 45
COLORS = ["#2a5d8f", "#b5541c"]
ROWS = ["list s", "list CPU s", "heap MB", "B/event", "CPU us/event", "longest pause of the list ms"]


def read(lines):
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if len(fields) > 2:
            values = {name: float(value) for name, value in zip(fields[1::2], fields[2::2])}
            yield dict(values, collector=fields[0].removesuffix("GC"))


def slope(points):
    """The slope of the straight line through the logarithms, by least squares."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    middle_x, middle_y = (sum(log[i] for log in logs) / len(logs) for i in (0, 1))
    return sum((x - middle_x) * (y - middle_y) for x, y in logs) / sum((x - middle_x) ** 2 for x, _ in logs)


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def draw(title, lines, path):
    """Draws lines of (x, y) by the name of x, with logarithms on both axes."""
    points = [point for line in lines.values() for point in line]
    high_x = math.ceil(math.log10(max(x for x, _ in points)))
    low_y, high_y = math.floor(math.log10(min(y for _, y in points))), math.ceil(math.log10(max(y for _, y in points)))
    high_y = max(high_y, low_y + 1)

    def at(x, y):
        return (LEFT + math.log10(x) / high_x * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (math.log10(y) - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM))

    slopes = ", ".join(f"{slope(line):.2f} over the {over}" for over, line in lines.items())
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           f'<text x="{LEFT}" y="22" font-size="14">{title}: slope {slopes}</text>']
    for power in range(low_y, high_y + 1):
        _, y = at(1, 10**power)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#d0d0d0"/><text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number(10**power)}</text>')
    for power in range(high_x + 1):
        left, _ = at(10**power, 10**low_y)
        out.append(f'<text x="{left:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10**power:,}</text>')
    for color, (over, line) in zip(COLORS, lines.items()):
        text = " ".join("%.1f,%.1f" % at(x, y) for x, y in line)
        out.append(f'<polyline points="{text}" fill="none" stroke="{color}" stroke-width="2"/>')
        for x, y in line:
            left, top = at(x, y)
            out.append(f'<circle cx="{left:.1f}" cy="{top:.1f}" r="4" fill="{color}"/><text x="{left:.1f}" y="{top - 9:.1f}" text-anchor="middle">{number(y)}</text>')
        left, top = at(*line[-1])
        out.append(f'<text x="{left:.1f}" y="{top + 18:.1f}" text-anchor="end" fill="{color}">{over}</text>')
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


def table(runs, first, name):
    print(f"| {first} | " + " | ".join(ROWS) + " | longest pause of events ms |\n|" + " --- |" * (len(ROWS) + 2))
    for run in runs:
        print(f"| {name(run)} | " + " | ".join(number(run[row]) for row in [*ROWS, "longest pause of events ms"]) + " |")


def main():
    runs = list(read(sys.stdin))
    g1 = [run for run in runs if run["collector"] == "G1"]
    families = {"pods": [run for run in g1 if run["informers"] == 1], "informers": [run for run in g1 if run["pods"] == 10000]}
    for over, family in families.items():
        family.sort(key=lambda run: run[over])
        table(family, over, lambda run: f"{run[over]:,.0f}")
        print()
    for row in ROWS:
        lines = {over: [(run[over], run[row]) for run in family if run[row] > 0] for over, family in families.items()}
        lines = {over: line for over, line in lines.items() if len(line) > 1}
        if lines:
            print(f"Slope of {row}: " + ", ".join(f"{slope(line):.2f} over the {over}" for over, line in lines.items()))
            draw(row, lines, os.path.join(sys.argv[1], "growth-%s.svg" % row.lower().replace("/", "-").replace(" ", "-")))
    print()
    table([run for run in runs if run["pods"] == 100000], "collector, 100,000 pods", lambda run: run["collector"])


main()
