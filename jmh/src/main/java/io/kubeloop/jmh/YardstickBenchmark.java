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
 * How fast is this machine? Work of the JDK's alone, of the kinds that informers have: strings out of bytes, maps of them, sorting.
 * Times that are recorded are told as multiples of it, so that those of two machines have something in common.
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

    /** Reads 10,000 keys, counts them in a map, and sorts them. */
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
