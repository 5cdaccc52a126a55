"""Holds made-up conversations of server-side apply with kube-apiserver and with Kubeloop's API server, and compares every answer. See e2e/apply-differential.sh.

The answers are compared without UIDs, addresses and creation times. Versions are compared by when they change. Times of managed fields have a precision of seconds:
most conversations are held at full speed and compare only whether there is a time; paced ones pause for a second before each request, and compare when times change.
"""
import argparse
import concurrent.futures
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse

from apply_conversation import Maker, available, encoded
from kubeapi import Config, Kube
from servers import E2E, kube_binaries, remove, start_embedded

NAMESPACE = "apply"


class Server:
    """Sends requests over one connection per thread."""

    def __init__(self, config):
        self.config = config
        self.local = threading.local()

    def ask(self, step, data):
        target = step.path + ("?" + urllib.parse.urlencode(step.query) if step.query else "")
        headers = {"User-Agent": step.agent, "Accept": "application/json", **self.config.headers}
        if data is not None:
            headers["Content-Type"] = step.content
        for again in (True, False):
            connection = getattr(self.local, "connection", None)
            try:
                if connection is None:
                    connection = self.local.connection = self.config.connect(30)
                connection.request(step.method, target, data, headers)
                response = connection.getresponse()
                payload = response.read()
                if response.will_close:
                    connection.close()
                    self.local.connection = None
                return response.status, json.loads(payload)
            except (http.client.HTTPException, OSError):
                if connection is not None:
                    connection.close()
                self.local.connection = None
                if not again:
                    raise
        return None


class Cleaner:
    """Replaces what differs from run to run by what can be compared. One for each server and conversation."""

    def __init__(self, paced):
        self.paced = paced
        self.versions, self.times, self.uids, self.addresses = {}, {}, {}, {}

    @staticmethod
    def number(seen, value, prefix):
        return "<%s %d>" % (prefix, seen.setdefault(value, len(seen) + 1))

    def clean(self, status, answer):
        text = json.dumps(answer)
        for uid in re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", text):
            self.number(self.uids, uid, "uid")
        for uid, number in self.uids.items():
            text = text.replace(uid, "<uid %d>" % number)
        answer = json.loads(text)
        self.visit(answer)
        if answer.get("kind") == "Status" and isinstance(answer.get("details"), dict) and "causes" in answer["details"]:
            # The order of conflicts with several managers is that of a Go map.
            answer["details"]["causes"].sort(key=lambda cause: json.dumps(cause, sort_keys=True))
        return {"status": status, "body": answer}

    def visit(self, value):
        if isinstance(value, list):
            for item in value:
                self.visit(item)
        elif isinstance(value, dict):
            meta = value.get("metadata")
            if isinstance(meta, dict):
                self.metadata(meta)
            if isinstance(value.get("clusterIP"), str):
                value["clusterIP"] = self.address(value["clusterIP"])
                value["clusterIPs"] = [self.address(ip) for ip in value.get("clusterIPs") or []]
            for item in value.values():
                self.visit(item)

    def address(self, ip):
        return ip if ip in ("None", "") else self.number(self.addresses, ip, "address")

    def metadata(self, meta):
        for name in ("creationTimestamp", "deletionTimestamp"):
            if meta.get(name):
                meta[name] = "<time>"
        if meta.get("resourceVersion"):
            meta["resourceVersion"] = self.number(self.versions, meta["resourceVersion"], "version")
        entries = meta.get("managedFields")
        if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
            if self.paced:
                for entry in entries:
                    if entry.get("time"):
                        entry["time"] = self.number(self.times, entry["time"], "time")
            else:
                for entry in entries:
                    if entry.get("time"):
                        entry["time"] = "<time>"
                entries.sort(key=lambda entry: [str(entry.get(key)) for key in ("operation", "manager", "apiVersion", "subresource")])


def differences(real, ours, path=""):
    """The places in which two answers differ: (path, real value, our value)."""
    if isinstance(real, dict) and isinstance(ours, dict):
        found = []
        for key in sorted(set(real) | set(ours)):
            place = path + "." + key if path else key
            if key not in real or key not in ours:
                found.append((place, real.get(key, "(absent)"), ours.get(key, "(absent)")))
            else:
                found += differences(real[key], ours[key], place)
        return found
    if isinstance(real, list) and isinstance(ours, list) and len(real) == len(ours):
        return [found for index, pair in enumerate(zip(real, ours)) for found in differences(*pair, "%s[%d]" % (path, index))]
    return [] if type(real) is type(ours) and real == ours else [(path, real, ours)]


class Held:
    """What one server answered in a conversation."""

    def __init__(self, server, maker, steps):
        cleaner, self.answers, self.sent = Cleaner(maker.paced), [], []
        current = maker.kind.object(maker.name)
        try:
            for step in steps:
                if maker.paced:
                    time.sleep(1.02 - time.time() % 1)
                data = encoded(step, json.loads(json.dumps(current)))
                status, answer = server.ask(step, data)
                if answer.get("kind") == maker.kind.kind and status < 300 and "dryRun" not in step.query:
                    current = answer
                self.sent.append(data)
                self.answers.append(cleaner.clean(status, answer))
        finally:
            for step in maker.cleanup():
                server.ask(step, encoded(step, None))


