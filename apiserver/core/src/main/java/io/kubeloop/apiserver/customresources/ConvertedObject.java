/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.apiserver.rest.WebhookException;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.typed.GoText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the objects that a conversion webhook returns: only labels and annotations of the metadata can change
 * (upstream: {@code validateConvertedObject} and {@code restoreObjectMeta}). Static functions only.
 */
final class ConvertedObject {

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
            throw new WebhookException("invalid metadata of type " + GoText.type(returned) + " in converted object");
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
