/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.JsonStrings;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import java.util.List;
import java.util.stream.Collectors;

/** Creates controller references, and the patches that add and remove them. Stateless. */
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
