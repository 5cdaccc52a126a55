/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The command {@code check}, which measures benchmarks and compares them with the baseline, or records them there. */
@CommandLine.Command(
        name = "check",
        description =
                "Measures benchmarks, and compares them with the baseline. The exit code is 3 if one allocates more. "
                        + "Times that differ much are printed, but do not change the exit code: the machine may be a "
                        + "different one.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    private static final BenchmarkId YARDSTICK =
            BenchmarkId.of("io.kubeloop.jmh.YardstickBenchmark.readCountAndSort", Map.of());

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--jar", required = true, paramLabel = "JAR", description = "The build.")
    private @Nullable Path jar;

    @CommandLine.Option(names = "--baseline", required = true, paramLabel = "FILE", description = "The baseline.")
    private @Nullable Path baseline;

    @CommandLine.Option(
            names = "--record",
            description = "Writes the results into the baseline. Records of other benchmarks stay unchanged.")
    private boolean isRecording;

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

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path file = Objects.requireNonNull(baseline);
        if (isRecording && !Files.exists(file)) {
            new Baseline(Baseline.thisJava(), Map.of()).write(file);
        }
        Baseline recorded = Baseline.read(file);
        boolean isOfThisJava = recorded.java().equals(Baseline.thisJava());
        if (isRecording) {
            Map<String, Baseline.Entry> entries = new TreeMap<>(isOfThisJava ? recorded.entries() : Map.of());
            entries.putAll(measure());
            new Baseline(Baseline.thisJava(), entries).write(file);
            return CommandLine.ExitCode.OK;
        }
        if (!isOfThisJava) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    file + " was recorded on JDK " + recorded.java() + ", and this is JDK " + Baseline.thisJava()
                            + ", which allocates differently");
        }
        return compare(recorded, measure());
    }

    private int compare(Baseline recorded, Map<String, Baseline.Entry> measured) {
        List<BaselineCheck> checks = measured.entrySet().stream()
                .map(entry ->
                        new BaselineCheck(entry.getKey(), recorded.entries().get(entry.getKey()), entry.getValue()))
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        checks.stream()
                .map(BaselineCheck::message)
                .filter(message -> message != null)
                .forEach(out::println);
        long more = checks.stream().filter(BaselineCheck::allocatesMore).count();
        out.printf("%d checked, %d allocate more%n", checks.size(), more);
        out.flush();
        return more > 0 ? CompareMain.WORSE : CommandLine.ExitCode.OK;
    }

    /** Runs each benchmark once, and the yardstick before it. */
    private Map<String, Baseline.Entry> measure() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        BenchmarkJar benchmarks = new BenchmarkJar(Objects.requireNonNull(jar), null);
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
        return entries;
    }
}
