/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.expectations;

import java.time.Instant;

/**
 * The number of its own creations and deletions that a controller has not yet observed in its cache (upstream:
 * {@code ControlleeExpectations}).
 *
 * @param add the creations not yet observed; negative if more were observed than expected
 * @param del the deletions not yet observed; negative if more were observed than expected
 * @param timestamp when the expectations were set
 */
public record ControlleeExpectations(long add, long del, Instant timestamp) {

    /** Returns whether every expected creation and deletion was observed. */
    public boolean isFulfilled() {
        return add <= 0 && del <= 0;
    }

    /** Returns a copy with these numbers added, which may be negative; the timestamp stays. */
    ControlleeExpectations plus(long add, long del) {
        return new ControlleeExpectations(this.add + add, this.del + del, timestamp);
    }
}
