/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/**
 * Measures the bytes that the calling thread allocates. They depend on the code and the JDK, and not on the machine.
 */
public final class Allocations {

    private static final int ROUNDS = 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    /**
     * Calls the action often, and returns the fewest bytes per call of ten rounds, without the first calls, in which
     * tables grow and classes are loaded.
     *
     * @param calls the calls of a round, at least 1,000
     * @param action what is measured; its result is dropped
     */
    public static double perCall(int calls, Callable<?> action) throws Exception {
        double fewest = Double.MAX_VALUE;
        for (int round = 0; round <= ROUNDS; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
                action.call();
            }
            double bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
            if (round > 0) {
                fewest = Math.min(fewest, bytes / calls);
            }
        }
        return fewest;
    }
}
