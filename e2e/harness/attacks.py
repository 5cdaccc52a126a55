"""The attacks of attacks.sh. Each has a bound in seconds and the codes that are right; /readyz is requested all the time.

Usage: attacks.py HOST:PORT TOKEN
"""

import base64
import json
import socket
import sys
import threading
import time

HOST, PORT = sys.argv[1].rsplit(":", 1)
TOKEN = sys.argv[2]
BOUND = 10
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
MAPS = "/api/v1/namespaces/default/configmaps"
failures = 0
slowest = 0.0
bad_health = []
done = threading.Event()


def exchange(raw, timeout=BOUND + 5):
    """Sends bytes and returns the code of the response; 0 if the server closed the connection without one."""
    with socket.create_connection((HOST, int(PORT)), timeout=timeout) as connection:
        try:
            connection.sendall(raw)
        except OSError:
            pass  # the server has answered and closed
        answer = b""
        try:
            while b"\r\n" not in answer:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
        except OSError:
            pass
        return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def request(method, path, body=b"", kind="application/json", token=TOKEN, headers=""):
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    credentials = f"Authorization: Bearer {token}\r\n" if token else ""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nConnection: close\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n{credentials}{headers}\r\n"
    )
    return head.encode() + body


def watch_health():
    global slowest
    while not done.is_set():
        start = time.monotonic()
        try:
            code = exchange(request("GET", "/readyz", token=""), 15)
        except OSError as error:
            code = str(error)
        slowest = max(slowest, time.monotonic() - start)
        if code != 200:
            bad_health.append(code)
        done.wait(0.1)


def attack(name, raw, codes, bound=BOUND):
    global failures
    start = time.monotonic()
    try:
        code = exchange(raw)
    except OSError as error:
        code = str(error)
    seconds = time.monotonic() - start
    fine = code in codes and seconds <= bound
    failures += not fine
    print(f"{'ok  ' if fine else 'FAIL'}  {name}: {code} in {seconds:.2f} s" + ("" if fine else f", wanted {codes} in {bound} s"), flush=True)


def definition(properties, name="figs"):
    schema = {"type": "object", "properties": properties}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": name, "kind": name.title()}
    spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]}
    return {"metadata": {"name": f"{name}.example.com"}, "spec": spec}


def fig(**fields):
    return {"apiVersion": "example.com/v1", "kind": "Figs", "metadata": {"generateName": "f-"}, **fields}


def unfinished(count, head):
    """Holds connections that never finish their request, and returns them."""
    held = []
    for _ in range(count):
        try:
            connection = socket.create_connection((HOST, int(PORT)), timeout=2)
            held.append(connection)
            connection.sendall(head)
        except OSError:
            pass  # refused: that is what should happen
    return held


health = threading.Thread(target=watch_health)
health.start()

attack("timeout of 300,000 digits, no credentials", request("GET", "/version?timeout=" + "1" * 300_000, token=""), [400])
attack("the same below /api", request("GET", "/api/v1/pods?timeout=" + "1" * 300_000, token=""), [401])
attack("an invalid token", request("GET", "/version", token="x"), [401])

text = {"type": "string"}
formats = {name: {**text, "format": name} for name in ("duration", "email", "hostname", "uri")}
attack("definition", request("POST", CRD, definition({**formats, "p": {**text, "pattern": "(.*)*x"}})), [201])
objects = "/apis/example.com/v1/namespaces/default/figs"
attack("duration of 10,000 digits", request("POST", objects, fig(duration="1" * 10_000)), [422])
attack("duration of 10,000 seconds", request("POST", objects, fig(duration="1s" * 10_000)), [201])
attack("e-mail of 20 kB", request("POST", objects, fig(email="a" * 20_000 + "@b.c")), [201])
attack("pattern (.*)*x", request("POST", objects, fig(p="a" * 100_000)), [422])
attack("pattern of 100,000 brackets", request("POST", CRD, definition({"p": {**text, "pattern": "[" * 100_000}}, "plums")), [422])
attack("definition with 20,000 levels", request("POST", CRD, '{"a":' * 20_000), [400])

rule = {"x-kubernetes-validations": [{"rule": "lists.range(self.n).size() >= 0"}]}
ranged = definition({"n": {"type": "integer", "maximum": 2_000_000_000}}, "ranges")
ranged["spec"]["versions"][0]["schema"]["openAPIV3Schema"].update(rule)
attack("rule with a range of the object's number", request("POST", CRD, ranged), [422])

pem = base64.b64encode(b"-----BEGIN CERTIFICATE REQUEST-----\n" * 8_000).decode()
csr = {"metadata": {"name": "x"}, "spec": {"signerName": "a.b/c", "usages": ["client auth"], "request": pem}}
attack("certificate request with 8,000 beginnings", request("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", csr), [422])
pod = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
cron = {"metadata": {"name": "c"}, "spec": {"schedule": "@every " + "1s" * 20_000, "jobTemplate": {"spec": {"template": {"spec": pod}}}}}
attack("@every of 20,000 seconds", request("POST", "/apis/batch/v1/namespaces/default/cronjobs", cron), [201])

