/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs in a separate JVM, for tests that exhaust a resource of the JVM or set global state. */
public final class OwnJvm {

    private static final int SECONDS = 50;

    private OwnJvm() {}

    /**
     * Runs a program with these JVM options, and returns its output. Blocks until it ends.
     *
     * @throws AssertionError if it does not end within 50 seconds
     */
    public static String run(List<String> options, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    /**
     * Returns the number of classes that a program loads from its class path or makes at run time. Those of the JDK
     * do not count, because they differ between its releases. Blocks until the program ends.
     *
     * @throws AssertionError if it does not end within 50 seconds
     */
    public static long loadedClasses(Class<?> program, String... arguments) throws IOException, InterruptedException {
        Path log = Files.createTempFile("own-jvm", ".classes");
        try {
            run(List.of("-Xlog:class+load:file=" + log), program, arguments);
            try (Stream<String> lines = Files.lines(log)) {
                return lines.filter(line -> line.contains(" source: "))
                        .filter(line -> !line.contains(" source: shared objects file"))
                        .filter(line -> !line.contains(" source: jrt:/"))
                        .count();
            }
        } finally {
            Files.delete(log);
        }
    }

    /**
     * Compiles and runs a Java source file with the class path of the test, and returns its output. Blocks until it
     * ends.
     *
     * @throws AssertionError if it does not end within 50 seconds
     */
    public static String runSource(Path source) throws IOException, InterruptedException {
        return run(List.of("-cp", System.getProperty("java.class.path"), source.toString()));
    }

    private static String run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        // A file takes any amount of output; a pipe that no thread reads stops the program when it is full.
        Path output = Files.createTempFile("own-jvm", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(output);
            if (!ended) {
                throw new AssertionError("%s did not end within %d s; it printed: %s"
                        .formatted(String.join(" ", command), SECONDS, printed));
            }
            return printed;
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(output);
        }
    }
}
