/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The members of one level of an object for which its record has no component, as the exact bytes that were read.
 *
 * <p>It holds two things. <em>Members</em> are the raw text {@code "name":value,"name":value} of the unknown members,
 * in one span of bytes per level. The encoder writes them back unparsed. Members that were read in another form than
 * JSON stay in that {@link Encoding}, and become JSON where a caller requests it. <em>Explicit absences</em> are one
 * bit per known member that was present but {@code null} or empty, such as {@code "creationTimestamp":null} or {@code
 * "resources":{}}. The record's component has the zero value. The encoder writes the original null or empty value,
 * unless the component has another value by then.
 *
 * <p>The known members of a level are numbered in the order in which they are written, and there are at most 64. They
 * are the components of the record except the one of this type. In a {@link KubeObject}, {@code kind} and {@code
 * apiVersion} precede them with the numbers 0 and 1.
 *
 * <p>Immutable. The objects of one owner differ in a few bytes of their unknown members. Codecs let such fields share
 * one array, and each instance stores only its differences ({@link #near}).
 */
public final class UnknownFields {

    /** No unknown members and no explicit absences. */
    public static final UnknownFields NONE = new UnknownFields(new byte[0], null, null, 0, 0);

    /** The form of members that are not JSON text. Implementations are immutable and compared by identity. */
    public interface Encoding {

        /** Returns members as JSON: {@code "name":value} pairs separated by commas, without braces. */
        byte[] toJson(byte[] members);

        /** Returns members without the one of this name; the same array if there is none. */
        byte[] without(byte[] members, String name);
    }

    /** The members, or those of similar fields if there is a patch; callers must not write to it. */
    private final byte[] base;

    private final byte @Nullable [] patch;

    /** The form of the members; null for JSON. */
    private final @Nullable Encoding encoding;

    private final long nulls;
    private final long empties;

    private UnknownFields(byte[] base, byte @Nullable [] patch, @Nullable Encoding encoding, long nulls, long empties) {
        this.base = base;
        this.patch = patch;
        this.encoding = encoding;
        this.nulls = nulls;
        this.empties = empties;
    }

    /**
     * Wraps raw members without a copy. The caller must not write to the array afterwards.
     *
     * @param members {@code "name":value} pairs separated by commas, without braces, in UTF-8; empty for none
     * @param nulls bit i set: known member i was {@code null}
     * @param empties the bit i is set if known member i had the empty value of its type
     */
    public static UnknownFields of(byte[] members, long nulls, long empties) {
        return of(members, null, nulls, empties);
    }

    /**
     * Wraps members without a copy. The caller must not write to the array afterwards.
     *
     * @param members the members in that encoding; may be empty although the JSON has members
     * @param encoding the form; null for JSON, as in {@link #of(byte[], long, long)}
     */
    public static UnknownFields of(byte[] members, @Nullable Encoding encoding, long nulls, long empties) {
        return members.length == 0 && encoding == null && nulls == 0 && empties == 0
                ? NONE
                : new UnknownFields(members, null, encoding, nulls, empties);
    }

    /**
     * Returns fields with these raw members. They share the array of other fields of the same length, and store only
     * the differences. O(n).
     *
     * @param other fields without a patch
     * @param buffer a buffer that begins with the members; it is not kept, and up to eight bytes after the members may
     *     be overwritten
     * @param most the number of bytes that may be kept
     * @return null if more bytes differ, or if the lengths differ
     */
    public static @Nullable UnknownFields near(
            UnknownFields other, byte[] buffer, int length, int most, long nulls, long empties) {
        if (other.patch != null || other.base.length != length) {
            return null;
        }
        byte[] patch = BytePatch.between(other.base, buffer, most);
        return patch == null
                ? null
                : new UnknownFields(other.base, patch.length == 0 ? null : patch, other.encoding, nulls, empties);
    }

    /**
     * Returns these raw members. They must be well-formed JSON, because they are written without a check.
     *
     * @param members {@code "name":value} pairs separated by commas, without braces
     */
    public static UnknownFields ofMembers(String members) {
        return of(members.getBytes(StandardCharsets.UTF_8), 0, 0);
    }

    /** Returns the form of the raw members; null for JSON. */
    public @Nullable Encoding encoding() {
        return encoding;
    }

    /** Returns the same fields as JSON text; this instance if they already are JSON. O(n) in the bytes. */
    public UnknownFields inJson() {
        return encoding == null ? this : of(members(), nulls, empties);
    }

    /** Copies the raw members, in their encoding, into an array from this index on; {@link #length} bytes. */
    public void copyTo(byte[] target, int from) {
        System.arraycopy(base, 0, target, from, base.length);
        if (patch != null) {
            BytePatch.apply(patch, target, from);
        }
    }

    /** Returns the length of the raw members, in their encoding, in bytes; 0 if there are none. */
    public int length() {
        return base.length;
    }

    /**
     * Returns whether a buffer begins with exactly these raw members in this form, and these are the explicit absences.
     * Returns false for fields that {@link #near} returned. O(n) in the bytes; allocates nothing.
     */
    public boolean holds(byte[] buffer, int length, @Nullable Encoding encoding, long nulls, long empties) {
        return patch == null
                && this.encoding == encoding
                && this.nulls == nulls
                && this.empties == empties
                && Arrays.equals(base, 0, base.length, buffer, 0, length);
    }

    /** Returns the members as JSON, which callers must not write to. Copies them unless they are stored so. */
    byte[] members() {
        return encoding == null ? raw() : encoding.toJson(raw());
    }

    private byte[] raw() {
        if (patch == null) {
            return base;
        }
        byte[] members = base.clone();
        BytePatch.apply(patch, members, 0);
        return members;
    }

    /** Returns the bits of the known members that were {@code null}. */
    public long nulls() {
        return nulls;
    }

    /** Returns a bit set of the known members that had an explicit empty value. */
    public long empties() {
        return empties;
    }

    /**
     * Returns whether a known member was present and empty. Upstream distinguishes some empty values from absent
     * ones.
     */
    public boolean wasEmpty(int member) {
        return (empties >>> member & 1) != 0;
    }

    /**
     * Returns these fields without the explicit absences, for an object whose original form no longer matters.
     */
    public UnknownFields withoutAbsences() {
        if (nulls == 0 && empties == 0) {
            return this;
        }
        return base.length == 0 && encoding == null ? NONE : new UnknownFields(base, patch, encoding, 0, 0);
    }

    /**
     * Returns a copy without the member of this name, or this instance if there is none. The explicit absences stay.
     * O(n) in the bytes; values are skipped, not parsed.
     *
     * @param member the member's name, unescaped
     */
    public UnknownFields without(String member) {
        byte[] members = raw();
        if (encoding != null) {
            byte[] others = encoding.without(members, member);
            return others == members ? this : of(others, encoding, nulls, empties);
        }
        int[] span = RawMembers.find(members, 0, members.length, member);
        if (span.length == 0) {
            return this;
        }
        int after = members.length - span[1];
        byte[] rest = new byte[span[0] + after];
        System.arraycopy(members, 0, rest, 0, span[0]);
        System.arraycopy(members, span[1], rest, span[0], after);
        return of(rest, nulls, empties);
    }

    /**
     * Returns the members as the text of a JSON object, such as {@code {"data":{"key":"value"}}}; {@code {}} if there
     * are none. Each member has the text that was read, or the JSON text that a server would write. Allocates; O(n) in
     * the bytes.
     */
    public String json() {
        return "{" + new String(members(), StandardCharsets.UTF_8) + "}";
    }

    /**
     * Compares the members and the explicit absences: the raw bytes, or the JSON text if the two forms differ. O(n) in
     * the bytes.
     */
    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof UnknownFields that
                && nulls == that.nulls
                && empties == that.empties
                && hasMembersOf(that);
    }

    private boolean hasMembersOf(UnknownFields that) {
        if (encoding != that.encoding) {
            return Arrays.equals(members(), that.members());
        }
        if (base.length != that.base.length) {
            return false;
        }
        if (base == that.base && patch != null && that.patch != null) {
            return Arrays.equals(patch, that.patch); // one base has one patch for the same members
        }
        return Arrays.equals(raw(), that.raw());
    }

    @Override
    public int hashCode() {
        int hash = Long.hashCode(nulls) * 31 + Long.hashCode(empties);
        for (byte b : members()) {
            hash = hash * 31 + b;
        }
        return hash;
    }

    /** Returns the text of {@link #json()}, for logs. */
    @Override
    public String toString() {
        return json();
    }
}
