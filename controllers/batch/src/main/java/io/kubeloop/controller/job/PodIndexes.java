/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.core.Pod;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The completion indexes of pods and the failures of an index before, as annotations. Stateless. */
final class PodIndexes {

    /** Annotation and label: the index of the pod. */
    static final String INDEX = "batch.kubernetes.io/job-completion-index";
    /** Annotation: the failures of the index before this pod that count. */
    static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";
    /** Annotation: the failures of the index before this pod that a rule ignored. */
    static final String IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";

    /** The index of a pod without a usable annotation. */
    static final int UNKNOWN = -1;

    private PodIndexes() {}

    /** Returns the index of the pod, or {@link #UNKNOWN}. */
    static int of(Pod pod) {
        return number(pod.metadata().annotations().get(INDEX), UNKNOWN);
    }

    /** Returns whether the pod has one of the job's indexes. */
    static boolean isValid(Pod pod, int completions) {
        int index = of(pod);
        return index != UNKNOWN && index < completions;
    }

    /** Returns the known indexes of the pods, in order. */
    static Set<Integer> of(Collection<Pod> pods) {
        Set<Integer> indexes = new TreeSet<>();
        pods.forEach(pod -> indexes.add(of(pod)));
        indexes.remove(UNKNOWN);
        return indexes;
    }

    /** Returns the earlier failures of the pod's index that count. */
    static int failures(Pod pod) {
        return number(pod.metadata().annotations().get(FAILURES), 0);
    }

    /** Returns the earlier failures of the pod's index that a rule ignored. */
    static int ignoredFailures(Pod pod) {
        return number(pod.metadata().annotations().get(IGNORED_FAILURES), 0);
    }

    /** Returns all earlier failures of the pod's index. */
    static int allFailures(Pod pod) {
        return failures(pod) + ignoredFailures(pod);
    }

    /**
     * Returns the number, or the other one if the text is no integer of 0 to 2^31 - 1. People can change annotations.
     */
    private static int number(@Nullable String text, int other) {
        if (text == null || !text.matches("\\+?[0-9]{1,18}")) {
            return other;
        }
        long value = Long.parseLong(text);
        return value > Integer.MAX_VALUE ? other : (int) value;
    }
}
