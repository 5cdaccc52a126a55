package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The options of commands that measure for a baseline. */
final class BaselineOptions {

    private static final BenchmarkId YARDSTICK =
            BenchmarkId.of("io.kubeloop.jmh.YardstickBenchmark.readCountAndSort", Map.of());

    @CommandLine.Option(names = "--jar", required = true, paramLabel = "JAR", description = "The build.")
    private @Nullable Path jar;

    @CommandLine.Option(names = "--baseline", required = true, paramLabel = "FILE", description = "The baseline.")
    private @Nullable Path baseline;

    @CommandLine.Option(
            names = "--jmh",
            arity = "1",
            paramLabel = "OPTIONS",
            defaultValue = "-wi 3 -w 500ms -i 3 -r 500ms",
            description = "The length of a run, as options of JMH; default: ${DEFAULT-VALUE}")
    private String jmh = "";

    @CommandLine.Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            defaultValue = ".",
            description = "The benchmarks, as a regular expression that matches a part of their names. Default: all.")
    private String pattern = ".";

    Path baseline() {
        return JudgingOptions.given(baseline);
    }

    /** Runs each benchmark once, and the yardstick before it. */
    Baseline measure(PrintWriter out) throws IOException, InterruptedException {
        BenchmarkJar benchmarks = new BenchmarkJar(JudgingOptions.given(jar));
        Map<String, Baseline.Entry> entries = new TreeMap<>();
        for (BenchmarkId id : benchmarks.list(pattern, jmh)) {
            if (id.equals(YARDSTICK)) {
                continue;
            }
            double yardstick = benchmarks.run(YARDSTICK, jmh).time();
            Cost cost = benchmarks.run(id, jmh);
            Baseline.Entry entry = new Baseline.Entry(cost.bytes(), cost.time() / yardstick);
            entries.put(id.toString(), entry);
            out.printf("%s: %.1f B/op, %.3g yardsticks%n", id, entry.bytes(), entry.yardsticks());
            out.flush();
        }
        return new Baseline(Baseline.thisJava(), entries);
    }
}
