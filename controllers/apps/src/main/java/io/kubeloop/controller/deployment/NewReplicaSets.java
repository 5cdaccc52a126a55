/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static io.kubeloop.controller.deployment.DeploymentConditions.FALSE;
import static io.kubeloop.controller.deployment.DeploymentConditions.PROGRESSING;
import static io.kubeloop.controller.deployment.DeploymentConditions.TRUE;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentCondition;
import io.kubeloop.api.apps.DeploymentStatusBuilder;
import io.kubeloop.api.apps.DeploymentStrategy;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.LabelSelector;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.controller.history.PodTemplateHash;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds or creates the ReplicaSet of a deployment's current template, and numbers it (upstream: {@code
 * getNewReplicaSet}). Thread-safe for different deployments; blocks while it writes.
 */
final class NewReplicaSets {

    /** The largest length of an object's name. */
    private static final int MAX_NAME = 253;

    private final DeploymentWrites writes;
    private final ReplicaSetScaler scaler;
    private final EventRecorder events;
    private final Clock clock;

    NewReplicaSets(DeploymentWrites writes, ReplicaSetScaler scaler, EventRecorder events, Clock clock) {
        this.writes = writes;
        this.scaler = scaler;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Returns the rollout with the revision of its new ReplicaSet in step: the highest of all.
     *
     * @param create whether to create the ReplicaSet if there is none
     * @throws RuntimeException if a write failed; the sync must be tried again
     */
    Rollout sync(Rollout rollout, boolean create) {
        long revision = Revisions.max(rollout.oldSets()) + 1;
        ReplicaSet found = rollout.newSet();
        if (found != null) {
            return adjust(rollout, found, revision);
        }
        return create ? create(rollout, revision) : rollout;
    }

    private Rollout adjust(Rollout rollout, ReplicaSet set, long revision) {
        Deployment deployment = rollout.deployment();
        Map<String, String> annotations = set.metadata().annotations();
        Map<String, String> wanted = Revisions.ofNewSet(deployment, annotations, revision);
        int minReady = deployment.spec().minReadySeconds();
        if (!wanted.equals(annotations) || set.spec().minReadySeconds() != minReady) {
            ReplicaSet written = writes.update(
                    deployment,
                    set.withMetadata(ObjectMetaBuilder.builder(set.metadata())
                                    .annotations(wanted)
                                    .build())
                            .withSpec(ReplicaSetSpecBuilder.builder(set.spec())
                                    .minReadySeconds(minReady)
                                    .build()));
            return rollout.withNewSet(written);
        }
        DeploymentCondition progress = null;
        if (DeploymentStatuses.progressDeadline(deployment) != null
                && DeploymentConditions.find(deployment.status().conditions(), PROGRESSING) == null) {
            progress = progress(
                    TRUE,
                    "FoundNewReplicaSet",
                    "Found new replica set \"" + set.metadata().name() + "\"");
        }
        return rollout.withDeployment(record(deployment, annotations.getOrDefault(Revisions.REVISION, ""), progress));
    }

    /** Writes the revision and the condition into the deployment, unless both are there. */
    private Deployment record(Deployment deployment, String revision, @Nullable DeploymentCondition progress) {
        Map<String, String> annotations = deployment.metadata().annotations();
        boolean isRecorded = Objects.equals(annotations.getOrDefault(Revisions.REVISION, ""), revision);
        if (isRecorded && progress == null) {
            return deployment;
        }
        Map<String, String> recorded = new LinkedHashMap<>(annotations);
        recorded.put(Revisions.REVISION, revision);
        List<DeploymentCondition> conditions = deployment.status().conditions();
        return writes.updateConditions(
                deployment.withMetadata(ObjectMetaBuilder.builder(deployment.metadata())
                        .annotations(recorded)
                        .build()),
                progress == null ? conditions : DeploymentConditions.with(conditions, progress));
    }

    private DeploymentCondition progress(String status, String reason, String message) {
        return DeploymentConditions.of(PROGRESSING, status, reason, message, new Time(clock.instant()));
    }

    private Rollout create(Rollout rollout, long revision) {
        Deployment deployment = rollout.deployment();
        ReplicaSet wanted = form(rollout, revision);
        ReplicaSet created;
        try {
            created = writes.create(deployment, wanted);
        } catch (ApiException e) {
            if (e.isAlreadyExists()) {
                created = existing(deployment, wanted, e);
                return rollout.withNewSet(created).withDeployment(record(deployment, Long.toString(revision), null));
            }
            throw Errors.isNamespaceTerminating(e) ? e : failed(deployment, wanted, e);
        }
        int size = Rollout.replicas(created);
        if (size > 0) {
            scaler.scaled(deployment, created.metadata().name(), 0, size);
        }
        DeploymentCondition progress = DeploymentStatuses.progressDeadline(deployment) == null
                ? null
                : progress(
                        TRUE,
                        "NewReplicaSetCreated",
                        "Created new replica set \"" + created.metadata().name() + "\"");
        return rollout.withNewSet(created).withDeployment(record(deployment, Long.toString(revision), progress));
    }

    private static boolean isOwn(ReplicaSet set, Deployment deployment) {
        OwnerReference owner = set.metadata().controller();
        return owner != null
                && owner.uid().equals(deployment.metadata().uid())
                && Templates.areEqual(set.spec().template(), deployment.spec().template());
    }

    /**
     * Returns the ReplicaSet that has the name already. If it has another template, two templates have the same hash:
     * the collision count goes up, and the next try has another name.
     */
    private ReplicaSet existing(Deployment deployment, ReplicaSet wanted, ApiException taken) {
        ReplicaSet found = writes.read(deployment, wanted.objectName());
        if (isOwn(found, deployment)) {
            return found;
        }
        Integer count = deployment.status().collisionCount();
        writes.deployments()
                .updateStatus(deployment.withStatus(DeploymentStatusBuilder.builder(deployment.status())
                        .collisionCount(count == null ? 1 : count + 1)
                        .build()));
        throw taken;
    }

    private ApiException failed(Deployment deployment, ReplicaSet wanted, ApiException cause) {
        String message =
                "Failed to create new replica set \"" + wanted.metadata().name() + "\": " + Errors.text(cause);
        events.event(ResourceTypes.DEPLOYMENTS, deployment, EventType.WARNING, "ReplicaSetCreateError", message);
        if (DeploymentStatuses.progressDeadline(deployment) != null) {
            try {
                writes.updateConditions(
                        deployment,
                        DeploymentConditions.with(
                                deployment.status().conditions(), progress(FALSE, "ReplicaSetCreateError", message)));
            } catch (RuntimeException e) {
                cause.addSuppressed(e);
            }
        }
        return cause;
    }

    private static ReplicaSet form(Rollout rollout, long revision) {
        Deployment deployment = rollout.deployment();
        PodTemplateSpec template = deployment.spec().template();
        String hash = PodTemplateHash.of(template, deployment.status().collisionCount());
        PodTemplateSpec labeled = Templates.withHash(template, hash);
        LabelSelector selector = deployment.spec().selector();
        Map<String, String> annotations =
                Revisions.withSizes(Revisions.ofNewSet(deployment, Map.of(), revision), deployment);
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .name(name(deployment.metadata().name(), hash))
                .namespace(deployment.metadata().namespace())
                .labels(labeled.metadata().labels())
                .annotations(annotations)
                .ownerReferences(List.of(ControllerRefs.newControllerRef(ResourceTypes.DEPLOYMENTS, deployment)))
                .build();
        return ReplicaSet.of(
                metadata,
                ReplicaSetSpecBuilder.builder()
                        .replicas(firstSize(rollout))
                        .minReadySeconds(deployment.spec().minReadySeconds())
                        .selector(Templates.withHash(selector == null ? LabelSelector.EMPTY : selector, hash))
                        .template(labeled)
                        .build(),
                ReplicaSetStatus.EMPTY);
    }

    private static String name(String deployment, String hash) {
        int length = Math.min(deployment.length(), MAX_NAME - 1 - hash.length());
        return deployment.substring(0, length) + "-" + hash;
    }

    /** Returns the size of a ReplicaSet that is yet to be created. */
    private static int firstSize(Rollout rollout) {
        boolean isRolling = rollout.deployment().spec().strategy().type().equals(DeploymentStrategy.ROLLING_UPDATE);
        return isRolling ? RollingUpdate.grown(rollout, 0) : rollout.replicas();
    }
}
