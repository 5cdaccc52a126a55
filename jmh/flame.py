"""Reads the samples that `jfr print` printed, and writes an SVG of the stacks of the threads whose names begin with the argument."""

import html
import re
import sys

WIDTH, ROW, SHORTEST = 1200, 17, 0.006


def stacks(lines, thread):
    """Yields the frames of each sample of the thread, outermost first."""
    frames, inside, ours = [], False, False
    for line in lines:
        text = line.strip()
        if text.startswith(("sampledThread", "eventThread")):
            ours = text.split('"')[1].startswith(thread)
        elif text.startswith("stackTrace = ["):
            frames, inside = [], True
        elif inside and text == "]":
            inside = False
            if ours:
                yield frames[::-1]
        elif inside and text != "...":
            name = re.sub(r"\(.*|line:.*", "", text).strip()
            frames.append(re.sub(r"^.*\.([A-Za-z0-9_$]+\.[^.]+)$", r"\1", name))


def add(node, frames):
    node["count"] += 1
    for frame in frames:
        node = node["under"].setdefault(frame, {"count": 0, "under": {}})
        node["count"] += 1


def draw(name, node, total, left, level, out):
    width = WIDTH * node["count"] / total
    color = "#b8c9d9" if re.match(r"Json|Record|Span|Value|Unknown|List|Byte", name) else "#e0cfa8"
    share = 100 * node["count"] / total
    label = html.escape(name[: int(width / 6.5)]) if width > 40 else ""
    out.append(
        f'<g><title>{html.escape(name)}: {share:.1f} %</title><rect x="{left:.1f}" y="{level * ROW}" width="{width:.1f}" '
        f'height="{ROW - 1}" fill="{color}"/><text x="{left + 3:.1f}" y="{level * ROW + 12}">{label}</text></g>'
    )
    depth = level
    for under in sorted(node["under"]):
        child = node["under"][under]
        if child["count"] >= SHORTEST * total:
            depth = max(depth, draw(under, child, total, left, level + 1, out))
        left += WIDTH * child["count"] / total
    return depth


def main():
    root = {"count": 0, "under": {}}
    for frames in stacks(sys.stdin, sys.argv[1]):
        add(root, frames)
    if not root["count"]:
        sys.exit(f"flame: no sample of a thread named {sys.argv[1]}")
    out = []
    depth = draw(f"{sys.argv[1]}, {root['count']} samples", root, root["count"], 0, 0, out)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {(depth + 1) * ROW}" font-family="monospace" font-size="11">')
    print("\n".join(out))
    print("</svg>")


main()
