package io.kubeloop.transport.memory.kubelet;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of a pod, as its annotations and gates say. See {@link SimulatedKubelet} for the annotations.
 *
 * @param held whether it is left unscheduled
 * @param bindOnly whether nothing is reported about it
 * @param node where it is to run; empty for anywhere
 * @param ips its addresses; null for one from the pool
 * @param delay how long nothing is reported
 * @param readyDelay how long it runs before it is ready; null for the default
 * @param completesAfter after how long it has succeeded; null for never
 * @param stopDelay how long it takes to stop; null for the default
 * @param deletionHeld whether its deletion is not finished
 * @param phase the phase to report
 * @param ready whether it is to be ready
 */
record PodPlan(
        boolean held,
        boolean bindOnly,
        String node,
        @Nullable List<String> ips,
        Duration delay,
        @Nullable Duration readyDelay,
        @Nullable Duration completesAfter,
        @Nullable Duration stopDelay,
        boolean deletionHeld,
        String phase,
        boolean ready) {

    private static final String PREFIX = "sim/";

    static PodPlan of(JsonObject pod) {
        JsonObject annotations = pod.object("metadata", "annotations");
        String phase = text(annotations, "phase", "Running");
        String ips = text(annotations, "ip", "");
        boolean gated = !pod.array("spec", "schedulingGates").isEmpty();
        Duration delay = duration(annotations, "delay-ms");
        return new PodPlan(
                gated || is(annotations, "hold"),
                is(annotations, "bind-only"),
                text(annotations, "node", ""),
                ips.isEmpty() ? null : ips.equals("none") ? List.of() : split(ips),
                delay == null ? Duration.ZERO : delay,
                duration(annotations, "ready-delay-ms"),
                duration(annotations, "complete-after-ms"),
                duration(annotations, "stop-ms"),
                is(annotations, "hold-delete"),
                phase,
                text(annotations, "ready", phase.equals("Running") ? "true" : "false")
                        .equals("true"));
    }

    /** Returns whether every readiness gate of the pod is open. */
    static boolean gatesOpen(JsonObject pod) {
        JsonArray conditions = pod.array("status", "conditions");
        return pod.array("spec", "readinessGates")
                .objects()
                .allMatch(gate -> conditions
                        .objects()
                        .anyMatch(condition -> condition.string("type").equals(gate.string("conditionType"))
                                && condition.string("status").equals("True")));
    }

    private static String text(JsonObject annotations, String name, String absent) {
        String value = annotations.string(PREFIX + name);
        return value.isEmpty() ? absent : value;
    }

    private static boolean is(JsonObject annotations, String name) {
        return annotations.string(PREFIX + name).equals("true");
    }

    /** Returns null also for what is no number: a slip in an annotation must not stop the others. */
    private static @Nullable Duration duration(JsonObject annotations, String name) {
        try {
            return Duration.ofMillis(Math.max(0, Long.parseLong(annotations.string(PREFIX + name))));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static List<String> split(String ips) {
        return Stream.of(ips.split(",", -1)).map(String::strip).toList();
    }
}
