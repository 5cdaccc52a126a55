package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.conversion.DeploymentDecoder;
import io.kubeloop.apiserver.kinds.validation.PodTemplateRules;
import io.kubeloop.apiserver.kinds.validation.RolloutRules;
import io.kubeloop.apiserver.kinds.validation.StatusCounts;
import io.kubeloop.apiserver.kinds.validation.WorkloadSelectors;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.Members;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.StatusParts;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/** The strategy of Deployments (upstream: {@code pkg/registry/apps/deployment/strategy.go}). */
final class DeploymentRestStrategy implements RestStrategy {

    /** A missing template becomes an empty one, which validation rejects. */
    private static final Defaults DEFAULTS = Defaults.parse("""
        +spec.replicas = 1
        spec.revisionHistoryLimit = 10
        spec.progressDeadlineSeconds = 600
        spec.template = {}
        """);

    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = DEFAULTS.apply(object);
        return defaulted.with("spec", RolloutRules.defaults(PodTemplateRules.defaults(defaulted.object("spec"))));
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return object.with("status", JsonObject.EMPTY);
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        JsonObject kept = StatusParts.keepOther(object, old, part);
        return part == Part.STATUS ? kept.with("metadata", Members.take(Meta.of(kept), "labels", Meta.of(old))) : kept;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        // Upstream's message names ReplicaSet here too.
        PodTemplateRules.validate("ReplicaSet", spec, WorkloadSelectors.required(spec, errors), errors);
        RolloutRules.validate(spec.object("strategy"), errors);
        errors.nonNegative("spec.revisionHistoryLimit", spec.get("revisionHistoryLimit"));
        String revision = object.string("metadata", "annotations", DeploymentDecoder.ROLLBACK);
        if (revision.startsWith("-")) {
            errors.invalidLiteral("spec.rollback.version", revision, "must be greater than or equal to 0");
        }
        deadline(spec, errors);
    }

    private static void deadline(JsonObject spec, FieldErrors errors) {
        String field = "spec.progressDeadlineSeconds";
        JsonValue deadline = spec.get("progressDeadlineSeconds");
        errors.nonNegative(field, deadline);
        if (deadline instanceof JsonNumber seconds && isAtMost(seconds, spec.number("minReadySeconds"))) {
            errors.invalid(field, deadline, "must be greater than minReadySeconds");
        }
    }

    private static boolean isAtMost(JsonNumber seconds, @Nullable Long minReady) {
        Long deadline = seconds.toLong();
        return deadline != null && deadline <= (minReady == null ? 0 : minReady);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        WorkloadSelectors.requireSame(object, old, errors);
        if (part == Part.STATUS) {
            JsonObject status = object.object("status");
            new StatusCounts(status, errors)
                    .nonNegative(
                            "observedGeneration",
                            "replicas",
                            "updatedReplicas",
                            "readyReplicas",
                            "availableReplicas",
                            "unavailableReplicas",
                            "terminatingReplicas",
                            "collisionCount")
                    .atMostReplicas("updatedReplicas", "readyReplicas", "availableReplicas");
            collisions(status.number("collisionCount"), old.number("status", "collisionCount"), errors);
        }
    }

    /** The names of ReplicaSets contain this number; a smaller number would produce a name that exists. */
    private static void collisions(@Nullable Long count, @Nullable Long before, FieldErrors errors) {
        if (before != null && (count == null || count < before)) {
            errors.invalid("status.collisionCount", JsonNumber.of(count == null ? 0 : count), "cannot be decremented");
        }
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    /** Includes the annotations, because the deployment controller copies them to the ReplicaSets. */
    @Override
    public JsonObject counted(JsonObject object) {
        return JsonObject.EMPTY
                .with("spec", object.object("spec"))
                .with("annotations", object.object("metadata", "annotations"));
    }
}
