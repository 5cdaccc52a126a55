package io.kubeloop.json.record;

import io.kubeloop.api.UnknownFields;
import java.util.Arrays;

/**
 * The positions of unknown members in the reader's window, for the records that are being read. The spans of inner records
 * follow those of outer records. Not thread-safe.
 */
final class UnknownMembers {

    private static final byte[] NO_BYTES = {};

    private final UnknownFields[] recentMasks = new UnknownFields[64];

    /** Begin and end of each span. */
    private int[] spans = new int[32];

    private int count;

    void clear() {
        count = 0;
    }

    /** Returns the mark after the last span: the spans of a record that begins now start there. */
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

    /** Copies the spans from this mark out of the window, into an array of exactly their size. */
    UnknownFields take(int mark, byte[] window, long nulls, long empties) {
        if (count == mark) {
            return masks(nulls, empties);
        }
        int length = -1;
        for (int i = mark; i < count; i += 2) {
            length += spans[i + 1] - spans[i] + 1;
        }
        byte[] members = new byte[length];
        int at = 0;
        for (int i = mark; i < count; i += 2) {
            if (at > 0) {
                members[at++] = ',';
            }
            int size = spans[i + 1] - spans[i];
            System.arraycopy(window, spans[i], members, at, size);
            at += size;
        }
        return UnknownFields.of(members, 0, length, nulls, empties);
    }

    /** Shares equal bit sets: every condition of every pod has {@code "lastProbeTime":null}. */
    private UnknownFields masks(long nulls, long empties) {
        if ((nulls | empties) == 0) {
            return UnknownFields.NONE;
        }
        int place = (int) (nulls * 31 + empties) & (recentMasks.length - 1);
        UnknownFields recent = recentMasks[place];
        if (recent == null || recent.nulls() != nulls || recent.empties() != empties) {
            recent = UnknownFields.of(NO_BYTES, 0, 0, nulls, empties);
            recentMasks[place] = recent;
        }
        return recent;
    }
}
