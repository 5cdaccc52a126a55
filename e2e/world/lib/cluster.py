"""A fresh etcd and kube-apiserver on loopback, and controller managers beside them."""
import base64
import json
import os
import shlex
import signal
import socket
import subprocess
import time

from kubeapi import Kube, path_for, wait_until

ADMIN, SIMULATION, HELPERS, MANAGER = "world-admin", "world-simulation", "world-helpers", "world-manager"
# Not part of the comparison: they need volumes or heartbeats, or only make noise.
LEFT_OUT = ("node-lifecycle-controller", "taint-eviction-controller", "device-taint-eviction-controller", "node-ipam-controller",
            "resourceclaim-controller", "persistentvolume-attach-detach-controller", "persistentvolume-binder-controller",
            "persistentvolume-expander-controller", "storageversion-garbage-collector-controller",
            "legacy-serviceaccount-token-cleaner-controller", "podcertificaterequest-cleaner-controller",
            "storage-version-migrator-controller", "validatingadmissionpolicy-status-controller",
            "kube-apiserver-serving-clustertrustbundle-publisher-controller", "service-cidr-controller",
            "podgroup-protection-controller", "volumeattributesclass-protection-controller",
            "resourcepoolstatusrequest-controller", "selinux-warning-controller")
# Which other components' reports the controllers wait for.
NEED_HEARTBEATS = ("node-lifecycle-controller",)
# Off unless named.
EXTRA = ("bootstrap-signer-controller", "token-cleaner-controller")
AUDIT_POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, users: ["system:apiserver", "%s"]}
- {level: None, resources: [{group: coordination.k8s.io, resources: [leases]}]}
- {level: Metadata, users: ["%s"], verbs: [list, watch], omitStages: [RequestReceived]}
- {level: None, verbs: [get, list, watch]}
- {level: Metadata, omitStages: [RequestReceived, ResponseStarted]}
""" % (SIMULATION, MANAGER)


class Process:
    """A child with a log, in a session of its own."""

    def __init__(self, command, log):
        self.log = log
        with open(log, "ab") as out:
            self.child = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True)

    def alive(self):
        return self.child.poll() is None

    def tail(self, lines=15):
        with open(self.log, encoding="utf-8", errors="replace") as f:
            return "".join(f.readlines()[-lines:])

    def stop(self, seconds=10):
        if self.alive():
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(self.child.pid, signal.SIGKILL)
                self.child.wait()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def openssl(*arguments, text=None):
    return subprocess.run(["openssl", *arguments], input=text, capture_output=True, text=True, check=True).stdout


class Cluster:
    """etcd and kube-apiserver; everything lies in one directory."""

    def __init__(self, directory, assets):
        self.dir, self.assets = directory, assets
        self.pki = os.path.join(directory, "pki")
        self.audit = os.path.join(directory, "audit.log")
        os.makedirs(self.pki, mode=0o700, exist_ok=True)
        self.processes = []

    def _file(self, name, text=None):
        path = os.path.join(self.dir, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        return path

    def _certificates(self):
        key = lambda name: openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self._file("pki/%s.key" % name))
        key("ca")
        openssl("req", "-x509", "-new", "-key", self._file("pki/ca.key"), "-subj", "/CN=world-ca", "-days", "3650", "-out",
                self._file("pki/ca.crt"), "-addext", "basicConstraints=critical,CA:TRUE", "-addext",
                "keyUsage=critical,keyCertSign,cRLSign,digitalSignature")
        usages = {"server": "extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc"}
        for number, name in enumerate(("server", ADMIN, SIMULATION, HELPERS, MANAGER), 2):
            key(name)
            subject = "/CN=kube-apiserver" if name == "server" else "/O=system:masters/CN=" + name
            request = openssl("req", "-new", "-key", self._file("pki/%s.key" % name), "-subj", subject)
            extensions = self._file("pki/extensions", usages.get(name, "extendedKeyUsage=clientAuth") + "\n")
            openssl("x509", "-req", "-CA", self._file("pki/ca.crt"), "-CAkey", self._file("pki/ca.key"), "-set_serial",
                    str(number), "-days", "3650", "-extfile", extensions, "-out", self._file("pki/%s.crt" % name), text=request)
        openssl("genrsa", "-out", self._file("pki/sa.key"), "2048")
        openssl("rsa", "-in", self._file("pki/sa.key"), "-pubout", "-out", self._file("pki/sa.pub"))

    def _encoded(self, name):
        with open(self._file("pki/" + name), "rb") as f:
            return base64.b64encode(f.read()).decode()

    def kubeconfig(self, user):
        """The path of a user's kubeconfig (YAML); the same as JSON lies beside it."""
        cluster = {"server": self.server, "certificate-authority-data": self._encoded("ca.crt")}
        credentials = {"client-certificate-data": self._encoded(user + ".crt"), "client-key-data": self._encoded(user + ".key")}
        document = {"apiVersion": "v1", "kind": "Config", "current-context": "world",
                    "clusters": [{"name": "world", "cluster": cluster}], "users": [{"name": user, "user": credentials}],
                    "contexts": [{"name": "world", "context": {"cluster": "world", "user": user}}]}
        self._file(user + ".json", json.dumps(document))
        lines = ["apiVersion: v1", "kind: Config", "current-context: world", "clusters:", "- name: world", "  cluster:"]
        lines += ["    %s: %s" % entry for entry in cluster.items()] + ["users:", "- name: " + user, "  user:"]
        lines += ["    %s: %s" % entry for entry in credentials.items()]
        lines += ["contexts:", "- name: world", "  context:", "    cluster: world", "    user: " + user]
        return self._file(user + ".kubeconfig", "\n".join(lines) + "\n")

    def api(self, user):
        self.kubeconfig(user)
        return Kube(self._file(user + ".json"), user)

    def start(self):
        self._certificates()
        port, client, peer = free_port(), free_port(), free_port()
        self.server = "https://127.0.0.1:%d" % port
        etcd, peers = "http://127.0.0.1:%d" % client, "http://127.0.0.1:%d" % peer
        self._spawn("etcd", "--name=world", "--data-dir=" + self._file("etcd"), "--unsafe-no-fsync", "--log-level=warn",
                    "--listen-client-urls=" + etcd, "--advertise-client-urls=" + etcd, "--listen-peer-urls=" + peers,
                    "--initial-advertise-peer-urls=" + peers, "--initial-cluster=world=" + peers)
        # Without ServiceAccount no pod needs an account that another controller has to make first; without
        # TaintNodesByCondition new nodes are usable although nobody plays the node lifecycle.
        self._spawn("kube-apiserver", "--etcd-servers=" + etcd, "--bind-address=127.0.0.1", "--secure-port=%d" % port,
                    "--advertise-address=192.0.2.1", "--tls-cert-file=" + self._file("pki/server.crt"),
                    "--tls-private-key-file=" + self._file("pki/server.key"), "--client-ca-file=" + self._file("pki/ca.crt"),
                    "--cert-dir=" + self.pki, "--authorization-mode=RBAC", "--allow-privileged=true",
                    "--service-account-issuer=https://kubernetes.default.svc",
                    "--service-account-key-file=" + self._file("pki/sa.pub"),
                    "--service-account-signing-key-file=" + self._file("pki/sa.key"), "--service-cluster-ip-range=10.96.0.0/16,fd00:10:96::/112",
                    "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection",
                    "--audit-log-path=" + self.audit, "--audit-log-maxsize=4000",
                    "--audit-policy-file=" + self._file("audit-policy.yaml", AUDIT_POLICY))
        admin = self.api(ADMIN)
        if not wait_until(lambda: self._ready(admin), 90, 0.2):
            raise RuntimeError("kube-apiserver does not come up:\n" + self.processes[-1].tail())
        return admin

    def _spawn(self, name, *flags):
        self.processes.append(Process([os.path.join(self.assets, name), *flags], self._file(name + ".log")))

    def _ready(self, admin):
        if not self.processes[-1].alive():
            raise RuntimeError("kube-apiserver ended:\n" + self.processes[-1].tail())
        try:
            return admin.raw("GET", "/readyz")[0] == 200 and admin.get(path_for("Namespace", None, "default"), ok404=True)
        except OSError:
            return False

    def upstream(self, tokens):
        """The command of the real kube-controller-manager. It runs serviceaccount-token-controller whatever --controllers says,
        if only it has a key."""
        return " ".join([shlex.quote(os.path.join(self.assets, "kube-controller-manager")), "--kubeconfig={kubeconfig}",
                         "--controllers={controllers}", "--leader-elect=false", "--secure-port=0",
                         "--kube-api-qps=500", "--kube-api-burst=1000",
                         *(["--service-account-private-key-file={pki}/sa.key"] if tokens else []), "--root-ca-file={pki}/ca.crt",
                         "--cluster-signing-cert-file={pki}/ca.crt", "--cluster-signing-key-file={pki}/ca.key", "{flags}"])

    def manager(self, user, command, controllers, flags=""):
        """Starts a manager as this user."""
        command = command.format(kubeconfig=self.kubeconfig(user), controllers=controllers, pki=self.pki, dir=self.dir, flags=flags)
        process = Process(shlex.split(command), self._file(user + ".log"))
        self.processes.append(process)
        return process

    def stop(self):
        for process in reversed(self.processes):
            process.stop()


