#!/usr/bin/env bash
# Runs this release's controller manager and simulated kubelets on kube-apiservers of other releases: the suite run.sh, then one
# object of each kind of workload, and checks that each informer of the manager has its list.
#   e2e/compatibility.sh [VERSION...]      default: the oldest release that is supported, and one between
# The binaries of each release come from kube.sh, which compiles them for some minutes if they are not in its cache.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need compatibility curl openssl
find_kubectl
[ $# -gt 0 ] || set -- 1.33.13 1.35.4
work=$(mktemp -d)
leave() {
    stop_background
    "$here/down.sh" --dir "$work/kube" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap leave EXIT
"$home/kubeloop" version

k() { "$KUBECTL" -n shop "$@"; }
field() { k get "$1" -o "jsonpath={$2}"; }
unfilled() { curl -sSf "http://127.0.0.1:$port/metrics" | sed -n 's/^informer_synced{.*name="\([^"]*\)".* 0\.0$/\1/p' | sort | tr '\n' ' '; }

smoke() { # VERSION: the suite of the manager on this release
    local last
    last=$(KUBE_VERSION=$1 "$here/run.sh" 2>&1 | tee "$work/run-$1.log" | tail -n 1) || true
    sed -n '/^FAIL/,/got:/p' "$work/run-$1.log"
    [[ $last =~ ^[1-9][0-9]*\ passed,\ 0\ failed$ ]]
}

for version; do
    assets=$(KUBE_VERSION=$version "$here/kube.sh")
    note "$("$assets/kube-apiserver" --version)"
    holds "$version: run.sh" smoke "$version"

    KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$work/kube"
    export KUBECONFIG=$work/kube/admin.kubeconfig
    pki=$work/kube/pki
    port=$(free_ports 1)
    background kubelet "$home/kubeloop" kubelet --kubeconfig "$KUBECONFIG"
    background manager "$home/kubeloop" controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false --secure-port=0 --http-port="$port" \
        --controllers='*,-node-lifecycle-controller' --root-ca-file="$pki/ca.crt" --service-account-private-key-file="$pki/sa.key" \
        --cluster-signing-cert-file="$pki/ca.crt" --cluster-signing-key-file="$pki/ca.key" --kube-api-qps=200 --kube-api-burst=400 \
        --horizontal-pod-autoscaler-sync-period=1s --v=1
    await_line manager '^started '
    note "left out on $version: $(sed -n 's/.*Controller \([a-z0-9-]*\) is disabled by its options or absent.*/\1/p' "$work/manager.log" | sort | tr '\n' ' ')"
    PATIENCE=60 eventually "$version: each informer has its list" "" unfilled
    PATIENCE=60 eventually "$version: a node is ready" True "$KUBECTL" get nodes -o 'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}'
    "$KUBECTL" taint nodes --all node.kubernetes.io/not-ready- >/dev/null 2>&1 || true

    holds "$version: create a namespace" "$KUBECTL" create namespace shop
    eventually "$version: it has a service account" default field serviceaccount/default .metadata.name
    eventually "$version: and the authorities of the server" "$(cat "$pki/ca.crt")" field configmap/kube-root-ca.crt '.data.ca\.crt'
    holds "$version: create workloads" k create -f "$here/manifests/workloads.yaml"
    holds "$version: the Deployment rolls out" k rollout status deployment/web --timeout=60s
    holds "$version: the StatefulSet rolls out" k rollout status statefulset/db --timeout=60s
    holds "$version: the DaemonSet rolls out" k rollout status daemonset/agent --timeout=60s
    holds "$version: the Job completes" k wait --for=condition=Complete job/once --timeout=60s
    eventually "$version: the autoscaler scales" 4 field deployment/web .status.readyReplicas
    eventually "$version: an EndpointSlice has the pods" 4 bash -c \
        "'$KUBECTL' -n shop get endpointslices -l kubernetes.io/service-name=web -o 'jsonpath={.items[*].endpoints[*].addresses[*]}' | wc -w | tr -d ' '"
    eventually "$version: the budget allows disruptions" 2 field poddisruptionbudget/web .status.disruptionsAllowed
    eventually "$version: the quota is counted" 1 field resourcequota/all .status.used.services
    holds "$version: a second revision rolls out" sh -c \
        "'$KUBECTL' -n shop set image deployment/web main=example.com/app:2 && '$KUBECTL' -n shop rollout status deployment/web --timeout=60s"
    holds "$version: delete the Deployment" k delete deployment web
    PATIENCE=60 eventually "$version: its pods follow" "" k get pods -l app=web -o name
    holds "$version: delete the namespace" "$KUBECTL" delete namespace shop --timeout=90s
    eventually "$version: the manager runs" yes sh -c "kill -0 $(cat "$work/manager.pid") && echo yes"
    PATIENCE=1 eventually "$version: no error in its log" "" sh -c "grep -E ' ERROR |Exception in thread' '$work/manager.log' | head -n 3"
    stop_background
    "$here/down.sh" --dir "$work/kube" >/dev/null
    rm -rf "$work/kube"
done
printf 'compatibility: '
summary
