/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.FieldTracking;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.SubresourceHandler;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Responses the reviews: objects that are not stored, whose status is the answer. Immutable; thread-safe. */
public final class Reviews {

    private static final List<String> SERVERS_FIELDS =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink");

    private final ApiBackend backend;
    private final ServiceAccountTokens tokens;
    private final Authorizer authorizer;

    /**
     * Creates the answers of a server.
     *
     * @param backend the server
     * @param tokens the tokens of its service accounts
     * @param authorizer answers the questions about permissions
     */
    public Reviews(ApiBackend backend, ServiceAccountTokens tokens, Authorizer authorizer) {
        this.backend = backend;
        this.tokens = tokens;
        this.authorizer = authorizer;
    }

    /** Computes the answer to a review: usually the review with a status. */
    @FunctionalInterface
    private interface Answer {

        JsonObject of(JsonObject review, UserInfo user, FieldErrors errors);
    }

    /** Returns the handler of each kind of review, by {@code resource.group}. */
    public Map<String, SubresourceHandler> handlers() {
        return Map.of(
                "selfsubjectaccessreviews.authorization.k8s.io",
                        handler((review, user, errors) -> ofSelf(review, user, errors)),
                "subjectaccessreviews.authorization.k8s.io",
                        handler((review, user, errors) -> ofSubject(review, errors)),
                "localsubjectaccessreviews.authorization.k8s.io",
                        handler((review, user, errors) -> ofLocalSubject(review, errors)),
                "selfsubjectrulesreviews.authorization.k8s.io", handler((review, user, errors) -> rules(review, user)),
                "selfsubjectreviews.authentication.k8s.io", handler((review, user, errors) -> self(review, user)),
                "tokenreviews.authentication.k8s.io", handler((review, user, errors) -> token(review)));
    }

    private SubresourceHandler handler(Answer answer) {
        return (store, info, query, request) -> review(store, info, query, request, answer);
    }

    private ServerResponse review(
            ResourceStore store, RequestInfo info, Query query, ApiRequest request, Answer answer) {
        var options = query.writeOptions("CreateOptions");
        JsonObject sent = IncomingObject.read(store, request, options);
        JsonObject review = new FieldTracking(backend, store, "", options).created(placed(store, info, sent));
        FieldErrors errors = new FieldErrors();
        JsonObject answered = answer.of(review, query.user(), errors);
        if (!errors.isEmpty()) {
            throw StatusException.invalid(store.resource().type().group(), "", "", errors); // upstream has no kind here
        }
        return ServerResponse.Document.of(201, answered)
                .withWarnings(options.warnings().texts());
    }

    /** Returns the review in the namespace of the path, without the fields that only the server sets. */
    private static JsonObject placed(ResourceStore store, RequestInfo info, JsonObject sent) {
        JsonObject placed = sent;
        if (!info.namespace().isEmpty()) {
            IncomingObject.requireNamespace(sent, info.namespace());
            placed = Meta.with(sent, "namespace", info.namespace());
        }
        JsonObject metadata = Meta.of(placed);
        for (String field : SERVERS_FIELDS) {
            metadata = metadata.without(field);
        }
        if (metadata.equals(Meta.of(sent))) {
            return sent;
        }
        // Messages show the metadata in the order of its type.
        JsonObject review = placed.with("metadata", metadata);
        return store.definition().decoder().decode(review.toBytes()).object();
    }

    private JsonObject ofSelf(JsonObject review, UserInfo user, FieldErrors errors) {
        access(review.object("spec"), errors);
        unnamed(Meta.of(review), Meta.of(review), "must be empty", errors);
        return decided(review, user);
    }

    private JsonObject ofSubject(JsonObject review, FieldErrors errors) {
        subject(review.object("spec"), errors);
        unnamed(Meta.of(review), Meta.of(review), "must be empty", errors);
        return decided(review, subject(review.object("spec")));
    }

    private JsonObject ofLocalSubject(JsonObject review, FieldErrors errors) {
        JsonObject spec = review.object("spec");
        subject(spec, errors);
        JsonObject metadata = Meta.of(review);
        unnamed(metadata, metadata.without("namespace"), "must be empty except for namespace", errors);
        String namespace = spec.string("resourceAttributes", "namespace");
        if (spec.has("resourceAttributes") && !namespace.equals(metadata.string("namespace"))) {
            errors.invalid("spec.resourceAttributes.namespace", namespace, "must match metadata.namespace");
        }
        if (spec.has("nonResourceAttributes")) {
            errors.invalid("spec.nonResourceAttributes", shown(spec), "disallowed on this kind of request");
        }
        return decided(review, subject(spec));
    }

    private JsonObject decided(JsonObject review, UserInfo user) {
        Authorizer.Decision decision = authorizer.decide(user, question(review.object("spec")));
        JsonObject status = JsonObject.EMPTY.with("allowed", decision.allowed());
        return review.with("status", decision.reason().isEmpty() ? status : status.with("reason", decision.reason()));
    }

