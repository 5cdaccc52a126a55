package io.kubeloop.transport.memory.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import io.kubeloop.transport.memory.http.protobuf.ProtobufBody;
import io.kubeloop.transport.memory.http.protobuf.ProtobufException;
import io.kubeloop.transport.memory.http.table.Tables;
import io.kubeloop.transport.memory.http.table.Tables.IncludeObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything about objects: handed to the transport, brought back in the form that the client asked for. Thread-safe. */
final class ResourceRoute {

    private static final Logger log = LoggerFactory.getLogger(ResourceRoute.class);

    private static final String YAML = "application/yaml";

    /** What needs a container, or a connection into a pod. */
    private static final Pattern NEEDS_CONTAINERS =
            Pattern.compile("/api/v1/namespaces/[^/]+/pods/[^/]+/(log|exec|attach|portforward|ephemeralcontainers)"
                    + "|/api/v1/(namespaces/[^/]+/(pods|services)|nodes)/[^/]+/proxy(/.*)?");

    private final Transport transport;
    private final Tables tables;
    private final Heartbeats heartbeats;
    private final FieldValidation validation;

    ResourceRoute(Transport transport, Tables tables, Heartbeats heartbeats, FieldValidation validation) {
        this.validation = validation;
        this.transport = transport;
        this.tables = tables;
        this.heartbeats = heartbeats;
    }

    void serve(FaceExchange exchange) throws IOException {
        if (NEEDS_CONTAINERS.matcher(exchange.path()).matches()) {
            throw FaceFailure.notImplemented(
                    "this API server has pods but no containers: it cannot serve " + exchange.path());
        }
        AnswerFormat format = AnswerFormat.negotiate(exchange.accept());
        Map<String, String> query = exchange.query();
        IncludeObject include = IncludeObject.of(query.getOrDefault("includeObject", ""));
        if (include == null) {
            throw FaceFailure.badRequest(
                    "includeObject must be None, Metadata or Object, got " + query.get("includeObject"));
        }
        String method = exchange.method().equals("HEAD") ? "GET" : exchange.method();
        ApiRequest request = ApiRequest.of(method, exchange.path(), query, body(exchange));
        validation.check(request).forEach(exchange::warn);
        try {
            if (method.equals("GET") && isWatch(query)) {
                if (exchange.method().equals("HEAD")) {
                    throw FaceFailure.methodNotAllowed("HEAD", "a watch");
                }
                watch(exchange, request, format, include);
            } else {
                execute(exchange, request, format, include);
            }
        } catch (TransportException e) {
            throw FaceFailure.unavailable(request.describe() + " got no answer: " + e.getMessage());
        }
    }

    private static boolean isWatch(Map<String, String> query) {
        String watch = query.getOrDefault("watch", "");
        return watch.equals("true") || watch.equals("1");
    }

    private static ApiRequest.@Nullable Body body(FaceExchange exchange) throws IOException {
        byte[] bytes = exchange.body();
        if (bytes.length == 0) {
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
            case ApiRequest.PROTOBUF -> ApiRequest.Body.json(protobufToJson(bytes, exchange.path()));
            default -> throw FaceFailure.unsupportedMediaType(contentType, ApiRequest.JSON + ", " + YAML);
        };
    }

    private static byte[] protobufToJson(byte[] protobuf, String path) {
        if (path.endsWith("/status")) {
            throw FaceFailure.unsupportedMediaType(
                    ApiRequest.PROTOBUF + " for a status", ApiRequest.JSON + ", " + YAML);
        }
        try {
            return ProtobufBody.read(protobuf).toBytes();
        } catch (ProtobufException e) {
            if (e.isUnsupported()) {
                throw FaceFailure.unsupportedMediaType(
                        ApiRequest.PROTOBUF + " with " + e.getMessage(), ApiRequest.JSON + ", " + YAML);
            }
            throw FaceFailure.badRequest("the body is not an object in " + ApiRequest.PROTOBUF + ": " + e.getMessage());
        }
    }

    private static byte[] yamlToJson(byte[] yaml) {
        List<YamlDocuments.Document> documents;
        try {
            documents = YamlDocuments.parse("the body", new String(yaml, StandardCharsets.UTF_8));
        } catch (DecodeException e) {
            throw FaceFailure.badRequest(String.valueOf(e.getMessage()));
        }
        if (documents.size() != 1) {
            throw FaceFailure.badRequest("the body should be one YAML document, got " + documents.size());
        }
        return documents.get(0).value().toBytes();
    }

    private void execute(FaceExchange exchange, ApiRequest request, AnswerFormat format, IncludeObject include)
            throws IOException {
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.body().readAllBytes();
            exchange.copyHeaders(response.headers());
            if (format.isTable() && response.isSuccessful() && body.length > 0) {
                JsonObject answer = JsonObject.parse(body);
                exchange.replyJson(response.code(), tables.of(answer, format.tableVersion(), include));
            } else {
                String contentType = response.header("content-type");
                exchange.reply(response.code(), contentType == null ? ApiRequest.JSON : contentType, body);
            }
        }
    }

    private void watch(FaceExchange exchange, ApiRequest request, AnswerFormat format, IncludeObject include)
            throws IOException {
        try (ApiStream stream = transport.stream(request)) {
            exchange.copyHeaders(stream.headers());
            if (stream.code() != 200) {
                byte[] body = stream.next();
                exchange.reply(stream.code(), ApiRequest.JSON, body == null ? new byte[0] : body);
                return;
            }
            // Closed only where the watch came to its end: closing writes the last chunk, and what broke off in between
            // must not look complete.
            OutputStream out = exchange.startStream(200, ApiRequest.JSON);
            relay(stream, out, request, format, include);
            out.close();
        }
    }

    private void relay(
            ApiStream stream, OutputStream out, ApiRequest request, AnswerFormat format, IncludeObject include)
            throws IOException {
        WatchOutput output = new WatchOutput(stream, out);
        heartbeats.add(output);
        try {
            boolean first = true;
            for (byte[] frame = stream.next(); frame != null; frame = stream.next()) {
                if (format.isTable()) {
                    JsonObject event = JsonObject.parse(frame);
                    JsonValue shown = tables.ofEvent(event, format.tableVersion(), include, first);
                    first &= event.string("type").equals("BOOKMARK");
                    output.frame(shown.toBytes());
                } else {
                    output.frame(frame);
                }
            }
        } catch (TransportException e) {
            if (e.kind() != TransportException.Kind.CLOSED) {
                // Cut, and not ended: the client must not take it for all there was.
                log.warn("A watch ended early: request={} error={}", request.describe(), e.getMessage());
                throw e;
            }
        } finally {
            heartbeats.remove(output);
        }
    }
}
