/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Generates pod lists as JSON in the form that an API server writes. Each pod belongs to a Deployment and has about
 * 5.8 KB, with two containers, probes, volumes, conditions and container statuses. 20 pods share an application, and
 * 30 share a node. The applications are spread over 100 namespaces. The same number always results in the same pod.
 */
public final class PodListGenerator {

    private static final int PODS_PER_APP = 20;
    private static final int PODS_PER_NODE = 30;
    private static final int NAMESPACES = 100;

    // The variable parts are in quotes that JSON does not use: «name».
    private static final String TEMPLATE = """
            {"metadata":{"name":"«pod»","generateName":"«set»-","namespace":"«ns»","uid":"«uid»",\
            "resourceVersion":"«rv»","generation":1,"creationTimestamp":"«time»",\
            "labels":{"app.kubernetes.io/instance":"«app»","app.kubernetes.io/name":"orders",\
            "app.kubernetes.io/part-of":"shop","app.kubernetes.io/version":"1.«version».0",\
            "pod-template-hash":"«hash»","team":"«ns»","tier":"backend"},\
            "annotations":{"checksum/config":"«digest»","kubectl.kubernetes.io/restartedAt":"«time»",\
            "prometheus.io/path":"/metrics","prometheus.io/port":"9102","prometheus.io/scrape":"true"},\
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"«set»","uid":"«setuid»",\
            "controller":true,"blockOwnerDeletion":true}]},\
            "spec":{"volumes":[{"name":"config","configMap":{"name":"«app»-config","defaultMode":420}},\
            {"name":"tls","secret":{"secretName":"«app»-tls","defaultMode":420}},\
            {"name":"scratch","emptyDir":{"sizeLimit":"512Mi"}},\
            {"name":"kube-api-access-«suffix»","projected":{"sources":[\
            {"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},\
            {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},\
            {"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1",\
            "fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],\
            "containers":[{"name":"app","image":"registry.example.com/shop/orders:1.«version».0",\
            "args":["--config=/etc/orders/config.yaml","--listen=:8080"],\
            "ports":[{"name":"http","containerPort":8080,"protocol":"TCP"},\
            {"name":"grpc","containerPort":9090,"protocol":"TCP"}],\
            "env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},\
            {"name":"POD_NAMESPACE","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}},\
            {"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"«app»-db","key":"password"}}},\
            {"name":"DB_HOST","value":"postgres.«ns».svc.cluster.local"},{"name":"LOG_LEVEL","value":"info"},\
            {"name":"JAVA_TOOL_OPTIONS","value":"-XX:MaxRAMPercentage=70"}],\
            "resources":{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"250m","memory":"512Mi"}},\
            "volumeMounts":[{"name":"config","readOnly":true,"mountPath":"/etc/orders"},\
            {"name":"tls","readOnly":true,"mountPath":"/etc/tls"},{"name":"scratch","mountPath":"/tmp"},\
            {"name":"kube-api-access-«suffix»","readOnly":true,\
            "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],\
            "livenessProbe":{"httpGet":{"path":"/healthz","port":"http","scheme":"HTTP"},"initialDelaySeconds":10,\
            "timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},\
            "readinessProbe":{"httpGet":{"path":"/readyz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,\
            "periodSeconds":5,"successThreshold":1,"failureThreshold":3},\
            "lifecycle":{"preStop":{"exec":{"command":["/bin/sleep","10"]}}},\
            "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
            "imagePullPolicy":"IfNotPresent","securityContext":{"capabilities":{"drop":["ALL"]},"runAsNonRoot":true,\
            "readOnlyRootFilesystem":true,"allowPrivilegeEscalation":false}},\
            {"name":"metrics","image":"registry.example.com/infra/exporter:0.9.4",\
            "ports":[{"name":"metrics","containerPort":9102,"protocol":"TCP"}],\
            "resources":{"limits":{"memory":"64Mi"},"requests":{"cpu":"10m","memory":"32Mi"}},\
            "volumeMounts":[{"name":"kube-api-access-«suffix»","readOnly":true,\
            "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],\
            "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
            "imagePullPolicy":"IfNotPresent"}],\
            "restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",\
            "serviceAccountName":"orders","serviceAccount":"orders","nodeName":"«node»",\
            "securityContext":{"fsGroup":2000},"schedulerName":"default-scheduler",\
            "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",\
            "tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",\
            "effect":"NoExecute","tolerationSeconds":300}],\
            "priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},\
            "status":{"phase":"Running","conditions":[\
            {"type":"PodReadyToStartContainers","status":"True","lastProbeTime":null,"lastTransitionTime":"«time»"},\
            {"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"«time»"},\
            {"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"«time»"},\
            {"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"«time»"},\
            {"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"«time»"}],\
            "hostIP":"«hostip»","hostIPs":[{"ip":"«hostip»"}],"podIP":"«podip»","podIPs":[{"ip":"«podip»"}],\
            "startTime":"«time»","containerStatuses":[\
            {"name":"app","state":{"running":{"startedAt":"«time»"}},"lastState":{},"ready":true,"restartCount":0,\
            "image":"registry.example.com/shop/orders:1.«version».0",\
            "imageID":"registry.example.com/shop/orders@sha256:«digest»",\
            "containerID":"containerd://«container»","started":true},\
            {"name":"metrics","state":{"running":{"startedAt":"«time»"}},"lastState":{},"ready":true,\
            "restartCount":0,"image":"registry.example.com/infra/exporter:0.9.4",\
            "imageID":"registry.example.com/infra/exporter@sha256:«digest»",\
            "containerID":"containerd://«sidecar»","started":true}],"qosClass":"Burstable"}}""";

