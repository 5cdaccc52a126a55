/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.cache.Registration;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of the workers for the first list of every resource, for at most {@link #PATIENCE}: a resource that cannot
 * be read must not stop the work on the others. Thread-safe; {@link #awaitSync} blocks.
 */
final class InitialSync implements Registration {

    /** The longest wait: 30 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(InitialSync.class);

    private final ResourceMonitors monitors;
    private final CountDownLatch started = new CountDownLatch(1);

    /** Creates the wait for the monitors, which are not started yet. */
    InitialSync(ResourceMonitors monitors) {
        this.monitors = monitors;
    }

    /** Reports that the resources are known and their monitors started. */
    void monitorsStarted() {
        started.countDown();
    }

    @Override
    public boolean hasSynced() {
        return monitors.hasSynced();
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean known = started.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        if (!known || !monitors.awaitSync(Duration.ofNanos(deadline - System.nanoTime()))) {
            LOG.warn(
                    "Not all resources could be read within {} s; starting without {}",
                    PATIENCE.toSeconds(),
                    known ? monitors.unsynced() : "any");
        }
    }

    @Override
    public int pending() {
        return hasSynced() ? 0 : 1;
    }

    @Override
    public void close() {
        started.countDown();
    }

    @Override
    public boolean closeAndAwait(Duration timeout) {
        close();
        return true;
    }
}
