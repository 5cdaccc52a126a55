/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.ClaimSpecRules;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.PodSpecRules;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of the kinds that keep pods running (upstream: {@code pkg/apis/apps/validation}). */
public final class WorkloadRules {

    /** The annotation that requests a rollback to a revision; it replaced a removed field. */
    public static final String ROLLBACK = "deprecated.deployment.rollback.to";

    private WorkloadRules() {}

    /** Validates a Deployment. */
    public static void deployment(FieldCursor deployment) {
        FieldCursor spec = deployment.at("spec");
        spec.at("replicas").nonNegative();
        Selector selector = required(spec.at("selector"), "deployment", "invalid label selector");
        if (selector != null) {
            replicaTemplate("ReplicaSet", spec.at("template"), selector); // upstream names the ReplicaSet here too
        }
        RolloutRules.deployment(spec.at("strategy"));
        spec.at("minReadySeconds").nonNegative();
        spec.at("revisionHistoryLimit").nonNegative();
        String revision =
                deployment.at("metadata", "annotations").entry(ROLLBACK).text();
        if (revision.startsWith("-")) {
            deployment.errors().invalidLiteral("spec.rollback.version", revision, "must be greater than or equal to 0");
        }
        FieldCursor deadline = spec.at("progressDeadlineSeconds").nonNegative();
        if (deadline.isSet() && deadline.number() <= spec.at("minReadySeconds").number()) {
            deadline.invalid("must be greater than minReadySeconds");
        }
    }

    /** Validates the change of a Deployment. */
    public static void deploymentUpdate(FieldCursor deployment, FieldCursor old, Part part) {
        if (part == Part.MAIN) {
            immutableSelector(deployment, old);
        }
        if (part == Part.STATUS) {
            FieldCursor status = deployment.at("status");
            counts(
                    status,
                    "observedGeneration",
                    "replicas",
                    "updatedReplicas",
                    "readyReplicas",
                    "availableReplicas",
                    "unavailableReplicas",
                    "terminatingReplicas",
                    "collisionCount");
            atMostReplicas(status, "readyReplicas", "updatedReplicas", "readyReplicas", "availableReplicas");
            collisions(status, old);
        }
    }

    /** Validates a ReplicaSet. */
    public static void replicaSet(FieldCursor set) {
        FieldCursor spec = set.at("spec");
        spec.at("replicas").nonNegative();
        spec.at("minReadySeconds").nonNegative();
        Selector selector = required(spec.at("selector"), "deployment", "invalid label selector");
        if (selector != null) {
            replicaTemplate("ReplicaSet", spec.at("template"), selector);
        }
    }

    /** Validates the change of a ReplicaSet. */
    public static void replicaSetUpdate(FieldCursor set, FieldCursor old, Part part) {
        if (part == Part.MAIN) {
            immutableSelector(set, old);
        }
        replicaStatus(set, old, part);
    }

