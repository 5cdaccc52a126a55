/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two arrays of equal length: for each range that differs, the number of equal bytes before it,
 * its length, and its bytes. Numbers take 7 bits per byte. Stateless.
 */
final class BytePatch {

    /** Ranges closer than this become one, since a range takes two bytes beside its content. */
    private static final int CLOSE = 4;

    /** Number of bytes after the members that a reader may access. */
    private static final int SLACK = Long.BYTES;

    private BytePatch() {}

    /**
     * Returns a patch that turns the base into the first bytes of the target; null if the patch would be longer than
     * the limit. O(n).
     */
    static byte @Nullable [] between(byte[] base, byte[] target, int most) {
        // The patch is made after the members, if the array has room there: one pass instead of two.
        int scratch = base.length + SLACK;
        boolean hasRoom = target.length - scratch >= most;
        int length = write(base, target, hasRoom ? target : null, scratch, most);
        if (length > most) {
            return null;
        }
        if (hasRoom) {
            return Arrays.copyOfRange(target, scratch, scratch + length);
        }
        byte[] patch = new byte[length];
        write(base, target, patch, 0, most);
        return patch;
    }

    /**
     * Returns the length of the patch, or a larger number than {@code most}; writes it unless {@code patch} is null.
     */
    private static int write(byte[] base, byte[] target, byte @Nullable [] patch, int from, int most) {
        int written = 0;
        int done = 0;
        while (written <= most) {
            int differs = Arrays.mismatch(base, done, base.length, target, done, base.length);
            if (differs < 0) {
                break;
            }
            int start = done + differs;
            int end = endOfRange(base, target, start);
            int size = length(start - done) + length(end - start) + end - start;
            if (patch != null && written + size <= most) {
                int at = number(patch, from + written, start - done);
                at = number(patch, at, end - start);
                System.arraycopy(target, start, patch, at, end - start);
            }
            written += size;
            done = end;
        }
        return written;
    }

    private static int endOfRange(byte[] base, byte[] target, int start) {
        int end = start + 1;
        for (int i = end; i < base.length && i < end + CLOSE; i++) {
            if (base[i] != target[i]) {
                end = i + 1;
            }
        }
        return end;
    }

    private static int length(int number) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(number | 1) + 6) / 7;
    }

    private static int number(byte[] patch, int at, int value) {
        int next = at;
        int rest = value;
        while (rest > 0x7f) {
            patch[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        patch[next++] = (byte) rest;
        return next;
    }

    /** Applies the patch to a copy of the base that begins at this index. */
    static void apply(byte[] patch, byte[] copy, int from) {
        int at = from;
        int next = 0;
        while (next < patch.length) {
            int skip = 0;
            int length = 0;
            int shift = 0;
            byte bits;
            do {
                bits = patch[next++];
                skip |= (bits & 0x7f) << shift;
                shift += 7;
            } while (bits < 0);
            shift = 0;
            do {
                bits = patch[next++];
                length |= (bits & 0x7f) << shift;
                shift += 7;
            } while (bits < 0);
            at += skip;
            System.arraycopy(patch, next, copy, at, length);
            at += length;
            next += length;
        }
    }
}
