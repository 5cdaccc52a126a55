"""Goldens: what kube-controller-manager left behind, as often as it was asked; and how a run is held against that.

The state must be equal. So must the events, but for counts that were not the same in each recording. Writes of pods must be
as many; status, Endpoints and events may be written less often, not clearly more often. Refused requests are only noted.
"""
import difflib
import json
import re

from state import EVENT_FIELDS

# As often as the controller finds useful.
ELASTIC = re.compile(r"^(update|patch) (replicasets/status|replicationcontrollers/status|endpoints)|"
                     r"^(create|delete) endpoints|events")
REFUSED = " -> "


def diff(wanted, got):
    texts = [json.dumps(state, indent=1, sort_keys=True).splitlines() for state in (wanted, got)]
    return "\n".join("    " + line for line in difflib.unified_diff(*texts, "golden", "actual", lineterm="", n=4))


def _event_key(event):
    return tuple(event[field] for field in EVENT_FIELDS)


def compare_events(golden, got):
    """What is wrong with the events."""
    wanted = {_event_key(event): event for event in golden}
    actual = {_event_key(event): event for event in got}
    problems = []
    for key, event in wanted.items():
        text = " | ".join(map(str, key))
        least, most = event["objects"]
        found = actual.get(key)
        if found is None:
            if least > 0:
                problems.append("event missing: " + text)
            continue
        if least == most and found["objects"] != least:
            problems.append("event %s: %d objects, golden %d" % (text, found["objects"], least))
        least, most = event["count"]
        if least == most and found["count"] != least and not event.get("retried"):
            problems.append("event %s: count %d, golden %d" % (text, found["count"], least))
    return problems + ["event not in golden: " + " | ".join(map(str, key)) for key in actual if key not in wanted]


def compare_writes(golden, got):
    """What is wrong with the number of writes, and what is worth a note."""
    if golden is None or got is None:
        return [], []
    problems, notes = [], []
    # Each is told in an event, and the next one is a patch of that: who is not refused has nothing to tell.
    tells_refusals = any(write.startswith("update endpoints" + REFUSED) for write in golden)
    for write in sorted(set(golden) | set(got)):
        least, most = golden.get(write, [0, 0])
        count = got.get(write, 0)
        if least <= count <= most:
            continue
        text = "writes: %s: %d, golden %d..%d" % (write, count, least, most)
        tolerated = most + max(3, (most * 3 + 9) // 10)
        least_tolerated = 0 if write == "patch events" and tells_refusals else 1
        if REFUSED in write or (ELASTIC.search(write) and least_tolerated <= count <= tolerated):
            notes.append(text)
        else:
            problems.append(text)
    return problems, notes


def _range(numbers):
    return [min(numbers), max(numbers)]


def merge(name, server, runs):
    """One golden of several runs' (checkpoints, events, writes); or what differs between them."""
    first = runs[0][0]
    for number, (checkpoints, _, _) in enumerate(runs[1:], 2):
        for one, other in zip(first, checkpoints):
            if one != other:
                return None, "run %d, step %d differs from run 1\n%s" % (
                    number, one["step"], diff(one["state"], other["state"]))
    by_run = [{_event_key(event): event for event in events} for _, events, _ in runs]
    events = []
    for key in sorted(set().union(*by_run), key=lambda key: list(map(str, key))):
        found = [run.get(key, {"objects": 0, "count": 0}) for run in by_run]
        event = dict(zip(EVENT_FIELDS, key), objects=_range([e["objects"] for e in found]),
                     count=_range([e["count"] for e in found]))
        if event["reason"].startswith("Failed"):
            event["retried"] = True
        events.append(event)
    golden = {"scenario": name, "recorded": {"server": server, "runs": len(runs)}, "checkpoints": first, "events": events}
    if all(writes is not None for _, _, writes in runs):
        kinds = set().union(*(writes for _, _, writes in runs))
        golden["writes"] = {kind: _range([writes.get(kind, 0) for _, _, writes in runs]) for kind in kinds}
    return golden, None
