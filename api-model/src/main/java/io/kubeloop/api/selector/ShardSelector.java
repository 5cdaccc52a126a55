/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import io.kubeloop.api.ObjectMeta;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A predicate over the hash of an object's UID or namespace (upstream: KEP-5866, {@code shardSelector} of list and
 * watch). Replicas of a controller divide the objects of a resource among them. Immutable.
 *
 * <p>A hash is the 64-bit FNV-1a hash of the UTF-8 bytes. An object never changes its shard.
 *
 * @param ranges the ranges of hashes, of which one must contain the object; at least one
 */
public record ShardSelector(List<Range> ranges) {

    private static final BigInteger END = BigInteger.ONE.shiftLeft(Long.SIZE);
    private static final Pattern RANGE = Pattern.compile(
            "\\s*shardRange\\(\\s*object\\.metadata\\.(uid|namespace)\\s*,\\s*(['\"])0x([0-9a-fA-F]{1,17})\\2\\s*,"
                    + "\\s*(['\"])0x([0-9a-fA-F]{1,17})\\4\\s*\\)\\s*");

    /** The field whose hash selects the shard. */
    public enum Field {
        /** {@code object.metadata.uid}, which spreads the objects evenly. */
        UID,
        /** {@code object.metadata.namespace}, which keeps the objects of a namespace together. */
        NAMESPACE;

        private String of(ObjectMeta metadata) {
            return this == UID ? metadata.uid() : metadata.namespace();
        }
    }

    /**
     * A range of hashes.
     *
     * @param field the field whose hash selects the shard
     * @param from the first hash, from 0
     * @param to the hash after the last one, greater than {@code from}, at most 2<sup>64</sup>
     */
    public record Range(Field field, BigInteger from, BigInteger to) {

        /** Rejects an empty range. */
        public Range {
            if (from.signum() < 0 || from.compareTo(to) >= 0 || to.compareTo(END) > 0) {
                throw new IllegalArgumentException("a range of hashes must be within 0 and 2^64 and not empty, got "
                        + from.toString(16) + " to " + to.toString(16));
            }
        }

        private boolean contains(long hash) {
            return Long.compareUnsigned(hash, from.longValue()) >= 0
                    && (to.equals(END) || Long.compareUnsigned(hash, to.longValue()) < 0);
        }

        @Override
        public String toString() {
            return String.format(
                    "shardRange(object.metadata.%s, '0x%016x', '0x%016x')",
                    field == Field.UID ? "uid" : "namespace", from, to);
        }
    }

    /** Copies the ranges. Rejects an empty list. */
    public ShardSelector {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("a shard selector needs at least one range");
        }
    }

    /**
     * Returns the selector of one of several shards of nearly equal size, by UID.
     *
     * @param shard the number of the shard, from 0 to {@code shards - 1}
     * @param shards the number of shards, at least 1
     */
    public static ShardSelector of(int shard, int shards) {
        if (shards < 1 || shard < 0 || shard >= shards) {
            throw new IllegalArgumentException("there is no shard " + shard + " of " + shards);
        }
        return new ShardSelector(List.of(new Range(Field.UID, border(shard, shards), border(shard + 1, shards))));
    }

    private static BigInteger border(int shard, int shards) {
        return END.multiply(BigInteger.valueOf(shard)).divide(BigInteger.valueOf(shards));
    }

    /**
     * Parses a selector, such as {@code shardRange(object.metadata.uid, '0x0', '0x8000000000000000')}. Several ranges
     * are joined by {@code ||}.
     *
     * @throws InvalidSelectorException if the text is not a valid selector
     */
    public static ShardSelector parse(String text) {
        List<Range> ranges = new ArrayList<>();
        for (String part : text.split("\\|\\|", -1)) {
            Matcher matcher = RANGE.matcher(part);
            if (!matcher.matches()) {
                throw new InvalidSelectorException("cannot parse the shard selector \"" + text
                        + "\": expected shardRange(object.metadata.uid, '0x0', '0x8000000000000000'), got \""
                        + part.strip() + "\"");
            }
            try {
                ranges.add(new Range(
                        matcher.group(1).equals("uid") ? Field.UID : Field.NAMESPACE,
                        new BigInteger(matcher.group(3), 16),
                        new BigInteger(matcher.group(5), 16)));
            } catch (IllegalArgumentException e) {
                throw new InvalidSelectorException("invalid shard selector \"" + text + "\": " + e.getMessage());
            }
        }
        return new ShardSelector(ranges);
    }

    /** Returns whether the shard contains the object with this metadata. O(length of the field). */
    public boolean matches(ObjectMeta metadata) {
        for (Range range : ranges) {
            if (range.contains(hash(range.field.of(metadata)))) {
                return true;
            }
        }
        return false;
    }

    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (octet & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Returns the text of the request parameter. */
    @Override
    public String toString() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(" || "));
    }
}
