#!/usr/bin/env bash
# Runs Kubernetes' conformance tests against `./kubeloop apiserver` with its controllers and simulated kubelets.
#   e2e/conformance.sh                        the tests of conformance/attainable.txt that wait for nothing
#   e2e/conformance.sh --focus 'sig-node'     those of them whose name matches
#   e2e/conformance.sh --all                  also those that conformance/waiting.tsv lists
#   e2e/conformance.sh --real --focus 'sig-apps'    against kube-apiserver with this project's controllers; kube-controller-manager
#                                             runs the controllers that this project does not have
#   e2e/conformance.sh --nodes original       the tests of conformance/with-nodes.txt in a cluster of node.sh, whose containers run: original,
#                                             kubeloop or embedded. Needs root
#   e2e/conformance.sh --kubeconfig F         against another server, which has a ready node without taints
# --help lists the options. The first run builds the tests through the Go module proxy, which takes some minutes. Needs Go and Python 3
# with its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need conformance python3 openssl

# conformance_binary: builds the test binary if there is none yet, and prints its path.
conformance_binary() {
    local version=${KUBE_VERSION:-$(<"$here/kubernetes-release")} dir mod
    dir=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/conformance-$version
    if [ ! -x "$dir/e2e.test" ]; then
        need conformance go
        note "building the conformance tests of Kubernetes $version; this takes minutes" >&2
        mkdir -p "$dir" "$work/suite"
        cp "$here/conformance/suite_test.go" "$work/suite/"
        (
            cd "$work/suite"
            export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
            mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
            # The release replaces its staging modules with directories; elsewhere they are published modules of the same number.
            {
                echo "module kubeloop/conformance"
                sed -n 's/^go \([0-9.]*\)$/go \1/p' "$mod"
                echo "require k8s.io/kubernetes v$version"
                sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
                    sed "s/.*/replace & => & v0.${version#*.}/"
            } >go.mod
            go mod tidy
            go test -c -vet=off -ldflags '-s -w' -o "$dir/e2e.test.part" .
            mv "$dir/e2e.test.part" "$dir/e2e.test"
        ) >"$work/build.log" 2>&1 || {
            tail -n 5 "$work/build.log" >&2
            echo "conformance: the tests do not build" >&2
            exit 1
        }
    fi
    echo "$dir/e2e.test"
}

kubeconfig=
real=
nodes=
images=()
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
        --kubeconfig)
            kubeconfig=${2:?conformance: --kubeconfig needs a file}
            shift 2
            ;;
        --real)
            real=yes
            shift
            ;;
        --nodes)
            nodes=${2:?conformance: --nodes needs original, kubeloop or embedded}
            shift 2
            ;;
        *)
            arguments+=("$1")
            shift
            ;;
    esac
done

work=$(mktemp -d)
leave() {
    stop_background
    [ -z "$real" ] || "$here/down.sh" --dir "$work/real" >/dev/null
    rm -rf "$work"
}
trap leave EXIT
assets=$("$here/kube.sh")
export KUBECTL=$assets/kubectl
binary=$(conformance_binary)
home=$(dirname "$here")
# controllers CA SA: starts this project's controllers, with the files that sign service account tokens.
controllers() {
    background controllers "$home/kubeloop" controller-manager --kubeconfig "$kubeconfig" --leader-elect=false \
        --root-ca-file="$1" --service-account-private-key-file="$2" --kube-api-qps=200 --kube-api-burst=400
}
if [[ " ${arguments[*]-} " == *" --help "* ]]; then
    real=
elif [ -n "$nodes" ]; then
    "$here/conformance/images.sh" "$work/images"
    for image in "$work/images"/*.tar; do images+=(--image "$image"); done
    # The kubeconfig is that of the cluster, which only the command knows.
    "$here/node.sh" "$nodes" "${images[@]}" -- "$here/conformance/with-dns.sh" sh -c \
        'exec python3 -B "$0" --kubeconfig "$KUBECONFIG" "$@"' "$here/harness/conformance.py" --binary "$binary" --kubectl "$KUBECTL" \
        --list "$here/conformance/with-nodes.txt" ${arguments[@]+"${arguments[@]}"}
    exit
elif [ -n "$real" ]; then
    "$home/kubeloop" version
    KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$work/real"
    kubeconfig=$work/real/admin.kubeconfig
    pki=$work/real/pki
    controllers "$pki/ca.crt" "$pki/sa.key"
    await_line controllers '^started '
    ours=$(sed -n 's/^started //p' "$work/controllers.log" | tr -d ' ' | sed 's/^/-/; s/,/,-/g')
    real_controllers "$kubeconfig" "$pki" --controllers="$ours" --kube-api-qps=200 --kube-api-burst=400
    background kubelet "$home/kubeloop" kubelet --kubeconfig "$kubeconfig"
    PATIENCE=60 eventually "a node is ready" True "$KUBECTL" --kubeconfig "$kubeconfig" get nodes \
        -o 'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}'
    # The controller that would remove the taint of a new node does not run.
    "$KUBECTL" --kubeconfig "$kubeconfig" get nodes -o 'jsonpath={.items[*].spec.taints[*].key}' | grep -q not-ready &&
        "$KUBECTL" --kubeconfig "$kubeconfig" taint nodes --all node.kubernetes.io/not-ready- >/dev/null
elif [ -z "$kubeconfig" ]; then
    kubeconfig=$work/kubeconfig
    openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
    openssl req -x509 -new -key "$work/ca.key" -subj /CN=e2e-ca -days 2 -out "$work/ca.crt" -addext basicConstraints=critical,CA:TRUE 2>/dev/null
    openssl genrsa -out "$work/sa.key" 2048 2>/dev/null
    background apiserver "$home/kubeloop" apiserver --port 0 --simulate-kubelet --kubeconfig-out "$kubeconfig"
    PATIENCE=900 await_line apiserver '^listening on '
    controllers "$work/ca.crt" "$work/sa.key"
fi
python3 -B "$here/harness/conformance.py" --binary "$binary" --kubectl "$KUBECTL" --kubeconfig "$kubeconfig" ${arguments[@]+"${arguments[@]}"}
