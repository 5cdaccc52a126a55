package io.kubeloop.app;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;

/** Makes a controller and starts its workers, which wait for their caches (upstream: {@code app.InitFunc}). */
@FunctionalInterface
interface ControllerInitializer {

    /** Returns the controller, started. */
    Controller start(ControllerContext context, ControllerOptions options);
}
