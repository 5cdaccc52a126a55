/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** The PEM form of requests and certificates. Stateless. */
final class PemText {

    private static final int LINE = 64;

    private PemText() {}

    /** The type of a block, such as {@code CERTIFICATE}, and its bytes. */
    record Block(String type, byte[] content) {}

    /**
     * Returns the blocks of a text in order; none if it has no complete block.
     *
     * @throws IllegalArgumentException if a block is damaged
     */
    static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        try (PemReader reader = new PemReader(new StringReader(text))) {
            for (PemObject block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
                blocks.add(new Block(block.getType(), block.getContent()));
            }
        } catch (IOException | RuntimeException e) {
            // The decoder of Base64 throws an unchecked exception of its own.
            throw new IllegalArgumentException("a PEM block is damaged: " + e.getMessage(), e);
        }
        return blocks;
    }

    /** Returns the PEM block of a type. */
    static byte[] block(String type, byte[] content) {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return ("-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the text of bytes in Base64, as objects of the API contain them.
     *
     * @throws IllegalArgumentException if the text is not Base64
     */
    static String ofBase64(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
    }
}
