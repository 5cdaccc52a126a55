package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.transport.memory.fields.FieldTypes;
import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.validation.DataMapRules;
import io.kubeloop.transport.memory.validation.DeploymentTypes;
import io.kubeloop.transport.memory.validation.MicroTimes;
import io.kubeloop.transport.memory.validation.Quantities;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Converts an object from a client into its stored form: kind, version and metadata first, and no {@code null}
 * members, which mean the same as absent members.
 */
final class IncomingObject {

    private static final JsonCodec TYPES = JsonCodec.standard();

    private IncomingObject() {}

    /**
     * Reads an object that is to be stored.
     *
     * @throws ApiFailure 400 if the bytes are not an object of this kind
     */
    static JsonObject read(ResourceType<?> type, byte[] body) {
        JsonObject object = normalize(type, parse(type.kind(), body));
        try {
            requireTypes(type, object, body);
        } catch (DecodeException e) {
            throw ApiFailure.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": " + e.getMessage());
        }
        return object;
    }

    /**
     * Checks the types of all fields that have a Java record, of times and of quantities, and the data of
     * ConfigMaps and secrets. A stored object with a field of the wrong type would prevent every typed client from
     * decoding the lists that contain it.
     *
     * @throws DecodeException if a field has the wrong type
     */
    static void requireTypes(ResourceType<?> type, JsonObject object) {
        requireTypes(type, object, object.toBytes());
    }

    private static void requireTypes(ResourceType<?> type, JsonObject object, byte[] body) {
        DataMapRules.requireTypes(type, object);
        DeploymentTypes.requireTypes(type, object);
        MicroTimes.requireForm(type, object);
        Quantities.requireForm(object);
        FieldTypes.require(type.kind(), object);
        ResourceType<?> readAs = DeploymentTypes.readAs(type);
        byte[] read =
                readAs.equals(type) ? body : object.with("kind", readAs.kind()).toBytes();
        var unused = TYPES.decode(readAs, new ByteArrayInputStream(read));
    }

    /**
     * Reads the options of an operation, which are not stored.
     *
     * @param kind the required kind of the options
     * @throws ApiFailure 400 if the bytes are not a JSON object, or name another kind
     */
    static JsonObject readOptions(String kind, byte[] body) {
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
