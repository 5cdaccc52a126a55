#!/usr/bin/env bash
# Records numbers of pods, computed by the functions of Kubernetes' horizontal pod autoscaler, as test vectors of controller-podautoscaling.
# A second run writes the same bytes.
#   e2e/record-podautoscaling.sh
# KUBE_VERSION chooses the release (1.36.3). Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controller-podautoscaling/src/test/resources/vectors/podautoscaling.json
version=${KUBE_VERSION:-1.36.3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/podautoscaling/main.go" "$work"
cd "$work"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
mod=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
    echo "module kubeloop/podautoscaling"
    echo "go $(sed -n 's/^go \([0-9.]*\).*/\1/p' "$mod")"
    echo "require k8s.io/kubernetes v$version"
    sed -n 's/^[[:space:]]*\(k8s\.io\/[a-z0-9-]*\) v0\.0\.0\( .*\)\{0,1\}$/\1/p' "$mod" | sort -u |
        sed "s/.*/replace & => & v0.${version#*.}/"
} >go.mod
# The file beside main.go exports functions of a package of Kubernetes. It is compiled with a copy of this package.
package=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/pkg/controller/podautoscaler
mkdir podautoscaler
find "$package" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} podautoscaler \;
chmod u+w podautoscaler/*
cp "$here/podautoscaling/export.go" podautoscaler/zz_export.go
go mod tidy >tidy.log 2>&1 || {
    echo "record-podautoscaling: resolving modules failed: $(tail -n 1 tidy.log)" >&2
    exit 1
}
mkdir -p "$(dirname "$vectors")"
go run . >"$vectors"
