package io.kubeloop.cache;

/**
 * What a reflector is doing.
 *
 * <pre>
 *   NEW ──► STREAMING_LIST ──► WATCHING ◄─► (again, no list)
 *              │ ▲   │ fallback   │ ▲
 *              │ │   ▼            │ │
 *              │ │ LISTING ───────┼─┘
 *              ▼ │   │            │
 *            BACKING_OFF ◄────────┘           any ──► STOPPED
 * </pre>
 *
 * Which answer of the server leads where is said by {@link Reaction}.
 */
public enum ReflectorState {
    /** Not started. */
    NEW,
    /** A list request is under way. */
    LISTING,
    /** A watch that begins with the present state is under way, and its initial events are not complete. */
    STREAMING_LIST,
    /** The content is complete; changes come from a watch. */
    WATCHING,
    /** Waiting before the next attempt. */
    BACKING_OFF,
    /** Closed. */
    STOPPED
}
