#!/usr/bin/env bash
# Tests jmh/hot.sh: seeds a slowdown of about 5 % into each hot path, one after the other, and expects that it is found; then compares
# this tree with itself, and expects that nothing is found. Shorter runs than those of hot.sh, so that a machine's noise is larger.
#   jmh/hot-test.sh [UNCHANGED]          comparisons of the unchanged tree; default: 20
# Builds seven times; takes an hour. Ends with 1 if a slowdown was missed, or if the unchanged tree was accused.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
case ${1:-20} in
    -h | --help) sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"; exit ;;
    *[!0-9]*) echo "hot-test: $1 is no number of comparisons" >&2; exit 2 ;;
esac
unchanged=${1:-20}
work=$(mktemp -d)
trap 'git -C "$home" worktree remove --force "$work/tree" 2>/dev/null || true; rm -rf "$work"' EXIT
passed=0
failed=0

result() { # result OK TEXT
    if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    echo "$1: $2"
}

build() {
    (cd "$work/tree" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick package)
}

# The outcome of hot.sh: 0 if nothing got worse, 3 if something did.
compare() { # compare LOG NEW [PATTERN]
    local log=$1
    shift
    local code=0
    HOT_JMH="-wi 1 -w 100ms -i 6 -r 20ms -p pods=1000" "$here/hot.sh" --jars "$work/clean.jar" "$@" >"$log" 2>&1 || code=$?
    if [ $code != 0 ] && [ $code != 3 ]; then
        tail -n 20 "$log" >&2
        exit 1
    fi
    return $code
}

git -C "$home" worktree add --quiet --detach "$work/tree" HEAD
build
cp "$work/tree/jmh/target/benchmarks.jar" "$work/clean.jar"

# seed PATTERN FILE LINE ROUNDS START: adds a loop behind the line of the file. A round takes about a nanosecond.
seed() {
    local file=$work/tree/$2
    grep -qF -- "$3" "$file" || { echo "hot-test: $2 has no line $3" >&2; exit 1; }
    SEED="{ int seed = $5; for (int round = 0; round < $4; round++) { seed = seed * 31 + round; } if (seed == 42) { Thread.yield(); } }" \
        LINE=$3 awk '{ print } index($0, ENVIRON["LINE"]) && !done { print ENVIRON["SEED"]; done = 1 }' "$file" >"$work/seeded"
    cp "$work/seeded" "$file"
    build
    git -C "$work/tree" checkout --quiet -- "$2"
    if compare "$work/log" "$work/tree/jmh/target/benchmarks.jar" "$1"; then
        result missed "$1: $(grep '^| ' "$work/log" | tail -n 1)"
    else
        result ok "found in $1: $(grep '^| ' "$work/log" | tail -n 1)"
    fi
}
cache=cache/src/main/java/io/kubeloop/cache
seed 'WorkQueueBenchmark.addGetDone$' workqueue/src/main/java/io/kubeloop/workqueue/queue/KeyedWorkQueue.java \
    'public void add(T item) {' 3 'item.hashCode()'
seed 'DeltaFifoBenchmark.addPopDistinct' $cache/queue/RealFifo.java 'public boolean pop(DeltaConsumer<K, T> consumer) {' 3 'consumer.hashCode()'
seed 'StoreBenchmark.get$' $cache/store/ThreadSafeStore.java 'public @Nullable T getByKey(K key) {' 1 'key.hashCode()'
seed 'StoreBenchmark.update$' $cache/store/ThreadSafeStore.java 'public void update(T object) {' 10 'System.identityHashCode(object)'
seed 'PodListDecodeBenchmark.decodeEvent' api-json/src/main/java/io/kubeloop/json/JsonCodec.java \
    'WatchEvent<T> decodeEvent(ResourceType<T> type, ByteBuffer frame) {' 200 'frame.remaining()'
seed 'InformerWatchBenchmark.burst' $cache/reflector/WatchEventSink.java 'public boolean test(WatchEvent<T> event) {' 1000 'System.identityHashCode(event)'

for ((i = 1; i <= unchanged; i++)); do
    if compare "$work/log" "$work/clean.jar"; then
        result ok "unchanged, run $i: $(tail -n 1 "$work/log")"
    else
        result accused "unchanged, run $i: $(tail -n 1 "$work/log"): $(grep '^| .* worse |$' "$work/log" | tail -n 1)"
    fi
done
echo "hot-test: $passed passed, $failed failed"
[ $failed = 0 ]
