#!/usr/bin/env bash
# Runs the tests with JaCoCo and writes one report about all modules: target/coverage/index.html. Arguments go to Maven: -pl cache -am
# limits the run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(sed -n 's|.*<jacoco.version>\(.*\)</jacoco.version>.*|\1|p' pom.xml)

find . -path '*/target/jacoco.exec' -delete
mvn -B -ntp -Pcoverage "$@" test
mvn -B -ntp -q dependency:copy -Dartifact="org.jacoco:org.jacoco.cli:$version:jar:nodeps" -DoutputDirectory=target/coverage-tool -N

records=()
places=()
for record in $(find . -path '*/target/jacoco.exec'); do
    module=${record%/target/jacoco.exec}
    records+=("$record")
    [ ! -d "$module/src/main/java" ] || places+=(--classfiles "$module/target/classes" --sourcefiles "$module/src/main/java")
done
java -jar "target/coverage-tool/org.jacoco.cli-$version-nodeps.jar" report "${records[@]}" "${places[@]}" \
    --name Kubeloop --html target/coverage --csv target/coverage.csv
awk -F, 'NR > 1 { missed += $8; covered += $9 }
    END { printf "coverage: %.1f %% of %d lines\n", 100 * covered / (missed + covered), missed + covered }' target/coverage.csv
