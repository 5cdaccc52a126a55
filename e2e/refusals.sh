#!/usr/bin/env bash
# Sends requests that a server must refuse to kube-apiserver and to `./kubeloop apiserver`, and compares code, headers and body.
#   e2e/refusals.sh                   prints where the answers differ; a minute
#   e2e/refusals.sh --record FILE     also writes requests and real answers, for RecordedRefusalsTest
# Needs Python 3 with its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need refusals python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version >/dev/null
exec python3 -B "$here/harness/refusals.py" "$@"
