#!/usr/bin/env bash
# Runs the controller manager with --use-service-account-credentials on a real kube-apiserver with RBAC, with the roles of docs/rbac.yaml
# only: the bindings of the server's own roles for controllers are deleted first. Workloads of the controllers must converge, and the audit
# log must contain no request of the manager or of a controller that was forbidden.
#   e2e/roles.sh
# The binaries come from kube.sh. Takes about four minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need roles openssl python3
find_kubectl
work=$(mktemp -d)
leave() {
    stop_background
    "$here/down.sh" --dir "$work/server" || true
    rm -rf "$work"
}
trap leave EXIT
KUBEBUILDER_ASSETS=$("$here/kube.sh")
export KUBEBUILDER_ASSETS KUBECTL
"$home/kubeloop" version

cat >"$work/audit.yaml" <<'P'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
P
"$here/up.sh" --dir "$work/server" -- --audit-policy-file="$work/audit.yaml" --audit-log-path="$work/audit.log"
pki=$work/server/pki
admin() { "$KUBECTL" --kubeconfig "$work/server/admin.kubeconfig" "$@"; }

# --- the manager's user
openssl ecparam -name prime256v1 -genkey -noout -out "$pki/manager.key"
openssl req -new -key "$pki/manager.key" -subj /CN=kubeloop-controller-manager |
    openssl x509 -req -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -set_serial 0x77 -days 2 \
        -extfile <(echo extendedKeyUsage=clientAuth) -out "$pki/manager.crt" 2>/dev/null
cp "$work/server/admin.kubeconfig" "$work/manager.kubeconfig"
"$KUBECTL" --kubeconfig "$work/manager.kubeconfig" config set-credentials admin --embed-certs \
    --client-certificate="$pki/manager.crt" --client-key="$pki/manager.key" >/dev/null

# --- the project's roles only
admin get clusterrolebindings,rolebindings -A --no-headers \
    -o custom-columns=K:.kind,NS:.metadata.namespace,N:.metadata.name | awk '$3 ~ /^system:controller:/' |
    while read -r kind namespace name; do
        if [ "$kind" = ClusterRoleBinding ]; then
            admin delete clusterrolebinding "$name" >/dev/null
        else
            admin -n "$namespace" delete rolebinding "$name" >/dev/null
        fi
    done
admin apply -f "$home/docs/rbac.yaml" >/dev/null
holds "the roles of the server are not bound" bash -c "! '$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' auth can-i create pods --as=system:serviceaccount:kube-system:expand-controller -q"

background kubelet "$home/kubeloop" kubelet --nodes 2 --kubeconfig "$work/server/admin.kubeconfig"
background manager "$home/kubeloop" controller-manager --kubeconfig "$work/manager.kubeconfig" --controllers='*,bootstrapsigner,tokencleaner' \
    --use-service-account-credentials --kube-api-qps=200 --kube-api-burst=400 --root-ca-file="$pki/ca.crt" \
    --terminated-pod-gc-threshold=3 --service-account-private-key-file="$pki/sa.key" --cluster-signing-cert-file="$pki/ca.crt" --cluster-signing-key-file="$pki/ca.key"

