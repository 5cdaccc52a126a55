/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Runs a simulation once for each of many seeds. The system property {@code kubeloop.simulation.runs} sets the number
 * of runs, which is 30 by default, and {@code kubeloop.simulation.first} the first seed, which is 0 by default.
 * Stateless.
 */
public final class SeededRuns {

    private static final long RUNS = Long.getLong("kubeloop.simulation.runs", 30);
    private static final long FIRST = Long.getLong("kubeloop.simulation.first", 0);

    private SeededRuns() {}

    /**
     * Runs and closes a simulation for each seed, one after the other.
     *
     * @param simulation makes the simulation of a seed
     * @param run runs it
     * @throws AssertionError naming the first seed whose run failed
     */
    @SuppressWarnings("try") // an interrupt fails the run, as every exception does
    public static <T extends AutoCloseable> void each(LongFunction<T> simulation, Consumer<T> run) {
        for (long seed = FIRST; seed < FIRST + RUNS; seed++) {
            try (T made = simulation.apply(seed)) {
                run.accept(made);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
