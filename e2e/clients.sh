#!/usr/bin/env bash
# Clients of others, unmodified, against `./kubeloop demo`: each suite prints its checks and the line `NAME: N passed, M failed`.
#   e2e/clients.sh [--real] [--keep DIR] [NAME...]     default: all
#     names      python lightkube kr8s kopf node kube-rs fabric8 java josdk quarkus controller-runtime kubectl helm
#     --real   against kube-apiserver and kube-controller-manager of a current release, with a simulated kubelet
#     --keep   leaves the logs in DIR
# Libraries come from the package registries, into $XDG_CACHE_HOME/kubeloop/clients. A suite whose tools are missing counts as failed.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
real= keep= names=()
while [ $# -gt 0 ]; do
    case $1 in
        --real) real=yes ;;
        --keep)
            keep=${2:?clients: --keep needs a directory}
            shift
            ;;
        -*)
            echo "usage: e2e/clients.sh [--real] [--keep DIR] [NAME...]" >&2
            exit 2
            ;;
        *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(python lightkube kr8s kopf node kube-rs fabric8 java josdk quarkus controller-runtime kubectl helm)
work=$(mktemp -d)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/clients
mkdir -p "$cache"
need clients openssl
find_kubectl

# --- servers: `full` has controllers and a kubelet; `bare` has neither, as envtest starts it
leave() {
    local name
    stop_background
    for name in full bare; do [ ! -d "$work/$name" ] || "$here/down.sh" --dir "$work/$name"; done
    if [ -n "$keep" ]; then mkdir -p "$keep" && cp "$work"/*.log "$keep/"; fi
    rm -rf "$work"
}
trap leave EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
    -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null
echo "token-of-the-suites,admin,1" >"$work/tokens"
secured=(--port 0 --tls-cert-file "$work/tls.crt" --tls-private-key-file "$work/tls.key" --token-auth-file "$work/tokens")
printf 'apiVersion: v1\nkind: Namespace\nmetadata: {name: clients}\n' >"$work/start.yaml"

ready() { # KUBECONFIG
    local deadline=$((SECONDS + 900))
    until "$KUBECTL" --kubeconfig "$1" get --raw /readyz >/dev/null 2>&1 && "$KUBECTL" --kubeconfig "$1" get namespace default >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || {
            echo "clients: the server of $1 is not ready" >&2
            exit 1
        }
        sleep 0.2
    done
}
server() { # full|bare: starts the server once and exports KUBECONFIG
    export KUBECONFIG=$work/$1.kubeconfig
    [ ! -s "$KUBECONFIG" ] || return 0
    if [ -n "$real" ]; then
        local assets pki=$work/$1/pki
        assets=$("$here/kube.sh") || exit 1
        KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$work/$1" || exit 1
        cp "$work/$1/admin.kubeconfig" "$KUBECONFIG"
        if [ "$1" = full ]; then
            real_controllers "$KUBECONFIG" "$pki"
            background kubelet "$home/kubeloop" kubelet --kubeconfig "$KUBECONFIG"
        fi
    elif [ "$1" = full ]; then
        background full "$home/kubeloop" demo "${secured[@]}" -f "$work/start.yaml" --kubeconfig-out "$KUBECONFIG"
    else
        background bare "$home/kubeloop" apiserver "${secured[@]}" --enable-garbage-collector=false \
            --disable-admission-plugins=ServiceAccount --kubeconfig-out "$KUBECONFIG"
    fi
    ready "$KUBECONFIG"
}

end_bare() {
    if [ -n "$real" ]; then "$here/down.sh" --dir "$work/bare"; else kill "$(cat "$work/bare.pid")"; fi
    rm -f "$work/bare.kubeconfig"
}

# --- suites
suite_python() { python python.py 'kubernetes==37.0.2'; }
suite_lightkube() { python lightkube_suite.py 'lightkube==1.0.1'; }
suite_kr8s() { python kr8s_suite.py 'kr8s==0.20.15'; }
suite_kopf() { SERVING_CERT=$work/tls.crt SERVING_KEY=$work/tls.key python kopf_suite.py 'kopf==1.45.2' 'kubernetes==37.0.2'; }
python() { # SCRIPT PACKAGE...: an environment of its own
    local environment=$cache/${1%.py}
    server full
    [ -x "$environment/bin/python" ] || python3 -m venv "$environment" || return
    "$environment/bin/pip" install -q --disable-pip-version-check "${@:2}" || return
    PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" "$here/clients/$1"
}

suite_kube-rs() {
    server full
    mkdir -p "$cache/kube-rs"
    cp -R "$here/clients/kube-rs/." "$cache/kube-rs/"
    (cd "$cache/kube-rs" && cargo build --quiet && target/debug/kube-rs-suite)
}

suite_helm() {
    server full
    "$here/clients/helm.sh"
}

suite_node() { # client-node 2 requires Node.js 22
    server full
    mkdir -p "$cache/node"
    (cd "$cache/node" && npm install --silent --no-audit --no-fund --no-save '@kubernetes/client-node@1.4.0' && node "$here/clients/node.mjs")
}

suite_fabric8() { maven fabric8; }
suite_java() { maven java; }
suite_josdk() { maven josdk; }
suite_quarkus() { maven quarkus; }
maven() { # NAME: a project of its own, built outside this tree
    server full
    mkdir -p "$cache/$1"
    cp -R "$here/clients/$1/." "$cache/$1/"
    mvn -B -ntp -q -f "$cache/$1/pom.xml" -Dmaven.test.failure.ignore test
    python3 "$here/clients/surefire.py" "$1" "$cache/$1/target/surefire-reports"
}

# Each package that starts a control plane finds a fresh one, as its tests leave objects behind.
suite_controller-runtime() {
    local dir package
    mkdir -p "$cache/go"
    dir=$(cd "$cache/go" && { [ -f go.mod ] || go mod init clients 2>/dev/null; } &&
        go mod download -json sigs.k8s.io/controller-runtime@v0.25.2 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    KUBEBUILDER_ASSETS=$("$here/kube.sh") # some suites start a server of their own
    export KUBEBUILDER_ASSETS
    specs() { (cd "$dir" && USE_EXISTING_CLUSTER=true go test -p 1 -count=1 -timeout 20m "$@" 2>&1); }
    for package in $(cd "$dir" && go list ./pkg/...); do
        if grep -qE '&(envtest\.)?Environment\{' "$dir/${package#sigs.k8s.io/controller-runtime/}"/*_test.go 2>/dev/null; then
            server bare
            specs -v "$package"
            end_bare
        else
            specs -v "$package"
        fi
    done | sed 's/\x1b\[[0-9;]*m//g' | awk '
        /^(ok|FAIL)[ \t]/ || /\[(FAIL|PANICKED)\]/ { print }
        /(SUCCESS!|FAIL!) -- [0-9]+ Passed/ { for (i = 2; i <= NF; i++) { if ($i == "Passed") p += $(i - 1); if ($i == "Failed") f += $(i - 1) } }
        END { printf "controller-runtime: %d passed, %d failed\n", p, f }'
}

suite_kubectl() {
    [ -z "$real" ] || return 0 # the checks are about what the embedded server promises
    "$here/kubectl-smoke.sh" all | awk '
        { print }
        / passed, .* failed$/ { for (i = 2; i <= NF; i++) { if ($i ~ /^passed/) p += $(i - 1); if ($i ~ /^failed/) f += $(i - 1) } }
        END { printf "kubectl: %d passed, %d failed\n", p, f }'
}

bad=0
for name in "${names[@]}"; do
    declare -F "suite_$name" >/dev/null || {
        echo "clients: no suite $name" >&2
        exit 2
    }
    note "$name"
    "suite_$name" >"$work/$name.log" 2>&1
    line=$(grep -E "^$name: [0-9]+ passed, [0-9]+ failed$" "$work/$name.log" | tail -n 1)
    grep -E '^FAIL|\[FAIL\]' "$work/$name.log" | cut -c1-400
    [ -n "$line" ] || tail -n 20 "$work/$name.log"
    echo "${line:-$name: 0 passed, 1 failed}"
    [[ $line == *" 0 failed" ]] || bad=1
done
exit $bad
