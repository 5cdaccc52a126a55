/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.value;

/** Hides secrets in messages and in {@code toString}. Stateless. */
public final class Redaction {

    private Redaction() {}

    /** Returns a text that shows only whether a secret is set. */
    public static String masked(String secret) {
        return secret.isEmpty() ? "" : "***";
    }

    /**
     * Returns a URL without the parts that may be secret: what precedes an {@code @}, the query, and the fragment. The
     * text need not be a valid URL.
     */
    public static String withoutSecrets(String url) {
        int at = url.lastIndexOf('@');
        int scheme = url.indexOf("://");
        String front = scheme < 0 || scheme > at ? "" : url.substring(0, scheme + 3);
        String shown = at < 0 ? url : front + "***" + url.substring(at);
        return shown.replaceFirst("(?s)[?#].*", "");
    }
}