    /** Validates the status of a ReplicaSet or ReplicationController. */
    public static void replicaStatus(FieldCursor object, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            FieldCursor status = object.at("status");
            counts(
                    status,
                    "replicas",
                    "fullyLabeledReplicas",
                    "readyReplicas",
                    "availableReplicas",
                    "observedGeneration",
                    "terminatingReplicas");
            atMostReplicas(status, "readyReplicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas");
        }
    }

    /** Validates a ReplicationController. */
    public static void replicationController(FieldCursor controller) {
        FieldCursor spec = controller.at("spec");
        spec.at("replicas").declared().nonNegative();
        spec.at("minReadySeconds").declared().nonNegative();
        FieldCursor selector = spec.at("selector");
        selector.require();
        FieldCursor template = spec.at("template");
        if (template.isSet()) {
            replicaTemplate("ReplicationController", template, SelectorRules.ofMap(selector));
        } else {
            template.required("");
        }
    }

    /** Validates a DaemonSet. */
    public static void daemonSet(FieldCursor set) {
        FieldCursor spec = set.at("spec");
        FieldCursor selector = spec.at("selector");
        SelectorRules.selector(selector);
        Selector read = SelectorRules.read(selector);
        if (read != null) {
            SelectorRules.matches(read, spec.at("template"));
        }
        if (selector.isSet() && SelectorRules.isEmpty(selector.object())) {
            selector.invalid("empty selector is invalid for daemonset");
        }
        PodSpecRules.template(spec.at("template"));
        alwaysRestarting("DaemonSet", spec.at("template", "spec"));
        spec.at("minReadySeconds").nonNegative();
        RolloutRules.daemonSet(spec.at("updateStrategy"));
        spec.at("revisionHistoryLimit").nonNegative();
    }

    /** Validates the change of a DaemonSet. */
    public static void daemonSetUpdate(FieldCursor set, FieldCursor old, Part part) {
        if (part == Part.MAIN) {
            immutableSelector(set, old);
            daemonSet(set);
        }
        if (part == Part.STATUS) {
            FieldCursor status = set.at("status");
            counts(
                    status,
                    "currentNumberScheduled",
                    "numberMisscheduled",
                    "desiredNumberScheduled",
                    "numberReady",
                    "observedGeneration",
                    "updatedNumberScheduled",
                    "numberAvailable",
                    "numberUnavailable",
                    "collisionCount");
            collisions(status, old);
        }
    }

    /**
     * Validates a StatefulSet.
     *
     * @param isNew whether it is created; the fields that cannot change are not checked again
     */
    public static void statefulSet(FieldCursor set, boolean isNew) {
        FieldCursor spec = set.at("spec");
        FieldCursor management = spec.at("podManagementPolicy");
        if (management.require() && !List.of("OrderedReady", "Parallel").contains(management.text())) {
            management.invalid("must be 'OrderedReady' or 'Parallel'");
        }
        RolloutRules.statefulSet(spec.at("updateStrategy"));
        spec.at("persistentVolumeClaimRetentionPolicy").ifSet(policy -> {
            policy.at("whenDeleted").oneOf(List.of("Retain", "Delete"));
            policy.at("whenScaled").oneOf(List.of("Retain", "Delete"));
        });
        if (isNew) {
            spec.at("volumeClaimTemplates").each(claim -> ClaimSpecRules.check(claim.at("spec")));
        }
        spec.at("replicas").nonNegative();
        spec.at("minReadySeconds").nonNegative();
        spec.at("ordinals", "start").nonNegative();
        if (isNew) {
            spec.at("serviceName").followsIfSet(NameValidation::dns1123Label);
        }
        Selector selector = required(spec.at("selector"), "statefulset", "");
        if (selector != null) {
            FieldCursor template = withClaims(spec);
            matchesUnlessEmpty(selector, template);
            PodSpecRules.template(template);
            SelectorRules.labels(template.at("metadata", "labels").named("spec.template.labels"));
        }
        alwaysRestarting("StatefulSet", spec.at("template", "spec"));
    }

    /** Returns the template with a volume for each claim and without the names that the controller sets. */
    private static FieldCursor withClaims(FieldCursor spec) {
        JsonObject template = spec.at("template").object();
        JsonObject pod = template.object("spec").without("subdomain").without("hostname");
        List<JsonValue> volumes = new ArrayList<>();
        Set<String> claims = new HashSet<>();
        spec.at("volumeClaimTemplates").each(claim -> {
            String name = claim.at("metadata", "name").text();
            if (claims.add(name)) {
                volumes.add(JsonObject.EMPTY
                        .with("name", name)
                        .with("persistentVolumeClaim", JsonObject.EMPTY.with("claimName", name)));
            }
        });
        pod.array("volumes")
                .objects()
                .filter(volume -> !claims.contains(volume.string("name")))
                .forEach(volumes::add);
        JsonObject completed = volumes.isEmpty() ? pod : pod.with("volumes", JsonArray.of(volumes));
        return spec.at("template").showing(template.with("spec", completed));
    }

    /** Validates the change of a StatefulSet. */
    public static void statefulSetUpdate(FieldCursor set, FieldCursor old, Part part) {
        if (part == Part.MAIN) {
            statefulSet(set, false);
        }
        if (part == Part.MAIN) {
            fixed(set.at("spec"), old.at("spec"));
        }
        if (part == Part.STATUS) {
            FieldCursor status = set.at("status");
            counts(
                    status,
                    "replicas",
                    "readyReplicas",
                    "currentReplicas",
                    "updatedReplicas",
                    "availableReplicas",
                    "observedGeneration",
                    "collisionCount");
            atMostReplicas(
                    status,
                    "status.readyReplicas",
                    "readyReplicas",
                    "currentReplicas",
                    "updatedReplicas",
                    "availableReplicas");
            collisions(status, old);
        }
    }

    /** The fields of a StatefulSet that never change. */
    private static void fixed(FieldCursor spec, FieldCursor old) {
        spec.at("selector").immutable(old.at("selector"));
        FieldCursor claims = spec.at("volumeClaimTemplates");
        if (!claims.isSameAs(old.at("volumeClaimTemplates"))) {
            JsonArray shown = JsonArray.of(claims.items().stream()
                    .map(claim -> InternalForm.of("core.v1.PersistentVolumeClaim", claim.shownObject()))
                    .toList());
            (claims.isSet() ? claims.holding(shown) : claims).invalid("field is immutable");
        }
        for (String field : List.of("serviceName", "podManagementPolicy")) {
            spec.at(field).holdingText().immutable(old.at(field).holdingText());
        }
    }

    /** Validates a ControllerRevision. */
    public static void revision(FieldCursor revision) {
        revision.at("revision").nonNegative();
    }

    /** Validates the fields that only a new ControllerRevision requires. */
    public static void newRevision(FieldCursor revision) {
        FieldCursor data = revision.at("data");
        if (!data.isSet()) {
            data.required("data is mandatory");
        } else if (!(data.value() instanceof JsonObject)) {
            data.required("data must be a valid JSON object");
        }
    }

    /** Validates the change of a ControllerRevision. */
    public static void revisionUpdate(FieldCursor revision, FieldCursor old, Part part) {
        if (!revision.at("data").isSameAs(old.at("data"))) {
            revision.at("data").invalid("field is immutable");
        }
    }

    /** Returns a selector that must not be absent or empty; null if it is invalid. */
    private static @Nullable Selector required(FieldCursor selector, String kind, String problem) {
        if (selector.isSet()) {
            SelectorRules.selector(selector);
            if (SelectorRules.isEmpty(selector.object())) {
                selector.invalid("empty selector is invalid for " + kind);
            }
        } else {
            selector.required("");
        }
        Selector read = SelectorRules.read(selector);
        if (read == null) {
            selector.invalid(problem);
        }
        return read;
    }

    private static void matchesUnlessEmpty(Selector selector, FieldCursor template) {
        if (!selector.isEmpty()) {
            SelectorRules.matches(selector, template);
        }
    }

    private static void replicaTemplate(String kind, FieldCursor template, Selector selector) {
        matchesUnlessEmpty(selector, template);
        PodSpecRules.template(template);
        alwaysRestarting(kind, template.at("spec"));
    }

    private static void alwaysRestarting(String kind, FieldCursor spec) {
        spec.at("restartPolicy").oneOf(List.of("Always"));
        spec.at("activeDeadlineSeconds").mustBeAbsent("activeDeadlineSeconds in " + kind + " is not Supported");
    }

    /** A selector cannot change after creation, because it decides which pods belong to the workload. */
    private static void immutableSelector(FieldCursor object, FieldCursor old) {
        object.at("spec", "selector").immutable(old.at("spec", "selector"));
    }

    private static void counts(FieldCursor status, String... fields) {
        for (String field : fields) {
            status.at(field).nonNegative();
        }
    }

    private static void atMostReplicas(FieldCursor status, String ready, String... fields) {
        long replicas = status.at("replicas").number();
        for (String field : fields) {
            if (status.at(field).number() > replicas) {
                status.at(field).holdingNumber().invalid("cannot be greater than status.replicas");
            }
        }
        if (status.at("availableReplicas").number() > status.at("readyReplicas").number()) {
            status.at("availableReplicas").holdingNumber().invalid("cannot be greater than " + ready);
        }
    }

    /** The names of owned objects contain this number; a smaller number would produce a name that exists. */
    private static void collisions(FieldCursor status, FieldCursor old) {
        FieldCursor count = status.at("collisionCount");
        FieldCursor before = old.at("status", "collisionCount");
        if (before.isSet() && (!count.isSet() || count.number() < before.number())) {
            count.holdingNumber().invalid("cannot be decremented");
        }
    }
}