    /** The text of a list before its pods. */
    public static final String HEAD =
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"4711\"},\"items\":[";

    /** The text of a list behind its pods. */
    public static final String TAIL = "]}\n";

    /** The template, split at the quotes: text, name, text, name, ... text. */
    private static final String[] PARTS = TEMPLATE.split("[«»]", -1);

    private PodListGenerator() {}

    /** Returns the JSON of one pod, without kind and apiVersion, as in a list. */
    public static String pod(int number) {
        Pod pod = new Pod(number);
        StringBuilder json = new StringBuilder(6_000);
        for (int i = 0; i < PARTS.length; i++) {
            json.append(i % 2 == 0 ? PARTS[i] : pod.value(PARTS[i]));
        }
        return json.toString();
    }

    /** Returns the JSON of a list of pods. */
    public static byte[] list(int pods) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(pods * 6_000);
        write(out, HEAD);
        for (int i = 0; i < pods; i++) {
            write(out, (i == 0 ? "" : ",") + pod(i));
        }
        write(out, TAIL);
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The variable parts of one pod. */
    private static final class Pod {

        private final int number;
        private final int app;
        private final int node;
        private final Random random;
        private final String suffix;
        private final String container;

        Pod(int number) {
            this.number = number;
            this.app = number / PODS_PER_APP;
            this.node = number / PODS_PER_NODE;
            this.random = new Random(number);
            this.suffix = letters(random, 5);
            this.container = hex(random, 64);
        }

        String value(String name) {
            return switch (name) {
                case "app" -> "orders-" + app;
                case "set" -> "orders-" + app + "-" + hash();
                case "pod" -> "orders-" + app + "-" + hash() + "-" + suffix;
                case "hash" -> hash();
                case "ns" -> "team-" + app % NAMESPACES;
                case "suffix" -> suffix;
                case "uid" -> uuid(new Random(~number));
                case "setuid" -> uuid(new Random(-app - 1_000_000));
                case "rv" -> Integer.toString(1_000_000 + number);
                case "time" ->
                    "2026-03-%02dT%02d:%02d:%02dZ"
                            .formatted(1 + number / 997 % 28, number / 61 % 24, number / 7 % 60, number % 60);
                case "version" -> Integer.toString(app % 50);
                case "digest" -> hex(new Random(app % 50), 64);
                case "node" -> "ip-10-%d-%d-17.eu-central-1.compute.internal".formatted(node % 250, node / 250);
                case "hostip" -> "10.%d.%d.17".formatted(node % 250, node / 250);
                case "podip" -> "100.%d.%d.%d".formatted(64 + number / 65536, number / 256 % 256, number % 256);
                case "container" -> container;
                case "sidecar" -> new StringBuilder(container).reverse().toString();
                default -> throw new IllegalArgumentException("the template asks for " + name);
            };
        }

        private String hash() {
            return hex(new Random(app), 10);
        }

        private static String hex(Random random, int length) {
            return text(random, length, "0123456789abcdef");
        }

        private static String letters(Random random, int length) {
            return text(random, length, "bcdfghjklmnpqrstvwxz2456789");
        }

        private static String text(Random random, int length, String alphabet) {
            StringBuilder text = new StringBuilder(length);
            for (int i = 0; i < length; i++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            return text.toString();
        }

        private static String uuid(Random random) {
            String hex = hex(random, 32);
            return hex.substring(0, 8) + '-' + hex.substring(8, 12) + "-4" + hex.substring(13, 16) + "-a"
                    + hex.substring(17, 20) + '-' + hex.substring(20);
        }
    }
}
