/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.definitions.Crd;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.apiserver.rest.WebhookSender;
import io.kubeloop.apiserver.storage.codec.StorageCodec;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts custom resources with a webhook (upstream: {@code webhook_converter.go}). Objects that have the wanted
 * version already are not sent. Immutable; thread-safe. A call blocks for at most about {@link #TIMEOUT}.
 *
 * <p>Unlike upstream, which sends each object of a list on its own, one request contains all objects that are to be
 * converted.
 */
final class WebhookConversion implements StorageCodec {

    /** Upstream's time limit of a conversion. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final VersionSchemas schemas;
    private final String servedVersion;
    private final String storageVersion;
    private final String reviewVersion;
    private final WebhookSender webhook;
    private final Supplier<String> uids;

    /**
     * Creates a conversion.
     *
     * @param definition the definition of the resource
     * @param servedVersion the {@code apiVersion} of served objects
     * @param webhook sends reviews to the webhook of the definition
     * @param uids supplies the identities of the reviews
     */
    WebhookConversion(Crd definition, String servedVersion, WebhookSender webhook, Supplier<String> uids) {
        schemas = VersionSchemas.of(definition);
        this.servedVersion = servedVersion;
        storageVersion = definition.storageApiVersion();
        reviewVersion =
                WebhookSender.reviewVersion(definition.conversion().array("webhook", "conversionReviewVersions"));
        this.webhook = webhook;
        this.uids = uids;
    }

    @Override
    public JsonObject encode(JsonObject object) {
        return converted(List.of(object), storageVersion).get(0);
    }

    @Override
    public List<JsonObject> decode(List<JsonObject> objects) {
        return converted(objects.stream().map(schemas::completed).toList(), servedVersion);
    }

    /** Returns the objects in a version; those that have it already are not sent. */
    private List<JsonObject> converted(List<JsonObject> objects, String wanted) {
        List<JsonObject> outdated = objects.stream()
                .filter(object -> !object.string("apiVersion").equals(wanted))
                .toList();
        if (outdated.isEmpty()) {
            return objects;
        }
        outdated.forEach(this::checkVersion);
        List<JsonObject> answers = answers(outdated, wanted);
        List<JsonObject> all = new ArrayList<>(objects.size());
        int next = 0;
        for (JsonObject object : objects) {
            boolean isUpToDate = object.string("apiVersion").equals(wanted);
            all.add(isUpToDate ? object : schemas.pruned(answers.get(next)));
            next += isUpToDate ? 0 : 1;
        }
        return all;
    }

    private void checkVersion(JsonObject object) {
        String version = object.string("apiVersion");
        if (!schemas.has(version)) {
            throw StatusException.unclassified("request to convert CR from an invalid group/version: " + version);
        }
    }

    private List<JsonObject> answers(List<JsonObject> sent, String wanted) {
        boolean isSingle = sent.size() == 1;
        JsonObject first = sent.get(0);
        // The kind of a list is that of its request.
        String prefix = "conversion webhook for "
                + (isSingle
                        ? first.string("apiVersion") + ", Kind=" + first.string("kind")
                        : wanted + ", Kind=" + first.string("kind") + "List");
        List<JsonValue> returned = call(prefix, sent, wanted);
        if (returned.size() != sent.size()) {
            throw StatusException.unclassified(
                    prefix + " returned " + returned.size() + " objects, expected " + sent.size());
        }
        List<JsonObject> answers = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            answers.add(answer(prefix, isSingle, i, sent.get(i), returned.get(i), wanted));
        }
        return answers;
    }

    private List<JsonValue> call(String prefix, List<JsonObject> objects, String wanted) {
        // As upstream, the storage does not keep the resource version inside of the object.
        List<JsonObject> stored = objects.stream()
                .map(object -> Meta.without(object, "resourceVersion"))
                .toList();
        String uid = uids.get();
        try {
            JsonObject review = webhook.send(ConversionReview.request(reviewVersion, uid, wanted, stored), TIMEOUT);
            return ConversionReview.response(review, reviewVersion, uid);
        } catch (WebhookException e) {
            throw StatusException.unclassified(prefix + " failed: " + e.getMessage());
        }
    }

    private static JsonObject answer(
            String prefix, boolean isSingle, int index, JsonObject sent, JsonValue returned, String wanted) {
        String at = " at index " + index + ": ";
        String returnedInvalid = prefix + " returned invalid ";
        JsonObject converted = object(returned);
        String step = isSingle ? "object" + at : "converted object" + at;
        try {
            ConvertedObject.check(sent, converted, wanted);
            step = isSingle ? "object: " : "converted object" + at;
            ConvertedObject.checkIdentity(sent, converted);
            step = isSingle ? "metadata: " : "metadata in object" + at;
            return ConvertedObject.withMetadata(sent, converted);
        } catch (WebhookException e) {
            throw StatusException.unclassified(returnedInvalid + step + e.getMessage());
        }
    }

    private static JsonObject object(JsonValue returned) {
        if (returned == JsonNull.NULL) {
            throw StatusException.unclassified("unexpected end of JSON input");
        }
        if (returned instanceof JsonObject object && !object.string("kind").isEmpty()) {
            return object;
        }
        throw StatusException.unclassified("Object 'Kind' is missing in '" + returned + "'");
    }

    /**
     * The documents that the server and a conversion webhook exchange (upstream: {@code createConversionReviewObjects}
     * and {@code getConvertedObjectsFromResponse}). Static functions only.
     */
    private static final class ConversionReview {

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
                throw new WebhookException("expected response.uid=" + GoText.quoted(uid) + ", got "
                        + GoText.quoted(response.string("uid")));
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
                            : "no kind " + GoText.quoted(kind) + " is registered for version "
                                    + GoText.quoted(apiVersion) + " in scheme \"pkg/runtime/scheme.go:111\"");
        }
    }

    /**
     * The rules of the objects that a conversion webhook returns: only labels and annotations of the metadata can
     * change (upstream: {@code validateConvertedObject} and {@code restoreObjectMeta}). Static functions only.
     */
    private static final class ConvertedObject {

        private static final String LABELS = "labels";

        private ConvertedObject() {}

        /**
         * Checks that a converted object is the same object in the wanted version.
         *
         * @throws WebhookException if it is another object, or has another version
         */
        static void check(JsonObject original, JsonObject converted, String wanted) throws WebhookException {
            String version = converted.string("apiVersion");
            if (!version.equals(wanted)) {
                throw new WebhookException("invalid groupVersion (expected " + wanted + ", received " + version + ")");
            }
            String kind = original.string("kind");
            if (!converted.string("kind").equals(kind)) {
                throw new WebhookException(
                        "invalid kind (expected " + kind + ", received " + converted.string("kind") + ")");
            }
        }

        /**
         * Checks that a converted object names the same object.
         *
         * @throws WebhookException if its name, namespace or UID is another
         */
        static void checkIdentity(JsonObject original, JsonObject converted) throws WebhookException {
            checkSame("name", Meta.name(original), Meta.name(converted));
            checkSame("namespace", Meta.namespace(original), Meta.namespace(converted));
            checkSame("UID", Meta.uid(original), Meta.uid(converted));
        }

        private static void checkSame(String what, String expected, String actual) throws WebhookException {
            if (!expected.equals(actual)) {
                throw new WebhookException("must have the same " + what + ": " + expected + " != " + actual);
            }
        }

        /**
         * Returns a converted object with the metadata of the original, except for labels and annotations.
         *
         * @throws WebhookException if the metadata is missing, or the labels or annotations are invalid
         */
        static JsonObject withMetadata(JsonObject original, JsonObject converted) throws WebhookException {
            JsonValue returned = converted.get("metadata");
            if (returned == null) {
                throw new WebhookException("missing metadata in converted object");
            }
            if (!(returned instanceof JsonObject metadata)) {
                throw new WebhookException(
                        "invalid metadata of type " + GoText.type(returned) + " in converted object");
            }
            JsonObject kept = Meta.of(original);
            for (String field : List.of(LABELS, "annotations")) {
                kept = withTexts(kept, field, metadata.get(field));
            }
            return converted.with("metadata", kept);
        }

        private static JsonObject withTexts(JsonObject metadata, String field, @Nullable JsonValue returned)
                throws WebhookException {
            if (returned == null || returned == JsonNull.NULL) {
                return metadata.without(field);
            }
            if (!(returned instanceof JsonObject texts)) {
                throw new WebhookException(
                        "invalid metadata." + field + " of type " + GoText.type(returned) + " in converted object");
            }
            for (Map.Entry<String, JsonValue> text : texts.members().entrySet()) {
                if (!(text.getValue() instanceof JsonString)) {
                    throw new WebhookException("metadata." + field + "[" + text.getKey() + "] must be a string, but is "
                            + GoText.type(text.getValue()) + " in converted object");
                }
            }
            if (!texts.equals(metadata.object(field))) {
                validate(field, texts);
            }
            return metadata.with(field, texts);
        }

        private static void validate(String field, JsonObject texts) throws WebhookException {
            FieldErrors errors = new FieldErrors();
            if (field.equals(LABELS)) {
                MetaValidation.labels("metadata.labels", texts, errors);
            } else {
                MetaValidation.annotations("metadata.annotation", texts, errors); // upstream's path lacks the s
            }
            if (!errors.isEmpty()) {
                throw new WebhookException(errors.message());
            }
        }
    }
}
