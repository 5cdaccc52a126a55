/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.webhooks;

import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.typed.GoText;

/**
 * The documents that the server and a webhook exchange (upstream: {@code
 * apiserver/pkg/admission/plugin/webhook/request}). Static functions only.
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
