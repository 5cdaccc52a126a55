package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Members;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Validation of the data of ConfigMaps and Secrets: strings, or bytes in Base64, by key. */
public final class DataMapRules {

    /**
     * The maximum size of all values of an object in bytes, without keys (upstream: {@code MaxSecretSize}, for both
     * kinds).
     */
    public static final int MAX_BYTES = 1 << 20;

    private static final ResourceType<?> CONFIG_MAPS = ofCore("configmaps", "ConfigMap");
    private static final ResourceType<?> SECRETS = ofCore("secrets", "Secret");

    private DataMapRules() {}

    private static ResourceType<?> ofCore(String plural, String kind) {
        return ResourceTypes.generic("", "v1", plural, kind, ResourceType.Scope.NAMESPACED);
    }

    /**
     * Checks that strings are strings, and that bytes are valid Base64.
     *
     * @throws DecodeException with upstream's message if a value is invalid
     */
    public static void requireTypes(ResourceType<?> type, JsonObject object) {
        if (type.equals(CONFIG_MAPS)) {
            requireStrings(type, "data", "string", object);
            requireBytes(type, "binaryData", object);
        } else if (type.equals(SECRETS)) {
            requireBytes(type, "data", object);
            requireStrings(type, "stringData", "string", object);
        }
    }

    private static void requireBytes(ResourceType<?> type, String field, JsonObject object) {
        requireStrings(type, field, "[]uint8", object);
        for (JsonValue value : object.object(field).members().values()) {
            int fault = Base64Text.errorIndex(((JsonString) value).value());
            if (fault >= 0) {
                throw new DecodeException("illegal base64 data at input byte " + fault, null);
            }
        }
    }

    private static void requireStrings(ResourceType<?> type, String field, String element, JsonObject object) {
        JsonValue map = object.get(field);
        if (map == null) {
            return;
        }
        if (!(map instanceof JsonObject values)) {
            throw typeMismatch(type, field, map, "map[string]" + element);
        }
        for (JsonValue value : values.members().values()) {
            if (!(value instanceof JsonString)) {
                throw typeMismatch(type, field, value, element);
            }
        }
    }

    private static DecodeException typeMismatch(ResourceType<?> type, String field, JsonValue value, String wanted) {
        return new DecodeException(
                "json: cannot unmarshal " + Members.typeOf(value) + " into Go struct field " + type.kind() + "." + field
                        + " of type " + wanted,
                null);
    }

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
