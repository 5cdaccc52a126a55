/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;

/** Lists the locks that a thread holds, for tests of the rule that user code runs without locks. */
public final class HeldLocks {

    private HeldLocks() {}

    /**
     * Returns the locks of {@code java.util.concurrent} and the monitors that the current thread holds. Stops all
     * threads.
     */
    public static List<String> ofCurrentThread() {
        long[] id = {Thread.currentThread().getId()};
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(id, true, true)[0];
        List<String> held = new ArrayList<>();
        if (info != null) {
            for (LockInfo lock : info.getLockedSynchronizers()) {
                held.add(lock.toString());
            }
            for (MonitorInfo monitor : info.getLockedMonitors()) {
                held.add(monitor + " at " + monitor.getLockedStackFrame());
            }
        }
        return held;
    }
}
