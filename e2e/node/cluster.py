"""A cluster with real nodes on this machine: an API server, a controller manager, kube-scheduler, two kubelets and kube-proxy."""
import os
import subprocess
import threading

from kubeapi import Kube
from servers import E2E, KUBELOOP, Process
from state import Watcher

NODES = ("node-1", "node-2")
# The same for each manager. The times are shorter than the defaults, so that a run takes minutes.
MANAGER_FLAGS = (
    "--leader-elect=false", "--kube-api-qps=200", "--kube-api-burst=400", "--use-service-account-credentials=true",
    "--allocate-node-cidrs=true", "--cluster-cidr=10.200.0.0/16", "--service-cluster-ip-range=10.96.0.0/16", "--node-cidr-mask-size=24",
    "--cluster-signing-duration=4m", "--node-monitor-period=2s", "--node-monitor-grace-period=24s", "--pvclaimbinder-sync-period=2s",
    "--horizontal-pod-autoscaler-sync-period=2s", "--horizontal-pod-autoscaler-downscale-stabilization=2s", "--controllers=*")
KINDS = {"original": (False, False), "kubeloop": (False, True), "embedded": (True, True)}


class Cluster:
    """One of KINDS: which server and which manager are this project's."""

    def __init__(self, kind, directory, assets, images=()):
        self.kind, self.dir, self.assets, self.images = kind, os.path.join(directory, kind), assets, images
        self.embedded, self.ours = KINDS[kind]
        self.pki = os.path.join(self.dir, "pki")
        self.kubeconfig = os.path.join(self.dir, "admin.kubeconfig")
        self.processes = {}
        self.nodes = []
        self.ended = threading.Event()
        os.makedirs(self.dir)

    def start(self):
        self._script("up.sh", "--dir", self.dir, "--for-nodes", *(["--embedded"] if self.embedded else []))
        self.api = Kube(self.kubeconfig, "node")
        with open(os.path.join(self.pki, "ca.crt"), encoding="utf-8") as f:
            self.watcher = Watcher(self.api, f.read())
        self.watcher.start()
        manager = [KUBELOOP, "controller-manager"] if self.ours else [os.path.join(self.assets, "kube-controller-manager")]
        self.run("manager", *manager, "--kubeconfig=" + self.kubeconfig, "--secure-port=0", "--root-ca-file=" + self._key("ca.crt"),
                 "--service-account-private-key-file=" + self._key("sa.key"), "--cluster-signing-cert-file=" + self._key("ca.crt"),
                 "--cluster-signing-key-file=" + self._key("ca.key"), *MANAGER_FLAGS)
        self.run("scheduler", os.path.join(self.assets, "kube-scheduler"), "--kubeconfig=" + self.kubeconfig, "--leader-elect=false",
                 "--secure-port=0")
        # The nodes share this machine's network, so one proxy serves both.
        self.run("proxy", os.path.join(self.assets, "kube-proxy"), "--kubeconfig=" + self.kubeconfig, "--hostname-override=" + NODES[0],
                 "--cluster-cidr=10.200.0.0/16", "--conntrack-max-per-core=0")
        for number, name in enumerate(NODES):
            self.nodes.append(name)
            self._kubelet("up", name, "--bootstrap", "--name", name, "--port", str(10250 + number), "--client-ca", self._key("ca.crt"),
                          "--kubeconfig", os.path.join(self.dir, "bootstrap.kubeconfig"),
                          *(part for image in self.images for part in ("--image", image)))

    def approve_serving(self):
        """Approves requests of nodes for serving certificates from now on, as an administrator's policy does; others are left alone."""
        path = "/apis/certificates.k8s.io/v1/certificatesigningrequests"

        def approve():
            while not self.ended.wait(1):
                for request in self.watcher.items("CertificateSigningRequest"):
                    if request["spec"]["signerName"] == "kubernetes.io/kubelet-serving" and not request["status"].get("conditions"):
                        approved = {"type": "Approved", "status": "True", "reason": "Policy", "message": "a node of the suite"}
                        self.api.raw("PUT", "%s/%s/approval" % (path, request["metadata"]["name"]),
                                     {**request, "status": {"conditions": [approved]}})
        threading.Thread(target=approve, daemon=True).start()

    def run(self, name, *command):
        self.processes[name] = Process(command, os.path.join(self.dir, name + ".log"))

    def _key(self, name):
        return os.path.join(self.pki, name)

    def _script(self, name, *arguments):
        environment = dict(os.environ, KUBECTL=os.path.join(self.assets, "kubectl"))
        if not self.embedded:
            environment["KUBEBUILDER_ASSETS"] = self.assets
        done = subprocess.run([os.path.join(E2E, name), *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode:
            raise RuntimeError("%s: %s" % (name, done.stdout[-2000:]))

    def _kubelet(self, verb, name, *arguments):
        self._script("node/kubelet.sh", verb, "--dir", os.path.join(self.dir, name), *arguments)

    def lose(self, node):
        """Ends the kubelet of a node. Its containers run on."""
        self._kubelet("stop", node)

    def find(self, node):
        self._kubelet("start", node)

    def check(self):
        for process in self.processes.values():
            process.check()

    def kubectl(self, *arguments, text=None, timeout=120):
        """The completed process of a kubectl command."""
        return subprocess.run([os.path.join(self.assets, "kubectl"), "--kubeconfig", self.kubeconfig, *arguments], input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout, check=False)

    def stop(self):
        self.ended.set()
        for node in self.nodes:
            self._kubelet("down", node)
        for process in reversed(list(self.processes.values())):
            process.stop()
        subprocess.call([os.path.join(self.assets, "kube-proxy"), "--cleanup"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for informer in self.watcher.informers.values():
            informer.stop()
        self._script("down.sh", "--dir", self.dir)