attack("YAML with an unfinished escape", request("POST", MAPS, '"\\x', "application/yaml"), [400])
bomb = "a: &a " + "x" * 400_000 + "\nb: [" + "*a," * 20_000 + "*a]\n"
attack("YAML with 20,000 aliases of 400 kB", request("POST", MAPS, bomb, "application/yaml"), [400])
for name, text in (
    ("YAML with 200,000 documents", "--- a\n" * 200_000),
    ("YAML with 100,000 documents and escapes", '--- "\\u0041"\n' * 100_000),
    ("YAML with a word of 2.9 MB", "a: " + "a" * 2_900_000),
):
    attack(name, request("POST", MAPS, text, "application/yaml"), [400, 422])
attack("JSON with a number of 2.9 MB", request("POST", MAPS, '{"a":' + "1" * 2_900_000 + "}"), [400])
attack("JSON with 2.9 MB of spaces", request("POST", MAPS, '{"a":' + " " * 2_900_000 + "}"), [400])
spread = [{"maxSkew": 1, "topologyKey": f"k{i}", "whenUnsatisfiable": "DoNotSchedule"} for i in range(15_000)]
crowded = {"metadata": {"name": "t"}, "spec": {**pod, "topologySpreadConstraints": spread}}
attack("15,000 topology spread constraints", request("POST", "/api/v1/namespaces/default/pods", crowded), [201, 403, 422])
ports = [{"name": f"p{i}", "port": i + 1, "nodePort": 30_000 + i % 2_700} for i in range(15_000)]
service = {"metadata": {"name": "t"}, "spec": {"type": "NodePort", "ports": ports}}
attack("15,000 node ports", request("POST", "/api/v1/namespaces/default/services", service), [422])
owners = [{"apiVersion": "v1", "kind": "Pod", "name": f"p{i}", "uid": f"u{i}", "controller": True} for i in range(15_000)]
owned = {"metadata": {"name": "o", "ownerReferences": owners}}
attack("15,000 owners that are controllers", request("POST", MAPS, owned), [422])
files = [{"key": "k", "path": "p"} for _ in range(20_000)]
volumes = {"volumes": [{"name": "v", "configMap": {"name": "m", "items": files}}]}
filled = {"metadata": {"name": "f"}, "spec": {**pod, **volumes}}
attack("20,000 files of one path", request("POST", "/api/v1/namespaces/default/pods", filled), [201, 403, 422])
attack("JSON with a string of 2.9 MB", request("POST", MAPS, {"metadata": {"name": "s"}, "data": {"k": "x" * 2_900_000}}), [413, 422])
attack("a body of 4 MB", request("POST", MAPS, "x" * 4_000_000), [413])
attack("map for patches", request("POST", MAPS, {"metadata": {"name": "m"}, "data": {f"k{i}": "v" for i in range(10_000)}}), [201])
patch = [{"op": "add", "path": f"/data/p{i}", "value": "v"} for i in range(10_000)]
attack("JSON patch of 10,000 operations", request("PATCH", MAPS + "/m", patch, "application/json-patch+json"), [200], 20)

chunked = f"POST {MAPS} HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nAuthorization: Bearer {TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n"
attack("endless chunk extensions", (chunked + ("1;" + "x" * 4_000 + "\r\n \r\n") * 1_000).encode(), [400])
attack("VT beside chunked", chunked.replace(" chunked", " \vchunked").encode(), [400, 501])
attack("trailer without a colon", (chunked + "0\r\nx\r\n\r\n").encode(), [400])
head = f"GET /version HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nX: ".encode() + b"x" * 1_000_000
held = unfinished(400, head)
attack("400 unfinished heads of 1 MB", request("GET", "/version", token=""), [200])
for connection in held:
    connection.close()

length = f"Content-Length: 2900000\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
held = unfinished(100, f"POST {MAPS} HTTP/1.1\r\nHost: {HOST}:{PORT}\r\n{length}".encode() + b" " * 2_800_000)
attack("100 unfinished bodies of 2.8 MB", request("GET", "/version", token=""), [200])
for connection in held:
    connection.close()

def large(i):
    return {"metadata": {"name": "large"}, "data": {"k": str(i) + "x" * 900_000}}


attack("an object of 900 kB", request("POST", MAPS, large(0)), [201])
watch = f"GET {MAPS}?watch=1 HTTP/1.1\r\nHost: {HOST}:{PORT}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
held = []
for i in range(1, 60):
    exchange(request("PUT", MAPS + "/large", large(i)))
    held += unfinished(3, watch)
attack("177 unread watches of versions of 900 kB", request("GET", "/version", token=""), [200])
for connection in held:
    connection.close()

done.set()
health.join()
fine = not bad_health and slowest < BOUND
failures += not fine
print(f"{'ok  ' if fine else 'FAIL'}  /readyz: slowest {slowest:.2f} s, other answers {bad_health[:5]}", flush=True)
sys.exit(1 if failures else 0)
