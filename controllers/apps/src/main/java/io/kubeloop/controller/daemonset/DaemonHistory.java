/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetStatusBuilder;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.history.PodTemplateHash;
import io.kubeloop.controller.history.RevisionData;
import io.kubeloop.controller.history.RevisionHistory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds or creates the revision of a set's template, and deletes old revisions (upstream: {@code constructHistory} and
 * {@code cleanupHistory}). Thread-safe for different sets; blocks while it writes.
 */
final class DaemonHistory {

    private static final int DEFAULT_LIMIT = 10;

    /**
     * The revisions of a set in one sync.
     *
     * @param hash the hash of the set's template, which its pods carry
     * @param duplicates the other revisions of that template
     * @param old the revisions of other templates, the lowest number first
     */
    record Found(String hash, List<ControllerRevision> duplicates, List<ControllerRevision> old) {}

    private final RevisionHistory<DaemonSet> history;
    private final WriteBarrier.Owners<DaemonSet> sets;
    private final DaemonPodControl pods;

    DaemonHistory(RevisionHistory<DaemonSet> history, WriteBarrier.Owners<DaemonSet> sets, DaemonPodControl pods) {
        this.history = history;
        this.sets = sets;
        this.pods = pods;
    }

    /**
     * Returns the revisions of a set; that of the template is created if there is none, and gets the highest number.
     *
     * @throws RuntimeException if a write failed; the sync must be tried again
     */
    Found find(DaemonSet set, Selector selector) {
        String data = RevisionData.of(set.spec().template());
        List<ControllerRevision> current = new ArrayList<>();
        List<ControllerRevision> old = new ArrayList<>();
        for (ControllerRevision claimed : history.claim(set, selector, revision -> true)) {
            ControllerRevision revision = labeled(set, claimed);
            (RevisionData.of(revision).equals(data) ? current : old).add(revision);
        }
        long number = old.isEmpty() ? 1 : Math.max(0, old.get(old.size() - 1).revision()) + 1;
        if (current.isEmpty()) {
            return new Found(hash(create(set, data, number)), List.of(), old);
        }
        ControllerRevision kept = current.remove(current.size() - 1);
        if (kept.revision() < number) {
            history.update(set, new ControllerRevision(kept.metadata(), number, kept.unknownFields()));
        }
        return new Found(hash(kept), current, old);
    }

    /** Deletes the duplicates after their pods have the hash of the revision that stays, and returns all pods. */
    List<Pod> removeDuplicates(DaemonSet set, Found found, List<Pod> owned) {
        if (found.duplicates().isEmpty()) {
            return owned;
        }
        List<Pod> relabeled = pods.relabel(set, owned, found.hash());
        found.duplicates().forEach(duplicate -> history.delete(set, duplicate));
        return relabeled;
    }

    private static String hash(ControllerRevision revision) {
        return revision.metadata().labels().getOrDefault(DaemonPods.HASH_LABEL, "");
    }

    /** A revision without the label uses its unique name as hash. */
    private ControllerRevision labeled(DaemonSet set, ControllerRevision revision) {
        if (revision.metadata().labels().containsKey(DaemonPods.HASH_LABEL)) {
            return revision;
        }
        Map<String, String> labels = new LinkedHashMap<>(revision.metadata().labels());
        labels.put(DaemonPods.HASH_LABEL, revision.metadata().name());
        return history.update(
                set,
                revision.withMetadata(ObjectMetaBuilder.builder(revision.metadata())
                        .labels(labels)
                        .build()));
    }

    private ControllerRevision create(DaemonSet set, String data, long number) {
        String hash = PodTemplateHash.of(set.spec().template(), set.status().collisionCount());
        ControllerRevision formed = history.form(set, set.spec().template(), DaemonPods.HASH_LABEL, hash, number);
        // Unlike the names of other revisions, this one is never shortened.
        ControllerRevision wanted = formed.withMetadata(ObjectMetaBuilder.builder(formed.metadata())
                .name(set.metadata().name() + "-" + hash)
                .build());
        try {
            return history.create(set, wanted);
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
            ControllerRevision existing = history.read(set, wanted.objectName());
            if (RevisionData.of(existing).equals(data)) {
                return existing;
            }
            countCollision(set);
            throw e;
        }
    }

    /** Two templates have the same hash: the collision count goes up, and the next try has another name. */
    private void countCollision(DaemonSet set) {
        DaemonSet live = sets.client().get(set.objectName());
        Integer count = live.status().collisionCount();
        if (!Objects.equals(count, set.status().collisionCount())) {
            throw new ControllerException(
                    "found a stale collision count (" + set.status().collisionCount() + ", expected " + count
                            + ") of DaemonSet \"" + set.metadata().name()
                            + "\" while processing; will retry until it is updated",
                    null);
        }
        DaemonSet counted = live.withStatus(DaemonSetStatusBuilder.builder(live.status())
                .collisionCount(count == null ? 1 : count + 1)
                .build());
        sets.updateStatus(counted);
    }

    /** Deletes the oldest revisions that no pod has, beyond the history that the set keeps. */
    void cleanUp(DaemonSet set, List<ControllerRevision> old, List<Pod> owned) {
        Integer wanted = set.spec().revisionHistoryLimit();
        int excess = old.size() - (wanted == null ? DEFAULT_LIMIT : wanted);
        if (excess <= 0) {
            return;
        }
        Set<String> live = new HashSet<>();
        owned.forEach(pod -> live.add(pod.metadata().labels().getOrDefault(DaemonPods.HASH_LABEL, "")));
        old.stream()
                .filter(revision -> !live.contains(hash(revision)))
                .limit(excess)
                .forEach(revision -> history.delete(set, revision));
    }
}
