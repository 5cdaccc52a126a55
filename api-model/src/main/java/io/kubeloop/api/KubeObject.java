/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

/**
 * An object that an API server stores. It has metadata.
 *
 * <p>Implementations are immutable. They keep unknown members (see {@link UnknownFields}), so an object that is
 * read and written back loses no field.
 */
public interface KubeObject {

    /** Returns the metadata: name, namespace, version, labels, owners. */
    ObjectMeta metadata();

    /** Returns a copy of the same class with this metadata. */
    KubeObject withMetadata(ObjectMeta metadata);

    /** Returns the members of the top level for which the type has no component. */
    UnknownFields unknownFields();

    /** Returns the cache key of this object, a new instance each time. */
    default ObjectName objectName() {
        return new ObjectName(metadata().namespace(), metadata().name());
    }
}