def hold(seed, options, real, ours):
    """Holds a conversation with both servers; returns what differs, as lines, and whether it could be compared."""
    paced = seed in options.paced_seeds
    for _ in range(options.attempts):
        lines = []
        made = [Maker(seed, NAMESPACE, options.kinds, paced) for _ in (real, ours)]
        steps = [maker.steps() for maker in made]
        held = [Held(server, maker, listed) for server, maker, listed in zip((real, ours), made, steps)]
        for index, step in enumerate(steps[0]):
            found = differences(held[0].answers[index], held[1].answers[index])
            if found:
                lines.append("seed %s (%s), step %d: %s" % (seed, made[0].kind.kind, index, step))
                lines += ["    before: %s %s" % (earlier, (held[0].sent[i] or b"").decode()[:1500]) for i, earlier in enumerate(steps[0][:index])] if options.verbose else []
                lines.append("    sent: %s" % (held[0].sent[index] or b"").decode()[:3000])
                lines += ["    %s\n        real: %s\n        ours: %s" % (place, json.dumps(one)[:1500], json.dumps(two)[:1500]) for place, one, two in found[:12]]
                break  # what follows follows from it
        if not lines:
            return [], len(steps[0])
    return lines, len(steps[0])


def start_real(directory):
    subprocess.check_call([os.path.join(E2E, "up.sh"), "--dir", directory], env=dict(os.environ, KUBEBUILDER_ASSETS=kube_binaries()), stdout=subprocess.DEVNULL)
    return Config(os.path.join(directory, "admin.kubeconfig"))


def start_ours(directory):
    process, kubeconfig = start_embedded(directory, "--enable-garbage-collector=false")
    return process, Config(kubeconfig)


def parse():
    parser = argparse.ArgumentParser(prog="e2e/apply-differential.sh", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500, help="the number of conversations (default %(default)s)")
    parser.add_argument("--seed", type=int, help="the first seed; default: another one each time")
    parser.add_argument("--paced", type=int, default=-1, help="how many of them are paced (default: one of fifty)")
    parser.add_argument("--kinds", default="", help="the kinds, separated by commas; default: all that both servers have")
    parser.add_argument("--jobs", type=int, default=4, help="conversations at a time (default %(default)s)")
    parser.add_argument("--attempts", type=int, default=2, help="how often a conversation must differ to be reported: a second may end during one (default %(default)s)")
    parser.add_argument("--show", type=int, default=20, help="the number of differences that are printed (default %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="also print the requests before a difference")
    parser.add_argument("--real", help="kubeconfig of a kube-apiserver that runs already")
    parser.add_argument("--ours", help="kubeconfig of a Kubeloop API server that runs already")
    return parser.parse_args()


def main():
    options = parse()
    scratch = tempfile.mkdtemp(prefix="kubeloop-apply-")
    process = None
    try:
        real = Server(Config(options.real) if options.real else start_real(scratch))
        if options.ours:
            ours = Server(Config(options.ours))
        else:
            process, config = start_ours(scratch)
            ours = Server(config)
        return run(options, real, ours)
    finally:
        if process is not None:
            process.stop()
        if not options.real:
            subprocess.call([os.path.join(E2E, "down.sh"), "--dir", scratch], stdout=subprocess.DEVNULL)
        remove(scratch)


def serves(server, kind):
    try:
        Kube(server.config, "apply-differential/1").get(kind.path(NAMESPACE))
        return True
    except Exception:  # whatever the reason, the kind cannot be compared
        return False


def run(options, real, ours):
    for server in (real, ours):
        Kube(server.config, "apply-differential/1").raw("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    wanted = available([name for name in options.kinds.split(",") if name])
    options.kinds = [kind for kind in wanted if serves(real, kind) and serves(ours, kind)]
    absent = [kind.kind for kind in wanted if kind not in options.kinds]
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(10 ** 6) * 1000
    seeds = range(first, first + options.count)
    paced = options.count // 50 if options.paced < 0 else options.paced
    options.paced_seeds = set(list(seeds)[:paced])
    print("seed %d, %d conversations, %d paced; kinds: %s%s" % (
        first, options.count, paced, " ".join(kind.kind for kind in options.kinds), "; not served: " + " ".join(absent) if absent else ""), flush=True)
    differing, requests, shown, began = 0, 0, 0, time.time()
    pools = [(concurrent.futures.ThreadPoolExecutor(max(1, min(64, paced))), [seed for seed in seeds if seed in options.paced_seeds]),
             (concurrent.futures.ThreadPoolExecutor(options.jobs), [seed for seed in seeds if seed not in options.paced_seeds])]
    running = [pool.submit(hold, seed, options, real, ours) for pool, listed in pools for seed in listed]
    for done, future in enumerate(concurrent.futures.as_completed(running), 1):
        try:
            lines, count = future.result()
        except Exception:
            lines, count = ["no comparison:", traceback.format_exc()], 0
        requests += count
        if lines:
            differing += 1
            if shown < options.show:
                shown += 1
                print("\n".join(lines), flush=True)
        if done % 500 == 0:
            print("%d conversations, %d differ, %.0f s" % (done, differing, time.time() - began), flush=True)
    print("apply differential: seed %d, %d conversations, %d requests, %d differ, %.0f s" % (
        first, options.count, requests, differing, time.time() - began), flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
