package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourcePath;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.table.Tables;
import io.kubeloop.apiserver.table.Tables.IncludeObject;
import io.kubeloop.json.protobuf.NotInSchemaException;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.YamlDocuments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the requests for resources: executes them through the transport, and converts the result into the
 * requested format. Thread-safe.
 */
final class ResourceRoute {

    private static final Logger log = LoggerFactory.getLogger(ResourceRoute.class);

    private static final String YAML = "application/yaml";
    private static final String MANAGER = "fieldManager";
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");

    /** Paths that need a container or a connection into a pod. */
    private static final Pattern NEEDS_CONTAINERS =
            Pattern.compile("/api/v1/namespaces/[^/]+/pods/[^/]+/(log|exec|attach|portforward)"
                    + "|/api/v1/(namespaces/[^/]+/(pods|services)|nodes)/[^/]+/proxy(/.*)?");

    private final Transport transport;
    private final Tables tables;
    private final WatchRoute watches;

    ResourceRoute(Transport transport, Tables tables, WatchRoute watches) {
        this.transport = transport;
        this.tables = tables;
        this.watches = watches;
    }

    void serve(HttpApiExchange exchange) throws IOException {
        if (NEEDS_CONTAINERS.matcher(exchange.path()).matches()) {
            throw HttpApiFailure.notImplemented(
                    "no containers run behind this API server, so it does not serve " + exchange.path());
        }
        ResponseFormat format = ResponseFormat.negotiate(exchange.accept(), hasProtobuf(exchange.path()));
        Map<String, String> query = exchange.query();
        IncludeObject include = IncludeObject.of(query.getOrDefault("includeObject", ""));
        if (include == null) {
            throw HttpApiFailure.badRequest(
                    "includeObject must be None, Metadata or Object, got " + query.get("includeObject"));
        }
        ResponseView view = new ResponseView(tables, format, include);
        String method = exchange.method().equals("HEAD") ? "GET" : exchange.method();
        boolean isWatch = ApiHandler.isWatch(exchange.path(), query);
        ApiRequest.Body body = body(exchange);
        nameManager(exchange, query, body);
        ApiRequest request = ApiRequest.of(method, exchange.path(), query, body);
        try {
            if (method.equals("GET") && isWatch) {
                if (exchange.method().equals("HEAD")) {
                    throw HttpApiFailure.methodNotAllowed("HEAD", "a watch");
                }
                try (ApiStream stream = transport.stream(request)) {
                    watches.serve(exchange, stream, request, view);
                }
            } else {
                execute(exchange, request, view);
            }
        } catch (TransportException e) {
            throw HttpApiFailure.unavailable(request.describe() + " failed: " + e.getMessage());
        }
    }

    /** Only an apply must name its field manager; other writes are recorded under the name of the program. */
    private static void nameManager(
            HttpApiExchange exchange, Map<String, String> query, ApiRequest.@Nullable Body body) {
        boolean isApply = body != null && body.contentType().startsWith(Patch.Type.APPLY.contentType());
        if (WRITES.contains(exchange.method())
                && !isApply
                && query.getOrDefault(MANAGER, "").isEmpty()) {
            query.put(MANAGER, UserAgentManager.of(exchange.header("User-Agent")));
        }
    }

    private static boolean hasProtobuf(String path) {
        ResourcePath resource = ResourcePath.of(path);
        return resource != null && ProtobufDocument.knows(resource.apiVersion(), resource.resource());
    }

    private static ApiRequest.@Nullable Body body(HttpApiExchange exchange) throws IOException {
        byte[] bytes = exchange.body();
        if (bytes.length == 0 && !exchange.method().equals("PATCH")) {
            return null;
        }
        String contentType = exchange.header("Content-Type");
        String type = contentType.isBlank()
                ? ApiRequest.JSON
                : MediaRange.parse(contentType).type();
        if (exchange.method().equals("PATCH")) {
            return new ApiRequest.Body(type, bytes);
        }
        return switch (type) {
            case ApiRequest.JSON -> ApiRequest.Body.json(bytes);
            case YAML -> ApiRequest.Body.json(yamlToJson(bytes));
            case ApiRequest.PROTOBUF -> ApiRequest.Body.json(protobufToJson(bytes));
            default -> throw HttpApiFailure.unsupportedMediaType(contentType, ApiRequest.JSON + ", " + YAML);
        };
    }

    private static byte[] protobufToJson(byte[] protobuf) {
        try {
            return ProtobufDocument.toJson(protobuf, false);
        } catch (NotInSchemaException e) {
            throw HttpApiFailure.unsupportedMediaType(
                    ApiRequest.PROTOBUF + " with a field or kind outside the schema: " + e.getMessage(),
                    ApiRequest.JSON + ", " + YAML);
        } catch (DecodeException e) {
            throw HttpApiFailure.badRequest(
                    "the body is not an object in " + ApiRequest.PROTOBUF + ": " + e.getMessage());
        }
    }

    private static byte[] yamlToJson(byte[] yaml) {
        List<YamlDocuments.Document> documents;
        try {
            documents = YamlDocuments.parse("the body", new String(yaml, StandardCharsets.UTF_8));
        } catch (DecodeException e) {
            throw HttpApiFailure.badRequest(String.valueOf(e.getMessage()));
        }
        if (documents.size() != 1) {
            throw HttpApiFailure.badRequest("the body should be one YAML document, got " + documents.size());
        }
        return documents.get(0).value().toBytes();
    }

    private void execute(HttpApiExchange exchange, ApiRequest request, ResponseView view) throws IOException {
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.body().readAllBytes();
            exchange.copyHeaders(response.headers());
            String contentType = Objects.requireNonNullElse(response.header("content-type"), ApiRequest.JSON);
            ResponseFormat format = view.format();
            if (format.isPlain() || body.length == 0 || !contentType.startsWith(ApiRequest.JSON)) {
                exchange.reply(response.code(), contentType, body);
                return;
            }
            JsonObject answer = JsonObject.parse(body);
            JsonObject shown = response.isSuccessful() ? view.of(answer) : answer;
            byte[] protobuf = format.protobuf() ? toProtobuf(shown, request) : null;
            if (protobuf == null) {
                exchange.replyJson(response.code(), shown);
            } else {
                exchange.reply(response.code(), ApiRequest.PROTOBUF, protobuf);
            }
        }
    }

    /**
     * Returns null for an object without a protobuf form. Fields outside the schema are omitted; upstream does not
     * store them at all.
     */
    private static byte @Nullable [] toProtobuf(JsonObject shown, ApiRequest request) {
        try {
            return ProtobufDocument.ofJson(shown, true);
        } catch (NotInSchemaException e) {
            log.debug(
                    "Responding in JSON instead of protocol buffers: request={} problem={}",
                    request.describe(),
                    e.getMessage());
            return null;
        }
    }
}
