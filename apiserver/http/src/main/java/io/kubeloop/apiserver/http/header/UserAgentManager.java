/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import java.nio.charset.StandardCharsets;

/**
 * Names the field manager of a client that names none: by the program at the beginning of its user agent (upstream:
 * {@code prefixFromUserAgent} in {@code apiserver/pkg/endpoints/handlers/create.go}). Thread-safe: stateless.
 */
public final class UserAgentManager {

    private static final int MAX_BYTES = 128;

    private UserAgentManager() {}

    /**
     * Returns the text before the first slash without unprintable characters, at most 128 bytes of it; empty if there
     * is none.
     */
    public static String of(String userAgent) {
        int slash = userAgent.indexOf('/');
        String program = slash < 0 ? userAgent : userAgent.substring(0, slash);
        StringBuilder name = new StringBuilder();
        int size = 0;
        for (int character : utf8(program).codePoints().toArray()) {
            if (isPrintable(character)) {
                String text = Character.toString(character);
                size += text.getBytes(StandardCharsets.UTF_8).length;
                if (size > MAX_BYTES) {
                    break;
                }
                name.append(text);
            }
        }
        return name.toString();
    }

    /** Headers arrive with one character for each byte. */
    private static String utf8(String header) {
        return new String(header.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Letters, marks, numbers, punctuation, symbols and the space (Go: {@code unicode.IsPrint}). */
    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.UNASSIGNED,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> character == ' ';
            default -> true;
        };
    }
}
