package io.kubeloop.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Programs that run out of memory, in a JVM of their own with a small heap. */
public final class FullHeap {

    private static final int CHUNK = 1 << 14;
    private static final int MOST_CHUNKS = 1 << 14;

    private FullHeap() {}

    /**
     * Runs a program in a heap of 24 MiB, and returns what it printed.
     *
     * @throws AssertionError if it does not end within 50 seconds
     */
    public static String run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        return OwnJvm.run(List.of("-Xmx24m", "-XX:+UseSerialGC"), program, arguments);
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
