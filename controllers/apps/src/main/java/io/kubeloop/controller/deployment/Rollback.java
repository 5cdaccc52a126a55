/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentSpecBuilder;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Returns a deployment to an earlier template if an annotation, which old clients set, requests it (upstream: {@code
 * rollback.go}). Thread-safe; blocks while it writes.
 */
final class Rollback {

    /** The annotation with the wanted revision; 0 is the last one. */
    static final String ANNOTATION = "deprecated.deployment.rollback.to";

    private final DeploymentWrites writes;
    private final EventRecorder events;

    Rollback(DeploymentWrites writes, EventRecorder events) {
        this.writes = writes;
        this.events = events;
    }

    /** Returns the requested revision; null if none is requested or the annotation is not a number. */
    static @Nullable Long requested(Deployment deployment) {
        String revision = deployment.metadata().annotations().get(ANNOTATION);
        try {
            return revision == null || revision.isEmpty() ? null : Long.valueOf(revision);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Rolls back, or records why not, and removes the annotation. */
    void run(Rollout rollout, long requested) {
        long revision = requested == 0 ? last(rollout.all()) : requested;
        if (revision == 0) {
            warn(rollout, "DeploymentRollbackRevisionNotFound", "Unable to find last revision.");
            writes.deployments().update(cleared(rollout.deployment()));
            return;
        }
        ReplicaSet target = rollout.all().stream()
                .filter(set -> Revisions.of(set) == revision)
                .findFirst()
                .orElse(null);
        if (target == null) {
            warn(rollout, "DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.");
            writes.deployments().update(cleared(rollout.deployment()));
            return;
        }
        rollBack(rollout, target, revision);
    }

    private void rollBack(Rollout rollout, ReplicaSet target, long revision) {
        Deployment deployment = rollout.deployment();
        String name = "\"" + deployment.metadata().name() + "\"";
        if (Templates.areEqual(target.spec().template(), deployment.spec().template())) {
            warn(
                    rollout,
                    "DeploymentRollbackTemplateUnchanged",
                    "The rollback revision contains the same template as current deployment " + name);
            writes.deployments().update(cleared(deployment));
            return;
        }
        Deployment earlier = deployment
                .withSpec(DeploymentSpecBuilder.builder(deployment.spec())
                        .template(Templates.withoutHash(target.spec().template()))
                        .build())
                .withMetadata(ObjectMetaBuilder.builder(deployment.metadata())
                        .annotations(Revisions.ofRollback(deployment, target))
                        .build());
        writes.deployments().update(cleared(earlier));
        events.event(
                ResourceTypes.DEPLOYMENTS,
                deployment,
                EventType.NORMAL,
                "DeploymentRollback",
                "Rolled back deployment " + name + " to revision " + revision);
    }

    /** Returns the second highest revision; 0 if there is none. */
    private static long last(List<ReplicaSet> sets) {
        return sets.stream()
                .map(Revisions::of)
                .sorted((one, two) -> Long.compare(two, one))
                .skip(1)
                .findFirst()
                .orElse(0L);
    }

    private void warn(Rollout rollout, String reason, String message) {
        events.event(ResourceTypes.DEPLOYMENTS, rollout.deployment(), EventType.WARNING, reason, message);
    }

    private static Deployment cleared(Deployment deployment) {
        Map<String, String> annotations =
                new LinkedHashMap<>(deployment.metadata().annotations());
        annotations.remove(ANNOTATION);
        return deployment.withMetadata(ObjectMetaBuilder.builder(deployment.metadata())
                .annotations(annotations)
                .build());
    }
}
