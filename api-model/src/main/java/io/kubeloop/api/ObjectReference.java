/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * A reference to an object (upstream: {@code core/v1.ObjectReference}).
 *
 * @param kind its kind
 * @param namespace its namespace
 * @param name its name
 * @param uid its UID
 * @param apiVersion its group and version
 * @param resourceVersion the resource version to which the reference applies
 * @param fieldPath a part of the object, such as {@code spec.containers{web}}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ObjectReference(
        String kind,
        String namespace,
        @JsonMember(shared = false) String name,
        @JsonMember(shared = false) String uid,
        String apiVersion,
        @JsonMember(shared = false) String resourceVersion,
        String fieldPath,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final ObjectReference EMPTY = ObjectReferenceBuilder.builder().build();

    /** Null means the zero value. */
    public ObjectReference {
        kind = Values.orEmpty(kind);
        namespace = Values.orEmpty(namespace);
        name = Values.orEmpty(name);
        uid = Values.orEmpty(uid);
        apiVersion = Values.orEmpty(apiVersion);
        resourceVersion = Values.orEmpty(resourceVersion);
        fieldPath = Values.orEmpty(fieldPath);
        unknownFields = Values.orNone(unknownFields);
    }
}
