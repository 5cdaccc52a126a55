#!/usr/bin/env bash
# Prints the heap that the informers of each library retain for the pods of a real cluster, with managedFields and all that an API
# server adds. Prints a Markdown table: docs/performance.md shows one.
#   e2e/memory.sh [PODS]                 default: 10000, in Deployments of 20
# kube-apiserver and kube-controller-manager make the pods, and a simulated kubelet starts them; then each library lists them from a
# server that only copies their bytes. The binaries are those of KUBEBUILDER_ASSETS, or of kube.sh. The profile `peers`
# downloads the other libraries. Takes a minute for each 2,000 pods, and two for the build.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
case ${1:-10000} in
    *[!0-9]* | 0) echo "memory: $1 is no number of pods" >&2; exit 2 ;;
esac
pods=${1:-10000}
of_each=20
namespaces=20
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
assets=${KUBEBUILDER_ASSETS:-$("$here/kube.sh")}
export KUBEBUILDER_ASSETS=$assets
find_kubectl
work=$(mktemp -d)
cluster=$work/cluster
trap 'stop_background; [ ! -d "$cluster" ] || "$here/down.sh" --dir "$cluster" >/dev/null; rm -rf "$work"' EXIT
(cd "$home" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick,peers package)
cp "$home/jmh/target/peers/benchmarks.jar" "$work/peers.jar"
"$home/kubeloop" version

"$here/up.sh" --dir "$cluster" >/dev/null
config=$cluster/admin.kubeconfig
k() { "$KUBECTL" --kubeconfig "$config" "$@"; }
real_controllers "$config" "$cluster/pki" --kube-api-qps=500 --kube-api-burst=1000
background kubelet "$home/kubeloop" kubelet --kubeconfig "$config" --nodes 100

# deployment NUMBER: an ordinary service, with a probe, variables, mounts and a second container.
deployment() {
    local number=$1 left=$((pods - $1 * of_each))
    cat <<EOF
apiVersion: apps/v1
kind: Deployment
metadata:
  name: orders-$number
  namespace: team-$((number % namespaces))
spec:
  replicas: $((left < of_each ? left : of_each))
  selector: {matchLabels: {app.kubernetes.io/instance: orders-$number}}
  template:
    metadata:
      labels:
        app.kubernetes.io/instance: orders-$number
        app.kubernetes.io/name: orders
        app.kubernetes.io/part-of: shop
        tier: backend
      annotations: {prometheus.io/scrape: "true", prometheus.io/port: "9102"}
    spec:
      volumes:
        - {name: config, configMap: {name: orders-$number}}
        - {name: scratch, emptyDir: {sizeLimit: 512Mi}}
      containers:
        - name: app
          image: example.com/shop/orders:1.$((number % 50)).0
          args: [--config=/etc/orders/config.yaml, "--listen=:8080"]
          ports: [{name: http, containerPort: 8080}, {name: grpc, containerPort: 9090}]
          env:
            - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
            - {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: orders-$number, key: password}}}
            - {name: DB_HOST, value: postgres}
          resources: {limits: {memory: 1Gi}, requests: {cpu: 250m, memory: 512Mi}}
          volumeMounts: [{name: config, mountPath: /etc/orders, readOnly: true}, {name: scratch, mountPath: /tmp}]
          readinessProbe: {httpGet: {path: /readyz, port: 8080}, periodSeconds: 5}
          securityContext: {runAsNonRoot: true, capabilities: {drop: [ALL]}}
        - name: metrics
          image: example.com/infra/exporter:0.9.4
          ports: [{name: metrics, containerPort: 9102}]
          resources: {requests: {cpu: 10m, memory: 32Mi}}
---
EOF
}
for ((i = 0; i < namespaces; i++)); do k create namespace "team-$i" >/dev/null; done
for ((i = 0; i * of_each < pods; i++)); do deployment "$i"; done >"$work/deployments.yaml"
k create -f "$work/deployments.yaml" >/dev/null
ready() { k get deployments -A -o go-template='{{range .items}}{{.status.readyReplicas}}{{"\n"}}{{end}}' | awk '{sum += $1} END {print sum + 0}'; }
PATIENCE=$((60 + pods / 10)) eventually "$pods pods are ready" "$pods" ready
[ "$failed" = 0 ] || exit 1
k get --raw '/api/v1/pods?resourceVersion=0' >"$work/pods.json"
stop_background
"$here/down.sh" --dir "$cluster" >/dev/null

for library in kubeloop kubeloop-stripped client-java fabric8 kubeloop-client-java kubeloop-fabric8; do
    "$java" -Xmx4g -Xms4g -cp "$work/peers.jar" io.kubeloop.jmh.InformerRun "$library" "$work/pods.json" 2>"$work/$library.log" ||
        { echo "memory: $library failed" >&2; tail -n 5 "$work/$library.log" >&2; exit 1; }
done | awk -F '\t' '
    NR == 1 { printf "| library |"; for (i = 2; i < NF; i += 2) printf " %s |", $i; printf "\n| --- |"; for (i = 2; i < NF; i += 2) printf " --- |"; printf "\n" }
    { printf "| %s |", $1; for (i = 3; i <= NF; i += 2) printf " %s |", $i; printf "\n" }'
