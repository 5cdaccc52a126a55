"""Runs conformance tests of Kubernetes by name, several processes side by side, and prints a table. See e2e/conformance.sh."""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from kubeapi import Config
from servers import E2E, remove

ATTAINABLE = os.path.join(E2E, "conformance", "attainable.txt")
WAITING = os.path.join(E2E, "conformance", "waiting.tsv")


def lines(path):
    with open(path, encoding="utf-8") as source:
        return [line.rstrip("\n") for line in source if line.strip()]


def waiting():
    """Test name to what it waits for."""
    return dict(line.split("\t") for line in lines(WAITING))


def run(names, number, options):
    """Runs some tests in one process."""
    regex = "|".join(re.sub(r"([\][\\.^$*+?(){}|/])", r"\\\1", name) for name in names)
    path = os.path.join(options.out, "part-%s" % number)
    config = Config(options.kubeconfig)
    url = "%s://%s:%d" % ("https" if config.tls else "http", config.host, config.port)
    with open(path + ".log", "w", encoding="utf-8") as log:
        subprocess.call([
            options.binary, "--ginkgo.focus=" + regex, "--ginkgo.no-color", "--ginkgo.timeout=" + options.timeout, "--ginkgo.poll-progress-after=0",
            "--ginkgo.json-report=" + path + ".json", "--provider=skeleton", "--kubeconfig=" + options.kubeconfig, "--host=" + url,
            "--kubectl-path=" + options.kubectl, "--allowed-not-ready-nodes=-1", "--node-schedulable-timeout=10s", "--disable-log-dump",
            "--e2e-verify-service-account=true"], stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def results(directory):
    """Test name to (passed, seconds, message), from the reports of all processes; the empty name stands for tests without a result."""
    found = {"": (False, 0.0, "no result: its process ended before")}
    for path in sorted(glob.glob(os.path.join(directory, "part-*.json"))):
        with open(path, encoding="utf-8") as source:
            suites = json.load(source)
        for spec in suites[0]["SpecReports"] or []:
            message = " ".join((spec.get("Failure") or {}).get("Message", "").split())
            if "BeforeSuite" in spec["LeafNodeType"] and message:
                found[""] = (False, 0.0, "no result: before all tests: " + message)
            if spec["LeafNodeType"] == "It" and spec["State"] not in ("skipped", "pending"):
                name = " ".join((spec["ContainerHierarchyTexts"] or []) + [spec["LeafNodeText"]])
                found[name] = (spec["State"] == "passed", spec["RunTime"] / 1e9, message)
    return found


def main():
    parser = argparse.ArgumentParser(prog="e2e/conformance.sh", description=__doc__)
    parser.add_argument("--binary", help=argparse.SUPPRESS)
    parser.add_argument("--kubectl", help=argparse.SUPPRESS)
    parser.add_argument("--kubeconfig", metavar="FILE", help="another server; default: starts ./kubeloop apiserver and its controllers")
    parser.add_argument("--list", default=ATTAINABLE, metavar="FILE", help="names of tests, one a line; default conformance/attainable.txt")
    parser.add_argument("--focus", default=".", metavar="REGEX", help="only tests whose name matches")
    parser.add_argument("--all", action="store_true", help="also the tests of conformance/waiting.tsv, which need something that does not exist yet")
    parser.add_argument("--procs", type=int, default=6, help="processes side by side; default 6. Tests marked [Serial] follow, one by one")
    parser.add_argument("--timeout", default="40m", help="limit for each process; default 40m")
    parser.add_argument("--out", metavar="DIR", help="where logs and reports are left; default: nowhere")
    options = parser.parse_args()
    reasons = waiting()
    matching = [name for name in lines(options.list) if re.search(options.focus, name)]
    names = matching if options.all else [name for name in matching if name not in reasons]
    scratch = None if options.out else tempfile.mkdtemp(prefix="kubeloop-conformance-")
    options.out = options.out or scratch
    os.makedirs(options.out, exist_ok=True)
    for old in glob.glob(os.path.join(options.out, "part-*")):
        os.remove(old)
    serial = [name for name in names if "[Serial]" in name]
    parallel = [name for name in names if "[Serial]" not in name]
    try:
        with concurrent.futures.ThreadPoolExecutor(options.procs) as pool:
            list(pool.map(lambda number: run(parallel[number::options.procs], number, options), range(min(options.procs, len(parallel)))))
        if serial:
            run(serial, "serial", options)
        found = results(options.out)
    finally:
        if scratch:
            remove(scratch)
    return report(names, found, {name: reasons[name] for name in matching if name not in names}, reasons)


def report(names, found, left_out, reasons):
    """Prints a line per test and a table per sig; returns the exit status."""
    absent = found[""]
    for name in sorted(names, key=lambda name: (not found.get(name, absent)[0], name)):
        passed, seconds, message = found.get(name, absent)
        print("%s  %6.1f s  %s" % ("pass" if passed else "FAIL", seconds, name))
        if not passed:
            print("      " + message[:600])
            if name in reasons:
                print("      it waits for: " + reasons[name])
    table = collections.defaultdict(lambda: [0, 0, 0])
    for name in names:
        table[name.split("]")[0] + "]"][0 if found.get(name, absent)[0] else 1] += 1
    for name in left_out:
        table[name.split("]")[0] + "]"][2] += 1
    print("\n%-24s %6s %6s %8s" % ("sig", "passed", "failed", "waiting"))
    for sig, counts in sorted(table.items()):
        print("%-24s %6d %6d %8d" % (sig, *counts))
    for reason, count in sorted(collections.Counter(left_out.values()).items()):
        print("waiting for %s: %d" % (reason, count))
    passed = sum(found.get(name, absent)[0] for name in names)
    print("conformance: %d passed, %d failed, %d wait" % (passed, len(names) - passed, len(left_out)))
    return 0 if passed == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
