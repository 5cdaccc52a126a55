/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.http.header.UserAgentManager;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat.Encoding;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.registry.Route;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.table.Tables;
import io.kubeloop.apiserver.table.Tables.IncludeObject;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the requests for resources: negotiates the format, executes the request, and converts the result. Thread-safe.
 *
 * <p>As upstream, the path is judged first, then the method, the content type, the accepted formats, and the body.
 */
final class ResourceRoute {

    /** The bytes of the values that one byte of a body becomes, at the worst. */
    private static final long TREE_PER_BYTE = 40;

    /** The forms of a document that exist at a time while it is converted. */
    private static final int COPIES = 4;

    private static final String MANAGER = "fieldManager";
    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");

    private static final Set<String> PATCHES = Set.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml");

    private static final List<String> CUSTOM_PATCHES =
            List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");

    private static final List<Encoding> WITHOUT_PROTOBUF = List.of(Encoding.JSON, Encoding.YAML);

    private final RequestHandler server;
    private final ResourceRegistry registry;
    private final Tables tables;
    private final WatchRoute watches;

    /** Executes requests; the implementation is usually the API server. Must be thread-safe. */
    @FunctionalInterface
    interface RequestHandler {

        ServerResponse handle(ApiRequest request, UserInfo user);
    }

    ResourceRoute(RequestHandler server, ResourceRegistry registry, Tables tables, WatchRoute watches) {
        this.server = server;
        this.registry = registry;
        this.tables = tables;
        this.watches = watches;
    }

    void serve(HttpApiExchange exchange, UserInfo user) throws IOException {
        String path = exchange.path();
        Route route = Route.of(registry, exchange.method(), path);
        exchange.servedBy(route);
        requirePatch(exchange, route);
        String accept = exchange.accept();
        List<Encoding> served = encodings(route);
        boolean reads = exchange.method().equals("GET");
        if (!route.isCustom()) {
            ResponseFormat.requireRoute(accept, served, reads && route.isCollection());
        }
        Map<String, String> query = exchange.query();
        boolean isWatch = reads && route.isWatch(query);
        ResponseFormat format = isWatch
                ? ResponseFormat.negotiateStream(accept, served)
                : ResponseFormat.negotiate(accept, served, route.hasTables());
        ResponseView view = new ResponseView(
                tables, format, include(format, query), route.store().strategy().versionAnnotations());
        ApiRequest.Body body = body(exchange);
        nameManager(exchange, query, body);
        ApiRequest request = ApiRequest.of(exchange.method(), path, watches.limited(query, isWatch), body);
        Supplier<ServerResponse> handled = () -> watches.whileAwaited(exchange, () -> server.handle(request, user));
        ServerResponse response =
                body == null ? handled.get() : HttpApiExchange.computing(TREE_PER_BYTE * body.bytes().length, handled);
        if (response instanceof ServerResponse.Document document) {
            reply(exchange, document, view, served);
        } else {
            watches.serve(exchange, (ServerResponse.Frames) response, view);
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

    private static void requirePatch(HttpApiExchange exchange, Route route) {
        String type = exchange.header("Content-Type").split(";", 2)[0].strip();
        if (!exchange.method().equals("PATCH")) {
            return;
        }
        if (route.isCustom() && !CUSTOM_PATCHES.contains(type)) {
            throw StatusException.unsupportedMediaType(String.join(", ", CUSTOM_PATCHES));
        }
        if (!PATCHES.contains(type)) {
            throw StatusException.route(415, "UnsupportedMediaType", "Unsupported Media Type");
        }
    }

    private static List<Encoding> encodings(Route route) {
        var type = route.store().type();
        return ProtobufDocument.knows(type.apiVersion(), type.plural()) ? ResponseFormat.ALL : WITHOUT_PROTOBUF;
    }

    /** Returns which part of the objects the rows of a table contain. Other formats ignore the parameter. */
    private static IncludeObject include(ResponseFormat format, Map<String, String> query) {
        if (format.shape() != ResponseFormat.Shape.TABLE) {
            return IncludeObject.METADATA;
        }
        IncludeObject include = IncludeObject.of(query.getOrDefault("includeObject", ""));
        if (include == null) {
            throw StatusException.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: "
                    + GoText.quoted(query.getOrDefault("includeObject", ""))
                    + ": must be 'Metadata', 'Object', 'None', or empty");
        }
        return include;
    }

    private static ApiRequest.@Nullable Body body(HttpApiExchange exchange) throws IOException {
        byte[] bytes = exchange.body();
        if (bytes.length == 0 && !exchange.method().equals("PATCH")) {
            return null;
        }
        String contentType = exchange.header("Content-Type");
        boolean isPatch = exchange.method().equals("PATCH");
        return new ApiRequest.Body(isPatch ? contentType.split(";", 2)[0].strip() : contentType, bytes);
    }

    private static void reply(
            HttpApiExchange exchange, ServerResponse.Document document, ResponseView view, List<Encoding> served)
            throws IOException {
        exchange.warn(document.warnings());
        if (document.retryAfterSeconds() > 0) {
            exchange.addHeader("Retry-After", Long.toString(document.retryAfterSeconds()));
        }
        boolean isSuccess = document.code() < 300;
        ResponseFormat format = isSuccess ? view.format() : ResponseFormat.ofStatus(exchange.accept(), served);
        if (format.encoding() == Encoding.JSON && (!isSuccess || format.shape() == ResponseFormat.Shape.OBJECT)) {
            exchange.replyJson(document.code(), document, format);
            return;
        }
        exchange.reply(
                document.code(),
                COPIES * document.weight(),
                () -> {
                    JsonObject answer = JsonObject.parse(document.bytes());
                    return isSuccess ? view.of(answer) : answer;
                },
                format);
    }
}
