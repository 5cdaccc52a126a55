#!/usr/bin/env bash
# Prints the table of docs/performance.md: this library and the JVM's other ones, in one run, with ratios. Takes about 15 minutes
# on two free cores, with the build.
#   jmh/table.sh [PODS]          default: 10000
# Two parts. Whole informers (InformerRun), each library in two JVMs of its own, in turns; then the single operations (JMH, short runs,
# one round of jmh/peers.sh) and the queues' allocations. Files are in jmh/target/table. Needs what the build needs. Let nothing
# else run beside it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case ${1:-} in
    -h | --help) sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"; exit ;;
    *[!0-9]*) echo "table: $1 is no number of pods" >&2; exit 2 ;;
esac
pods=${1:-10000}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
out=$here/target/table
rm -rf "$out"
mkdir -p "$out"

# Builds, and writes its own table into a file.
"$here/peers.sh" --rounds 1 --results "$out/peers" -f 1 -wi 3 -i 4 -w 500ms -r 400ms >"$out/peers.md" || [ $? -eq 3 ]
jar=$here/target/peers/benchmarks.jar

informer() {
    "$java" -Xmx4g -Xms4g -cp "$jar" io.kubeloop.jmh.InformerRun "$1" "$pods" >>"$out/informers.tsv" 2>>"$out/informers.log" ||
        echo "table: $1 failed; see $out/informers.log" >&2
}
for library in kubeloop client-java fabric8 kubeloop-fabric8 kubeloop-client-java; do informer $library; done
for library in kubeloop-client-java kubeloop-fabric8 fabric8 client-java kubeloop; do informer $library; done

echo
echo "## Whole informers, $pods pods; the better of two runs, and divided by kubeloop's"
echo
awk -F '\t' -v base=kubeloop -f "$here/informers.awk" "$out/informers.tsv"
echo
echo "## Single operations, divided by kubeloop's"
echo
grep -vE '^[0-9:]{8} ' "$out/peers.md" # without the times at which its parts began
echo
echo "## Bytes that an operation of the queues allocates"
echo
"$java" -jar "$jar" -f 1 -wi 3 -i 2 -w 400ms -r 300ms -prof gc \
    '(DeltaFifoBenchmark.(addPopDistinct|updateSameKey)|[.]WorkQueueBenchmark.(addGetDone|addRateLimitedNoDelay|addAfterOneMilli))$' \
    >"$out/queues.log" 2>&1
awk '/^[A-Z][A-Za-z]*Benchmark[.][A-Za-z]*:.?gc.alloc.rate.norm / {
        bytes = $(NF - 1)
        if ($(NF - 2) == "±") bytes = $(NF - 3)
        sub(/:.*/, "", $1)
        print "| " $1 ($2 ~ /Fifo/ ? " " $2 : "") " | " bytes " B |"
    }' "$out/queues.log"
