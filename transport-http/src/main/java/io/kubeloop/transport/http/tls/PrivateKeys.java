/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import io.kubeloop.json.encoding.Der;
import io.kubeloop.json.encoding.Pem;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads private keys from PEM with the JDK alone: PKCS#8 (RSA, EC, Ed25519), PKCS#1 (RSA) and SEC1 (EC). Stateless.
 *
 * <p>The JDK reads only PKCS#8. The two older formats are converted to it.
 */
final class PrivateKeys {

    private static final byte[] RSA = {0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01};
    private static final byte[] EC = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};
    private static final byte[] ED25519 = {0x2b, 0x65, 0x70};
    private static final byte[] VERSION_0 = {0};

    private static final String ENCRYPTED =
            "the private key is encrypted, which is not supported; decrypt it (openssl pkey)";

    private PrivateKeys() {}

    /**
     * Returns the first private key of a PEM text.
     *
     * @throws IllegalArgumentException if the text has no key, or the key is encrypted or of an unknown kind. The
     *     message names the blocks and never quotes them
     */
    static PrivateKey parse(String text) {
        List<Pem> blocks = Pem.requireBlocks(text);
        for (Pem block : blocks) {
            PrivateKey key = parse(block, blocks);
            if (key != null) {
                return key;
            }
        }
        throw new IllegalArgumentException("no PEM private key"
                + (blocks.isEmpty()
                        ? ""
                        : ", only " + blocks.stream().map(Pem::type).toList()));
    }

    /**
     * Returns the key of one block, or null if the block is not a key. The text may also contain certificates and
     * curves.
     */
    private static @Nullable PrivateKey parse(Pem block, List<Pem> all) {
        if (block.isEncrypted()) {
            throw new IllegalArgumentException("PEM block " + block.type() + ": " + ENCRYPTED);
        }
        return switch (block.type()) {
            case "PRIVATE KEY" -> pkcs8(block.content());
            case "RSA PRIVATE KEY" -> pkcs8(wrap(block.content(), RSA, Der.write(Der.NULL)));
            case "EC PRIVATE KEY" -> pkcs8(wrap(block.content(), EC, curve(block.content(), all)));
            case "ENCRYPTED PRIVATE KEY" -> throw new IllegalArgumentException(ENCRYPTED);
            default -> null;
        };
    }

    private static PrivateKey pkcs8(byte[] der) {
        Der key = new Der(der).open(Der.SEQUENCE);
        key.open(Der.INTEGER);
        byte[] oid = key.open(Der.SEQUENCE).read(Der.OBJECT_ID);
        String algorithm = Arrays.equals(oid, RSA)
                ? "RSA"
                : Arrays.equals(oid, EC) ? "EC" : Arrays.equals(oid, ED25519) ? "Ed25519" : null;
        if (algorithm == null) {
            throw new IllegalArgumentException("the private key is neither RSA nor EC nor Ed25519");
        }
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the " + algorithm + " private key cannot be used: " + e.getMessage(), e);
        }
    }

    private static byte[] wrap(byte[] key, byte[] algorithm, byte[] parameters) {
        return Der.write(
                Der.SEQUENCE,
                Der.write(Der.INTEGER, VERSION_0),
                Der.write(Der.SEQUENCE, Der.write(Der.OBJECT_ID, algorithm), parameters),
                Der.write(Der.OCTET_STRING, key));
    }

    /** Returns the name of the curve. SEC1 keeps it inside the key, or in a block of its own. */
    private static byte[] curve(byte[] sec1, List<Pem> blocks) {
        Der key = new Der(sec1).open(Der.SEQUENCE);
        key.open(Der.INTEGER);
        key.open(Der.OCTET_STRING);
        if (key.peekTag() == Der.CONTEXT_0) {
            return key.read(Der.CONTEXT_0);
        }
        return blocks.stream()
                .filter(block -> block.type().equals("EC PARAMETERS"))
                .map(Pem::content)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the EC private key does not name its curve"));
    }
}
