#!/usr/bin/env python3
"""Writes the answers of kube-apiserver to made-up objects of some kinds as vectors for unit tests.

    kind_vectors.py --recorded DIR --out DIR KEY...

DIR holds what `e2e/conversations.sh --real-only --record DIR` wrote; a KEY is such as apps/v1/deployments. A vector file has the objects as they were sent and as the
server returned them, and for each change of the rich object the path, the new value and the message of the refusal.
"""
import argparse
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from conversation_kinds import KindConversation, absent, bad_values, found, other_value, places, replaced, shown  # noqa: E402
from conversation_objects import OBJECTS  # noqa: E402


class Replay:
    """Stands for a server whose answers are known."""

    def __init__(self, name):
        self.name = name


def resource(key, recorded):
    version, _, plural = key.rpartition("/")
    sample = next(iter(recorded.values()))
    return {"groupVersion": version, "name": plural, "namespaced": "/namespaces/" in sample["request"] and plural != "namespaces",
            "kind": recorded["create minimal, dry run"]["body"]["kind"], "verbs": [], "subresources": []}


def namespace_of(title):
    version, _, plural = title.rpartition("/")
    return ("c-" + plural + "-" + re.sub(r"[./]", "-", version.replace(".k8s.io", ""))).lower().rstrip("-")


def outcome(answer):
    """The message of a refusal, "" for success, None for what the decoder, the compiler of expressions or something else refused, and for no answer."""
    status = answer["status"]
    if not isinstance(answer["body"], dict):
        return None
    if "compilation failed" in str(answer["body"].get("message")):
        return None
    return "" if status in (200, 201) else answer["body"].get("message") if status == 422 else None


ADMITTED = ("spec.priority", "spec.preemptionPolicy", "spec.tolerations[1]", "spec.tolerations[2]")


def thinned(cases):
    """All cases, but of those whose message has a difference of two specs only each fifth."""
    long = [case for case in cases if "@@" in case["message"]]
    dropped = [case for number, case in enumerate(long) if number % 5]
    return [case for case in cases if not any(case is other for other in dropped)]


def vectors(key, recorded):
    talk = KindConversation(Replay(namespace_of(key)), resource(key, recorded))
    result = {"key": key, "cases": [], "updates": []}
    for name, letter, member in (("minimal", "a", "minimal"), ("rich", "b", "rich")):
        sent = talk.thing(letter, member)
        result[name] = {"sent": sent, "stored": recorded["create " + name]["body"]}
    for words, members in talk.entry.get("invalid", []):
        answer = recorded.get("create " + words)
        if isinstance(answer, dict) and outcome(answer) is not None:
            result["cases"].append({"step": "create " + words, "merge": members, "message": outcome(answer)})
    body = {k: v for k, v in talk.thing("f", "rich").items() if k not in ("apiVersion", "kind", "metadata")}
    result["whole"] = talk.thing("f", "rich")
    for place in places(body):
        value, words = found(body, place), "create with %s " % shown(place)
        for how, other in [("left out", None)] + list(bad_values(value)):
            answer = recorded.get(words + how)
            if isinstance(answer, dict) and outcome(answer) is not None:
                case = {"path": place, "message": outcome(answer)}
                if how != "left out":
                    case["value"] = other
                result["cases"].append(case)
    last = None
    for step, answer in recorded.items():
        body = answer.get("body") if isinstance(answer, dict) else None
        if isinstance(body, dict) and body.get("metadata", {}).get("name") == talk.name("b") and answer["status"] in (200, 201) and body.get("kind") == talk.listed["kind"] \
                and step.startswith(("create rich", "get b", "status", "put scale", "finalize")) and "table" not in step and "partial" not in step and "dry" not in step:
            last = body
    result["old"] = last
    body = {k: v for k, v in last.items() if k not in ("apiVersion", "kind", "metadata", "status")}
    for place in places(body):
        if shown(place).startswith(ADMITTED):
            continue  # admission sets these again
        other, words = other_value(found(body, place)), "update with %s " % shown(place)
        for how, value in [("changed", other)] * (other is not None) + [("left out", None)]:
            answer = recorded.get(words + how)
            if isinstance(answer, dict) and outcome(answer) is not None:
                case = {"path": place, "message": outcome(answer)}
                if how == "changed":
                    case["value"] = value
                result["updates"].append(case)
    result["updates"] = thinned(result["updates"])
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recorded", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("keys", nargs="+")
    given = options.parse_args()
    for key in given.keys:
        name = key.replace("/", "_")
        with open(os.path.join(given.recorded, name + ".json")) as file:
            recorded = json.load(file)
        result = vectors(key, recorded)
        for which in ("minimal", "rich"):
            result[which]["stored"]["metadata"].pop("managedFields", None)
        if result["old"]:
            result["old"]["metadata"].pop("managedFields", None)
        with open(os.path.join(given.out, name + ".json"), "w") as file:
            head = {k: v for k, v in result.items() if k not in ("cases", "updates")}
            lines = json.dumps(head, separators=(",", ":"))[:-1]
            for part in ("cases", "updates"):
                lines += ',\n"%s":[\n' % part + ",\n".join(json.dumps(c, separators=(",", ":")) for c in result[part]) + "]"
            file.write(lines + "}\n")


main()
