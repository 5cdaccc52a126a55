/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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

    /** Runs the measurement. The argument is the number of pods. */
    public static void main(String[] arguments) throws IOException {
        JsonCodec codec = JsonCodec.standard();
        byte[] json = PodListGenerator.list(arguments.length == 0 ? 10_000 : Integer.parseInt(arguments[0]));
        // Decode once before the measurement, so the codec's own memory does not count.
        codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(PodListGenerator.list(10)));

        try {
            long before = SettledHeap.bytes();
            KubeList<Pod> list = codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(json));
            try {
                long retained = SettledHeap.bytes() - before;
                int pods = list.items().size();
                System.out.printf(
                        "%d pods of %d B JSON each: %d B retained each, strings shared by the codec included%n",
                        pods, json.length / pods, retained / pods);
            } finally {
                Reference.reachabilityFence(list);
            }
        } finally {
            Reference.reachabilityFence(json);
            Reference.reachabilityFence(codec);
        }
    }
}
