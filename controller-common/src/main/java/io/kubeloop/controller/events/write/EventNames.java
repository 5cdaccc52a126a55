/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.ObjectReference;
import java.time.Instant;
import java.util.UUID;

/** Names and namespaces of events. Stateless. */
public final class EventNames {

    private EventNames() {}

    /**
     * Returns the object's name, a dot, and the nanoseconds since 1970 in hex. If that is not a valid name, because
     * the object's name is not a DNS subdomain, the name is random.
     */
    public static String of(String objectName, Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        String name = objectName + "." + Long.toHexString(nanos);
        return NameValidation.dns1123Subdomain(name).isEmpty()
                ? name
                : UUID.randomUUID().toString();
    }

    /**
     * Returns the namespace of an event about the object; events about cluster-scoped objects are in {@code default}.
     */
    public static String namespaceOf(ObjectReference regarding) {
        return regarding.namespace().isEmpty() ? "default" : regarding.namespace();
    }
}
