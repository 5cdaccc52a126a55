#!/usr/bin/env bash
# Puts two extension API servers behind ./kubeloop apiserver: Kubernetes' own sample-apiserver, with delegated authentication and
# authorization, and a small server of metrics.k8s.io for kubectl top and a horizontal autoscaler of ./kubeloop controller-manager.
#   e2e/aggregation.sh
# The binaries come from kube.sh; sample-apiserver is built through the Go module proxy and kept beside them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need aggregation openssl python3 go curl
find_kubectl
work=$(mktemp -d)
trap 'stop_background; rm -rf "$work"' EXIT
assets=$("$here/kube.sh")
sample=$assets/sample-apiserver
release=$(<"$here/kubernetes-release")
libraries=v0.${release#1.}
if [ ! -x "$sample" ]; then
    note "building sample-apiserver; this takes minutes"
    mkdir "$work/module"
    (
        cd "$work/module"
        export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
        printf 'module kubeloop/extension\n\ngo 1.26\n\nrequire k8s.io/sample-apiserver %s\n' "$libraries" >go.mod
        printf '//go:build tools\n\npackage tools\n\nimport _ "k8s.io/sample-apiserver"\n' >tools.go
        go mod tidy >tidy.log 2>&1 || {
            tail -n 1 tidy.log
            exit 1
        }
        go build -ldflags '-s -w' -o "$sample.part$$" k8s.io/sample-apiserver
        mv "$sample.part$$" "$sample"
    )
fi
"$home/kubeloop" version

first=$(free_ports 5)
port=$first etcd=$((first + 1)) peers=$((first + 2)) wardle=$((first + 3)) metrics=$((first + 4))
printf 'admin-token,admin,1\nextension-token,extension,2,"extensions"\n' >"$work/tokens.csv"
background api "$home/kubeloop" apiserver --port "$port" --tls --token-auth-file "$work/tokens.csv" --simulate-kubelet \
    --kubeconfig-out "$work/admin.kubeconfig" --resolve-service "wardle/api=127.0.0.1:$wardle" \
    --resolve-service "kube-system/metrics=127.0.0.1:$metrics"
await_line api '^listening on'
admin() { "$KUBECTL" --kubeconfig "$work/admin.kubeconfig" "$@"; }
sed 's/admin-token/extension-token/' "$work/admin.kubeconfig" >"$work/extension.kubeconfig"
condition() { admin get apiservice "$1" -o jsonpath='{.status.conditions[?(@.type=="Available")].status}'; }

note "sample-apiserver"
admin create namespace wardle >/dev/null
admin create clusterrolebinding extension-delegator --clusterrole=system:auth-delegator --group=extensions >/dev/null
admin -n kube-system create rolebinding extension-reader --role=extension-apiserver-authentication-reader --group=extensions >/dev/null
admin create clusterrole extension --verb=get,list,watch \
    --resource='namespaces,mutatingwebhookconfigurations.admissionregistration.k8s.io,validatingwebhookconfigurations.admissionregistration.k8s.io,validatingadmissionpolicies.admissionregistration.k8s.io,validatingadmissionpolicybindings.admissionregistration.k8s.io,mutatingadmissionpolicies.admissionregistration.k8s.io,mutatingadmissionpolicybindings.admissionregistration.k8s.io' >/dev/null
admin create clusterrolebinding extension --clusterrole=extension --group=extensions >/dev/null
admin -n wardle create service clusterip api --tcp=443:8443 >/dev/null
admin apply -f - >/dev/null <<Y
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha1.wardle.example.com}
spec:
  {group: wardle.example.com, version: v1alpha1, groupPriorityMinimum: 1000, versionPriority: 15, insecureSkipTLSVerify: true,
   service: {name: api, namespace: wardle}}
Y
eventually "without its server the API is not available" False condition v1alpha1.wardle.example.com
holds "a request for it gets 503" bash -c "'$KUBECTL' --kubeconfig '$work/admin.kubeconfig' get --raw /apis/wardle.example.com/v1alpha1 2>&1 | grep -q 'unable to handle the request'"
background etcd "$assets/etcd" --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd" \
    --advertise-client-urls "http://127.0.0.1:$etcd" --listen-peer-urls "http://127.0.0.1:$peers" --log-level error
background wardle "$sample" --secure-port "$wardle" --bind-address 127.0.0.1 --etcd-servers "http://127.0.0.1:$etcd" --cert-dir "$work/wardle-certs" \
    --kubeconfig "$work/extension.kubeconfig" --authentication-kubeconfig "$work/extension.kubeconfig" \
    --authorization-kubeconfig "$work/extension.kubeconfig" --enable-priority-and-fairness=false
