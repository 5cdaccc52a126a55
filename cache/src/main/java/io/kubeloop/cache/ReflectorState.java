/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * The current phase of a reflector.
 *
 * <pre>
 *   NEW ──► STREAMING_LIST ──► WATCHING ◄─► (again, no list)
 *              │ ▲   │ fallback   │ ▲
 *              │ │   ▼            │ │
 *              │ │ LISTING ───────┼─┘
 *              ▼ │   │            │
 *            BACKING_OFF ◄────────┘           any ──► STOPPED, FAILED
 * </pre>
 *
 * <p>A streaming list that ends early is requested again at once, so {@link #STREAMING_LIST} may follow itself. {@code
 * ReflectorDecision} lists the answers of a server and the phases that follow them.
 */
public enum ReflectorState {
    /** Not started. */
    NEW,
    /** A list request is running. */
    LISTING,
    /** A watch that starts with the present objects is running, and not all of these have arrived. */
    STREAMING_LIST,
    /** The cache is complete; a watch delivers changes. */
    WATCHING,
    /** Waiting before the next request. */
    BACKING_OFF,
    /** Closed. */
    STOPPED,
    /**
     * An error outside user code, such as {@code OutOfMemoryError}, has ended a thread of the informer, and the
     * informer with it. {@link InformerHealth#lastError} has the error.
     */
    FAILED;

    /** Returns whether the next state may follow this one, as in the diagram. */
    public boolean leadsTo(ReflectorState next) {
        return next.isEnd()
                ? !isEnd()
                : switch (this) {
                    case NEW -> next == STREAMING_LIST || next == LISTING;
                    case STREAMING_LIST -> next != NEW;
                    case LISTING -> next == WATCHING || next == BACKING_OFF;
                    case WATCHING -> next == WATCHING || next == BACKING_OFF;
                    case BACKING_OFF -> next != NEW && next != BACKING_OFF;
                    case STOPPED, FAILED -> false;
                };
    }

    private boolean isEnd() {
        return this == STOPPED || this == FAILED;
    }
}
