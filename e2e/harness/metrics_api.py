"""Serves the three metrics APIs for all namespaces of a server: what a scenario gives for its namespace, the same to each manager."""
import datetime
import http.server
import json
import os
import re
import ssl
import threading
import urllib.parse

GROUPS = {"metrics.k8s.io": "v1beta1", "custom.metrics.k8s.io": "v1beta2", "external.metrics.k8s.io": "v1beta1"}
PATH = re.compile(r"/apis/([a-z.0-9]+)/(v\w+)(?:/namespaces/([^/]+)/(.+))?")


class MetricsApi:
    """An aggregated API server on a free port of loopback.

    `values` has for a namespace: "pods", a list of values per name of a metric, shared out to the pods in the order that `pods`
    (namespace, labels) returns; None is a pod without this metric. "object" and "external": a value per name of a metric."""

    def __init__(self, api, pki, pods):
        self.values, self.pods = {}, pods
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                answer = outer.answer(self.path)
                body = json.dumps(answer if answer is not None else {
                    "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404, "reason": "NotFound",
                    "message": "the metric is not served"}).encode()
                self.send_response(404 if answer is None else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(os.path.join(pki, "apiserver.crt"), os.path.join(pki, "apiserver.key"))
        # The handshake belongs into the connection's thread.
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self._register(api, self.server.server_address[1])

    def _register(self, api, port):
        api.create("/api/v1/namespaces/default/services", {"apiVersion": "v1", "kind": "Service", "metadata": {
            "name": "metrics"}, "spec": {"type": "ExternalName", "externalName": "localhost"}})
        for group, version in GROUPS.items():
            api.create("/apis/apiregistration.k8s.io/v1/apiservices", {
                "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": version + "." + group},
                "spec": {"group": group, "version": version, "groupPriorityMinimum": 100, "versionPriority": 100,
                         "insecureSkipTLSVerify": True, "service": {"namespace": "default", "name": "metrics", "port": port}}})

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, target):
        """The answer to a GET, or None."""
        url = urllib.parse.urlparse(target)
        match = PATH.fullmatch(urllib.parse.unquote(url.path))
        if not match or GROUPS.get(match[1]) != match[2]:
            return None
        group, version, namespace, rest = match.groups()
        group_version = group + "/" + version
        if namespace is None:
            # Nothing here can be deleted or watched, so that no controller follows it.
            return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": [
                {"name": "pods", "singularName": "", "namespaced": True, "kind": "PodMetrics", "verbs": ["get"]}]}
        labels = urllib.parse.parse_qs(url.query).get("labelSelector", [""])[0]
        given = self.values.get(namespace, {})
        items = {"metrics.k8s.io": self._usage, "custom.metrics.k8s.io": self._custom, "external.metrics.k8s.io": self._external}[
            group](namespace, rest.split("/"), labels, given)
        kind = {"metrics.k8s.io": "PodMetricsList", "custom.metrics.k8s.io": "MetricValueList",
                "external.metrics.k8s.io": "ExternalMetricValueList"}[group]
        return None if items is None else {"kind": kind, "apiVersion": group_version, "metadata": {}, "items": items}

    def _shared_out(self, namespace, labels, values):
        for number, pod in enumerate(self.pods(namespace, dict(pair.split("=", 1) for pair in labels.split(",") if pair))):
            value = values[number % len(values)] if values else None
            if value is not None:
                yield pod, value

    def _usage(self, namespace, rest, labels, given):
        found = {}
        for metric in ("cpu", "memory"):
            for pod, value in self._shared_out(namespace, labels, given.get("pods", {}).get(metric)):
                found.setdefault(pod, {})[metric] = value
        return [{"metadata": {"name": pod, "namespace": namespace}, "timestamp": _now(), "window": "0s",
                 "containers": [{"name": "c", "usage": usage}]} for pod, usage in found.items()] if rest == ["pods"] else None

    def _custom(self, namespace, rest, labels, given):
        resource, name, metric = rest
        if name == "*":
            values = given.get("pods", {}).get(metric)
            return None if values is None else [_value(namespace, "Pod", pod, metric, value)
                                                for pod, value in self._shared_out(namespace, labels, values)]
        value = given.get("object", {}).get(metric)
        return None if value is None else [_value(namespace, resource, name, metric, value)]

    def _external(self, _namespace, rest, _labels, given):
        values = given.get("external", {}).get(rest[0])
        return None if values is None else [
            {"metricName": rest[0], "metricLabels": {}, "timestamp": _now(), "value": value} for value in values]


def _now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _value(namespace, kind, name, metric, value):
    return {"describedObject": {"kind": kind, "namespace": namespace, "name": name, "apiVersion": "v1"},
            "metric": {"name": metric}, "timestamp": _now(), "windowSeconds": 0, "value": value}
