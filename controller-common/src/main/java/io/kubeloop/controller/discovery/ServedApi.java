package io.kubeloop.controller.discovery;

import io.kubeloop.api.client.Transport;
import io.kubeloop.workqueue.DelayingQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the resources of the server: reads them every {@link #PERIOD}, and when the controller adds {@link #EVERYTHING} to
 * the queue (upstream: {@code GarbageCollector.Sync}, {@code resourcequota.Controller.Sync}).
 *
 * <p>The queue must have one worker, which calls {@link #refresh}. Thread-safe; {@code refresh} blocks.
 */
public final class ServedApi {

    /** The only item of the queue. */
    public static final String EVERYTHING = "resources";

    /** The time between two reads: 30 s. */
    public static final Duration PERIOD = Duration.ofSeconds(30);

    /** Time that the server needs to serve what was defined; it also combines the changes of one definition. */
    public static final Duration SOON = Duration.ofMillis(100);

    /** Shortest time between two reads because of a kind that is not served. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(ServedApi.class);

    private final Transport transport;
    private final ResourceMonitors monitors;
    private final DelayingQueue<String> queue;

    /** Written by the worker only. */
    private volatile ApiCatalog catalog = ApiCatalog.EMPTY;

    /**
     * Creates an instance that knows no resources yet.
     *
     * @param transport sends the discovery requests
     * @param monitors receive the resources of each read
     * @param queue receives the item of the next read
     */
    public ServedApi(Transport transport, ResourceMonitors monitors, DelayingQueue<String> queue) {
        this.transport = transport;
        this.monitors = monitors;
        this.queue = queue;
    }

    /**
     * Reads the resources, updates the monitors, and schedules the next read. Blocks until the server has answered.
     *
     * @param everything the item of the queue
     * @throws IllegalStateException if the server reports no resources at all
     * @throws io.kubeloop.api.client.ApiException if the server rejects the request for its groups
     * @throws io.kubeloop.api.client.TransportException if no response arrived
     */
    public void refresh(String everything) {
        ApiCatalog read = ApiCatalog.read(transport);
        if (!read.failures().isEmpty()) {
            LOG.info("Discovery failed for some groups; their resources stay as they were: {}", read.failureText());
        }
        if (read.resources().isEmpty()) {
            throw new IllegalStateException("the server's discovery documents contain no resources");
        }
        ApiCatalog now = read.withFailedOf(catalog);
        catalog = now;
        monitors.update(now);
        queue.addAfter(everything, PERIOD);
    }

    /** Returns the resource of a kind; null if it is not served as far as is known. The resources are then read again. */
    public ApiCatalog.@Nullable Entry ofKind(String apiVersion, String kind) {
        ApiCatalog.Entry entry = catalog.ofKind(apiVersion, kind);
        if (entry == null) {
            queue.addAfter(EVERYTHING, PATIENCE);
        }
        return entry;
    }
}
