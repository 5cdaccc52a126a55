package io.kubeloop.transport.memory.kubelet;

import io.kubeloop.api.client.KubeClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the scheduler and the kubelets of a cluster that has neither: registers nodes, binds pods to them in turn, gives them
 * addresses, reports them running and ready, and finishes their deletion. Nothing is run. Works on any API server; on one with
 * real nodes it would report for those too, so it is not for such. Thread-safe.
 *
 * <p>Resources, node selectors, affinity and taints are not looked at. A pod can be steered by annotations:
 *
 * <dl>
 *   <dt>{@code sim/hold: "true"}
 *   <dd>is left unscheduled, as is a pod with scheduling gates
 *   <dt>{@code sim/node: NAME}
 *   <dd>is bound to this node
 *   <dt>{@code sim/bind-only: "true"}
 *   <dd>is bound, but nothing is reported
 *   <dt>{@code sim/delay-ms: N}
 *   <dd>nothing is reported for so long
 *   <dt>{@code sim/ready-delay-ms: N}
 *   <dd>runs so long before it is ready
 *   <dt>{@code sim/ready: "false"}
 *   <dd>runs, but is not ready; may be changed at any time
 *   <dt>{@code sim/phase: Failed}
 *   <dd>has this phase instead of Running, and is not ready unless {@code sim/ready} is {@code "true"}; may be changed
 *   <dt>{@code sim/complete-after-ms: N}
 *   <dd>succeeds after so long, as the pod of a job does
 *   <dt>{@code sim/ip: A[,B]}
 *   <dd>has these addresses; {@code none} reports none
 *   <dt>{@code sim/stop-ms: N}
 *   <dd>takes so long to stop, at most its grace period
 *   <dt>{@code sim/hold-delete: "true"}
 *   <dd>is not removed when it terminates
 * </dl>
 */
public final class SimulatedKubelet implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SimulatedKubelet.class);

    private static final AtomicInteger KUBELETS = new AtomicInteger();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** How many pods are worked on at once. */
    private static final int WORKERS = 4;

    /** A century, for those who want a pod never to get so far: the date on which it does can be told. */
    private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

    /**
     * How to simulate.
     *
     * @param nodes how many nodes there are, 1 to 100; they are called {@code node-1} and so on
     * @param podIpPrefix the first two numbers of pod addresses; {@code 10.244} by default
     * @param readyDelay how long a pod runs before it is ready; by default not at all
     * @param stopDelay how long a pod takes to stop, at most its grace period; by default no time
     */
    public record Config(int nodes, String podIpPrefix, Duration readyDelay, Duration stopDelay) {

        /** The defaults: one node, and everything happens at once. */
        public static final Config DEFAULT = new Config(1, "10.244", Duration.ZERO, Duration.ZERO);

        /** Checks the values. */
        public Config {
            if (nodes < 1
                    || nodes > 100
                    || !podIpPrefix.matches("\\d{1,3}\\.\\d{1,3}")
                    || readyDelay.isNegative()
                    || stopDelay.isNegative()) {
                throw new IllegalArgumentException(
                        "nodes must be 1 to 100, podIpPrefix two numbers, and no delay negative;" + " got " + nodes
                                + ", \"" + podIpPrefix + "\", " + readyDelay + ", " + stopDelay);
            }
            readyDelay = atMostLongest(readyDelay);
            stopDelay = atMostLongest(stopDelay);
        }

        private static Duration atMostLongest(Duration delay) {
            return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
        }

        /** Returns these settings with another number of nodes. */
        public Config withNodes(int newNodes) {
            return new Config(newNodes, podIpPrefix, readyDelay, stopDelay);
        }

        /** Returns these settings with another time until pods are ready. */
        public Config withReadyDelay(Duration newReadyDelay) {
            return new Config(nodes, podIpPrefix, newReadyDelay, stopDelay);
        }

        /** Returns these settings with another time until pods have stopped. */
        public Config withStopDelay(Duration newStopDelay) {
            return new Config(nodes, podIpPrefix, readyDelay, newStopDelay);
        }
    }

    private final SimulatedNodes nodes;
    private final PodReflector feed;
    private final Thread feedThread;
    private final ScheduledThreadPoolExecutor executor;

    /** An executor has terminated a moment before its threads have: {@link #close} waits for these. */
    private final Queue<Thread> workers = new ConcurrentLinkedQueue<>();

    private SimulatedKubelet(KubeClient client, Config config, Clock clock) {
        String name = "kubeloop-kubelet-" + KUBELETS.incrementAndGet();
        AtomicInteger count = new AtomicInteger();
        executor = new ScheduledThreadPoolExecutor(WORKERS, task -> {
            Thread worker = daemon(task, name + "-worker-" + count.incrementAndGet());
            workers.add(worker);
            return worker;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        nodes = new SimulatedNodes(config.nodes());
        KubeletApi api = new KubeletApi(client.transport());
        PodSimulations pods = new PodSimulations(api, nodes, config, clock, executor);
        feed = new PodReflector(api, () -> nodes.objects(pods.timestamp()).forEach(api::register), pods);
        feedThread = daemon(feed, name + "-watch");
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Starts one with default settings; see {@link #start(KubeClient, Config)}. */
    public static SimulatedKubelet start(KubeClient client) {
        return start(client, Config.DEFAULT);
    }

    /**
     * Starts to simulate. Returns at once; a server that cannot be reached is tried again until it can.
     *
     * @param client reaches the server; not closed by the kubelet
     */
    public static SimulatedKubelet start(KubeClient client, Config config) {
        return start(client, config, Clock.systemUTC());
    }

    static SimulatedKubelet start(KubeClient client, Config config, Clock clock) {
        SimulatedKubelet kubelet = new SimulatedKubelet(client, config, clock);
        kubelet.feedThread.start();
        return kubelet;
    }

    /** Stops, and waits until its threads are gone. Pods and nodes stay as they are. Safe to call twice. */
    @Override
    public void close() {
        executor.shutdown();
        feed.stop();
        try {
            feedThread.join(CLOSE_TIMEOUT.toMillis());
            if (!executor.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) || feedThread.isAlive()) {
                log.warn("The simulated kubelet is still at work after close: waited={}", CLOSE_TIMEOUT);
                executor.shutdownNow();
                feedThread.interrupt();
                return;
            }
            for (Thread worker : workers) {
                worker.join(CLOSE_TIMEOUT.toMillis());
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            feedThread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns what is simulated, such as {@code 1 node}. */
    @Override
    public String toString() {
        return nodes.toString();
    }
}
