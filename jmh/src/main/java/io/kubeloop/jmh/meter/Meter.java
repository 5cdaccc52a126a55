/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.meter;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A profiler of JMH that measures the CPU time of all threads with Java code, and the instructions that they execute.
 * CPU time does not grow while the machine runs something else. The compiler and the garbage collector are not counted.
 * JMH calls it on one thread, between the iterations.
 */
public final class Meter implements InternalProfiler {

    /** The name of the result for nanoseconds of CPU per operation. */
    public static final String CPU = "meter.cpu";

    /** The name of the result for instructions per operation; 0 without {@link CodeAgent}. */
    public static final String CODE = "meter.code";

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Map<Long, Long> cpu = Map.of();
    private long code;

    /** Creates an instance; JMH calls it. */
    public Meter() {}

    @Override
    public String getDescription() {
        return "CPU time of Java threads, and executed bytecode";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        cpu = cpu();
        code = ExecutedCode.sum();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(
                new ScalarResult(CPU, cpuSince(cpu) / operations, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(CODE, (ExecutedCode.sum() - code) / operations, "#/op", AggregationPolicy.AVG));
    }

    private static Map<Long, Long> cpu() {
        long[] threads = THREADS.getAllThreadIds();
        long[] nanos = THREADS.getThreadCpuTime(threads);
        Map<Long, Long> times = new HashMap<>();
        for (int i = 0; i < threads.length; i++) {
            times.put(threads[i], Math.max(0, nanos[i])); // -1 if the thread has ended meanwhile
        }
        return times;
    }

    /** Returns the CPU time of the threads that live, since that time. */
    private static long cpuSince(Map<Long, Long> before) {
        return cpu().entrySet().stream()
                .mapToLong(time -> Math.max(0, time.getValue() - before.getOrDefault(time.getKey(), 0L)))
                .sum();
    }
}
