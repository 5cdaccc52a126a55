"""What an operator expects of a cluster with real nodes. Each scenario is a function of a Run; see run.py."""
import os
import subprocess

from metrics_api import GROUPS, MetricsApi
from servers import KUBELOOP

IMAGE = "registry.local/app:1"


def container(script, name="main", **more):
    return {"name": name, "image": IMAGE, "imagePullPolicy": "Never", "command": ["sh", "-c", script], **more}


def web(**more):
    """A container that serves HTTP."""
    return container("mkdir /www; hostname >/www/index.html; exec httpd -f -p 8080 -h /www", ports=[{"containerPort": 8080}],
                     readinessProbe={"httpGet": {"port": 8080, "path": "/"}, "periodSeconds": 1}, **more)


def pod_spec(*containers, **more):
    return {"terminationGracePeriodSeconds": 1, "containers": list(containers), **more}


def template(app, *containers, **more):
    return {"metadata": {"labels": {"app": app}}, "spec": pod_spec(*containers, **more)}


def item(kind, name, spec=None, **more):
    group = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "Job": "batch/v1", "CronJob": "batch/v1",
             "PodDisruptionBudget": "policy/v1", "HorizontalPodAutoscaler": "autoscaling/v2", "StorageClass": "storage.k8s.io/v1"}
    return {"apiVersion": group.get(kind, "v1"), "kind": kind, "metadata": {"name": name}, **({"spec": spec} if spec else {}), **more}


def workload(kind, name, *containers, replicas=None, spec=None, **more):
    """A Deployment, StatefulSet or DaemonSet whose pods have the label app=NAME."""
    counted = {} if replicas is None else {"replicas": replicas}
    return item(kind, name, {**counted, "selector": {"matchLabels": {"app": name}}, "template": template(name, *containers, **(spec or {})), **more})


def job(name, script, spec=None, **more):
    return item("Job", name, {**more, "template": {"spec": pod_spec(container(script), restartPolicy="Never", **(spec or {}))}})


def service(name, **more):
    return item("Service", name, {"selector": {"app": name}, "ports": [{"port": 80, "targetPort": 8080}], **more})


SPREAD = {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule",
                                         "labelSelector": {"matchLabels": {"app": "web"}}}]}
READY = ".status.readyReplicas"
REASONS = "{range .status.conditions[*]}{.type}={.status}:{.reason} {end}"


def deployment(run):
    """Probes, a rolling update, a failed one, and the way back."""
    live = {"livenessProbe": {"exec": {"command": ["test", "!", "-e", "/tmp/dead"]}, "periodSeconds": 1, "failureThreshold": 1}}
    run.create(workload("Deployment", "web", web(**live), replicas=3, progressDeadlineSeconds=8), service("web"))
    run.succeeds("the rollout ends", "rollout", "status", "deployment/web", "--timeout=60s")
    run.until("three ready addresses", "3", lambda: run.addresses("web"))
    run.until("the Service answers in a pod", "web", lambda: run.out(
        "exec", "deployment/web", "--", "wget", "-q", "-O", "-", "http://" + run.field("service/web", ".spec.clusterIP"))[:3])
    run.snapshot("three pods")
    victim = run.names("pods", "app=web")[0]
    run.succeeds("a container is broken", "exec", victim, "--", "touch", "/tmp/dead")
    run.until("its liveness probe restarts it", "1", lambda: run.field("pod/" + victim, ".status.containerStatuses[0].restartCount"))
    run.until("three pods are ready again", "3", lambda: run.field("deployment/web", READY))
    run.succeeds("an update", "set", "env", "deployment/web", "VERSION=2")
    run.succeeds("its rollout ends", "rollout", "status", "deployment/web", "--timeout=60s")
    run.until("the old pods are gone", "3", lambda: str(len(run.names("pods", "app=web"))))
    run.snapshot("second version")
    run.succeeds("an image that does not exist", "set", "image", "deployment/web", "main=registry.local/none:1")
    run.until("its rollout misses the deadline", "False:ProgressDeadlineExceeded",
              lambda: run.get("deployment/web", "{range .status.conditions[?(@.type=='Progressing')]}{.status}:{.reason}{end}"))
    run.until("and three old pods still serve", "3", lambda: run.addresses("web"))
    run.succeeds("undo", "rollout", "undo", "deployment/web")
    run.succeeds("the rollout back ends", "rollout", "status", "deployment/web", "--timeout=60s")
    run.until("the pods of the failed version are gone", "3", lambda: str(len(run.names("pods", "app=web"))))
    run.snapshot("back")
    run.succeeds("the Deployment is deleted with its pods", "delete", "deployment/web", "--cascade=foreground", "--timeout=60s")
    run.snapshot("deleted")


