/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import java.util.List;

/**
 * The documents that the server and a conversion webhook exchange (upstream: {@code createConversionReviewObjects} and
 * {@code getConvertedObjectsFromResponse}). Static functions only.
 */
final class ConversionReview {

    private static final String GROUP = "apiextensions.k8s.io";
    private static final String KIND = "ConversionReview";

    private ConversionReview() {}

    /**
     * Returns the review that a webhook receives.
     *
     * @param version the version of the review: {@code v1} or {@code v1beta1}
     * @param uid identifies the review
     * @param wanted the {@code apiVersion} into which the objects are to be converted
     */
    static JsonObject request(String version, String uid, String wanted, List<JsonObject> objects) {
        JsonObject request = JsonObject.builder()
                .put("uid", uid)
                .put("desiredAPIVersion", wanted)
                .put("objects", JsonArray.of(objects))
                .build();
        JsonObject empty = JsonObject.builder()
                .put("uid", "")
                .put("convertedObjects", JsonNull.NULL)
                .put("result", JsonObject.EMPTY.with("metadata", JsonObject.EMPTY))
                .build();
        return JsonObject.EMPTY
                .with("kind", KIND)
                .with("apiVersion", GROUP + "/" + version)
                .with("request", request)
                .with("response", empty);
    }

    /**
     * Returns the converted objects of a review that a webhook has sent.
     *
     * @throws WebhookException if the document is not the answer to the request, or reports a failure
     */
    static List<JsonValue> response(JsonObject review, String version, String uid) throws WebhookException {
        if (version.equals("v1")) {
            checkKind(review);
        }
        if (!(review.get("response") instanceof JsonObject response)) {
            throw new WebhookException("no response provided");
        }
        if (version.equals("v1") && !response.string("uid").equals(uid)) {
            throw new WebhookException(
                    "expected response.uid=" + GoText.quoted(uid) + ", got " + GoText.quoted(response.string("uid")));
        }
        String status = response.string("result", "status");
        if (!status.equals("Success")) {
            String message = response.string("result", "message");
            throw new WebhookException(
                    message.isEmpty() ? "response.result.status was '" + status + "', not 'Success'" : message);
        }
        return response.array("convertedObjects").elements();
    }

    private static void checkKind(JsonObject review) throws WebhookException {
        String apiVersion = review.string("apiVersion");
        String kind = review.string("kind");
        if (apiVersion.equals(GROUP + "/v1") && kind.equals(KIND)) {
            return;
        }
        if (apiVersion.isEmpty() && kind.isEmpty()) {
            throw new WebhookException(
                    "expected webhook response of " + GROUP + "/v1, Kind=" + KIND + ", got /, Kind=");
        }
        throw new WebhookException(
                apiVersion.equals(GROUP + "/v1beta1") && kind.equals(KIND)
                        ? "converting (v1beta1." + KIND + ") to (v1." + KIND + "): unknown conversion"
                        : "no kind " + GoText.quoted(kind) + " is registered for version " + GoText.quoted(apiVersion)
                                + " in scheme \"pkg/runtime/scheme.go:111\"");
    }
}
