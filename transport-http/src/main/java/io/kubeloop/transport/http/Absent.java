package io.kubeloop.transport.http;

import org.jspecify.annotations.Nullable;

/** The absence rule in one place: what is not said is empty, never null. */
final class Absent {

    private Absent() {}

    static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** Returns the first that is not empty, else the second. */
    static String either(String first, String second) {
        return first.isEmpty() ? second : first;
    }

    /** Returns a word for messages and {@code toString} that tells whether a secret is there, and not what it is. */
    static String masked(String secret) {
        return secret.isEmpty() ? "" : "***";
    }

    /**
     * Returns a URL for messages and {@code toString}: what stands before an {@code @} may be a password, and what stands in
     * a query a token. It need not be a valid URL.
     */
    static String withoutSecrets(String url) {
        int at = url.lastIndexOf('@');
        int scheme = url.indexOf("://");
        String front = scheme < 0 || scheme > at ? "" : url.substring(0, scheme + 3);
        String shown = at < 0 ? url : front + "***" + url.substring(at);
        return shown.replaceFirst("(?s)[?#].*", "");
    }
}
