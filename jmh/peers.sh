#!/usr/bin/env bash
# Measures the JVM's other libraries beside this one, and prints what they take by what this one takes.
#   jmh/peers.sh [--rounds N] [--results DIRECTORY] [JMH OPTIONS]
# Rounds (3) are whole measurements, one after the other; each ratio is that of a round. What JMH writes and says is put into the
# directory (jmh/target/peers/results). JMH OPTIONS go to every run, such as -f 1 -wi 1 -i 1 for a quick look.
# A library that fails at a benchmark is named below the table. Needs what the build needs, and Python 3. Let nothing else
# run beside it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

rounds=3
results=$here/target/peers/results
while :; do
    case ${1:-} in
        --rounds | --results)
            [ $# -ge 2 ] || { echo "peers: $1 needs a value" >&2; exit 2; }
            if [ "$1" = --rounds ]; then rounds=$2; else results=$2; fi
            shift 2
            ;;
        -h | --help)
            sed -n '2,/^set/{/^# /s/^# //p}' "${BASH_SOURCE[0]}"
            exit
            ;;
        *) break ;;
    esac
done
case $rounds in
    '' | *[!0-9]* | 0) echo "peers: --rounds=$rounds is no number of rounds" >&2; exit 2 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"
rm -f "$results"/round-*.json "$results"/round-*.log
(cd "$home" && mvn -B -ntp -q -pl jmh -am -DskipTests -Pquick,peers package)
cp "$here/target/peers/benchmarks.jar" "$work/peers.jar"

# A run that fails, or hangs for longer than -to, leaves its benchmark without a result; the others go on.
run() {
    local file=$1
    shift
    echo "$(date +%T) ${file##*/}"
    "$java" -jar "$work/peers.jar" -prof gc -to 2m -rf json -rff "$file.json" "$@" >"$file.log" 2>&1 ||
        echo "peers: JMH failed; see $file.log" >&2
}

for ((round = 1; round <= rounds; round++)); do
    # Nobody always comes first.
    if ((round % 2)); then
        all=kubeloop,client-java,fabric8
        with_queue=kubeloop,client-java
    else
        all=fabric8,client-java,kubeloop
        with_queue=client-java,kubeloop
    fi
    run "$results/round-$round" -p library=$all "$@" '\.(Store|InformerSync|InformerWatch)Benchmark\.'
    run "$results/round-$round-models" -p library=kubeloop-fabric8,kubeloop-client-java "$@" '\.Informer(Sync|Watch)Benchmark\.'
    for threads in 1 4; do
        run "$results/round-$round-queue-$threads" -p library=$with_queue -p producers=$threads -p workers=$threads "$@" \
            '\.WorkQueueThreadsBenchmark\.'
    done
done

written=()
for file in "$results"/round-*.json; do
    [ ! -s "$file" ] || written+=("$file")
done
[ ${#written[@]} -gt 0 ] || { echo "peers: nothing was measured; see $results" >&2; exit 1; }
python3 -B "$here/peers.py" client-java,fabric8 "${written[@]}"
