/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** Runs Lincheck tests: for seconds in a build, for minutes in the profile {@code stress}. */
public final class LincheckRunner {

    private LincheckRunner() {}

    /** Returns the number of random scenarios; system property {@code kubeloop.lincheck.scenarios}. */
    private static int scenarios() {
        return Integer.getInteger("kubeloop.lincheck.scenarios", 1);
    }

    /** Returns the number of schedules per scenario; system property {@code kubeloop.lincheck.runs}. */
    private static int runs() {
        return Integer.getInteger("kubeloop.lincheck.runs", 30);
    }

    /** Returns the number of threads; system property {@code kubeloop.lincheck.threads}. */
    private static int threads() {
        return Integer.getInteger("kubeloop.lincheck.threads", 2);
    }

    /**
     * Runs the operations of the class in schedules chosen switch by switch, and compares the results with the model.
     *
     * @param steps which code is one step, or none, for the scheduler
     */
    public static void modelCheck(Class<?> operations, Class<?> model, ManagedStrategyGuarantee... steps) {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .iterations(scenarios())
                .invocationsPerIteration(runs())
                .threads(threads())
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(model)
                .addGuarantee(collectionsInOneStep());
        for (ManagedStrategyGuarantee step : steps) {
            options.addGuarantee(step);
        }
        options.check(operations);
    }

    /**
     * Makes each call of a JDK collection one step. Other steps may precede and follow it, so two calls that belong
     * together are still interleaved. Locks and queues of {@code java.util.concurrent} keep all their steps.
     */
    private static ManagedStrategyGuarantee collectionsInOneStep() {
        return forClasses(name -> name.startsWith("java.util.") && !name.startsWith("java.util.concurrent."))
                .allMethods()
                .treatAsAtomic();
    }

    /** Runs the operations of the class on parallel threads, and compares the results with the model. */
    public static void stress(Class<?> operations, Class<?> model) {
        new StressOptions()
                .iterations(scenarios())
                .invocationsPerIteration(runs())
                .threads(threads())
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(model)
                .check(operations);
    }

    /** Runs the body, which starts its own threads, in many interleavings. */
    public static void everyInterleaving(Runnable body) {
        org.jetbrains.lincheck.Lincheck.runConcurrentTest(runs(), body);
    }
}
