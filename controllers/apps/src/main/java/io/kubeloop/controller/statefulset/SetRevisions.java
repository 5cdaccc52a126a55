/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.history.PodTemplateHash;
import io.kubeloop.controller.history.RevisionData;
import io.kubeloop.controller.history.RevisionHistory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The revisions of a set in one sync (upstream: {@code getStatefulSetRevisions}).
 *
 * @param current the revision of the pods that are not updated
 * @param update the revision of the set's template
 * @param collisionCount the number of times that another revision already had the name of a new revision
 * @param known the revisions at the start of the sync, the lowest number first
 */
record SetRevisions(
        ControllerRevision current, ControllerRevision update, int collisionCount, List<ControllerRevision> known) {

    /** The label that holds the hash in a revision's name. */
    private static final String HASH_LABEL = "controller.kubernetes.io/hash";

    private static final int DEFAULT_LIMIT = 10;

    /**
     * Returns the revisions of a set. A new template gets a new revision. A template that has a revision already gets
     * the highest revision number. Blocks while it writes.
     *
     * @throws RuntimeException if a write failed; the sync must be tried again
     */
    static SetRevisions find(RevisionHistory<StatefulSet> history, StatefulSet set, Selector selector) {
        // A set ignores revisions that it does not select, and does not release them.
        List<ControllerRevision> known = history.claim(
                set, selector, revision -> selector.matches(revision.metadata().labels()));
        Integer before = set.status().collisionCount();
        int[] collisions = {before == null ? 0 : before};
        ControllerRevision update = update(history, set, known, collisions);
        ControllerRevision current = known.stream()
                .filter(revision ->
                        revision.metadata().name().equals(set.status().currentRevision()))
                .findFirst()
                .orElse(update);
        return new SetRevisions(current, update, collisions[0], known);
    }

    private static ControllerRevision update(
            RevisionHistory<StatefulSet> history, StatefulSet set, List<ControllerRevision> known, int[] collisions) {
        PodTemplateSpec template = set.spec().template();
        String data = RevisionData.of(template);
        int last = known.size() - 1;
        long next = last < 0 ? 1 : known.get(last).revision() + 1;
        for (int i = last; i >= 0; i--) {
            ControllerRevision revision = known.get(i);
            if (RevisionData.of(revision).equals(data)) {
                return i == last
                        ? revision
                        : history.update(
                                set, new ControllerRevision(revision.metadata(), next, revision.unknownFields()));
            }
        }
        // Another release may have written the same template in other words.
        if (last >= 0 && PodTemplateHash.haveSameText(RevisionData.template(known.get(last), template), template)) {
            return known.get(last);
        }
        return create(history, set, data, next, collisions);
    }

    private static ControllerRevision create(
            RevisionHistory<StatefulSet> history, StatefulSet set, String data, long number, int[] collisions) {
        String hash = RevisionData.hash(data, collisions[0]);
        ControllerRevision wanted = history.form(set, set.spec().template(), HASH_LABEL, hash, number);
        while (true) {
            try {
                return history.create(set, wanted);
            } catch (ApiException e) {
                if (!e.isAlreadyExists()) {
                    throw e;
                }
            }
            ControllerRevision taken = history.read(set, wanted.objectName());
            if (RevisionData.of(taken).equals(data)) {
                return taken;
            }
            collisions[0]++;
            // As upstream, the label keeps the first hash.
            String name = RevisionData.name(set.metadata().name(), RevisionData.hash(data, collisions[0]));
            wanted = wanted.withMetadata(
                    ObjectMetaBuilder.builder(wanted.metadata()).name(name).build());
        }
    }

    /**
     * Deletes the oldest revisions that no pod has, beyond the history that the set keeps (upstream: {@code
     * truncateHistory}). Blocks while it deletes.
     */
    void truncate(RevisionHistory<StatefulSet> history, StatefulSet set, List<Pod> pods) {
        Integer wanted = set.spec().revisionHistoryLimit();
        int limit = wanted == null ? DEFAULT_LIMIT : wanted;
        if (limit < 0) {
            return;
        }
        Set<String> live = new HashSet<>();
        live.add(current.metadata().name());
        live.add(update.metadata().name());
        pods.forEach(pod -> live.add(StatefulPods.revision(pod)));
        List<ControllerRevision> unused = known.stream()
                .filter(revision -> !live.contains(revision.metadata().name()))
                .toList();
        unused.stream().limit(Math.max(0, unused.size() - limit)).forEach(revision -> history.delete(set, revision));
    }

    String currentName() {
        return current.metadata().name();
    }

    String updateName() {
        return update.metadata().name();
    }
}
