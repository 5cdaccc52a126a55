/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * The reason why a handler is called. Only {@link #WATCH} reports a change that the server has just made. A handler
 * that counts events, or writes to an external system, should check the cause.
 *
 * <p>Upstream distinguishes only the first list and the replay from the rest ({@code isInInitialList}).
 */
public enum EventCause {
    /** The first list contains the object, which may be much older than this call. */
    INITIAL_LIST,
    /** The handler was registered late, and receives the objects that the cache held at that moment. */
    REPLAY,
    /** The watch delivered an event. */
    WATCH,
    /** A later list differs from the cache: the object changed while no watch was open. */
    RELIST,
    /** Nothing changed. The cache passes its objects on again, because the handler has a resync period. */
    RESYNC
}
