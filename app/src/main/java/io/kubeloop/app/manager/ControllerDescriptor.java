package io.kubeloop.app.manager;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the table of controllers.
 *
 * @param name the name that Kubernetes uses since 1.28, such as {@code replicaset-controller}
 * @param alias the short name of older releases, such as {@code replicaset}
 * @param isOnByDefault whether {@code *} includes the controller
 * @param initializer creates and starts the controller
 */
record ControllerDescriptor(String name, String alias, boolean isOnByDefault, Initializer initializer) {

    /** Creates an entry that {@code *} includes. */
    ControllerDescriptor(String name, String alias, Initializer initializer) {
        this(name, alias, true, initializer);
    }

    /** Returns whether the controller has this name or alias. */
    boolean isCalled(String either) {
        return name.equals(either) || alias.equals(either);
    }

    /** Creates a controller and starts its workers (upstream: {@code app.InitFunc}). */
    @FunctionalInterface
    interface Initializer {

        /** Returns the started controller; null if the options disable it. Does not block: the workers wait for their caches. */
        @Nullable
        Controller start(ControllerContext context, ControllerOptions options);
    }
}
