/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import io.kubeloop.jmh.meter.Meter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The benchmarks of one build. Each run is a separate process. */
final class BenchmarkJar {

    private static final Pattern PARAMETER = Pattern.compile("\\s+param \"(.+)\" = \\{(.*)\\}");

    /** Counted operations take ten times as long, and their number does not matter. */
    private static final String COUNTED = "-wi 1 -w 200ms -i 3 -r 200ms";

    private final Path jar;
    private final @Nullable Path meter;

    /**
     * Creates an instance for a jar that runs JMH.
     *
     * @param meter the classes of the package {@code meter} as an agent; null if elapsed time is enough
     * @throws IOException if the first file does not exist
     */
    BenchmarkJar(Path jar, @Nullable Path meter) throws IOException {
        if (!Files.isReadable(jar)) {
            throw new IOException("Cannot find the benchmarks: there is no file " + jar);
        }
        this.jar = jar;
        this.meter = meter;
    }

    /**
     * Returns the benchmarks whose names match the pattern in a part, with each combination of their parameters.
     *
     * @param options options of JMH, as on its command line, without quotes; those for parameters choose their values
     */
    SortedSet<BenchmarkId> list(String pattern, String options) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-lp", pattern));
        arguments.addAll(words(options));
        return parse(run(arguments));
    }

    /** Parses JMH's output for {@code -lp}. */
    static SortedSet<BenchmarkId> parse(List<String> lines) {
        SortedSet<BenchmarkId> found = new TreeSet<>();
        String name = null;
        List<Map<String, String>> combinations = List.of();
        for (String line : lines) {
            Matcher parameter = PARAMETER.matcher(line);
            if (parameter.matches()) {
                combinations = combined(
                        combinations, parameter.group(1), parameter.group(2).split(", "));
            } else if (!line.isBlank() && !line.contains(":")) {
                add(found, name, combinations);
                name = line.strip();
                combinations = List.of(Map.of());
            }
        }
        add(found, name, combinations);
        return found;
    }

    private static List<Map<String, String>> combined(List<Map<String, String>> so, String name, String[] values) {
        List<Map<String, String>> more = new ArrayList<>();
        for (Map<String, String> combination : so) {
            for (String value : values) {
                Map<String, String> extended = new TreeMap<>(combination);
                extended.put(name, value);
                more.add(extended);
            }
        }
        return more;
    }

    private static void add(
            SortedSet<BenchmarkId> found, @Nullable String name, List<Map<String, String>> combinations) {
        if (name != null) {
            for (Map<String, String> combination : combinations) {
                found.add(BenchmarkId.of(name, combination));
            }
        }
    }

    /**
     * Runs a benchmark in one fork.
     *
     * @param options options of JMH, as on its command line, without quotes
     * @throws IOException if the run fails; the message contains the last lines of its output
     */
    Cost run(BenchmarkId id, String options) throws IOException, InterruptedException {
        return run(id, words(options));
    }

    /**
     * Counts the instructions that an operation executes, in one fork. Returns 0 without a meter.
     *
     * @param options as for {@link #run}; pairs of a name and a value; those for the length of the run are ignored
     */
    double code(BenchmarkId id, String options) throws IOException, InterruptedException {
        if (meter == null) {
            return 0;
        }
        List<String> counted = new ArrayList<>(words(COUNTED));
        List<String> given = words(options);
        for (int i = 0; i + 1 < given.size(); i += 2) {
            if (!counted.contains(given.get(i))) { // JMH refuses an option that occurs twice
                counted.addAll(given.subList(i, i + 2));
            }
        }
        counted.addAll(List.of("-jvmArgsAppend", "-javaagent:" + meter));
        return run(id, counted).code();
    }

    private Cost run(BenchmarkId id, List<String> options) throws IOException, InterruptedException {
        Path results = Files.createTempFile("kubeloop-jmh", ".json");
        try {
            List<String> arguments = new ArrayList<>(List.of("^" + Pattern.quote(id.name()) + "$"));
            id.parameters().forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
            arguments.addAll(
                    List.of("-f", "1", "-prof", "gc", "-foe", "true", "-rf", "json", "-rff", results.toString()));
            if (meter != null) {
                arguments.addAll(List.of("-prof", Meter.class.getName()));
            }
            arguments.addAll(options);
            List<String> output = run(arguments);
            Cost cost =
                    Files.size(results) == 0 ? null : ResultFile.read(results).get(id);
            if (cost == null) {
                throw new IOException(id + " of " + jar + " has no result; its last lines:\n" + tail(output));
            }
            return cost;
        } finally {
            Files.delete(results);
        }
    }

    private static List<String> words(String options) {
        return List.of(options.strip().split("\\s+"));
    }

    private List<String> run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                // Another JMH may run on the machine, as any other program may.
                new ArrayList<>(
                        List.of(ProcessHandle.current().info().command().orElse("java"), "-Djmh.ignoreLock=true"));
        command.addAll(
                meter == null
                        ? List.of("-jar", jar.toString())
                        : List.of("-cp", jar + File.pathSeparator + meter, "org.openjdk.jmh.Main"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> output;
        try (var reader = process.inputReader()) {
            output = reader.lines().toList();
        } finally {
            process.destroy();
        }
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code + ":\n" + tail(output));
        }
        return output;
    }

    private static String tail(List<String> lines) {
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }
}
