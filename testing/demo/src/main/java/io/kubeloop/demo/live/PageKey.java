/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The credential of a live page: a random key in the fragment of the printed address, which a browser keeps and does
 * not send to a server by itself. The page sends it as a bearer token, and in the query of a stream, which cannot have
 * headers. Immutable; thread-safe.
 */
public final class PageKey {

    private static final int BYTES = 24;
    private static final String SCHEME = "Bearer ";
    private static final String PARAMETER = "key=";

    private final byte[] key;

    private PageKey(byte[] key) {
        this.key = key;
    }

    /** Returns a new key of 192 random bits. */
    public static PageKey random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new PageKey(
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the address of a page with the key in its fragment. */
    public URI address(URI page) {
        return URI.create(page + "#" + PARAMETER + new String(key, StandardCharsets.US_ASCII));
    }

    /** Returns whether a request presents the key. Takes the same time for every wrong key of the same length. */
    public boolean isHeldBy(HttpServerExchange exchange) {
        String header = exchange.header("Authorization");
        if (header.startsWith(SCHEME)) {
            return isKey(header.substring(SCHEME.length()));
        }
        String query = exchange.target().rawQuery();
        int start = ("&" + query).indexOf("&" + PARAMETER);
        if (start < 0) {
            return false;
        }
        int end = query.indexOf('&', start);
        return isKey(query.substring(start + PARAMETER.length(), end < 0 ? query.length() : end));
    }

    private boolean isKey(String given) {
        return MessageDigest.isEqual(key, given.getBytes(StandardCharsets.UTF_8));
    }

    /** Does not contain the key. */
    @Override
    public String toString() {
        return "the key of a live page";
    }
}
