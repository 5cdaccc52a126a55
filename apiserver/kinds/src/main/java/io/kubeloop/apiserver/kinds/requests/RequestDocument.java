/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A request as webhooks receive it and as expressions read it (upstream: {@code
 * apiserver/pkg/admission/plugin/webhook/request}). Static functions only.
 */
public final class RequestDocument {

    private RequestDocument() {}

    /**
     * Returns the document.
     *
     * @param uid identifies the review
     * @param matched the resource in whose version the objects are shown
     * @param object the object after the write in the stored form; null at deletion
     */
    public static JsonObject of(
            String uid,
            ApiBackend backend,
            AdmissionRequest request,
            ResourceStore matched,
            @Nullable JsonObject object) {
        boolean connects = request.operation() == Operation.CONNECT;
        UnaryOperator<JsonObject> form =
                connects ? UnaryOperator.identity() : shown -> MutableView.in(backend, matched, request, shown);
        JsonObject.Builder body = JsonObject.builder().put("uid", uid);
        ResourceType<?> type = matched.type();
        ResourceType<?> requested = request.store().type();
        JsonObject connection = connects && object != null ? kind(object) : null;
        body.put("kind", connection == null ? kind(matched, request.subresource()) : connection)
                .put("resource", resource(type));
        putText(body, "subResource", request.subresource());
        body.put("requestKind", connection == null ? kind(request.store(), request.subresource()) : connection)
                .put("requestResource", resource(requested));
        putText(body, "requestSubResource", request.subresource());
        boolean isNamespace =
                requested.apiVersion().equals("v1") && requested.plural().equals("namespaces");
        putText(body, "name", name(request, object));
        putText(body, "namespace", isNamespace ? request.name() : request.namespace());
        body.put("operation", request.operation().name())
                .put("userInfo", request.options().user().document())
                .put("object", shown(form, object))
                .put("oldObject", shown(form, request.old()))
                .put("dryRun", request.dryRun())
                .put("options", connects ? JsonNull.NULL : options(request));
        return body.build();
    }

    /** A name that the server generates is not known when an object is mutated. */
    private static String name(AdmissionRequest request, @Nullable JsonObject object) {
        return object != null && request.operation() == Operation.CREATE ? Meta.name(object) : request.name();
    }

    private static JsonValue shown(UnaryOperator<JsonObject> form, @Nullable JsonObject object) {
        return object == null ? JsonNull.NULL : form.apply(object);
    }

    private static void putText(JsonObject.Builder body, String name, String value) {
        if (!value.isEmpty()) {
            body.put(name, value);
        }
    }

    /** Returns the kind of the options of a connection, which are of the core group. */
    private static JsonObject kind(JsonObject options) {
        return JsonObject.EMPTY
                .with("group", "")
                .with("version", options.string("apiVersion"))
                .with("kind", options.string("kind"));
    }

    /** Returns the kind of the objects that are written at a subresource. */
    private static JsonObject kind(ResourceStore store, String subresource) {
        Subresource part = store.resource().subresource(subresource);
        ResourceType<?> type = store.type();
        if (part != null) {
            return JsonObject.EMPTY
                    .with("group", part.group())
                    .with("version", part.version())
                    .with("kind", part.kind());
        }
        return JsonObject.EMPTY
                .with("group", type.group())
                .with("version", type.version())
                .with("kind", type.kind());
    }

    private static JsonObject resource(ResourceType<?> type) {
        return JsonObject.EMPTY
                .with("group", type.group())
                .with("version", type.version())
                .with("resource", type.plural());
    }

    private static JsonObject options(AdmissionRequest request) {
        WriteOptions given = request.options();
        JsonObject options =
                request.operation() == Operation.DELETE && given.sent().isKnown()
                        ? given.sent().document()
                        : JsonObject.EMPTY;
        String kind = switch (request.operation()) {
            case DELETE -> "DeleteOptions";
            case UPDATE -> "UpdateOptions";
            default -> "CreateOptions";
        };
        options = options.with("kind", kind).with("apiVersion", "meta.k8s.io/v1");
        if (given.dryRun()) {
            options = options.with("dryRun", JsonArray.ofStrings(List.of("All")));
        }
        if (request.operation() == Operation.DELETE) {
            return options;
        }
        if (!given.fieldManager().isEmpty()) {
            options = options.with("fieldManager", given.fieldManager());
        }
        return switch (given.fieldValidation()) {
            case STRICT -> options.with("fieldValidation", "Strict");
            case IGNORE -> options.with("fieldValidation", "Ignore");
            case WARN -> options;
        };
    }
}