class Managers:
    """The helpers (the real manager without what is under test) and the manager under test."""

    def __init__(self, cluster, command, under_test, flags="", together=False, beside=()):
        self.cluster, self.command, self.under_test, self.flags, self.together = cluster, command, under_test, flags, together
        self.beside = beside            # of LEFT_OUT: those that run with the helpers
        self.helpers = self.manager = None

    def start(self):
        tokens = "serviceaccount-token-controller" in self.under_test
        everything = ",".join(["*", *EXTRA, *("-" + name for name in LEFT_OUT if name not in self.beside)])
        if self.together:
            self.controllers = everything
        else:
            self.helpers = self.cluster.manager(HELPERS, self.cluster.upstream(not tokens), ",".join(
                [everything if not set(EXTRA) & set(self.under_test) else everything.replace("," + ",".join(EXTRA), ""),
                 *("-" + name for name in self.under_test if name not in EXTRA)]), "--pvclaimbinder-sync-period=2s" if self.beside else "")
            self.controllers = ",".join(self.under_test)
        self.command = self.command or self.cluster.upstream(self.together or tokens)
        self.start_manager()

    def start_manager(self):
        if self.command == "none":
            time.sleep(4)
            return
        with open(self.cluster.audit, "rb") as audit:
            audit.seek(0, 2)
            self.manager = self.cluster.manager(MANAGER, self.command, self.controllers, self.flags)
            self._await_watches(audit)

    def _await_watches(self, audit, quiet=1.5, limit=40):
        """Until the manager under test has opened its watches: none for a while after the first."""
        start, last, seen = time.time(), None, 0
        while time.time() - start < limit and (last is None or time.time() - last < quiet):
            if not self.manager.alive():
                raise RuntimeError("the manager under test ended:\n" + self.manager.tail())
            if self.helpers and not self.helpers.alive():
                raise RuntimeError("the helpers ended:\n" + self.helpers.tail())
            for line in audit:
                if MANAGER.encode() in line and (b'"verb":"watch"' in line or b'"verb":"list"' in line):
                    last, seen = time.time(), seen + 1
            time.sleep(0.1)

    def stop_manager(self):
        if self.manager:
            self.manager.stop()
            self.manager = None

    def stop(self):
        self.stop_manager()
        if self.helpers:
            self.helpers.stop()
