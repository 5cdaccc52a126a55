/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** How much Lincheck is let do: seconds in a build, minutes in the profile {@code stress}. */
final class Lincheck {

    private Lincheck() {}

    /** Returns how many random scenarios are tried; system property {@code kubeloop.lincheck.scenarios}. */
    private static int scenarios() {
        return Integer.getInteger("kubeloop.lincheck.scenarios", 1);
    }

    /** Returns how many schedules of each are run; system property {@code kubeloop.lincheck.runs}. */
    private static int runs() {
        return Integer.getInteger("kubeloop.lincheck.runs", 30);
    }

    /** Returns how many threads there are; system property {@code kubeloop.lincheck.threads}. */
    private static int threads() {
        return Integer.getInteger("kubeloop.lincheck.threads", 2);
    }

    /** Runs the operations of the class in schedules that are chosen switch by switch, and compares with the model. */
    static void modelCheck(Class<?> operations, Class<?> model) {
        new ModelCheckingOptions()
                .iterations(scenarios())
                .invocationsPerIteration(runs())
                .threads(threads())
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(model)
                .addGuarantee(collectionsInOneStep())
                .check(operations);
    }

    /**
     * Makes each call of a collection one step: its inside is the JDK's affair. Others may come before and after it, so
     * two calls that belong together are still found apart. Locks and queues of {@code java.util.concurrent} keep
     * all their steps.
     */
    private static ManagedStrategyGuarantee collectionsInOneStep() {
        return forClasses(name -> name.startsWith("java.util.") && !name.startsWith("java.util.concurrent."))
                .allMethods()
                .treatAsAtomic();
    }

    /** Runs the operations of the class on threads that really are parallel, and compares with the model. */
    static void stress(Class<?> operations, Class<?> model) {
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

    /** Runs the body, which starts threads of its own, in one interleaving after the other. */
    static void everyInterleaving(Runnable body) {
        org.jetbrains.lincheck.Lincheck.runConcurrentTest(runs(), body);
    }
}
