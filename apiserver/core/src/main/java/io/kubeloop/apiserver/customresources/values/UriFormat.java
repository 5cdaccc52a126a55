/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import com.google.re2j.Pattern;

/**
 * The format of a request URI: an absolute URI or an absolute path (upstream: {@code net/url.ParseRequestURI}). Static
 * functions only.
 */
public final class UriFormat {

    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:");
    private static final Pattern BAD_ESCAPE =
            Pattern.compile("%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|[0-9a-fA-F]?$)");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
    private static final Pattern PORT = Pattern.compile("(:\\d*)?");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9\\-._:~!$&'()*+,;=%@]*");

    private UriFormat() {}

    /** Returns whether Go parses the text as a request URI. */
    public static boolean isRequestUri(String text) {
        if (text.isEmpty() || CONTROL.matcher(text).find()) {
            return false;
        }
        if (text.equals("*")) {
            return true;
        }
        boolean schemed = SCHEME.matcher(text).lookingAt();
        if (text.startsWith(":")) {
            return false;
        }
        String rest = schemed ? text.substring(text.indexOf(':') + 1) : text;
        int query = rest.indexOf('?');
        String path = query < 0 ? rest : rest.substring(0, query);
        if (!path.startsWith("/")) {
            return schemed; // an opaque URI, such as mailto:a@b.c
        }
        String authority = "";
        if (path.startsWith("//") && schemed) {
            int end = path.indexOf('/', 2);
            authority = end < 0 ? path.substring(2) : path.substring(2, end);
            path = end < 0 ? "" : path.substring(end);
        }
        return isAuthority(authority) && !BAD_ESCAPE.matcher(path).find();
    }

    private static boolean isAuthority(String authority) {
        int at = authority.lastIndexOf('@');
        String host = authority.substring(at + 1);
        if (at >= 0 && !USER.matcher(authority.substring(0, at)).matches()) {
            return false;
        }
        if (host.startsWith("[")) {
            int end = host.lastIndexOf(']');
            return end > 0 && PORT.matcher(host.substring(end + 1)).matches();
        }
        int colon = host.lastIndexOf(':');
        if (colon >= 0 && !PORT.matcher(host.substring(colon)).matches()) {
            return false;
        }
        return host.chars().noneMatch(c -> " \"<>\\^`{|}#".indexOf(c) >= 0 || c == '%');
    }
}
