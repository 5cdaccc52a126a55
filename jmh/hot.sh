#!/usr/bin/env bash
# Tells in about twelve minutes whether a hot path has become slower, or allocates more, than in a commit.
#   jmh/hot.sh [COMMIT]          this tree beside it; default: the commit before, or HEAD if something is uncommitted
# Six pairs of short runs of each benchmark, and six more only where something has changed; jmh/compare.sh takes more pairs, and sees
# smaller changes. Ends with 3 if something got worse. Needs what the build needs. Let nothing else run beside it.
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"; exit ;;
esac
base=()
[ $# -eq 0 ] || base=(--base "$1")
exec "$(dirname "${BASH_SOURCE[0]}")/compare.sh" "${base[@]}" --rounds 6 --bounded --jmh "-wi 2 -w 500ms -i 3 -r 300ms -p pods=10000 -p queue=InOrderFifo" \
    'WorkQueueBenchmark.addGetDone$|DeltaFifoBenchmark.addPopDistinct|StoreBenchmark.(get|update)$|PodListDecodeBenchmark.decodeEvent|InformerWatchBenchmark.burst'