k() { admin -n shop "$@"; }
field() { k get "$1" -o "jsonpath={$2}"; }
PATIENCE=120
holds "create a namespace" admin create namespace shop
eventually "service account" default field serviceaccount/default .metadata.name
eventually "rules of an aggregated role" get admin get clusterrole view -o 'jsonpath={.rules[0].verbs[0]}'
eventually "root certificate" kube-root-ca.crt field configmap/kube-root-ca.crt .metadata.name
pod='{containers: [{name: main, image: "example.com/app:1", resources: {requests: {cpu: 100m}}}]}'
holds "create workloads" k create -f - <<Y
apiVersion: v1
kind: ResourceQuota
metadata: {name: limits}
spec: {hard: {pods: "50", requests.cpu: "20", count/deployments.apps: "5"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: $pod}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: db, replicas: 2, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: $pod}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: $pod}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec: {replicas: 1, selector: {app: old}, template: {metadata: {labels: {app: old}}, spec: $pod}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {ttlSecondsAfterFinished: 600, template: {spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/app:1", resources: {requests: {cpu: 100m}}}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: often}
spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/app:1", resources: {requests: {cpu: 100m}}}]}}}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: manual}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: manual}
subsets: [{addresses: [{ip: 192.0.2.7}], ports: [{port: 80}]}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata: {name: token, annotations: {kubernetes.io/service-account.name: default}}
Y
eventually "deployment" 2 field deployment/web .status.availableReplicas
eventually "statefulset" 2 field statefulset/db .status.readyReplicas
eventually "daemonset" 2 field daemonset/agent .status.numberAvailable
eventually "replicationcontroller" 1 field replicationcontroller/old .status.readyReplicas
eventually "job" 1 field job/once '.status.active'
eventually "endpoints" "2" bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' -n shop get endpoints web -o json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)[\"subsets\"][0][\"addresses\"]))'"
eventually "slice" 1 bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' -n shop get endpointslices -l kubernetes.io/service-name=web --no-headers | wc -l"
eventually "mirrored slice" 1 bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' -n shop get endpointslices -l kubernetes.io/service-name=manual --no-headers | wc -l"
eventually "budget" 1 field poddisruptionbudget/web .status.disruptionsAllowed
eventually "token" default bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' -n shop get secret token -o 'jsonpath={.data.namespace}' | base64 -d | sed s/shop/default/"
eventually "quota" 1 field resourcequota/limits '.status.used.count/deployments\.apps'
eventually "cronjob" yes bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' -n shop get cronjob often -o 'jsonpath={.status.lastScheduleTime}' | sed 's/..*/yes/'"

# --- certificates: the one of a kubelet is approved automatically, the other by hand
certificate_request() { # NAME SIGNER SUBJECT
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$work/$1.key" -subj "$3" -out "$work/$1.csr" 2>/dev/null
    printf '%s\n' "apiVersion: certificates.k8s.io/v1" "kind: CertificateSigningRequest" "metadata: {name: $1}" \
        "spec: {signerName: kubernetes.io/$2, usages: [client auth, digital signature], request: $(base64 <"$work/$1.csr" | tr -d '\n')}" |
        admin create -f -
}
issued() { admin get csr "$1" -o 'jsonpath={.status.certificate}' | sed 's/..*/yes/'; }
holds "request the certificate of a kubelet" certificate_request kubelet kube-apiserver-client-kubelet "/O=system:nodes/CN=system:node:n"
eventually "kubelet approved" AutoApproved admin get csr kubelet -o 'jsonpath={.status.conditions[0].reason}'
eventually "kubelet signed" yes issued kubelet
holds "request the certificate of a user" certificate_request jane kube-apiserver-client /CN=jane
holds "approve it" admin certificate approve jane
eventually "user signed" yes issued jane

# --- autoscaling: no metrics are served, so that the bounds alone decide
holds "create an autoscaler" k create -f - <<Y
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 3
  maxReplicas: 5
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
Y
eventually "scaled to the bounds" 3 field deployment/web .spec.replicas
eventually "the autoscaler has read what it scales" True field hpa/web '.status.conditions[?(@.type=="AbleToScale")].status'

# --- bootstrap tokens
holds "create cluster-info" admin -n kube-public create configmap cluster-info --from-literal=kubeconfig=a
token() { # ID EXPIRATION
    admin -n kube-system create secret generic "bootstrap-token-$1" --type=bootstrap.kubernetes.io/token --from-literal=token-id="$1" \
        --from-literal=token-secret=0123456789abcdef --from-literal=usage-bootstrap-signing=true --from-literal=expiration="$2"
}
holds "create a token" token aaaaaa 2099-01-01T00:00:00Z
eventually "cluster-info signed" yes bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' -n kube-public get configmap cluster-info -o 'jsonpath={.data.jws-kubeconfig-aaaaaa}' | sed 's/..*/yes/'"
holds "create an expired token" token bbbbbb 2020-01-01T00:00:00Z
eventually "it goes" "" admin -n kube-system get secrets -o name --field-selector metadata.name=bootstrap-token-bbbbbb

# --- the collection of pods: of a node that is gone, and of those that have ended
holds "create pods of a node that does not exist" k create -f - <<Y
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: lost}, spec: {nodeName: gone, containers: [{name: main, image: "example.com/app:1", resources: {requests: {cpu: 100m}}}]}}
Y
for n in 1 2 3 4 5; do
    holds "create pod $n, which ends" k run "ended-$n" --image=example.com/app:1 --overrides='{"metadata": {"labels": {"is": "ended"}, "annotations": {"sim/hold": "true"}}, "spec": {"schedulerName": "none", "containers": [{"name": "ended-'"$n"'", "image": "example.com/app:1", "resources": {"requests": {"cpu": "100m"}}}]}}'
    holds "it ends" k patch pod "ended-$n" --subresource=status --type=merge -p '{"status": {"phase": "Failed"}}'
done
eventually "the pod of the lost node goes" "" k get pods -o name --field-selector metadata.name=lost
eventually "pods that have ended go down to the threshold" 3 bash -c "'$KUBECTL' --kubeconfig '$work/server/admin.kubeconfig' get pods -A --field-selector status.phase=Failed --no-headers | wc -l"

holds "delete the autoscaler" k delete hpa web
holds "delete the deployment" k delete deployment web --cascade=foreground --wait=false
eventually "its replica sets go" "" k get replicasets -o name
holds "delete the namespace" admin delete namespace shop --wait=false
eventually "it goes" "" admin get namespaces -o name --field-selector metadata.name=shop

note "requests that were forbidden"
holds "none in the audit log" python3 - "$work/audit.log" <<'P'
import json
import sys

users, refused = set(), set()
for line in open(sys.argv[1], encoding="utf-8"):
    event = json.loads(line)
    user = event["user"]["username"]
    if user.startswith("system:serviceaccount:kube-system:") or user == "kubeloop-controller-manager":
        users.add(user)
        if event.get("responseStatus", {}).get("code") == 403 and "terminated" not in event["responseStatus"].get("message", "") \
                and event["responseStatus"].get("reason") == "Forbidden" \
                and event.get("annotations", {}).get("authorization.k8s.io/decision") == "forbid":
            ref = event.get("objectRef", {})
            refused.add("%s: %s %s %s" % (user, event["verb"], ref.get("resource", event["requestURI"]), ref.get("subresource", "")))
for name in ("certificate-controller", "horizontal-pod-autoscaler", "bootstrap-signer", "token-cleaner", "pod-garbage-collector"):
    assert "system:serviceaccount:kube-system:" + name in users, "%s sent no request" % name
assert len(users) > 12, "few controllers sent requests: %s" % sorted(users)
assert not refused, "\n".join(sorted(refused))
P
holds "the manager is still running" kill -0 "$(cat "$work/manager.pid")"
summary
