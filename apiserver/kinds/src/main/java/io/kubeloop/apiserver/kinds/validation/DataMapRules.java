/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Validation of the data of ConfigMaps and Secrets: strings, or bytes in Base64, by key. */
public final class DataMapRules {

    /**
     * The maximum size of all values of an object in bytes, without keys (upstream: {@code MaxSecretSize}, for both
     * kinds).
     */
    public static final int MAX_BYTES = 1 << 20;

    private DataMapRules() {}

    /** Validates the keys; returns the size of the strings in bytes. */
    public static long checkTexts(String field, JsonObject object, FieldErrors errors) {
        long size = 0;
        for (String key : object.object(field).members().keySet()) {
            checkKey(field, key, errors);
            size += object.string(field, key).getBytes(StandardCharsets.UTF_8).length;
        }
        return size;
    }

    /** Validates the keys; returns the size of the decoded values in bytes. */
    public static long checkBytes(String field, JsonObject object, FieldErrors errors) {
        long size = 0;
        for (String key : object.object(field).members().keySet()) {
            checkKey(field, key, errors);
            size += Base64Text.decode(object.string(field, key)).length;
        }
        return size;
    }

    /**
     * Returns the object with its Base64 values in canonical form, without the line breaks that some clients
     * insert.
     */
    public static JsonObject canonical(String field, JsonObject object) {
        JsonObject result = object;
        for (String key : object.object(field).members().keySet()) {
            String given = object.string(field, key);
            String canonical = Base64Text.encode(Base64Text.decode(given));
            if (!canonical.equals(given)) {
                result = result.with(List.of(field, key), canonical);
            }
        }
        return result;
    }

    private static void checkKey(String field, String key, FieldErrors errors) {
        errors.invalid(field + "[" + key + "]", key, NameValidation.configMapKey(key));
    }
}
