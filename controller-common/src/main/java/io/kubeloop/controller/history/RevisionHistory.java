/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import io.kubeloop.json.tree.JsonObject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Reads and writes the revisions of owners (upstream: {@code history.Interface}). Each write is recorded in the {@link
 * io.kubeloop.controller.WriteBarrier} of the controller, under the key of the owner.
 *
 * <p>Thread-safe for different owners; one thread at a time syncs an owner. Every method except {@link #form}
 * blocks while it sends requests.
 *
 * @param <O> the kind of the owners
 */
public final class RevisionHistory<O extends KubeObject> {

    /** The order of revisions: the lowest number first, then the oldest (upstream: {@code SortControllerRevisions}). */
    public static final Comparator<ControllerRevision> BY_REVISION = Comparator.comparingLong(
                    ControllerRevision::revision)
            .thenComparing(
                    revision -> revision.metadata().creationTimestamp(),
                    Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(revision -> revision.metadata().name());

    private final ResourceType<O> ownerType;
    private final KubeClient client;
    private final ResourceClient<ControllerRevision> revisions;
    private final ChildIndex<ControllerRevision> cache;
    private final ChildWrites<ControllerRevision> writes;

    /**
     * Creates a history.
     *
     * @param cache the cached revisions
     * @param writes writes revisions; an event of a revision must queue its owner
     */
    public RevisionHistory(
            ResourceType<O> ownerType,
            KubeClient client,
            ChildIndex<ControllerRevision> cache,
            ChildWrites<ControllerRevision> writes) {
        this.ownerType = ownerType;
        this.client = client;
        this.cache = cache;
        this.writes = writes;
        revisions = client.resource(ResourceTypes.CONTROLLER_REVISIONS);
    }

    /**
     * Adopts orphans that the owner selects, releases revisions that it no longer selects, and returns those that it
     * controls afterwards, sorted by {@link #BY_REVISION}.
     *
     * @param candidate selects the revisions to examine; all others are not changed and not returned
     * @throws RuntimeException the first failure; a later try may succeed
     */
    public List<ControllerRevision> claim(O owner, Selector selector, Predicate<ControllerRevision> candidate) {
        List<ControllerRevision> candidates = writes.latest(owner, cache).stream()
                .filter(revision -> !revision.metadata().isDeleting() && candidate.test(revision))
                .toList();
        return new ControllerRefManager<ControllerRevision>(
                        ownerType,
                        owner,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ownerType, owner),
                        "ControllerRevision",
                        (revision, patch) -> patch(owner, revision, patch))
                .claim(candidates).stream().sorted(BY_REVISION).toList();
    }

    private void patch(O owner, ControllerRevision revision, Patch patch) {
        writes.write(owner.objectName(), revision, () -> revisions.patch(revision.objectName(), patch));
    }

    /**
     * Returns a revision of the owner that is yet to be created (upstream: {@code NewControllerRevision}).
     *
     * @param template the template that it records; its labels become those of the revision
     * @param hashLabel the label that holds the hash
     * @param hash the value of that label, and the end of the name
     * @param number the number of the revision
     */
    public ControllerRevision form(O owner, PodTemplateSpec template, String hashLabel, String hash, long number) {
        Map<String, String> labels = new LinkedHashMap<>(template.metadata().labels());
        labels.put(hashLabel, hash);
        JsonObject data = JsonObject.of("data", JsonObject.parse(RevisionData.of(template)));
        return new ControllerRevision(
                ObjectMetaBuilder.builder()
                        .name(RevisionData.name(owner.metadata().name(), hash))
                        .namespace(owner.metadata().namespace())
                        .labels(labels)
                        .annotations(owner.metadata().annotations())
                        .ownerReferences(List.of(ControllerRefs.newControllerRef(ownerType, owner)))
                        .build(),
                number,
                data.toUnknownFields());
    }

    /** Creates a revision. */
    public ControllerRevision create(O owner, ControllerRevision revision) {
        return writes.create(owner.objectName(), revision);
    }

    /** Updates a revision, for example to give it the highest number again. */
    public ControllerRevision update(O owner, ControllerRevision changed) {
        return writes.update(owner.objectName(), changed);
    }

    /** Reads a revision from the server. */
    public ControllerRevision read(O owner, ObjectName revision) {
        return writes.read(owner.objectName(), revision);
    }

    /** Deletes a revision, or does nothing if it does not exist. */
    public void delete(O owner, ControllerRevision revision) {
        try {
            writes.delete(
                    owner.objectName(), revision, () -> revisions.delete(revision.objectName(), DeleteOptions.DEFAULT));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
