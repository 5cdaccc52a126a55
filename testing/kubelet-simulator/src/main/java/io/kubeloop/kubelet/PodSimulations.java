/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.WorkCounter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** All simulated pods and the state that they share. */
final class PodSimulations implements PodReflector.Listener {

    /*
     * The map pods is confined to the reflector's thread, which forwards events to the simulations. All other
     * fields are immutable or thread-safe themselves.
     */
    private final Map<String, PodSimulation> pods = new HashMap<>();
    private final KubeletApi api;
    private final SimulatedNodes nodes;
    private final IpPool ips;
    private final Duration readyDelay;
    private final Duration stopDelay;
    private final Duration jobDelay;
    private final Scheduler scheduler;
    private final @Nullable WorkCounter counter;
    private final ExecutorService executor;

    PodSimulations(
            KubeletApi api,
            SimulatedNodes nodes,
            SimulatedKubelet.Config config,
            Scheduler scheduler,
            @Nullable WorkCounter counter,
            ExecutorService executor) {
        this.api = api;
        this.nodes = nodes;
        this.ips = new IpPool(config.podIpPrefix());
        this.readyDelay = config.readyDelay();
        this.stopDelay = config.stopDelay();
        this.jobDelay = config.jobDelay();
        this.scheduler = scheduler;
        this.counter = counter;
        this.executor = executor;
    }

    @Override
    public void onList(List<JsonObject> list) {
        Set<String> present = new HashSet<>();
        // All addresses in use are marked before a new one is allocated.
        for (JsonObject pod : list) {
            present.add(uid(pod));
            pods.computeIfAbsent(uid(pod), uid -> new PodSimulation(this, pod));
        }
        list.forEach(this::onChange);
        for (String uid : Set.copyOf(pods.keySet())) {
            if (!present.contains(uid)) {
                remove(uid);
            }
        }
    }

    @Override
    public void onChange(JsonObject pod) {
        pods.computeIfAbsent(uid(pod), uid -> new PodSimulation(this, pod)).changed(pod);
    }

    @Override
    public void onDelete(JsonObject pod) {
        remove(uid(pod));
    }

    /** Reports the pods of a node, whatever was reported before. */
    void reportAgain(String node) {
        pods.values().forEach(pod -> pod.reportAgain(node));
    }

    private void remove(String uid) {
        PodSimulation pod = pods.remove(uid);
        if (pod != null) {
            pod.deleted();
        }
    }

    private static String uid(JsonObject pod) {
        return pod.string("metadata", "uid");
    }

    void execute(Runnable work) {
        if (counter != null) {
            counter.begin();
        }
        try {
            executor.execute(() -> {
                try {
                    work.run();
                } finally {
                    end();
                }
            });
        } catch (RejectedExecutionException e) {
            end();
            if (isOpen()) {
                throw e;
            }
        }
    }

    private void end() {
        if (counter != null) {
            counter.end();
        }
    }

    /** Runs work once after a delay. The work is short: it hands over to {@link #execute}. */
    void schedule(Runnable work, Duration delay) {
        scheduler.schedule(delay, work);
    }

    /** Returns whether work is still accepted; false once the kubelet closes. */
    boolean isOpen() {
        return !executor.isShutdown();
    }

    KubeletApi api() {
        return api;
    }

    SimulatedNodes nodes() {
        return nodes;
    }

    IpPool ips() {
        return ips;
    }

    Duration readyDelay() {
        return readyDelay;
    }

    Duration stopDelay() {
        return stopDelay;
    }

    Duration jobDelay() {
        return jobDelay;
    }

    Instant now() {
        return scheduler.now();
    }

    /** Returns the current time in the form of the API. */
    String timestamp() {
        return now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
