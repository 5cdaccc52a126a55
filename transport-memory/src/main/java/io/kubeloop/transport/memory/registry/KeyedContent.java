package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What ConfigMaps and secrets hold: texts, or bytes in Base64, by key. */
final class KeyedContent {

    /** All values of one object together, keys not counted (upstream: {@code MaxSecretSize}, for both). */
    static final int MAX_BYTES = 1 << 20;

    private KeyedContent() {}

    /** Complains about keys and about values that are no texts; returns the size of the rest. */
    static long checkTexts(String field, JsonObject object, FieldErrors errors) {
        long size = 0;
        for (Map.Entry<String, JsonValue> entry : object.object(field).members().entrySet()) {
            String path = checkKey(field, entry.getKey(), errors);
            if (entry.getValue() instanceof JsonString text) {
                size += text.value().getBytes(StandardCharsets.UTF_8).length;
            } else {
                errors.text(path, entry.getValue());
            }
        }
        return size;
    }

    /** Complains about keys and about values that are no Base64; returns the size of what the rest stands for. */
    static long checkBytes(String field, JsonObject object, FieldErrors errors) {
        long size = 0;
        for (Map.Entry<String, JsonValue> entry : object.object(field).members().entrySet()) {
            String path = checkKey(field, entry.getKey(), errors);
            byte[] bytes = decode(entry.getValue());
            if (bytes == null) {
                errors.invalid(path, "<redacted>", "must be base64");
            } else {
                size += bytes.length;
            }
        }
        return size;
    }

    private static String checkKey(String field, String key, FieldErrors errors) {
        String path = field + "[" + key + "]";
        errors.invalid(path, key, NameValidation.configMapKey(key));
        return path;
    }

    /** Returns what Base64 stands for; null if it is none. */
    static byte @Nullable [] decode(@Nullable JsonValue value) {
        if (!(value instanceof JsonString text)) {
            return null;
        }
        try {
            return Base64.getDecoder().decode(text.value());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
