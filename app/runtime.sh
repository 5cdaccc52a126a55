#!/usr/bin/env bash
# Makes a run-time image of Kubeloop: app/runtime.sh [DIR], default app/target/runtime. It contains the modules of the JDK that the
# program needs, its jars, and bin/kubeloop. It needs no JDK on the machine where it runs. Build first: mvn -pl app -am package.
#   --container   for a container image without a base: the shared libraries of this machine that the JVM loads instead of the program
#   JAVA_HOME     the JDK to take the modules from; default: the jlink on the PATH
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
container=
if [ "${1:-}" = --container ]; then
    container=yes
    shift
fi
image=${1:-$here/target/runtime}
target=$here/target
[ -f "$target/kubeloop-app.jar" ] && [ -d "$target/lib" ] || {
    echo "runtime: app/target has no kubeloop-app.jar or no lib; run mvn -Pquick -DskipTests -pl app -am package" >&2
    exit 1
}

# Okio, Moshi and OkHttp are automatic modules, which jlink rejects; so the jars lie beside the modules of the JDK. Two modules are
# left out that libraries name and the program never reaches: java.desktop (beans in YAML) and java.sql (certificate stores).
modules=java.base,java.logging,java.naming,jdk.crypto.ec,jdk.jfr,jdk.net
rm -rf "$image"
"${JAVA_HOME:+$JAVA_HOME/bin/}jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress 2 --output "$image"
if [ -n "$container" ]; then
    # The image gets the directory of the run-time image and, beside it, the paths of the libraries.
    mkdir -p "$image/opt/java" "$image/tmp"
    find "$image" -mindepth 1 -maxdepth 1 ! -name opt ! -name tmp -exec mv -t "$image/opt/java" {} +
    # A container runtime starts the program kube-controller-manager without a shell: the launcher of jpackage, with the JVM above.
    launcher=$(mktemp -d)
    trap 'rm -rf "$launcher"' EXIT
    mkdir "$launcher/none" "$launcher/jvm"
    cp "$target/kubeloop-app.jar" "$launcher/none/"
    "${JAVA_HOME:+$JAVA_HOME/bin/}jpackage" --type app-image --name kube-controller-manager --input "$launcher/none" \
        --main-jar kubeloop-app.jar --main-class io.kubeloop.app.KubeControllerManager --runtime-image "$launcher/jvm" --dest "$launcher"
    mkdir -p "$image/usr/local/bin" "$image/usr/local/lib/app"
    cp "$launcher/kube-controller-manager/bin/kube-controller-manager" "$image/usr/local/bin/"
    cp "$launcher/kube-controller-manager/lib/libapplauncher.so" "$image/usr/local/lib/"
    cat >"$image/usr/local/lib/app/kube-controller-manager.cfg" <<'EOF'
[Application]
app.runtime=/opt/java
app.classpath=/app/classpath/*
app.classpath=/app/libs/*
app.mainclass=io.kubeloop.app.KubeControllerManager

[JavaOptions]
java-options=-XX:+UseSerialGC
java-options=-XX:MaxRAMPercentage=75
EOF
    find "$image" -type f \( -name '*.so' -o -path "$image/opt/java/bin/java" -o -path "$image/usr/local/bin/*" \) -exec ldd {} + |
        sed -nE 's|.*=> (/[^ ]+) .*|\1|p; s|^[[:space:]]+(/[^ ]+) .*|\1|p' | grep -v "^$image" | sort -u |
        while read -r library; do
            mkdir -p "$image$(dirname "$library")"
            cp -L "$library" "$image$library"
        done
    exit
fi

mkdir -p "$image/app"
cp "$target/kubeloop-app.jar" "$target"/lib/*.jar "$image/app/"
cat >"$image/bin/kubeloop" <<'EOF'
#!/bin/sh
# Runs Kubeloop: kubeloop demo | apiserver | controller-manager | kubelet | version. KUBELOOP_JAVA_OPTS: options of the JVM.
home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
# shellcheck disable=SC2086
exec "$home/bin/java" ${KUBELOOP_JAVA_OPTS:--XX:+UseSerialGC} -cp "$home/app/*" io.kubeloop.app.Main "$@"
EOF
chmod 755 "$image/bin/kubeloop"
