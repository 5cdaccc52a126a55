/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Deflater;

/**
 * Compresses documents that resemble each other. Some are the dictionary of the next ones: each time that the number of
 * documents has doubled, the last one is added, up to 32 KiB, the reach of deflate. A document keeps the dictionary
 * that it was compressed with. Thread-safe, without locks.
 */
final class JsonCompressor {

    private static final int REACH = 32 * 1024;
    private static final byte[] NONE = {};

    private final AtomicLong documents = new AtomicLong();
    private final AtomicReference<byte[]> dictionary = new AtomicReference<>(NONE);

    CompressedJson compress(byte[] json) {
        boolean hasDoubled = Long.bitCount(documents.incrementAndGet()) == 1;
        byte[] shared = Objects.requireNonNull(
                hasDoubled ? dictionary.updateAndGet(before -> lastBytes(before, json)) : dictionary.get());
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setDictionary(shared);
            deflater.setInput(json);
            deflater.finish();
            byte[] buffer = new byte[Math.max(64, json.length / 4)];
            int length = 0;
            while (!deflater.finished()) {
                if (length == buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * length);
                }
                length += deflater.deflate(buffer, length, buffer.length - length);
            }
            return new CompressedJson(shared, Arrays.copyOf(buffer, length), json.length);
        } finally {
            deflater.end();
        }
    }

    /** Returns the last bytes within reach of two documents, one behind the other. */
    private static byte[] lastBytes(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return Arrays.copyOfRange(both, Math.max(0, both.length - REACH), both.length);
    }
}
