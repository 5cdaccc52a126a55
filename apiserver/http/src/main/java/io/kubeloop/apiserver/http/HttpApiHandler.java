/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.discovery.Discovery;
import io.kubeloop.apiserver.http.header.AuditIds;
import io.kubeloop.apiserver.http.header.ImpersonatedUser;
import io.kubeloop.apiserver.http.header.RequestTimeout;
import io.kubeloop.apiserver.http.negotiation.MediaRange;
import io.kubeloop.apiserver.http.negotiation.PrettyJson;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat;
import io.kubeloop.apiserver.http.negotiation.ResponseFormat.Encoding;
import io.kubeloop.apiserver.http.wire.HttpListener;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.registry.Route;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes each request by its path, and converts failures into a {@code Status}. Thread-safe. */
final class HttpApiHandler implements HttpListener.Handler {

    private static final Logger log = LoggerFactory.getLogger(HttpApiHandler.class);

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final ResourceRegistry registry;
    private final Discovery discovery;
    private final OpenApiRoute openApi;
    private final ApiRoutes routes;
    private final Health health;
    private final DocumentRoute documents;
    private final Admittance admittance;
    private final AuditIds auditIds = new AuditIds(new Random());
    private final RequestCounts counts = new RequestCounts();
    private final int maxBodyBytes;

    /**
     * Decides which requests are served at all.
     *
     * @param hosts the accepted values of the {@code Host} header
     * @param authorities the authorities of client certificates; null if clients have none
     * @param users returns the user of a token, for reviews of tokens too; null if the token is not valid
     * @param tokens decides about clients without a token
     * @param authorizer authorizes the requests of a user
     */
    record Admittance(
            Predicate<String> hosts,
            @Nullable ClientAuthorities authorities,
            Function<String, @Nullable UserInfo> users,
            BearerTokens tokens,
            Authorizer authorizer) {

        UserInfo require(HttpApiExchange exchange, String path) {
            if (!hosts.test(exchange.header("Host"))) {
                throw StatusException.of(
                        403,
                        "Forbidden",
                        "this server is on the loopback interface only and rejects the Host header "
                                + exchange.header("Host"));
            }
            String origin = exchange.header("Origin");
            if (!origin.isEmpty()
                    && !hosts.test(origin.substring(origin.indexOf("://") < 0 ? 0 : origin.indexOf("://") + 3))) {
                // A page of another origin cannot read the response, but the server would execute its POST.
                throw StatusException.of(
                        403,
                        "Forbidden",
                        "this server rejects requests from web pages of other origins, such as " + origin);
            }
            UserInfo client = client(exchange, path);
            if (client == null) {
                throw StatusException.of(401, "Unauthorized", "Unauthorized");
            }
            UserInfo user = ImpersonatedUser.of(
                    client, exchange.headerNames(), exchange::headers, request -> authorizer.require(client, request));
            authorizer.require(user, AccessRequest.of(exchange.method(), exchange.path(), exchange.query()));
            return user;
        }

        /**
         * The first valid credentials determine the user. An invalid token or certificate is rejected, even if the
         * request needs no credentials.
         */
        private @Nullable UserInfo client(HttpApiExchange exchange, String path) {
            List<X509Certificate> certificates = authorities == null ? List.of() : exchange.certificates();
            UserInfo owner = authorities == null || certificates.isEmpty() ? null : authorities.user(certificates);
            if (owner != null) {
                return owner;
            }
            String authorization = exchange.header("Authorization");
            String token = BearerTokens.bearer(authorization);
            if (!token.isEmpty()) {
                return users.apply(token);
            }
            return tokens.withoutToken(isPublic(path) && certificates.isEmpty() && authorization.isEmpty());
        }

        /** Returns whether upstream's role {@code system:public-info-viewer} shows the path to every client. */
        private static boolean isPublic(String path) {
            return path.equals("/version") || Health.isHealth(path);
        }
    }

    HttpApiHandler(
            ApiServer server,
            ApiRoutes routes,
            Health health,
            DocumentRoute documents,
            Admittance admittance,
            int maxBodyBytes) {
        registry = server.backend().registry();
        discovery = server.discovery();
        openApi = new OpenApiRoute(registry, server::aggregated, Clock.systemUTC());
        this.routes = routes;
        this.health = health;
        this.documents = documents;
        this.admittance = admittance;
        this.maxBodyBytes = maxBodyBytes;
    }

    @Override
    public void handle(HttpServerExchange httpExchange) throws IOException {
        HttpApiExchange exchange = new HttpApiExchange(httpExchange, maxBodyBytes);
        exchange.addHeader("Audit-Id", auditIds.next(exchange.header("Audit-ID")));
        try {
            String path = withoutTrailingSlash(exchange.path());
            UserInfo user = admittance.require(exchange, path);
            // Upstream checks the parameter before the credentials; here a client without credentials learns nothing.
            Map<String, String> query = exchange.query();
            if (!query.containsKey("watch")) {
                RequestTimeout.check(query.getOrDefault("timeout", ""));
            }
            if (!routes.aggregation().serve(exchange, path, user)) {
                route(exchange, path, user);
            }
        } catch (StatusException e) {
            replyFailure(exchange, e);
        } catch (LostResponseException e) {
            throw new IOException(e.getMessage(), e); // the listener cuts the connection
        } catch (RuntimeException | StackOverflowError e) {
            log.error("A request failed: method={} path={}", exchange.method(), exchange.path(), e);
            replyFailure(
                    exchange, StatusException.internal(exchange.method() + " " + exchange.path() + " failed: " + e));
        }
        Route served = exchange.route();
        if (served != null) {
            counts.count(exchange, served);
        }
    }

