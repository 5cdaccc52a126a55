#!/usr/bin/env bash
# Records test vectors of StatefulSets and DaemonSets, computed by Kubernetes' own functions: revisions, the owners of claims, the nodes that
# fit, the form of pods, and the limits of a rolling update. A second run writes the same bytes.
#   e2e/record-sets.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go; compiles for some minutes. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/record-lib.sh"
kubernetes_module sets "$here"/sets/*
tidy_module sets
go run . "$here/podtemplate/templates.json" "$here/.."
