package io.kubeloop.controller.events.write;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.ObjectReference;
import java.time.Instant;
import java.util.UUID;

/** Names and namespaces for events. */
public final class EventNames {

    private EventNames() {}

    /**
     * Returns the object's name, a dot, and the nanoseconds since 1970 in hex; a random name if that is no valid one
     * (EV-02), as it may be with objects whose names are no DNS subdomains.
     */
    public static String of(String objectName, Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        String name = objectName + "." + Long.toHexString(nanos);
        return NameValidation.dns1123Subdomain(name).isEmpty()
                ? name
                : UUID.randomUUID().toString();
    }

    /** Returns where an event about the object belongs: events about objects of the cluster are in {@code default}. */
    public static String namespaceOf(ObjectReference regarding) {
        return regarding.namespace().isEmpty() ? "default" : regarding.namespace();
    }
}
