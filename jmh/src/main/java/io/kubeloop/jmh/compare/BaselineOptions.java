package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** What is measured for a baseline, and how. */
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
            description = "How long a run is, in JMH's options; default: ${DEFAULT-VALUE}")
    private String jmh = "";

    @CommandLine.Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            defaultValue = ".",
            description = "Which benchmarks; a regular expression that is looked for in their names. Default: all.")
    private String pattern = ".";

    Path baseline() {
        return JudgingOptions.given(baseline);
    }

    /** Runs each benchmark once, next to a yardstick of its own. */
    Baseline measure(PrintWriter out) throws IOException, InterruptedException {
        BenchmarkJar benchmarks = new BenchmarkJar(JudgingOptions.given(jar));
        Map<String, Baseline.Entry> entries = new TreeMap<>();
        for (BenchmarkId id : benchmarks.list(pattern)) {
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
