/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A set of completion indexes as ascending intervals, such as {@code 1,3-5,7}; neighboring intervals have a gap between
 * them (upstream: {@code orderedIntervals}). Immutable.
 */
record IndexIntervals(List<Interval> intervals) {

    private static final Logger LOG = LoggerFactory.getLogger(IndexIntervals.class);

    /** No indexes. */
    static final IndexIntervals NONE = new IndexIntervals(List.of());

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,18}");

    /** All indexes from the first to the last. */
    record Interval(int first, int last) {

        int size() {
            return last - first + 1;
        }

        @Override
        public String toString() {
            if (last <= first) {
                return Integer.toString(first);
            }
            return first + (last == first + 1 ? "," : "-") + last;
        }
    }

    IndexIntervals {
        intervals = List.copyOf(intervals);
    }

    /**
     * Reads the text of a status or of a rule. Parts that are not intervals are skipped.
     *
     * @param completions the number of indexes; higher ones are left out
     */
    static IndexIntervals parse(String text, int completions) {
        List<Interval> result = new ArrayList<>();
        if (text.isEmpty()) {
            return NONE;
        }
        for (String part : text.split(",", -1)) {
            String[] limits = part.split("-", -1);
            if (!NUMBER.matcher(limits[0]).matches()
                    || (limits.length > 1 && !NUMBER.matcher(limits[1]).matches())) {
                LOG.info("Skipped the part '{}' of the indexes '{}': it is not an interval", part, text);
                continue;
            }
            long first = Long.parseLong(limits[0]);
            if (first >= completions) {
                break;
            }
            long last = limits.length > 1 ? Math.min(Long.parseLong(limits[1]), completions - 1L) : first;
            append(result, new Interval((int) first, (int) last));
        }
        return new IndexIntervals(result);
    }

    /** Appends an interval of a text; it continues the last one if it follows directly. */
    private static void append(List<Interval> result, Interval added) {
        int end = result.size() - 1;
        if (end >= 0 && result.get(end).last() == added.first() - 1) {
            result.set(end, new Interval(result.get(end).first(), added.last()));
        } else {
            result.add(added);
        }
    }

    /** Returns these indexes and more of them. O(n log n). */
    IndexIntervals with(Collection<Integer> indexes) {
        return union(new IndexIntervals(
                indexes.stream().map(index -> new Interval(index, index)).toList()));
    }

    /** Returns the indexes of both. O(n log n). */
    IndexIntervals union(IndexIntervals other) {
        List<Interval> all = new ArrayList<>(intervals);
        all.addAll(other.intervals);
        all.sort((a, b) -> Integer.compare(a.first(), b.first()));
        List<Interval> result = new ArrayList<>();
        for (Interval next : all) {
            int end = result.size() - 1;
            if (end < 0 || next.first() > result.get(end).last() + 1) {
                result.add(next);
            } else if (next.last() > result.get(end).last()) {
                result.set(end, new Interval(result.get(end).first(), next.last()));
            }
        }
        return new IndexIntervals(result);
    }

    /** Returns the number of indexes that both have. O(n). */
    int inCommon(IndexIntervals other) {
        int common = 0;
        int here = 0;
        int there = 0;
        while (here < intervals.size() && there < other.intervals.size()) {
            Interval a = intervals.get(here);
            Interval b = other.intervals.get(there);
            common += Math.max(0, Math.min(a.last(), b.last()) - Math.max(a.first(), b.first()) + 1);
            here += a.last() <= b.last() ? 1 : 0;
            there += b.last() <= a.last() ? 1 : 0;
        }
        return common;
    }

    /** Returns the number of indexes. */
    int total() {
        return intervals.stream().mapToInt(Interval::size).sum();
    }

    /** Returns whether the index is one of them. O(log n). */
    boolean contains(int index) {
        int low = 0;
        int high = intervals.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (intervals.get(middle).last() < index) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < intervals.size() && intervals.get(low).first() <= index;
    }

    /** Returns the lowest indexes that are not among these, in order. O(n + most). */
    List<Integer> lowestAbsent(int completions, int most) {
        List<Integer> result = new ArrayList<>();
        int candidate = 0;
        for (Interval taken : intervals) {
            for (; candidate < Math.min(taken.first(), completions) && result.size() < most; candidate++) {
                result.add(candidate);
            }
            candidate = Math.max(candidate, taken.last() + 1);
        }
        for (; candidate < completions && result.size() < most; candidate++) {
            result.add(candidate);
        }
        return result;
    }

    /** Returns the text in a status, such as {@code 1,3-5,7}. */
    @Override
    public String toString() {
        return intervals.stream().map(Interval::toString).collect(Collectors.joining(","));
    }
}
