package io.kubeloop.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The members that a record has components for, found by the bytes of their names. Immutable.
 *
 * <p>A hash table without collisions: the constructor tries multipliers until every name has a slot of its own, so a look-up
 * is one hash of the name's ends, and one comparison.
 */
final class MemberNames {

    /** One bit for each member must fit into a {@code long}. */
    private static final int MAX_MEMBERS = 64;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The place of {@code kind} in the names of an object. */
    static final int KIND = 0;

    private final List<String> names;
    private final int typeMembers;
    private final byte[][] bytes;
    private final byte[] slots;
    private final long multiplier;
    private final int shift;

    /**
     * Makes a table.
     *
     * @param typeMembers 2 if the first names are {@code kind} and {@code apiVersion}, which are the codec's matter; else 0
     */
    MemberNames(List<String> names, int typeMembers) {
        if (names.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException("at most " + MAX_MEMBERS + " members, got " + names.size());
        }
        this.names = List.copyOf(names);
        this.typeMembers = typeMembers;
        bytes = new byte[names.size()][];
        for (int i = 0; i < bytes.length; i++) {
            byte[] name = names.get(i).getBytes(StandardCharsets.UTF_8);
            bytes[i] = Arrays.copyOf(name, name.length + 8); // read eight bytes at a time
            if (names.indexOf(names.get(i)) != i) {
                throw new IllegalArgumentException("member \"" + names.get(i) + "\" is listed twice");
            }
        }
        int bits = 32 - Integer.numberOfLeadingZeros(Math.max(1, names.size() * 2));
        long candidate = 0x9E3779B97F4A7C15L;
        byte[] table = place(candidate, 64 - bits);
        for (int tries = 1; table.length == 0; tries++) {
            candidate = (candidate * 6364136223846793005L + 1442695040888963407L) | 1;
            if (tries % 64 == 0) {
                bits++;
            }
            table = place(candidate, 64 - bits);
        }
        slots = table;
        multiplier = candidate;
        shift = 64 - bits;
    }

    /** Returns the table for this multiplier, or an empty one if two names collide. */
    private byte[] place(long multiplier, int shift) {
        byte[] table = new byte[1 << (64 - shift)];
        Arrays.fill(table, (byte) -1);
        for (int i = 0; i < bytes.length; i++) {
            int slot = slot(bytes[i], 0, bytes[i].length - 8, multiplier, shift);
            if (table[slot] >= 0) {
                return new byte[0];
            }
            table[slot] = (byte) i;
        }
        return table;
    }

    private static int slot(byte[] text, int from, int to, long multiplier, int shift) {
        int length = to - from;
        long head = (long) LONGS.get(text, from);
        long tail = length >= 8 ? (long) LONGS.get(text, to - 8) : 0;
        if (length < 8) {
            head &= (1L << (length * 8)) - 1;
        }
        long mixed = (head ^ Long.rotateLeft(tail, 29) ^ length) * multiplier;
        return (int) ((mixed ^ ((mixed >>> 32) * multiplier)) >>> shift);
    }

    /** Returns the number of the member with this name, or -1. Eight more bytes of the text must be readable. */
    int find(byte[] text, int from, int to) {
        int index = slots[slot(text, from, to, multiplier, shift)];
        if (index < 0) {
            return -1;
        }
        byte[] name = bytes[index];
        int length = to - from;
        return length == name.length - 8 && Arrays.equals(name, 0, length, text, from, to) ? index : -1;
    }

    int typeMembers() {
        return typeMembers;
    }

    int indexOf(String name) {
        return names.indexOf(name);
    }

    String name(int index) {
        return names.get(index);
    }
}
