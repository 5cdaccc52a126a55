/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.objectmeta;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Generates names and UIDs (upstream: {@code storage/names/generate.go}). Thread-safe if its random source is. */
public final class NameGenerator {

    /** Without vowels, and without characters that are easily confused. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;

    private final RandomGenerator random;

    /** Creates a generator with this source, which must be thread-safe. */
    public NameGenerator(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the prefix, truncated to fit a label, with five random characters. */
    public String generate(String prefix) {
        StringBuilder name = new StringBuilder(
                prefix.length() > MAX_PREFIX_LENGTH ? prefix.substring(0, MAX_PREFIX_LENGTH) : prefix);
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }

    /** Returns a random UID: a UUID of version 4. */
    public String uid() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
        return new UUID(high, low).toString();
    }
}
