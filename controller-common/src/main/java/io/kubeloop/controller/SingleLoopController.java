/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import java.time.Duration;

/**
 * A controller whose whole work is one loop: it starts and ends with this loop and has its name. Thread-safe, as the
 * loop is.
 */
public interface SingleLoopController extends Controller {

    /** Returns the loop, which the controller creates when it is constructed. */
    ControllerLoop<?> loop();

    @Override
    default String name() {
        return loop().name();
    }

    @Override
    default void start(int workers) {
        loop().start(workers);
    }

    @Override
    default void shutDown() {
        loop().shutDown();
    }

    @Override
    default boolean awaitTermination(Duration timeout) {
        return loop().awaitTermination(timeout);
    }
}
