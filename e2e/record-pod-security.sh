#!/usr/bin/env bash
# Records the violations of the Pod Security Standards that Kubernetes' own checks find in made-up pods, for every level and version, as test
# vectors of apiserver/kinds. A second run writes the same bytes.
#   e2e/record-pod-security.sh
# KUBE_VERSION chooses the release, as for kube.sh. Needs Go. Exits 1 with one line where the modules cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vectors=$here/../apiserver/kinds/src/test/resources/vectors/pod-security.json
. "$here/record-lib.sh"
kubernetes_module podsecurity "$here/podsecurity/main.go" "$here/podsecurity/pods.jsonl"
tidy_module podsecurity
record_into "$vectors"
