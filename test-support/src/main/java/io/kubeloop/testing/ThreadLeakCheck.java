package io.kubeloop.testing;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test after which one of our threads is alive that was not there before it (I12). Use it with
 * {@code @ExtendWith} where everything that is opened is closed. What a closed part has let go of already may take a moment
 * to end: it is waited for. Sees platform threads only.
 */
public final class ThreadLeakCheck implements BeforeEachCallback, AfterEachCallback {

    private static final long PATIENCE_MILLIS = 10_000;

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ThreadLeakCheck.class);

    /** Made by JUnit. */
    public ThreadLeakCheck() {}

    /** Returns the threads of ours that are alive: their names begin with {@code kubeloop-}. */
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
