package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Converts an object from a client into its stored form: kind, version and metadata first, and no {@code null}
 * members, which mean the same as absent members.
 */
public final class IncomingObject {

    private IncomingObject() {}

    /**
     * Reads an object that is to be stored.
     *
     * @throws ApiFailure 400 if the bytes are not an object of this kind
     */
    static JsonObject read(ResourceStore store, byte[] body) {
        ResourceType<?> type = store.resource().type();
        JsonObject object = normalize(type, parse(type.kind(), body));
        try {
            store.types().require(object, body);
        } catch (DecodeException e) {
            throw ApiFailure.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": " + e.getMessage());
        }
        return object;
    }

    /**
     * Reads the options of an operation, which are not stored.
     *
     * @param kind the required kind of the options
     * @throws ApiFailure 400 if the bytes are not a JSON object, or name another kind
     */
    public static JsonObject readOptions(String kind, byte[] body) {
        JsonObject requested = parse(kind, body);
        String specified = requested.string("kind");
        if (!specified.isEmpty() && !specified.equals(kind)) {
            throw ApiFailure.badRequest(specified + " in version \"" + requested.string("apiVersion")
                    + "\" cannot be handled as a " + kind);
        }
        return requested;
    }

    private static JsonObject parse(String kind, byte[] body) {
        try {
            return JsonObject.parse(body);
        } catch (DecodeException e) {
            throw ApiFailure.badRequest("the object provided is unrecognized (must be of type " + kind
                    + "): couldn't get version/kind; json parse error: " + e.getMessage());
        }
    }

    /**
     * Converts an object into its stored form.
     *
     * @throws ApiFailure 400 if the object is of another kind
     */
    static JsonObject normalize(ResourceType<?> type, JsonObject object) {
        String kind = object.string("kind");
        String apiVersion = object.string("apiVersion");
        if (!kind.isEmpty() && !kind.equals(type.kind())) {
            throw ApiFailure.badRequest(
                    kind + " in version \"" + apiVersion + "\" cannot be handled as a " + type.kind());
        }
        if (!apiVersion.isEmpty() && !apiVersion.equals(type.apiVersion())) {
            throw ApiFailure.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
        JsonObject.Builder stored = JsonObject.builder()
                .put("kind", type.kind())
                .put("apiVersion", type.apiVersion())
                .put("metadata", metadata(object));
        object.members().forEach((name, value) -> {
            if (value != JsonNull.NULL && stored.get(name) == null) {
                stored.put(name, withoutNulls(value));
            }
        });
        return stored.build();
    }

    /**
     * The server does not track field ownership, {@code selfLink} no longer exists, and empty members are not
     * stored.
     */
    private static JsonValue metadata(JsonObject object) {
        JsonObject metadata = object.object("metadata").without("managedFields").without("selfLink");
        JsonObject result = metadata;
        for (Map.Entry<String, JsonValue> member : metadata.members().entrySet()) {
            if (member.getValue().equals(JsonObject.EMPTY) || member.getValue().equals(JsonArray.EMPTY)) {
                result = result.without(member.getKey());
            }
        }
        return withoutNulls(result);
    }

    /** Returns the same value if it holds no null members. */
    private static JsonValue withoutNulls(JsonValue value) {
        if (value instanceof JsonObject object) {
            JsonObject result = object;
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                JsonValue kept = withoutNulls(member.getValue());
                if (kept == JsonNull.NULL) {
                    result = result.without(member.getKey());
                } else if (isOther(kept, member.getValue())) {
                    result = result.with(member.getKey(), kept);
                }
            }
            return result;
        }
        if (value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>(array.size());
            boolean changed = false;
            for (JsonValue element : array) {
                JsonValue kept = withoutNulls(element);
                changed |= isOther(kept, element);
                elements.add(kept);
            }
            return changed ? JsonArray.of(elements) : array;
        }
        return value;
    }

    @SuppressWarnings("ReferenceEquality") // unchanged values are identical
    private static boolean isOther(JsonValue one, JsonValue two) {
        return one != two;
    }
}