def statefulset(run):
    """Claims on local volumes, which wait for their first consumer; the files survive the pods."""
    claims = [{"metadata": {"name": "data"}, "spec": {"storageClassName": run.name, "accessModes": ["ReadWriteOnce"],
                                                      "resources": {"requests": {"storage": "1Gi"}}}}]
    volumes = []
    for number in range(2):
        path = os.path.join(run.cluster.dir, "volumes", "%s-%d" % (run.name, number))
        os.makedirs(path)
        here = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]}]}
        volumes.append(item("PersistentVolume", "%s-%d" % (run.name, number), {
            "capacity": {"storage": "%dGi" % (number + 1)}, "accessModes": ["ReadWriteOnce"], "storageClassName": run.name, "local": {"path": path},
            "persistentVolumeReclaimPolicy": "Retain", "nodeAffinity": {"required": here}}))
    run.create(item("StorageClass", run.name, provisioner="kubernetes.io/no-provisioner", volumeBindingMode="WaitForFirstConsumer"), *volumes)
    db = web(volumeMounts=[{"name": "data", "mountPath": "/data"}])
    db["command"][2] = "hostname >>/data/log; " + db["command"][2]
    run.create(service("db", clusterIP="None"),
               workload("StatefulSet", "db", db, replicas=2, serviceName="db", volumeClaimTemplates=claims,
                        persistentVolumeClaimRetentionPolicy={"whenScaled": "Delete", "whenDeleted": "Delete"}))
    run.succeeds("both pods run", "rollout", "status", "statefulset/db", "--timeout=60s")
    run.snapshot("bound", "PersistentVolume")
    run.succeeds("a pod is deleted", "delete", "pod/db-0")
    run.succeeds("it comes back", "rollout", "status", "statefulset/db", "--timeout=60s")
    run.until("with its files", "db-0\ndb-0", lambda: run.out("exec", "db-0", "--", "cat", "/data/log"))
    run.succeeds("an update", "set", "env", "statefulset/db", "VERSION=2")
    run.succeeds("its rollout ends", "rollout", "status", "statefulset/db", "--timeout=60s")
    run.succeeds("one pod less", "scale", "statefulset/db", "--replicas=1")
    run.until("its claim goes", "", lambda: run.out("get", "pvc/data-db-1", "--ignore-not-found", "-o", "name"))
    run.snapshot("scaled down", "PersistentVolume")
    run.succeeds("the set is deleted", "delete", "statefulset/db", "--cascade=foreground", "--timeout=60s")
    run.until("all claims go", "", lambda: run.out("get", "pvc", "-o", "name"))
    run.until("the volumes are released, not reused", "Released Released", lambda: run.get("pv", "{.items[*].status.phase}", run.name))
    run.snapshot("deleted", "PersistentVolume")


