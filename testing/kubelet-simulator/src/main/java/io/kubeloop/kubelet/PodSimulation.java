/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulated life of one pod: bound, started, ready, ended, removed.
 *
 * <p>A report is sent only when it differs from the previous report, so status changes by users stay. The
 * status of a pod that already ran when the kubelet first saw it is not changed until the report changes.
 */
final class PodSimulation {

    /*
     * process() runs on the executor, on one thread at a time: pending counts the calls of wake() that have not
     * been processed, and only the call that raises it from 0 submits the task. Therefore the fields that process()
     * uses are written by one thread after another, and pending publishes them. The reflector's thread writes
     * latest and gone before it calls wake().
     */
    private static final Logger LOG = LoggerFactory.getLogger(PodSimulation.class);

    private static final Duration RETRY = Duration.ofSeconds(1);

    /** The wait before the first restart of a failed container. It doubles up to 320 s; upstream's limit is 300 s. */
    private static final Duration CRASH_LOOP = Duration.ofSeconds(10);

    private final PodSimulations pods;
    private final Instant firstSeen;
    private final AtomicInteger pending = new AtomicInteger();
    private volatile JsonObject latest;
    private volatile boolean gone;

    /** Whether the server may show another status than the last report. */
    private volatile boolean outdated;

    private final boolean ranBefore;
    private String node = "";
    private @Nullable List<String> ips;
    private @Nullable String pooledIp;
    private @Nullable Instant runningSince;
    private @Nullable PodReport lastReport;
    private int restarts;
    private boolean deletionSent;

    PodSimulation(PodSimulations pods, JsonObject pod) {
        this.pods = pods;
        this.latest = pod;
        firstSeen = pods.now();
        String phase = pod.string("status", "phase");
        ranBefore = !pod.string("status", "podIP").isEmpty() || !(phase.isEmpty() || phase.equals("Pending"));
        pod.array("status", "podIPs").objects().forEach(ip -> pods.ips().take(ip.string("ip")));
    }

    void changed(JsonObject pod) {
        latest = pod;
        wake();
    }

    /** Reports the pod, whatever was reported before, if it runs on this node; any thread. */
    void reportAgain(String name) {
        if (latest.string("spec", "nodeName").equals(name)) {
            outdated = true;
            wake();
        }
    }

    void deleted() {
        gone = true;
        wake();
    }

    /** Schedules processing; any thread. */
    private void wake() {
        if (pending.getAndIncrement() == 0) {
            pods.execute(this::processPending);
        }
    }

    private void wakeAt(Instant when) {
        pods.schedule(this::wake, Duration.between(pods.now(), when));
    }

    private void processPending() {
        int answered;
        do {
            answered = pending.get();
            try {
                process();
            } catch (ApiException e) {
                handleRejection(e);
            } catch (TransportException e) {
                retry(e);
            } catch (RuntimeException e) {
                LOG.error(
                        "Cannot simulate a pod: pod={}",
                        latest.object("metadata").string("name"),
                        e);
            }
        } while (pending.addAndGet(-answered) != 0);
    }

    private void handleRejection(ApiException e) {
        if (e.isNotFound() || e.isConflict()) {
            LOG.debug("A pod is gone or has changed; waiting for its event: error={}", e.getMessage());
        } else if (e.isInvalid() || e.isBadRequest() || e.isForbidden()) {
            LOG.warn("Cannot simulate a pod: error={}", e.getMessage());
        } else {
            retry(e);
        }
    }

    private void retry(RuntimeException e) {
        if (pods.isOpen()) {
            LOG.warn("Cannot write the state of a pod; retrying: error={} backoff={}", e.getMessage(), RETRY);
            pods.schedule(this::wake, RETRY);
        }
    }

    private void process() {
        JsonObject pod = latest;
        if (gone) {
            if (pooledIp != null) {
                pods.ips().release(pooledIp);
                pooledIp = null;
            }
            return;
        }
        if (pods.nodes().leave(pod.string("spec", "nodeName"))) {
            return;
        }
        PodPlan plan = PodPlan.of(pod, pods.jobDelay());
        if (!pod.string("metadata", "deletionTimestamp").isEmpty()) {
            stop(pod, plan);
        } else if (!isFinished(pod) && isBound(pod, plan) && !plan.placement().bindOnly()) {
            report(pod, plan);
        }
    }