    /** If a response has begun, no other can be sent; the listener then cuts the connection. */
    private static void replyFailure(HttpApiExchange exchange, StatusException failure) throws IOException {
        if (!exchange.hasResponse()) {
            if (failure.retryAfterSeconds() > 0) {
                exchange.addHeader("Retry-After", Long.toString(failure.retryAfterSeconds()));
            }
            ResponseFormat format = ResponseFormat.ofStatus(exchange.accept(), ResponseFormat.ALL);
            // As upstream, a custom resource's list of formats has no form in which a client that accepts none could
            // read it.
            boolean listsFormats =
                    failure.code() == 406 && format.pretty() && failure.status().get("details") == null;
            StatusException shown =
                    listsFormats ? StatusException.notAcceptable(ResponseFormat.names(ResponseFormat.ALL)) : failure;
            exchange.reply(shown.code(), shown.status(), format);
        }
    }

    private void route(HttpApiExchange exchange, String path, UserInfo user) throws IOException {
        JsonObject document = discovery.at(path);
        ComputedApi computed = document == null ? registry.computedAt(path) : null;
        if (document != null) {
            serveDiscovery(exchange, path, document);
        } else if (computed != null) {
            JsonObject read = computed.require(ApiRequest.of(exchange.method(), path, exchange.query(), null));
            exchange.reply(200, read, ResponseFormat.ofDocument(exchange.accept()));
        } else if (path.startsWith("/api/") || isBelowGroup(path)) {
            if (path.contains("//")) {
                throw StatusException.noSuchPath();
            }
            routes.serve(exchange, user);
        } else if (path.equals("/version")) {
            requireGet(exchange);
            ResponseFormat.requireRoute(exchange.accept(), List.of(Encoding.JSON), false);
            exchange.reply(
                    200,
                    ApiRequest.JSON,
                    PrettyJson.indent(ServerVersion.document().toBytes()));
        } else if (path.equals(RequestCounts.PATH)) {
            exchange.reply(200, RequestCounts.CONTENT_TYPE, counts.text().getBytes(StandardCharsets.UTF_8));
        } else if (Health.isHealth(path)) {
            health.serve(exchange, path);
        } else if (OpenApiRoute.isBelow(path)) {
            openApi.serve(exchange, path);
        } else if (path.equals("/")) {
            exchange.reply(
                    200, ApiRequest.JSON, PrettyJson.indent(index(exchange).toBytes()));
        } else if (!documents.serve(exchange, path)) {
            exchange.replyNoPage();
        }
    }

    private boolean isBelowGroup(String path) {
        String[] parts = path.split("/", 4);
        return parts.length == 4 && parts[1].equals("apis") && discovery.hasGroup(parts[2]);
    }

    private void serveDiscovery(HttpApiExchange exchange, String path, JsonObject document) throws IOException {
        String accept = exchange.accept();
        if (!isOfAllGroups(path)) {
            requireGet(exchange);
            ResponseFormat.requireRoute(accept, ResponseFormat.ALL, false);
        }
        Discovery.Tagged aggregated = discovery.aggregatedAt(path);
        if (aggregated != null && wantsAggregated(accept)) {
            String tag = "\"" + aggregated.tag() + "\"";
            exchange.cachedAs(tag);
            if (exchange.header("If-None-Match").equals(tag)) {
                exchange.replyNothing(304);
            } else {
                exchange.reply(200, AGGREGATED, aggregated.content().toBytes(), HttpApiExchange.END_OF_DOCUMENT);
            }
            return;
        }
        JsonObject shown = path.equals("/api") ? withAddress(document, exchange.header("Host")) : document;
        ResponseFormat format = ResponseFormat.ofDocument(accept);
        exchange.reply(200, shown, format);
    }

    /** Upstream's aggregator serves {@code /apis} and the groups; it ignores the method. */
    private static boolean isOfAllGroups(String path) {
        return path.startsWith("/apis") && path.indexOf('/', "/apis/".length()) < 0;
    }

    private static boolean wantsAggregated(String accept) {
        return MediaRange.parseAll(accept).stream()
                .anyMatch(range -> range.includes(Encoding.JSON.mediaType())
                        && range.parameter("g").equals("apidiscovery.k8s.io")
                        && range.parameter("v").equals("v2")
                        && range.parameter("as").equals("APIGroupDiscoveryList"));
    }

    /** The address at which all clients reach the server is the one that this client uses. */
    private static JsonObject withAddress(JsonObject versions, String host) {
        JsonObject address = JsonObject.builder()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", host)
                .build();
        return versions.with("serverAddressByClientCIDRs", JsonArray.of(address));
    }

    private static String withoutTrailingSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private JsonObject index(HttpApiExchange exchange) {
        List<String> paths = new ArrayList<>(discovery.paths());
        paths.addAll(Health.paths());
        paths.addAll(documents.paths(exchange));
        paths.addAll(List.of(RequestCounts.PATH, "/openapi/v2", "/openapi/v3", "/version"));
        return JsonObject.of(
                "paths", JsonArray.ofStrings(paths.stream().sorted().toList()));
    }

    private static void requireGet(HttpApiExchange exchange) {
        if (!exchange.method().equals("GET")) {
            throw StatusException.methodNotAllowed();
        }
    }
}
