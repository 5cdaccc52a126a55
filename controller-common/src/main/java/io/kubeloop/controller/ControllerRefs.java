/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.JsonStrings;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Creates and sets controller references, and the patches that add and remove them. Stateless. */
public final class ControllerRefs {

    private ControllerRefs() {}

    /**
     * Returns the owner reference that makes this object the controller of its dependents (upstream: {@code
     * NewControllerRef}).
     */
    public static OwnerReference newControllerRef(ResourceType<?> type, KubeObject owner) {
        ObjectMeta metadata = owner.metadata();
        return new OwnerReference(
                type.apiVersion(), type.kind(), metadata.name(), metadata.uid(), true, true, UnknownFields.NONE);
    }

    /**
     * Returns the dependent with the owner as its controller; an earlier reference to the same owner is replaced
     * (upstream: {@code controllerutil.SetControllerReference}).
     *
     * @param ownerType the resource of the owner
     * @param owner a stored object: the reference needs its UID
     * @throws IllegalArgumentException if the owner has no UID, or belongs to another namespace than the dependent or
     *     to a namespace while the dependent has none: the garbage collector would delete the dependent
     * @throws IllegalStateException if another object is the controller of the dependent
     */
    @SuppressWarnings("unchecked") // withMetadata returns an object of the same class
    public static <T extends KubeObject> T withController(T dependent, ResourceType<?> ownerType, KubeObject owner) {
        String what = ownerType.kind() + " " + owner.objectName() + " cannot own " + dependent.objectName() + ": ";
        if (owner.metadata().uid().isEmpty()) {
            throw new IllegalArgumentException(what + "it has no UID, so it was not read from the server");
        }
        if (ownerType.isNamespaced()
                && !owner.metadata().namespace().equals(dependent.metadata().namespace())) {
            throw new IllegalArgumentException(what + "an owner with a namespace needs dependents in this namespace");
        }
        OwnerReference wanted = newControllerRef(ownerType, owner);
        OwnerReference present = dependent.metadata().controller();
        if (present != null && !present.uid().equals(wanted.uid())) {
            throw new IllegalStateException(
                    what + present.kind() + " " + present.name() + " is its controller already");
        }
        List<OwnerReference> references = new ArrayList<>(dependent.metadata().ownerReferences());
        references.removeIf(reference -> reference.uid().equals(wanted.uid()));
        references.add(wanted);
        return (T) dependent.withMetadata(ObjectMetaBuilder.builder(dependent.metadata())
                .ownerReferences(references)
                .build());
    }

    /**
     * Returns the strategic merge patch that adds the reference.
     *
     * @param uid the dependent's UID; the server rejects the patch if another object has taken the name
     */
    public static String adoptionPatch(OwnerReference controllerRef, String uid) {
        return adoptionPatch(controllerRef, uid, List.of());
    }

    /** Returns the strategic merge patch that adds the reference and these finalizers. */
    static String adoptionPatch(OwnerReference controllerRef, String uid, List<String> finalizers) {
        return "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":" + JsonStrings.quote(controllerRef.apiVersion())
                + ",\"kind\":" + JsonStrings.quote(controllerRef.kind())
                + ",\"name\":" + JsonStrings.quote(controllerRef.name())
                + ",\"uid\":" + JsonStrings.quote(controllerRef.uid())
                + ",\"controller\":true,\"blockOwnerDeletion\":true}],\"uid\":" + JsonStrings.quote(uid)
                + finalizers(",\"finalizers\":", finalizers) + "}}";
    }

    /**
     * Returns the strategic merge patch that removes references.
     *
     * @param uid the dependent's UID; the server rejects the patch if another object has taken the name
     * @param ownerUids the UIDs of the owners to remove
     */
    public static String releasePatch(String uid, List<String> ownerUids) {
        return releasePatch(uid, ownerUids, List.of());
    }

    /** Returns the strategic merge patch that removes references and these finalizers. */
    static String releasePatch(String uid, List<String> ownerUids, List<String> finalizers) {
        String references = ownerUids.isEmpty()
                ? "null"
                : ownerUids.stream()
                        .map(owner -> "{\"$patch\":\"delete\",\"uid\":" + JsonStrings.quote(owner) + "}")
                        .collect(Collectors.joining(",", "[", "]"));
        return "{\"metadata\":{\"uid\":" + JsonStrings.quote(uid) + ",\"ownerReferences\":" + references
                + finalizers(",\"$deleteFromPrimitiveList/finalizers\":", finalizers) + "}}";
    }

    private static String finalizers(String member, List<String> finalizers) {
        return finalizers.isEmpty()
                ? ""
                : finalizers.stream().map(JsonStrings::quote).collect(Collectors.joining(",", member + "[", "]"));
    }
}
