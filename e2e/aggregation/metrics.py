"""A server of metrics.k8s.io: every container of a running pod uses 300m CPU and 20Mi, every node 1 CPU and 1Gi.

metrics.py PORT CERTIFICATE KEY PROXY_AUTHORITY API_SERVER TOKEN
It accepts only the proxy whose certificate PROXY_AUTHORITY has issued, and prints the user of each request.
"""
import json
import ssl
import sys
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

port, certificate, key, authority, api_server, token = sys.argv[1:]
GROUP = "/apis/metrics.k8s.io/v1beta1"
RESOURCES = [
    {"name": "nodes", "singularName": "", "namespaced": False, "kind": "NodeMetrics", "verbs": ["get", "list"]},
    {"name": "pods", "singularName": "", "namespaced": True, "kind": "PodMetrics", "verbs": ["get", "list"]},
]


def listed(path):
    request = urllib.request.Request(api_server + path, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request, context=ssl._create_unverified_context()) as answer:
        return json.load(answer)["items"]


def metrics(item, kind, **members):
    metadata = {name: item["metadata"][name] for name in ("name", "namespace", "labels") if name in item["metadata"]}
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"kind": kind, "apiVersion": "metrics.k8s.io/v1beta1", "metadata": metadata, "timestamp": now,
            "window": "10s", **members}


def pod(item):
    usage = {"cpu": "300m", "memory": "20Mi"}
    containers = [{"name": container["name"], "usage": usage} for container in item["spec"]["containers"]]
    return metrics(item, "PodMetrics", containers=containers)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        print(self.headers.get("X-Remote-User"), self.path, flush=True)
        path, _, query = self.path.partition("?")
        if path == GROUP:
            document = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "metrics.k8s.io/v1beta1",
                        "resources": RESOURCES}
        elif path == GROUP + "/nodes":
            items = [metrics(node, "NodeMetrics", usage={"cpu": "1", "memory": "1Gi"})
                     for node in listed("/api/v1/nodes")]
            document = {"kind": "NodeMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": {},
                        "items": items}
        elif path.startswith(GROUP) and path.endswith("/pods"):
            selector = urllib.parse.parse_qs(query).get("labelSelector", [""])[0]
            pods = listed(path.replace(GROUP, "/api/v1") + "?labelSelector=" + urllib.parse.quote(selector))
            items = [pod(item) for item in pods if item["status"].get("phase") == "Running"]
            document = {"kind": "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": {},
                        "items": items}
        else:
            document = None
        body = json.dumps(document).encode() if document else b"404 page not found\n"
        self.send_response(200 if document else 404)
        self.send_header("Content-Type", "application/json" if document else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.load_verify_locations(authority)
context.verify_mode = ssl.CERT_REQUIRED
server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True)
print("listening", flush=True)
server.serve_forever()
