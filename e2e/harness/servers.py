"""Starts and stops what a suite needs: an API server, the controllers under test, and helpers beside them."""
import os
import shlex
import shutil
import signal
import subprocess
import time

from kubeapi import Kube, path_for, wait_until

E2E = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = os.path.dirname(E2E)
KUBELOOP = os.path.join(HOME, "kubeloop")
OURS = "'%s' controller-manager --kubeconfig {kubeconfig} --kube-api-qps=1000 --kube-api-burst=2000" % KUBELOOP
# The name by which a suite is asked to put the original under test.
ORIGINAL = "kube-controller-manager"
# As e2e/up.sh: without a controller for service accounts, pods must not need one.
NO_ACCOUNTS = "--disable-admission-plugins=ServiceAccount"
DUAL_STACK = "--service-cluster-ip-range=10.96.0.0/16,fd00:10:96::/112"


class Process:
    """A child process with a log; in a session of its own, so that Ctrl-C reaches only whoever stops it in order."""

    def __init__(self, command, log):
        with open(log, "ab") as out:
            self.child = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                                          start_new_session=True)
        self.pid, self.log = self.child.pid, log

    def check(self):
        if self.child.poll() is not None:
            raise RuntimeError("%s ended with %s:\n%s" % (self.child.args[0], self.child.returncode, self.tail()))

    def tail(self, lines=20):
        with open(self.log, encoding="utf-8", errors="replace") as f:
            return "".join(f.readlines()[-lines:])

    def stop(self, seconds=15):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()


def kube_binaries(*further):
    """The directory of a real kube-apiserver and what belongs to it; builds them if need be."""
    return subprocess.check_output([os.path.join(E2E, "kube.sh"), *further], text=True).strip()


class RealServer:
    """etcd and kube-apiserver on loopback, empty, with an audit log of all writes."""

    def __init__(self, directory, assets):
        self.directory, self.assets = directory, assets
        os.makedirs(directory, exist_ok=True)
        self.audit = os.path.join(directory, "audit.log")
        policy = os.path.join(directory, "audit-policy.yaml")
        with open(policy, "w", encoding="utf-8") as f:
            f.write("apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived, ResponseStarted]\nrules:\n"
                    "- {level: None, verbs: [get, list, watch]}\n- {level: None, users: ['system:apiserver']}\n"
                    "- {level: None, resources: [{group: coordination.k8s.io, resources: [leases]}]}\n- {level: Metadata}\n")
        flags = ["--audit-policy-file=" + policy, "--audit-log-path=" + self.audit, "--audit-log-maxsize=4000"]
        environment = dict(os.environ, KUBEBUILDER_ASSETS=assets)
        try:
            subprocess.check_call([os.path.join(E2E, "up.sh"), "--dir", directory, "--"] + flags, env=environment,
                                  stdout=subprocess.DEVNULL)
        except BaseException:
            # Who is stopped just then has no server to close yet, but half of it may run.
            self.close()
            raise
        self.kubeconfig = os.path.join(directory, "admin.kubeconfig")

    def pid(self, name):
        with open(os.path.join(self.directory, name + ".pid"), encoding="utf-8") as f:
            return int(f.read())

    def original(self, controllers, *flags):
        """The command line of kube-controller-manager with some of its controllers."""
        pki = os.path.join(self.directory, "pki")
        return [os.path.join(self.assets, ORIGINAL), "--kubeconfig=" + self.kubeconfig, "--controllers=" + controllers,
                "--leader-elect=false", "--secure-port=0", "--cert-dir=" + pki,
                "--service-account-private-key-file=" + os.path.join(pki, "sa.key"),
                "--root-ca-file=" + os.path.join(pki, "ca.crt"), *flags]

    def close(self):
        subprocess.call([os.path.join(E2E, "down.sh"), "--dir", self.directory])


def start_embedded(directory, *flags):
    """`kubeloop apiserver` without an account in every namespace: its process and its kubeconfig, once it listens."""
    kubeconfig = os.path.join(directory, "kubeconfig")
    process = Process([KUBELOOP, "apiserver", "--port=0", "--kubeconfig-out=" + kubeconfig, NO_ACCOUNTS, *flags], os.path.join(directory, "apiserver.log"))

    def listens():
        process.check()
        return os.path.exists(kubeconfig) and "listening on" in process.tail()
    # The first start of the launcher builds.
    if not wait_until(listens, 900, 0.1):
        raise RuntimeError("kubeloop apiserver does not listen:\n" + process.tail())
    return process, kubeconfig


class Manager:
    """The controllers under test; can be stopped and started again."""

    def __init__(self, command, server, directory):
        if command == ORIGINAL:
            self.command = server.original("endpoint,replicaset,replicationcontroller", "--kube-api-qps=1000",
                                           "--kube-api-burst=2000")
        else:
            self.command = shlex.split(command.replace("{kubeconfig}", server.kubeconfig))
        self.log = os.path.join(directory, "manager.log")
        self.server, self.process = server, None
        self.start()

    def start(self):
        self.process = Process(self.command, self.log)

    def stop(self):
        self.process.stop()

    def await_acting(self, seconds=60):
        """Waits until a ReplicaSet gets its pod and a Service its Endpoints."""
        api = Kube(self.server.kubeconfig, "e2e-runner")
        labels = {"app": "probe"}
        probes = {"Service": {"selector": labels, "ports": [{"port": 80}]}, "ReplicaSet": {
            "replicas": 1, "selector": {"matchLabels": labels}, "template": {
                "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "example/app:1"}]}}}}
        for kind, spec in probes.items():
            wait_until(lambda: api.get(path_for("Namespace", None, "default"), ok404=True), 20)
            version = "apps/v1" if kind == "ReplicaSet" else "v1"
            api.create(path_for(kind, "default"),
                       {"apiVersion": version, "kind": kind, "metadata": {"name": "probe"}, "spec": spec})

        def acts():
            self.process.check()
            return api.list(path_for("Pod", "default"))[0] and api.get(path_for("Endpoints", "default", "probe"), True)
        if not wait_until(acts, seconds):
            raise RuntimeError("the controllers do not act:\n" + self.process.tail())
        for kind in probes:
            api.delete(path_for(kind, "default", "probe"), propagation="Background" if kind == "ReplicaSet" else None)
        wait_until(lambda: api.get(path_for("ReplicaSet", "default", "probe"), ok404=True) is None, 10)
        time.sleep(0.5)
        for pod in api.list(path_for("Pod", "default"))[0]:
            api.delete(path_for("Pod", "default", pod["metadata"]["name"]), grace=0)


def remove(directory):
    shutil.rmtree(directory, ignore_errors=True)
