package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command {@code files}, which compares result files of JMH. */
@CommandLine.Command(
        name = "files",
        description =
                "Compares files that JMH wrote with -rf json, in pairs that were measured one after the other. The exit code "
                        + "is 3 if a benchmark got worse.",
        mixinStandardHelpOptions = true)
final class FilesCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = "--before",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files of the old build, in the order of measurement.")
    private List<Path> before = List.of();

    @CommandLine.Option(
            names = "--after",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files of the new build, one for each file of the old build, in the same order.")
    private List<Path> after = List.of();

    @CommandLine.Mixin
    private final JudgingOptions judging = new JudgingOptions();

    @Override
    public Integer call() throws IOException {
        if (before.size() != after.size()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--before has " + before.size() + " files and --after " + after.size()
                            + "; both need the same number");
        }
        List<Map<BenchmarkId, Cost>> old = ResultFile.readAll(before);
        List<Map<BenchmarkId, Cost>> now = ResultFile.readAll(after);
        Set<BenchmarkId> ids = new TreeSet<>(old.get(0).keySet());
        old.forEach(costs -> ids.retainAll(costs.keySet()));
        now.forEach(costs -> ids.retainAll(costs.keySet()));
        if (ids.isEmpty()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "no benchmark is in every file");
        }
        List<Comparison> comparisons = ids.stream()
                .map(id -> Comparison.of(id, costs(old, id), costs(now, id), judging.tolerance(), judging.confidence()))
                .toList();
        return judging.tell(spec.commandLine().getOut(), comparisons);
    }

    private static List<Cost> costs(List<Map<BenchmarkId, Cost>> runs, BenchmarkId id) {
        return runs.stream().map(run -> JudgingOptions.given(run.get(id))).toList();
    }
}