    private static boolean isFinished(JsonObject pod) {
        String phase = pod.string("status", "phase");
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private boolean isBound(JsonObject pod, PodPlan plan) {
        if (!pod.string("spec", "nodeName").isEmpty()) {
            node = pod.string("spec", "nodeName");
        } else if (node.isEmpty() && !plan.placement().held()) {
            String chosen = plan.placement().node().isEmpty()
                    ? pods.nodes().next()
                    : plan.placement().node();
            pods.api().bind(pod, chosen);
            node = chosen;
        }
        return !node.isEmpty();
    }

    private void report(JsonObject pod, PodPlan plan) {
        Instant now = pods.now();
        Instant start = firstSeen.plus(plan.delays().start());
        if (!ranBefore && now.isBefore(start)) {
            wakeAt(start);
            return;
        }
        if (runningSince == null) {
            runningSince = now;
        }
        PodReport report = reportAt(now, pod, plan);
        boolean takenAsItIs = ranBefore && lastReport == null;
        if (outdated || (!takenAsItIs && !report.equals(lastReport))) {
            pods.api().patchStatus(pod, report.patch(pod, pods.timestamp()));
            outdated = false;
        }
        lastReport = report;
    }

    private PodReport reportAt(Instant now, JsonObject pod, PodPlan plan) {
        String phase = plan.phase();
        boolean ready = plan.ready();
        if (phase.equals("Running")) {
            phase = phaseAt(now, pod, plan);
            Instant since = Objects.requireNonNull(runningSince);
            Instant readyAt =
                    since.plus(Objects.requireNonNullElse(plan.delays().ready(), pods.readyDelay()));
            boolean isEarly = (!ranBefore || restarts > 0) && now.isBefore(readyAt);
            if (isEarly) {
                wakeAt(readyAt);
            }
            ready = ready && !isEarly && phase.equals("Running");
        }
        boolean backingOff = restarts > 0 && now.isBefore(Objects.requireNonNull(runningSince));
        List<String> ephemeral = pod.array("spec", "ephemeralContainers")
                .objects()
                .map(container -> container.string("name"))
                .toList();
        return new PodReport(
                phase,
                new PodReport.Containers(ready, plan.exitCode(), restarts, backingOff),
                PodPlan.gatesOpen(pod),
                pods.nodes().ipOf(node),
                addresses(pod, plan),
                ephemeral);
    }

    /** Returns the phase of a pod whose containers exit after a time, and restarts those that have failed. */
    private String phaseAt(Instant now, JsonObject pod, PodPlan plan) {
        Duration complete = plan.delays().complete();
        Instant since = Objects.requireNonNull(runningSince);
        if (complete == null || now.isBefore(since.plus(complete))) {
            if (complete != null) {
                wakeAt(since.plus(complete));
            }
            return "Running";
        }
        if (plan.exitCode() == 0) {
            return "Succeeded";
        }
        if (!pod.string("spec", "restartPolicy").equals("OnFailure")) {
            return "Failed";
        }
        runningSince = now.plus(CRASH_LOOP.multipliedBy(1L << Math.min(restarts, 5)));
        restarts++;
        wakeAt(runningSince);
        return "Running";
    }

    private List<String> addresses(JsonObject pod, PodPlan plan) {
        if (plan.ips() != null) {
            return plan.ips();
        }
        if (ips == null) {
            if (ranBefore) {
                ips = pod.array("status", "podIPs")
                        .objects()
                        .map(ip -> ip.string("ip"))
                        .toList();
            } else if (pod.bool("spec", "hostNetwork")) {
                ips = List.of(pods.nodes().ipOf(node));
            } else {
                pooledIp = pods.ips().take();
                ips = List.of(pooledIp);
            }
        }
        return ips;
    }

    /**
     * Completes the deletion of a terminating pod once its containers have stopped, at the latest at the end of its
     * grace period.
     */
    private void stop(JsonObject pod, PodPlan plan) {
        if (plan.deletionHeld() || deletionSent) {
            return;
        }
        Instant end = pods.now();
        Long grace = pod.number("metadata", "deletionGracePeriodSeconds");
        Instant killed = deadline(pod, end);
        if (grace != null) {
            Duration stopDelay = Objects.requireNonNullElse(plan.delays().stop(), pods.stopDelay());
            Instant stopped = killed.minusSeconds(grace).plus(stopDelay);
            end = stopped.isBefore(killed) ? stopped : killed;
        }
        if (pods.now().isBefore(end)) {
            wakeAt(end);
            return;
        }
        pods.api().finishDeletion(pod);
        deletionSent = true;
    }

    private static Instant deadline(JsonObject pod, Instant now) {
        try {
            return Instant.parse(pod.string("metadata", "deletionTimestamp"));
        } catch (DateTimeParseException e) {
            return now;
        }
    }
}
