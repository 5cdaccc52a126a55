package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PeersCommandTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(List<Path> results, String... more) {
        List<String> arguments = new ArrayList<>(List.of("peers"));
        results.forEach(file -> arguments.add("--results=" + file));
        arguments.addAll(List.of(more));
        CommandLine commandLine = CompareMain.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments.toArray(String[]::new));
    }

    private Path file(String name, String... results) throws IOException {
        return Files.writeString(directory.resolve(name), "[" + String.join(",", results) + "]");
    }

    private static String update(String library, double nanos, double bytes) {
        return """
                {"benchmark": "io.kubeloop.jmh.StoreBenchmark.update", "mode": "avgt",
                 "params": {"library": "%s", "pods": "10000"},
                 "primaryMetric": {"score": %2$s, "scoreUnit": "ns/op", "rawData": [[%2$s]]},
                 "secondaryMetrics": {"gc.alloc.rate.norm": {"score": %3$s, "scoreUnit": "B/op", "rawData": [[%3$s]]}}}
                """.formatted(library, nanos, bytes);
    }

    private static String sync(String library, double millis) {
        return """
                {"benchmark": "io.kubeloop.jmh.InformerSyncBenchmark.sync", "mode": "ss", "params": {"library": "%s"},
                 "primaryMetric": {"score": %2$s, "scoreUnit": "ms/op", "rawData": [[%2$s]]}}
                """.formatted(library, millis);
    }

    @Test
    void ratiosAreThoseOfARoundAndTheirMedianIsTold() throws IOException {
        // The machine gets slower and slower: medians of times would give 300/200.
        assertThat(run(List.of(
                        file("1.json", update("kubeloop", 100, 40), update("client-java", 200, 100)),
                        file("2.json", update("kubeloop", 200, 40), update("client-java", 300, 120)),
                        file("3.json", update("client-java", 2000, 100), update("kubeloop", 500, 40)))))
                .isZero();
        assertThat(out).hasToString("""
                        | benchmark | library | rounds | time, theirs/ours | ours | B/op, theirs/ours | ours |
                        | --- | --- | --- | --- | --- | --- | --- |
                        | StoreBenchmark.update pods=10000 | client-java | 3 | 2.00 (1.50 to 4.00) | 200.0 ns | 2.50 (2.50 to 3.00) | 40 |
                        """);
    }

    @Test
    void whatIsDividedByNothingIsToldAsItIs() throws IOException {
        run(List.of(file("1.json", update("kubeloop", 100, 0.001), update("a", 50, 24), update("b", 100, 0.002))));
        assertThat(out.toString())
                .contains("| a | 1 | 0.50 (0.50 to 0.50) | 100.0 ns | 24 B | 0 |")
                .contains("| b | 1 | 1.00 (1.00 to 1.00) | 100.0 ns | 0 B | 0 |");
    }

    @Test
    void whatWasNotMeasuredIsNoNumber() throws IOException {
        run(List.of(file("1.json", sync("kubeloop", 80), sync("fabric8", 200))));
        assertThat(out.toString())
                .contains("| InformerSyncBenchmark.sync | fabric8 | 1 | 2.50 (2.50 to 2.50) | 80.0 ms | not measured |"
                        + " not measured |");
    }

    @Test
    void whoHasNoResultIsNamed() throws IOException {
        assertThat(run(
                        List.of(
                                file("1.json", update("kubeloop", 1, 8), update("client-java", 2, 8)),
                                file("2.json", sync("client-java", 2), sync("fabric8", 2)),
                                file("3.json", update("kubeloop", 1, 8))),
                        "--expected=client-java,fabric8,other"))
                .isZero();
        assertThat(out.toString()).contains("| client-java | 1 |").endsWith("""

                        kubeloop has no result for InformerSyncBenchmark.sync.
                        other has no result for InformerSyncBenchmark.sync.
                        fabric8 has no result for StoreBenchmark.update pods=10000.
                        other has no result for StoreBenchmark.update pods=10000.
                        """);
    }

    @Test
    void nobodyElseIsWrongUsage() throws IOException {
        assertThat(run(List.of(file("1.json", update("kubeloop", 1, 8))))).isEqualTo(2);
        assertThat(err.toString()).contains("no benchmark was measured with kubeloop and another library");
    }
}
