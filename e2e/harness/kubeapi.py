"""A small Kubernetes client on the Python standard library: one keep-alive connection per thread, JSON only.

It is not built on Kubeloop on purpose: what checks the controllers must not share their code.
"""
import base64
import http.client
import json
import os
import re
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse

JSON = "application/json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"

# kind: (path of its group and version, plural, whether it is namespaced)
KINDS = {
    "Namespace": ("/api/v1", "namespaces", False),
    "Pod": ("/api/v1", "pods", True),
    "Service": ("/api/v1", "services", True),
    "Endpoints": ("/api/v1", "endpoints", True),
    "Event": ("/api/v1", "events", True),
    "ConfigMap": ("/api/v1", "configmaps", True),
    "Secret": ("/api/v1", "secrets", True),
    "ServiceAccount": ("/api/v1", "serviceaccounts", True),
    "ResourceQuota": ("/api/v1", "resourcequotas", True),
    "LimitRange": ("/api/v1", "limitranges", True),
    "ReplicationController": ("/api/v1", "replicationcontrollers", True),
    "ReplicaSet": ("/apis/apps/v1", "replicasets", True),
    "Deployment": ("/apis/apps/v1", "deployments", True),
    "StatefulSet": ("/apis/apps/v1", "statefulsets", True),
    "DaemonSet": ("/apis/apps/v1", "daemonsets", True),
    "ControllerRevision": ("/apis/apps/v1", "controllerrevisions", True),
    "Job": ("/apis/batch/v1", "jobs", True),
    "CronJob": ("/apis/batch/v1", "cronjobs", True),
    "PodDisruptionBudget": ("/apis/policy/v1", "poddisruptionbudgets", True),
    "HorizontalPodAutoscaler": ("/apis/autoscaling/v2", "horizontalpodautoscalers", True),
    "EndpointSlice": ("/apis/discovery.k8s.io/v1", "endpointslices", True),
    "PersistentVolumeClaim": ("/api/v1", "persistentvolumeclaims", True),
    "PersistentVolume": ("/api/v1", "persistentvolumes", False),
    "VolumeAttributesClass": ("/apis/storage.k8s.io/v1", "volumeattributesclasses", False),
    "ResourceClaim": ("/apis/resource.k8s.io/v1", "resourceclaims", True),
    "DeviceClass": ("/apis/resource.k8s.io/v1", "deviceclasses", False),
    "Node": ("/api/v1", "nodes", False),
    "ClusterRole": ("/apis/rbac.authorization.k8s.io/v1", "clusterroles", False),
    "PriorityClass": ("/apis/scheduling.k8s.io/v1", "priorityclasses", False),
}


class ApiError(Exception):
    """An answer of 400 and above."""

    def __init__(self, status, body, method, path):
        self.status = status
        body = body if isinstance(body, dict) else {"message": str(body)}
        super().__init__("%s %s: %s %s %s" % (method, path, status, body.get("reason", ""), body.get("message", "")))


def path_for(kind, namespace=None, name=None, sub=None):
    """The path of a collection, an object, or a subresource."""
    prefix, plural, namespaced = KINDS[kind]
    parts = [prefix]
    if namespaced and namespace:
        parts += ["namespaces", namespace]
    parts.append(plural)
    parts += [urllib.parse.quote(part) for part in (name, sub) if part]
    return "/".join(parts)


def wait_until(condition, timeout, interval=0.05):
    """The first true value of condition(), or None after so many seconds."""
    end = time.time() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.time() > end:
            return None
        time.sleep(interval)


