#!/usr/bin/env bash
# Makes up conversations of server-side apply, holds them with kube-apiserver and with Kubeloop's API server, and compares every answer.
#   e2e/apply-differential.sh [--count N] [--seed S] [--kinds A,B]      default: 500 conversations, others each time
# --help tells the options. Needs Python 3 and its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need apply-differential python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version
exec python3 -B "$here/harness/apply_differential.py" "$@"
