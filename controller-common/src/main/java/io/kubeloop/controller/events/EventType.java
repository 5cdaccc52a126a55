package io.kubeloop.controller.events;

/** The types an event can have (EV-02). */
public final class EventType {

    /** Something went as it should. */
    public static final String NORMAL = "Normal";
    /** Something may need attention. */
    public static final String WARNING = "Warning";

    private EventType() {}

    /** Returns whether the server would accept the type. */
    public static boolean isValid(String type) {
        return type.equals(NORMAL) || type.equals(WARNING);
    }
}
