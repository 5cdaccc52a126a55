/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.api.WithMethods;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.WorkCounter;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates the scheduler and the kubelets of a cluster: it registers nodes, binds pods to them in turn, assigns
 * addresses, reports pods as running and ready, and completes their deletion. No container runs. It works with any
 * API server. On a cluster with a scheduler or with real nodes it needs {@link Config#nodePrefix}; otherwise it would
 * bind and report their pods, too. Thread-safe.
 *
 * <p>The methods of a running kubelet do not block, except {@link #close}. Node resources, node selectors, taints and
 * affinity are ignored, except a required node by its name, as daemon pods have it. Annotations control a pod:
 *
 * <dl>
 * <dt>{@code sim/hold: "true"}
 * <dd>the pod stays unscheduled, like a pod with scheduling gates
 * <dt>{@code sim/node: NAME}
 * <dd>the pod is bound to this node
 * <dt>{@code sim/bind-only: "true"}
 * <dd>the pod is bound, and no status is reported
 * <dt>{@code sim/delay-ms: N}
 * <dd>the first status is reported after this time
 * <dt>{@code sim/ready-delay-ms: N}
 * <dd>the pod runs for this time before it is ready
 * <dt>{@code sim/ready: "false"}
 * <dd>the pod runs but is not ready; the annotation may change at any time
 * <dt>{@code sim/phase: Failed}
 * <dd>the pod has this phase instead of Running, and is not ready unless {@code sim/ready} is {@code "true"}; the
 * annotation may change
 * <dt>{@code sim/complete-after-ms: N}
 * <dd>the containers exit after this time. The pods of Jobs and helm's hooks do so by default: after the time of a
 * command {@code sleep N}, or else after {@link Config#jobDelay}. The value {@code never} keeps them running
 * <dt>{@code sim/exit-code: N}
 * <dd>the containers exit with this code; the default is that of {@code exit N} or {@code false}, or else 0. The pod
 * then fails, or its containers restart after a growing wait if its restart policy is {@code OnFailure}
 * <dt>{@code sim/ip: A[,B]}
 * <dd>the pod has these addresses; {@code none} reports no address
 * <dt>{@code sim/stop-ms: N}
 * <dd>the pod takes this time to stop, at most its grace period
 * <dt>{@code sim/hold-delete: "true"}
 * <dd>the pod is not removed when it terminates
 * </dl>
 */
public final class SimulatedKubelet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedKubelet.class);

    private static final AtomicInteger KUBELETS = new AtomicInteger();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** The number of pods that are processed at the same time. */
    private static final int WORKERS = 4;

    /** A century: long enough to mean "never", and its end is still a valid date. */
    private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

    /**
     * The configuration of the simulation.
     *
     * @param nodes the number of nodes, 1 to 100
     * @param podIpPrefix the first two numbers of pod addresses; default {@code 10.244}
     * @param readyDelay the time that a pod runs before it is ready; not negative, default zero
     * @param stopDelay the time that a pod takes to stop, limited by its grace period; not negative, default zero
     * @param heartbeat the time between two renewals of the nodes' leases, by which the node lifecycle controller
     *     learns that they live; real kubelets renew every {@link #HEARTBEAT}. Zero, the default, renews none
     * @param jobDelay the time that the containers of a pod run which is expected to complete: a pod of a Job, or a
     *     hook of helm, with the restart policy Never or OnFailure. Not negative, default 1 s
     * @param nodePrefix empty, the default, if the kubelet simulates all nodes, {@code node-1} and so on, and the
     *     scheduler. Otherwise what the names of its nodes begin with: a scheduler binds pods, and only pods on
     *     these nodes are simulated, so the cluster can have real nodes, too
     */
    @WithMethods
    public record Config(
            int nodes,
            String podIpPrefix,
            Duration readyDelay,
            Duration stopDelay,
            Duration heartbeat,
            Duration jobDelay,
            String nodePrefix)
            implements SimulatedKubeletConfigBuilder.With {

        /** The period of real kubelets: 10 s. */
        public static final Duration HEARTBEAT = Duration.ofSeconds(10);

        /** The defaults: one node, and no delays. */
        public static final Config DEFAULT =
                new Config(1, "10.244", Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), "");

        /** Checks the values. */
        public Config {
            if (nodes < 1
                    || nodes > 100
                    || !podIpPrefix.matches("\\d{1,3}\\.\\d{1,3}")
                    || readyDelay.isNegative()
                    || stopDelay.isNegative()
                    || heartbeat.isNegative()
                    || jobDelay.isNegative()) {
                throw new IllegalArgumentException(
                        "nodes must be 1 to 100, podIpPrefix must be two numbers, delays must not be negative; got "
                                + nodes + ", \"" + podIpPrefix + "\", " + readyDelay + ", " + stopDelay + ", "
                                + heartbeat + ", " + jobDelay);
            }
            readyDelay = atMostLongest(readyDelay);
            stopDelay = atMostLongest(stopDelay);
            jobDelay = atMostLongest(jobDelay);
        }

        private static Duration atMostLongest(Duration delay) {
            return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
        }
    }

    // The reflector's thread lists and watches pods, and hands each event to the simulation of its pod. The workers of
    // the executor process the simulations; PodSimulation states how the two share a pod. Any thread may call close().

    private final SimulatedNodes nodes;
    private final PodReflector reflector;
    private final Thread reflectorThread;
    private final ExecutorService executor;

    /** The timers of this kubelet alone, which {@link #close} ends; null if the caller brings a scheduler. */
    private final @Nullable Scheduler ownScheduler;

    /** An executor terminates slightly before its threads end, so {@link #close} also waits for these. */
    private final Queue<Thread> workers = new ConcurrentLinkedQueue<>();

    private SimulatedKubelet(KubeClient client, Config config, @Nullable Scheduler given) {
        String name = "kubeloop-kubelet-" + KUBELETS.incrementAndGet();
        AtomicInteger count = new AtomicInteger();
        executor = Executors.newFixedThreadPool(WORKERS, task -> {
            Thread worker = daemon(task, name + "-worker-" + count.incrementAndGet());
            workers.add(worker);
            return worker;
        });
        Scheduler scheduler = given == null ? Scheduler.system(task -> daemon(task, name + "-timer")) : given;
        ownScheduler = given == null ? scheduler : null;
        WorkCounter counter = scheduler.counter("kubelet");
        nodes = new SimulatedNodes(config.nodes(), config.nodePrefix());
        KubeletApi api = new KubeletApi(client.transport());
        PodSimulations pods = new PodSimulations(api, nodes, config, scheduler, counter, executor);
        reflector = new PodReflector(api, () -> nodes.objects(pods.timestamp()).forEach(api::register), pods, counter);
        reflectorThread = daemon(reflector, name + "-watch");
        if (!config.heartbeat().isZero()) {
            pods.schedule(() -> beat(api, pods, config.heartbeat()), config.heartbeat());
        }
        if (counter != null) {
            counter.begin(); // the reflector's thread counts this as ended when it waits for events
        }
        reflectorThread.start();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Starts a kubelet with the default configuration; see {@link #start(KubeClient, Config)}. */
    public static SimulatedKubelet start(KubeClient client) {
        return start(client, Config.DEFAULT);
    }

    /**
     * Starts a kubelet. Returns at once; the kubelet retries until the server is reachable.
     *
     * @param client the client for the server; {@link #close} does not close it
     */
    public static SimulatedKubelet start(KubeClient client, Config config) {
        return new SimulatedKubelet(client, config, null);
    }

    /**
     * Starts a kubelet with a time of the caller; see {@link #start(KubeClient, Config)}.
     *
     * @param scheduler the clock and the timers; they must outlive the kubelet
     */
    public static SimulatedKubelet start(KubeClient client, Config config, Scheduler scheduler) {
        return new SimulatedKubelet(client, config, Objects.requireNonNull(scheduler, "scheduler"));
    }

    /**
     * Stops the kubelet; safe to call twice. Pods and nodes stay as they are. Blocks until its threads have ended:
     * it waits up to 5 s for the watch, then up to 5 s for running requests. Then it interrupts the remaining
     * threads, logs a warning and returns. An interrupt of the caller interrupts them at once, and the interrupt flag
     * stays set.
     */
    @Override
    public void close() {
        executor.shutdown();
        if (ownScheduler != null) {
            ownScheduler.close();
        }
        reflector.stop();
        try {
            reflectorThread.join(CLOSE_TIMEOUT.toMillis());
            if (!executor.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    || reflectorThread.isAlive()) {
                LOG.warn(
                        "The simulated kubelet did not stop in time; interrupting its threads: waited={}",
                        CLOSE_TIMEOUT);
                executor.shutdownNow();
                reflectorThread.interrupt();
                return;
            }
            for (Thread worker : workers) {
                worker.join(CLOSE_TIMEOUT.toMillis());
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            reflectorThread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Renews the leases of all nodes on a worker, and waits for the next turn. A node that was declared lost meanwhile
     * reports itself and its pods again, as a kubelet does whose server is back.
     */
    private void beat(KubeletApi api, PodSimulations pods, Duration period) {
        pods.execute(() -> {
            try {
                for (JsonObject node : nodes.objects(pods.timestamp())) {
                    String name = node.string("metadata", "name");
                    api.renewLease(name, pods.now());
                    if (api.reportIfLost(node)) {
                        pods.reportAgain(name);
                    }
                }
            } catch (RuntimeException e) {
                LOG.warn(
                        "Cannot renew the leases of the simulated nodes; trying again in {}: {}",
                        period,
                        e.getMessage());
            }
            pods.schedule(() -> beat(api, pods, period), period);
        });
    }

    /** Returns a short description of the simulated nodes, such as {@code 1 node}. */
    @Override
    public String toString() {
        return nodes.toString();
    }
}
