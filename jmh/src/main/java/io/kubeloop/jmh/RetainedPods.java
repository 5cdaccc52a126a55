package io.kubeloop.jmh;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;

/**
 * Measures the memory that a decoded pod retains.
 *
 * <p>Parameter: the number of pods of about 5.8 KB. The program decodes them, collects garbage until the heap's size
 * is stable, and prints the growth of the heap.
 *
 * <pre>
 * java -Xmx4g -cp jmh/target/benchmarks.jar io.kubeloop.jmh.RetainedPods 10000
 * </pre>
 */
public final class RetainedPods {

    private RetainedPods() {}

    /** Runs the measurement. */
    public static void main(String[] arguments) {
        int pods = arguments.length == 0 ? 10_000 : Integer.parseInt(arguments[0]);
        JsonCodec codec = JsonCodec.standard();
        byte[] json = PodListGenerator.list(pods);
        // Decode once before the measurement, so that the codec's own memory does not count.
        codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(PodListGenerator.list(10)));

        try {
            long before = settledHeap();
            KubeList<Pod> list = codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(json));
            try {
                long retained = settledHeap() - before;
                System.out.printf(
                        "%d pods of %d B JSON each: %d B retained each, strings shared by the codec included%n",
                        list.items().size(), json.length / pods, retained / pods);
            } finally {
                Reference.reachabilityFence(list);
            }
        } finally {
            Reference.reachabilityFence(json);
            Reference.reachabilityFence(codec);
        }
    }

    /** Returns the used heap after two successive collections that differ by less than a thousandth. */
    private static long settledHeap() {
        long before;
        long used = Long.MAX_VALUE;
        do {
            before = used;
            System.gc();
            used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        } while (Math.abs(before - used) > used / 1_000);
        return used;
    }
}
