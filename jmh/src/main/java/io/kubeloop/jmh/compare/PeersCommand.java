package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command {@code peers}, which prints the costs of other libraries relative to this one. */
@CommandLine.Command(
        name = "peers",
        description =
                "Reads files that JMH wrote with -rf json, with several values of the parameter library, and prints the ratios to this "
                        + "library: the median of the rounds, with the smallest and the largest. It gives no verdict.",
        mixinStandardHelpOptions = true)
final class PeersCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = "--results",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "The result files, one or more per round. Ratios are between results of the same file.")
    private List<Path> results = List.of();

    @CommandLine.Option(
            names = "--expected",
            split = ",",
            paramLabel = "LIBRARY",
            description = "The expected libraries. The output lists those without a result after the table.")
    private List<String> expected = List.of();

    @Override
    public Integer call() throws IOException {
        PeerResults peers = new PeerResults(ResultFile.readAll(results));
        List<PeerComparison> comparisons = peers.comparisons();
        if (comparisons.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "no benchmark was measured with " + PeerResults.OURS + " and another library");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(PeerReport.of(comparisons));
        List<String> missing = peers.missing(expected);
        if (!missing.isEmpty()) {
            out.println();
            missing.forEach(sentence -> out.println(sentence + "."));
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