def claim(run):
    """A volume of the host: a claim in use is protected, and the manager deletes the directory at the end."""
    path = "/tmp/kubeloop-node-claim"          # the only place where a manager deletes directories
    os.makedirs(path, exist_ok=True)
    run.create(item("PersistentVolume", run.name, {
        "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": run.name, "hostPath": {"path": path},
        "persistentVolumeReclaimPolicy": "Delete"}))
    run.create(item("PersistentVolumeClaim", "data", {"storageClassName": run.name, "accessModes": ["ReadWriteOnce"],
                                                      "resources": {"requests": {"storage": "1Gi"}}}))
    run.until("the claim is bound", "Bound", lambda: run.field("pvc/data", ".status.phase"))
    run.create(item("Pod", "user", pod_spec(container("echo here >/data/file; exec sleep 1000", volumeMounts=[{"name": "data", "mountPath": "/data"}]),
                                            volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])))
    run.until("a pod writes", "here", lambda: run.out("exec", "user", "--", "cat", "/data/file"))
    run.succeeds("the claim is deleted", "delete", "pvc/data", "--wait=false")
    run.snapshot("deleted while in use", "PersistentVolume")
    run.succeeds("the pod is deleted", "delete", "pod/user")
    run.until("the claim goes", "", lambda: run.out("get", "pvc", "-o", "name"))
    run.until("the volume goes", "", lambda: run.out("get", "pv/" + run.name, "--ignore-not-found", "-o", "name"))
    run.check("and the directory", not os.path.exists(path))


def jobs(run):
    """Jobs by the exit codes of their containers."""
    rule = {"rules": [{"action": "FailJob", "onExitCodes": {"containerName": "main", "operator": "In", "values": [42]}}]}
    run.create(
        job("completes", "exit 0", completions=3, parallelism=2),
        job("fails", "exit 3", backoffLimit=1),
        job("stops", "exit 42", backoffLimit=6, podFailurePolicy=rule),
        job("indexed", "[ $JOB_COMPLETION_INDEX != 1 ]", completions=3, parallelism=3, completionMode="Indexed", backoffLimitPerIndex=0,
            maxFailedIndexes=2),
        job("succeeds", "[ $JOB_COMPLETION_INDEX = 0 ] || sleep 1000", completions=2, parallelism=2, completionMode="Indexed",
            successPolicy={"rules": [{"succeededIndexes": "0"}]}),
        job("late", "sleep 1000", activeDeadlineSeconds=3),
        job("vanishes", "exit 0", ttlSecondsAfterFinished=1),
        job("waits", "exit 0", suspend=True))
    for name, wanted in (("completes", "SuccessCriteriaMet=True:CompletionsReached Complete=True:CompletionsReached"),
                         ("fails", "FailureTarget=True:BackoffLimitExceeded Failed=True:BackoffLimitExceeded"),
                         ("stops", "FailureTarget=True:PodFailurePolicy Failed=True:PodFailurePolicy"),
                         ("indexed", "FailureTarget=True:FailedIndexes Failed=True:FailedIndexes"),
                         ("succeeds", "SuccessCriteriaMet=True:SuccessPolicy Complete=True:SuccessPolicy"),
                         ("late", "FailureTarget=True:DeadlineExceeded Failed=True:DeadlineExceeded")):
        run.until("job " + name, wanted, lambda: run.get("job/" + name, REASONS))
    run.until("a finished Job is deleted", "", lambda: run.out("get", "job/vanishes", "--ignore-not-found", "-o", "name"))
    run.check("a suspended Job has no pods", run.names("pods", "job-name=waits"), [])
    run.succeeds("it is resumed", "patch", "job/waits", "-p", '{"spec":{"suspend":false}}')
    run.succeeds("and completes", "wait", "--for=condition=Complete", "job/waits", "--timeout=30s")
    run.snapshot("finished")


def cronjob(run):
    run.create(item("CronJob", "tick", {"schedule": "* * * * *", "concurrencyPolicy": "Forbid", "successfulJobsHistoryLimit": 1,
                                        "jobTemplate": {"spec": {"template": {"spec": pod_spec(container("exit 0"), restartPolicy="Never")}}}}))
    run.until("a Job starts with the minute and completes", True, lambda: "T" in run.field("cronjob/tick", ".status.lastSuccessfulTime"), 90)
    run.succeeds("no more", "patch", "cronjob/tick", "-p", '{"spec":{"suspend":true}}')
    run.snapshot("one run")


