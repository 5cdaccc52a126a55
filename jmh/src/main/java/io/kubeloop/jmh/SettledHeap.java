/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import java.lang.management.ManagementFactory;

/** Measures the heap that reachable objects take. */
final class SettledHeap {

    private SettledHeap() {}

    /** Returns the used heap after two successive collections that differ by less than a thousandth. */
    static long bytes() {
        long before;
        long used = Long.MAX_VALUE;
        do {
            before = used;
            System.gc();
            used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        } while (Math.abs(before - used) > used / 1_000);
        return used;
    }
}
