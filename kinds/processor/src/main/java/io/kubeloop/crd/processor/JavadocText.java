/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns documentation comments into the plain text of a schema. Static functions only. */
final class JavadocText {

    /** The first block tag and what follows it. */
    private static final Pattern BLOCK = Pattern.compile("(?m)^\\s*@(\\w+)\\s*");

    /** The first word of a link is its target, which is shown if there is no other. */
    private static final Pattern INLINE =
            Pattern.compile("\\{@(?:code|literal|value|link|linkplain)\\s+([^\\s}]*)(?:\\s+([^}]*))?}");

    private static final Pattern PARAGRAPH = Pattern.compile("\\s*</?(?:p|ul|ol|li|br)/?>\\s*");
    private static final Pattern ELEMENT = Pattern.compile("</?[a-zA-Z][^<>]*>");
    private static final Pattern SPACE = Pattern.compile("[ \\t]*\\n[ \\t]*|[ \\t]+");
    private static final String BREAK = "\u0000";

    private JavadocText() {}

    /** Returns the text before the block tags; empty if there is none. */
    static String main(@Nullable String comment) {
        String text = comment == null ? "" : comment;
        Matcher block = BLOCK.matcher(text);
        return plain(block.find() ? text.substring(0, block.start()) : text);
    }

    /** Returns the texts of the {@code @param} tags by name. */
    static Map<String, String> parameters(@Nullable String comment) {
        Map<String, String> found = new HashMap<>();
        String text = comment == null ? "" : comment;
        Matcher block = BLOCK.matcher(text);
        int next = block.find() ? block.start() : text.length();
        while (next < text.length()) {
            String tag = block.group(1);
            int start = block.end();
            next = block.find() ? block.start() : text.length();
            String[] parts = text.substring(start, next).strip().split("\\s+", 2);
            if (tag.equals("param") && parts.length == 2) {
                found.put(parts[0], plain(parts[1]));
            }
        }
        return found;
    }

    private static String plain(String text) {
        String flat = INLINE.matcher(text).replaceAll(tag -> {
            boolean isLink = tag.group().startsWith("{@link");
            String label = tag.group(2);
            String target = tag.group(1).replace('#', '.');
            String shown = label == null
                    ? (isLink ? target.replaceFirst("^\\.", "") : tag.group(1))
                    : (isLink ? label : tag.group(1) + " " + label);
            return Matcher.quoteReplacement(shown);
        });
        flat = PARAGRAPH.matcher(flat).replaceAll(BREAK);
        flat = ELEMENT.matcher(flat).replaceAll("");
        flat = SPACE.matcher(flat.replaceAll("\\n\\s*\\n", "\n"))
                .replaceAll(" ")
                .strip();
        flat = flat.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
        return flat.replaceAll(BREAK + "+", "\n").strip();
    }
}
