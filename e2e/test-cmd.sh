#!/usr/bin/env bash
# Runs Kubernetes' own command-line tests of kubectl ("test-cmd") against `./kubeloop apiserver` and `./kubeloop controller-manager`.
#   e2e/test-cmd.sh                        every suite but those that testcmd/waiting.tsv lists with a reason
#   e2e/test-cmd.sh --all                  these also
#   e2e/test-cmd.sh --only 'crd|apply'     those whose name matches
#   e2e/test-cmd.sh --real                 every suite on kube-apiserver and kube-controller-manager
#   e2e/test-cmd.sh --list                 the names
#   e2e/test-cmd.sh --logs DIR             keeps the output of every suite and the servers
#   e2e/test-cmd.sh --results FILE         also writes a line per suite: passed or failed, name, seconds
# The tests come from the Go module proxy. Each suite runs in a process and a namespace of its own; after a failure the servers start
# again without objects. Needs Go, curl, jq and openssl.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
home=$(dirname "$here")
version=${KUBE_VERSION:-$(<"$here/kubernetes-release")}

real='' only=. list='' logs='' results=/dev/null skipped=$here/testcmd/waiting.tsv
while [ $# -gt 0 ]; do
    case $1 in
        --real) real=yes skipped=/dev/null ;;
        --all) skipped=/dev/null ;;
        --list) list=yes ;;
        --only | --logs | --results)
            declare "${1#--}=${2:?test-cmd: $1 needs a value}"
            shift
            ;;
        *)
            sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
            [ "$1" = --help ] || exit 2
            exit
            ;;
    esac
    shift
done
need test-cmd go curl jq openssl script setsid timeout

work=$(mktemp -d)
# Without warning, because kube-apiserver waits for its watches, and for etcd.
stop_servers() {
    [ -z "${started[*]-}" ] || kill -KILL "${started[@]}" 2>/dev/null || true
    stop_background
    rm -rf "$work/etcd"
}
leave() {
    stop_servers
    rm -rf "$work"
}
trap leave EXIT

