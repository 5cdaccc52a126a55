package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code files}: compares what JMH wrote. */
@CommandLine.Command(
        name = "files",
        description =
                "Compares files that JMH wrote with -rf json, in pairs that were measured one after the other. Ends with 3 if "
                        + "something got worse.",
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
            description = "Of the old build, in the order of measuring.")
    private List<Path> before = List.of();

    @CommandLine.Option(
            names = "--after",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "Of the new build: the neighbours of those, as many of them.")
    private List<Path> after = List.of();

    @CommandLine.Mixin
    private final JudgingOptions judging = new JudgingOptions();

    @Override
    public Integer call() throws IOException {
        if (before.size() != after.size()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--before has " + before.size() + " files and --after " + after.size() + "; they go in pairs");
        }
        List<Map<BenchmarkId, Cost>> old = ResultFile.readAll(before);
        List<Map<BenchmarkId, Cost>> now = ResultFile.readAll(after);
        Set<BenchmarkId> ids = new TreeSet<>(old.get(0).keySet());
        old.forEach(costs -> ids.retainAll(costs.keySet()));
        now.forEach(costs -> ids.retainAll(costs.keySet()));
        if (ids.isEmpty()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "no benchmark is in all of the files");
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
