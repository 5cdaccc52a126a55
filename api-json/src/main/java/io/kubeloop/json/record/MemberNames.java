/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import io.kubeloop.json.scan.ByteHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The names of the members that a record has components for; finds them by their bytes. Immutable.
 *
 * <p>A hash table with linear probing, at most a quarter full. Servers write members in the order of the record, so a
 * look-up usually compares one name and computes no hash.
 */
final class MemberNames {

    /** The number of {@code kind} among the names of an object. */
    static final int KIND = 0;

    /** One bit for each member must fit into a {@code long}. */
    private static final int MAX_MEMBERS = 64;

    private static final byte EMPTY = -1;

    private final List<String> names;
    private final byte[][] bytes;
    private final int typeMembers;

    /** The numbers of the members, each at the index of the hash of its name or at the next free index. */
    private final byte[] table;

    /**
     * Makes a table.
     *
     * @param typeMembers 2 if the first names are {@code kind} and {@code apiVersion}, which the codec handles; else 0
     */
    MemberNames(List<String> names, int typeMembers) {
        if (names.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException("at most " + MAX_MEMBERS + " members, got " + names.size());
        }
        this.names = List.copyOf(names);
        this.typeMembers = typeMembers;
        bytes = new byte[names.size()][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = names.get(i).getBytes(StandardCharsets.UTF_8);
            if (names.indexOf(names.get(i)) != i) {
                throw new IllegalArgumentException("member \"" + names.get(i) + "\" is listed twice");
            }
        }
        table = new byte[Integer.highestOneBit(bytes.length + 1) * 8];
        Arrays.fill(table, EMPTY);
        for (int i = 0; i < bytes.length; i++) {
            int place = place(Arrays.copyOf(bytes[i], bytes[i].length + Long.BYTES), 0, bytes[i].length);
            while (table[place] != EMPTY) {
                place = next(place);
            }
            table[place] = (byte) i;
        }
    }

    private int place(byte[] text, int from, int to) {
        return (int) ByteHash.of(text, from, to) & (table.length - 1);
    }

    private int next(int place) {
        return (place + 1) & (table.length - 1);
    }

    /**
     * Returns the number of the member with this name, or -1. Eight more bytes of the text must be readable.
     *
     * @param guess the number that is tried first: servers write members in the order of this list
     */
    int find(byte[] text, int from, int to, int guess) {
        if (guess < bytes.length) {
            byte[] name = bytes[guess];
            if (name.length == to - from && Arrays.equals(name, 0, name.length, text, from, to)) {
                return guess;
            }
        }
        for (int place = place(text, from, to); ; place = next(place)) {
            int index = table[place];
            if (index == EMPTY) {
                return -1;
            }
            byte[] name = bytes[index];
            if (Arrays.equals(name, 0, name.length, text, from, to)) {
                return index;
            }
        }
    }

    /** Returns how many of the first names are {@code kind} and {@code apiVersion}: 2 or 0. */
    int typeMembers() {
        return typeMembers;
    }

    /**
     * Returns whether the member of this number is the object's kind or version, rather than a member of its record.
     */
    boolean isType(int index) {
        return index < typeMembers;
    }

    int indexOf(String name) {
        return names.indexOf(name);
    }
}
