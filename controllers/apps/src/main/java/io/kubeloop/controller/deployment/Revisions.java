/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.ReplicaSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The annotations in which a deployment and its ReplicaSets record revisions and sizes (upstream: {@code
 * deployment_util.go}). Stateless.
 */
final class Revisions {

    /** The number of a template: each rollout gets the next one. */
    static final String REVISION = "deployment.kubernetes.io/revision";

    /** The earlier numbers of a template that was rolled back to. */
    static final String HISTORY = "deployment.kubernetes.io/revision-history";

    /** The wanted number of pods of the deployment when its ReplicaSet was last scaled. */
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";

    /** That number with the surge. */
    static final String MAX = "deployment.kubernetes.io/max-replicas";

    /** The largest length of {@link #HISTORY} in characters. */
    private static final int HISTORY_LIMIT = 2000;

    /** Annotations of a deployment that its ReplicaSets do not take over. */
    private static final Set<String> OWN = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration", REVISION, HISTORY, DESIRED, MAX, Rollback.ANNOTATION);

    private Revisions() {}

    /** Returns the revision of an object; 0 if it has none or it is not a number. */
    static long of(KubeObject object) {
        return number(object.metadata().annotations().get(REVISION), 0);
    }

    /** Returns the largest revision of some ReplicaSets; 0 if there are none. */
    static long max(List<ReplicaSet> sets) {
        return sets.stream().mapToLong(Revisions::of).max().orElse(0);
    }

    /** Returns the wanted number of pods that a ReplicaSet recorded; null if it did not. */
    static @Nullable Integer desired(ReplicaSet set) {
        return count(set, DESIRED);
    }

    /** Returns the allowed number of pods that a ReplicaSet recorded; null if it did not. */
    static @Nullable Integer max(ReplicaSet set) {
        return count(set, MAX);
    }

    private static @Nullable Integer count(ReplicaSet set, String annotation) {
        long count = number(set.metadata().annotations().get(annotation), -1);
        return count < 0 || count > Integer.MAX_VALUE ? null : Integer.valueOf((int) count);
    }

    private static long number(@Nullable String text, long otherwise) {
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** Returns the annotations of a ReplicaSet with the sizes of a deployment. */
    static Map<String, String> withSizes(Map<String, String> annotations, Deployment deployment) {
        int replicas = Rollout.replicas(deployment);
        Map<String, String> result = new LinkedHashMap<>(annotations);
        result.put(DESIRED, Integer.toString(replicas));
        result.put(MAX, Integer.toString(replicas + RolloutLimits.of(deployment).maxSurge()));
        return result;
    }

    /**
     * Returns the annotations of the new ReplicaSet: those of the deployment, and the revision. A revision that was
     * lower moves into the history.
     */
    static Map<String, String> ofNewSet(Deployment deployment, Map<String, String> annotations, long revision) {
        Map<String, String> result = new LinkedHashMap<>(annotations);
        deployment.metadata().annotations().forEach((name, value) -> {
            if (!OWN.contains(name)) {
                result.put(name, value);
            }
        });
        String old = annotations.get(REVISION);
        if (old != null && !old.isEmpty() && number(old, -1) < 0) {
            // The value of another writer is kept.
            return result;
        }
        if (number(old, 0) < revision) {
            result.put(REVISION, Long.toString(revision));
            if (old != null) {
                result.put(HISTORY, history(annotations.getOrDefault(HISTORY, ""), old));
            }
        }
        return result;
    }

    /** Appends a revision; the oldest ones go if the text would become too long. */
    private static String history(String history, String revision) {
        if (history.isEmpty()) {
            return revision;
        }
        List<String> revisions = new ArrayList<>(List.of(history.split(",", -1)));
        int length = history.length() + revision.length() + 1;
        while (length > HISTORY_LIMIT && !revisions.isEmpty()) {
            length -= revisions.remove(0).length() + 1;
        }
        revisions.add(revision);
        return String.join(",", revisions);
    }

    /** Returns the annotations of a deployment that goes back to the template of a ReplicaSet. */
    static Map<String, String> ofRollback(Deployment deployment, ReplicaSet set) {
        Map<String, String> result = new LinkedHashMap<>();
        deployment.metadata().annotations().forEach((name, value) -> {
            if (OWN.contains(name)) {
                result.put(name, value);
            }
        });
        set.metadata().annotations().forEach((name, value) -> {
            if (!OWN.contains(name)) {
                result.put(name, value);
            }
        });
        return result;
    }
}
