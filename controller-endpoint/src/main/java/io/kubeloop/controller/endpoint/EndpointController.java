package io.kubeloop.controller.endpoint;

import io.kubeloop.api.Endpoints;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Pod;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Service;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the Endpoints of every service that has a selector equal to the addresses of the pods that it chooses (upstream:
 * {@code pkg/controller/endpoint}).
 *
 * <p>Changes of services, pods and Endpoints arrive as notifications; each is turned into the keys of the services that it
 * concerns, and the workers bring one key after the other into order. What is written depends on the caches alone, so that a
 * notification may come late or twice.
 *
 * <p>Thread-safe.
 */
public final class EndpointController implements Controller {

    // Invariants
    //   E1  Every change that can affect a service's Endpoints puts its key into the queue after the caches show the
    // change.
    //   E2  No sync runs before all three caches are filled: an empty pod cache must not empty the world's Endpoints.
    //   E3  A key is synced by one worker at a time (I3, from the queue).
    // No locks. The handlers run on the informers' threads, one per registration; the starter thread lives from start
    // until
    // the workers run; worker is written by the starter alone, and read after it has ended.

    /** How often a key is tried again before it is given up until its next change. */
    static final int MAX_RETRIES = 15;

    private static final String NAME = "endpoint";
    private static final String COMPONENT = "endpoint-controller";
    private static final Duration SYNCED_POLL_PERIOD = Duration.ofMillis(100);
    private static final Logger LOG = LoggerFactory.getLogger(EndpointController.class);

    private final RateLimitingQueue<ObjectName> queue;
    private final ThreadFactory threads;
    private final EndpointsSync sync;
    private final EndpointEventHandlers handlers;
    private final List<Registration> registrations;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicReference<@Nullable Thread> starter = new AtomicReference<>();
    private volatile @Nullable Worker<ObjectName> worker;

    /** Makes a controller and registers it with its informers. */
    public EndpointController(ControllerContext context, EndpointControllerConfig config) {
        this(
                context.clients().apply(COMPONENT),
                context.informers(),
                WorkQueues.rateLimiting(context.queues().apply(NAME)),
                context.recorders().apply(COMPONENT),
                context.threads(),
                context.clock(),
                config);
    }

    /**
     * Makes a controller and registers it with its informers.
     *
     * @param client closed by the caller
     * @param informers started and closed by the caller
     * @param queue used by this controller alone; shut down by it
     * @param threads makes the worker threads and the starter
     * @param clock tells how long ago a write was
     */
    public EndpointController(
            KubeClient client,
            SharedInformerFactory informers,
            RateLimitingQueue<ObjectName> queue,
            EventRecorder recorder,
            ThreadFactory threads,
            Clock clock,
            EndpointControllerConfig config) {
        SharedInformer<Service> services = informers.informer(ResourceTypes.SERVICES);
        SharedInformer<Pod> pods = informers.informer(ResourceTypes.PODS);
        SharedInformer<Endpoints> endpoints = informers.informer(ResourceTypes.ENDPOINTS);
        EndpointCaches caches = new EndpointCaches(services.lister(), pods.lister(), endpoints.lister());
        this.queue = queue;
        this.threads = threads;
        LastWrites lastWrites = new LastWrites(clock);
        this.sync = new EndpointsSync(
                caches, client.resource(ResourceTypes.ENDPOINTS), recorder, lastWrites, config.rules());
        this.handlers = new EndpointEventHandlers(caches, queue, lastWrites, config);
        this.registrations = List.of(
                services.addHandler(handlers.ofServices()),
                pods.addHandler(handlers.ofPods()),
                endpoints.addHandler(handlers.ofEndpoints()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void start(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("at least one worker is needed, got " + workers);
        }
        Thread thread = threads.newThread(() -> run(workers));
        thread.setName(COMPONENT + "-starter");
        if (stopped.getCount() == 0 || !starter.compareAndSet(null, thread)) {
            throw new IllegalStateException("the endpoint controller was started or shut down before");
        }
        thread.start();
    }

    /** Waits for the caches, then lets the workers loose (E2). */
    private void run(int workers) {
        try {
            while (!registrations.stream().allMatch(Registration::hasSynced)) {
                if (stopped.await(SYNCED_POLL_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.warn("The endpoint controller was interrupted before its caches were filled, and does not start");
            return;
        }
        LOG.info("Endpoint controller starts with {} workers", workers);
        worker = Worker.builder(queue, this::syncService)
                .threads(workers)
                .threadFactory(threads)
                .maxRetries(MAX_RETRIES)
                .onFailure(EndpointController::failed)
                .start();
        handlers.checkLeftoverEndpoints();
    }

    private static void failed(ObjectName service, Throwable error, int retries, boolean willRetry) {
        if (willRetry) {
            LOG.info(
                    "Endpoints of service {} could not be synced and will be tried again: {}",
                    service,
                    error.toString());
        } else {
            LOG.warn("Endpoints of service {} are given up after {} retries", service, retries, error);
        }
    }

    @Override
    public void shutDown() {
        stopped.countDown();
        queue.shutDown();
        registrations.forEach(Registration::close);
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Thread starting = starter.get();
        try {
            if (starting == null) {
                return true;
            }
            TimeUnit.NANOSECONDS.timedJoin(starting, Math.max(1, timeout.toNanos()));
            if (starting.isAlive()) {
                return false;
            }
            Worker<ObjectName> running = worker;
            return running == null || running.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Brings the Endpoints of one service into order; what the workers do with each key. Blocks while writing.
     *
     * @throws RuntimeException if the server refused or did not answer: the key is to be tried again
     */
    public void syncService(ObjectName service) {
        sync.syncService(service);
    }
}
