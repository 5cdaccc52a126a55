#!/usr/bin/env bash
# Swaps the controller manager under load: kube-controller-manager and Kubeloop hand the lease to each other while Deployments and Jobs are
# made and scaled, on a real kube-apiserver with the simulated kubelet. A watch counts every pod that is ever made: none is lost, none is
# doubled. Every third leader is killed, the others end by SIGTERM. At the end, a coordinated election between both.
#   e2e/swap.sh [SWAPS]      default 20
# KUBELOOP is the program, default ./kubeloop of this tree. Takes about six minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need swap openssl python3
swaps=${1:-20}
work=$(mktemp -d)
kube=$work/kube
trap 'stop_background; "$here/down.sh" --dir "$kube" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
assets=$("$here/kube.sh")
KUBECTL=$assets/kubectl
export KUBECTL
kubeloop=${KUBELOOP:-$home/kubeloop}
"$kubeloop" version
KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$kube" -- --feature-gates=CoordinatedLeaderElection=true \
    --runtime-config=coordination.k8s.io/v1beta1=true
export KUBECONFIG=$kube/admin.kubeconfig
k() { "$KUBECTL" --request-timeout=20s "$@"; }
lease() { k -n kube-system get lease kube-controller-manager -o "jsonpath={.spec.$1}" 2>/dev/null; }

manager() { # NAME original|kubeloop [FLAG...]: a manager in the background
    local name=$1 kind=$2
    shift 2
    local flags=(--kubeconfig "$KUBECONFIG" --secure-port=0 --cert-dir="$work" --use-service-account-credentials
        --service-account-private-key-file="$kube/pki/sa.key" --root-ca-file="$kube/pki/ca.crt"
        --cluster-signing-cert-file="$kube/pki/ca.crt" --cluster-signing-key-file="$kube/pki/ca.key"
        --leader-elect-lease-duration=6s --leader-elect-renew-deadline=4s --leader-elect-retry-period=1s
        --controllers='*,bootstrapsigner,tokencleaner' "$@")
    if [ "$kind" = original ]; then
        background "$name" "$assets/kube-controller-manager" "${flags[@]}"
    else
        background "$name" "$kubeloop" controller-manager "${flags[@]}" --v=1
    fi
}

# Records every pod that is ever made: name, and the name of its owner without the suffix of a ReplicaSet.
cat >"$work/watch.py" <<'P'
import json, sys
decoder, text, seen = json.JSONDecoder(), "", set()
for line in sys.stdin:
    text += line
    try:
        event, end = decoder.raw_decode(text)
    except ValueError:
        continue
    text = text[end:].lstrip()
    pod = event["object"]
    owners = pod["metadata"].get("ownerReferences", [])
    if pod["metadata"]["uid"] not in seen and owners:
        seen.add(pod["metadata"]["uid"])
        owner = owners[0]["name"]
        print(owner.rsplit("-", 1)[0] if owners[0]["kind"] == "ReplicaSet" else owner, flush=True)
P
watch_pods() { "$KUBECTL" get pods --watch --output-watch-events -o json | python3 -u "$work/watch.py"; }
made() { grep -cx "$1" "$work/pods.log" || true; }

