/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import io.kubeloop.api.client.Transport;
import io.kubeloop.cache.Registration;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controller.SingleLoopController;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the resources of the server: a loop that reads them every {@link #PERIOD}, and sooner when something shows
 * that they have changed (upstream: {@code GarbageCollector.Sync}, {@code resourcequota.Controller.Sync}).
 *
 * <p>A part of a controller, which starts and stops it. Thread-safe; {@link #awaitTermination} and {@link #close}
 * block.
 */
public final class ServedApi implements SingleLoopController {

    /** The time between two reads: 30 s. */
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private static final String EVERYTHING = "resources";
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);

    /**
     * Delay after a definition changes: the server needs this time to serve the resource, and several changes cause one
     * read.
     */
    private static final Duration SOON = Duration.ofMillis(100);

    /** Shortest time between two reads because of a kind that is not served. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(ServedApi.class);

    private final ResourceMonitors monitors;
    private final RateLimitingQueue<String> queue;
    private final InitialSync initialSync;
    private final ControllerLoop<String> loop;

    /** Used by the worker only. */
    private final DiscoveryReader reader;

    /** Written by the worker only. */
    private volatile ApiCatalog catalog = ApiCatalog.EMPTY;

    /**
     * Creates a loop that has no resources yet and is not started.
     *
     * @param controller the name of the controller
     * @param queue the name of the loop's queue
     * @param transport sends the discovery requests
     * @param monitors receive the resources of each read; the caller closes them
     * @param afterRead runs on the loop's thread after each read; must not block
     * @param afterFailure runs on the loop's thread after each read that failed; must not block
     */
    public ServedApi(
            String controller,
            String queue,
            ControllerContext context,
            Transport transport,
            ResourceMonitors monitors,
            Runnable afterRead,
            Runnable afterFailure) {
        reader = new DiscoveryReader(transport);
        this.monitors = monitors;
        this.queue =
                WorkQueues.rateLimiting(context.queues().apply(queue), RateLimiters.exponential(FIRST_RETRY, PERIOD));
        initialSync = new InitialSync(monitors);
        loop = new ControllerLoop<>(
                controller + "-resources",
                this.queue,
                everything -> {
                    try {
                        refresh();
                    } catch (RuntimeException e) {
                        afterFailure.run();
                        throw e;
                    }
                    initialSync.monitorsStarted();
                    afterRead.run();
                },
                List.of(),
                context.threads());
    }

    /** Starts one worker, whatever the number, with the first read. */
    @Override
    public void start(int workers) {
        loop.start(1);
        queue.add(EVERYTHING);
    }

    @Override
    public ControllerLoop<?> loop() {
        return loop;
    }

    /**
     * Returns a registration with which other loops of the controller wait for the first list of every resource. After
     * 30 s they begin with the resources that have been read by then.
     */
    public Registration initialSync() {
        return initialSync;
    }

    /** Reads the resources soon, because a definition has changed. Does not block. */
    public void refreshSoon() {
        queue.addAfter(EVERYTHING, SOON);
    }

    private void refresh() {
        ApiCatalog read = reader.read();
        if (!read.failures().isEmpty()) {
            LOG.info("Discovery failed for some groups; their resources stay as they were: {}", read.failureText());
        }
        if (read.resources().isEmpty()) {
            throw new IllegalStateException("the server's discovery documents contain no resources");
        }
        ApiCatalog now = read.withFailedOf(catalog);
        catalog = now;
        monitors.update(now);
        queue.addAfter(EVERYTHING, PERIOD);
    }

    /**
     * Returns the resource of a kind; null if it is not served as far as is known. The resources are then read again.
     */
    public ApiCatalog.@Nullable Entry ofKind(String apiVersion, String kind) {
        ApiCatalog.Entry entry = catalog.ofKind(apiVersion, kind);
        if (entry == null) {
            queue.addAfter(EVERYTHING, PATIENCE);
        }
        return entry;
    }
}
