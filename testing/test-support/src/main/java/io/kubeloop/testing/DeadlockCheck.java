/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves deadlocked threads. JUnit registers it for every test of a module that has this library on
 * its class path.
 */
public final class DeadlockCheck implements AfterEachCallback {

    /** Created by JUnit. */
    public DeadlockCheck() {}

    @Override
    public void afterEach(ExtensionContext context) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] deadlocked = threads.findDeadlockedThreads();
        if (deadlocked == null) {
            return;
        }
        StringBuilder text = new StringBuilder("threads wait for each other:\n");
        for (ThreadInfo thread : threads.getThreadInfo(deadlocked, true, true)) {
            text.append(thread);
        }
        throw new AssertionError(text.toString());
    }
}
