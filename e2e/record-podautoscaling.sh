#!/usr/bin/env bash
# Records numbers of pods, computed by the functions of Kubernetes' horizontal pod autoscaler, as test vectors of controllers/autoscaling.
# A second run writes the same bytes.
#   e2e/record-podautoscaling.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controllers/autoscaling/src/test/resources/vectors/podautoscaling.json
. "$here/record-lib.sh"
kubernetes_module podautoscaling "$here/podautoscaling/main.go"
# The file beside main.go exports functions of a package of Kubernetes. It is compiled with a copy of this package.
package=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/pkg/controller/podautoscaler
mkdir podautoscaler
find "$package" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} podautoscaler \;
chmod u+w podautoscaler/*
cp "$here/podautoscaling/export.go" podautoscaler/zz_export.go
tidy_module podautoscaling
record_into "$vectors"
