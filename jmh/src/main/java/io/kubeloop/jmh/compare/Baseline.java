/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recorded costs of benchmarks, in a file of the repository. Allocated bytes are equal on every machine with the same
 * JDK release. Times are multiples of the yardstick, and only a hint.
 *
 * @param java the feature release of the JDK
 * @param entries the costs by the text of {@link BenchmarkId}
 */
record Baseline(String java, Map<String, Entry> entries) {

    private static final String HEAD = "# B/op, time in yardsticks, benchmark; JDK ";

    /**
     * The cost of one benchmark.
     *
     * @param bytes the bytes that an operation allocates
     * @param yardsticks the time of an operation, divided by that of {@code YardstickBenchmark}
     */
    record Entry(double bytes, double yardsticks) {}

    Baseline {
        entries = new TreeMap<>(entries);
    }

    /**
     * Reads a baseline.
     *
     * @throws IOException if the file or a line of it cannot be read; the message contains the line
     */
    static Baseline read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.get(0).startsWith(HEAD)) {
            throw new IOException("Cannot read the baseline " + file + ": its first line is not \"" + HEAD + "...\"");
        }
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split("\t", 3);
            try {
                entries.put(columns[2], new Entry(Double.parseDouble(columns[0]), Double.parseDouble(columns[1])));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IOException(
                        "Cannot read the baseline " + file + ": a line is not two numbers and a name: " + line, e);
            }
        }
        return new Baseline(lines.get(0).substring(HEAD.length()), entries);
    }

    /** Writes the baseline. */
    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(HEAD + java);
        entries.forEach((name, entry) ->
                lines.add(String.format(Locale.ROOT, "%.1f\t%.3g\t%s", entry.bytes(), entry.yardsticks(), name)));
        Files.write(file, lines);
    }

    /** Returns the feature release of the running JDK. */
    static String thisJava() {
        return Integer.toString(Runtime.version().feature());
    }
}
