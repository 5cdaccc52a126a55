/**
 * The parts that every controller is built from.
 *
 * <p>Entry types: {@link io.kubeloop.controller.Controller}, what a manager starts and stops;
 * {@link io.kubeloop.controller.ControllerExpectations}, which keeps a controller from acting twice on a cache that lags
 * behind its own writes; {@link io.kubeloop.controller.PodControllerRefManager}, which says whose pod is whose.
 *
 * <p>Threading: expectations and pod control are thread-safe; a reference manager lives for one sync on one thread.
 */
@NullMarked
package io.kubeloop.controller;

import org.jspecify.annotations.NullMarked;
