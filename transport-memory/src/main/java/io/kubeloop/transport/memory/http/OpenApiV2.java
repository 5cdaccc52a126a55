package io.kubeloop.transport.memory.http;

import io.kubeloop.api.ResourceType;
import io.kubeloop.transport.memory.registry.ResourceRegistry;
import io.kubeloop.transport.memory.registry.ServedResource;
import java.io.IOException;
import java.util.List;

/**
 * OpenAPI 2 in the only form that kubectl up to 1.26 reads it: protocol buffers. Says the same as {@link OpenApiV3}: which
 * kinds there are, and that the server checks fields and can try without doing. The numbers are those of gnostic's {@code
 * OpenAPIv2.proto}. Made once; immutable.
 */
final class OpenApiV2 {

    /** What kubectl asks for; the version in it has changed over time. */
    private static final String TYPE_PREFIX = "application/com.github.proto-openapi.spec.v2";

    private final byte[] document;

    OpenApiV2(ResourceRegistry registry) {
        Protobuf paths = new Protobuf();
        for (ServedResource resource : registry.all()) {
            ResourceType<?> type = resource.type();
            String path = type.collectionPath(type.isNamespaced() ? "{namespace}" : "") + "/{name}";
            Protobuf item = new Protobuf().field(8, patchOperation(type));
            paths.field(2, new Protobuf().field(1, path).field(2, item));
        }
        document = new Protobuf()
                .field(1, "2.0")
                .field(2, new Protobuf().field(1, "Kubeloop").field(2, ServerVersion.GIT_VERSION))
                .field(8, paths)
                .toBytes();
    }

    private static Protobuf patchOperation(ResourceType<?> type) {
        Protobuf operation = new Protobuf();
        for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
            Protobuf query = new Protobuf().field(2, "query").field(4, name).field(6, "string");
            Protobuf parameter = new Protobuf().field(2, new Protobuf().field(3, query));
            operation.field(8, new Protobuf().field(1, parameter));
        }
        String yaml = "group: \"" + type.group() + "\"\nkind: " + type.kind() + "\nversion: " + type.version() + "\n";
        Protobuf extension =
                new Protobuf().field(1, "x-kubernetes-group-version-kind").field(2, new Protobuf().field(2, yaml));
        return operation.field(13, extension);
    }

    void serve(FaceExchange exchange) throws IOException {
        for (MediaRange range : MediaRange.parseAll(exchange.accept())) {
            if (range.type().startsWith(TYPE_PREFIX)) {
                // The at sign that kubectl asks with is not allowed in a media type, and kubectl refuses to read its
                // own name.
                exchange.reply(200, range.type().replace('@', '.'), document);
                return;
            }
        }
        throw FaceFailure.notAcceptable(exchange.accept(), TYPE_PREFIX + "@v1.0+protobuf");
    }
}
