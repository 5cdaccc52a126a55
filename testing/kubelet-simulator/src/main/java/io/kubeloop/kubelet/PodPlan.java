/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The simulated behavior of a pod, read from its annotations and scheduling gates. {@link SimulatedKubelet}
 * documents the annotations.
 *
 * @param placement whether and where the pod is bound
 * @param delays the times between the steps of its life
 * @param ips the addresses of the pod; null for one from the pool
 * @param deletionHeld whether the kubelet leaves a terminating pod in place
 * @param phase the phase to report
 * @param ready whether the pod becomes ready
 * @param exitCode the exit code of its containers when they complete
 */
record PodPlan(
        Placement placement,
        Delays delays,
        @Nullable List<String> ips,
        boolean deletionHeld,
        String phase,
        boolean ready,
        int exitCode) {

    /**
     * The binding of the pod.
     *
     * @param held whether the pod stays unscheduled
     * @param bindOnly whether the kubelet reports no status for the pod
     * @param node the name of the node; empty for any
     */
    record Placement(boolean held, boolean bindOnly, String node) {}

    /**
     * The times between the steps of the pod's life.
     *
     * @param start time before the first status report
     * @param ready time from running to ready; null for the kubelet's default
     * @param complete time from running until the containers exit; null for never
     * @param stop time that the containers take to stop; null for the kubelet's default
     */
    record Delays(
            Duration start,
            @Nullable Duration ready,
            @Nullable Duration complete,
            @Nullable Duration stop) {}

    private static final String PREFIX = "sim/";
    private static final String NEVER = "never";

    /**
     * Reads the plan of a pod.
     *
     * @param jobDelay the time from running until the containers of a pod exit that is expected to complete
     */
    static PodPlan of(JsonObject pod, Duration jobDelay) {
        JsonObject annotations = pod.object("metadata", "annotations");
        String phase = text(annotations, "phase", "Running");
        String ips = text(annotations, "ip", "");
        boolean gated = !pod.array("spec", "schedulingGates").isEmpty();
        Duration delay = duration(annotations, "delay-ms");
        CommandOutcome outcome = CommandOutcome.of(pod);
        return new PodPlan(
                new Placement(
                        gated || is(annotations, "hold"),
                        is(annotations, "bind-only"),
                        text(annotations, "node", requiredNode(pod))),
                new Delays(
                        delay == null ? Duration.ZERO : delay,
                        duration(annotations, "ready-delay-ms"),
                        complete(pod, annotations, Objects.requireNonNullElse(outcome.time(), jobDelay)),
                        duration(annotations, "stop-ms")),
                ips.isEmpty() ? null : ips.equals("none") ? List.of() : split(ips),
                is(annotations, "hold-delete"),
                phase,
                text(annotations, "ready", phase.equals("Running") ? "true" : "false")
                        .equals("true"),
                exitCode(annotations, outcome));
    }

    /** Returns the node that the affinity of a daemon pod names; empty for any. */
    private static String requiredNode(JsonObject pod) {
        return pod.object("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
                .array("nodeSelectorTerms")
                .objects()
                .flatMap(term -> term.array("matchFields").objects())
                .filter(field -> field.string("key").equals("metadata.name"))
                .flatMap(field -> field.array("values").strings())
                .findFirst()
                .orElse("");
    }

    private static @Nullable Duration complete(JsonObject pod, JsonObject annotations, Duration jobDelay) {
        if (text(annotations, "complete-after-ms", "").equals(NEVER)) {
            return null;
        }
        Duration stated = duration(annotations, "complete-after-ms");
        return stated != null || !completes(pod, annotations) ? stated : jobDelay;
    }

    /**
     * Returns whether a pod is expected to complete: the pod of a Job, as for kwok, and a hook of helm, which waits for
     * its end. Other pods without restarts may run as long as they want, such as those of build agents.
     */
    private static boolean completes(JsonObject pod, JsonObject annotations) {
        String restarts = pod.string("spec", "restartPolicy");
        return (restarts.equals("Never") || restarts.equals("OnFailure"))
                && (annotations.has("helm.sh/hook")
                        || pod.array("metadata", "ownerReferences")
                                .objects()
                                .anyMatch(owner -> owner.string("kind").equals("Job")
                                        && owner.string("apiVersion").startsWith("batch/")));
    }

    /** As for a process, only the lowest 8 bits count. */
    private static int exitCode(JsonObject annotations, CommandOutcome outcome) {
        Duration code = duration(annotations, "exit-code");
        return code == null ? outcome.exitCode() : (int) (code.toMillis() & 0xff);
    }

    /** Returns whether all readiness gates of the pod are satisfied. */
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

    /** Returns null also for a value that is not a number: a wrong annotation must not affect other annotations. */
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