def daemonset(run):
    run.create(workload("DaemonSet", "agent", web()))
    run.succeeds("a pod on each node", "rollout", "status", "daemonset/agent", "--timeout=60s")
    run.check("both nodes have one", sorted(run.get("pods", "{.items[*].spec.nodeName}").split()), ["node-1", "node-2"])
    run.succeeds("an update", "set", "env", "daemonset/agent", "VERSION=2")
    run.succeeds("its rollout ends", "rollout", "status", "daemonset/agent", "--timeout=60s")
    run.succeeds("one node only", "patch", "daemonset/agent", "-p",
                 '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"node-2"}}}}}')
    run.until("one pod is left", "1/1", lambda: run.get("daemonset/agent", "{.status.desiredNumberScheduled}/{.status.updatedNumberScheduled}"))
    run.until("on that node", "node-2", lambda: run.get("pods", "{.items[*].spec.nodeName}"))
    run.snapshot("one node")


def autoscaling(run):
    """A metrics API behind an APIService."""
    metrics = MetricsApi(run.cluster.api, run.cluster.pki, lambda *_: sorted(run.names("pods", "app=web")))
    try:
        run.succeeds("the server reaches the metrics API", "wait", "--for=condition=Available", "apiservice/v1beta1.metrics.k8s.io", "--timeout=30s")
        metrics.values[run.name] = {"pods": {"memory": ["300Mi"]}}
        run.create(workload("Deployment", "web", web(), replicas=1), item("HorizontalPodAutoscaler", "web", {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "minReplicas": 1, "maxReplicas": 3,
            "metrics": [{"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "100Mi"}}}]}))
        run.until("three pods", "3", lambda: run.field("deployment/web", READY), 90)
        metrics.values[run.name] = {"pods": {"memory": ["20Mi"]}}
        run.until("one pod", "1", lambda: run.field("deployment/web", ".status.replicas"), 90)
        run.until("the autoscaler reports it", "1/1", lambda: run.get("hpa/web", "{.status.currentReplicas}/{.status.desiredReplicas}"))
        run.snapshot("scaled down")
    finally:
        # No namespace can be deleted while a group of the API is out of reach.
        run.kubectl("delete", "apiservice", *("%s.%s" % (version, group) for group, version in GROUPS.items()))
        run.kubectl("-n", "default", "delete", "service/metrics")
        metrics.stop()


def sidecars(run):
    """Init containers in order, sidecars, hooks, and a Job with a sidecar that ends with it."""
    shared = {"volumeMounts": [{"name": "shared", "mountPath": "/shared"}]}
    empty = {"volumes": [{"name": "shared", "emptyDir": {}}]}
    first = container("echo first >>/shared/log", "first", **shared)
    second = container("[ -e /shared/tried ] || { touch /shared/tried; exit 1; }; echo second >>/shared/log", "second", **shared)
    sidecar = container("echo sidecar >>/shared/log; touch /shared/up; sleep 1000", "sidecar", restartPolicy="Always",
                        startupProbe={"exec": {"command": ["cat", "/shared/up"]}, "periodSeconds": 1}, **shared)
    main = web(lifecycle={"postStart": {"exec": {"command": ["sh", "-c", "echo started >>/shared/log"]}}}, **shared)
    run.create(workload("Deployment", "app", main, replicas=1, spec={"initContainers": [first, second, sidecar], **empty}),
               item("Job", "with-sidecar", {"template": {"spec": pod_spec(
                   container("exit 0"), restartPolicy="Never", initContainers=[sidecar], **empty)}}))
    run.succeeds("the pod is ready", "rollout", "status", "deployment/app", "--timeout=90s")
    run.check("in this order", run.out("exec", "deployment/app", "-c", "main", "--", "cat", "/shared/log").split(),
              ["first", "second", "sidecar", "started"])
    run.succeeds("a Job with a sidecar completes", "wait", "--for=condition=Complete", "job/with-sidecar", "--timeout=60s")
    run.snapshot("ready")


def quota(run):
    run.create(item("ResourceQuota", "limits", {"hard": {"pods": "2", "requests.cpu": "300m", "count/deployments.apps": "1"}}),
               item("LimitRange", "defaults", {"limits": [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]}))
    run.until("the quota is counted", "0", lambda: run.field("quota/limits", ".status.used.pods"))
    run.create(workload("Deployment", "web", web(), replicas=3))
    run.until("two pods are ready", "2", lambda: run.field("deployment/web", READY))
    run.until("the third is refused", "True", lambda: run.get("deployment/web", "{.status.conditions[?(@.type=='ReplicaFailure')].status}"))
    run.until("the quota is used up", "2 200m", lambda: run.get("quota/limits", "{.status.used.pods} {.status.used['requests\\.cpu']}"))
    run.create(job("over", "exit 0", completions=1))
    run.until("a Job waits", True, lambda: bool(run.names("events", None, "reason=FailedCreate,involvedObject.name=over")))
    run.succeeds("the Deployment is smaller", "scale", "deployment/web", "--replicas=1")
    run.succeeds("the Job completes", "wait", "--for=condition=Complete", "job/over", "--timeout=90s")
    run.until("finished pods do not count", "1", lambda: run.field("quota/limits", ".status.used.pods"))
    run.snapshot("used")


def streams(run):
    """kubectl's connections to containers."""
    run.create(item("Pod", "app", pod_spec(web(), container("while :; do echo tick; sleep 0.2; done", "ticks"),
                                           container("read line; echo got $line; sleep 1000", "reads", stdin=True))))
    run.succeeds("the pod is ready", "wait", "--for=condition=Ready", "pod/app", "--timeout=60s")
    run.check("logs", run.out("logs", "app", "-c", "ticks", "--tail=2"), "tick\ntick")
    follow = run.kubectl("logs", "app", "-c", "ticks", "-f", "--since=1s", "--limit-bytes=60")
    run.check("logs -f", follow.stdout[:9], "tick\ntick"[:9])
    run.check("exec", run.out("exec", "app", "-c", "main", "--", "hostname"), "app")
    run.check("exec with an exit code", run.kubectl("exec", "app", "-c", "main", "--", "sh", "-c", "exit 7").returncode, 7)
    run.check("exec with input", run.kubectl("exec", "-i", "app", "-c", "main", "--", "tr", "a-z", "A-Z", text="shout").stdout, "SHOUT")
    attached = run.kubectl("attach", "-i", "app", "-c", "reads", text="hello\n")
    run.check("attach", "got hello" in attached.stdout + run.out("logs", "app", "-c", "reads"))
    local = os.path.join(run.cluster.dir, "copied")
    with open(local, "w", encoding="utf-8") as file:
        file.write("copied\n")
    run.succeeds("cp to a container", "cp", local, run.name + "/app:/tmp/copied", "-c", "main")
    run.succeeds("cp from a container", "cp", run.name + "/app:/tmp/copied", local + ".back", "-c", "main")
    with open(local + ".back", encoding="utf-8") as file:
        run.check("the copy is whole", file.read(), "copied\n")
    run.check("port-forward", run.forwarded("pod/app", 8080), "app\n")
    run.check("proxy to a pod", run.out("get", "--raw", "/api/v1/namespaces/%s/pods/app:8080/proxy/" % run.name), "app")


def namespace(run):
    """A namespace goes with everything in it, running pods included."""
    run.create(item("Namespace", "doomed"))
    run.create(workload("Deployment", "web", web(), replicas=2), workload("StatefulSet", "db", web(), replicas=1, serviceName="db"), service("web"),
               item("ConfigMap", "held", None, metadata={"name": "held", "finalizers": ["example.com/hold"]}), namespace="doomed")
    run.succeeds("pods run", "-n", "doomed", "rollout", "status", "deployment/web", "--timeout=60s")
    run.succeeds("it is deleted", "delete", "namespace/doomed", "--wait=false")
    run.until("a finalizer holds it, and nothing else", "configmap/held",
              lambda: run.out("-n", "doomed", "get", "deploy,rs,sts,pods,svc,endpointslices,cm", "-o", "name").replace("configmap/kube-root-ca.crt\n", ""))
    run.until("its condition states that", "NamespaceContentRemaining=True:SomeResourcesRemain NamespaceFinalizersRemaining=True:SomeFinalizersRemain",
              lambda: " ".join(c for c in run.get("namespace/doomed", REASONS).split() if "=True" in c))
    run.succeeds("the finalizer is removed", "-n", "doomed", "patch", "configmap/held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
    run.until("the namespace is gone", "", lambda: run.out("get", "namespace/doomed", "--ignore-not-found", "-o", "name"))


def certificates(run):
    """Kubelets request certificates with a bootstrap token, and renew them."""
    for node in ("node-1", "node-2"):
        path = os.path.join(run.cluster.dir, node, "pki", "kubelet-client-current.pem")
        text = subprocess.check_output(["openssl", "x509", "-in", path, "-noout", "-subject", "-issuer"], text=True).replace(" ", "")
        run.check(node + " has a certificate of the authority", text.split(),
                  ["subject=O=system:nodes,CN=system:node:" + node, "issuer=CN=e2e-ca"])
    run.until("both are renewed by the nodes", "node-1 node-2", lambda: " ".join(sorted({
        request["spec"]["username"].rsplit(":", 1)[-1] for request in run.cluster.watcher.items("CertificateSigningRequest")
        if request["spec"]["signerName"].endswith("-kubelet") and "certificate" in request["status"]
        and request["spec"]["username"].startswith("system:node:")})), 240)
    run.check("both are ready", run.get("nodes", "{.items[*].status.conditions[?(@.type=='Ready')].status}"), "True True")


def drain(run):
    """A budget limits evictions; kubectl drains a node."""
    run.create(workload("Deployment", "web", web(), replicas=4, spec=SPREAD), workload("DaemonSet", "agent", web()),
               item("PodDisruptionBudget", "web", {"minAvailable": 4, "selector": {"matchLabels": {"app": "web"}}}))
    run.succeeds("pods on both nodes", "rollout", "status", "deployment/web", "--timeout=60s")
    run.until("the budget allows nothing", "0/4", lambda: run.get("pdb/web", "{.status.disruptionsAllowed}/{.status.currentHealthy}"))
    pod = run.names("pods", "app=web")[0]
    refused = run.kubectl("create", "--raw", "/api/v1/namespaces/%s/pods/%s/eviction" % (run.name, pod), "-f", "-",
                          text='{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"%s"}}' % pod)
    run.check("an eviction is refused", "Cannot evict pod as it would violate the pod's disruption budget" in refused.stderr)
    run.succeeds("the budget is larger", "patch", "pdb/web", "-p", '{"spec":{"minAvailable":2}}')
    run.succeeds("the pods may gather", "patch", "deployment/web", "--type=json", "-p",
                 '[{"op":"remove","path":"/spec/template/spec/topologySpreadConstraints"}]')
    run.succeeds("new pods", "rollout", "status", "deployment/web", "--timeout=60s")
    run.succeeds("drain", "drain", "node-2", "--ignore-daemonsets", "--timeout=90s", "--delete-emptydir-data")
    run.check("it is cordoned", run.get("node/node-2", "{.spec.taints[*].key}"), "node.kubernetes.io/unschedulable")
    run.until("all pods are on the other node", "node-1 " * 4,
              lambda: "".join(node + " " for node in run.get("pods", "{.items[*].spec.nodeName}", "app=web").split()))
    run.until("and ready", "4", lambda: run.field("deployment/web", READY))
    run.snapshot("drained")
    run.succeeds("uncordon", "uncordon", "node-2")
    run.until("the taint goes", "", lambda: run.get("node/node-2", "{.spec.taints[*].key}"))


def lost_node(run):
    """A kubelet ends: the pods of the node are evicted and replaced. It comes back."""
    brief = [{"key": "node.kubernetes.io/" + key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 4}
             for key in ("unreachable", "not-ready")]
    gentle = {**SPREAD, "tolerations": brief}
    gentle["topologySpreadConstraints"] = [{**SPREAD["topologySpreadConstraints"][0], "whenUnsatisfiable": "ScheduleAnyway"}]
    pinned = {"tolerations": brief, "nodeSelector": {"kubernetes.io/hostname": "node-2"}}
    run.create(workload("Deployment", "web", web(), replicas=2, spec=gentle), service("web"), workload("DaemonSet", "agent", web()),
               workload("StatefulSet", "db", web(), replicas=1, serviceName="db", spec=pinned))
    for target in ("deployment/web", "daemonset/agent", "statefulset/db"):
        run.succeeds("pods of %s run" % target, "rollout", "status", target, "--timeout=60s")
    run.check("on both nodes", sorted(run.get("pods", "{.items[*].spec.nodeName}", "app=web").split()), ["node-1", "node-2"])
    run.cluster.lose("node-2")
    run.until("the node is unknown", "Unknown", lambda: run.get("node/node-2", "{.status.conditions[?(@.type=='Ready')].status}"), 60)
    run.until("it is tainted", "node.kubernetes.io/unreachable:NoExecute node.kubernetes.io/unreachable:NoSchedule", lambda: " ".join(sorted(
        run.get("node/node-2", "{range .spec.taints[*]}{.key}:{.effect} {end}").split())))
    run.until("its pod is replaced", ["node-1", "node-1"], lambda: run.living("app=web"), 60)
    run.until("and two are ready", "2", lambda: run.field("deployment/web", READY))
    run.until("the Service leaves the lost one out", "2", lambda: run.addresses("web"))
    run.check("the set waits for its pod", run.get("pods", "{.items[*].metadata.deletionTimestamp}", "app=db") != "")
    # The taint may come before or after the pod's last change, which is the last one that the set counts its pods for.
    run.succeeds("the daemon counts its pods once more", "annotate", "daemonset/agent", "counted=again")
    run.snapshot("lost", "Node")
    run.cluster.find("node-2")
    run.until("the node is back", "True", lambda: run.get("node/node-2", "{.status.conditions[?(@.type=='Ready')].status}"), 60)
    run.until("without taints", "", lambda: run.get("node/node-2", "{.spec.taints[*].key}"))
    run.until("two pods of the Deployment", "2", lambda: str(len(run.names("pods", "app=web"))), 60)
    run.succeeds("the set has its pod again", "rollout", "status", "statefulset/db", "--timeout=60s")
    run.until("the daemon's pods are ready", "2", lambda: run.field("daemonset/agent", ".status.numberReady"))
    run.snapshot("back", "Node")


def simulated(run):
    """kube-scheduler places pods on simulated nodes beside the real ones; a taint evicts them."""
    nodes = ["sim-1", "sim-2", "sim-3"]
    only = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
        {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": nodes}]}]}}}
    spread = [{**SPREAD["topologySpreadConstraints"][0], "whenUnsatisfiable": "ScheduleAnyway"}]
    run.cluster.run("simulated", KUBELOOP, "kubelet", "--kubeconfig=" + run.cluster.kubeconfig, "--nodes=3", "--node-prefix=sim-")
    try:
        run.until("three nodes join", "True True True",
                  lambda: run.get("node " + " ".join(nodes), "{.items[*].status.conditions[?(@.type=='Ready')].status}"))
        run.create(workload("Deployment", "web", web(), replicas=6, spec={"affinity": only, "topologySpreadConstraints": spread}))
        run.succeeds("six pods run", "rollout", "status", "deployment/web", "--timeout=60s")
        run.check("two on each node", sorted(run.living("app=web")), sorted(nodes * 2))
        run.succeeds("a node is tainted", "taint", "node", "sim-3", "example.com/out:NoExecute")
        run.until("its pods are evicted", ["sim-1", "sim-2"], lambda: sorted(set(run.living("app=web"))))
        run.until("and replaced", "6", lambda: run.field("deployment/web", READY))
        run.succeeds("the Deployment is deleted with its pods", "delete", "deployment/web", "--cascade=foreground", "--timeout=60s")
    finally:
        run.cluster.processes.pop("simulated").stop()
        run.kubectl("delete", "node", *nodes)


# The first run side by side; the others change nodes.
TOGETHER = (cronjob, deployment, statefulset, claim, jobs, daemonset, autoscaling, sidecars, quota, streams, namespace)
ALONE = (drain, lost_node, simulated, certificates)
