package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.machinery.UserInfo;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.Query;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.SubresourceHandler;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Map;

/** Answers the reviews: objects that are not stored, whose status is the answer. Immutable; thread-safe. */
public final class Reviews {

    private static final JsonArray ANYTHING = JsonArray.ofStrings(List.of("*"));

    private final ServiceAccountTokens tokens;

    /** Creates the answers of a server whose service accounts have these tokens. */
    public Reviews(ServiceAccountTokens tokens) {
        this.tokens = tokens;
    }

    /** Computes the status of a review. */
    @FunctionalInterface
    private interface Answer {

        JsonObject status(JsonObject spec, UserInfo user, FieldErrors errors);
    }

    /** Returns the handler of each kind of review, by {@code resource.group}. */
    public Map<String, SubresourceHandler> handlers() {
        return Map.of(
                "selfsubjectaccessreviews.authorization.k8s.io", handler((spec, user, errors) -> access(spec, errors)),
                "subjectaccessreviews.authorization.k8s.io", handler((spec, user, errors) -> ofSubject(spec, errors)),
                "localsubjectaccessreviews.authorization.k8s.io",
                        handler((spec, user, errors) -> ofSubject(spec, errors)),
                "selfsubjectrulesreviews.authorization.k8s.io", handler((spec, user, errors) -> rules()),
                "selfsubjectreviews.authentication.k8s.io", handler((spec, user, errors) -> self(user)),
                "tokenreviews.authentication.k8s.io", handler((spec, user, errors) -> token(spec, errors)));
    }

    private static SubresourceHandler handler(Answer answer) {
        return (store, info, query, request) -> review(store, query, request, answer);
    }

    private static ServerResponse review(ResourceStore store, Query query, ApiRequest request, Answer answer) {
        var options = query.writeOptions("CreateOptions");
        JsonObject review = IncomingObject.read(store, ApiHandler.json(request), options);
        FieldErrors errors = new FieldErrors();
        JsonObject status = answer.status(review.object("spec"), query.user(), errors);
        if (!errors.isEmpty()) {
            throw store.invalid("", errors);
        }
        return ServerResponse.Document.of(201, review.with("status", status))
                .withWarnings(options.warnings().texts());
    }

    private static JsonObject ofSubject(JsonObject spec, FieldErrors errors) {
        JsonObject status = access(spec, errors);
        if (spec.string("user").isEmpty() && spec.array("groups").isEmpty()) {
            errors.invalid("spec.user", new JsonString(""), "at least one of user or group must be specified");
        }
        return status;
    }

    private static JsonObject access(JsonObject spec, FieldErrors errors) {
        boolean ofResource = spec.has("resourceAttributes");
        boolean ofPath = spec.has("nonResourceAttributes");
        if (ofResource && ofPath) {
            errors.invalid(
                    "spec.nonResourceAttributes",
                    spec.object("nonResourceAttributes"),
                    "cannot be specified in combination with resourceAttributes");
        } else if (!ofResource && !ofPath) {
            errors.invalid(
                    "spec.resourceAttributes",
                    JsonNull.NULL,
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        return JsonObject.EMPTY.with("allowed", true);
    }

    private static JsonObject rules() {
        JsonObject ofResources =
                JsonObject.of("verbs", ANYTHING).with("apiGroups", ANYTHING).with("resources", ANYTHING);
        JsonObject ofPaths = JsonObject.of("verbs", ANYTHING).with("nonResourceURLs", ANYTHING);
        return JsonObject.of("resourceRules", JsonArray.of(ofResources))
                .with("nonResourceRules", JsonArray.of(ofPaths))
                .with("incomplete", false);
    }

    private static JsonObject self(UserInfo user) {
        JsonObject.Builder extra = JsonObject.builder();
        user.extra().forEach((key, values) -> extra.put(key, JsonArray.ofStrings(values)));
        JsonObject.Builder shown = JsonObject.builder().put("username", user.name());
        if (!user.uid().isEmpty()) {
            shown.put("uid", user.uid());
        }
        shown.put("groups", JsonArray.ofStrings(user.groups()));
        if (!user.extra().isEmpty()) {
            shown.put("extra", extra.build());
        }
        return JsonObject.EMPTY.with("userInfo", shown.build());
    }

    private JsonObject token(JsonObject spec, FieldErrors errors) {
        if (spec.string("token").isEmpty()) {
            errors.required("spec.token", "");
        }
        return tokens.review(
                spec.string("token"), spec.array("audiences").strings().toList());
    }
}
