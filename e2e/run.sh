#!/usr/bin/env bash
# Runs ./kubeloop controller-manager against a real kube-apiserver and etcd on loopback, and checks with kubectl that it
# does what kube-controller-manager does.
#   e2e/run.sh
# The binaries come from KUBEBUILDER_ASSETS, or from kube.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
find_kubectl
"$home/kubeloop" version

assets=$("$here/kube.sh")
work=$(mktemp -d)
trap 'stop_background; "$here/down.sh" --dir "$work/kube" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
note "kube-apiserver: $("$assets/kube-apiserver" --version)"
KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$work/kube"
export KUBECONFIG=$work/kube/admin.kubeconfig
k() { "$KUBECTL" -n shop "$@"; }
addresses() { k get endpoints "$1" -o 'jsonpath={.subsets[*].addresses[*].ip}' | wc -w | tr -d ' '; }
pods() { k get pods -l "$1" --no-headers 2>/dev/null | wc -l | tr -d ' '; }
ready() { k get "$1" -o 'jsonpath={.status.replicas}/{.status.readyReplicas}/{.status.availableReplicas}'; }
terms() {
    k get events -n kube-system --field-selector involvedObject.kind=Lease,reason=LeaderElection \
        -o 'jsonpath={range .items[?(@.source.component=="kube-controller-manager")]}{.message}{"\n"}{end}' |
        sed 's/^[^ ]* //' | sort | tr '\n' ';'
}
owner() { k get pod "$1" -o 'jsonpath={.metadata.ownerReferences[*].kind}'; }

background kubelet "$home/kubeloop" kubelet --kubeconfig "$KUBECONFIG"
await_line kubelet 'simulating'
background manager "$home/kubeloop" controller-manager --kubeconfig "$KUBECONFIG" \
    --kube-api-qps=200 --kube-api-burst=400
await_line manager 'started'
if chrt --batch 0 true 2>/dev/null; then
    eventually "the manager is a batch process to the scheduler" SCHED_BATCH \
        bash -c "chrt -p ${started[1]} | sed -n 's/.*policy: *//p'"
fi

note "ReplicaSet, ReplicationController and Services converge"
"$KUBECTL" create namespace shop
k apply -f "$here/manifests/shop.yaml"
eventually "ReplicaSet web has 3 pods, ready and available" 3/3/3 ready rs/web
eventually "ReplicationController cart has 2 pods, ready and available" 2/2/2 ready rc/cart
eventually "Endpoints web has 3 addresses" 3 addresses web
eventually "Endpoints cart has 2 addresses" 2 addresses cart
eventually "the named target port was resolved" "8080" k get endpoints web -o 'jsonpath={.subsets[*].ports[*].port}'
eventually "pods are owned by the ReplicaSet as controller" "true true true" \
    k get pods -l app=web -o 'jsonpath={.items[*].metadata.ownerReferences[*].controller}'
eventually "creations were reported as events" 3 \
    bash -c "'$KUBECTL' -n shop get events --field-selector reason=SuccessfulCreate,involvedObject.name=web -o json | grep -c 'Created pod: web-' | awk '{print (\$1>=3)?3:\$1}'"

note "scale"
k scale rs web --replicas=5
eventually "scaled up to 5" 5/5/5 ready rs/web
eventually "Endpoints follow" 5 addresses web
k scale rs web --replicas=2
eventually "scaled down to 2" 2/2/2 ready rs/web
eventually "Endpoints follow" 2 addresses web

note "a pod that leaves the selector is released and replaced; coming back, one too many is removed"
left=$(k get pods -l app=web -o 'jsonpath={.items[0].metadata.name}')
k label pod "$left" app=debug --overwrite
eventually "the pod has no owner any more" "" owner "$left"
eventually "a replacement was made" 2/2/2 ready rs/web
eventually "it is not in the Endpoints" 2 addresses web
k label pod "$left" app=web --overwrite
eventually "back to 2 pods" 2 pods app=web
k delete pod "$left" --ignore-not-found --wait=false

note "bare pods are adopted"
k apply -f "$here/manifests/bare-pods.yaml"
eventually "two bare pods run" 2 pods app=bare
k apply -f "$here/manifests/bare-replicaset.yaml"
eventually "bare-1 has an owner" ReplicaSet owner bare-1
eventually "bare-2 has an owner" ReplicaSet owner bare-2
eventually "one more was made" 3/3/3 ready rs/bare

note "scale-down takes the pod that is not ready"
k apply -f "$here/manifests/victims.yaml"
eventually "three pods, two of them ready" 3/2/2 ready rs/victims
k scale rs victims --replicas=2
eventually "two pods left" 2 pods app=victims
eventually "the ready ones stay" "victim-ready-1 victim-ready-2" \
    k get pods -l app=victims -o 'jsonpath={.items[*].metadata.name}'

note "a Service that goes takes its Endpoints along; a label change moves addresses"
k delete service cart
eventually "Endpoints cart is gone" "" k get endpoints cart --ignore-not-found
k patch service web -p '{"spec":{"selector":{"app":"bare"}}}'
eventually "Endpoints web holds the other pods" 3 addresses web

note "restart"
stop_background
eventually "who has led is told as events of the lease" "became leader;stopped leading;" terms
background kubelet "$home/kubeloop" kubelet --kubeconfig "$KUBECONFIG"
k scale rs web --replicas=4
background manager "$home/kubeloop" controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false
eventually "work that was waiting is done after a restart" 4/4/4 ready rs/web

stop_background
summary
