/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.json.scan.ByteHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the decoded value of JSON text that occurred before, so the pods of one owner share labels, owner
 * references, ports and environment, and neither allocate nor decode them again.
 *
 * <p>Bounded: 2,048 values with texts of up to 1 KB. A new entry replaces an old one.
 */
final class ValueInterner {

    private static final int PLACES = 1 << 11;
    private static final int LONGEST = 1 << 10;

    // Invariants and threads: those of StringPool. Values are immutable.
    private final @Nullable Entry[] places = new Entry[PLACES];

    /** A value, and the type that it was decoded as: one text may have several. */
    record Entry(byte[] text, Object type, Object value) {

        /**
         * Returns whether the text is at this place of the window. A value of JSON ends where its text says, so it is
         * that value.
         */
        boolean isAt(byte[] window, int from) {
            int to = from + text.length;
            return to <= window.length && Arrays.equals(text, 0, text.length, window, from, to);
        }
    }

    /**
     * Whether the values of one type occur again. The conditions of a pod never do, because of their times; a look-up
     * for them would scan each twice. Threads race for the fields: at worst a value is looked up once more or less.
     */
    static final class Luck {

        private static final int MOST = 64;
        private static final int SELDOM = 64;

        private int luck = MOST;
        private int skipped;

        /**
         * The value that occurred last. Lists are sorted, so the next pod usually has the same owner and the same
         * value. No scan finds its end, and no hash.
         */
        @Nullable
        Entry last;

        boolean isWorthATry() {
            if (luck > 0 || ++skipped >= SELDOM) {
                skipped = 0;
                return true;
            }
            return false;
        }

        void count(@Nullable Entry found) {
            last = found == null ? last : found;
            luck = found != null ? Math.min(MOST, luck + 4) : Math.max(0, luck - 1);
        }
    }

    /** Returns the entry of this text as this type, or null. Eight more bytes must be readable. */
    @Nullable
    Entry get(Object type, byte[] window, int from, int to) {
        if (to - from > LONGEST) {
            return null;
        }
        Entry entry = places[place(window, from, to)];
        return entry != null && entry.type == type && entry.text.length == to - from && entry.isAt(window, from)
                ? entry
                : null;
    }

    /** Keeps an immutable value for {@link #get}. */
    void put(Object type, byte[] window, int from, int to, Object value) {
        if (to - from <= LONGEST) {
            places[place(window, from, to)] = new Entry(Arrays.copyOfRange(window, from, to), type, value);
        }
    }

    private static int place(byte[] window, int from, int to) {
        return (int) ByteHash.of(window, from, to) & PLACES - 1;
    }
}
