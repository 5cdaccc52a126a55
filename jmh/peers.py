"""Prints the costs of other libraries divided by those of this one, from files that JMH wrote with -rf json (see peers.sh).

A ratio is that of one round: both results come from the same file. The table shows the median of the rounds, the smallest and the
largest.
"""
import collections
import json
import statistics
import sys

OURS = "kubeloop"
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
NOTHING = 4     # bytes of JMH's own


def median(metric):
    """The median of all iterations, which a disturbed one hardly changes. Samples are pairs of a value and its count."""
    if "rawDataHistogram" in metric:
        pairs = sorted(pair for fork in metric["rawDataHistogram"] for iteration in fork for pair in iteration)
        half, seen = sum(count for _, count in pairs) / 2, 0
        for value, count in pairs:
            seen += count
            if seen >= half:
                return value
    values = [value for fork in metric.get("rawData", []) for value in fork]
    return statistics.median(values) if values else metric["score"]


def cost(result):
    """Seconds and bytes of an operation; None for bytes that were not measured."""
    score, (one, other) = median(result["primaryMetric"]), result["primaryMetric"]["scoreUnit"].split("/")
    seconds = UNITS[other] / score if result["mode"] == "thrpt" else UNITS[one] * score
    bytes_metric = (result.get("secondaryMetrics") or {}).get("gc.alloc.rate.norm")
    return seconds, median(bytes_metric) if bytes_metric else None


def spread(ratios):
    return "%.2f (%.2f to %.2f)" % (statistics.median(ratios), min(ratios), max(ratios))


def time(seconds):
    unit, factor = ("ns", 1e9) if seconds < 1e-6 else ("µs", 1e6) if seconds < 1e-3 else ("ms", 1e3)
    return "%.1f %s" % (seconds * factor, unit)


def size(count):
    return "not measured" if count is None else "0" if count < NOTHING else "%.0f" % count


def main(files, expected):
    costs = collections.defaultdict(lambda: collections.defaultdict(dict))      # benchmark -> library -> file -> cost
    for file in files:
        with open(file, encoding="utf-8") as f:
            for result in json.load(f):
                parameters = dict(result.get("params") or {})
                library = parameters.pop("library", None)
                if library:
                    name = result["benchmark"].removeprefix("io.kubeloop.jmh.")
                    costs[name + "".join(" %s=%s" % entry for entry in sorted(parameters.items()))][library][file] = cost(result)
    print("| benchmark | library | rounds | time, theirs/ours | ours | B/op, theirs/ours | ours |\n|" + " --- |" * 7)
    missing = []
    for benchmark, libraries in sorted(costs.items()):
        missing += ["%s has no result for %s." % (name, benchmark) for name in sorted({OURS, *expected}) if name not in libraries]
        ours = libraries.pop(OURS, {})
        for library, theirs in sorted(libraries.items()):
            rounds = [(ours[file], theirs[file]) for file in files if file in ours and file in theirs]
            if not rounds:
                continue
            our_bytes, their_bytes = (None if any(pair[side][1] is None for pair in rounds)
                                      else statistics.median(pair[side][1] for pair in rounds) for side in (0, 1))
            ratio = "not measured" if None in (our_bytes, their_bytes) else size(their_bytes) + " B" if our_bytes < NOTHING else spread(
                [their[1] / our[1] for our, their in rounds])
            print("| %s | %s | %d | %s | %s | %s | %s |" % (
                benchmark, library, len(rounds), spread([their[0] / our[0] for our, their in rounds]),
                time(statistics.median(our[0] for our, _ in rounds)), ratio, size(our_bytes)))
    if missing:
        print("\n" + "\n".join(missing))


if __name__ == "__main__":
    main(sys.argv[2:], sys.argv[1].split(","))
