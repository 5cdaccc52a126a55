#!/usr/bin/env bash
# Records the types and resources of Kubernetes into api-json: starts kube-apiserver, reads its OpenAPI v3 documents, discovery and
# tables, and joins them with the Go types of the same release (api-json's TypeText and ResourceText describe the result). It also
# records how the server answers to bodies that it cannot decode. A second run writes the same bytes. Objects in protocol buffers are
# recorded only where they are missing.
#   e2e/record-schema.sh [DIR [DOCUMENTS [OPENAPI]]]     they take the files; default: the resources and test resources of the modules
# KUBE_VERSION chooses the release, as for kube.sh. Exits 1 with one line where Go or the binaries are missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../api-json/src/main/resources/io/kubeloop/json/schema}
version=${KUBE_VERSION:-$(<"$here/kubernetes-release")}
# The oldest release whose protocol buffers are read: it still sends fields that were removed since.
oldest=1.20.2

work=$(mktemp -d)
finish() {
    "$here/down.sh" --dir "$work/server"
    rm -rf "$work"
}
trap finish EXIT
mkdir -p "$work/go" "$work/protos" "$work/older" "$work/server" "$out"
KUBEBUILDER_ASSETS=$("$here/kube.sh")
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
for module in $modules; do
    ln -s "$(go list -m -f '{{.Dir}}' "k8s.io/$module")" "$work/protos/$module"
    old=$(go mod download -json "k8s.io/$module@v0.${oldest#*.}" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    ln -s "$old" "$work/older/$module"
done

"$here/up.sh" --dir "$work/server"
python3 "$here/harness/schema/record.py" --kubeconfig "$work/server/admin.kubeconfig" --gotypes "$work/gotypes.json" \
    --protos "$work/protos" --older "$work/older" --release "$version" --out "$out"
documents=${2:-$here/../api-json/src/test/resources/documents}
vectors=$here/../apiserver/core/src/test/resources/vectors
mkdir -p "$documents" "$vectors"
python3 "$here/harness/schema/decode.py" --kubeconfig "$work/server/admin.kubeconfig" --out "$vectors/decode.json"
openapi=${3:-$here/../apiserver/kinds/src/test/resources/openapi}
mkdir -p "$openapi"
python3 "$here/harness/schema/openapi.py" --kubeconfig "$work/server/admin.kubeconfig" --out "$openapi/hashes.txt"
python3 "$here/harness/schema/strategic.py" --kubeconfig "$work/server/admin.kubeconfig" --out "$vectors/strategic.json"
python3 "$here/harness/schema/documents.py" --kubeconfig "$work/server/admin.kubeconfig" --out "$documents/$version"
wc -c "$out/kubernetes.types" "$out/kubernetes.resources"
