package io.kubeloop.transport.memory.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The tokens that let a client in. Holds their digests alone, so that none can be printed, and compares in a time that does
 * not tell how much was right. Immutable.
 */
public final class BearerTokens {

    /** Lets everybody in. */
    public static final BearerTokens NONE = new BearerTokens(List.of());

    private static final String SCHEME = "Bearer ";

    private final List<byte[]> digests;

    private BearerTokens(List<byte[]> digests) {
        this.digests = digests;
    }

    /**
     * Returns a guard that lets in who has one of these tokens.
     *
     * @throws IllegalArgumentException if there is none, or one is empty
     */
    public static BearerTokens of(Set<String> tokens) {
        if (tokens.isEmpty() || tokens.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("tokens must not be empty");
        }
        List<byte[]> digests = new ArrayList<>();
        tokens.forEach(token -> digests.add(digest(token)));
        return new BearerTokens(digests);
    }

    /** Returns whether everybody is let in. */
    boolean isOpen() {
        return digests.isEmpty();
    }

    /**
     * Returns whether a request may go on.
     *
     * @param authorization the header's value, or ""
     * @param isPublic whether it asks for something that is shown to those without a token; a wrong one is refused there, too
     */
    boolean accepts(String authorization, boolean isPublic) {
        if (isOpen() || (authorization.isEmpty() && isPublic)) {
            return true;
        }
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] given = digest(authorization.substring(SCHEME.length()).strip());
        boolean known = false;
        for (byte[] digest : digests) {
            known |= MessageDigest.isEqual(digest, given);
        }
        return known;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return digests.size() + " tokens";
    }
}
