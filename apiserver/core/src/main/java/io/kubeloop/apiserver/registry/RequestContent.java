/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request with a body in JSON, or in the protocol buffers of the served kind (upstream: {@code
 * negotiation.NegotiateInputSerializer}). Immutable.
 *
 * @param request the request
 * @param duplicateKeys a text for each key that the body had twice in another encoding
 */
record RequestContent(ApiRequest request, List<String> duplicateKeys) {

    private static final String YAML = "application/yaml";
    private static final String SERVED = String.join(", ", ApiRequest.JSON, YAML, ApiRequest.PROTOBUF);

    /** The first bytes of every object in protocol buffers. */
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    RequestContent {
        duplicateKeys = List.copyOf(duplicateKeys);
    }

    /**
     * Converts the body of a request into JSON, according to its content type. An object of the served kind in protocol
     * buffers stays as it is, because {@link IncomingObject} reads it. So does the body of a patch, because its content
     * type selects the kind of patch.
     *
     * @param kind the kind of the body, for errors
     * @param served the served kind
     * @throws StatusException 415 if the content type is unknown, 400 if the body cannot be read
     */
    static RequestContent of(ApiRequest request, String kind, ResourceType<?> served) {
        ApiRequest.Body body = request.body();
        if (body == null || request.method().equals("PATCH")) {
            return new RequestContent(request, List.of());
        }
        String type = body.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return switch (type) {
            case ApiRequest.JSON -> new RequestContent(request, List.of());
            case "" -> with(request, body.bytes(), List.of()); // some clients, such as kubectl 1.20, name no type
            case YAML -> ofYaml(request, body.bytes(), kind);
            case ApiRequest.PROTOBUF ->
                isServed(served, body.bytes(), kind)
                        ? new RequestContent(request, List.of())
                        : with(request, protobufToJson(body.bytes(), kind), List.of());
            default -> throw StatusException.unsupportedMediaType(SERVED);
        };
    }

    private static RequestContent with(ApiRequest request, byte[] json, List<String> duplicateKeys) {
        return new RequestContent(
                ApiRequest.of(request.method(), request.path(), request.query(), ApiRequest.Body.json(json)),
                duplicateKeys);
    }

    /** Returns whether a body in protocol buffers states the served kind. */
    private static boolean isServed(ResourceType<?> served, byte[] protobuf, String kind) {
        if (!Arrays.equals(protobuf, 0, Math.min(protobuf.length, MAGIC.length), MAGIC, 0, MAGIC.length)) {
            throw unrecognized(
                    kind,
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
                    protobuf);
        }
        try {
            StatedKind identity = ProtobufDocument.identity(protobuf);
            return identity.kind().equals(served.kind())
                    && identity.apiVersion().equals(served.apiVersion())
                    && ProtobufDocument.message(served.apiVersion(), served.kind()) != null;
        } catch (DecodeException e) {
            throw unrecognized(kind, String.valueOf(e.getMessage()), protobuf);
        }
    }

    /**
     * Returns a body in protocol buffers as JSON.
     *
     * @throws StatusException 400 if the body cannot be read
     */
    static byte[] protobufToJson(byte[] protobuf, String kind) {
        try {
            return ProtobufDocument.toJson(protobuf, true).toBytes();
        } catch (NotInSchemaException | DecodeException e) {
            throw unrecognized(kind, String.valueOf(e.getMessage()), protobuf);
        }
    }

    private static RequestContent ofYaml(ApiRequest request, byte[] yaml, String kind) {
        try {
            String text = YamlDocuments.text("the body", yaml);
            JsonValue value = YamlDocuments.first("the body", text);
            byte[] json = value == JsonNull.NULL ? new byte[0] : sorted(value).toBytes();
            return with(request, json, YamlDocuments.duplicateKeys(text));
        } catch (DecodeException e) {
            throw unrecognized(kind, "yaml: " + YamlDocuments.serverMessage(e), yaml);
        }
    }

    /** Returns a value with its members in the order of their names: upstream reports errors in this order. */
    private static JsonValue sorted(JsonValue value) {
        if (value instanceof JsonArray array) {
            return JsonArray.of(
                    array.elements().stream().map(RequestContent::sorted).toList());
        }
        if (value instanceof JsonObject object) {
            Map<String, JsonValue> members = new TreeMap<>();
            object.members().forEach((name, member) -> members.put(name, sorted(member)));
            return JsonObject.of(members);
        }
        return value;
    }

    private static StatusException unrecognized(String kind, String problem, byte[] body) {
        if (kind.equals("DeleteOptions") && body.length > 0 && !problem.startsWith("yaml")) {
            return StatusException.badRequest(problem);
        }
        return StatusException.badRequest("the object provided is unrecognized (must be of type " + kind + "): "
                + problem + " (" + IncomingObject.summary(body) + ")");
    }
}
