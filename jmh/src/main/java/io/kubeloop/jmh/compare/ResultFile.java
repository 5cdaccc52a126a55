/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import com.squareup.moshi.JsonAdapter;
import com.squareup.moshi.JsonDataException;
import com.squareup.moshi.Moshi;
import com.squareup.moshi.Types;
import io.kubeloop.jmh.meter.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parses result files that JMH writes with {@code -rf json}. */
final class ResultFile {

    private static final String BYTES = "gc.alloc.rate.norm";

    private static final JsonAdapter<List<Result>> ADAPTER =
            new Moshi.Builder().build().adapter(Types.newParameterizedType(List.class, Result.class));

    private ResultFile() {}

    /** The used fields of a result. The class is public, because Moshi cannot instantiate it otherwise. */
    public record Result(
            String benchmark,
            String mode,
            @Nullable Map<String, String> params,
            Metric primaryMetric,
            @Nullable Map<String, Metric> secondaryMetrics) {}

    /** Numbers by fork and iteration. Samples are pairs of a value and its count. */
    public record Metric(
            double score,
            String scoreUnit,
            @Nullable List<List<Double>> rawData,
            @Nullable List<List<List<List<Double>>>> rawDataHistogram) {}

    /**
     * Returns the costs of each benchmark in a file.
     *
     * @throws IOException if the file cannot be read or is not a result file of JMH; the message contains the path
     *     and the reason
     */
    static Map<BenchmarkId, Cost> read(Path file) throws IOException {
        List<Result> results;
        try {
            results = ADAPTER.fromJson(Files.readString(file));
        } catch (JsonDataException e) {
            throw new IOException(
                    "Cannot read results: " + file + " is not what JMH writes with -rf json: " + e.getMessage(), e);
        }
        if (results == null) {
            throw new IOException("Cannot read results: " + file + " has no results");
        }
        Map<BenchmarkId, Cost> costs = new TreeMap<>();
        for (Result result : results) {
            Map<String, String> parameters = result.params() == null ? Map.of() : result.params();
            Metric code = secondary(result, Meter.CODE);
            costs.put(
                    BenchmarkId.of(result.benchmark(), parameters),
                    new Cost(time(result), bytes(result), code == null ? 0 : median(code)));
        }
        return costs;
    }

    /** Returns the CPU time if it was measured. Other programs only add to it, so a low iteration counts. */
    private static double time(Result result) {
        Metric cpu = secondary(result, Meter.CPU);
        if (cpu != null) {
            return seconds("ns") * quantile(cpu, 0.25);
        }
        double score = median(result.primaryMetric());
        String unit = result.primaryMetric().scoreUnit();
        return result.mode().equals("thrpt")
                ? seconds(unit.substring(unit.indexOf('/') + 1)) / score
                : seconds(unit.substring(0, unit.indexOf('/'))) * score;
    }

    private static double seconds(String unit) {
        return switch (unit) {
            case "s" -> 1;
            case "ms" -> 1e-3;
            case "us" -> 1e-6;
            case "ns" -> 1e-9;
            default -> throw new IllegalArgumentException("Cannot read a result: unknown unit of time " + unit);
        };
    }

    private static double bytes(Result result) {
        Metric bytes = secondary(result, BYTES);
        return bytes == null ? Double.NaN : median(bytes);
    }

    private static @Nullable Metric secondary(Result result, String name) {
        return result.secondaryMetrics() == null
                ? null
                : result.secondaryMetrics().get(name);
    }

    /** Returns the median of all iterations. Unlike the mean, a disturbed iteration does not change it much. */
    private static double median(Metric metric) {
        if (metric.rawDataHistogram() != null) {
            return medianOfCounted(metric.rawDataHistogram().stream()
                    .flatMap(List::stream)
                    .flatMap(List::stream)
                    .toList());
        }
        return quantile(metric, 0.5);
    }

    private static double quantile(Metric metric, double part) {
        if (metric.rawData() == null) {
            return metric.score();
        }
        double[] values = metric.rawData().stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return Shift.quantile(values, part);
    }

    private static double medianOfCounted(List<List<Double>> counted) {
        double[][] pairs = counted.stream()
                .map(pair -> new double[] {pair.get(0), pair.get(1)})
                .sorted((one, other) -> Double.compare(one[0], other[0]))
                .toArray(double[][]::new);
        double half = Arrays.stream(pairs).mapToDouble(pair -> pair[1]).sum() / 2;
        double seen = 0;
        for (double[] pair : pairs) {
            seen += pair[1];
            if (seen >= half) {
                return pair[0];
            }
        }
        return Double.NaN;
    }
}
