/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The reported status of a pod. A report that equals the previous one is not sent.
 *
 * @param phase the phase
 * @param containers the state of its containers
 * @param gatesOpen whether the readiness gates are satisfied
 * @param hostIp the address of the node
 * @param podIps the addresses of the pod
 * @param ephemeral the names of the ephemeral containers, which start at once and are never ready
 */
record PodReport(
        String phase,
        Containers containers,
        boolean gatesOpen,
        String hostIp,
        List<String> podIps,
        List<String> ephemeral) {

    /**
     * The state of all containers of a pod, which is the same for each.
     *
     * @param ready whether they are ready
     * @param exitCode the code with which they have exited, or with which they exited before their restart
     * @param restarts how often they have restarted
     * @param backingOff whether they wait for a restart
     */
    record Containers(boolean ready, int exitCode, int restarts, boolean backingOff) {}

    /**
     * Returns the strategic merge patch that sets the status to this report. Unchanged conditions keep their
     * transition times.
     */
    JsonObject patch(JsonObject pod, String now) {
        JsonObject.Builder status = JsonObject.builder()
                .put("phase", phase)
                .put("conditions", conditions(pod, now))
                .put("hostIP", hostIp)
                .put("containerStatuses", containerStatuses(pod, "containers", "containerStatuses", now));
        if (pod.string("status", "startTime").isEmpty()) {
            status.put("startTime", now);
        }
        if (!pod.array("spec", "initContainers").isEmpty()) {
            status.put("initContainerStatuses", initContainerStatuses(pod, now));
        }
        if (!ephemeral.isEmpty()) {
            status.put("ephemeralContainerStatuses", ephemeralContainerStatuses(pod, now));
        }
        if (!podIps.isEmpty()) {
            status.put("podIP", podIps.get(0));
            status.put(
                    "podIPs",
                    JsonArray.of(podIps.stream()
                            .map(ip -> JsonObject.EMPTY.with("ip", ip))
                            .toList()));
        }
        return JsonObject.of("metadata", JsonObject.EMPTY.with("uid", pod.string("metadata", "uid")))
                .with("status", status.build());
    }

    private boolean isDone() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private JsonArray conditions(JsonObject pod, String now) {
        boolean started = !phase.equals("Pending");
        String notReady = isDone() ? "PodCompleted" : "ContainersNotReady";
        return JsonArray.of(
                condition(pod, "PodScheduled", true, "", now),
                condition(pod, "Initialized", started, "ContainersNotInitialized", now),
                condition(pod, "ContainersReady", containers.ready(), notReady, now),
                condition(
                        pod,
                        "Ready",
                        containers.ready() && gatesOpen,
                        containers.ready() ? "ReadinessGatesNotReady" : notReady,
                        now));
    }

    private static JsonObject condition(JsonObject pod, String type, boolean holds, String reasonIfNot, String now) {
        String status = holds ? "True" : "False";
        String since = pod.array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(type)
                        && condition.string("status").equals(status))
                .map(condition -> condition.string("lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .findFirst()
                .orElse(now);
        JsonObject condition =
                JsonObject.EMPTY.with("type", type).with("status", status).with("lastTransitionTime", since);
        // The null removes the reason of an earlier report.
        return holds ? condition.with("reason", JsonNull.NULL) : condition.with("reason", reasonIfNot);
    }

    private JsonArray containerStatuses(JsonObject pod, String specs, String statuses, String now) {
        List<JsonValue> result = new ArrayList<>();
        for (JsonObject container : pod.array("spec", specs).objects().toList()) {
            JsonObject before = before(pod, statuses, container);
            Long known = before.number("restartCount");
            long restarts = Math.max(known == null ? 0 : known, containers.restarts());
            JsonObject last = lastState(before, containers.restarts() > (known == null ? 0 : known), now);
            JsonObject.Builder status = JsonObject.builder()
                    .put("name", container.string("name"))
                    .put("image", container.string("image"))
                    .put("imageID", "")
                    .put("containerID", containerId(pod, container))
                    .put("ready", containers.ready())
                    .put("started", phase.equals("Running") && !containers.backingOff())
                    .put("restartCount", restarts)
                    .put("state", state(before, now));
            if (!last.isEmpty()) {
                status.put("lastState", last);
            }
            result.add(status.build());
        }
        return JsonArray.of(result);
    }

    /** Returns how the container ended before its latest restart; empty if it has not restarted. */
    private JsonObject lastState(JsonObject before, boolean restarted, String now) {
        if (!restarted) {
            return before.object("lastState");
        }
        String startedAt = before.object("state", "running").string("startedAt");
        return JsonObject.of(
                "terminated", terminated(containers.exitCode(), startedAt.isEmpty() ? now : startedAt, now));
    }

    private JsonArray ephemeralContainerStatuses(JsonObject pod, String now) {
        return JsonArray.of(pod.array("spec", "ephemeralContainers")
                .objects()
                .map(container -> JsonObject.builder()
                        .put("name", container.string("name"))
                        .put("image", container.string("image"))
                        .put("imageID", "")
                        .put("containerID", containerId(pod, container))
                        .put("ready", false)
                        .put("restartCount", 0)
                        .put("state", state(before(pod, "ephemeralContainerStatuses", container), now))
                        .build())
                .toList());
    }

    /** Returns the status that a container has in an earlier report; empty for none. */
    private static JsonObject before(JsonObject pod, String statuses, JsonObject container) {
        return pod.array("status", statuses)
                .objects()
                .filter(status -> status.string("name").equals(container.string("name")))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private JsonObject state(JsonObject before, String now) {
        JsonObject running = before.object("state", "running");
        String startedAt = running.string("startedAt").isEmpty() ? now : running.string("startedAt");
        return switch (phase) {
            case "Running" ->
                containers.backingOff()
                        ? JsonObject.of("waiting", JsonObject.EMPTY.with("reason", "CrashLoopBackOff"))
                        : JsonObject.of("running", JsonObject.EMPTY.with("startedAt", startedAt));
            case "Succeeded" -> JsonObject.of("terminated", terminated(0, startedAt, now));
            case "Failed" ->
                JsonObject.of("terminated", terminated(Math.max(1, containers.exitCode()), startedAt, now));
            default -> JsonObject.of("waiting", JsonObject.EMPTY.with("reason", "ContainerCreating"));
        };
    }

    /** Init containers have completed at once. Sidecars, which restart always, run beside the containers. */
    private JsonArray initContainerStatuses(JsonObject pod, String now) {
        return JsonArray.of(pod.array("spec", "initContainers")
                .objects()
                .map(container -> {
                    boolean sidecar = container.string("restartPolicy").equals("Always");
                    boolean runs = sidecar && phase.equals("Running");
                    String startedAt = before(pod, "initContainerStatuses", container)
                            .object("state", "running")
                            .string("startedAt");
                    String since = startedAt.isEmpty() ? now : startedAt;
                    return JsonObject.builder()
                            .put("name", container.string("name"))
                            .put("image", container.string("image"))
                            .put("imageID", "")
                            .put("containerID", containerId(pod, container))
                            .put("ready", sidecar ? runs : true)
                            .put("started", runs)
                            .put("restartCount", 0)
                            .put(
                                    "state",
                                    runs
                                            ? JsonObject.of("running", JsonObject.EMPTY.with("startedAt", since))
                                            : JsonObject.of("terminated", terminated(0, since, now)))
                            .build();
                })
                .toList());
    }

    private static String containerId(JsonObject pod, JsonObject container) {
        return "simulated://" + pod.string("metadata", "uid") + "/" + container.string("name");
    }

    private static JsonObject terminated(int exitCode, String startedAt, String finishedAt) {
        return JsonObject.builder()
                .put("exitCode", exitCode)
                .put("reason", exitCode == 0 ? "Completed" : "Error")
                .put("startedAt", startedAt)
                .put("finishedAt", finishedAt)
                .build();
    }
}
