/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Measures the processor time of the calling thread, on which other load of the machine has little effect. */
public final class CpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuTime() {}

    /** Runs the action, and returns the nanoseconds that the calling thread computed meanwhile. */
    public static long nanos(Runnable action) {
        long before = THREADS.getCurrentThreadCpuTime();
        action.run();
        return THREADS.getCurrentThreadCpuTime() - before;
    }
}
