/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM text.
 *
 * @param label the label, such as {@code CERTIFICATE}
 * @param der the content
 */
record Pem(String label, byte[] der) {

    /** The message for a key that requires a password. */
    static final String ENCRYPTED = "the private key is encrypted, which is not supported; decrypt it (openssl pkey)";

    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");

    /**
     * Returns the blocks in order. Text around them is ignored.
     *
     * @throws IllegalArgumentException if a block has no end, or its content is not base64
     */
    static List<Pem> blocks(String text) {
        List<Pem> blocks = new ArrayList<>();
        Matcher begin = BEGIN.matcher(text);
        int from = 0;
        while (begin.find(from)) {
            String label = begin.group(1);
            String end = "-----END " + label + "-----";
            int stop = text.indexOf(end, begin.end());
            if (stop < 0) {
                throw new IllegalArgumentException("PEM block " + label + " has no end");
            }
            String body = text.substring(begin.end(), stop);
            blocks.add(new Pem(label, decode(label, body)));
            from = stop + end.length();
        }
        return blocks;
    }

    private static byte[] decode(String label, String body) {
        if (body.contains("Proc-Type:")) {
            throw new IllegalArgumentException("PEM block " + label + ": " + ENCRYPTED);
        }
        try {
            return Base64.getMimeDecoder().decode(body);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("PEM block " + label + " is not base64", e);
        }
    }
}
