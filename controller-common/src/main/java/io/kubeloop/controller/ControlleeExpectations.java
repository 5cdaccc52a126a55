package io.kubeloop.controller;

import java.time.Instant;

/**
 * How many of its own creations and deletions a controller has not seen in its cache yet (upstream:
 * {@code ControlleeExpectations}).
 *
 * @param add creations still to be seen; negative when more were seen than expected
 * @param del deletions still to be seen; negative when more were seen than expected
 * @param timestamp when they were set
 */
public record ControlleeExpectations(long add, long del, Instant timestamp) {

    /** Returns whether nothing is outstanding. */
    public boolean isFulfilled() {
        return add <= 0 && del <= 0;
    }

    /** Returns a copy with more, or with negative figures less, outstanding; the age stays. */
    ControlleeExpectations plus(long add, long del) {
        return new ControlleeExpectations(this.add + add, this.del + del, timestamp);
    }
}
