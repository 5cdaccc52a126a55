#!/usr/bin/env bash
# Runs the container image as kubeadm's static pod does, with nothing but the image changed: the command of the manifest, its mounts as
# files in the root of the container, its probe; on a real kube-apiserver with the kubeconfig and the user that kubeadm makes.
#   e2e/image.sh [TAR]      default: builds app/target/kubeloop-image.tar
# Needs root for the root of the container, python3 with yaml, and the port of the manifest, 10257. Takes about two minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need image openssl python3 unshare
[ "$(id -u)" = 0 ] || { echo "image: only root may make a root for a container" >&2 && exit 1; }
(exec 3<>/dev/tcp/127.0.0.1/10257) 2>/dev/null && { echo "image: another program has port 10257" >&2 && exit 1; }
find_kubectl
work=$(mktemp -d)
kube=$work/kube
leave() {
    [ ! -s "$work/pid" ] || kill "$(cat "$work/pid")" 2>/dev/null || true
    stop_background
    "$here/down.sh" --dir "$kube" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap leave EXIT
tar=${1:-$home/app/target/kubeloop-image.tar}
if [ $# = 0 ]; then
    note "building the image"
    mvn -q -B -ntp -Pquick,image -DskipTests -f "$home/pom.xml" -pl app -am package >"$work/mvn.log" 2>&1 || {
        tail -n 20 "$work/mvn.log"
        exit 1
    }
fi
python3 -B "$here/release/container.py" "$tar" "$work/container" >"$work/checks"
cat "$work/checks"
failed=$((failed + $(grep -c ^FAIL "$work/checks" || true)))
passed=$((passed + $(grep -c '^ok' "$work/checks" || true)))
root=$work/container/root

note "a control plane, and the files of kubeadm"
"$here/up.sh" --dir "$kube"
export KUBECONFIG=$kube/admin.kubeconfig
k() { "$KUBECTL" "$@"; }
pki=$root/etc/kubernetes/pki
mkdir -p "$pki" "$root/proc"
cp "$kube/pki/ca.crt" "$kube/pki/ca.key" "$kube/pki/sa.key" "$pki/"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=front-proxy-ca -days 2 \
    -keyout "$pki/front-proxy-ca.key" -out "$pki/front-proxy-ca.crt" 2>/dev/null
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=system:kube-controller-manager \
    -keyout "$work/manager.key" 2>/dev/null |
    openssl x509 -req -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -set_serial 77 -days 2 -extfile <(echo extendedKeyUsage=clientAuth) -out "$work/manager.crt" 2>/dev/null
cp "$KUBECONFIG" "$root/etc/kubernetes/controller-manager.conf"
"$KUBECTL" --kubeconfig "$root/etc/kubernetes/controller-manager.conf" config set-credentials admin --embed-certs \
    --client-certificate="$work/manager.crt" --client-key="$work/manager.key" >/dev/null
chmod 600 "$root/etc/kubernetes/controller-manager.conf" "$pki"/*.key

# The command, the probe and the environment of the image, as the kubelet and the container runtime read them. The manifest is that of
# kubeadm 1.36, whose flags 1.37 has too.
python3 - "$home/controllers/command/src/test/resources/io/kubeloop/manager/command/kubeadm-1.36-kube-controller-manager.yaml" "$work" <<'P'
import sys, yaml
container = yaml.safe_load(open(sys.argv[1]))["spec"]["containers"][0]
probe = container["livenessProbe"]["httpGet"]
open(sys.argv[2] + "/command", "w").write("\n".join(container["command"]) + "\n")
open(sys.argv[2] + "/probe", "w").write(f"{probe['scheme'].lower()}://{probe['host']}:{probe['port']}{probe['path']}\n")
P
mapfile -t command <"$work/command"
path=$(sed -n 's/^PATH=//p' "$work/container/environment")

note "the manager: ${command[0]} with ${#command[@]} words"
# shellcheck disable=SC2016 # the inner shell expands them
background manager unshare -m "$(command -v bash)" -c 'mount --rbind /proc "$1/proc" && echo $$ >"$2" && exec env -i "PATH=$3" "$0" "$1" "${@:4}"' \
    "$(command -v chroot)" "$root" "$work/pid" "$path" "${command[@]}"
PATIENCE=60 await_line manager '^started '
probe() { curl -sk --max-time 5 "$(cat "$work/probe")"; }
PATIENCE=30 eventually "the probe of the manifest succeeds" ok probe
eventually "it holds the lease" yes sh -c "'$KUBECTL' -n kube-system get lease kube-controller-manager -o 'jsonpath={.spec.holderIdentity}' | grep -q . && echo yes"
eventually "the metrics need a permission" 403 curl -sk -o /dev/null -w '%{http_code}' https://127.0.0.1:10257/metrics
holds "a deployment" k create deployment web --image=example.com/app:1 --replicas=2
PATIENCE=30 eventually "its pods are made with the service account of the controller" "2" sh -c \
    "'$KUBECTL' get pods -l app=web -o name | wc -l | tr -d ' '"
eventually "the controllers that are on by name run too" yes sh -c "grep -q 'bootstrap-signer-controller.*token-cleaner-controller' '$work/manager.log' && echo yes"
eventually "the kubelet can stop it: exit code" 0 sh -c "kill -TERM \$(cat '$work/pid'); while kill -0 \$(cat '$work/pid') 2>/dev/null; do sleep 0.1; done; grep -q '^stopping' '$work/manager.log' && echo 0"
wait "$(cat "$work/manager.pid")" && code=0 || code=$?
eventually "it ended in order" 0 echo "$code"
eventually "and released the lease" "" k -n kube-system get lease kube-controller-manager -o 'jsonpath={.spec.holderIdentity}'
printf 'image: ' && summary
