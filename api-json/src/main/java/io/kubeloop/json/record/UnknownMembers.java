/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.api.UnknownFields;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
    void addJson(int mark, int start, int end) {
        add(mark, start, end, 1);
    }

    /** Adds a field of a message. If it follows the previous unknown field, it extends that span. */
    void addField(int mark, int start, int end) {
        add(mark, start, end, 0);
    }

    private void add(int mark, int start, int end, int separator) {
        if (count > mark && spans[count - 1] == start - separator) {
            spans[count - 1] = end;
            return;
        }
        if (count == spans.length) {
            spans = Arrays.copyOf(spans, count * 2);
        }
        spans[count++] = start;
        spans[count++] = end;
    }

    /**
     * Returns the spans from this mark as fields.
     *
     * @param encoding the form of the members; null for JSON
     * @param isNeverEmpty whether JSON has members even if there are no spans
     */
    UnknownFields take(
            int mark,
            byte[] window,
            long nulls,
            long empties,
            boolean shared,
            UnknownFields.@Nullable Encoding encoding,
            boolean isNeverEmpty) {
        if (count == mark && !isNeverEmpty) {
            return masks(nulls, empties);
        }
        int separators = encoding == null ? (count - mark) / 2 - 1 : 0;
        int length = separators;
        for (int i = mark; i < count; i += 2) {
            length += spans[i + 1] - spans[i];
        }
        int needed = length + SLACK + length / 4; // the differences to similar members are written behind them
        if (buffer.length < needed) {
            buffer = new byte[Math.max(needed, 2 * buffer.length)];
        }
        int at = 0;
        for (int i = mark; i < count; i += 2) {
            if (at > 0 && separators > 0) {
                buffer[at++] = ',';
            }
            int size = spans[i + 1] - spans[i];
            System.arraycopy(window, spans[i], buffer, at, size);
            at += size;
        }
        return shared
                ? pool.get(buffer, length, encoding, nulls, empties)
                : UnknownFields.of(Arrays.copyOf(buffer, length), encoding, nulls, empties);
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
