package io.kubeloop.apiserver.http;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.http.negotiation.MediaRange;
import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.json.protobuf.WireWriter;
import java.io.IOException;
import java.util.List;

/**
 * The OpenAPI 2 document in protocol buffers, the only form that kubectl up to 1.26 reads. Its content is that of
 * {@link OpenApiV3}: the kinds, and the support for {@code fieldValidation} and {@code dryRun}. The field numbers
 * are those of gnostic's {@code OpenAPIv2.proto}. Created once; immutable.
 */
final class OpenApiV2 {

    /** The media type that kubectl accepts starts with this; its version part varies between releases. */
    private static final String TYPE_PREFIX = "application/com.github.proto-openapi.spec.v2";

    private final byte[] document;

    OpenApiV2(ResourceRegistry registry) {
        WireWriter paths = new WireWriter();
        for (ServedResource resource : registry.all()) {
            ResourceType<?> type = resource.type();
            String path = type.collectionPath(type.isNamespaced() ? "{namespace}" : "") + "/{name}";
            WireWriter item = new WireWriter().message(8, patchOperation(type));
            paths.message(2, new WireWriter().string(1, path).message(2, item));
        }
        document = new WireWriter()
                .string(1, "2.0")
                .message(2, new WireWriter().string(1, "Kubeloop").string(2, ServerVersion.GIT_VERSION))
                .message(8, paths)
                .toByteArray();
    }

    private static WireWriter patchOperation(ResourceType<?> type) {
        WireWriter operation = new WireWriter();
        for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
            WireWriter query =
                    new WireWriter().string(2, "query").string(4, name).string(6, "string");
            WireWriter parameter = new WireWriter().message(2, new WireWriter().message(3, query));
            operation.message(8, new WireWriter().message(1, parameter));
        }
        String yaml = "group: \"" + type.group() + "\"\nkind: " + type.kind() + "\nversion: " + type.version() + "\n";
        WireWriter extension = new WireWriter()
                .string(1, "x-kubernetes-group-version-kind")
                .message(2, new WireWriter().string(2, yaml));
        return operation.message(13, extension);
    }

    void serve(HttpApiExchange exchange) throws IOException {
        for (MediaRange range : MediaRange.parseAll(exchange.accept())) {
            if ((range.type() + "/" + range.subtype()).startsWith(TYPE_PREFIX)) {
                // kubectl requests a media type with an at sign, which is not valid in a media type; kubectl
                // rejects it in a response.
                exchange.reply(200, (range.type() + "/" + range.subtype()).replace('@', '.'), document);
                return;
            }
        }
        throw ApiFailure.notAcceptable(TYPE_PREFIX + "@v1.0+protobuf");
    }
}
