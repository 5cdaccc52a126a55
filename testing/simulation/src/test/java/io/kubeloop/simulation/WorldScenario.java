/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A scenario of {@code e2e/world} as a workload. Steps that only the suite with a real API server can take, such as
 * starts of managers and heartbeats, make it {@link #unsupported}.
 *
 * @param name the name of its file
 * @param underTest the controllers under test
 * @param beside more controllers that it needs
 * @param unsupported what has no counterpart here, in words
 * @param workload the steps
 */
record WorldScenario(
        String name, List<String> underTest, List<String> beside, List<String> unsupported, Workload workload) {

    /** How long the kubelet may take until its pods run. */
    private static final Duration KUBELET = Duration.ofSeconds(10);

    /** The job controller gathers the changes of pods for a second. */
    private static final Duration BATCH = Duration.ofSeconds(2);

    private static final String NAMESPACE = "default";

    private static final String NODE = """
            {"kind": "Node", "status": {
              "capacity": {"cpu": "32", "memory": "64Gi", "pods": "500"},
              "allocatable": {"cpu": "32", "memory": "64Gi", "pods": "500"},
              "conditions": [{"type": "Ready", "status": "True"}]}}
            """;

    private static final Set<String> STEPS = Set.of(
            "create",
            "apply",
            "patch",
            "update",
            "scale",
            "delete",
            "pod",
            "sleep",
            "quiet",
            "until",
            "minute",
            "nodes",
            "csr",
            "approve",
            "certificate");

    private static final Pattern DOT = Pattern.compile("\\.");

    /** A reference to another object: {@code @Kind/name} or {@code @Kind/namespace/name}. */
    private static final Pattern UID = Pattern.compile("\"uid\":\"@(\\w+)/([^\"]+)\"");

    /** How the suite tells its kubelets about pods, in the words of the kubelets here. */
    private static final Map<String, String> ANNOTATIONS = Map.of(
            "\"world/ready\"", "\"sim/ready\"",
            "\"world/hold\"", "\"sim/hold\"",
            "\"world/hold-delete\"", "\"sim/hold-delete\"",
            "\"world/phase\"", "\"sim/phase\"",
            "\"world/ip\"", "\"sim/ip\"");

    private static final Set<String> PICKS =
            Set.of("name", "labels", "owner", "index", "terminating", "ready", "phase");
    private static final Set<String> POD_CHANGES = Set.of(
            "do",
            "pick",
            "phase",
            "ready",
            "readyFor",
            "labels",
            "annotations",
            "delete",
            "noCheck",
            "quiet",
            "noSettle");

    static WorldScenario read(Path file) throws IOException {
        String name = file.getFileName().toString().replace(".json", "");
        String text = Files.readString(file).replace("${NS}", NAMESPACE).replace("${NAME}", name);
        for (Map.Entry<String, String> annotation : ANNOTATIONS.entrySet()) {
            text = text.replace(annotation.getKey(), annotation.getValue());
        }
        JsonObject scenario = JsonObject.parse(text);
        String pool = scenario.bool("ownNodes") ? NAMESPACE : name;
        List<JsonObject> steps = scenario.array("steps").objects().toList();
        List<String> unsupported =
                steps.stream().flatMap(WorldScenario::unsupported).distinct().toList();
        Workload.Builder workload = Workload.builder();
        for (JsonObject step : steps) {
            workload.step(words(step), plane -> {
                plane.clock().advance(KUBELET); // it must not change what the step changes afterwards
                action(step, pool).accept(plane);
                plane.clock().advance(BATCH);
            });
        }
        workload.step("the kubelets end the pods that they hold", WorldScenario::endPods);
        return new WorldScenario(
                name,
                scenario.array("under_test").strings().toList(),
                scenario.array("beside").strings().toList(),
                unsupported,
                workload.build());
    }

    private static Stream<String> unsupported(JsonObject step) {
        String action = step.string("do");
        List<String> missing = new ArrayList<>();
        if (!STEPS.contains(action)) {
            missing.add("the step " + action);
        } else if (action.equals("pod")) {
            without(step, POD_CHANGES).forEach(member -> missing.add("pods with " + member));
            without(step.object("pick"), PICKS).forEach(member -> missing.add("pods picked by " + member));
        }
        if (step.has("times")) {
            missing.add("a step that is repeated");
        }
        if (step.has("heartbeat")) {
            missing.add("nodes without a heartbeat");
        }
        return missing.stream();
    }

    private static Stream<String> without(JsonObject object, Set<String> known) {
        return object.members().keySet().stream().filter(member -> !known.contains(member));
    }

    private static String words(JsonObject step) {
        String name = step.get("name") instanceof JsonString text ? " " + text.value() : "";
        return (step.string("do") + " " + step.string("kind") + name).strip();
    }

    private static Consumer<ControlPlane> action(JsonObject step, String pool) {
        return switch (step.string("do")) {
            case "create", "apply" ->
                plane -> step.array("objects").objects().forEach(object -> create(plane, object, step.has("expect")));
            case "patch" ->
                plane -> names(step)
                        .forEach(name -> patch(
                                plane,
                                step.string("kind"),
                                name + (step.string("sub").isEmpty() ? "" : "/" + step.string("sub")),
                                step.string("type").isEmpty() ? "merge" : step.string("type"),
                                step.get("patch"),
                                step.has("mayMiss")));
            case "update" ->
                plane -> patch(plane, step.string("kind"), step.string("name"), "merge", nested(step.object("set")));
            case "scale" ->
                plane -> patch(
                        plane,
                        step.string("kind").isEmpty() ? "Deployment" : step.string("kind"),
                        step.string("name"),
                        "merge",
                        JsonObject.EMPTY.with("spec", JsonObject.EMPTY.with("replicas", step.get("replicas"))));
            case "delete" -> plane -> names(step).forEach(name -> delete(plane, step, name));
            case "pod" -> plane -> pods(plane, step.object("pick")).forEach(pod -> change(plane, pod, step));
            case "nodes" -> plane -> nodes(plane, step, pool);
            case "csr" -> plane -> create(plane, CertificateRequests.of(step), false);
            case "approve" -> plane -> approve(plane, step);
            case "certificate" -> plane -> requireCertificate(plane, step.string("name"));
            case "minute" ->
                plane -> plane.clock()
                        .advance(Duration.ofSeconds(Math.floorMod(
                                seconds(step, "at", 0) - plane.clock().now().getEpochSecond(), 60L)));
            case "quiet" -> plane -> {};
            default -> plane -> plane.clock().advance(Duration.ofSeconds(seconds(step, "seconds", 30)));
        };
    }

    private static long seconds(JsonObject step, String member, long otherwise) {
        return step.get(member) instanceof JsonNumber number
                ? (long) Math.ceil(Double.parseDouble(number.toString()))
                : otherwise;
    }

    private static List<String> names(JsonObject step) {
        return step.get("name") instanceof JsonString name
                ? List.of(name.value())
                : step.array("name").strings().toList();
    }

    /** Returns the object with values at these paths, which have dots between the names. */
    private static JsonObject nested(JsonObject paths) {
        JsonObject result = JsonObject.EMPTY;
        for (Map.Entry<String, JsonValue> entry : paths.members().entrySet()) {
            result = result.with(List.of(DOT.split(entry.getKey(), -1)), entry.getValue());
        }
        return result;
    }

    private static void endPods(ControlPlane plane) {
        ClusterState.of(plane.server()).objects("v1", "Pod").stream()
                .map(pod -> pod.object("metadata"))
                .filter(metadata -> metadata.object("annotations").has("sim/hold-delete"))
                .forEach(metadata -> patch(
                        plane,
                        "Pod",
                        metadata.string("name"),
                        "merge",
                        JsonObject.EMPTY.with(List.of("metadata", "annotations", "sim/hold-delete"), JsonNull.NULL)));
    }

    private static void nodes(ControlPlane plane, JsonObject step, String pool) {
        for (String name : step.array("add").strings().toList()) {
            JsonObject metadata = JsonObject.EMPTY
                    .with("name", pool + "." + name)
                    .with(
                            "labels",
                            step.object("labels")
                                    .with("kubernetes.io/hostname", pool + "." + name)
                                    .with("world/pool", pool))
                    .with("annotations", step.object("annotations"));
            JsonObject spec =
                    step.has("taints") ? JsonObject.EMPTY.with("taints", step.get("taints")) : JsonObject.EMPTY;
            create(plane, JsonObject.parse(NODE).with("metadata", metadata).with("spec", spec), false);
            step.object("conditions")
                    .members()
                    .forEach((type, status) -> patch(
                            plane,
                            "Node",
                            pool + "." + name + "/status",
                            "strategic",
                            JsonObject.parse("{\"status\":{\"conditions\":[{\"type\":\"" + type + "\",\"status\":"
                                    + status + "}]}}")));
        }
        step.array("remove")
                .strings()
                .forEach(name -> delete(plane, JsonObject.EMPTY.with("kind", "Node"), pool + "." + name));
    }

    private static void approve(ControlPlane plane, JsonObject step) {
        String type = step.string("type").isEmpty() ? "Approved" : step.string("type");
        patch(
                plane,
                "CertificateSigningRequest",
                step.string("name") + "/approval",
                "merge",
                JsonObject.parse("""
                {"status": {"conditions": [
                  {"type": "%s", "status": "True", "reason": "World", "message": "by the scenario"}]}}
                """.formatted(type)));
    }

    /** Two certificates of one request are never equal, so the end states only tell its conditions. */
    private static void requireCertificate(ControlPlane plane, String name) {
        boolean isSigned =
                ClusterState.of(plane.server()).objects("certificates.k8s.io/v1", "CertificateSigningRequest").stream()
                        .anyMatch(request -> request.string("metadata", "name").equals(name)
                                && request.object("status").has("certificate"));
        if (!isSigned) {
            throw new IllegalStateException("the request " + name + " has no certificate");
        }
    }

    /** A pod that selects a pool runs on its first node. */
    private static JsonObject onItsPool(JsonObject object) {
        String pool = object.object("spec", "nodeSelector").string("world/pool");
        return !object.string("kind").equals("Pod") || pool.isEmpty()
                ? object
                : object.with(List.of("metadata", "annotations", "sim/node"), pool + ".a");
    }

    /** Returns the body with the UIDs of the objects that it refers to. */
    private static String withUids(ControlPlane plane, String body) {
        return UID.matcher(body).replaceAll(reference -> {
            String text = reference.group(2);
            int slash = text.indexOf('/');
            String namespace = slash < 0 ? NAMESPACE : text.substring(0, slash);
            String name = text.substring(slash + 1);
            return ClusterState.of(plane.server())
                    .objects(store(plane, reference.group(1)).type().apiVersion(), reference.group(1))
                    .stream()
                    .map(object -> object.object("metadata"))
                    .filter(metadata -> metadata.string("name").equals(name)
                            && (!metadata.has("namespace")
                                    || metadata.string("namespace").equals(namespace)))
                    .map(metadata -> "\"uid\":\"" + metadata.string("uid") + "\"")
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("there is no " + reference.group()));
        });
    }

    /** The pods of a job run until a step ends them. */
    private static JsonObject running(JsonObject object) {
        return object.string("kind").equals("Job")
                ? object.with(List.of("spec", "template", "metadata", "annotations", "sim/complete-after-ms"), "never")
                : object;
    }

    private static void create(ControlPlane plane, JsonObject given, boolean mayBeRefused) {
        JsonObject object = running(onItsPool(given));
        ResourceStore store = store(plane, object.string("kind"));
        JsonObject complete = object.with("apiVersion", store.type().apiVersion());
        String namespace = object.string("metadata", "namespace");
        String path = store.type()
                .collectionPath(store.type().isNamespaced() ? (namespace.isEmpty() ? NAMESPACE : namespace) : "");
        send(plane, "POST", path, ApiRequest.JSON, complete.toString(), mayBeRefused);
    }

    private static void patch(ControlPlane plane, String kind, String name, String type, JsonValue patch) {
        patch(plane, kind, name, type, patch, false);
    }

    private static void patch(
            ControlPlane plane, String kind, String name, String type, JsonValue patch, boolean mayBeRefused) {
        String content = switch (type) {
            case "strategic" -> "application/strategic-merge-patch+json";
            case "json" -> "application/json-patch+json";
            default -> "application/merge-patch+json";
        };
        send(plane, "PATCH", collection(plane, kind) + "/" + name, content, patch.toString(), mayBeRefused);
    }

    private static void delete(ControlPlane plane, JsonObject step, String name) {
        JsonObject options = JsonObject.EMPTY;
        if (step.has("propagation")) {
            options = options.with("propagationPolicy", step.string("propagation"));
        }
        if (step.has("grace")) {
            options = options.with("gracePeriodSeconds", step.get("grace"));
        }
        String path = collection(plane, step.string("kind")) + "/" + name;
        send(plane, "DELETE", path, ApiRequest.JSON, options.toString(), true);
    }

    /** Returns the living pods, the oldest first, that fit; with {@code index}, those at these places. */
    private static List<JsonObject> pods(ControlPlane plane, JsonObject pick) {
        List<JsonObject> pods = ClusterState.of(plane.server()).objects("v1", "Pod").stream()
                .filter(pod -> fits(pod, pod.object("metadata"), pick))
                .sorted(Comparator.comparing((JsonObject pod) -> pod.string("metadata", "creationTimestamp"))
                        .thenComparing(pod -> pod.string("metadata", "name")))
                .toList();
        if (pods.isEmpty()) {
            throw new IllegalStateException("no pod fits " + pick);
        }
        if (!pick.has("index")) {
            return pods;
        }
        List<JsonObject> chosen = new ArrayList<>();
        for (int i = 0; i < pick.array("index").size(); i++) {
            int place = Integer.parseInt(pick.array("index").get(i).toString());
            chosen.add(pods.get(Math.floorMod(place, pods.size())));
        }
        return chosen;
    }

    private static boolean fits(JsonObject pod, JsonObject metadata, JsonObject pick) {
        return (pick.bool("terminating") || !metadata.has("deletionTimestamp"))
                && (!pick.has("name") || names(pick).contains(metadata.string("name")))
                && (!pick.has("owner")
                        || metadata.array("ownerReferences")
                                .objects()
                                .anyMatch(owner -> owner.string("name").equals(pick.string("owner"))))
                && (!pick.has("phase") || pod.string("status", "phase").equals(pick.string("phase")))
                && (!pick.has("ready") || isReady(pod) == pick.bool("ready"))
                && pick.object("labels").members().entrySet().stream()
                        .allMatch(label -> label.getValue()
                                .equals(metadata.object("labels").get(label.getKey())));
    }

    private static boolean isReady(JsonObject pod) {
        return pod.object("status")
                .array("conditions")
                .objects()
                .anyMatch(condition -> condition.string("type").equals("Ready")
                        && condition.string("status").equals("True"));
    }

    private static void change(ControlPlane plane, JsonObject pod, JsonObject step) {
        String name = pod.string("metadata", "name");
        if (step.has("delete")) {
            delete(plane, JsonObject.EMPTY.with("kind", "Pod"), name);
            return;
        }
        JsonObject metadata = JsonObject.EMPTY;
        for (String member : List.of("labels", "annotations")) {
            metadata = step.has(member) ? metadata.with(member, step.get(member)) : metadata;
        }
        if (!metadata.isEmpty()) {
            patch(plane, "Pod", name, "merge", JsonObject.EMPTY.with("metadata", metadata));
        }
        if (step.has("phase") || step.has("ready") || step.has("readyFor")) {
            boolean isReady = step.has("readyFor") ? isReady(pod) : step.bool("ready") && !step.has("phase");
            String phase = step.has("phase") ? step.string("phase") : "Running";
            Instant since = plane.clock().now().minusSeconds(seconds(step, "readyFor", 0));
            patch(plane, "Pod", name + "/status", "strategic", JsonObject.parse("""
                    {"status": {"phase": "%s", "conditions": [
                      {"type": "Ready", "status": "%s", "lastTransitionTime": "%s"}]}}
                    """.formatted(
                            phase, isReady ? "True" : "False", since.truncatedTo(ChronoUnit.SECONDS))));
        }
    }

    private static ResourceStore store(ControlPlane plane, String kind) {
        return plane.server().backend().stores().stream()
                .filter(store -> store.type().kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the server does not serve " + kind));
    }

    private static String collection(ControlPlane plane, String kind) {
        ResourceStore store = store(plane, kind);
        return store.type().collectionPath(store.type().isNamespaced() ? NAMESPACE : "");
    }

    private static void send(
            ControlPlane plane, String method, String path, String type, String body, boolean mayBeRefused) {
        ApiRequest.Body content =
                new ApiRequest.Body(type, withUids(plane, body).getBytes(StandardCharsets.UTF_8));
        ServerResponse answer = plane.server().handle(ApiRequest.of(method, path, Map.of(), content));
        if (answer instanceof ServerResponse.Document document && document.code() >= 300 && !mayBeRefused) {
            throw new IllegalStateException(method + " " + path + ": " + JsonObject.parse(document.bytes()));
        }
    }
}
