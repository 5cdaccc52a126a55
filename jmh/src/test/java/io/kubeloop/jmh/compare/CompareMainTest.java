/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareMainTest {

    /** As JMH 1.37 writes it, but for the fields that are of no interest. */
    private static final String RESULT = """
            [{"jmhVersion": "1.37", "benchmark": "io.kubeloop.jmh.StoreBenchmark.get", "mode": "avgt", "forks": 1,
              "params": {"library": "kubeloop", "pods": "10000"},
              "primaryMetric": {"score": 20.0, "scoreError": "NaN", "scoreUnit": "ns/op", "rawData": [[NANOS, NANOS, \
            99.0]]},
              "secondaryMetrics": {
                "gc.alloc.rate": {"score": 1.0, "scoreError": "NaN", "scoreUnit": "MB/sec", "rawData": [[1.0]]},
                "gc.alloc.rate.norm": {"score": BYTES, "scoreUnit": "B/op", "rawData": [[BYTES, BYTES, BYTES]]}}},
             {"benchmark": "io.kubeloop.jmh.PodListDecodeBenchmark.decodeList", "mode": "thrpt",
              "primaryMetric": {"score": 4.0, "scoreUnit": "ops/s", "rawData": [[4.0, 4.0]]}},
             {"benchmark": "io.kubeloop.jmh.InformerWatchBenchmark.single", "mode": "sample",
              "primaryMetric": {"score": 70.0, "scoreUnit": "us/op",
                "rawDataHistogram": [[[[50.0, 3], [60.0, 4], [900.0, 2]]]]}}]
            """;

    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();

    private int run(List<String> arguments) {
        CommandLine commandLine = CompareMain.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments.toArray(String[]::new));
    }

    private Path result(String name, double nanos, double bytes) throws IOException {
        return Files.writeString(
                directory.resolve(name), RESULT.replace("NANOS", "" + nanos).replace("BYTES", "" + bytes));
    }

    @Test
    void readsMediansInSecondsWhateverTheMode() throws IOException {
        Map<BenchmarkId, Cost> costs = ResultFile.read(result("one", 20, 24));
        assertThat(costs)
                .containsEntry(
                        BenchmarkId.of(
                                "io.kubeloop.jmh.StoreBenchmark.get", Map.of("library", "kubeloop", "pods", "10000")),
                        new Cost(20 * 1e-9, 24, 0))
                .containsEntry(
                        BenchmarkId.of("io.kubeloop.jmh.PodListDecodeBenchmark.decodeList", Map.of()),
                        new Cost(0.25, Double.NaN, 0))
                .containsEntry(
                        BenchmarkId.of("io.kubeloop.jmh.InformerWatchBenchmark.single", Map.of()),
                        new Cost(60 * 1e-6, Double.NaN, 0));
    }

    /** The elapsed time counts the waits for other programs, too; the CPU time of a good iteration does not. */
    @Test
    void lowerQuartileOfTheCpuTime_andInstructions_areRead_ifMeasured() throws IOException {
        Path file = Files.writeString(directory.resolve("metered"), """
                [{"benchmark": "A.b", "mode": "avgt",
                  "primaryMetric": {"score": 90.0, "scoreUnit": "us/op", "rawData": [[90.0]]},
                  "secondaryMetrics": {
                    "meter.cpu": {"score": 20.0, "scoreUnit": "ns/op", "rawData": [[30.0, 12.0, 10.0, 11.0, 500.0]]},
                    "meter.code": {"score": 7.0, "scoreUnit": "#/op", "rawData": [[7.0, 7.0, 9.0]]}}}]
                """);

        assertThat(ResultFile.read(file)).containsValue(new Cost(11 * 1e-9, Double.NaN, 7));
    }

    private static String compared(double nanosAfter, double bytesAfter, int pairs) {
        List<Cost> before =
                IntStream.range(0, pairs).mapToObj(i -> new Cost(20 + i, 0, 0)).toList();
        List<Cost> after = IntStream.range(0, pairs)
                .mapToObj(i -> new Cost(nanosAfter + i, bytesAfter, 0))
                .toList();
        return Report.line(Comparison.of(BenchmarkId.of("A.b", Map.of("pods", "9")), before, after, 0.05, 0.95));
    }

    @Test
    void line_timesAndBytes_haveVerdicts() {
        assertThat(compared(20, 0, 6))
                .isEqualTo("| A.b pods=9 | 6 | 1.000 (1.000 to 1.000) | same | 0 → 0 | same | not counted |  | same |");
        assertThat(compared(30, 0, 6)).contains("| worse | 0 → 0 | same | not counted |  | worse |");
        assertThat(compared(20, 24, 6)).contains("| same | 0 → 24 | worse | not counted |  | worse |");
        assertThat(compared(40, 0, 1)).contains("2.000 (too few pairs) | unclear");
    }

    @Test
    void aFileOfSomethingElseIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("other.json"), "{\"a\": 1}");
        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other.json is not what JMH writes with -rf json");
    }

    @Test
    void tooFewRoundsAreWrongUsage() {
        assertThat(run(List.of("duel", "--before=a", "--after=b", "--rounds=5")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--rounds=5 allows no verdict with a confidence of 0.95; it takes 6");
    }

    @Test
    void aJarThatIsMissingIsAFailure() {
        assertThat(run(List.of("duel", "--before=none.jar", "--after=none.jar")))
                .isEqualTo(1);
        assertThat(err.toString()).contains("Cannot find the benchmarks: there is no file none.jar");
    }
}
