#!/usr/bin/env bash
# Records certificates and rejections, made by the functions of Kubernetes, as test vectors of controller-certificates. A second run writes
# the same bytes.
#   e2e/record-certificates.sh
# KUBE_VERSION chooses the release (1.36.3). Needs Go; compiles for a minute. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controller-certificates/src/test/resources/vectors/certificates.json
version=${KUBE_VERSION:-1.36.3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/certificates/main.go" "$work"
cd "$work"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
    echo "module kubeloop/certificates"
    echo "go $(sed -n 's/^go \([0-9.]*\).*/\1/p' "$mod")"
    echo "require k8s.io/kubernetes v$version"
    sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
        sed "s/.*/replace & => & v0.${version#*.}/"
} >go.mod
go mod tidy >tidy.log 2>&1 || {
    echo "record-certificates: resolving modules failed: $(tail -n 1 tidy.log)" >&2
    exit 1
}
mkdir -p "$(dirname "$vectors")"
go run . >"$vectors"
