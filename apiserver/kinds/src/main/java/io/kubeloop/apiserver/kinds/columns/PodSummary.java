/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The summary of a pod that {@code kubectl get pods} shows (upstream: {@code printPod}).
 *
 * @param reason the phase, or the reason that prevents it
 * @param readyContainers the number of running and ready containers
 * @param containers the number of containers
 * @param restarts the number of container restarts
 * @param lastRestart the time at which the last restarted container had ended; empty if there was no restart
 */
record PodSummary(String reason, int readyContainers, int containers, long restarts, String lastRestart) {

    static PodSummary of(JsonObject pod) {
        Scan scan = new Scan(pod);
        int containers = pod.array("spec", "containers").size() + scan.sidecars.size();
        return new PodSummary(scan.reason(), scan.readyContainers, containers, scan.restarts, scan.lastRestart);
    }

    String ready() {
        return readyContainers + "/" + containers;
    }

    /** One pass over the container statuses. Not shared between threads. */
    private static final class Scan {

        private final JsonObject pod;
        /** The names of the init containers that run as long as the pod. */
        private final Set<String> sidecars;

        private String reason;
        private int readyContainers;
        private long restarts;
        private String lastRestart = "";
        private long sidecarRestarts;
        private String lastSidecarRestart = "";
        private boolean hasRunning;

        Scan(JsonObject pod) {
            this.pod = pod;
            sidecars = pod.array("spec", "initContainers")
                    .objects()
                    .filter(container -> container.string("restartPolicy").equals("Always"))
                    .map(container -> container.string("name"))
                    .collect(Collectors.toSet());
            reason = pod.string("status", "reason");
            if (reason.isEmpty()) {
                reason = pod.string("status", "phase");
            }
            if (hasCondition("PodScheduled", "", "SchedulingGated")) {
                reason = "SchedulingGated";
            }
            if (!scanInitContainers() || hasCondition("Initialized", "True", "")) {
                scanContainers();
            }
        }

        /** Returns whether the pod is still initializing. */
        private boolean scanInitContainers() {
            List<JsonObject> statuses =
                    pod.array("status", "initContainerStatuses").objects().toList();
            for (int i = 0; i < statuses.size(); i++) {
                JsonObject status = statuses.get(i);
                boolean isSidecar = sidecars.contains(status.string("name"));
                countRestarts(status);
                if (isSidecar) {
                    sidecarRestarts += count(status);
                    lastSidecarRestart = later(lastSidecarRestart, status);
                }
                JsonObject ended = status.object("state", "terminated");
                boolean done = status.get("state", "terminated") != null && exitCode(ended) == 0;
                if (!done && isSidecar && status.bool("started")) {
                    readyContainers += status.bool("ready") ? 1 : 0;
                } else if (!done) {
                    reason = "Init:" + initReason(status, i);
                    return true;
                }
            }
            return false;
        }

        private String initReason(JsonObject status, int index) {
            JsonObject ended = status.object("state", "terminated");
            String waiting = status.string("state", "waiting", "reason");
            if (status.get("state", "terminated") != null) {
                return endReason(ended);
            }
            return waiting.isEmpty() || waiting.equals("PodInitializing")
                    ? index + "/" + pod.array("spec", "initContainers").size()
                    : waiting;
        }

        private void scanContainers() {
            restarts = sidecarRestarts;
            lastRestart = lastSidecarRestart;
            String failure = "";
            List<JsonObject> statuses =
                    pod.array("status", "containerStatuses").objects().toList();
            for (int i = statuses.size() - 1; i >= 0; i--) {
                JsonObject status = statuses.get(i);
                countRestarts(status);
                JsonObject ended = status.object("state", "terminated");
                String waiting = status.string("state", "waiting", "reason");
                if (!waiting.isEmpty()) {
                    reason = waiting;
                } else if (status.get("state", "terminated") != null) {
                    reason = endReason(ended);
                    failure = exitCode(ended) == 0 ? failure : reason;
                } else if (status.bool("ready") && status.get("state", "running") != null) {
                    hasRunning = true;
                    readyContainers++;
                }
            }
            if (reason.equals("Completed")) {
                if (hasRunning && hasCondition("Ready", "True", "")) {
                    reason = "Running";
                } else if (!failure.isEmpty()) {
                    reason = failure;
                } else if (hasRunning) {
                    reason = "NotReady";
                }
            }
        }

        private void countRestarts(JsonObject status) {
            restarts += count(status);
            lastRestart = later(lastRestart, status);
        }

        private static long count(JsonObject status) {
            Long count = status.number("restartCount");
            return count == null ? 0 : count;
        }

        private static String later(String time, JsonObject status) {
            String ended = status.string("lastState", "terminated", "finishedAt");
            return ended.compareTo(time) > 0 ? ended : time;
        }

        private static long exitCode(JsonObject ended) {
            Long code = ended.number("exitCode");
            return code == null ? 0 : code;
        }

        private static String endReason(JsonObject ended) {
            if (!ended.string("reason").isEmpty()) {
                return ended.string("reason");
            }
            Long signal = ended.number("signal");
            return signal != null && signal != 0 ? "Signal:" + signal : "ExitCode:" + exitCode(ended);
        }

        private boolean hasCondition(String type, String status, String withReason) {
            return pod.array("status", "conditions")
                    .objects()
                    .anyMatch(condition -> condition.string("type").equals(type)
                            && (status.isEmpty() || condition.string("status").equals(status))
                            && (withReason.isEmpty()
                                    || condition.string("reason").equals(withReason)));
        }

        String reason() {
            if (pod.string("metadata", "deletionTimestamp").isEmpty()) {
                return reason;
            }
            if (pod.string("status", "reason").equals("NodeLost")) {
                return "Unknown";
            }
            String phase = pod.string("status", "phase");
            return phase.equals("Succeeded") || phase.equals("Failed") ? reason : "Terminating";
        }
    }
}
