/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Ends an informer when one of its threads throws. Handlers, index functions, transforms and metrics of a user do not
 * let a thread throw; what remains is an error of the JVM, such as {@code OutOfMemoryError}, of the scheduler, or of
 * this library.
 *
 * <p>Thread-safe. The thread then ends with what it has thrown, so its uncaught exception handler receives it, as the
 * original program ends with a panic.
 */
final class FailFast {

    private volatile Consumer<Throwable> whenFailed = failure -> {};

    /** Sets what a failing thread runs before it ends. Must be called before the threads start. */
    void whenFailed(Consumer<Throwable> action) {
        whenFailed = action;
    }

    /** Returns a factory whose threads report what their body throws. */
    ThreadFactory guarding(ThreadFactory factory) {
        return body -> factory.newThread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                whenFailed.accept(e);
                throw e;
            }
        });
    }
}
