/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.rest.UserInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bearer tokens that the server accepts. It stores only their digests, so no token can be logged, and
 * compares them in constant time. Immutable.
 */
public final class BearerTokens {

    /** Accepts every client. */
    public static final BearerTokens NONE = new BearerTokens(List.of(), true);

    /** The user of a request without a token that needs none. */
    private static final String SCHEME = "Bearer ";

    private final List<Accepted> accepted;

    /** The digest of a token, and its user. */
    private record Accepted(byte[] digest, UserInfo user) {}

    private final boolean open;

    private BearerTokens(List<Accepted> accepted, boolean open) {
        this.accepted = accepted;
        this.open = open;
    }

    /**
     * A user with a token.
     *
     * @param name the name, which roles refer to
     * @param uid the identity behind the name; empty if unknown
     * @param groups the groups beside {@code system:authenticated}; {@code system:masters} may do everything
     */
    public record User(String name, String uid, List<String> groups) {

        /** Copies the groups. */
        public User {
            groups = List.copyOf(groups);
        }

        UserInfo info() {
            return new UserInfo(name, uid, groups, Map.of()).authenticated();
        }
    }

    /**
     * Returns a check that accepts the clients with one of these tokens, as administrators.
     *
     * @throws IllegalArgumentException if there is no token, or a token is empty
     */
    public static BearerTokens of(Set<String> tokens) {
        return of(tokens.stream().toList(), token -> UserInfo.ADMIN);
    }

    /**
     * Returns a check that accepts the clients with one of these tokens.
     *
     * @param users the user of each token
     * @throws IllegalArgumentException if there is no token, or a token is empty
     */
    public static BearerTokens of(Map<String, User> users) {
        Map<String, User> copy = Map.copyOf(users);
        return of(
                List.copyOf(copy.keySet()),
                token -> Objects.requireNonNull(copy.get(token)).info());
    }

    private static BearerTokens of(List<String> tokens, Function<String, UserInfo> users) {
        if (tokens.isEmpty() || tokens.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("tokens must not be empty");
        }
        return new BearerTokens(
                tokens.stream()
                        .map(token -> new Accepted(digest(token), users.apply(token)))
                        .toList(),
                false);
    }

    /** Returns whether every client is accepted. */
    boolean isOpen() {
        return open;
    }

    /** Returns the same tokens, of which a client must have one even if there is none: it has other credentials. */
    BearerTokens required() {
        return new BearerTokens(accepted, false);
    }

    /**
     * Returns the user of a request without a token; null if it is rejected. An open server accepts every client as
     * administrator.
     *
     * @param isPublic whether the request needs no credentials
     */
    @Nullable
    UserInfo withoutToken(boolean isPublic) {
        return isOpen() ? UserInfo.ADMIN : isPublic ? UserInfo.ANONYMOUS : null;
    }

    /** Returns the user of a token; null if it is none of these. */
    @Nullable
    UserInfo user(String token) {
        byte[] given = digest(token);
        UserInfo found = null;
        for (Accepted each : accepted) {
            if (MessageDigest.isEqual(each.digest(), given)) {
                found = each.user();
            }
        }
        return found;
    }

    /** Returns the token in the value of an {@code Authorization} header; empty if it has none. */
    static String bearer(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : "";
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK lacks SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return accepted.size() + " tokens";
    }
}
