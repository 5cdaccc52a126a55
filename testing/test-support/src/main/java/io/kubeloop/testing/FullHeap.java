/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs programs that run out of memory, in a separate JVM with a small heap. */
public final class FullHeap {

    private static final int CHUNK = 1 << 14;
    private static final int MOST_CHUNKS = 1 << 14;

    private FullHeap() {}

    /**
     * Runs a program in a heap of 24 MiB, and returns its output. Blocks until it ends.
     *
     * @throws AssertionError if it does not end within 50 seconds
     */
    public static String run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        return OwnJvm.run(List.of("-Xmx24m", "-XX:+UseSerialGC"), program, arguments);
    }

    /**
     * Fills the heap, except for this number of blocks of 16 KiB. The memory stays in use until the returned list is
     * unreachable.
     */
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
