package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes each request by its path, and converts failures into a {@code Status}. Thread-safe. */
final class HttpApiHandler implements HttpListener.Handler {

    private static final Logger log = LoggerFactory.getLogger(HttpApiHandler.class);

    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    private final Discovery discovery;
    private final OpenApiV3 openApiV3;
    private final OpenApiV2 openApiV2;
    private final ResourceRoute resources;
    private final Predicate<String> hosts;
    private final BearerTokens tokens;
    private final int maxBodyBytes;

    HttpApiHandler(
            ResourceRegistry registry,
            ResourceRoute resources,
            Predicate<String> hosts,
            BearerTokens tokens,
            int maxBodyBytes) {
        discovery = new Discovery(registry);
        openApiV3 = new OpenApiV3(registry);
        openApiV2 = new OpenApiV2(registry);
        this.resources = resources;
        this.hosts = hosts;
        this.tokens = tokens;
        this.maxBodyBytes = maxBodyBytes;
    }

    @Override
    public void handle(HttpServerExchange httpExchange) throws IOException {
        HttpApiExchange exchange = new HttpApiExchange(httpExchange, maxBodyBytes);
        try {
            route(exchange);
        } catch (HttpApiFailure e) {
            replyFailure(exchange, e);
        } catch (RuntimeException e) {
            log.error("A request failed: method={} path={}", exchange.method(), exchange.path(), e);
            replyFailure(
                    exchange, HttpApiFailure.internal(exchange.method() + " " + exchange.path() + " failed: " + e));
        }
    }

    /** If a response has begun, no other can be sent; the listener then cuts the connection. */
    private static void replyFailure(HttpApiExchange exchange, HttpApiFailure failure) throws IOException {
        if (!exchange.hasResponse()) {
            exchange.replyJson(failure.code(), failure.toStatus());
        }
    }

    private void route(HttpApiExchange exchange) throws IOException {
        if (!hosts.test(exchange.header("Host"))) {
            throw HttpApiFailure.forbidden("this server is on the loopback interface only and rejects the Host header "
                    + exchange.header("Host"));
        }
        String origin = exchange.header("Origin");
        if (!origin.isEmpty() && !hosts.test(origin.replaceFirst("^https?://", ""))) {
            // A page of another origin cannot read the response, but the server would execute its POST.
            throw HttpApiFailure.forbidden(
                    "this server rejects requests from web pages of other origins, such as " + origin);
        }
        String path = withoutTrailingSlash(exchange.path());
        if (!tokens.accepts(exchange.header("Authorization"), isPublic(path))) {
            throw HttpApiFailure.unauthorized();
        }
        JsonObject document = document(path);
        if (document != null) {
            requireRead(exchange, path);
            ResponseFormat.requireJson(exchange.accept());
            exchange.replyJson(200, document);
        } else if (isHealth(path)) {
            requireRead(exchange, path);
            exchange.reply(200, "text/plain; charset=utf-8", "ok".getBytes(StandardCharsets.UTF_8));
        } else if (path.equals("/openapi/v2")) {
            requireRead(exchange, path);
            openApiV2.serve(exchange);
        } else if (path.startsWith("/api/") || path.startsWith("/apis/")) {
            resources.serve(exchange);
        } else {
            throw HttpApiFailure.notFound(path);
        }
    }

    private static boolean isHealth(String path) {
        return HEALTH.contains(path) || HEALTH.contains(path.substring(0, Math.max(0, path.lastIndexOf('/'))));
    }

    /** Returns whether upstream's role {@code system:public-info-viewer} shows the path to every client. */
    private static boolean isPublic(String path) {
        return path.equals("/version") || isHealth(path);
    }

    private static String withoutTrailingSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private @Nullable JsonObject document(String path) {
        if (path.equals("/")) {
            return index();
        }
        if (path.equals("/version")) {
            return ServerVersion.document();
        }
        JsonObject found = discovery.at(path);
        return found == null ? openApiV3.at(path) : found;
    }

    private JsonObject index() {
        List<String> paths = new ArrayList<>(discovery.paths());
        paths.addAll(HEALTH);
        paths.addAll(List.of("/openapi/v2", "/openapi/v3", "/version"));
        return JsonObject.of(
                "paths", JsonArray.ofStrings(paths.stream().sorted().toList()));
    }

    private static void requireRead(HttpApiExchange exchange, String path) {
        if (!exchange.isRead()) {
            throw HttpApiFailure.methodNotAllowed(exchange.method(), path);
        }
    }
}
