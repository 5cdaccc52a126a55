package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.machinery.Members;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.function.Predicate;

/** Checks the types of the fields of Deployments, which have no Java record. */
public final class DeploymentTypes {

    /** The resource type of Deployments. */
    public static final ResourceType<?> DEPLOYMENTS =
            ResourceTypes.generic("apps", "v1", "deployments", "Deployment", ResourceType.Scope.NAMESPACED);

    /** The annotation that requests a rollback to a revision; it replaced a removed field. */
    public static final String ROLLBACK = "deprecated.deployment.rollback.to";

    private static final List<String> COUNTS = List.of("revisionHistoryLimit", "progressDeadlineSeconds");

    private DeploymentTypes() {}

    /**
     * Returns the type whose Java record checks the fields of an object. For Deployments it is the ReplicaSet,
     * which has most of their fields.
     */
    public static ResourceType<?> readAs(ResourceType<?> type) {
        return type.equals(DEPLOYMENTS) ? ResourceTypes.REPLICA_SETS : type;
    }

    /**
     * Checks the types of the fields that a ReplicaSet does not have.
     *
     * @throws DecodeException with upstream's message if a field has the wrong type
     */
    public static void requireTypes(ResourceType<?> type, JsonObject object) {
        if (!type.equals(DEPLOYMENTS)) {
            return;
        }
        JsonObject spec = object.object("spec");
        for (String count : COUNTS) {
            require(spec, count, "DeploymentSpec.spec.", "int32", DeploymentTypes::isWhole);
        }
        require(spec, "paused", "DeploymentSpec.spec.", "bool", JsonBoolean.class::isInstance);
        require(spec, "strategy", "DeploymentSpec.spec.", "v1.DeploymentStrategy", JsonObject.class::isInstance);
        JsonObject strategy = spec.object("strategy");
        require(
                strategy,
                "rollingUpdate",
                "DeploymentStrategy.spec.strategy.",
                "v1.RollingUpdateDeployment",
                JsonObject.class::isInstance);
        for (String bound : RolloutRules.BOUNDS) {
            require(
                    strategy.object("rollingUpdate"),
                    bound,
                    "RollingUpdateDeployment.spec.strategy.rollingUpdate.",
                    "int32",
                    value -> value instanceof JsonString || isWhole(value));
        }
        requireRevision(object.string("metadata", "annotations", ROLLBACK));
    }

    private static void require(
            JsonObject holder, String field, String path, String wanted, Predicate<JsonValue> isThat) {
        JsonValue value = holder.get(field);
        if (value != null && !isThat.test(value)) {
            String found = Members.typeOf(value) + (value instanceof JsonNumber ? " " + value : "");
            throw new DecodeException(
                    "json: cannot unmarshal " + found + " into Go struct field " + path + field + " of type " + wanted,
                    null);
        }
    }

    private static void requireRevision(String revision) {
        try {
            if (!revision.isEmpty()) {
                Long.parseLong(revision);
            }
        } catch (NumberFormatException e) {
            throw new DecodeException(
                    "failed to parse annotation[" + ROLLBACK + "]=" + revision
                            + " as int64: strconv.ParseInt: parsing \"" + revision + "\": invalid syntax",
                    e);
        }
    }

    private static boolean isWhole(JsonValue value) {
        Long number = value instanceof JsonNumber some ? some.toLong() : null;
        return number != null && number == number.intValue();
    }
}
