/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.report;

/** Escapes texts for XML and HTML. */
final class Markup {

    private Markup() {}

    /** Returns the text for an element or an attribute; control characters that XML forbids become a question mark. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\n', '\t' -> escaped.append(c);
                default -> escaped.append(c < ' ' || c == 0xFFFE || c == 0xFFFF ? '?' : c);
            }
        }
        return escaped.toString();
    }
}
