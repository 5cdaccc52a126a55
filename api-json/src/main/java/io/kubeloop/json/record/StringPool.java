/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.json.scan.ByteHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the string for bytes that occurred before, so ten thousand objects share label keys, node names and
 * phases. Finding a string does not allocate.
 *
 * <p>Bounded: 16,384 entries in buckets of four. A new entry replaces an old one of a full bucket. Texts of more than
 * 128 bytes are not kept.
 */
final class StringPool {

    private static final int PLACES = 1 << 14;
    private static final int BUCKET = 4;
    private static final int MAX_LENGTH = 128;

    // Invariants. P1: an entry never changes, and its fields are final. P2: slots are read and written without
    // ordering. Locks: none. Any thread may call get. A racy read returns an old entry or a new one, and both are
    // complete (P1). At worst a string exists twice: the pool saves memory and guarantees no identity.
    private final Entry[] places = new Entry[PLACES];

    /** A text and its bytes. */
    record Entry(byte[] bytes, String text) {

        /** Returns whether these are its bytes. */
        boolean holds(byte[] source, int from, int to) {
            return bytes.length == to - from && Arrays.equals(bytes, 0, bytes.length, source, from, to);
        }
    }

    /** Returns the text of these bytes in UTF-8. Eight more bytes must be readable. */
    String get(byte[] source, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return "";
        }
        return length > MAX_LENGTH ? text(source, from, length) : entry(source, from, to).text;
    }

    /** Returns whether texts of this length are kept. */
    static boolean keeps(int length) {
        return length > 0 && length <= MAX_LENGTH;
    }

    /** Returns the entry of a text of a length that is kept. */
    Entry entry(byte[] source, int from, int to) {
        long hash = ByteHash.of(source, from, to);
        int bucket = (int) hash & (PLACES - 1) & -BUCKET;
        for (int i = bucket; i < bucket + BUCKET; i++) {
            Entry entry = places[i];
            if (entry == null) {
                return put(i, source, from, to);
            }
            if (entry.holds(source, from, to)) {
                return entry;
            }
        }
        return put(bucket + (int) (hash >>> 62), source, from, to);
    }

    private Entry put(int place, byte[] source, int from, int to) {
        Entry entry = new Entry(Arrays.copyOfRange(source, from, to), text(source, from, to - from));
        places[place] = entry;
        return entry;
    }

    private static String text(byte[] source, int from, int length) {
        return new String(source, from, length, StandardCharsets.UTF_8);
    }
}
