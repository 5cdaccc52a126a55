package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

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
        int containers = pod.array("spec", "containers").size();
        return new PodSummary(scan.reason(), scan.readyContainers, containers, scan.restarts, scan.lastRestart);
    }

    String ready() {
        return readyContainers + "/" + containers;
    }

    /** One pass over the container statuses. Not shared between threads. */
    private static final class Scan {

        private final JsonObject pod;
        private String reason;
        private int readyContainers;
        private long restarts;
        private String lastRestart = "";
        private boolean hasRunning;

        Scan(JsonObject pod) {
            this.pod = pod;
            reason = pod.string("status", "reason");
            if (reason.isEmpty()) {
                reason = pod.string("status", "phase");
            }
            if (hasCondition("PodScheduled", "False", "SchedulingGated")) {
                reason = "SchedulingGated";
            }
            if (!scanInitContainers()) {
                scanContainers();
            }
        }

        /** Returns whether the pod is still initializing. */
        private boolean scanInitContainers() {
            JsonArray statuses = pod.array("status", "initContainerStatuses");
            int total = pod.array("spec", "initContainers").size();
            int done = 0;
            for (JsonObject status : statuses.objects().toList()) {
                countRestarts(status);
                JsonObject ended = status.object("state", "terminated");
                String waiting = status.string("state", "waiting", "reason");
                if (!ended.isEmpty() && exitCode(ended) == 0) {
                    done++;
                    continue;
                }
                if (!ended.isEmpty()) {
                    reason = "Init:" + endReason(ended);
                } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                    reason = "Init:" + waiting;
                } else {
                    reason = "Init:" + done + "/" + total;
                }
                return true;
            }
            return false;
        }

        private void scanContainers() {
            restarts = 0;
            lastRestart = "";
            List<JsonObject> statuses =
                    pod.array("status", "containerStatuses").objects().toList();
            for (int i = statuses.size() - 1; i >= 0; i--) {
                JsonObject status = statuses.get(i);
                countRestarts(status);
                JsonObject ended = status.object("state", "terminated");
                String waiting = status.string("state", "waiting", "reason");
                if (!waiting.isEmpty()) {
                    reason = waiting;
                } else if (!ended.isEmpty()) {
                    reason = endReason(ended);
                } else if (status.bool("ready") && status.get("state", "running") != null) {
                    hasRunning = true;
                    readyContainers++;
                }
            }
            if (reason.equals("Completed") && hasRunning) {
                reason = hasCondition("Ready", "True", "") ? "Running" : "NotReady";
            }
        }

        private void countRestarts(JsonObject status) {
            Long count = status.number("restartCount");
            restarts += count == null ? 0 : count;
            String ended = status.string("lastState", "terminated", "finishedAt");
            if (ended.compareTo(lastRestart) > 0) {
                lastRestart = ended;
            }
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
                            && condition.string("status").equals(status)
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
