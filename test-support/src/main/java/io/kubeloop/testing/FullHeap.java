package io.kubeloop.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that run out of memory, in a JVM of their own with a small heap. */
public final class FullHeap {

    private static final int CHUNK = 1 << 14;
    private static final int MOST_CHUNKS = 1 << 14;
    private static final int SECONDS = 50;

    private FullHeap() {}

    /**
     * Runs a program in a heap of 24 MiB, and returns what it printed.
     *
     * @throws AssertionError if it does not end within 50 seconds
     */
    public static String run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx24m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(String.join(" ", command) + " did not end within " + SECONDS + " s");
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Fills the heap but for so many pieces of 16 KiB; who lets go of what is returned has it back. */
    public static List<byte[]> fill(int free) {
        List<byte[]> ballast = new ArrayList<>(MOST_CHUNKS);
        try {
            while (ballast.size() < MOST_CHUNKS) {
                ballast.add(new byte[CHUNK]);
            }
        } catch (OutOfMemoryError e) {
            ballast.subList(ballast.size() - free, ballast.size()).clear();
        }
        return ballast;
    }
}
