#!/usr/bin/env bash
# Records what Kubernetes' own functions make of schedules, delays and indexes, as test vectors of controllers/batch. A second run writes
# the same bytes.
#   e2e/record-jobs.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../controllers/batch/src/test/resources/vectors/jobs.json
. "$here/record-lib.sh"
kubernetes_module jobs "$here/jobs/main.go"
# The files beside main.go export functions of two packages of Kubernetes. They are compiled with copies of these packages.
packages=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/pkg/controller
for package in job cronjob; do
    mkdir "$package"
    find "$packages/$package" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec cp {} "$package" \;
    chmod u+w "$package"/*
    cp "$here/jobs/${package}_export.go" "$package/zz_export.go"
done
tidy_module jobs
record_into "$vectors"
