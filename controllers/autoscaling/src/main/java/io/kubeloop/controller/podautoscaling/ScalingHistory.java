/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.autoscaling.ScalingBehavior;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The recent recommendations and changes of one autoscaler. An entry that is too old is replaced by the next one, so
 * the size is bounded by the number of syncs in the longest window.
 *
 * <p>For one thread at a time: the worker that syncs the autoscaler.
 */
final class ScalingHistory {

    private record Entry(int replicas, Instant time) {}

    private final List<Entry> recommendations = new ArrayList<>();
    private final List<Entry> increases = new ArrayList<>();
    private final List<Entry> decreases = new ArrayList<>();

    /**
     * The recommendations within the two windows of a behavior: the lowest for an increase, the highest for a decrease.
     */
    record Bounds(int lowest, int highest) {}

    /**
     * Records the current number of pods, unless there is a recommendation. A new controller then scales down late, not
     * at once.
     */
    void start(int replicas, Instant now) {
        if (recommendations.isEmpty()) {
            recommend(replicas, now);
        }
    }

    /** Records a recommendation, regardless of its age (for tests of recorded histories). */
    void recommend(int replicas, Instant time) {
        recommendations.add(new Entry(replicas, time));
    }

    /**
     * Records a recommendation, and returns the highest one within the window, this one included. O(recommendations).
     */
    int stabilize(int replicas, Duration window, Instant now) {
        Instant cutoff = now.minus(window);
        int highest = replicas;
        int old = -1;
        for (int i = 0; i < recommendations.size(); i++) {
            Entry entry = recommendations.get(i);
            if (entry.time().isBefore(cutoff)) {
                old = i;
            } else {
                highest = Math.max(highest, entry.replicas());
            }
        }
        record(recommendations, old, new Entry(replicas, now));
        return highest;
    }

    /**
     * Records a recommendation, and returns the bounds by those within the windows, this one included.
     * O(recommendations).
     */
    Bounds stabilize(int replicas, Duration upWindow, Duration downWindow, Instant now) {
        Instant upCutoff = now.minus(upWindow);
        Instant downCutoff = now.minus(downWindow);
        int lowest = replicas;
        int highest = replicas;
        int old = -1;
        for (int i = 0; i < recommendations.size(); i++) {
            Entry entry = recommendations.get(i);
            if (entry.time().isAfter(upCutoff)) {
                lowest = Math.min(lowest, entry.replicas());
            }
            if (entry.time().isAfter(downCutoff)) {
                highest = Math.max(highest, entry.replicas());
            }
            if (entry.time().isBefore(upCutoff) && entry.time().isBefore(downCutoff)) {
                old = i;
            }
        }
        record(recommendations, old, new Entry(replicas, now));
        return new Bounds(lowest, highest);
    }

    /** Records that the number of pods was changed. The rules of the direction decide how long the change counts. */
    void changed(int from, int to, ScalingBehavior.Rules rules, Instant now) {
        List<Entry> changes = to > from ? increases : decreases;
        int longest = rules.policies().stream()
                .mapToInt(ScalingBehavior.Policy::periodSeconds)
                .max()
                .orElse(0);
        Instant cutoff = now.minusSeconds(longest);
        int old = -1;
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).time().isBefore(cutoff)) {
                old = i;
            }
        }
        record(changes, old, new Entry(Math.abs(to - from), now));
    }

    private static void record(List<Entry> entries, int replaced, Entry entry) {
        if (replaced < 0) {
            entries.add(entry);
        } else {
            entries.set(replaced, entry);
        }
    }

    /** Returns the number of pods at the begin of a period that ends now. O(changes). */
    int atPeriodStart(int current, int periodSeconds, Instant now) {
        Instant cutoff = now.minusSeconds(periodSeconds);
        return current - sumAfter(increases, cutoff) + sumAfter(decreases, cutoff);
    }

    private static int sumAfter(List<Entry> changes, Instant cutoff) {
        return changes.stream()
                .filter(change -> change.time().isAfter(cutoff))
                .mapToInt(Entry::replicas)
                .sum();
    }
}
