package io.kubeloop.api;

import java.util.Objects;

/**
 * Which object it is, among all that have had or will have its name.
 *
 * @param name namespace and name
 * @param uid what the server has given to this object alone (upstream: {@code ObjectMeta.UID}); empty if it has none yet
 */
public record ObjectIdentity(ObjectName name, String uid) {

    /** Checks that neither part is null. */
    public ObjectIdentity {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
    }

    /** Returns the identity of the object that has this metadata. */
    public static ObjectIdentity of(ObjectMeta metadata) {
        return new ObjectIdentity(new ObjectName(metadata.namespace(), metadata.name()), metadata.uid());
    }
}
