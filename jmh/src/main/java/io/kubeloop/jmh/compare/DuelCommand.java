/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The command {@code duel}, which runs the benchmarks of two builds in turns and compares them. */
@CommandLine.Command(
        name = "duel",
        description =
                "Runs benchmarks of two builds in turns, and prints which have changed. The exit code is 3 if one got "
                        + "worse.",
        mixinStandardHelpOptions = true)
final class DuelCommand implements Callable<Integer> {

    /** The benchmarks of the path of each event and each key; a run takes seconds. */
    static final String HOT_PATH = "WorkQueueBenchmark.addGetDone$|DeltaFifoBenchmark.addAllThenPopAll"
            + "|StoreBenchmark.(get|update)$|SharedInformerBenchmark.change|PodListDecodeBenchmark"
            + "|InformerWatchBenchmark.burst|InformerSyncBenchmark";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(names = "--before", required = true, paramLabel = "JAR", description = "The old build.")
    private @Nullable Path before;

    @CommandLine.Option(names = "--after", required = true, paramLabel = "JAR", description = "The new build.")
    private @Nullable Path after;

    @CommandLine.Option(
            names = "--meter",
            paramLabel = "JAR",
            description =
                    "The classes of the package meter, as an agent. With it, times are CPU times of threads, and where "
                            + "they are unclear, the executed instructions decide.")
    private @Nullable Path meter;

    @CommandLine.Option(
            names = "--rounds",
            defaultValue = "8",
            description = "Pairs of runs per measurement; default ${DEFAULT-VALUE}. Smaller changes need more pairs.")
    private int rounds;

    @CommandLine.Option(
            names = "--bounded",
            description = "Leaves an unclear verdict as it is. Default: as many pairs again decide it.")
    private boolean isBounded;

    @CommandLine.Option(
            names = "--tolerance",
            defaultValue = "0.05",
            description = "The tolerated relative change of a time; default ${DEFAULT-VALUE}.")
    private double tolerance;

    @CommandLine.Option(
            names = "--confidence",
            defaultValue = "0.95",
            description = "The confidence of a verdict, between 0 and 1; default ${DEFAULT-VALUE}.")
    private double confidence;

    @CommandLine.Option(
            names = "--jmh",
            arity = "1",
            paramLabel = "OPTIONS",
            defaultValue = "-wi 3 -w 1s -i 5 -r 500ms",
            description = "The length of a run, as options of JMH; default: ${DEFAULT-VALUE}")
    private String jmh = "";

    @CommandLine.Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            defaultValue = HOT_PATH,
            description =
                    "The benchmarks, as a regular expression that matches a part of their names. Default: the hot "
                            + "path.")
    private String pattern = HOT_PATH;

    @Override
    public Integer call() throws Exception {
        int least = Shift.leastPairs(confidence);
        if (rounds < least) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--rounds=" + rounds + " allows no verdict with a confidence of " + confidence + "; it takes "
                            + least);
        }
        BenchmarkJar old = new BenchmarkJar(Objects.requireNonNull(before), meter);
        BenchmarkJar now = new BenchmarkJar(Objects.requireNonNull(after), meter);
        SortedSet<BenchmarkId> ids = now.list(pattern, jmh);
        SortedSet<BenchmarkId> known = old.list(pattern, jmh);
        PrintWriter out = spec.commandLine().getOut();
        ids.stream().filter(id -> !known.contains(id)).forEach(id -> out.println(id + " is new, and not compared"));
        ids.retainAll(known);
        if (ids.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "the two builds have no common benchmark whose name matches " + pattern);
        }
        Duel duel = new Duel(
                new Build(old, jmh),
                new Build(now, jmh),
                new Duel.Settings(rounds, !isBounded, tolerance, confidence),
                line -> {
                    out.println(line);
                    out.flush();
                });
        List<Comparison> comparisons = new ArrayList<>();
        for (BenchmarkId id : ids) {
            comparisons.add(duel.fight(id));
        }
        out.println();
        out.print(Report.of(comparisons));
        long worse = count(comparisons, Verdict.WORSE);
        long unclear = count(comparisons, Verdict.UNCLEAR);
        out.printf("%n%d compared, %d worse, %d unclear%n", comparisons.size(), worse, unclear);
        out.flush();
        return worse > 0 ? CompareMain.WORSE : CommandLine.ExitCode.OK;
    }

    private static long count(List<Comparison> comparisons, Verdict verdict) {
        return comparisons.stream()
                .filter(comparison -> comparison.verdict() == verdict)
                .count();
    }

    private record Build(BenchmarkJar jar, String jmh) implements Duel.Side {

        @Override
        public Cost run(BenchmarkId id) throws IOException, InterruptedException {
            return jar.run(id, jmh);
        }

        @Override
        public double code(BenchmarkId id) throws IOException, InterruptedException {
            return jar.code(id, jmh);
        }
    }
}
