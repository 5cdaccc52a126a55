package io.kubeloop.transport.http.value;

/** Hides secrets in messages and in {@code toString}. */
public final class Redaction {

    private Redaction() {}

    /** Returns a word for messages and {@code toString} that tells whether a secret is there, and not what it is. */
    public static String masked(String secret) {
        return secret.isEmpty() ? "" : "***";
    }

    /**
     * Returns a URL for messages and {@code toString}: what stands before an {@code @} may be a password, and what stands in
     * a query a token. It need not be a valid URL.
     */
    public static String withoutSecrets(String url) {
        int at = url.lastIndexOf('@');
        int scheme = url.indexOf("://");
        String front = scheme < 0 || scheme > at ? "" : url.substring(0, scheme + 3);
        String shown = at < 0 ? url : front + "***" + url.substring(at);
        return shown.replaceFirst("(?s)[?#].*", "");
    }
}
