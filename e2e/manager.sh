#!/usr/bin/env bash
# Runs kube-controller-manager of a current release with all its controllers on `./kubeloop apiserver --simulate-kubelet`, unmodified, and
# checks with kubectl that objects converge and that its log is free of resources that are not served and of panics.
#   e2e/manager.sh [--keep DIR]      leaves logs and the kubeconfig in DIR
# The binaries come from kube.sh. Takes about three minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need manager openssl
work=$(mktemp -d)
keep=
if [ "${1:-}" = --keep ]; then keep=${2:?manager: --keep needs a directory}; fi
leave() {
    stop_background
    [ -z "$keep" ] || { mkdir -p "$keep" && cp "$work"/*.log "$work/kubeconfig" "$keep/"; }
    rm -rf "$work"
}
trap leave EXIT
assets=$("$here/kube.sh")
KUBECTL=$assets/kubectl
export KUBECONFIG=$work/kubeconfig HOME=$work
"$home/kubeloop" version

# --- what the controllers sign and publish
openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -subj /CN=e2e-ca -days 2 -out "$work/ca.crt" -addext basicConstraints=critical,CA:TRUE 2>/dev/null
openssl genrsa -out "$work/sa.key" 2048 2>/dev/null

background apiserver "$home/kubeloop" apiserver --port 0 --simulate-kubelet --enable-garbage-collector=false --kubeconfig-out "$KUBECONFIG"
PATIENCE=900 await_line apiserver '^listening on '
note "kube-controller-manager: $("$assets/kube-controller-manager" --version)"
background manager "$assets/kube-controller-manager" --kubeconfig "$KUBECONFIG" --controllers='*' --leader-elect=false --secure-port=0 \
    --kube-api-qps=200 --kube-api-burst=400 --concurrent-gc-syncs=5 --service-account-private-key-file="$work/sa.key" --root-ca-file="$work/ca.crt" \
    --cluster-signing-cert-file="$work/ca.crt" --cluster-signing-key-file="$work/ca.key" --cert-dir="$work" \
    --cluster-cidr=10.244.0.0/16 --service-cluster-ip-range=10.96.0.0/16 --horizontal-pod-autoscaler-sync-period=2s \
    --namespace-sync-period=10s --pvclaimbinder-sync-period=2s -v=1

k() { "$KUBECTL" -n shop "$@"; }
field() { k get "$1" -o "jsonpath={$2}"; }
count() { k get "$@" --no-headers 2>/dev/null | wc -l | tr -d ' '; }
conditions() { k get "$1" -o 'jsonpath={range .status.conditions[*]}{.type}={.status} {end}'; }
pod() { # [MEMBERS]: the spec of a pod
    printf '{containers: [{name: main, image: example.com/app:1}]%s}' "${1:-}"
}

note "namespaces"
PATIENCE=60 eventually "the API server answers" "ok" "$KUBECTL" get --raw /readyz
holds "create a namespace" "$KUBECTL" create namespace shop
eventually "each namespace has a service account" default field serviceaccount/default .metadata.name
eventually "and the root certificate" "$(cat "$work/ca.crt")" field configmap/kube-root-ca.crt '.data.ca\.crt'

note "deployment"
holds "create: deployment" k create -f - <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: $(pod)
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 1, maxReplicas: 5}
EOF
holds "rollout" k rollout status deployment/web --timeout=60s
eventually "three pods are available" 3 field deployment/web .status.availableReplicas
eventually "the endpoint slice has three addresses" 3 sh -c \
    "'$KUBECTL' -n shop get endpointslices -l kubernetes.io/service-name=web -o 'jsonpath={.items[*].endpoints[*].addresses[*]}' | wc -w | tr -d ' '"
eventually "and the endpoints" 3 sh -c "'$KUBECTL' -n shop get endpoints web -o 'jsonpath={.subsets[*].addresses[*].ip}' | wc -w | tr -d ' '"
eventually "the budget allows one disruption" 1 field pdb/web .status.disruptionsAllowed
holds "a new image" k set image deployment/web main=example.com/app:2
holds "rollout of it" k rollout status deployment/web --timeout=60s
eventually "two replica sets, one of them empty" "0 3 " sh -c \
    "'$KUBECTL' -n shop get rs -l app=web -o 'jsonpath={range .items[*]}{.spec.replicas}{\"\n\"}{end}' | sort | tr '\n' ' '"
holds "undo" k rollout undo deployment/web
holds "rollout back" k rollout status deployment/web --timeout=60s
eventually "the old image is back" example.com/app:1 field deployment/web '.spec.template.spec.containers[0].image'
holds "restart" k rollout restart deployment/web
holds "rollout of the restart" k rollout status deployment/web --timeout=60s
eventually "an autoscaler without metrics can scale and is not active" "AbleToScale=True ScalingActive=False " conditions hpa/web

note "stateful set"
holds "create: stateful set" k create -f - <<EOF
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 3
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: $(pod)
EOF
holds "rollout" k rollout status statefulset/db --timeout=60s
eventually "ordered names" "db-0 db-1 db-2" k get pods -l app=db -o 'jsonpath={.items[*].metadata.name}'
holds "scale down" k scale statefulset db --replicas=1
eventually "the last ones go first" "db-0" k get pods -l app=db -o 'jsonpath={.items[*].metadata.name}'
holds "a new image of it" k set image statefulset/db main=example.com/app:3
eventually "the pod gets the new image" example.com/app:3 field pod/db-0 '.spec.containers[0].image'

note "daemon set"
holds "create: daemon set" k create -f - <<EOF
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: $(pod)
EOF
holds "rollout" k rollout status daemonset/agent --timeout=60s
eventually "a pod on the node" 1/1 field daemonset/agent '.status.numberReady}/{.status.desiredNumberScheduled'

note "jobs"
holds "create: jobs" k create -f - <<EOF
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec:
  completions: 3
  parallelism: 2
  template:
    metadata: {annotations: {sim/complete-after-ms: "200"}}
    spec: $(pod ', restartPolicy: Never')
---
apiVersion: batch/v1
kind: Job
metadata: {name: brief}
spec:
  ttlSecondsAfterFinished: 1
  template:
    metadata: {annotations: {sim/complete-after-ms: "200"}}
    spec: $(pod ', restartPolicy: Never')
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: every}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        metadata: {annotations: {sim/complete-after-ms: "200"}}
        spec: $(pod ', restartPolicy: Never')
EOF
holds "the job completes" k wait --for=condition=complete job/once --timeout=60s
eventually "with three pods" 3 field job/once .status.succeeded
eventually "a job with a time to live is deleted" 0 count job brief

note "cascades"
holds "create: cascades" k create -f - <<EOF
apiVersion: apps/v1
kind: Deployment
metadata: {name: kept}
spec:
  selector: {matchLabels: {app: kept}}
  template:
    metadata: {labels: {app: kept}}
    spec: $(pod)
EOF
holds "rollout" k rollout status deployment/kept --timeout=60s
holds "delete and orphan" k delete deployment kept --cascade=orphan --timeout=30s
eventually "the replica set stays, without owner" "" field "rs -l app=kept" '.items[*].metadata.ownerReferences'
eventually "and its pod" 1 count pods -l app=kept
holds "delete in the foreground" k delete rs -l app=kept --cascade=foreground --timeout=60s
eventually "its pods went first" 0 count pods -l app=kept
holds "delete in the background" k delete deployment web --timeout=30s
eventually "its replica sets follow" 0 count rs -l app=web
eventually "its pods follow" 0 count pods -l app=web

note "quota, roles, certificates, volumes"
holds "create a quota" k create quota counts --hard=configmaps=5,pods=20
eventually "the quota counts" 1 field quota/counts .status.used.configmaps
holds "cluster role" "$KUBECTL" create clusterrole part --verb=get --resource=pods
holds "cluster role" "$KUBECTL" label clusterrole part part=yes
holds "cluster role" "$KUBECTL" create clusterrole whole --aggregation-rule=part=yes
eventually "a role aggregates another" pods "$KUBECTL" get clusterrole whole -o 'jsonpath={.rules[*].resources[*]}'
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=client -keyout "$work/client.key" -out "$work/client.csr" 2>/dev/null
holds "create: quota, roles, certificates, volumes" "$KUBECTL" create -f - <<EOF
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: client}
spec: {request: $(base64 <"$work/client.csr" | tr -d '\n'), signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}
EOF
holds "approve a request" "$KUBECTL" certificate approve client
eventually "an approved request is signed" "subject=CN = client" sh -c \
    "'$KUBECTL' get csr client -o 'jsonpath={.status.certificate}' | base64 -d | openssl x509 -noout -subject"
holds "create: quota, roles, certificates, volumes" "$KUBECTL" create -f - <<EOF
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: manual, hostPath: {path: /disk}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk, namespace: shop}
spec: {accessModes: [ReadWriteOnce], storageClassName: manual, resources: {requests: {storage: 1Gi}}}
EOF
eventually "a claim is bound to its volume" Bound field pvc/disk .status.phase

note "custom resources"
holds "create: custom resources" "$KUBECTL" create -f - <<EOF
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
EOF
holds "the definition is established" "$KUBECTL" wait --for=condition=Established crd/things.example.com --timeout=30s
owner=$(printf 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: owner}\n' | k create -f - -o 'jsonpath={.metadata.uid}') || owner=none
holds "create: custom resources" k create -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: owned, ownerReferences: [{apiVersion: example.com/v1, kind: Thing, name: owner, uid: "$owner"}]}
EOF
holds "delete the owner" k delete things.example.com owner --timeout=30s
PATIENCE=60 eventually "what it owned follows" 0 count configmap owned

note "cron job"
PATIENCE=90 eventually "it has started a job" yes sh -c "'$KUBECTL' -n shop get jobs -o name | grep -q '^job.batch/every-' && echo yes"

note "deletion of a namespace"
holds "delete it" "$KUBECTL" delete namespace shop --timeout=90s
eventually "nothing is left" "" "$KUBECTL" get pods,rs,deployments,statefulsets,jobs,services,configmaps -n shop -o name

note "the log of kube-controller-manager"
# The autoscaler requests metrics, which an aggregated server would serve. On a real kube-apiserver without such a server its
# log has the same lines, as measured with 1.36.3: "unable to fetch metrics from resource metrics API: the server could not find the
# requested resource (get pods.metrics.k8s.io)".
says_nothing() { # WHAT PATTERN
    eventually "$1" "" sh -c "grep -iE '$2' '$work/manager.log' | grep -v 'metrics.k8s.io' | head -n 3"
}
PATIENCE=1 says_nothing "no resource is missing" 'could not find the requested resource|no matches for kind'
PATIENCE=1 says_nothing "no panic" 'panic|goroutine [0-9]+ \[|nil pointer'
PATIENCE=1 says_nothing "no list or watch fails" 'Failed to watch|watch of .* ended with|unable to decode|failed to list'
holds "it still runs" kill -0 "$(cat "$work/manager.pid")"
stop_background
summary
