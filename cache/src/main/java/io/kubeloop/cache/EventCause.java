package io.kubeloop.cache;

/**
 * Why a handler is told something. Four of the five are not news from the server at this moment, and are often mistaken for
 * it: a handler that keeps count, or writes to somebody outside, asks for the cause.
 *
 * <p>Upstream tells only the first list and the replay apart from all else ({@code isInInitialList}).
 */
public enum EventCause {
    /** The first list has the object. Nothing is said of when it came to be. */
    INITIAL_LIST,
    /** The handler was registered late, and is given what the cache held by then. */
    REPLAY,
    /** An event of the watch says so. */
    WATCH,
    /** A later list differs from the cache: something happened while nobody watched. */
    RELIST,
    /** Nothing happened: the cache shows its objects again, because the handler asked for that. */
    RESYNC
}
