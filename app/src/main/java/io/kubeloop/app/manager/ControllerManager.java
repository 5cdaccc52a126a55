package io.kubeloop.app.manager;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts every enabled controller of the table on one set of shared informers, and stops them in order (upstream:
 * {@code StartControllers} in {@code cmd/kube-controller-manager/app}).
 *
 * <p>Starting: each initializer makes its controller, which registers its handlers; then the informers start, all at once, so
 * that each resource is listed once; the workers of each controller wait for the caches it reads. One controller whose
 * resource cannot be read does not hold up the others.
 *
 * <p>Stopping: the controllers take no more work and finish what they are at, side by side; then the informers end.
 *
 * <p>Confined to the thread that runs the manager.
 */
final class ControllerManager implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ControllerManager.class);

    /** How long controllers may take to finish what they are at. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final ControllerContext context;
    private final List<Controller> controllers = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private ControllerManager(ControllerContext context) {
        this.context = context;
    }

    /** Starts the controllers and returns; their caches fill in the background. If one cannot be made, none is left running. */
    static ControllerManager start(
            ControllerContext context, ControllerOptions options, List<ControllerDescriptor> enabled) {
        ControllerManager manager = new ControllerManager(context);
        try {
            for (ControllerDescriptor controller : enabled) {
                manager.controllers.add(controller.initializer().start(context, options));
                manager.names.add(controller.name());
                log.info("started controller {}", controller.name());
            }
            context.informers().start();
            return manager;
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    /** Returns the names of the controllers that run. */
    List<String> names() {
        return List.copyOf(names);
    }

    /** Tells controllers to stop, and stops informers meanwhile: what a controller is at may hang, with its server. */
    void abandon() {
        controllers.forEach(Controller::shutDown);
        context.informers().close();
    }

    /** Stops controllers, then informers. Blocks, for at most {@link #STOP_TIMEOUT} in all for work in progress. */
    @Override
    public void close() {
        controllers.forEach(Controller::shutDown);
        long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
        for (Controller controller : controllers) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (!controller.awaitTermination(left)) {
                log.warn(
                        "controller {} was still at work {} s after it was asked to stop",
                        controller.name(),
                        STOP_TIMEOUT.toSeconds());
            }
        }
        context.informers().close();
    }
}
