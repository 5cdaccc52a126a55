package io.kubeloop.apiserver.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The bearer tokens that the server accepts. It stores only their digests, so that no token can be logged, and
 * compares them in constant time. Immutable.
 */
public final class BearerTokens {

    /** Accepts every client. */
    public static final BearerTokens NONE = new BearerTokens(List.of());

    private static final String SCHEME = "Bearer ";

    private final List<byte[]> digests;

    private BearerTokens(List<byte[]> digests) {
        this.digests = digests;
    }

    /**
     * Returns a check that accepts the clients with one of these tokens.
     *
     * @throws IllegalArgumentException if there is no token, or a token is empty
     */
    public static BearerTokens of(Set<String> tokens) {
        if (tokens.isEmpty() || tokens.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("tokens must not be empty");
        }
        List<byte[]> digests = new ArrayList<>();
        tokens.forEach(token -> digests.add(digest(token)));
        return new BearerTokens(digests);
    }

    /** Returns whether every client is accepted. */
    boolean isOpen() {
        return digests.isEmpty();
    }

    /**
     * Returns whether a request is accepted.
     *
     * @param authorization the value of the {@code Authorization} header; empty if absent
     * @param isPublic whether the request needs no token; a wrong token is rejected even then
     */
    boolean accepts(String authorization, boolean isPublic) {
        if (isOpen() || (authorization.isEmpty() && isPublic)) {
            return true;
        }
        String token = bearer(authorization);
        if (token.isEmpty()) {
            return false;
        }
        byte[] given = digest(token);
        boolean known = false;
        for (byte[] digest : digests) {
            known |= MessageDigest.isEqual(digest, given);
        }
        return known;
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
        return digests.size() + " tokens";
    }
}
