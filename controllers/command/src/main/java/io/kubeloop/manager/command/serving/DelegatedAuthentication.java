/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the user of a request: by the headers of a front proxy, a client certificate or a token, in this order
 * (upstream: {@code DelegatingAuthenticatorConfig}). Without credentials the user is anonymous. Thread-safe.
 */
public final class DelegatedAuthentication {

    private static final Logger LOG = LoggerFactory.getLogger(DelegatedAuthentication.class);
    private static final String BEARER = "bearer ";

    private final Supplier<ClientTrust> trust;
    private final @Nullable CachedReviews<Optional<UserInfo>> tokens;

    /**
     * Creates the authentication.
     *
     * @param trust returns what authenticates certificates at this moment
     * @param tokens reviews tokens; null for an authentication that ignores them
     */
    public DelegatedAuthentication(Supplier<ClientTrust> trust, @Nullable CachedReviews<Optional<UserInfo>> tokens) {
        this.trust = trust;
        this.tokens = tokens;
    }

    /** Returns the user that the answer to a token review names; empty if the token is not valid. */
    public static Optional<UserInfo> reviewed(JsonObject review) {
        JsonObject status = review.object("status");
        if (!status.bool("authenticated")) {
            return Optional.empty();
        }
        JsonObject user = status.object("user");
        Map<String, List<String>> extra = new TreeMap<>();
        user.object("extra")
                .members()
                .forEach((name, values) -> extra.put(
                        name, user.object("extra").array(name).strings().toList()));
        return Optional.of(new UserInfo(
                        user.string("username"),
                        user.string("uid"),
                        user.array("groups").strings().toList(),
                        extra)
                .authenticated());
    }

    /** Returns the user of a request; empty if its credentials are not valid. */
    Optional<UserInfo> authenticate(HttpServerExchange exchange) {
        ClientTrust now = trust.get();
        List<X509Certificate> chain = exchange.certificates();
        UserInfo proxied = proxied(now, exchange, chain);
        if (proxied != null) {
            return Optional.of(proxied);
        }
        UserInfo certified = now.clients() == null ? null : now.clients().user(chain);
        if (certified != null) {
            return Optional.of(certified);
        }
        String header = exchange.header("Authorization");
        boolean hasToken = header.toLowerCase(Locale.ROOT).startsWith(BEARER);
        if (tokens == null || !hasToken) {
            return Optional.of(UserInfo.ANONYMOUS);
        }
        String token = header.substring(BEARER.length()).strip();
        JsonObject review = JsonObject.EMPTY
                .with("apiVersion", "authentication.k8s.io/v1")
                .with("kind", "TokenReview")
                .with("spec", JsonObject.EMPTY.with("token", token));
        try {
            return tokens.review(digest(token), review);
        } catch (ApiException | TransportException | UncheckedIOException e) {
            LOG.warn("Cannot review the token of a client of the pages; the request is rejected: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static @Nullable UserInfo proxied(
            ClientTrust trust, HttpServerExchange exchange, List<X509Certificate> chain) {
        if (trust.proxies() == null) {
            return null;
        }
        String name = first(exchange, trust.userHeaders());
        UserInfo proxy = trust.proxies().user(chain);
        boolean isKnown = proxy != null
                && (trust.proxyNames().isEmpty() || trust.proxyNames().contains(proxy.name()));
        if (name.isEmpty() || !isKnown) {
            return null;
        }
        List<String> groups = new ArrayList<>();
        trust.groupHeaders().forEach(header -> groups.addAll(exchange.headers(header)));
        Map<String, List<String>> extra = new TreeMap<>();
        exchange.headerNames()
                .forEach(header -> trust.extraPrefixes().stream()
                        .filter(prefix -> header.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT)))
                        .forEach(prefix -> extra.put(
                                header.substring(prefix.length()).toLowerCase(Locale.ROOT), exchange.headers(header))));
        return new UserInfo(name, first(exchange, trust.uidHeaders()), groups, extra).authenticated();
    }

    private static String first(HttpServerExchange exchange, List<String> names) {
        return names.stream()
                .map(exchange::header)
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** The cache holds no token. */
    private static String digest(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
