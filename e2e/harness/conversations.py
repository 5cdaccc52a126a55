"""Holds the same conversations with kube-apiserver and with Kubeloop's API server, and reports where the answers differ. See e2e/conversations.sh.

An answer is its status, content type, warnings and body, without what differs from run to run. The real server is asked twice, each time when it is
new; an answer that is not the same both times is not compared.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

from conversation import Conversation, differences
from conversation_general import GENERAL
from conversation_kinds import KindConversation
from conversation_objects import OBJECTS
from kubeapi import Config, Kube
from servers import DUAL_STACK, E2E, kube_binaries, remove, start_embedded

UNSTABLE = "unstable"


class Real:
    """kube-apiserver of the current release."""

    def __init__(self, directory):
        self.directory = directory
        subprocess.check_call([os.path.join(E2E, "up.sh"), "--dir", directory, "--", DUAL_STACK],
                              env=dict(os.environ, KUBEBUILDER_ASSETS=kube_binaries()), stdout=subprocess.DEVNULL)
        self.config = Config(os.path.join(directory, "admin.kubeconfig"))

    def close(self):
        subprocess.call([os.path.join(E2E, "down.sh"), "--dir", self.directory])


class Ours:
    """./kubeloop apiserver."""

    def __init__(self, directory, flags):
        self.process, kubeconfig = start_embedded(directory, DUAL_STACK, "--enable-garbage-collector=false", *flags)
        self.config = Config(kubeconfig)

    def close(self):
        self.process.stop()


def discovered(config):
    """The resources of a server: APIResources with groupVersion and a list of subresources."""
    api, found = Kube(config, "conversation/1"), []
    versions = ["/api/v1"] + ["/apis/" + v["groupVersion"] for g in api.get("/apis")["groups"] for v in g["versions"]]
    for path in versions:
        document = api.get(path)
        resources = {}
        for resource in document["resources"]:
            if "/" in resource["name"]:
                resources[resource["name"].split("/")[0]]["subresources"].append(resource)
            else:
                resources[resource["name"]] = dict(resource, groupVersion=document["groupVersion"], subresources=[])
        found += resources.values()
    return found


def namespace_of(title):
    """A namespace for a conversation."""
    version, _, plural = title.rpartition("/")
    return ("c-" + plural + "-" + re.sub(r"[./]", "-", version.replace(".k8s.io", ""))).lower().rstrip("-")


def hold(config, title, resources):
    """Holds one conversation; returns its steps."""
    talk = Conversation(config, namespace_of(title))
    try:
        if title != "start":
            talk.ask(None, "POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": talk.name}}, keep=False)
        if title in GENERAL:
            GENERAL[title](talk, resources)
        else:
            listed = next(r for r in resources if r["groupVersion"] + "/" + r["name"] == title)
            KindConversation(talk, listed).run()
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        # An answer of another form than expected, such as a text in place of an object; what comes after it is not asked.
        talk.steps["the conversation broke off: %r" % error] = {"request": "", "status": 0, "body": traceback.format_exc()}
    finally:
        talk.close()
    return talk.steps


def hold_all(config, titles, resources, jobs):
    """Holds conversations side by side, but those about the start and admission before all others; yields (title, steps)."""
    alone = [title for title in ("start", "admission") if title in titles]
    for title in alone:
        yield title, hold(config, title, resources)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(hold, config, title, resources): title for title in titles if title not in alone}
        for done in concurrent.futures.as_completed(running):
            yield running[done], done.result()


def file_of(directory, title):
    return os.path.join(directory, title.replace("/", "_") + ".json")


def save(path, value):
    with open(path + ".part", "w", encoding="utf-8") as out:
        json.dump(value, out, indent=0, sort_keys=False)
        out.write("\n")
    os.replace(path + ".part", path)


def load(path):
    with open(path, encoding="utf-8") as source:
        return json.load(source)


def record(directory, wanted, options):
    """Asks the real server, twice, and stores the answers."""
    os.makedirs(directory, exist_ok=True)
    runs, resources = [], []
    for _ in range(2):
        scratch = tempfile.mkdtemp(prefix="kubeloop-real-")
        real = Real(scratch)
        try:
            resources = discovered(real.config)
            titles = titles_of(resources, wanted)
            runs.append(dict(hold_all(real.config, titles, resources, options.jobs)))
        finally:
            real.close()
            remove(scratch)
    broken = [step for run in runs for steps in run.values() for step in steps if step.startswith("the conversation broke off")]
    if broken:
        raise SystemExit("conversations: the real server gave an answer that is not expected: " + broken[0])
    save(os.path.join(directory, "resources.json"), resources)
    unstable = 0
    for title, steps in runs[0].items():
        again = runs[1][title]
        for step, answer in steps.items():
            places = judged(answer, again.get(step, {}))
            if places:
                answer[UNSTABLE] = places[:3]
                unstable += 1
        save(file_of(directory, title), steps)
    print("recorded: %d conversations, %d answers, %d of them not the same twice" % (
        len(runs[0]), sum(map(len, runs[0].values())), unstable), flush=True)


def titles_of(resources, wanted):
    known = [r["groupVersion"] + "/" + r["name"] for r in resources]
    missing = [title for title in known if re.search(wanted, title) and title not in OBJECTS and not title.endswith("componentstatuses")]
    if missing:
        raise SystemExit("conversations: no objects for " + ", ".join(missing))
    return [title for title in list(GENERAL) + [title for title in known if title in OBJECTS] if re.search(wanted, title)]


def judged(one, other):
    """The differences between two answers to a request; the request itself may name a version."""
    return [place for place in differences(one, other) if place[0] != "request"]


def bare(value):
    """The value without managed fields."""
    if isinstance(value, dict):
        return {key: bare(item) for key, item in value.items() if key != "managedFields"}
    if isinstance(value, list):
        return [bare(item) for item in value]
    return value


class Report:
    """Counts per conversation, and the differences themselves."""

    def __init__(self):
        self.rows, self.found = [], []

    def add(self, title, real, ours):
        same = different = managers = skipped = 0
        for step, answer in real.items():
            if UNSTABLE in answer:
                skipped += 1
                continue
            other = ours.get(step, {"status": "not asked"})
            places = judged(answer, other)
            if not places:
                same += 1
                continue
            different += 1
            plain = judged(bare(answer), bare(other))
            managers += not plain
            self.found.append((title, step, answer, other, plain or places, not plain))
        self.rows.append((title, same, different, managers, skipped))

    def table(self):
        lines = ["%-62s %6s %9s %20s %8s" % ("conversation", "same", "different", "(managedFields only)", "unstable")]
        for row in sorted(self.rows):
            lines.append("%-62s %6d %9d %20d %8d" % row)
        return "\n".join(lines)

    def listing(self, managed):
        """A block of lines per different answer."""
        for title, step, answer, other, places, only_managers in sorted(self.found, key=lambda f: f[0]):
            if only_managers and not managed:
                continue
            yield "%s | %s | %s\n" % (title, step, answer["request"]) + "".join(
                "    %s\n        real %s\n        ours %s\n" % (path, short(one), short(two)) for path, one, two in places[:6]) + (
                    "    and %d more\n" % (len(places) - 6) if len(places) > 6 else "")

    def total(self):
        return sum(row[1] for row in self.rows), sum(row[2] for row in self.rows), sum(row[3] for row in self.rows)


def short(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else text[:400] + "…"


def compare(directory, wanted, options):
    """Asks our server, and compares with the stored answers."""
    resources = load(os.path.join(directory, "resources.json"))
    titles = [title for title in titles_of(resources, wanted) if os.path.exists(file_of(directory, title))]
    if not titles:
        raise SystemExit("conversations: no stored answers for " + wanted)
    report = Report()
    scratch = tempfile.mkdtemp(prefix="kubeloop-conversations-")
    ours = Ours(scratch, options.flag)
    try:
        for title, steps in hold_all(ours.config, titles, resources, options.jobs):
            report.add(title, load(file_of(directory, title)), steps)
        ours.process.check()
    finally:
        ours.close()
        remove(scratch)
    listing = list(report.listing(options.managed))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            out.write("\n".join(listing))
    for block in listing[:options.show]:
        print(block)
    print(report.table())
    same, different, managers = report.total()
    print("conversations: %d same, %d different (%d of them only in managedFields)" % (same, different, managers))
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(prog="e2e/conversations.sh", description=__doc__)
    parser.add_argument("--kinds", default=".", metavar="REGEX", help="conversations whose title matches: a title is a group, version and plural such as "
                        "apps/v1/deployments, or one of " + ", ".join(GENERAL))
    parser.add_argument("--real-only", action="store_true", help="asks the real server only; with --record")
    parser.add_argument("--record", metavar="DIR", help="stores the real server's answers there")
    parser.add_argument("--against", metavar="DIR", help="compares with the answers stored there; no real server is started")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="prints so many differences; default 20")
    parser.add_argument("--managed", action="store_true", help="prints also differences that are only in managedFields")
    parser.add_argument("--out", metavar="FILE", help="writes all differences into a file")
    parser.add_argument("--flag", action="append", default=[], metavar="FLAG", help="a further flag of our server, such as --flag=--simulate-kubelet")
    parser.add_argument("-j", "--jobs", type=int, default=4, help="conversations side by side; default 4")
    options = parser.parse_args()
    if options.real_only and not options.record:
        parser.error("--real-only stores its answers: name a directory with --record")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    directory = options.against or options.record or tempfile.mkdtemp(prefix="kubeloop-answers-")
    try:
        if not options.against:
            record(directory, options.kinds, options)
        return 0 if options.real_only else compare(directory, options.kinds, options)
    finally:
        if not options.against and not options.record:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
