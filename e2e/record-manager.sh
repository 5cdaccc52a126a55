#!/usr/bin/env bash
# Records what kube-controller-manager says about itself: its flags and its answers to odd values of them, the names of its controllers,
# its configuration without flags, the names and types of its metrics, and its feature gates with the gates that they require. A second run writes the same bytes.
#   e2e/record-manager.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot
# be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
resources=io/kubeloop/manager/command
tests=$(cd "$here/../controllers/command/src/test/resources/$resources" && pwd)
gates=$(cd "$here/../controllers/command/src/main/resources/$resources" && pwd)/feature-gates.tsv
. "$here/lib.sh"
. "$here/record-lib.sh"
manager=
finish() {
    [ -z "$manager" ] || kill "$manager" 2>/dev/null || true
    "$here/down.sh" --dir "$work/server" >&2
    rm -rf "$work"
}
trap finish EXIT
KUBEBUILDER_ASSETS=$("$here/kube.sh")
export KUBEBUILDER_ASSETS
binary=$KUBEBUILDER_ASSETS/kube-controller-manager

port=$(free_ports 1)
# The flags are absent that would change the configuration.
"$here/up.sh" --dir "$work/server" >&2
"$binary" --kubeconfig "$work/server/admin.kubeconfig" --authorization-always-allow-paths=/configz,/flagz,/metrics,/healthz \
    --cert-dir "$work" --bind-address 127.0.0.1 --secure-port "$port" >"$work/log" 2>&1 &
manager=$!
page() { curl -ksSf "https://127.0.0.1:$port/$1"; }
# The queues have metrics when their controllers have started, and the elections when the lease is held.
for _ in $(seq 60); do
    ! page metrics 2>/dev/null | grep -q '^workqueue_depth{name="ttl' || break
    sleep 1
done
page configz >"$work/configz"
page metrics >"$work/metrics"
page flagz >"$work/flagz"
"$binary" --help >"$work/help"
python3 "$here/harness/manager_facts.py" "$work" "$tests"
python3 "$here/harness/manager_flags.py" "$tests/kube-controller-manager-flags.tsv" "$binary" >"$work/answers"
cp "$work/answers" "$tests/kube-controller-manager-answers.tsv"

kubernetes_module manager "$here/manager/main.go"
tidy_module manager
record_into "$gates"
sources=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)
python3 "$here/harness/manager_gates.py" "$binary" "$work/metrics" "$sources" "$gates"
