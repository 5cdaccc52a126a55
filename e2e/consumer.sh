#!/usr/bin/env bash
# A project that is not ours uses the modules: alone, and with the versions of libraries that Spring Boot 3 and 4 ask for. Each
# time no library may come in two versions, and an informer has to see what it should, in process and over HTTP. The modules
# are installed into a local Maven repository of the suite's own, which borrows all else from the usual one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. e2e/lib.sh
need consumer mvn java

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
borrow_repository "$work/repository"

# Maven ends with a colour to go back to, even where it uses none.
maven() { mvn -B -ntp -q -Dmaven.repo.local="$work/repository" "$@" 2>&1 | sed $'s/\e\\[[0-9;]*m//g; /^$/d'; }

# consume DIR [BOM]: builds and runs the project there; prints which libraries it has got.
consume() {
    local imports='' said
    if [ $# -gt 1 ]; then
        imports="<dependencyManagement><dependencies><dependency><groupId>org.springframework.boot</groupId>"
        imports+="<artifactId>spring-boot-dependencies</artifactId><version>$2</version><type>pom</type><scope>import</scope>"
        imports+="</dependency></dependencies></dependencyManagement>"
    fi
    cp -R e2e/consumer "$1" || return
    sed "s|<!-- a BOM, or none -->|$imports|" e2e/consumer/pom.xml >"$1/pom.xml" || return
    maven -f "$1/pom.xml" compile || return
    said=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$1/target/classes:$(cat "$1/target/class-path")" Seen) || return
    if [ "$said" != "$wanted" ]; then
        echo "it printed: $said"
        return 1
    fi
    tr : '\n' <"$1/target/class-path" | sed 's|.*/||; s|\.jar$||' | grep -v '^kubeloop-' | sort | paste -s -d ' '
}

# project WHAT [BOM]: consume, in a directory of its own, as a check.
project() {
    local what=$1 log=$work/log
    shift
    if consume "$work/project-$((passed + failed))" "$@" >"$log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok    %s\n      %s\n' "$what" "$(tail -n 1 "$log")"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n' "$what"
        head -n 60 "$log" | sed 's/^/      /'
    fi
}

wanted='in process: default/listed, default/watched
over HTTP: default/listed, default/watched'

note "installing the modules"
maven -Pquick -DskipTests -pl cache,transport-http,transports/memory,apiserver/http -am install

project "alone"
for version in ${SPRING_BOOT:-3.5.16 4.1.2}; do
    project "with the versions of Spring Boot $version" "$version"
done
return_repository "$work/repository"
printf 'consumer: ' && summary
