#!/usr/bin/env bash
# Tells in about twelve minutes whether a hot path has become slower, or allocates more, than in a commit.
#   jmh/hot.sh [COMMIT]                   this tree beside it; default: the commit before, or HEAD if something is uncommitted
#   jmh/hot.sh --jars OLD NEW [PATTERN]   one build beside another, both made before; default: all hot paths
# Six pairs of short runs of each benchmark, and six more only where something has changed; jmh/compare.sh takes more pairs, and sees
# smaller changes. Other programs may run beside it: it compares CPU times, and where they are unclear, the executed instructions. Ends
# with 3 if something got worse. Needs what the build needs. jmh/hot-test.sh tests it.
set -euo pipefail
hot='WorkQueueBenchmark.addGetDone$|DeltaFifoBenchmark.addPopDistinct|StoreBenchmark.(get|update)$|PodListDecodeBenchmark.decodeEvent|InformerWatchBenchmark.burst'
builds=()
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"; exit ;;
    --jars)
        builds=("${@:1:3}")
        hot=${4:-$hot}
        ;;
    '') ;;
    *) builds=(--base "$1") ;;
esac
# HOT_JMH and HOT_ROUNDS make it shorter; only its test needs them.
exec "$(dirname "${BASH_SOURCE[0]}")/compare.sh" "${builds[@]}" --rounds "${HOT_ROUNDS:-6}" --bounded --tolerance 0.03 \
    --jmh "${HOT_JMH:--wi 3 -w 300ms -i 20 -r 50ms -p pods=10000} -p queue=RealFifo" "$hot"