def _parse_kubeconfig(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.lstrip().startswith("{"):
        return json.loads(text)
    # YAML is not in the standard library; kubectl reads it for us.
    return json.loads(subprocess.check_output([
        os.environ.get("KUBECTL", "kubectl"), "config", "view", "--raw", "-o", "json", "--kubeconfig", path]))


def _named(doc, group, member, name):
    return next((entry.get(member) or {} for entry in doc.get(group) or [] if entry["name"] == name), {})


class Config:
    """Where the current context of a kubeconfig leads, and with which credentials."""

    def __init__(self, path):
        self.base = os.path.dirname(os.path.abspath(path))
        doc = _parse_kubeconfig(path)
        context = _named(doc, "contexts", "context", doc.get("current-context"))
        cluster = _named(doc, "clusters", "cluster", context.get("cluster"))
        user = _named(doc, "users", "user", context.get("user"))
        url = urllib.parse.urlparse(cluster["server"])
        self.host = url.hostname
        self.tls = self._tls(cluster, user) if url.scheme == "https" else None
        self.port = url.port or (443 if self.tls else 80)
        self.headers = {"Authorization": "Bearer " + user["token"]} if user.get("token") else {}

    def _tls(self, cluster, user):
        context = ssl.create_default_context()
        if cluster.get("insecure-skip-tls-verify"):
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        else:
            context.load_verify_locations(cadata=self._pem(cluster, "certificate-authority").decode())
        certificate = self._pem(user, "client-certificate")
        if certificate:
            # The ssl module reads client certificates from files only.
            with tempfile.NamedTemporaryFile() as pem:
                pem.write(certificate + b"\n" + self._pem(user, "client-key"))
                pem.flush()
                context.load_cert_chain(pem.name)
        return context

    def _pem(self, section, name):
        if section.get(name + "-data"):
            return base64.b64decode(section[name + "-data"])
        if section.get(name):
            with open(os.path.join(self.base, section[name]), "rb") as f:
                return f.read()
        return b""

    def connect(self, timeout):
        if self.tls:
            connection = http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=self.tls)
        else:
            connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


class Kube:
    """Requests against one server; may be shared by threads."""

    def __init__(self, config, user_agent):
        self.config = config if isinstance(config, Config) else Config(config)
        self.user_agent = user_agent
        self.local = threading.local()

    def _connection(self):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = self.config.connect(60)
        return connection

    def _drop(self):
        connection = getattr(self.local, "connection", None)
        self.local.connection = None
        if connection:
            connection.close()

    def headers(self, content_type=None):
        headers = {"User-Agent": self.user_agent, "Accept": JSON, **self.config.headers}
        if content_type:
            headers["Content-Type"] = content_type
        return headers

    def raw(self, method, path, body=None, content_type=JSON):
        """Status and payload of one request; once more if a kept connection turns out to be closed."""
        data = None if body is None else json.dumps(body).encode()
        for again in (True, False):
            fresh = getattr(self.local, "connection", None) is None
            try:
                connection = self._connection()
                connection.request(method, path, data, self.headers(content_type if data else None))
                response = connection.getresponse()
                payload = response.read()
                if response.will_close:
                    self._drop()
                return response.status, payload
            except (http.client.HTTPException, OSError):
                self._drop()
                if not again or (fresh and method != "GET"):
                    raise

    def request(self, method, path, body=None, content_type=JSON, ok404=False):
        status, payload = self.raw(method, path, body, content_type)
        try:
            answer = json.loads(payload) if payload else {}
        except ValueError:
            answer = payload.decode("utf-8", "replace")
        if status == 404 and ok404:
            return None
        if status >= 400:
            raise ApiError(status, answer, method, path)
        return answer

    def get(self, path, ok404=False):
        return self.request("GET", path, ok404=ok404)

    def create(self, path, body):
        return self.request("POST", path, body)

    def put(self, path, body):
        return self.request("PUT", path, body)

    def patch(self, path, body, content_type=MERGE):
        return self.request("PATCH", path, body, content_type)

    def delete(self, path, grace=None, propagation=None, ok404=True, uid=None):
        options = {"kind": "DeleteOptions", "apiVersion": "v1"}
        if grace is not None:
            options["gracePeriodSeconds"] = grace
        if propagation:
            options["propagationPolicy"] = propagation
        if uid:
            options["preconditions"] = {"uid": uid}
        return self.request("DELETE", path, options, ok404=ok404)

    def list(self, path):
        """The items of a collection, and the list's resourceVersion."""
        answer = self.get(path)
        return answer.get("items") or [], answer["metadata"].get("resourceVersion")

    def watch(self, path, version, stop, opened):
        """Yields (type, object) until the server ends the stream or stop is set. Gives the socket to opened: a reader sleeps until
        it is shut down, since http.client cannot go on after a timeout."""
        connection = self.config.connect(5)
        try:
            query = urllib.parse.urlencode({"watch": "1", "resourceVersion": version, "allowWatchBookmarks": "true",
                                            "timeoutSeconds": "600"})
            sock = connection.sock
            connection.request("GET", path + "?" + query, None, self.headers())
            response = connection.getresponse()
            if response.status >= 400:
                raise ApiError(response.status, response.read().decode("utf-8", "replace"), "WATCH", path)
            sock.settimeout(None)
            opened(sock)
            pending = b""
            while not stop.is_set():
                chunk = response.read1(1 << 16)
                if not chunk:
                    return
                *lines, pending = (pending + chunk).split(b"\n")
                for line in lines:
                    if line.strip():
                        event = json.loads(line)
                        yield event["type"], event["object"]
        finally:
            connection.close()


