package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.yaml.YamlDocuments;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Converts the body of a request into JSON, according to its content type (upstream: {@code
 * negotiation.NegotiateInputSerializer}). Holds no state.
 */
final class RequestContent {

    private static final String YAML = "application/yaml";
    private static final String SERVED = String.join(", ", ApiRequest.JSON, YAML, ApiRequest.PROTOBUF);

    /** The first bytes of every object in protocol buffers. */
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private RequestContent() {}

    /**
     * Returns the request with a body in JSON. The body of a patch stays as it is, because its content type selects the
     * kind of patch.
     *
     * @param kind the kind of the body, for errors
     * @throws ApiFailure 415 if the content type is unknown, 400 if the body cannot be read
     */
    static ApiRequest inJson(ApiRequest request, String kind) {
        ApiRequest.Body body = request.body();
        if (body == null || request.method().equals("PATCH")) {
            return request;
        }
        String type = body.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return switch (type) {
            case ApiRequest.JSON -> request;
            case "" -> with(request, body.bytes()); // some clients, such as kubectl 1.20, name no type
            case YAML -> with(request, yamlToJson(body.bytes(), kind));
            case ApiRequest.PROTOBUF -> with(request, protobufToJson(body.bytes(), kind));
            default -> throw ApiFailure.unsupportedMediaType(SERVED);
        };
    }

    private static ApiRequest with(ApiRequest request, byte[] json) {
        return ApiRequest.of(request.method(), request.path(), request.query(), ApiRequest.Body.json(json));
    }

    private static byte[] protobufToJson(byte[] protobuf, String kind) {
        if (!Arrays.equals(protobuf, 0, Math.min(protobuf.length, MAGIC.length), MAGIC, 0, MAGIC.length)) {
            throw unrecognized(
                    kind,
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
                    protobuf);
        }
        try {
            return ProtobufDocument.toJson(protobuf, true);
        } catch (NotInSchemaException | DecodeException e) {
            throw unrecognized(kind, String.valueOf(e.getMessage()), protobuf);
        }
    }

    private static byte[] yamlToJson(byte[] yaml, String kind) {
        try {
            List<YamlDocuments.Document> documents =
                    YamlDocuments.parse("the body", new String(yaml, StandardCharsets.UTF_8));
            return documents.isEmpty() ? new byte[0] : documents.get(0).value().toBytes();
        } catch (DecodeException e) {
            throw unrecognized(kind, "couldn't get version/kind; json parse error: " + e.getMessage(), yaml);
        }
    }

    private static ApiFailure unrecognized(String kind, String problem, byte[] body) {
        return ApiFailure.badRequest("the object provided is unrecognized (must be of type " + kind + "): " + problem
                + " (" + IncomingObject.summary(body) + ")");
    }
}
