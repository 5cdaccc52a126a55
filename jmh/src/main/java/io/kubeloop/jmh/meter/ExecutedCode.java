/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.meter;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The number of executed instructions of bytecode. {@link CodeAgent} inserts the calls of {@link #add}.
 *
 * <p>Thread-safe. {@link #sum} is exact if the counted threads are idle.
 */
public final class ExecutedCode {

    private static final Queue<long[]> ALL = new ConcurrentLinkedQueue<>();

    private static final ThreadLocal<long[]> OF_THREAD = ThreadLocal.withInitial(() -> {
        long[] count = new long[1];
        ALL.add(count);
        return count;
    });

    private ExecutedCode() {}

    /** Adds the instructions of a block that the calling thread is about to execute. */
    public static void add(int instructions) {
        OF_THREAD.get()[0] += instructions;
    }

    /** Returns the number for all threads since the start; 0 without the agent. */
    static long sum() {
        return ALL.stream().mapToLong(count -> count[0]).sum();
    }
}
