/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.jmh.contender.KubeloopInformer;
import io.kubeloop.jmh.contender.PodInformer;
import io.kubeloop.json.JsonCodec;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * Measures how the cost of informers grows with the pods and with the informers: the time and the CPU until all
 * handlers have all pods, the heap, the bytes that an event allocates, and the longest pause of the garbage collector.
 *
 * <p>{@code jmh/growth.sh} runs it in a JVM for each size. Arguments: the number of pods, that of informers, and the
 * URL of a {@link io.kubeloop.jmh.canned.CannedApiServer} of another process. Each informer has a client of its own.
 * The events reach one of them. Prints one line of names and values, separated by tabs.
 */
public final class GrowthRun {

    private static final int BURSTS = 6;
    private static final int BURST = 5_000;

    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final AtomicLong longestPause = new AtomicLong();

    private GrowthRun() {}

    /** Runs the measurement. */
    public static void main(String[] arguments) throws Exception {
        new GrowthRun().run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), arguments[2]);
        System.exit(0);
    }

    private void run(int pods, int count, String url) throws Exception {
        recordPauses();
        long heap = SettledHeap.bytes();
        long start = System.nanoTime();
        long cpu = PROCESS.getProcessCpuTime();
        CountDownLatch added = new CountDownLatch(pods * count);
        Semaphore updated = new Semaphore(0);
        List<PodInformer> informers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PodInformer informer = new KubeloopInformer(
                    url, JsonCodec.standard(), ResourceTypes.PODS, PodInformer.Listener.counting(added, updated));
            informer.start();
            informers.add(informer);
        }
        added.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (PROCESS.getProcessCpuTime() - cpu) / 1e9;
        long listPause = longestPause.getAndSet(0);
        double heapMegabytes = (SettledHeap.bytes() - heap) / 1e6;
        longestPause.set(0);

        double bytesPerEvent = 0;
        double cpuPerEvent = 0;
        for (int i = 0; i < BURSTS; i++) { // the last one counts, after the others have warmed up the JVM
            long allocated = InformerRun.allocated();
            long before = PROCESS.getProcessCpuTime();
            InformerRun.send(url, BURST);
            updated.acquire(BURST);
            bytesPerEvent = (double) (InformerRun.allocated() - allocated) / BURST;
            cpuPerEvent = (PROCESS.getProcessCpuTime() - before) / 1e3 / BURST;
        }
        System.out.printf(
                Locale.ROOT,
                "pods\t%d\tinformers\t%d\tlist s\t%.3f\tlist CPU s\t%.3f\theap MB\t%.1f\tB/event\t%.0f\tCPU "
                        + "us/event\t%.1f\tlongest pause of the list ms\t%d\tlongest pause of events ms\t%d%n",
                pods,
                count,
                seconds,
                cpuSeconds,
                heapMegabytes,
                bytesPerEvent,
                cpuPerEvent,
                listPause,
                longestPause.get());
        informers.forEach(PodInformer::close);
    }

    /** Concurrent phases are not pauses; their collectors are named by the JVM. */
    private void recordPauses() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector.getName().endsWith("Cycles") || collector.getName().contains("Concurrent")) {
                continue;
            }
            ((NotificationEmitter) collector)
                    .addNotificationListener(
                            (notification, handback) -> {
                                var info = GarbageCollectionNotificationInfo.from(
                                        (CompositeData) notification.getUserData());
                                if (!info.getGcCause().equals("System.gc()")) {
                                    longestPause.accumulateAndGet(
                                            info.getGcInfo().getDuration(), Math::max);
                                }
                            },
                            notification -> notification
                                    .getType()
                                    .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
                            null);
        }
    }
}
