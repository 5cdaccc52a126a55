#!/usr/bin/env bash
# Compares the control plane in one JVM (`./kubeloop demo`) with etcd, kube-apiserver and kube-controller-manager, as a test would use
# them: the time to the first answer, the time until a Deployment is ready, CPU and memory. Prints a Markdown table.
#   e2e/plane.sh [PODS]                  default: 1000
# The same simulated kubelet starts the pods of both. The binaries are those of KUBEBUILDER_ASSETS, or of kube.sh. Client and
# servers share the machine: measure at a quiet moment. Takes two minutes once the binaries are there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
case ${1:-1000} in
    *[!0-9]* | 0) echo "plane: $1 is no number of pods" >&2; exit 2 ;;
esac
pods=${1:-1000}
assets=${KUBEBUILDER_ASSETS:-$("$here/kube.sh")}
export KUBEBUILDER_ASSETS=$assets
find_kubectl
work=$(mktemp -d)
cluster=$work/cluster
trap 'stop_background; [ ! -d "$cluster" ] || "$here/down.sh" --dir "$cluster" >/dev/null; rm -rf "$work"' EXIT
"$home/kubeloop" version

now() { date +%s%N; }
seconds() { awk -v from="$1" -v to="$(now)" 'BEGIN {printf "%.1f", (to - from) / 1e9}'; }
# used FIELD PROCESS...: the sum over processes of their CPU in seconds, or of their largest resident memory in MB.
used() {
    local field=$1 pid
    shift
    for pid; do
        if [ "$field" = cpu ]; then
            awk -v hz="$(getconf CLK_TCK)" '{print ($14 + $15) / hz}' "/proc/$pid/stat"
        else
            awk '/^VmHWM/ {print $2 / 1e3}' "/proc/$pid/status"
        fi
    done | awk -v format="$([ "$field" = cpu ] && echo %.1f || echo %.0f)" '{sum += $1} END {printf format, sum}'
}
# ready: creates the Deployment and waits for it; prints the seconds.
ready() {
    local begin
    begin=$(now)
    k create deployment big --image=web --replicas="$pods" >/dev/null
    k wait deployment/big --for=jsonpath='{.status.readyReplicas}'="$pods" --timeout=600s >/dev/null
    seconds "$begin"
}
k() { "$KUBECTL" --kubeconfig "$config" "$@"; }

begin=$(now)
background demo "$home/kubeloop" demo --port 0 --page-port 0 --kubeconfig-out "$work/demo.kubeconfig"
until [ -s "$work/demo.kubeconfig" ] && config=$work/demo.kubeconfig k get --raw /readyz >/dev/null 2>&1; do
    kill -0 "$(cat "$work/demo.pid")" || { cat "$work/demo.log" >&2; exit 1; }
    sleep 0.05
done
ours_start=$(seconds "$begin")
config=$work/demo.kubeconfig
ours_ready=$(ready)
jvm=$(pgrep -P "$(cat "$work/demo.pid")" java || cat "$work/demo.pid")
ours_cpu=$(used cpu "$jvm")
ours_memory=$(used memory "$jvm")
stop_background

begin=$(now)
"$here/up.sh" --dir "$cluster" >/dev/null
config=$cluster/admin.kubeconfig
k get --raw /readyz >/dev/null
real_start=$(seconds "$begin")
real_controllers "$config" "$cluster/pki"
background kubelet "$home/kubeloop" kubelet --kubeconfig "$config"
real_ready=$(ready)
mapfile -t processes < <(cat "$cluster"/*.pid "$work/manager.pid")
real_cpu=$(used cpu "${processes[@]}")
real_memory=$(used memory "${processes[@]}")

cat <<EOF
| what | one JVM | etcd, kube-apiserver, kube-controller-manager |
| --- | --- | --- |
| start until /readyz answers | $ours_start s | $real_start s |
| a Deployment of $pods pods is ready | $ours_ready s | $real_ready s |
| CPU of the processes, start included | $ours_cpu s | $real_cpu s (without the simulated kubelet) |
| largest resident memory | $ours_memory MB | $real_memory MB |
EOF
