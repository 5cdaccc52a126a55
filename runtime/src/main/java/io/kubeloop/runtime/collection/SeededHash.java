/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime.collection;

import java.security.SecureRandom;

/**
 * A hash over the characters of a key, with a secret seed per process: a tenant who chooses names cannot make them
 * collide, as it can with {@link String#hashCode}. Thread-safe: stateless.
 *
 * <p>It reads every character at each call. So a table uses it only once its keys collide more often than chance
 * permits.
 */
public final class SeededHash {

    private static final SecureRandom SECRETS = new SecureRandom();
    private static final long SEED = SECRETS.nextLong();
    private static final long MULTIPLIER = SECRETS.nextLong() | 1;
    private static final int CHARACTERS_PER_WORD = Long.BYTES / Character.BYTES;

    private SeededHash() {}

    /** Returns whether equal keys have equal texts: equal strings do, and {@link Record#toString} requires it. */
    public static boolean appliesTo(Object key) {
        return key instanceof String || key instanceof Record;
    }

    /** Returns the hash of the key's text. All of its bits are usable. */
    public static int of(Object key) {
        String text = key.toString();
        long hash = SEED ^ text.length();
        long word = 0;
        for (int i = 0; i < text.length(); i++) {
            word = word << Character.SIZE | text.charAt(i);
            if (i % CHARACTERS_PER_WORD == CHARACTERS_PER_WORD - 1) {
                hash = mix(hash ^ word);
            }
        }
        return (int) mix(hash ^ word);
    }

    /** A multiplication carries changes to higher bits only; the shift carries them to lower ones. */
    private static long mix(long value) {
        long mixed = value * MULTIPLIER;
        return mixed ^ mixed >>> 32;
    }
}
