/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.UnknownFields;
import java.util.Arrays;

/**
 * The positions of unknown members in the reader's window, for the records that are being read. The spans of inner
 * records follow those of outer records. Not thread-safe.
 */
final class UnknownMembers {

    private static final byte[] NO_BYTES = {};
    private static final int SLACK = Long.BYTES;

    /** A buffer of at most this length is kept. */
    private static final int LARGEST_KEPT = 64 << 10;

    private final SpanInterner pool;
    private final UnknownFields[] recentMasks = new UnknownFields[64];

    /** Begin and end of each span. */
    private int[] spans = new int[32];

    private int count;

    /** The spans of one record, one after the other. */
    private byte[] buffer = new byte[1024];

    UnknownMembers(SpanInterner pool) {
        this.pool = pool;
    }

    void clear() {
        count = 0;
        if (buffer.length > LARGEST_KEPT) {
            buffer = new byte[1024];
        }
    }

    /** Returns the mark after the last span. The spans of the next record start at this mark. */
    int count() {
        return count;
    }

    /** Removes the spans from this mark on. */
    void drop(int mark) {
        count = mark;
    }

    /** Adds a member. If only a comma separates it from the previous unknown member, it extends that span. */
    void add(int mark, int start, int end) {
        if (count > mark && spans[count - 1] == start - 1) {
            spans[count - 1] = end;
            return;
        }
        if (count == spans.length) {
            spans = Arrays.copyOf(spans, count * 2);
        }
        spans[count++] = start;
        spans[count++] = end;
    }

    /** Returns the spans from this mark as fields. */
    UnknownFields take(int mark, byte[] window, long nulls, long empties, boolean shared) {
        if (count == mark) {
            return masks(nulls, empties);
        }
        int length = -1;
        for (int i = mark; i < count; i += 2) {
            length += spans[i + 1] - spans[i] + 1;
        }
        if (buffer.length < length + SLACK) {
            buffer = new byte[Math.max(length + SLACK, 2 * buffer.length)];
        }
        int at = 0;
        for (int i = mark; i < count; i += 2) {
            if (at > 0) {
                buffer[at++] = ',';
            }
            int size = spans[i + 1] - spans[i];
            System.arraycopy(window, spans[i], buffer, at, size);
            at += size;
        }
        return shared
                ? pool.get(buffer, length, nulls, empties)
                : UnknownFields.of(Arrays.copyOf(buffer, length), nulls, empties);
    }

    /** Shares equal bit sets: every condition of every pod has {@code "lastProbeTime":null}. */
    private UnknownFields masks(long nulls, long empties) {
        if ((nulls | empties) == 0) {
            return UnknownFields.NONE;
        }
        int place = (int) (nulls * 31 + empties) & (recentMasks.length - 1);
        UnknownFields recent = recentMasks[place];
        if (recent == null || recent.nulls() != nulls || recent.empties() != empties) {
            recent = UnknownFields.of(NO_BYTES, nulls, empties);
            recentMasks[place] = recent;
        }
        return recent;
    }
}
