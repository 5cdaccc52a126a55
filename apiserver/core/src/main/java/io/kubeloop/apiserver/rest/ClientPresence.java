/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import java.util.function.Supplier;

/**
 * Tells what the thread of a request waits for that the client of the request has left (upstream: the context of the
 * request). Static functions only; the state belongs to the thread.
 */
public final class ClientPresence {

    private static final ThreadLocal<Watcher> WATCHER = ThreadLocal.withInitial(() -> left -> () -> {});

    /** Watches the client of one request. */
    @FunctionalInterface
    public interface Watcher {

        /**
         * Begins to watch.
         *
         * @param left runs at least once after the client has left, on another thread; must not block
         * @return ends the watching
         */
        Runnable watch(Runnable left);
    }

    private ClientPresence() {}

    /** Runs a request on this thread, whose client this watcher watches, and returns the result. */
    public static <T> T during(Watcher watcher, Supplier<T> request) {
        WATCHER.set(watcher);
        try {
            return request.get();
        } finally {
            WATCHER.remove();
        }
    }

    /** Watches the client of the request that this thread serves, if it is known; see {@link Watcher#watch}. */
    public static Runnable watch(Runnable left) {
        return WATCHER.get().watch(left);
    }
}
