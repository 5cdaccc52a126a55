/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A hash of bytes, computed eight bytes at a time. All of its bits are usable. An attacker who chooses the keys can
 * make them collide. Thread-safe: stateless.
 */
public final class ByteHash {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private ByteHash() {}

    /** Returns the hash of these bytes. Eight more bytes must be readable; they do not count. */
    public static long of(byte[] text, int from, int to) {
        long hash = (long) to - from;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(text, i));
        }
        if (i < to) {
            long lastBytes = (1L << ((to - i) * Byte.SIZE)) - 1;
            hash = mix(hash ^ ((long) LONGS.get(text, i) & lastBytes));
        }
        return hash;
    }

    /** A multiplication carries changes to higher bits only; the shifts carry them to lower ones. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 32)) * MULTIPLIER;
        return mixed ^ (mixed >>> 29);
    }
}