PATIENCE=90 eventually "the API is available once its server runs" True condition v1alpha1.wardle.example.com
eventually "kubectl api-resources lists its resources" "fischers flunders" bash -c "'$KUBECTL' --kubeconfig '$work/admin.kubeconfig' api-resources --api-group wardle.example.com -o name | sed 's/[.].*//' | sort | xargs"
eventually "kubectl explain describes them" flunders bash -c "'$KUBECTL' --kubeconfig '$work/admin.kubeconfig' explain flunders | sed -n 's/^KIND: *Flunder/flunders/p'"
flunder() { printf 'apiVersion: wardle.example.com/v1alpha1\nkind: Flunder\nmetadata: {name: %s, labels: {a: "1"}}\nspec: {}\n' "$1"; }
background watch "$KUBECTL" --kubeconfig "$work/admin.kubeconfig" get flunders --watch -o name
flunder one | holds "an object is created" admin create -f -
eventually "a watch shows it" flunder.wardle.example.com/one bash -c "grep ^flunder '$work/watch.log' | head -n 1"
holds "it is patched" admin patch flunder one --type=merge -p '{"metadata":{"labels":{"a":"2"}}}'
eventually "and read" 2 admin get flunder one -o jsonpath='{.metadata.labels.a}'
holds "a user without a role is refused" bash -c "'$KUBECTL' --kubeconfig '$work/admin.kubeconfig' --as jane get flunders 2>&1 | grep -q 'User \"jane\" cannot list resource \"flunders\"'"
admin create role flunders --verb=list --resource=flunders.wardle.example.com >/dev/null
admin create rolebinding flunders --role=flunders --user=jane >/dev/null
eventually "a user with a role is not, on either server" flunder.wardle.example.com/one admin --as jane get flunders -o name
admin create namespace gone >/dev/null
flunder two | admin -n gone create -f - >/dev/null
holds "a deleted namespace takes its objects along" admin delete namespace gone --timeout=60s
kill "$(cat "$work/wardle.pid")"
PATIENCE=60 eventually "without its server the API is not available again" False condition v1alpha1.wardle.example.com
stale() {
    curl -sk -H 'Authorization: Bearer admin-token' -H 'Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' \
        "https://127.0.0.1:$port/apis" | grep -o '"name":"wardle.example.com"},"versions":[[][^]]*' | grep -o '"freshness":"[A-Za-z]*"'
}
eventually "discovery marks it as stale" '"freshness":"Stale"' stale
admin delete apiservice v1alpha1.wardle.example.com >/dev/null
holds "without the API service the group is gone" bash -c "! '$KUBECTL' --kubeconfig '$work/admin.kubeconfig' get --raw /apis/wardle.example.com"

note "metrics.k8s.io"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=metrics \
    -addext subjectAltName=DNS:metrics.kube-system.svc -keyout "$work/metrics.key" -out "$work/metrics.crt" 2>/dev/null
admin -n kube-system get configmap extension-apiserver-authentication -o jsonpath='{.data.requestheader-client-ca-file}' >"$work/proxy.crt"
background metrics python3 "$here/aggregation/metrics.py" "$metrics" "$work/metrics.crt" "$work/metrics.key" "$work/proxy.crt" \
    "https://127.0.0.1:$port" admin-token
await_line metrics '^listening'
admin -n kube-system create service clusterip metrics --tcp=443:443 >/dev/null
admin apply -f - >/dev/null <<Y
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, caBundle: $(base64 -w0 "$work/metrics.crt"),
   service: {name: metrics, namespace: kube-system}}
Y
eventually "the metrics are available" True condition v1beta1.metrics.k8s.io
background manager "$home/kubeloop" controller-manager --kubeconfig "$work/admin.kubeconfig" --secure-port=0 --leader-elect=false \
    --horizontal-pod-autoscaler-sync-period=1s --horizontal-pod-autoscaler-cpu-initialization-period=0s \
    --horizontal-pod-autoscaler-initial-readiness-delay=0s
admin apply -f - >/dev/null <<'Y'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: web, resources: {requests: {cpu: 100m}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 100}}}
Y
eventually "kubectl top shows a pod" "300m 20Mi" bash -c "'$KUBECTL' --kubeconfig '$work/admin.kubeconfig' top pods --no-headers | awk 'NR == 1 { print \$2, \$3 }'"
eventually "and the nodes" "1000m 1024Mi" bash -c "'$KUBECTL' --kubeconfig '$work/admin.kubeconfig' top nodes --no-headers | awk 'NR == 1 { print \$2, \$4 }'"
PATIENCE=90 eventually "the autoscaler reads the same metrics" 3 admin get deployment web -o jsonpath='{.spec.replicas}'
eventually "the server receives the user of a request" admin bash -c "grep '/namespaces/default/pods' '$work/metrics.log' | head -n 1 | cut -d' ' -f1"

stop_background
printf 'aggregation: %s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
