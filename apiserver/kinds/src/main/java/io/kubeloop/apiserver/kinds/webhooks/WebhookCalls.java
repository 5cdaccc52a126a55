/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.expressions.RequestVariables;
import io.kubeloop.apiserver.kinds.requests.MatchConditions;
import io.kubeloop.apiserver.kinds.requests.MatchConditions.ConditionException;
import io.kubeloop.apiserver.kinds.requests.RequestDocument;
import io.kubeloop.apiserver.kinds.requests.RequestFacts;
import io.kubeloop.apiserver.kinds.requests.RequestMatcher;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.apiserver.rest.WebhookSender;
import io.kubeloop.apiserver.storage.PersistentSortedMap;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the webhooks of one kind of configuration, and calls them (upstream: {@code
 * apiserver/pkg/admission/plugin/webhook/generic}).
 *
 * <p>Thread-safe. A call runs on the thread of the request and holds no lock.
 */
final class WebhookCalls {

    private static final Logger log = LoggerFactory.getLogger(WebhookCalls.class);

    private static final int MIN_REJECTION = 400;

    private final ApiBackend backend;
    private final ResourceStore configurations;
    private final boolean mutating;
    private final RequestMatcher matcher;
    private final ServiceResolver services;

    /** Null if the server has no compiler of expressions. */
    private final @Nullable RequestFacts facts;

    // Replaced when the configurations change. Threads that read them at the same time store equal ones.
    private volatile Read read = new Read(PersistentSortedMap.empty(), List.of());

    /** The webhooks of a state of the storage, in the order of their calls. */
    private record Read(PersistentSortedMap<StoredObject> source, List<Webhook> hooks) {}

    WebhookCalls(ApiBackend backend, ResourceStore configurations, boolean mutating) {
        this.backend = backend;
        this.configurations = configurations;
        this.mutating = mutating;
        matcher = new RequestMatcher(backend);
        services = backend.kinds().services(backend);
        facts = RequestFacts.installed(backend);
    }

    /**
     * Returns the webhooks that may receive a write, by the name of their configuration. O(1) while nothing changes.
     */
    List<Webhook> hooks(AdmissionRequest request) {
        PersistentSortedMap<StoredObject> source = request.now().of(configurations.bucket());
        Read known = read;
        if (known.source() != source) {
            List<Webhook> hooks = new ArrayList<>();
            configurations
                    .objects(request.now(), "")
                    .forEach(configuration ->
                            configuration.tree().array("webhooks").objects().forEach(hook -> hooks.add(read(hook))));
            known = new Read(source, List.copyOf(hooks));
            read = known;
        }
        return RequestMatcher.isExempt(request.store()) ? List.of() : known.hooks();
    }

    private Webhook read(JsonObject hook) {
        JsonArray conditions = hook.array("matchConditions");
        if (conditions.isEmpty()) {
            return Webhook.of(hook, MatchConditions.NONE);
        }
        if (facts == null) {
            log.warn(
                    "The matchConditions of webhook {} are not evaluated, because the module kubeloop-apiserver-cel is "
                            + "absent; it receives every request that its rules and selectors match",
                    hook.string("name"));
            return Webhook.of(hook, MatchConditions.NONE);
        }
        RequestVariables variables = facts.variables();
        return Webhook.of(
                hook, MatchConditions.of(variables.compiler(), conditions, variables.types(false, true, null)));
    }

    /** Returns the resource in whose version a webhook receives a write; see {@link RequestMatcher#match}. */
    @Nullable
    ResourceStore match(Webhook hook, AdmissionRequest request, @Nullable JsonObject object) {
        ResourceStore matched = matcher.match(hook.match(), request, object);
        if (matched == null || facts == null || hook.conditions().conditions().isEmpty()) {
            return matched;
        }
        try {
            boolean matches = hook.conditions().match(facts.of(request, matched, object, null), hook.ignoresFailures());
            return matches ? matched : null;
        } catch (ConditionException e) {
            throw request.forbidden(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Calls a webhook and returns its response; null if the call has failed and the webhook ignores failures.
     *
     * @param matched the resource in whose version the webhook receives the objects
     * @param object the object after the write; null at deletion
     * @throws StatusException if the webhook rejects the write, or cannot be called
     */
    @Nullable
    JsonObject call(Webhook hook, AdmissionRequest request, ResourceStore matched, @Nullable JsonObject object) {
        if (request.dryRun() && !hook.supportsDryRun()) {
            throw StatusException.badRequest(
                    "admission webhook " + GoText.quoted(hook.name()) + " does not support dry run");
        }
        String uid = backend.names().uid();
        String version = WebhookSender.reviewVersion(hook.spec().array("admissionReviewVersions"));
        JsonObject review = AdmissionReview.of(RequestDocument.of(uid, backend, request, matched, object), version);
        JsonObject response;
        try {
            response = AdmissionReview.response(answer(hook, review), uid, version, mutating);
        } catch (WebhookException e) {
            String problem = "failed calling webhook " + GoText.quoted(hook.name()) + ": " + e.getMessage();
            if (hook.ignoresFailures()) {
                log.warn("A webhook was skipped: {}; its failurePolicy is Ignore", problem);
                return null;
            }
            throw StatusException.internalError(problem);
        }
        response.array("warnings").strings().forEach(request.options().warnings()::add);
        if (!response.bool("allowed")) {
            throw denied(hook, response.object("status"));
        }
        if (object == null
                && request.operation() == Operation.DELETE
                && !response.string("patch").isEmpty()) {
            throw StatusException.internalError("admission webhook " + GoText.quoted(hook.name())
                    + " attempted to modify the object, which is not supported for this operation");
        }
        return response;
    }

    private JsonObject answer(Webhook hook, JsonObject review) throws WebhookException {
        try {
            return hook.client().call(review, hook.timeout(), services);
        } catch (WebhookException e) {
            throw new WebhookException("failed to call webhook: " + e.getMessage(), e);
        }
    }

    /** Returns the status of a rejection; a webhook can set the code, the reason and the details. */
    private static StatusException denied(Webhook hook, JsonObject status) {
        String denied = "admission webhook " + GoText.quoted(hook.name()) + " denied the request";
        String reason = status.string("reason");
        String message = status.string("message");
        Long code = status.number("code");
        String explained = !message.isEmpty()
                ? denied + ": " + message
                : reason.isEmpty() ? denied + " without explanation" : denied + ": " + reason;
        return StatusException.denied(
                code == null || code < MIN_REJECTION ? MIN_REJECTION : Math.toIntExact(code),
                reason,
                explained,
                status.get("details") instanceof JsonObject details ? details : null);
    }

    /**
     * The documents that the server and a webhook exchange (upstream: {@code
     * apiserver/pkg/admission/plugin/webhook/request}). Static functions only.
     */
    private static final class AdmissionReview {

        private static final String GROUP = "admission.k8s.io";
        private static final String KIND = "AdmissionReview";
        private static final String PATCH = "patch";
        private static final String PATCH_TYPE = "patchType";

        private AdmissionReview() {}

        /**
         * Returns the review that a webhook receives.
         *
         * @param request the request as documents describe it
         * @param version the version of the review: {@code v1} or {@code v1beta1}
         */
        static JsonObject of(JsonObject request, String version) {
            return JsonObject.EMPTY
                    .with("kind", KIND)
                    .with("apiVersion", GROUP + "/" + version)
                    .with("request", request);
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
}
