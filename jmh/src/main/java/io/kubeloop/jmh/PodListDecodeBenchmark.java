/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the speed of decoding a pod list, and one watch event, on one thread.
 *
 * <p>Parameter: the number of pods of about 5.8 KB in the list. The row {@code megabytes} is the throughput in MB
 * (10<sup>6</sup> bytes of JSON) per second. {@link RetainedPods} measures the memory of the decoded pods.
 *
 * <pre>
 * java -Xmx4g -jar jmh/target/benchmarks.jar PodListDecodeBenchmark -prof gc
 * </pre>
 */
@State(Scope.Benchmark)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xmx4g", "-Xms4g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class PodListDecodeBenchmark {

    /** The number of pods in the list. */
    @Param({"1000", "10000"})
    public int pods;

    private final JsonCodec codec = JsonCodec.standard();
    private byte[] list;
    private byte[] event;

    /** Creates the JSON bytes. */
    @Setup
    public void setUp() {
        list = PodListGenerator.list(pods);
        String pod = PodListGenerator.pod(1);
        event = ("{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\"," + pod.substring(1) + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Counts the bytes read. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Throughput {

        private double bytes;

        /** Resets the count before each iteration. */
        @Setup(Level.Iteration)
        public void reset() {
            bytes = 0;
        }

        /** Returns the megabytes read. */
        public double megabytes() {
            return bytes / 1e6;
        }
    }

    /** Decodes the list. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public KubeList<Pod> decodeList(Throughput throughput) {
        throughput.bytes += list.length;
        return codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(list));
    }

    /** Decodes one watch event. The size of the list has no influence. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public Object decodeEvent() {
        return codec.decodeEvent(ResourceTypes.PODS, event);
    }
}
