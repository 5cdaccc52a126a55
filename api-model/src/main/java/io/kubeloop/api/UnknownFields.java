package io.kubeloop.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What one level of a JSON object held beyond the components of its record, kept as it came.
 *
 * <p>Two things are kept. <em>Members</em>: the raw text {@code "name":value,"name":value} of every member that the record
 * has no component for; one span of bytes per level, written back unread. <em>Explicit absences</em>: one bit per known
 * member (numbered in the order of the record's components, at most 64 of them) that was present but held {@code null} or an
 * empty value, such as {@code "creationTimestamp":null} or {@code "resources":{}}; the record sees "absent", the encoder
 * writes back what was there unless the component has been given a value since.
 *
 * <p>Immutable. The bytes may be a slice of an array shared by all levels of one object.
 */
public final class UnknownFields {

    /** Nothing unknown, nothing explicitly absent. */
    public static final UnknownFields NONE = new UnknownFields(new byte[0], 0, 0, 0, 0);

    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final long nulls;
    private final long empties;

    private UnknownFields(byte[] bytes, int offset, int length, long nulls, long empties) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.nulls = nulls;
        this.empties = empties;
    }

    /**
     * Wraps a slice of raw members without copying; the caller must not write to the array afterwards.
     *
     * @param bytes holds {@code "name":value} pairs separated by commas, without braces, in UTF-8
     * @param offset where the slice begins
     * @param length its length; 0 for no members
     * @param nulls bit i set: known member i was {@code null}
     * @param empties bit i set: known member i held its type's empty value
     */
    public static UnknownFields of(byte[] bytes, int offset, int length, long nulls, long empties) {
        if (length == 0 && nulls == 0 && empties == 0) {
            return NONE;
        }
        if (offset < 0 || length < 0 || offset > bytes.length - length) {
            throw new IndexOutOfBoundsException(
                    "slice " + offset + "+" + length + " of an array of " + bytes.length + " bytes");
        }
        return new UnknownFields(bytes, offset, length, nulls, empties);
    }

    /**
     * Returns these raw members, which must be well-formed: they are written as they are.
     *
     * @param members {@code "name":value} pairs separated by commas, without braces
     */
    public static UnknownFields ofMembers(String members) {
        byte[] bytes = members.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length, 0, 0);
    }

    /** Returns the array that holds the raw members; for codecs, which do not write to it. */
    public byte[] array() {
        return bytes;
    }

    /** Returns where the raw members begin in {@link #array()}. */
    public int offset() {
        return offset;
    }

    /** Returns the length of the raw members in bytes; 0 when there are none. */
    public int length() {
        return length;
    }

    /** Returns the bits of the known members that were {@code null}. */
    public long nulls() {
        return nulls;
    }

    /** Returns the bits of the known members that held an empty value. */
    public long empties() {
        return empties;
    }

    /** Returns whether a known member was present and empty: where upstream tells {@code {}} from "absent". */
    public boolean wasEmpty(int member) {
        return (empties >>> member & 1) != 0;
    }

    /**
     * Returns these fields without the explicit absences: for an object that is about to be written anew, when it no longer
     * matters how it once came.
     */
    public UnknownFields withoutAbsences() {
        return nulls == 0 && empties == 0 ? this : of(bytes, offset, length, 0, 0);
    }

    /**
     * Returns these fields without the member of this name, in an array of their own; this instance if there is none. The
     * bits stay. O(n) in the bytes; reads no further into values than it takes to find their end.
     *
     * @param member its name as it is written: a name with escapes in the text is not found
     */
    public UnknownFields without(String member) {
        int[] span = RawMembers.find(bytes, offset, offset + length, member);
        if (span.length == 0) {
            return this;
        }
        int before = span[0] - offset;
        int after = offset + length - span[1];
        byte[] rest = new byte[before + after];
        System.arraycopy(bytes, offset, rest, 0, before);
        System.arraycopy(bytes, span[1], rest, before, after);
        return of(rest, 0, rest.length, nulls, empties);
    }

    /** Compares the raw text and the bits. O(n) in the bytes. */
    @Override
    public boolean equals(Object other) {
        return other instanceof UnknownFields that
                && nulls == that.nulls
                && empties == that.empties
                && Arrays.equals(bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = Long.hashCode(nulls) * 31 + Long.hashCode(empties);
        for (int i = offset; i < offset + length; i++) {
            hash = hash * 31 + bytes[i];
        }
        return hash;
    }

    /** Returns the raw members as text, in braces. */
    @Override
    public String toString() {
        return "{" + new String(bytes, offset, length, StandardCharsets.UTF_8) + "}";
    }
}
