/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the speed of the machine with code of the JDK only. It does the kinds of work that informers do: it
 * decodes strings, counts them in maps and sorts them. The baseline records times as multiples of this one, so
 * times of two machines are roughly comparable.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar YardstickBenchmark
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class YardstickBenchmark {

    private final byte[][] keys = Arrays.stream(Keys.distinct(10_000))
            .map(key -> key.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);

    /** Decodes 10,000 keys, counts them in a map, and sorts them. */
    @Benchmark
    public String[] readCountAndSort() {
        Map<String, Integer> counts = new HashMap<>();
        for (byte[] key : keys) {
            counts.merge(new String(key, StandardCharsets.UTF_8), 1, Integer::sum);
        }
        String[] sorted = counts.keySet().toArray(new String[0]);
        Arrays.sort(sorted);
        return sorted;
    }
}
