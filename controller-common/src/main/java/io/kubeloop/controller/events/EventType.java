/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

/** The types of events. */
public final class EventType {

    /** A normal event. */
    public static final String NORMAL = "Normal";
    /** An event that may need attention. */
    public static final String WARNING = "Warning";

    private EventType() {}

    /** Returns whether a server accepts the type. */
    public static boolean isValid(String type) {
        return type.equals(NORMAL) || type.equals(WARNING);
    }
}
