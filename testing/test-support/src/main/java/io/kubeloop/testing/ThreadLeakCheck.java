/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves a new thread of this project. Use it with {@code @ExtendWith} in tests that close all they
 * open. It waits up to 10 seconds for threads that are still ending. It detects platform threads only.
 */
public final class ThreadLeakCheck implements BeforeEachCallback, AfterEachCallback {

    private static final long PATIENCE_MILLIS = 10_000;

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ThreadLeakCheck.class);

    /** Created by JUnit. */
    public ThreadLeakCheck() {}

    /** Returns the live threads whose names begin with {@code kubeloop-}. */
    public static Set<Thread> ours() {
        return Arrays.stream(alive())
                .filter(thread -> thread != null && thread.getName().startsWith("kubeloop-"))
                .collect(Collectors.toSet());
    }

    private static Thread[] alive() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] threads = new Thread[group.activeCount() * 2 + 16];
        group.enumerate(threads);
        return threads;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put("before", ours());
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        Set<?> before = context.getStore(NAMESPACE).get("before", Set.class);
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        for (Thread thread : ours()) {
            if (!before.contains(thread)) {
                thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                if (thread.isAlive()) {
                    throw new AssertionError(
                            "left behind: " + thread + ", at " + Arrays.toString(thread.getStackTrace()));
                }
            }
        }
    }
}
