#!/usr/bin/env bash
# Records the types and resources of Kubernetes into api-json: starts kube-apiserver, reads its OpenAPI v3 documents, discovery and
# tables, and joins them with the Go types of the same release (api-json's TypeText and ResourceText describe the result). It also
# records how the server answers to bodies that it cannot decode. A second run writes the same bytes.
#   e2e/record-schema.sh [DIR [VECTORS]]     DIR and VECTORS take the files; default: api-json's resources and test vectors
# KUBE_VERSION chooses the release, as for kube-current.sh. Exits 1 with one line where Go or the binaries are missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../api-json/src/main/resources/io/kubeloop/json/schema}
version=${KUBE_VERSION:-1.36.3}

work=$(mktemp -d)
finish() {
    "$here/down.sh" --dir "$work/server"
    rm -rf "$work"
}
trap finish EXIT
mkdir -p "$work/go" "$work/protos" "$work/server" "$out"
KUBEBUILDER_ASSETS=$("$here/kube-current.sh")
export KUBEBUILDER_ASSETS

# The published module of a part of release 1.N.P has the version 0.N.P.
modules="api apimachinery client-go apiextensions-apiserver kube-aggregator"
cp "$here/harness/schema/gotypes.go" "$work/go/"
cd "$work/go"
export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
{
    echo "module kubeloop/schema"
    echo "go $(go env GOVERSION | sed 's/^go\([0-9]*\.[0-9]*\).*/\1/')"
    for module in $modules; do echo "require k8s.io/$module v0.${version#*.}"; done
} >go.mod
go mod tidy >tidy.log 2>&1 || {
    echo "record-schema: resolving modules failed: $(tail -n 1 tidy.log)" >&2
    exit 1
}
go run . >"$work/gotypes.json"
for module in $modules; do ln -s "$(go list -m -f '{{.Dir}}' "k8s.io/$module")" "$work/protos/$module"; done

"$here/up.sh" --dir "$work/server"
python3 "$here/harness/schema/record.py" --kubeconfig "$work/server/admin.kubeconfig" --gotypes "$work/gotypes.json" \
    --protos "$work/protos" --release "$version" --out "$out"
python3 "$here/harness/schema/decode.py" --kubeconfig "$work/server/admin.kubeconfig" --out "${2:-$here/../api-json/src/test/resources/vectors}/decode.json"
wc -c "$out/kubernetes.types" "$out/kubernetes.resources"
