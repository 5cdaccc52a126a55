package io.kubeloop.app.manager;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the enabled controllers on one set of shared informers, and stops them in order (upstream: {@code
 * StartControllers} in {@code cmd/kube-controller-manager/app}).
 *
 * <p>Start: each initializer creates its controller, which registers its handlers. Then the informers start together,
 * so that each resource is listed once. The workers of a controller wait for the caches that it reads; a resource that
 * cannot be read delays only the controllers that read it.
 *
 * <p>Stop: the controllers accept no more work and finish their current syncs in parallel. Then the informers stop.
 *
 * <p>Confined to the thread that runs the manager.
 */
final class ControllerManager implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ControllerManager.class);

    /** The longest wait for the current syncs of all controllers. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final ControllerContext context;
    private final List<Controller> controllers = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private ControllerManager(ControllerContext context) {
        this.context = context;
    }

    /**
     * Starts the controllers. Does not block: the caches fill in the background. If an initializer fails, no controller
     * is left running.
     */
    static ControllerManager start(
            ControllerContext context, ControllerOptions options, List<ControllerDescriptor> enabled) {
        ControllerManager manager = new ControllerManager(context);
        try {
            for (ControllerDescriptor controller : enabled) {
                manager.start(controller, options);
            }
            context.informers().start();
            return manager;
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    private void start(ControllerDescriptor descriptor, ControllerOptions options) {
        Controller controller = descriptor.initializer().start(context, options);
        if (controller == null) {
            log.info("Controller {} is disabled by its flags", descriptor.name());
            return;
        }
        controllers.add(controller);
        names.add(descriptor.name());
        log.info("Started controller {}", descriptor.name());
    }

    /** Returns the names of the controllers that were started. */
    List<String> names() {
        return List.copyOf(names);
    }

    /**
     * Stops controllers and informers without waiting for current syncs, which may wait for a server that does not
     * answer.
     */
    void abandon() {
        controllers.forEach(Controller::shutDown);
        context.informers().close();
    }

    /**
     * Stops the controllers, then the informers. Blocks for at most {@link #STOP_TIMEOUT} on current syncs, and then
     * until the informers have stopped.
     */
    @Override
    public void close() {
        controllers.forEach(Controller::shutDown);
        long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
        for (Controller controller : controllers) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (!controller.awaitTermination(left)) {
                log.warn(
                        "Controller {} did not finish its current syncs within {} s of the shutdown; stopping the informers anyway",
                        controller.name(),
                        STOP_TIMEOUT.toSeconds());
            }
        }
        context.informers().close();
    }
}
