package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.machinery.ServedResource.Subresource;
import io.kubeloop.apiserver.machinery.UserInfo;
import io.kubeloop.apiserver.machinery.WebhookException;
import io.kubeloop.apiserver.machinery.WriteOptions;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The documents that the server and a webhook exchange (upstream: {@code apiserver/pkg/admission/plugin/webhook/request}).
 * Static functions only.
 */
final class AdmissionReview {

    private static final String GROUP = "admission.k8s.io";
    private static final String KIND = "AdmissionReview";
    private static final String PATCH = "patch";
    private static final String PATCH_TYPE = "patchType";

    private AdmissionReview() {}

    /**
     * Returns the review that a webhook receives.
     *
     * @param uid identifies the review
     * @param matched the resource in whose version the webhook receives the objects
     * @param form returns an object in the form in which the webhook receives it
     * @param object the object after the write in the stored form; null at deletion
     * @param version the version of the review: {@code v1} or {@code v1beta1}
     */
    static JsonObject request(
            String uid,
            AdmissionRequest request,
            ResourceStore matched,
            UnaryOperator<JsonObject> form,
            @Nullable JsonObject object,
            String version) {
        JsonObject.Builder body = JsonObject.builder().put("uid", uid);
        ResourceType<?> type = matched.type();
        ResourceType<?> requested = request.store().type();
        body.put("kind", kind(matched, request.subresource())).put("resource", resource(type));
        putText(body, "subResource", request.subresource());
        body.put("requestKind", kind(request.store(), request.subresource()))
                .put("requestResource", resource(requested));
        putText(body, "requestSubResource", request.subresource());
        boolean isNamespace =
                requested.apiVersion().equals("v1") && requested.plural().equals("namespaces");
        putText(body, "name", name(request, object));
        putText(body, "namespace", isNamespace ? request.name() : request.namespace());
        body.put("operation", request.operation().name())
                .put("userInfo", user(request.options().user()))
                .put("object", shown(form, object))
                .put("oldObject", shown(form, request.old()))
                .put("dryRun", request.dryRun())
                .put("options", options(request));
        return JsonObject.EMPTY
                .with("kind", KIND)
                .with("apiVersion", GROUP + "/" + version)
                .with("request", body.build());
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

    private static JsonObject user(UserInfo user) {
        JsonObject.Builder shown = JsonObject.builder();
        putText(shown, "username", user.name());
        putText(shown, "uid", user.uid());
        if (!user.groups().isEmpty()) {
            shown.put("groups", JsonArray.ofStrings(user.groups()));
        }
        if (!user.extra().isEmpty()) {
            JsonObject.Builder extra = JsonObject.builder();
            user.extra().forEach((key, values) -> extra.put(key, JsonArray.ofStrings(values)));
            shown.put("extra", extra.build());
        }
        return shown.build();
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
            case CREATE, CONNECT -> "CreateOptions";
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

    /**
     * Returns the response in a review that a webhook has sent.
     *
     * @param mutating whether the webhook may change the object
     * @throws WebhookException if the document is not the answer to the request
     */
    static JsonObject response(JsonObject review, String uid, String version, boolean mutating)
            throws WebhookException {
        if (!(review.get("response") instanceof JsonObject response)) {
            throw invalid("webhook response was absent");
        }
        String apiVersion = GROUP + "/" + version;
        if (version.equals("v1")) {
            if (!response.string("uid").equals(uid)) {
                throw invalid("expected response.uid=" + GoText.quoted(uid) + ", got "
                        + GoText.quoted(response.string("uid")));
            }
            if (!review.string("apiVersion").equals(apiVersion)
                    || !review.string("kind").equals(KIND)) {
                throw invalid("expected webhook response of " + apiVersion + ", Kind=" + KIND + ", got "
                        + review.string("apiVersion") + ", Kind=" + review.string("kind"));
            }
            checkPatch(response, mutating);
        }
        return response;
    }

    private static void checkPatch(JsonObject response, boolean mutating) throws WebhookException {
        boolean hasPatch = !response.string(PATCH).isEmpty();
        boolean hasType = response.has(PATCH_TYPE) && response.get(PATCH_TYPE) != JsonNull.NULL;
        if (!mutating && hasPatch) {
            throw invalid("validating webhook may not return response.patch");
        }
        if (!mutating && hasType) {
            throw invalid("validating webhook may not return response.patchType");
        }
        if (hasPatch && !hasType) {
            throw invalid("webhook returned response.patch but not response.patchType");
        }
        if (hasType && !hasPatch) {
            throw invalid("webhook returned response.patchType but not response.patch");
        }
        if (hasType && !response.string(PATCH_TYPE).equals("JSONPatch")) {
            throw new WebhookException(
                    "webhook returned unsupported patch type " + GoText.quoted(response.string(PATCH_TYPE)));
        }
    }

    private static WebhookException invalid(String why) {
        return new WebhookException("received invalid webhook response: " + why);
    }
}
