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
 * Which answer of the server leads where is said by {@code ReflectorDecision}, an enum like this one: both are closed sets whose members
 * carry nothing. What they are decided from carries data, and is sealed: {@code WatchEnd} and
 * {@code StreamingList.Outcome}.
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
    STOPPED;

    /** Returns whether the next state may follow this one: the arrows above. */
    public boolean leadsTo(ReflectorState next) {
        return next == STOPPED
                ? this != STOPPED
                : switch (this) {
                    case NEW -> next == STREAMING_LIST || next == LISTING;
                    case STREAMING_LIST -> next != NEW;
                    case LISTING -> next == WATCHING || next == BACKING_OFF;
                    case WATCHING -> next == WATCHING || next == BACKING_OFF;
                    case BACKING_OFF -> next != NEW && next != BACKING_OFF;
                    case STOPPED -> false;
                };
    }
}