# --- a writable copy of the tests: fixed paths under /tmp become those of this run, and a manifest on the Internet the one of the copy
module=$(cd "$work" && GOFLAGS=-mod=mod go mod download -json "k8s.io/kubernetes@v$version" | jq -r .Dir)
tests=$work/tests
mkdir -p "$tests/_output/bin" "$tests/test/e2e" "$tests/third_party/forked" "$work/tmp"
cp -r "$module/hack" "$tests/hack"
cp -r "$module/test/cmd" "$module/test/fixtures" "$tests/test"
cp -r "$module/test/e2e/testing-manifests" "$tests/test/e2e"
cp -r "$module/third_party/forked/shell2junit" "$tests/third_party/forked"
chmod -R u+w "$tests"
find "$tests/test/fixtures/pkg/kubectl/plugins" -type f -exec chmod +x {} + # a module has no modes
sed -i 's#/tmp/\(tmp-\|record_command_canary\)#${TMPDIR}/\1#g; s#https://raw.githubusercontent.com/kubernetes/kubernetes/master/##g' \
    "$tests"/test/cmd/*.sh
# With pipefail, a grep that ends at the first match can end the writer of the pipe, and the check fails.
sed -i 's#| grep -q \([^;]*\); then#| grep \1 >/dev/null; then#' "$tests/hack/lib/util.sh" "$tests/third_party/forked/shell2junit/sh2ju.sh"
suites=$(sed -n 's/^ *record_command \(run_[A-Za-z0-9_]*\)$/\1/p' "$tests/test/cmd/legacy-script.sh")$'\ninline'
suites=$(grep -E -- "$only" <<<"$suites" | grep -vxFf <(cut -f1 "$skipped")) || {
    echo "test-cmd: no suite matches $only" >&2
    exit 2
}
if [ -n "$list" ]; then
    echo "$suites"
    exit
fi
assets=$("$here/kube.sh" kubectl-convert)
ln -s "$assets/kubectl" "$assets/kubectl-convert" "$tests/_output/bin"
logs=${logs:-$work/logs}
mkdir -p "$logs"
logs=$(cd "$logs" && pwd)
results=$(realpath "$results")
: >"$results"
cd "$tests"

# --- the servers, with the ports, tokens and certificates that the tests expect
port=$(free_ports 3)
url=https://127.0.0.1:$port
export SECURE_API_PORT=$port TMPDIR=$work/tmp KUBE_CACHE_MUTATION_DETECTOR=true KUBE_PANIC_WATCH_DECODE_ERROR=true
# The version of this project's server has a suffix, so kubectl must not require its own (--match-server-version).
[ -n "$real" ] || export ALLOW_SKEW=yes
cat >"$work/kubeconfig" <<K
apiVersion: v1
kind: Config
current-context: local
clusters: [{name: local, cluster: {server: "$url", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: admin-token}}]
contexts: [{name: local, context: {cluster: local, user: admin}}]
K
openssl genrsa -out "$work/sa.key" 2048 2>/dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=kubeloop \
    -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout "$TMPDIR/apiserver.key" -out "$TMPDIR/apiserver.crt" 2>/dev/null
without=ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook
without+=,StorageObjectInUseProtection
common=(--bind-address=127.0.0.1 --token-auth-file=hack/testdata/auth-tokens.csv
    --tls-cert-file="$TMPDIR/apiserver.crt" --tls-private-key-file="$TMPDIR/apiserver.key"
    --service-account-signing-key-file="$work/sa.key" --service-account-key-file="$work/sa.key"
    --service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range=10.0.0.0/24
    --client-ca-file=hack/testdata/ca/ca.crt --authorization-mode=RBAC,AlwaysAllow
    --enable-admission-plugins=LimitRanger,ResourceQuota --disable-admission-plugins="$without")
signing=(--cluster-signing-cert-file=hack/testdata/ca/ca.crt --cluster-signing-key-file=hack/testdata/ca/ca.key)

admin() { "$assets/kubectl" --kubeconfig "$work/kubeconfig" "$@"; }
start_servers() {
    if [ -n "$real" ]; then
        local client=http://127.0.0.1:$((port + 1)) peer=http://127.0.0.1:$((port + 2))
        background etcd "$assets/etcd" --name e2e --data-dir "$work/etcd" --unsafe-no-fsync --log-level warn \
            --listen-client-urls "$client" --advertise-client-urls "$client" \
            --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "e2e=$peer"
        background apiserver "$assets/kube-apiserver" "${common[@]}" --secure-port="$port" --etcd-servers="$client" \
            --cert-dir="$work"
    else
        background apiserver "$home/kubeloop" apiserver "${common[@]}" --port="$port"
    fi
    PATIENCE=300 quietly "the API server is ready" ok admin get --raw /readyz
    if [ -n "$real" ]; then
        background controllers "$assets/kube-controller-manager" --kubeconfig "$work/kubeconfig" --leader-elect=false \
            --secure-port=0 --cert-dir="$work" "${signing[@]}"
    else
        background controllers "$home/kubeloop" controller-manager --kubeconfig "$work/kubeconfig" --leader-elect=false "${signing[@]}"
    fi
    # An annotation, because an object without any field has no field manager.
    admin create -f - >/dev/null <<'K'
apiVersion: v1
kind: Node
metadata: {name: 127.0.0.1, annotations: {save-managers: "true"}}
status: {capacity: {memory: 1Gi}}
K
    quietly "the namespace default has its account" default admin get serviceaccounts default -o 'jsonpath={.metadata.name}'
}
# quietly WHAT WANTED COMMAND...: as eventually, but prints and counts nothing; without success the run ends.
quietly() {
    (passed=0 failed=0; eventually "$@"; [ "$failed" = 0 ]) >"$work/quietly" || {
        cat "$work/quietly" "$work/apiserver.log" >&2
        exit 1
    }
}

start_servers
for suite in $suites; do
    began=$SECONDS code=0
    mkdir -p "$work/temp/$suite"
    KUBE_TEMP=$work/temp/$suite timeout -k 10 "${PATIENCE:-600}" bash "$here/testcmd/suite.sh" "$suite" >"$logs/$suite.log" 2>&1 </dev/null ||
        code=$?
    if [ "$code" = 0 ]; then
        passed=$((passed + 1))
        printf 'ok    %s (%d s)\n' "$suite" $((SECONDS - began))
        echo "passed $suite $((SECONDS - began))" >>"$results"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s (%d s, exit code %d)\n' "$suite" $((SECONDS - began)) "$code"
        echo "failed $suite $((SECONDS - began))" >>"$results"
        tail -n 25 "$logs/$suite.log" | sed 's/^/      /'
        stop_servers
        start_servers
    fi
done
cp "$work"/*.log "$logs"
summary
