/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * One block of a PEM document (upstream: Go's {@code encoding/pem}).
 *
 * @param type the type, such as {@code CERTIFICATE}
 * @param hasHeaders whether the content begins with headers
 * @param content the decoded content; callers must not change it
 */
public record PemBlock(String type, boolean hasHeaders, byte[] content) {

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    /**
     * Returns the well-formed blocks of a document. The time is linear: a block begins at the last line {@code BEGIN}
     * before a line {@code END}.
     */
    public static List<PemBlock> all(String document) {
        List<PemBlock> blocks = new ArrayList<>();
        int from = 0;
        for (int end = document.indexOf(END); end >= 0; end = document.indexOf(END, from)) {
            int begin = document.substring(from, end).lastIndexOf(BEGIN);
            if (begin >= 0) {
                add(document.substring(from + begin + BEGIN.length(), end), document, end + END.length(), blocks);
            }
            from = end + END.length();
        }
        return blocks;
    }

    private static void add(String block, String document, int after, List<PemBlock> blocks) {
        int endOfLine = block.indexOf('\n');
        String line = endOfLine < 0 ? "" : block.substring(0, endOfLine).stripTrailing();
        String type = line.endsWith(DASHES) ? line.substring(0, line.length() - DASHES.length()) : "";
        if (!line.endsWith(DASHES) || !document.startsWith(type + DASHES, after)) {
            return;
        }
        List<String> lines = block.substring(endOfLine + 1).lines().toList();
        int first = 0;
        while (first < lines.size() && lines.get(first).indexOf(':') >= 0) {
            first++;
        }
        StringBuilder base64 = new StringBuilder();
        lines.subList(first, lines.size())
                .forEach(text -> base64.append(text.replace(" ", "").replace("\t", "")));
        if (base64.length() % 4 == 0) {
            try {
                byte[] content = Base64.getDecoder().decode(base64.toString());
                blocks.add(new PemBlock(type, first > 0, content));
            } catch (IllegalArgumentException e) {
                return; // as upstream: a block that is not base64 is none
            }
        }
    }
}
