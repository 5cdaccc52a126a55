/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.Objects;

/**
 * The identity of one object, and the version in which the server returned it. The identity differs from that of
 * earlier and later objects of the same name.
 *
 * @param name namespace and name
 * @param uid the unique identifier from the server (upstream: {@code ObjectMeta.UID}); empty before the object is
 *     stored
 * @param resourceVersion the version that the server returned; empty before the object is stored
 */
public record ObjectIdentity(ObjectName name, String uid, String resourceVersion) {

    /** Checks that no part is null. */
    public ObjectIdentity {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(resourceVersion, "resourceVersion");
    }

    /** Returns the identity of the object that has this metadata. */
    public static ObjectIdentity of(ObjectMeta metadata) {
        return new ObjectIdentity(
                new ObjectName(metadata.namespace(), metadata.name()), metadata.uid(), metadata.resourceVersion());
    }
}
