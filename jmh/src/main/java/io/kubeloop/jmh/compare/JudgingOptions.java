package io.kubeloop.jmh.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The options that decide which changes count, and the output of the results. */
final class JudgingOptions {

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

    double tolerance() {
        return tolerance;
    }

    double confidence() {
        return confidence;
    }

    /** Returns the value of a required option. */
    static <T> T given(@Nullable T option) {
        return Objects.requireNonNull(option);
    }

    /** Prints the table and a summary line, and returns the exit code. */
    int tell(PrintWriter out, List<Comparison> comparisons) {
        out.println();
        out.print(Report.of(comparisons));
        long worse = comparisons.stream().filter(Comparison::isWorse).count();
        long unclear = comparisons.stream()
                .filter(comparison -> comparison.timeVerdict() == Verdict.UNCLEAR)
                .count();
        out.printf("%n%d compared, %d worse, %d unclear%n", comparisons.size(), worse, unclear);
        out.flush();
        return worse > 0 ? CompareMain.WORSE : CommandLine.ExitCode.OK;
    }
}
