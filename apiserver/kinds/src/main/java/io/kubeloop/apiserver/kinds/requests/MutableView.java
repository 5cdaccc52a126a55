/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.ScaleView;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * The object in the form that webhooks and policies can change: without the fields that the server sets later. Static
 * functions only.
 */
public final class MutableView {

    /** The fields that the server sets after the changes of a creation. */
    private static final List<String> LATER = List.of("uid", "creationTimestamp", "generation");

    /** The fields that no request can set. */
    private static final List<String> OF_SERVER = List.of(
            "uid",
            "creationTimestamp",
            "generation",
            "resourceVersion",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    private MutableView() {}

    /** Returns the object of a request as it is before the server completes it. */
    public static JsonObject of(AdmissionRequest request, JsonObject object) {
        if (request.operation() != Operation.CREATE) {
            return object;
        }
        JsonObject metadata = Meta.of(object);
        for (String field : LATER) {
            metadata = metadata.without(field);
        }
        boolean isGenerated = !Meta.name(object).equals(request.name());
        return object.with("metadata", isGenerated ? metadata.without("name") : metadata);
    }

    /**
     * Returns an object as a webhook or a policy receives it: at the subresource {@code scale} as a {@code Scale}.
     *
     * @param matched the resource in whose version it receives the objects
     */
    public static JsonObject in(
            ApiBackend backend, ResourceStore matched, AdmissionRequest request, JsonObject object) {
        JsonObject adopted = matched.adopted(request.store(), object);
        return isScale(request) ? ScaleView.of(backend, matched, adopted) : matched.served(adopted);
    }

    /** Returns whether a request writes the replicas of an object, and nothing else of it. */
    public static boolean isScale(AdmissionRequest request) {
        return request.subresource().equals("scale");
    }

    /**
     * Returns an object that a webhook or a policy has changed, as the request has it.
     *
     * @param object the object before the change
     * @throws io.kubeloop.api.client.DecodeException if it cannot be read
     */
    public static JsonObject from(
            ResourceStore matched, AdmissionRequest request, JsonObject object, JsonObject changed) {
        if (isScale(request)) {
            return ScaleView.scaled(request.store(), object, changed);
        }
        return request.store().adopted(matched, IncomingObject.mutated(matched, changed));
    }

    /**
     * Returns an object as {@link #from} does.
     *
     * @throws io.kubeloop.api.client.DecodeException if it cannot be read, or has another kind or unknown fields
     */
    public static JsonObject strictlyFrom(
            ResourceStore matched, AdmissionRequest request, JsonObject object, JsonObject changed) {
        if (!isScale(request)) {
            IncomingObject.requireKnown(matched, changed);
        }
        return from(matched, request, object, changed);
    }

    /**
     * Returns a changed object with the defaults of its kind, and with the fields that the server had set in the object
     * before.
     */
    public static JsonObject completed(AdmissionRequest request, JsonObject object, JsonObject changed) {
        JsonObject metadata = Meta.of(changed);
        for (String field : OF_SERVER) {
            metadata = Members.take(metadata.without(field), field, Meta.of(object));
        }
        if (metadata.string("name").isEmpty()) {
            metadata = metadata.with("name", Meta.name(object));
        }
        return request.store().strategy().defaults(changed.with("metadata", metadata));
    }
}
