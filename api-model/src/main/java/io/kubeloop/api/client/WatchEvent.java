/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.Status;

/**
 * One frame of a watch.
 *
 * @param <T> the type of the objects
 */
public sealed interface WatchEvent<T> {

    /**
     * An object was created, or began to match the selectors.
     *
     * @param object its state
     * @param <T> its type
     */
    record Added<T>(T object) implements WatchEvent<T> {}

    /**
     * An object changed.
     *
     * @param object its state after the change
     * @param <T> its type
     */
    record Modified<T>(T object) implements WatchEvent<T> {}

    /**
     * An object was deleted, or no longer matches the selectors.
     *
     * @param object its last state, with the resource version of the deletion
     * @param <T> its type
     */
    record Deleted<T>(T object) implements WatchEvent<T> {}

    /**
     * A bookmark: the server has sent all events up to a version.
     *
     * @param metadata the resource version; on the last initial event of a streaming list also an annotation
     * @param <T> the type of the watch's objects
     */
    record Bookmark<T>(ObjectMeta metadata) implements WatchEvent<T> {

        /** The annotation on the bookmark that ends the initial events of a streaming list. */
        public static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

        /** Returns whether the initial events of a streaming list are complete. */
        public boolean endsInitialEvents() {
            return "true".equals(metadata.annotations().get(INITIAL_EVENTS_END));
        }
    }

    /**
     * The server ends the watch because of an error ({@code ERROR} on the wire).
     *
     * @param status the reason; 410 means that the version is too old
     * @param <T> the type of the watch's objects
     */
    record Failed<T>(Status status) implements WatchEvent<T> {}
}