class Informer(threading.Thread):
    """Lists and watches a collection; calls handler(type, object) for each change, in order."""

    def __init__(self, api, path, handler):
        super().__init__(daemon=True)
        self.api, self.path, self.handler = api, path, handler
        self.stopping = threading.Event()
        self.synced = threading.Event()
        self.sock = None
        self.store = {}

    def run(self):
        while not self.stopping.is_set():
            try:
                self._follow(self._list())
            except (ApiError, OSError, http.client.HTTPException, ValueError):
                self.stopping.wait(0.3)

    def _list(self):
        items, version = self.api.list(self.path)
        listed = {self._key(item): item for item in items}
        for key, item in listed.items():
            old = self.store.get(key)
            if old is None or old["metadata"]["resourceVersion"] != item["metadata"]["resourceVersion"]:
                self.handler("ADDED" if old is None else "MODIFIED", item)
        for key in set(self.store) - set(listed):
            self.handler("DELETED", self.store[key])
        self.store = listed
        self.synced.set()
        return version

    def _follow(self, version):
        while not self.stopping.is_set():
            for kind, item in self.api.watch(self.path, version, self.stopping, self._opened):
                if kind == "ERROR":
                    raise ApiError(item.get("code", 410), item, "WATCH", self.path)
                version = item["metadata"]["resourceVersion"]
                if kind == "BOOKMARK":
                    continue
                if kind == "DELETED":
                    self.store.pop(self._key(item), None)
                else:
                    self.store[self._key(item)] = item
                self.handler(kind, item)

    @staticmethod
    def _key(item):
        return item["metadata"].get("namespace", ""), item["metadata"]["name"]

    def _opened(self, sock):
        self.sock = sock
        if self.stopping.is_set():
            self._shut()

    def _shut(self):
        """Lets the reader wake up, and leaves the closing to it. Not through TLS, which would take its state from under it."""
        try:
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
        except OSError:
            pass  # it is closed already

    def stop(self):
        self.stopping.set()
        if self.sock is not None:
            self._shut()


def controller_of(item):
    """The reference to the object's controller, or None."""
    return next((r for r in item["metadata"].get("ownerReferences") or [] if r.get("controller")), None)


def is_ready(pod):
    conditions = pod.get("status", {}).get("conditions") or []
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


GENERATED_SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}"


def is_generated(item):
    """Whether the server made up the object's name."""
    prefix = item["metadata"].get("generateName")
    return bool(prefix and re.fullmatch(re.escape(prefix) + GENERATED_SUFFIX, item["metadata"]["name"]))
