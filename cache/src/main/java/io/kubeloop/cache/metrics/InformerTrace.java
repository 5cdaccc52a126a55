/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.metrics;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.EventCause;

/**
 * Reports that the event of an object has reached a stage of an informer, for a page that shows the informer at work.
 * Immutable.
 *
 * @param place the stage that the event has reached
 * @param change how the event changes the cache; at {@link Place#RECEIVED}, the change that the server reports
 * @param name the object
 * @param resourceVersion the version of the object; empty if it is not known
 * @param cause why the event occurs
 * @param handler the name of the handler; empty before the event reaches one
 */
public record InformerTrace(
        Place place, Change change, ObjectName name, String resourceVersion, EventCause cause, String handler) {

    /** The stages, in the order in which an event passes them. */
    public enum Place {
        /** The reflector has read the event from the watch and queues it next. */
        RECEIVED,
        /** The change is in the store. The processing thread adds it to each backlog next. */
        STORED,
        /** A handler is called next. */
        CALLED,
        /** The handler has returned. */
        RETURNED,
        /** The handler has thrown an exception. */
        FAILED
    }

    /** The kinds of change. */
    public enum Change {
        /** The cache did not have the object. */
        ADDED,
        /** The cache had another version. */
        UPDATED,
        /** The cache had this version: a resync, or an event that repeats. */
        UNCHANGED,
        /** A watch observed the deletion. */
        DELETED,
        /** A list lacks the object, so its last state is unknown ({@link DeletedFinalStateUnknown}). */
        TOMBSTONE
    }
}
