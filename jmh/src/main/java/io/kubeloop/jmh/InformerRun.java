/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.jmh.canned.CannedApiServer;
import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.PodInformer;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures a whole informer in a JVM of its own, which JMH does not: the first list in a cold JVM, the memory that the
 * cache retains, the same list when the JVM is warm, changes per second, the bytes that a change allocates, and the
 * time from the server's write to the handler at 1,000 changes per second.
 *
 * <p>{@code jmh/table.sh} runs it once for each library, and {@code e2e/memory.sh} for the pods of a cluster. The
 * server runs in the same process and only copies bytes; its bytes are made before anything is measured. Prints one
 * line of names and values, separated by tabs.
 *
 * <pre>
 * java -Xmx4g -cp jmh/target/benchmarks.jar io.kubeloop.jmh.InformerRun kubeloop 10000
 * </pre>
 */
public final class InformerRun {

    private static final int WARM_LISTS = 12;
    private static final int BURSTS = 8;
    private static final int BURST = 5_000;
    private static final int PACED = 4_000;
    private static final long PACE_NANOS = 1_000_000;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final String library;
    private final int pods;
    private final String url;
    private final Watches watches;
    private final Semaphore updated = new Semaphore(0);
    private final StringBuilder line = new StringBuilder();

    /** Returns the next watch that a client opens. */
    private interface Watches {
        CannedApiServer.EventSource await() throws InterruptedException;
    }

    private InformerRun(String library, int pods, CannedApiServer server) {
        this(library, pods, server.url(), server::awaitWatch);
    }

    private InformerRun(String library, int pods, String url, Watches watches) {
        this.library = library;
        this.pods = pods;
        this.url = url;
        this.watches = watches;
        line.append(library).append("\tpods\t").append(pods);
    }

    /**
     * Runs the measurement. Arguments: the library, and the number of pods, or a file with the JSON of a list of pods,
     * as {@code kubectl get --raw /api/v1/pods} prints it. Nothing changes the pods of a file, so the events are not
     * measured then. A third argument is the URL of a {@link CannedApiServer} of another process; delays are not
     * measured then, but CPU time is.
     */
    public static void main(String[] arguments) throws Exception {
        String library = arguments[0];
        InformerRun run;
        if (arguments[1].matches("[0-9]+")) {
            int pods = Integer.parseInt(arguments[1]);
            boolean isRemote = arguments.length > 2;
            run = isRemote
                    ? new InformerRun(library, pods, arguments[2], () -> events -> send(arguments[2], events))
                    : new InformerRun(library, pods, new CannedApiServer(pods));
            run.lists();
            Started watching = run.start();
            run.bursts(watching.watch);
            if (!isRemote) {
                run.delays(watching.watch);
            }
            watching.informer.close();
        } else {
            byte[] recorded = Files.readAllBytes(Path.of(arguments[1]));
            int pods = JsonObject.parse(recorded).array("items").size();
            run = new InformerRun(library, pods, new CannedApiServer(recorded));
            run.add("JSON B/pod", (double) recorded.length / pods);
            run.lists();
        }
        System.out.println(run.line);
        System.exit(0); // a library may leave threads behind
    }

    private void lists() throws Exception {
        Started cold = start();
        add("cold ms", cold.nanos / 1e6);
        cold.informer.close();

        // The second informer: what the first one loaded and cached for the whole JVM does not count.
        long before = SettledHeap.bytes();
        Started cached = start();
        add("retained B/pod", (double) (SettledHeap.bytes() - before) / pods);
        cached.informer.close();

        double[] lists = new double[WARM_LISTS];
        double[] cpu = new double[WARM_LISTS];
        for (int i = 0; i < WARM_LISTS; i++) {
            long cpuStart = PROCESS.getProcessCpuTime();
            Started warm = start();
            lists[i] = warm.nanos / 1e6;
            cpu[i] = (PROCESS.getProcessCpuTime() - cpuStart) / 1e6;
            warm.informer.close();
        }
        add("warm ms", median(Arrays.copyOfRange(lists, WARM_LISTS / 2, WARM_LISTS)));
        add("warm CPU ms", median(Arrays.copyOfRange(cpu, WARM_LISTS / 2, WARM_LISTS)));
    }

    /** Makes the server of another process send events. */
    static void send(String url, int events) {
        try (InputStream answer = new URL(url + "/send/" + events).openStream()) {
            answer.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot request events from " + url, e);
        }
    }

    private void bursts(CannedApiServer.EventSource watch) throws InterruptedException {
        double[] cpu = new double[BURSTS];
        double[] rates = new double[BURSTS];
        double[] bytes = new double[BURSTS];
        for (int i = 0; i < BURSTS; i++) {
            long allocated = allocated();
            long start = System.nanoTime();
            long cpuStart = PROCESS.getProcessCpuTime();
            watch.send(BURST);
            updated.acquire(BURST);
            rates[i] = BURST / ((System.nanoTime() - start) / 1e9);
            bytes[i] = (double) (allocated() - allocated) / BURST;
            cpu[i] = (PROCESS.getProcessCpuTime() - cpuStart) / 1e3 / BURST;
        }
        add("events/s", median(Arrays.copyOfRange(rates, BURSTS / 2, BURSTS)));
        add("B/event", median(Arrays.copyOfRange(bytes, BURSTS / 2, BURSTS)));
        add("CPU us/event", median(Arrays.copyOfRange(cpu, BURSTS / 2, BURSTS)));
    }

    private void delays(CannedApiServer.EventSource watch) throws InterruptedException {
        double[] micros = new double[PACED];
        long due = System.nanoTime();
        for (int i = 0; i < PACED; i++) {
            due += PACE_NANOS;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            long start = System.nanoTime();
            watch.send(1);
            updated.acquire();
            micros[i] = (System.nanoTime() - start) / 1e3;
        }
        Arrays.sort(micros);
        add("p50 us", micros[PACED / 2]);
        add("p99 us", micros[PACED * 99 / 100]);
    }

    /** A started informer, whose handler has all pods; its watch, and the time until the handler had them. */
    private record Started(PodInformer informer, CannedApiServer.EventSource watch, long nanos) {}

    private Started start() throws InterruptedException {
        CountDownLatch added = new CountDownLatch(pods);
        long start = System.nanoTime();
        PodInformer informer = Contender.named(library).informer(url, PodInformer.Listener.counting(added, updated));
        informer.start();
        added.await();
        long nanos = System.nanoTime() - start;
        return new Started(informer, watches.await(), nanos);
    }

    /** Returns the bytes that all threads that live have allocated. */
    static long allocated() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private void add(String name, double value) {
        line.append('\t')
                .append(name)
                .append('\t')
                .append(String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value));
    }
}
