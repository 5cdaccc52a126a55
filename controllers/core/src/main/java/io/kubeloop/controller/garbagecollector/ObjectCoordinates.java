/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ObjectReferenceBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import java.util.Comparator;

/**
 * The coordinates of an object: kind, namespace, name and UID (upstream: {@code objectReference}). An owner reference
 * has no namespace, so two dependents can claim different coordinates for one UID.
 */
record ObjectCoordinates(String apiVersion, String kind, String namespace, String name, String uid) {

    /** Kind and version first: candidates of one kind follow each other, whether they have a namespace or not. */
    static final Comparator<ObjectCoordinates> ORDER = Comparator.comparing(ObjectCoordinates::kind)
            .thenComparing(ObjectCoordinates::apiVersion)
            .thenComparing(ObjectCoordinates::namespace)
            .thenComparing(ObjectCoordinates::name)
            .thenComparing(ObjectCoordinates::uid);

    static ObjectCoordinates of(ResourceType<?> type, ObjectMeta metadata) {
        return new ObjectCoordinates(
                type.apiVersion(), type.kind(), metadata.namespace(), metadata.name(), metadata.uid());
    }

    /** Returns the coordinates of an owner that a dependent in this namespace claims. */
    static ObjectCoordinates of(OwnerReference reference, String namespace) {
        return new ObjectCoordinates(
                reference.apiVersion(), reference.kind(), namespace, reference.name(), reference.uid());
    }

    ObjectCoordinates in(String otherNamespace) {
        return new ObjectCoordinates(apiVersion, kind, otherNamespace, name, uid);
    }

    boolean isNamespaced() {
        return !namespace.isEmpty();
    }

    /** Returns whether the reference has this UID, kind and name. */
    boolean isMeantBy(OwnerReference reference) {
        return reference.uid().equals(uid)
                && reference.name().equals(name)
                && reference.kind().equals(kind)
                && reference.apiVersion().equals(apiVersion);
    }

    ObjectName objectName() {
        return new ObjectName(namespace, name);
    }

    ObjectReference toReference() {
        return ObjectReferenceBuilder.builder()
                .apiVersion(apiVersion)
                .kind(kind)
                .namespace(namespace)
                .name(name)
                .uid(uid)
                .build();
    }

    /** Returns the form that upstream uses in events. */
    @Override
    public String toString() {
        return "[" + apiVersion + "/" + kind + ", namespace: " + namespace + ", name: " + name + ", uid: " + uid + "]";
    }
}
