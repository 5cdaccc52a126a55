/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.UnknownFields.Encoding;
import io.kubeloop.json.scan.ByteHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds unknown fields that occurred before, or that differ from earlier ones in a few bytes, so ten thousand pods
 * share the probes, mounts and volumes of their applications.
 *
 * <p>Of 5.8 KB of JSON, a pod kept 3.3 KB as unknown members. Equal ones are shared; similar ones of equal length, such
 * as the volumes of a pod, which contain a random name, keep their differences only. Exactness is not affected: the
 * bytes are the same.
 *
 * <p>Bounded: 2,048 fields of less than 48 bytes by their content, and 512 of up to 16 KB by their length. A new entry
 * replaces an old one.
 */
final class SpanInterner {

    private static final int PLACES = 1 << 11;
    private static final int LENGTHS = 1 << 9;

    /** Fields of equal length that are kept: several applications have mounts of the same length. */
    private static final int BUCKET = 2;

    /** Below this length, the differences take as much memory as the members. */
    private static final int SHORTEST_SIMILAR = 48;

    private static final int LONGEST_SIMILAR = 16 << 10;

    // Invariants and threads: those of StringPool. An entry never changes, and its fields are final. A racy read
    // returns an old
    // entry or a new one.
    private final @Nullable UnknownFields[] equal = new UnknownFields[PLACES];
    private final @Nullable UnknownFields[] similar = new UnknownFields[LENGTHS];

    /** Returns fields with these members, at the start of the buffer. Eight more bytes must be readable. */
    UnknownFields get(byte[] buffer, int length, @Nullable Encoding encoding, long nulls, long empties) {
        if (length < SHORTEST_SIMILAR) {
            return equal(buffer, length, encoding, nulls, empties);
        }
        return length <= LONGEST_SIMILAR
                ? similar(buffer, length, encoding, nulls, empties)
                : UnknownFields.of(Arrays.copyOf(buffer, length), encoding, nulls, empties);
    }

    private UnknownFields equal(byte[] buffer, int length, @Nullable Encoding encoding, long nulls, long empties) {
        int place = (int) ByteHash.of(buffer, 0, length) & PLACES - 1;
        UnknownFields known = equal[place];
        if (known != null && known.holds(buffer, length, encoding, nulls, empties)) {
            return known;
        }
        UnknownFields fields = UnknownFields.of(Arrays.copyOf(buffer, length), encoding, nulls, empties);
        equal[place] = fields;
        return fields;
    }

    /**
     * Finds by length and not by content: hashing 3.3 KB takes longer than comparing them, and a list is sorted by
     * owner.
     */
    private UnknownFields similar(byte[] buffer, int length, @Nullable Encoding encoding, long nulls, long empties) {
        int bucket = length * BUCKET & LENGTHS - 1;
        for (int i = bucket; i < bucket + BUCKET; i++) {
            UnknownFields known = similar[i];
            if (known == null || known.encoding() != encoding) {
                continue;
            }
            if (known.holds(buffer, length, encoding, nulls, empties)) {
                return known;
            }
            UnknownFields near = UnknownFields.near(known, buffer, length, length / 4, nulls, empties);
            if (near != null) {
                return near;
            }
        }
        UnknownFields fields = UnknownFields.of(Arrays.copyOf(buffer, length), encoding, nulls, empties);
        similar[bucket + 1] = similar[bucket];
        similar[bucket] = fields;
        return fields;
    }
}
