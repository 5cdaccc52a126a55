package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command {@code record}, which measures benchmarks and writes the baseline. */
@CommandLine.Command(
        name = "record",
        description = "Measures benchmarks and records their costs. Records of other benchmarks stay unchanged.",
        mixinStandardHelpOptions = true)
final class RecordCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Mixin
    private final BaselineOptions options = new BaselineOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Baseline measured = options.measure(spec.commandLine().getOut());
        Map<String, Baseline.Entry> entries = new TreeMap<>();
        if (Files.exists(options.baseline())) {
            Baseline old = Baseline.read(options.baseline());
            if (old.java().equals(measured.java())) {
                entries.putAll(old.entries());
            }
        }
        entries.putAll(measured.entries());
        new Baseline(measured.java(), entries).write(options.baseline());
        return CommandLine.ExitCode.OK;
    }
}
