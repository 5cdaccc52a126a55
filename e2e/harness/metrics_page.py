"""Compares the metrics of kube-controller-manager and Kubeloop, and writes the comparison between two marks of a page:
metrics_page.py [--write] PAGE ORIGINAL_START ORIGINAL_END OURS_START OURS_END
The scrapes are those of a start, and after the same work. Without --write, it ends with 1 if a row of the page is another one."""
import re
import sys

BEGIN, END = "<!-- begin: metrics of both -->\n", "<!-- end: metrics of both -->\n"
# Go's runtime and its libraries for servers, and the caches of its client. A sync that is put off depends on the moment.
OF_GO = re.compile(r"go_|apiserver_|aggregator_|authenticat|authorization_|rest_client_(transport|exec_plugin|dns)|(registered|hidden|disabled)_metrics_total|"
                   r"etcd_|\w+_stale_sync_skips_total|watch_cache_|field_validation_|cardinality_|version_info")
DROPPED = {"statefulset_controller_statefulset_" + end: "the same, but dropped with the StatefulSet" for end in ("max_unavailable", "unavailable_replicas")}
ENDING = re.compile(r"_(bucket|sum|count)$")


def families(path):
    """Returns the type and the names of the labels of each metric that has a series."""
    types, found = {}, {}
    with open(path) as file:
        for line in file:
            if line.startswith("# TYPE "):
                name, kind = line.split()[2:4]
                types[name] = kind
            elif not line.startswith("#"):
                name, labels = re.match(r"([^{ ]+)(?:\{(.*)\})? ", line).groups()
                if name not in types:
                    name = ENDING.sub("", name)
                names = re.findall(r'(?:^|,)(\w+)="', labels or "")
                found.setdefault(name, (types[name], set()))[1].update(set(names) - {"le"})
    return found


def described(start, end, name):
    """Returns type, labels and presence; a series with labels begins with their first values in both."""
    if name not in end:
        return None
    kind, labels = end[name]
    presence = "" if labels else "from the start" if name in start else "with the first event"
    return kind, ", ".join("`%s`" % each for each in sorted(labels)) or "none", presence


def rows(original_start, original_end, ours_start, ours_end):
    for name in sorted(set(original_end) | set(ours_end)):
        theirs, ours = described(original_start, original_end, name), described(ours_start, ours_end, name)
        if OF_GO.match(name) or theirs is None:
            continue
        if ours is None:
            yield name, theirs[0], theirs[1], DROPPED.get(name, "absent")
        else:
            parts = zip(("type %s", "labels %s", "%s"), theirs, ours)
            yield name, theirs[0], theirs[1], "; ".join(text % mine for text, their, mine in parts if their != mine) or "the same"


def main(*arguments):
    write = arguments[0] == "--write"
    page, *scrapes = arguments[1:] if write else arguments
    loaded = [families(path) for path in scrapes]
    table = ["| metric | type | labels | here |", "| --- | --- | --- | --- |"]
    table += ["| `%s` | %s | %s | %s |" % row for row in rows(*loaded)]
    own = sorted(name for name in set(loaded[3]) - set(loaded[1]) if not name.endswith("_max") and not OF_GO.match(name))
    table += ["", "Only here: " + ", ".join("`%s`" % name for name in own) + ", and the greatest values `*_max`."]
    with open(page) as file:
        before, rest = file.read().split(BEGIN)
    old, after = rest.split(END)
    new = "\n".join(table) + "\n"
    if write:
        with open(page, "w") as file:
            file.write(before + BEGIN + new + END + after)
        return 0
    # A metric without an event has no row; so only rows of both are compared.
    had = {line.split("|")[1]: line for line in old.splitlines() if line.startswith("| `")}
    other = [line for line in table if line.startswith("| `") and had.get(line.split("|")[1], line) != line]
    print("\n".join(other) or "%d rows of the page are right" % len(had))
    return 1 if other else 0


sys.exit(main(*sys.argv[1:]))
