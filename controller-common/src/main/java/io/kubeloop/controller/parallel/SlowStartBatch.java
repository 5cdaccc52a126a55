/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.parallel;

import java.util.Collections;
import java.util.concurrent.Executor;

/**
 * Makes many equal calls in batches that double while every call succeeds (upstream: {@code slowStartBatch} in
 * {@code replica_set.go}).
 *
 * <p>A batch with a failure is the last. Where all calls fail for the same reason, such as an exceeded quota, the
 * server receives one request instead of 500. Stateless.
 */
public final class SlowStartBatch {

    /** The usual size of the first batch. */
    public static final int INITIAL_BATCH_SIZE = 1;

    private SlowStartBatch() {}

    /**
     * Makes the call {@code count} times, the calls of one batch in parallel, and blocks until the last has returned,
     * without limit. An interrupt does not end the wait and stays set.
     *
     * @param count the number of calls; none if zero or negative
     * @param initialBatchSize the size of the first batch, at least 1
     * @param executor runs the calls, see {@link ParallelCalls#run}
     * @param call an exception means that it failed
     * @return the number of successful calls of all batches, and the first failure
     */
    public static ParallelCalls.Result run(int count, int initialBatchSize, Executor executor, Runnable call) {
        if (initialBatchSize < 1) {
            throw new IllegalArgumentException("initialBatchSize must be at least 1, got " + initialBatchSize);
        }
        int remaining = count;
        int successes = 0;
        for (int batch = Math.min(remaining, initialBatchSize); batch > 0; batch = Math.min(2 * batch, remaining)) {
            ParallelCalls.Result result = ParallelCalls.run(Collections.nCopies(batch, call), executor);
            successes += result.successes();
            if (result.error() != null) {
                return new ParallelCalls.Result(successes, result.error());
            }
            remaining -= batch;
        }
        return new ParallelCalls.Result(successes, null);
    }
}
