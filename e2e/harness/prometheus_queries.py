"""Asks a Prometheus, and compares the answers about two managers:
prometheus_queries.py ask URL QUERIES.TSV [CHECKOUT]     the queries of the file, and those of kube-prometheus' dashboard in a checkout
prometheus_queries.py compare ORIGINAL OURS              two outputs of ask
prometheus_queries.py alerts ORIGINAL OURS               two answers of /api/v1/rules
prometheus_queries.py up ORIGINAL OURS                   two answers to the query up
The comparisons print each difference, and end with 1 if there is one that is not expected."""
import json
import re
import sys
import urllib.parse
import urllib.request

# Queries that only the original answers: a JVM has no goroutines.
ONLY_ORIGINAL = {"go_goroutines"}
# Labels in which two managers differ by their nature.
OF_A_RUN = ("instance", "host", "__name__")


def dashboard(checkout):
    """Yields the titles and queries of the dashboard of controller managers."""
    with open(checkout + "/manifests/grafana-dashboardDefinitions.yaml") as file:
        text = re.search(r"\n    controller-manager\.json: \|-\n((?:      .*\n|\n)+)", file.read()).group(1)
    for panel in json.loads(text).get("panels", []):
        for target in panel.get("targets", []):
            query = target["expr"].replace('cluster="$cluster", ', "").replace("$instance", ".*").replace("$__rate_interval", "20s")
            yield "dashboard: " + panel["title"], query


def ask(url, queries, checkout=None):
    with open(queries) as file:
        asked = [line.rstrip("\n").split("\t") for line in file]
    if checkout:
        asked += dashboard(checkout)
    for title, query in asked:
        with urllib.request.urlopen(url + "/api/v1/query?" + urllib.parse.urlencode({"query": query})) as answer:
            result = json.load(answer)["data"]["result"]
        found = sorted({tuple(sorted((k, v) for k, v in each["metric"].items() if k not in OF_A_RUN)) for each in result
                        if each["value"][1] != "NaN"})
        print(json.dumps([title, query, [dict(each) for each in found]]))


def compare(original, ours):
    failed = False
    with open(original) as first, open(ours) as second:
        for one, other in zip(map(json.loads, first), map(json.loads, second), strict=True):
            title, query, theirs = one
            mine = other[2]
            expected = any(name in query for name in ONLY_ORIGINAL)
            differs = bool(theirs) != bool(mine) and not expected
            failed |= differs
            print("%s %s: %d series of the original, %d here" % ("DIFFERS" if differs else "ok", title, len(theirs), len(mine)))
            for side, found, rest in (("original", theirs, mine), ("here", mine, theirs)):
                only = [" ".join(each.values()) for each in found if each not in rest]
                if only and rest:
                    print("    only %s: %s" % (side, ", ".join(only)))
    return failed


def active(path):
    with open(path) as file:
        groups = json.load(file)["data"]["groups"]
    return {rule["name"] for group in groups for rule in group["rules"] if rule["state"] != "inactive"}, sum(len(group["rules"]) for group in groups)


def alerts(original, ours):
    (theirs, count), (mine, _) = active(original), active(ours)
    print("%d rules; active in both: %s" % (count, ", ".join(sorted(theirs & mine)) or "none"))
    for side, only in (("original", theirs - mine), ("here", mine - theirs)):
        if only:
            print("active only %s: %s" % (side, ", ".join(sorted(only))))
    return theirs != mine


def up(*answers):
    down = []
    for answer in answers:
        with open(answer) as file:
            result = json.load(file)["data"]["result"]
        down += [each["metric"] for each in result if each["value"][1] != "1"]
        down += ["%s: %d endpoints" % (answer, len(result))] if len(result) != 2 else []
    print(down)
    return bool(down)


sys.exit({"ask": ask, "compare": compare, "alerts": alerts, "up": up}[sys.argv[1]](*sys.argv[2:]) or 0)
