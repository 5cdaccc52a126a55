/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.apps.RollingUpdateStatefulSet;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetUpdateStrategy;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.value.IntOrString;
import io.kubeloop.controller.Pods;
import io.kubeloop.controller.history.RevisionData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a set by ordinal. Immutable.
 *
 * @param wanted one pod for each wanted ordinal; a pod that is yet to be created has no phase
 * @param condemned the other pods, the highest ordinal first
 */
record SetPods(List<Pod> wanted, List<Pod> condemned) {

    /** Arranges pods. Pods without an ordinal are omitted. */
    static SetPods of(StatefulSet set, SetRevisions revisions, List<Pod> pods) {
        int start = Ordinals.start(set);
        @Nullable Pod[] wanted = new Pod[Ordinals.replicas(set)];
        List<Pod> condemned = new ArrayList<>();
        for (Pod pod : pods) {
            int ordinal = Ordinals.of(pod.metadata().name());
            if (Ordinals.isWanted(set, ordinal)) {
                wanted[ordinal - start] = pod;
            } else if (ordinal >= 0) {
                condemned.add(pod);
            }
        }
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i] == null) {
                wanted[i] = form(set, revisions, start + i);
            }
        }
        condemned.sort(
                Comparator.comparingInt((Pod pod) -> Ordinals.of(pod.metadata().name()))
                        .reversed());
        return new SetPods(
                Arrays.stream(wanted).map(Objects::requireNonNull).toList(), Collections.unmodifiableList(condemned));
    }

    /** Returns a pod of the current revision where the update may not reach, else of the update revision. */
    private static Pod form(StatefulSet set, SetRevisions revisions, int ordinal) {
        PodTemplateSpec template = set.spec().template();
        return ordinal < firstUpdated(set)
                ? StatefulPods.form(
                        set, RevisionData.template(revisions.current(), template), revisions.currentName(), ordinal)
                : StatefulPods.form(
                        set, RevisionData.template(revisions.update(), template), revisions.updateName(), ordinal);
    }

    private static int firstUpdated(StatefulSet set) {
        StatefulSetUpdateStrategy strategy = set.spec().updateStrategy();
        if (strategy.rollingUpdate() != null) {
            return Ordinals.start(set) + partition(set);
        }
        return strategy.type().equals(StatefulSetUpdateStrategy.ROLLING_UPDATE)
                ? Ordinals.start(set) + set.status().currentReplicas()
                : 0;
    }

    /** Returns the number of the first wanted pods that stay at the current revision. */
    static int partition(StatefulSet set) {
        RollingUpdateStatefulSet limits = set.spec().updateStrategy().rollingUpdate();
        Integer partition = limits == null ? null : limits.partition();
        return partition == null ? 0 : partition;
    }

    /** Returns the number of wanted pods that may be unavailable during an update. */
    static int maxUnavailable(StatefulSet set) {
        RollingUpdateStatefulSet limits = set.spec().updateStrategy().rollingUpdate();
        IntOrString limit = limits == null ? null : limits.maxUnavailable();
        return limit == null ? 1 : Math.max(1, limit.scaled(Ordinals.replicas(set), false));
    }

    /**
     * Returns the unavailable pod that comes first: wanted ones by ordinal, then condemned ones by ordinal; null for
     * none.
     */
    @Nullable
    Pod firstUnavailable(int minReadySeconds, Instant now) {
        List<Pod> ascending = new ArrayList<>(condemned);
        Collections.reverse(ascending);
        return Stream.concat(wanted.stream(), ascending.stream())
                .filter(pod -> isUnavailable(pod, minReadySeconds, now))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the pod is not available or is terminating. */
    static boolean isUnavailable(Pod pod, int minReadySeconds, Instant now) {
        return pod.metadata().isDeleting() || !Pods.isPodAvailable(pod, minReadySeconds, now);
    }

    /** Returns all pods. */
    List<Pod> all() {
        return Stream.concat(wanted.stream(), condemned.stream()).toList();
    }
}
