/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

/**
 * Finds errors in base64 text, at the position that Go reports (upstream: {@code encoding/base64}). Thread-safe:
 * stateless.
 */
final class Base64Errors {

    private static final int GROUP = 4;

    private Base64Errors() {}

    /** Returns the index of the first error, as Go counts it; -1 if the text is correct. */
    static int firstError(String text) {
        int at = 0;
        while (true) {
            int count = 0;
            while (count < GROUP) {
                at = afterBreaks(text, at);
                if (at == text.length()) {
                    return count == 0 ? -1 : at - count;
                }
                char c = text.charAt(at++);
                if (c == '=') {
                    return padding(text, at, count);
                }
                if (!isDigit(c)) {
                    return at - 1;
                }
                count++;
            }
        }
    }

    private static int padding(String text, int after, int count) {
        if (count < 2) {
            return after - 1;
        }
        int at = afterBreaks(text, after);
        if (count == 2) {
            if (at == text.length()) {
                return at;
            }
            if (text.charAt(at) != '=') {
                return at - 1;
            }
            at = afterBreaks(text, at + 1);
        }
        return at < text.length() ? at : -1;
    }

    private static int afterBreaks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == '\n' || text.charAt(at) == '\r')) {
            at++;
        }
        return at;
    }

    private static boolean isDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}
