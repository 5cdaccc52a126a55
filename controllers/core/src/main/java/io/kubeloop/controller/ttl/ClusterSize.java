/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.ttl;

import java.util.List;

/**
 * Counts nodes and derives the time to live from their number. The ranges overlap, so a node that comes and goes
 * does not change the annotations of all nodes each time.
 *
 * <p>One thread adds and removes nodes; any thread reads.
 */
final class ClusterSize {

    /**
     * A range of sizes.
     *
     * @param min the size below which the range before applies
     * @param max the size above which the next range applies
     * @param seconds the time to live
     */
    private record Range(int min, int max, int seconds) {}

    private static final List<Range> RANGES = List.of(
            new Range(0, 100, 0),
            new Range(90, 500, 15),
            new Range(450, 1000, 30),
            new Range(900, 2000, 60),
            new Range(1800, Integer.MAX_VALUE, 300));

    /** Confined to the thread that adds and removes. */
    private int nodes;

    private int step;

    private volatile int seconds = RANGES.get(0).seconds();

    void add() {
        nodes++;
        if (nodes > RANGES.get(step).max()) {
            moveTo(step + 1);
        }
    }

    void remove() {
        nodes--;
        if (nodes < RANGES.get(step).min()) {
            moveTo(step - 1);
        }
    }

    private void moveTo(int next) {
        step = next;
        seconds = RANGES.get(next).seconds();
    }

    /** Returns the time to live in seconds. */
    int seconds() {
        return seconds;
    }
}
