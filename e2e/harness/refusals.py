"""Sends requests that a server must refuse to kube-apiserver and to Kubeloop's API server, and compares code, headers and body. See e2e/refusals.sh."""
import argparse
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

import refusals_declared
import refusals_members
from kubeapi import Config, wait_until
from servers import E2E, kube_binaries, remove, start_embedded

NAMESPACE = "refusals"
HERE = "/api/v1/namespaces/" + NAMESPACE
PODS, MAPS = HERE + "/pods", HERE + "/configmaps"
BUDGETS = "/apis/policy/v1/namespaces/%s/poddisruptionbudgets" % NAMESPACE
DEPLOYMENTS = "/apis/apps/v1/namespaces/%s/deployments" % NAMESPACE
CLAIMS = "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims" % NAMESPACE
SLICES = "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices" % NAMESPACE
REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
JSON, APPLY = "application/json", "application/apply-patch+yaml"
STRATEGIC, MERGE, PATCH = "application/strategic-merge-patch+json", "application/merge-patch+json", "application/json-patch+json"


def config_map(name, **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": dict(metadata, name=name), "data": {"a": "1"}}


def container(name="c", **members):
    return dict(members, name=name, image="i:1")


def amounts(**lists):
    return {"resources": lists}


def pod(name, *containers, labels=None, **spec):
    metadata = {"name": name, "labels": labels} if labels else {"name": name}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": dict(spec, containers=list(containers) or [container()])}


def named(kind, version, name, **members):
    return dict(members, apiVersion=version, kind=kind, metadata={"name": name})


def resized(member="containers", name="c", **lists):
    return {"spec": {member: [{"name": name, "resources": lists}]}}


def node(name):
    return {"target": {"kind": "Node", "name": name}}


def token(**members):
    """A continue token that some server may have issued."""
    return base64.urlsafe_b64encode(json.dumps(members).encode()).decode().rstrip("=")


SMALL, LARGE = {"cpu": "100m", "memory": "10Mi"}, {"cpu": "200m", "memory": "20Mi"}
FUTURE = 99999999999999

PREPARATION = [
    ("a namespace", "POST", "/api/v1/namespaces", named("Namespace", "v1", NAMESPACE)),
    ("a pod", "POST", PODS, pod("p", container(**amounts(requests=SMALL, limits=LARGE)))),
    ("a pod without amounts", "POST", PODS, pod("q")),
    ("a pod with init containers", "POST", PODS, pod("i", initContainers=[
        container("a", **amounts(requests={"cpu": "1"})), container("b", restartPolicy="Always", **amounts(requests={"cpu": "1"}))])),
    ("a static pod", "POST", PODS, dict(pod("m", nodeName="n"), metadata={"name": "m", "annotations": {"kubernetes.io/config.mirror": "x"}})),
    ("a pod with amounts of its own", "POST", PODS, pod("l", resources={"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}})),
    ("a pod that runs", "POST", PODS, pod("r", container(**amounts(requests=SMALL, limits=LARGE)))),
    ("its binding", "POST", PODS + "/r/binding", named("Binding", "v1", "r", **node("n"))),
    ("its status", "PATCH", PODS + "/r/status", {"status": {"containerStatuses": [
        {"name": "c", "ready": True, "restartCount": 0, "image": "i", "imageID": "", "state": {"running": {}}}]}}, MERGE),
    ("a config map", "POST", MAPS, config_map("a")),
    ("a pod of a budget", "POST", PODS, pod("e", labels={"app": "e"})),
    ("it is bound", "POST", PODS + "/e/binding", named("Binding", "v1", "e", **node("n"))),
    ("it is ready", "PATCH", PODS + "/e/status", {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}, MERGE),
    ("the budget", "POST", BUDGETS, named("PodDisruptionBudget", "policy/v1", "b", spec={"minAvailable": 1, "selector": {"matchLabels": {"app": "e"}}})),
]

RESIZES = [
    ("of a container that is absent", "p", resized(name="z", requests=SMALL), MERGE),
    ("above the limit", "p", resized(requests={"cpu": "300m"}), STRATEGIC),
    ("to another class", "p", resized(requests=LARGE, limits=LARGE), STRATEGIC),
    ("that removes a limit", "p", resized(limits={"cpu": None}), STRATEGIC),
    ("that removes a request", "l", resized(requests={"cpu": None}), STRATEGIC),
    ("to a negative amount", "p", resized(requests={"cpu": "-1"}), STRATEGIC),
    ("of something else", "p", resized(limits={"example.com/gpu": "1"}), STRATEGIC),
    ("of the policy", "p", {"spec": {"containers": [{"name": "c", "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}]}}, STRATEGIC),
    ("of a pod without amounts", "q", resized(requests={"cpu": "100m"}), STRATEGIC),
    ("of a pod that is absent", "none", resized(requests={"cpu": "100m"}), STRATEGIC),
    ("to another name", "p", [{"op": "replace", "path": "/spec/containers/0/name", "value": "z"}], PATCH),
    ("by a container", "p", [{"op": "add", "path": "/spec/containers/1", "value": {"name": "z", "image": "i"}}], PATCH),
    ("on a node that cannot", "r", resized(requests={"cpu": "120m"}), STRATEGIC),
    ("of an init container to something else", "i", resized("initContainers", "b", limits={"example.com/x": "2"}), STRATEGIC),
    ("of the policy of an init container", "i", {"spec": {"initContainers": [
        {"name": "a", "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}]}}, STRATEGIC),
    ("of a static pod", "m", resized(requests={"cpu": "2"}), STRATEGIC),
    ("of a pod by less", "l", {"spec": {"resources": {"requests": {"cpu": None}}}}, STRATEGIC),
    ("of a pod to nothing", "l", {"spec": {"resources": None}}, MERGE),
    ("of a pod to something else", "l", {"spec": {"resources": {"limits": {"hugepages-2Mi": "2Mi"}}}}, STRATEGIC),
]

METHODS = [
    ("PUT", MAPS), ("PATCH", MAPS), ("POST", MAPS + "/a"), ("DELETE", "/api/v1/configmaps"), ("POST", "/api/v1/configmaps"), ("PURGE", MAPS + "/a"),
    ("DELETE", "/api/v1/namespaces"), ("POST", PODS + "/p/status"), ("DELETE", PODS + "/p/status"), ("POST", PODS + "/p/resize"), ("DELETE", PODS + "/p/resize"),
    ("DELETE", DEPLOYMENTS + "/x/scale"), ("POST", DEPLOYMENTS + "/x/scale"), ("GET", PODS + "/p/eviction"), ("PUT", PODS + "/p/eviction"),
    ("GET", PODS + "/p/binding"), ("GET", HERE + "/serviceaccounts/x/token"), ("PATCH", HERE + "/serviceaccounts/x/token"),
    ("GET", "/api/v1/namespaces/%s/finalize" % NAMESPACE), ("PATCH", "/api/v1/namespaces/%s/finalize" % NAMESPACE), ("GET", REVIEWS), ("PUT", REVIEWS),
    ("GET", HERE + "/bindings"), ("DELETE", "/api/v1/componentstatuses/x"), ("POST", "/api/v1/watch/configmaps"),
    ("DELETE", "/api/v1/watch/namespaces/%s/configmaps/a" % NAMESPACE), ("POST", PODS + "/p/ephemeralcontainers"),
    ("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval"),
]

CONFLICTS = [
    ("create of what exists", "POST", MAPS, config_map("a")),
    ("update of an old version", "PUT", MAPS + "/a", config_map("a", resourceVersion="1")),
    ("patch of an old version", "PATCH", MAPS + "/a", {"metadata": {"resourceVersion": "1"}}, MERGE),
    ("update of another UID", "PUT", MAPS + "/a", config_map("a", uid="x")),
    ("patch of another UID", "PATCH", MAPS + "/a", {"metadata": {"uid": "x"}}, MERGE),
    ("delete of another UID", "DELETE", MAPS + "/a", {"preconditions": {"uid": "x"}}),
    ("delete of an old version", "DELETE", MAPS + "/a", {"preconditions": {"resourceVersion": "1"}}),
    ("apply of another's field", "PATCH", MAPS + "/a?fieldManager=other", dict(config_map("a"), data={"a": "2"}), APPLY),
    ("apply with a UID of what is absent", "PATCH", MAPS + "/none?fieldManager=other", config_map("none", uid="x"), APPLY),
    ("binding of a bound pod", "POST", PODS + "/r/binding", named("Binding", "v1", "r", **node("other"))),
    ("binding of another UID", "POST", PODS + "/q/binding", {"metadata": {"name": "q", "uid": "x"}, **node("n")}),
]

LISTS = [
    "continue=abc", "continue=%21", "limit=-5&continue=abc", "continue=" + token(v="x", rv=1, start="a\0"), "continue=" + token(v="meta.k8s.io/v1", rv=1, start=""),
    "continue=" + token(v="meta.k8s.io/v1", rv=0, start="a"), "continue=" + token(v="meta.k8s.io/v1", rv=1, start="../a"),
    "continue=" + token(v="meta.k8s.io/v1", rv=1, start="a\0"), "continue=" + token(v="meta.k8s.io/v1", rv=FUTURE, start="a"),
    "resourceVersion=5&continue=" + token(v="meta.k8s.io/v1", rv=1, start="a"), "limit=x", "limit=1.5", "limit=99999999999999999999", "timeoutSeconds=x",
    "resourceVersion=1&resourceVersionMatch=Exact", "resourceVersion=%d" % FUTURE, "resourceVersion=%d&resourceVersionMatch=Exact" % FUTURE,
    "resourceVersion=x", "resourceVersion=-1", "resourceVersionMatch=Exact", "resourceVersion=1&resourceVersionMatch=Foo", "resourceVersion=0&resourceVersionMatch=Exact",
    "labelSelector=%3D", "fieldSelector=data.a%3D1", "watch=1&resourceVersion=x", "watch=1&resourceVersion=1&resourceVersionMatch=Exact",
]

OTHERS = [
    ("get of a future version", "GET", MAPS + "/a?resourceVersion=%d" % FUTURE),
    ("get of a bad version", "GET", MAPS + "/a?resourceVersion=x"),
    ("delete of a collection at a future version", "DELETE", MAPS + "?dryRun=All&resourceVersion=%d" % FUTURE),
    ("delete of a collection from nowhere", "DELETE", MAPS + "?dryRun=All&continue=abc"),
    ("no resource", "GET", HERE + "/nothings"), ("no subresource", "GET", MAPS + "/a/status"), ("no scale", "GET", PODS + "/p/scale"), ("no object", "GET", MAPS + "/none"),
    ("no pod to evict", "POST", PODS + "/none/eviction", named("Eviction", "policy/v1", "none")),
    ("no format", "GET", MAPS, None, JSON, "text/html"), ("no type", "POST", MAPS, "x", "text/plain"), ("no patch", "PATCH", MAPS + "/a", {}, JSON),
    ("half a body", "POST", MAPS, "{"), ("no kind of it", "POST", MAPS, pod("x")), ("no dry run", "POST", MAPS + "?dryRun=all", config_map("x")),
    ("no name", "POST", MAPS, config_map("X")), ("another name", "PUT", PODS + "/p/resize", pod("x")),
    ("too many operations", "PATCH", MAPS + "/a", [{"op": "test", "path": "/kind", "value": "ConfigMap"}] * 10001, PATCH),
    ("a change of another subresource", "PATCH", PODS + "/p", resized(requests={"cpu": "170m"}), STRATEGIC),
]

EVICTION = named("Eviction", "policy/v1", "e")
EVICTIONS = [
    ("eviction before the controller has seen the budget", "POST", PODS + "/e/eviction", EVICTION),
    ("the budget allows nothing", "PATCH", BUDGETS + "/b/status", {"status": {
        "observedGeneration": 1, "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}}, MERGE),
    ("eviction that the budget does not allow", "POST", PODS + "/e/eviction", EVICTION),
    ("eviction of an old version", "POST", PODS + "/e/eviction", named("Eviction", "policy/v1beta1", "e")),
    ("eviction in a dry run", "POST", PODS + "/e/eviction?dryRun=All", EVICTION),
    ("eviction under another name", "POST", PODS + "/e/eviction", named("Eviction", "policy/v1", "f")),
    ("another budget", "POST", BUDGETS, named("PodDisruptionBudget", "policy/v1", "c", spec={"minAvailable": 1, "selector": {"matchLabels": {"app": "e"}}})),
    ("eviction with two budgets", "POST", PODS + "/e/eviction", EVICTION),
]


def steps():
    """All requests: name, method, path, body or None, content type, accepted type."""
    listed = list(PREPARATION)
    listed += [("resize " + words, "PATCH", PODS + "/" + name + "/resize", body, content) for words, name, body, content in RESIZES]
    listed += [(method + " " + path, method, path, {} if method in ("PUT", "PATCH", "POST") else None, MERGE if method == "PATCH" else JSON) for method, path in METHODS]
    listed += CONFLICTS + [("list with " + query, "GET", MAPS + "?" + query) for query in LISTS] + OTHERS + EVICTIONS + refusals_members.steps(NAMESPACE) + refusals_declared.steps(NAMESPACE)
    return [tuple(step) + (None, JSON, JSON)[len(step) - 3:] for step in listed]


UNSTABLE = [
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "<uid>"),
    (re.compile(r"(current: |in record \()\d+"), r"\1<version>"),
    (re.compile(r'("continue":\s*)"[^"]+"'), r'\1"<token>"'),
    (re.compile(r'"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"'), '"<time>"'),
]


def cleaned(text, step):
    """A body without what differs from server to server. Successes are compared by their codes, and those of a step "stored" by the object too."""
    for pattern, placeholder in UNSTABLE:
        text = pattern.sub(placeholder, text)
    try:
        body = json.loads(text)
    except ValueError:
        return text
    if body.get("kind") != "Status" and step.startswith("stored "):
        return {name: value for name, value in body.items() if name != "metadata"}
    return body if body.get("kind") == "Status" else {}


def answers(config):
    """The answers of a server in the order of the requests."""
    found = []
    for step, method, path, body, content, accept in steps():
        connection = config.connect(30)
        data = body if body is None or isinstance(body, str) else json.dumps(body)
        headers = {"Accept": accept, "User-Agent": "refusals/1", **config.headers}
        if data is not None:
            headers["Content-Type"] = content
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        found.append({"code": response.status, "retry": response.getheader("Retry-After"), "body": cleaned(response.read().decode(), step)})
        connection.close()
    space = "/api/v1/namespaces/" + NAMESPACE
    # For the next run on the same server. No controller is there to finish the deletion of the namespace.
    for method, path, body in [("DELETE", collection, {"gracePeriodSeconds": 0}) for collection in (PODS, MAPS, BUDGETS, CLAIMS, SLICES, space)] + [
            ("PUT", space + "/finalize", named("Namespace", "v1", NAMESPACE, spec={}))]:
        connection = config.connect(30)
        connection.request(method, path, json.dumps(body), {"Content-Type": JSON, **config.headers})
        connection.getresponse().read()
        connection.close()
    return found


def start_real(directory):
    # Versions of the past are refused once they have been compacted.
    subprocess.check_call([os.path.join(E2E, "up.sh"), "--dir", directory, "--", "--etcd-compaction-interval=1s"],
                          env=dict(os.environ, KUBEBUILDER_ASSETS=kube_binaries()), stdout=subprocess.DEVNULL)
    config = Config(os.path.join(directory, "admin.kubeconfig"))

    def has_compacted():
        connection = config.connect(30)
        connection.request("GET", "/api/v1/namespaces/default/configmaps?resourceVersion=1&resourceVersionMatch=Exact", None, config.headers)
        code = connection.getresponse().status
        connection.close()
        return code == 410
    if not wait_until(has_compacted, 120, 0.5):
        raise RuntimeError("kube-apiserver still serves the first version after two minutes")
    return config


def start_ours(directory):
    process, kubeconfig = start_embedded(directory, "--enable-garbage-collector=false")
    return process, Config(kubeconfig)


def record(path, real):
    """Writes the requests with the real answers, one a line."""
    rows = []
    for (name, method, target, body, content, accept), answer in zip(steps(), real):
        row = {"step": name, "method": method, "path": target, "sent": body, "content": content, "accept": accept, **answer}
        if isinstance(body, list) and len(body) > 100:
            row["sent"], row["repeat"] = body[:1], len(body)
        rows.append(json.dumps({key: value for key, value in row.items() if value is not None}, separators=(",", ":")))
    with open(path, "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(rows) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(prog="e2e/refusals.sh", description=__doc__.splitlines()[0])
    parser.add_argument("--record", metavar="FILE", help="writes the requests with the answers of kube-apiserver")
    parser.add_argument("--real", metavar="KUBECONFIG", help="a kube-apiserver that runs for ten minutes at least")
    parser.add_argument("--ours", metavar="KUBECONFIG", help="a Kubeloop API server that runs already")
    options = parser.parse_args()
    scratch, process = tempfile.mkdtemp(prefix="kubeloop-refusals-"), None
    try:
        real = answers(Config(options.real) if options.real else start_real(scratch))
        if options.record:
            record(options.record, real)
        if options.ours:
            config = Config(options.ours)
        else:
            process, config = start_ours(scratch)
        ours = answers(config)
    finally:
        if process is not None:
            process.stop()
        if not options.real:
            subprocess.call([os.path.join(E2E, "down.sh"), "--dir", scratch], stdout=subprocess.DEVNULL)
        remove(scratch)
    differing = 0
    for step, one, two in zip(steps(), real, ours):
        if one != two:
            differing += 1
            print("%s: %s %s\n    real: %s\n    ours: %s" % (step[0], step[1], urllib.parse.unquote(step[2])[:200], json.dumps(one)[:1500], json.dumps(two)[:1500]))
    codes = sorted({answer["code"] for answer in real if answer["code"] >= 400})
    print("refusals: %d requests, codes %s, %d differ" % (len(real), " ".join(map(str, codes)), differing))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