    private static UserInfo subject(JsonObject spec) {
        Map<String, List<String>> extra = new TreeMap<>();
        spec.object("extra")
                .members()
                .keySet()
                .forEach(
                        key -> extra.put(key, spec.array("extra", key).strings().toList()));
        return new UserInfo(
                spec.string("user"),
                spec.string("uid"),
                spec.array("groups").strings().toList(),
                extra);
    }

    private static AccessRequest question(JsonObject spec) {
        if (spec.has("nonResourceAttributes")) {
            JsonObject path = spec.object("nonResourceAttributes");
            return AccessRequest.ofPath(path.string("verb"), path.string("path"));
        }
        JsonObject resource = spec.object("resourceAttributes");
        return AccessRequest.of(
                resource.string("verb"),
                new AccessRequest.Target(
                        resource.string("group"),
                        resource.string("resource"),
                        resource.string("subresource"),
                        resource.string("namespace"),
                        resource.string("name")));
    }

    /** Adds an error if a review has metadata of the client. */
    private static void unnamed(JsonObject shown, JsonObject metadata, String why, FieldErrors errors) {
        if (!metadata.without("managedFields").isEmpty()) {
            errors.invalid("metadata", shown, why);
        }
    }

    private static void subject(JsonObject spec, FieldErrors errors) {
        access(spec, errors);
        if (spec.string("user").isEmpty() && spec.array("groups").isEmpty()) {
            errors.invalid("spec.user", new JsonString(""), "at least one of user or group must be specified");
        }
    }

    private static void access(JsonObject spec, FieldErrors errors) {
        boolean ofPath = spec.has("nonResourceAttributes");
        if (spec.has("resourceAttributes") == ofPath) {
            errors.invalid(
                    "spec",
                    ofPath ? shown(spec) : JsonNull.NULL,
                    "exactly one of nonResourceAttributes or resourceAttributes must be specified");
        }
        FieldCursor resource =
                FieldCursor.of(JsonObject.of("spec", spec), errors).at("spec", "resourceAttributes");
        selector(resource.at("fieldSelector"), Reviews::fieldRequirement);
        selector(resource.at("labelSelector"), requirement -> SelectorRules.expression(requirement, true));
    }

    private static JsonObject shown(JsonObject spec) {
        return InternalForm.of("authorization.v1.NonResourceAttributes", spec.object("nonResourceAttributes"));
    }

    private static void selector(FieldCursor selector, Consumer<FieldCursor> requirement) {
        if (!selector.isSet()) {
            return;
        }
        FieldCursor raw = selector.at("rawSelector");
        FieldCursor requirements = selector.at("requirements");
        if (!raw.isEmpty() && !requirements.isEmpty()) {
            raw.invalid("may not specified at the same time as requirements");
        }
        if (raw.isEmpty() && requirements.isEmpty()) {
            requirements.required("when " + selector.path() + " is specified, requirements or rawSelector is required");
        }
        requirements.each(requirement);
    }

    private static void fieldRequirement(FieldCursor requirement) {
        if (requirement.at("key").isEmpty()) {
            requirement.at("key").required("must be specified");
        }
        SelectorRules.values(requirement, true);
    }

    /** Returns the answer without the metadata and the content of the request. */
    private static JsonObject anew(JsonObject review, JsonObject metadata) {
        return JsonObject.EMPTY
                .with("kind", review.string("kind"))
                .with("apiVersion", review.string("apiVersion"))
                .with("metadata", metadata);
    }

    private JsonObject rules(JsonObject review, UserInfo user) {
        String namespace = review.string("spec", "namespace");
        if (namespace.isEmpty()) {
            throw StatusException.badRequest("no namespace on request");
        }
        List<JsonObject> rules = authorizer.rules(user, namespace);
        JsonObject status = JsonObject.of("resourceRules", with(rules, "resources"))
                .with("nonResourceRules", with(rules, "nonResourceURLs"))
                .with("incomplete", false);
        return anew(review, JsonObject.EMPTY).with("spec", JsonObject.EMPTY).with("status", status);
    }

    private static JsonArray with(List<JsonObject> rules, String list) {
        return JsonArray.of(
                rules.stream().filter(rule -> !rule.array(list).isEmpty()).toList());
    }

    private JsonObject self(JsonObject review, UserInfo user) {
        JsonObject metadata =
                JsonObject.EMPTY.with("creationTimestamp", backend.now().toString());
        return anew(review, metadata).with("status", JsonObject.EMPTY.with("userInfo", user.document()));
    }

    private JsonObject token(JsonObject review) {
        JsonObject spec = review.object("spec");
        if (spec.string("token").isEmpty()) {
            throw StatusException.badRequest("token is required for TokenReview in authentication");
        }
        JsonObject status = tokens.review(
                spec.string("token"), spec.array("audiences").strings().toList());
        return review.with("status", status);
    }
}
