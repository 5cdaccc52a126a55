/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.encoding;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/**
 * One block of a PEM document (upstream: Go's {@code encoding/pem}).
 *
 * @param type the type, such as {@code CERTIFICATE}
 * @param headers the lines before the content, such as {@code Proc-Type: 4,ENCRYPTED}; empty if there are none
 * @param content the decoded content; callers must not change it
 */
public record Pem(String type, List<String> headers, byte[] content) {

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LINE = 64;

    /**
     * Returns the well-formed blocks of a document in order. As upstream, everything else is skipped: a block begins at
     * the last line {@code BEGIN} before a line {@code END}.
     */
    public static List<Pem> blocks(String document) {
        return blocks(document, problem -> {});
    }

    /**
     * Returns all blocks of a document in order. Text around them is skipped.
     *
     * @throws IllegalArgumentException if a block has no end, or its content is not base64; the message names the type
     *     of the block and does not quote its content
     */
    public static List<Pem> requireBlocks(String document) {
        return blocks(document, problem -> {
            throw new IllegalArgumentException(problem);
        });
    }

    private static List<Pem> blocks(String document, Consumer<String> problems) {
        List<Pem> blocks = new ArrayList<>();
        for (int from = 0; ; ) {
            int end = document.indexOf(END, from);
            String part = document.substring(from, end < 0 ? document.length() : end);
            int begin = part.lastIndexOf(BEGIN);
            int first = part.indexOf(BEGIN);
            if (first >= 0 && (end < 0 || first != begin)) {
                problems.accept("PEM block " + type(part.substring(first)) + " has no end");
            }
            if (end < 0) {
                return blocks;
            }
            from = end + END.length();
            if (begin >= 0) {
                add(part.substring(begin), document, from, blocks, problems);
            }
        }
    }

    /** Returns the type of a block, which its first line states; empty if the line is malformed. */
    private static String type(String block) {
        String line = block.lines().findFirst().orElse("").stripTrailing();
        return line.length() >= BEGIN.length() + DASHES.length() && line.endsWith(DASHES)
                ? line.substring(BEGIN.length(), line.length() - DASHES.length())
                : "";
    }

    private static void add(String block, String document, int afterEnd, List<Pem> blocks, Consumer<String> problems) {
        String type = type(block);
        if (type.isEmpty() || !document.startsWith(type + DASHES, afterEnd)) {
            problems.accept("PEM block " + type + " has no end");
            return;
        }
        List<String> lines = block.lines().skip(1).toList();
        int first = 0;
        while (first < lines.size() && lines.get(first).indexOf(':') >= 0) {
            first++;
        }
        StringBuilder base64 = new StringBuilder(block.length());
        lines.subList(first, lines.size())
                .forEach(text -> base64.append(text.replace(" ", "").replace("\t", "")));
        try {
            if (base64.length() % 4 != 0) {
                throw new IllegalArgumentException("the padding is missing");
            }
            blocks.add(
                    new Pem(type, lines.subList(0, first), Base64.getDecoder().decode(base64.toString())));
        } catch (IllegalArgumentException e) {
            problems.accept("PEM block " + type + " is not base64");
        }
    }

    /** Returns whether the content is encrypted (RFC 1421), so a reader needs a password. */
    public boolean isEncrypted() {
        return headers.stream().anyMatch(header -> header.startsWith("Proc-Type:") && header.contains("ENCRYPTED"));
    }

    /** Returns a block as text that ends with a line feed. */
    public static String write(String type, byte[] content) {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return BEGIN + type + DASHES + "\n" + body + "\n" + END + type + DASHES + "\n";
    }
}
