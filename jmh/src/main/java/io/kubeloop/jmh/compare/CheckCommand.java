package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** The command {@code check}, which measures benchmarks and compares them with the baseline. */
@CommandLine.Command(
        name = "check",
        description =
                "Measures benchmarks, and compares them with the baseline. The exit code is 3 if one allocates more. Times that "
                        + "differ much are printed, but do not change the exit code: the machine may be a different one.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Mixin
    private final BaselineOptions options = new BaselineOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Baseline recorded = Baseline.read(options.baseline());
        if (!recorded.java().equals(Baseline.thisJava())) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    options.baseline() + " was recorded on JDK " + recorded.java() + ", and this is JDK "
                            + Baseline.thisJava() + ", which allocates differently");
        }
        PrintWriter out = spec.commandLine().getOut();
        List<BaselineCheck> checks = options.measure(out).entries().entrySet().stream()
                .map(entry ->
                        new BaselineCheck(entry.getKey(), recorded.entries().get(entry.getKey()), entry.getValue()))
                .toList();
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
}