deployment() { # NAME REPLICAS
    printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: %s, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: main, image: "example.com/app:1"}]}}}\n---\n' "$1" "$2" "$1" "$1"
}
job() { # NAME
    printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s}\nspec: {completions: 4, parallelism: 2, template: {metadata: {annotations: {sim/complete-after-ms: "300"}}, spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/app:1"}]}}}\n---\n' "$1"
}
load() { # SUFFIX: a Deployment and a Job that stay as they are, and another size of the one that is scaled
    { deployment "steady-$1" 3 && job "batch-$1"; } | k create -f - >/dev/null
    size=$((1 + RANDOM % 6))
    k scale deployment scaled --replicas=$size >/dev/null
}

note "kube-apiserver: $("$assets/kube-apiserver" --version)"
background kubelet "$kubeloop" kubelet --kubeconfig "$KUBECONFIG" --nodes 2
background pods watch_pods
kinds=(original kubeloop)
manager leader-0 original
PATIENCE=60 eventually "the original leads" yes sh -c "'$KUBECTL' -n kube-system get lease kube-controller-manager >/dev/null 2>&1 && echo yes"
deployment scaled 1 | k create -f - >/dev/null
for ((i = 1; i <= swaps; i++)); do
    kind=${kinds[$((i % 2))]}
    former=$(lease holderIdentity)
    manager "leader-$i" "$kind"
    load "$i-a"
    if [ "$kind" = kubeloop ]; then await_line "leader-$i" '^waiting for the lease'; fi
    signal=TERM
    [ $((i % 3)) != 0 ] || signal=KILL
    load "$i-b"
    kill -$signal "$(cat "$work/leader-$((i - 1)).pid")"
    load "$i-c"
    begin=$SECONDS
    until holder=$(lease holderIdentity) && [ -n "$holder" ] && [ "$holder" != "$former" ]; do
        [ $((SECONDS - begin)) -lt 60 ] || break
        sleep 0.2
    done
    holds "swap $i: SIG$signal to the former leader, $kind leads after $((SECONDS - begin)) s" [ "$holder" != "$former" ]
    load "$i-d"
done

note "the end state"
all=()
for ((i = 1; i <= swaps; i++)); do for part in a b c d; do all+=("$i-$part"); done; done
unfinished() { k get jobs -o 'jsonpath={range .items[*]}{.metadata.name}={.status.succeeded}{"\n"}{end}' | grep -vc '=4$' || true; }
unready() { k get deployments -o 'jsonpath={range .items[*]}{.spec.replicas}={.status.availableReplicas}={.status.replicas}{"\n"}{end}' | awk -F= '$1 != $2 || $1 != $3' | wc -l | tr -d ' '; }
PATIENCE=180 eventually "all ${#all[@]} jobs have completed with 4 pods each" 0 unfinished
PATIENCE=60 eventually "all $((${#all[@]} + 1)) deployments have their pods" 0 unready
eventually "the scaled deployment has its last size" "$size" sh -c "'$KUBECTL' get pods -l app=scaled -o name | wc -l | tr -d ' '"
counts() { # PREFIX EXPECTED: the owners of which another number of pods was ever made
    for each in "${all[@]}"; do [ "$(made "$1-$each")" = "$2" ] || echo "$1-$each: $(made "$1-$each")"; done
}
eventually "of each of the ${#all[@]} jobs exactly 4 pods were ever made" "" counts batch 4
eventually "of each of the ${#all[@]} other deployments exactly 3 pods were ever made" "" counts steady 3
holds "${#all[@]} jobs and deployments made $(wc -l <"$work/pods.log") pods" [ "$(wc -l <"$work/pods.log")" -ge $((${#all[@]} * 7)) ]

note "a coordinated election"
kill -TERM "$(cat "$work/leader-$swaps.pid")"
wait "$(cat "$work/leader-$swaps.pid")" 2>/dev/null || true
k -n kube-system delete lease kube-controller-manager >/dev/null
leads() { # NAME: prints yes when the candidate of this emulated version holds the lease and the coordinator has settled
    local candidate
    candidate=$(k -n kube-system get leasecandidates.v1beta1.coordination.k8s.io -o "jsonpath={.items[?(@.spec.emulationVersion=='$1.0')].metadata.name}" 2>/dev/null)
    [ -n "$candidate" ] && [ "$(lease holderIdentity)" = "$candidate" ] && [ -z "$(lease preferredHolder)" ] && echo yes
}
gate=--feature-gates=CoordinatedLeaderElection=true
newest=$(release_before 1) middle=$(release_before 2) oldest=$(release_before 3)
manager first original $gate --emulated-version=$newest
PATIENCE=60 eventually "the server makes the original the leader" yes leads "$newest"
manager second kubeloop $gate --emulated-version=$middle
PATIENCE=60 eventually "Kubeloop with an older emulated release becomes the leader" yes leads "$middle"
manager third original $gate --emulated-version=$oldest
PATIENCE=60 eventually "and leaves the lease to an original with a still older one" yes leads "$oldest"
deployment last 2 | k create -f - >/dev/null
PATIENCE=60 eventually "which runs the controllers" 2 sh -c "'$KUBECTL' get deployment last -o 'jsonpath={.status.availableReplicas}'"
stop_background
printf 'swap: ' && summary
