/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import java.time.Duration;

/**
 * A controller of several loops, or of loops and an executor: it starts and ends with their {@link ControllerGroup} and
 * has its name. Thread-safe, as the group is.
 */
public interface CompositeController extends Controller {

    /** Returns the parts, which the controller creates when it is constructed. */
    ControllerGroup loops();

    @Override
    default String name() {
        return loops().name();
    }

    @Override
    default void start(int workers) {
        loops().start(workers);
    }

    @Override
    default void shutDown() {
        loops().shutDown();
    }

    @Override
    default boolean awaitTermination(Duration timeout) {
        return loops().awaitTermination(timeout);
    }
}
