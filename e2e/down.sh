#!/usr/bin/env bash
# Stops what up.sh started. The logs stay.
#   e2e/down.sh --dir DIR
set -euo pipefail
if [ "${1:-}" != --dir ] || [ -z "${2:-}" ]; then
    echo "usage: e2e/down.sh --dir DIR" >&2
    exit 2
fi
dir=$2
# The client first, or it fills its log with complaints. kube-apiserver would wait for open watches: it is not asked twice.
for name in apiserver etcd; do
    [ -s "$dir/$name.pid" ] || continue
    pid=$(cat "$dir/$name.pid")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 20); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
    rm -f "$dir/$name.pid"
done
rm -rf "$dir/etcd"
